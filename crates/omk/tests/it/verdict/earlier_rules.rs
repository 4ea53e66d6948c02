//! Reports that earlier rules decided. `reports/by-first-rules.json` was written by version 0.1.0: PROGRESS then, CAUTIOUS by
//! these rules. `reports/ended-early-by-first-rules.json` was written by 0.2.0: decided after 26 samples, with lost runs that
//! keep these rules from it. Others claim the like.

use std::fs;

use eval_spec::Layer;
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{RecordedProject, both};
use crate::fixtures::scores::{ground, paired, uneven};

const BY_FIRST_RULES: &str = include_str!("reports/by-first-rules.json");

const ENDED_EARLY: &str = include_str!("reports/ended-early-by-first-rules.json");

fn old() -> Value {
    serde_json::from_str(BY_FIRST_RULES).unwrap()
}

/// The output of `report verdict` and its exit code.
fn recomputed(context: &TestContext, report: &Value) -> (Value, i32) {
    let path = context.write("edited/report.json", &report.to_string());
    let run = context.run(&["report", "verdict", path.to_str().unwrap(), "--json"]);
    (serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run:?}")), run.code)
}

fn paths(recomputed: &Value) -> Vec<&str> {
    recomputed["differences"].as_array().unwrap().iter().map(|of| of["path"].as_str().unwrap()).collect()
}

fn set(report: &mut Value, path: &str, value: Value) {
    *report.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
}

#[test]
fn old_report_is_shown_with_what_these_rules_make_of_it() {
    let context = TestContext::new();
    let (document, code) = recomputed(&context, &old());
    assert_eq!((&document["byEarlierRules"], code), (&json!(true), 1), "{document:#}");
    assert_eq!(
        (&document["stored"]["tier"], &document["recomputed"]["tier"]),
        (&json!("PROGRESS"), &json!("CAUTIOUS"))
    );
    // what could not be compared doesn't agree
    assert_eq!((&document["agrees"], &document["differences"]), (&json!(false), &json!([])), "{document:#}");
    assert!(document["notCompared"].as_array().unwrap().contains(&json!("/comparisons/*/power")));
    let unwritten = document["takenAsStored"].as_array().unwrap().iter().any(|of| of["path"] == "/clusters");
    assert!(unwritten, "which samples are copies is in no such report: {document:#}");
    let file = context.path("edited/report.json");
    for (language, words) in [("en", "decided by earlier rules: PROGRESS"), ("zh", "按旧规则判定：PROGRESS")] {
        let text = context.run(&["report", "verdict", file.to_str().unwrap(), "--lang", language]).expect(1).stdout;
        assert!(text.contains(words) && text.contains("CAUTIOUS"), "{text}");
        assert!(!text.contains("every stored number"), "{text}");
    }
}

#[test]
fn old_report_is_read_by_every_command() {
    let context = TestContext::new();
    let path = context.home().join("reports/2026-03-24T15-30-45-v1-v2.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, BY_FIRST_RULES).unwrap();
    for arguments in [
        ["diff", "latest"].as_slice(),
        &["failures", "latest"],
        &["trend"],
        &["power", "latest"],
        &["report", "export", "latest", "--format", "markdown"],
        &["report", "export", "latest", "--format", "csv"],
        &["report", "export", "latest", "--format", "junit"],
    ] {
        let printed = context.run(arguments).expect(0).stdout;
        assert!(!printed.is_empty(), "{arguments:?}");
    }
    let diff = context.run(&["diff", "latest", "--json"]).expect(0).json();
    assert_eq!(diff["comparisons"][0]["samples"].as_array().map(Vec::len), Some(21), "{diff:#}");
}

#[test]
fn old_report_of_a_run_that_these_rules_would_have_gone_on_with_counts_what_it_counted() {
    let context = TestContext::new();
    let report: Value = serde_json::from_str(ENDED_EARLY).unwrap();
    let (document, code) = recomputed(&context, &report);
    assert_eq!((&document["differences"], code), (&json!([]), 1), "{document:#}");
    assert_eq!(document["recomputed"]["inputs"]["incompleteReason"], Value::Null);
    for (path, value) in [("/stopping/decidedAfter", json!(20)), ("/stopping/treatments/0/path/0/mean", json!(3.0))] {
        let mut edited = report.clone();
        set(&mut edited, path, value);
        assert_eq!(recomputed(&context, &edited).1, 3, "{path}");
    }
}

#[test]
fn edit_of_an_old_report_is_reported() {
    let context = TestContext::new();
    let edits: &[(&str, Value, &str)] = &[
        ("/verdict/tier", json!("NOISE"), "/verdict/tier"),
        ("/verdict/exitCode", json!(1), "/verdict/exitCode"),
        ("/verdict/perTreatment/0/tier", json!("NOISE"), "/verdict/perTreatment/0/tier"),
        ("/verdict/inputs/treatments/0/diff/low", json!(0.3), "/verdict/inputs/treatments/0/diff/low"),
        ("/verdict/inputs/treatments/0/diff/n", json!(40), "/verdict/inputs/treatments/0/diff/n"),
        ("/verdict/inputs/limits/minEffect", json!(0.9), "/verdict/inputs/limits/minEffect"),
        ("/verdict/inputs/control/missingScores", json!(3), "/verdict/inputs/control/missingScores"),
        ("/comparisons/0/n", json!(40), "/comparisons/0/n"),
        ("/comparisons/0/diff/n", json!(40), "/comparisons/0/diff/n"),
        ("/comparisons/0/diff/mean", json!(0.5), "/comparisons/0/diff/mean"),
        ("/comparisons/0/diff/sd", json!(0.01), "/comparisons/0/diff/sd"),
        ("/comparisons/0/diff/ci/low", json!(0.14), "/comparisons/0/diff/ci/low"),
        ("/comparisons/0/diff/pValue", json!(0.5), "/comparisons/0/diff/pValue"),
        ("/comparisons/0/wins", json!(2), "/comparisons/0/wins"),
        ("/summary/v2/avgCompositeScore", json!(4.9), "/summary/v2/avgCompositeScore"),
        ("/summary/v2/layers/fact/mean", json!(4.9), "/summary/v2/layers/fact/mean"),
        ("/summary/v2/ci/low", json!(4.0), "/summary/v2/ci/low"),
        ("/summary/v2/bootstrapCI/0", json!(4.0), "/summary/v2/bootstrapCI/0"),
        ("/summary/v2/outcomes/refused", json!(3), "/summary/v2/outcomes/refused"),
        ("/summary/v2/checks/passed", json!(3), "/summary/v2/checks/passed"),
        ("/results/3/variants/v2/compositeScore", json!(3.5), "/results/3/variants/v2/compositeScore"),
        ("/status", json!("incomplete"), "/status"),
    ];
    for (path, value, named) in edits {
        let mut edited = old();
        set(&mut edited, path, value.clone());
        let (document, code) = recomputed(&context, &edited);
        assert_eq!(code, 3, "{path}");
        assert!(paths(&document).contains(named), "{path}: {:?}", paths(&document));
    }
    // a bound that is drawn with another seed is the same bound
    let mut near = old();
    for path in ["/comparisons/0/diff/ci/low", "/verdict/inputs/treatments/0/diff/low"] {
        let drawn = near.pointer(path).unwrap().as_f64().unwrap() + 0.001;
        set(&mut near, path, json!(drawn));
    }
    assert_eq!(recomputed(&context, &near).1, 1);
}

/// Takes out of a report what only these rules write.
fn stripped(mut report: Value) -> Value {
    let mut take = |parent: &str, names: &[&str]| {
        if let Some(Value::Object(fields)) = report.pointer_mut(parent) {
            names.iter().for_each(|name| drop(fields.remove(*name)));
        }
    };
    take("", &["clusters"]);
    take("/meta/settings", &["minPreference"]);
    take("/comparisons/0", &["missing", "capabilities", "controlMean", "treatmentMean"]);
    take("/comparisons/0/power", &["decisive", "decisiveForGain"]);
    take("/verdict/inputs", &["rules", "tasks"]);
    take("/verdict/inputs/limits", &["minPreference"]);
    take("/verdict/inputs/treatments/0", &["missing", "unseen", "capabilities", "decisive"]);
    report
}

/// What somebody would write who wants to ship.
fn claimed(mut report: Value) -> Value {
    set(&mut report, "/verdict/tier", json!("PROGRESS"));
    set(&mut report, "/verdict/perTreatment/0/tier", json!("PROGRESS"));
    set(&mut report, "/verdict/exitCode", json!(0));
    set(&mut report, "/meta/cliVersion", json!("0.2.0"));
    report
}

#[test]
fn report_that_takes_its_rules_out_is_compared_whole() {
    let report = paired(24, |i| (ground(i), ground(i) + uneven(i) / 6)).report(1, &[]);
    let context = TestContext::new();
    let mut claimed = claimed(report);
    claimed["verdict"]["inputs"].as_object_mut().unwrap().remove("rules");
    let (document, code) = recomputed(&context, &claimed);
    assert_eq!((&document["byEarlierRules"], code), (&json!(false), 3), "{document:#}");
    assert!(paths(&document).contains(&"/verdict/tier"), "{:?}", paths(&document));
}

/// Everything that these rules brought is gone, and the numbers that decided are made to fit one after another.
#[test]
fn progress_that_the_results_cannot_have_given_is_named() {
    let undecided: [i32; 7] = [15, -10, 12, -8, 2, 9, -5];
    let few = paired(19, |i| (ground(i), ground(i) + 8));
    let wide = paired(24, |i| (70, 70_u32.saturating_add_signed(undecided[i % 7])));
    let layer = RecordedProject::new(24, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], |at| {
        let spread = u32::try_from(at.sample % 3).unwrap();
        both([30 + spread, 98][at.variant], [60, 40 + spread][at.variant])
    });
    let context = TestContext::new();
    for (what, prepared) in [("19 pairs", few), ("an interval around 0", wide), ("a layer under the gate", layer)] {
        let mut report = claimed(stripped(prepared.report(1, &[])));
        let (document, code) = recomputed(&context, &report);
        assert_eq!((&document["byEarlierRules"], code), (&json!(true), 3), "{what}: {document:#}");
        assert!(paths(&document).contains(&"/verdict/tier"), "{what}: {:?}", paths(&document));
        for edited in [["/verdict/inputs/treatments/0"], ["/comparisons/0"]] {
            for path in edited {
                for (leaf, value) in [("/diff/low", 0.2), ("/diff/ci/low", 0.2), ("/diff/n", 40.0), ("/n", 40.0)] {
                    let path = format!("{path}{leaf}");
                    if let Some(leaf) = report.pointer_mut(&path) {
                        *leaf = if leaf.is_u64() { json!(40) } else { json!(value) };
                    }
                }
            }
            let (document, code) = recomputed(&context, &report);
            assert_eq!(code, 3, "{what}: {document:#}");
        }
    }
}
