//! How many samples are enough: saturation curve, required samples, `--dry-run`.

use std::fs;

use eval_format::Report;
use eval_spec::{Layer, Outcome};
use serde_json::{Value, json};

use super::{flat, hundredths, shown, underpowered};
use crate::fixtures::recorded::{CellIndex, RecordedProject, ended, fact};
use crate::fixtures::scores::{ground, near, number, reasons, tier};

#[test]
fn saturation_curve_follows_students_interval_and_predicts_its_width() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    assert_eq!(tier(&report), "UNDERPOWERED");
    let curve = &report["analysis"]["saturation"][0];
    assert_eq!((&curve["control"], &curve["treatment"], &curve["n"]), (&json!("v1"), &json!("v2"), &json!(24)));
    let windows = curve["windows"].as_array().unwrap();
    let sizes: Vec<u64> = windows.iter().map(|window| window["n"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [7, 9, 12, 15, 19, 24], "a quarter more each time");
    // scipy.stats.t.ppf(0.975, 23)
    let sd = number(&report["comparisons"][0]["diff"]["sd"]);
    let width = 2.0 * 2.068_657_610_419_040_6 * sd / 24_f64.sqrt();
    near(&windows[5]["width"], width, 1e-9);
    near(&windows[5]["expected"], width, 1e-9);
    near(&windows[5]["shrink"], 1.0 - width / number(&windows[4]["width"]), 1e-9);
    // The normal quantile, and a little more for Student's t.
    let normal = (1.959_963_985 * sd / 0.1).powi(2);
    near(&curve["pairsForMinEffect"], normal, 4.0);
    assert_eq!(curve["saturated"], json!(false));
    // The order of the samples is drawn from the seed.
    let other = prepared.report(1, &["--min-effect", "0.1", "--seed", "5"]);
    assert_ne!(other["analysis"]["saturation"][0]["windows"][0], windows[0]);
    assert_eq!(other["analysis"]["saturation"][0]["windows"][5]["width"], windows[5]["width"]);
}

#[test]
fn verdict_says_whether_more_samples_would_help() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    let needed = report["analysis"]["saturation"][0]["pairsForMinEffect"].as_u64().unwrap();
    let read = &report["verdict"]["inputs"]["treatments"][0]["saturation"];
    assert_eq!(*read, json!({"saturated": false, "pairsForMinEffect": needed}));
    assert_eq!(reasons(&report, 0), ["report-why-wide", "report-why-more"]);
    // The advice changes no tier.
    let whole: Report = serde_json::from_value(report).unwrap();
    for (saturated, decisive, reason) in [
        (Some(true), Some(30), "report-why-saturated"),
        (None, Some(1_000_000), "report-why-more-hopeless"),
        (None, Some(12), "report-why-more-border"),
        (Some(false), None, "report-why-wide"),
    ] {
        let mut inputs = whole.verdict.inputs.clone();
        inputs.treatments[0].saturation.as_mut().unwrap().saturated = saturated;
        inputs.treatments[0].decisive = decisive;
        let again = eval_verdict::verdict(&inputs);
        assert_eq!((again.tier, again.exit_code), (whole.verdict.tier, whole.verdict.exit_code));
        assert_eq!(again.per_treatment[0].reasons.last().unwrap().message_key.id, reason);
    }
}

#[test]
fn too_few_or_equal_differences_have_a_reason_instead_of_a_curve() {
    for (prepared, reason) in [
        (underpowered(5), "report-saturation-few"),
        (RecordedProject::pairs(&[(50, 60); 24]), "report-saturation-variance"),
    ] {
        let output = prepared.eval(&["--json", "--report-only"]).expect(0).json();
        let curve = &output["analysis"]["saturation"][0];
        assert_eq!((&curve["windows"], &curve["saturated"]), (&json!([]), &json!(null)));
        assert_eq!(curve["why"]["messageKey"]["id"], reason);
    }
    let solo = RecordedProject::new(8, &["v1"], 1, &[Layer::Fact], |at| fact(ground(at.sample)));
    assert_eq!(solo.report(0, &[])["analysis"]["saturation"], json!(null), "nothing to compare");
}

/// Two runs of each sample that waver.
fn wavering(samples: usize) -> RecordedProject {
    RecordedProject::new(samples, &["v1", "v2"], 2, &[Layer::Fact], |at| {
        let x = at.sample * 31 + at.variant * 17 + at.repeat as usize * 57 + 7;
        fact(u32::try_from(20 + 7 * (x * x * x % 1009 % 9)).unwrap())
    })
}

/// The numbers are those of SciPy, by the formulas of docs/en/statistics-enough.md.
#[test]
fn repeats_are_advised_where_the_same_samples_do_with_them() {
    let power = |samples: usize| {
        let report = wavering(samples).report(1, &[]);
        let advised: Vec<Value> = report["analysis"]["suggestions"].as_array().unwrap().to_vec();
        let texts: Vec<String> = advised.iter().map(|of| of["message"].as_str().unwrap().to_owned()).collect();
        (report["comparisons"][0]["power"].clone(), texts)
    };
    let (many, _) = power(110);
    assert_eq!((&many["decisive"], &many["repeats"]), (&json!(167), &json!({"repeat": 4, "samples": 102})));
    let (few, texts) = power(40);
    assert_eq!((&few["decisive"], &few["repeats"]), (&json!(167), &json!({"repeat": 10, "samples": 81})));
    let saves = "for `v2`, repeats save samples: 167 samples at 2 repeats, 81 at 10";
    assert!(texts.iter().any(|text| text == saves), "{texts:?}");
}

#[test]
fn required_samples_match_the_level_of_the_verdict() {
    let result_of = |at: CellIndex| {
        let moved = [0, 6, 1, 4][(at.sample * 3 + at.variant * 5) % 4];
        fact(ground(at.sample) + moved + u32::from(at.variant > 0))
    };
    let one =
        RecordedProject::new(24, &["v1", "v2"], 1, &[Layer::Fact], result_of).report(1, &["--min-effect", "0.02"]);
    let three = RecordedProject::new(24, &["v1", "v2", "v3", "v4"], 1, &[Layer::Fact], result_of);
    let three = three.report(1, &["--min-effect", "0.02"]);
    let [alone, among] = [&one, &three].map(|report| report["comparisons"][0]["power"].clone());
    near(&alone["alpha"], 0.05, 1e-12);
    let alpha = number(&among["alpha"]);
    assert!((0.05 / 3.0..0.04).contains(&alpha), "{alpha} lies between one alone and Bonferroni");
    let pairs = |power: &Value, what: &str| power[what].as_u64().unwrap();
    assert!(pairs(&among, "pairsForMinEffect") > pairs(&alone, "pairsForMinEffect"), "{among} {alone}");
    // kinds that never came up ask for more than the interval does, the same of one treatment as of three (SciPy)
    for power in [&alone, &among] {
        assert_eq!(pairs(power, "pairsForObserved"), 301);
        near(&power["minimumDetectable"], 0.494_959_622_713_820_66, 1e-11);
    }
    // (z_{1−α/2} + z_{0.8})² s²/δ², and about two more for Student's t.
    let sd = number(&one["comparisons"][0]["diff"]["sd"]);
    let normal = |difference: f64| ((1.959_963_985 + 0.841_621_234) * sd / difference).powi(2);
    near(&alone["pairsForMinEffect"], normal(0.02), 4.0);
}

#[test]
fn undecided_verdict_names_the_required_samples() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    let power = &report["comparisons"][0]["power"];
    let advice = &report["analysis"]["suggestions"][0];
    assert_eq!(advice["type"], "add_samples");
    let text = advice["message"].as_str().unwrap();
    let decisive = power["decisive"].as_u64().unwrap();
    assert_eq!(text, format!("add about {} samples for `v2`, to settle ±0.10", decisive - 24));
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest"], 1);
    assert!(flat(&english).contains(text), "{english}");
    assert!(chinese.contains(&format!("再增加约 {} 个用例，即可确定是否超过 ±0.10", decisive - 24)), "{chinese}");
}

fn plan(prepared: &RecordedProject, flags: &[&str]) -> Value {
    prepared.eval(&[&["--dry-run", "--json"], flags].concat()).expect(0).json()
}

#[test]
fn dry_run_uses_the_spread_of_an_earlier_report() {
    let prepared = underpowered(24);
    assert_eq!(plan(&prepared, &[])["power"], json!(null), "there is none yet");
    let none = prepared.eval(&["--dry-run"]).expect(0);
    assert!(!none.stdout.contains("80 %") && none.stderr.is_empty(), "{none:?}");
    prepared.eval(&["--report-only"]).expect(0);
    let report = prepared.context.report();
    let power = plan(&prepared, &[])["power"].clone();
    assert_eq!((&power["report"], &power["unchangedSamples"]), (&report["id"], &json!(null)));
    let (of, seen) = (&power["treatments"][0], &report["comparisons"][0]);
    assert_eq!((&of["treatment"], &of["known"], &of["samples"]), (&json!("v2"), &json!(true), &json!(24)));
    assert_eq!((&of["sd"], &of["observed"]), (&seen["diff"]["sd"], &seen["diff"]["mean"]));
    assert_eq!(of["minimumDetectable"], seen["power"]["minimumDetectable"]);
    assert_eq!(of["neededForMinEffect"], seen["power"]["pairsForMinEffect"]);
    assert_eq!(of["neededForObserved"], seen["power"]["pairsForObserved"]);
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--dry-run"];
    let [english, chinese] = shown(&prepared.context, &arguments, 0);
    assert!(english.contains("80 % power") && chinese.contains("检验功效 80 %"), "{english}{chinese}");
    // Two treatments share the error probability.
    prepared.context.write("skills/v3.md", "another");
    let two = ["eval", "--variants", "v1,v2,v3", "--executor", "replay", "--recordings", "recordings", "--dry-run"];
    let two = prepared.context.run(&[&two[..], &["--json"]].concat()).expect(0).json();
    let treatments = two["power"]["treatments"].as_array().unwrap();
    assert_eq!((&treatments[0]["known"], &treatments[1]["known"]), (&json!(true), &json!(false)));
    near(&treatments[1]["alpha"], 0.025, 1e-12);
    assert_eq!(treatments[1]["neededForObserved"], json!(null), "no difference was observed");
}

#[test]
fn dry_run_reports_a_changed_test_set() {
    let prepared = underpowered(24);
    prepared.eval(&["--report-only"]).expect(0);
    let path = prepared.context.path("eval-samples.json");
    let mut samples: Vec<Value> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    samples[0]["prompt"] = json!("another question");
    samples.pop();
    fs::write(&path, json!(samples).to_string()).unwrap();
    assert_eq!(plan(&prepared, &[])["power"]["unchangedSamples"], json!(22));
    let text = prepared.eval(&["--dry-run"]).expect(0).stdout;
    assert!(flat(&text).contains("22 of 23 samples are unchanged"), "{text}");
    // A test set with little in common belongs to another project.
    samples.truncate(23);
    samples.iter_mut().take(13).for_each(|sample| sample["prompt"] = json!("something else"));
    fs::write(&path, json!(samples).to_string()).unwrap();
    assert_eq!(plan(&prepared, &[])["power"], json!(null));
}

#[test]
fn dry_run_reports_a_broken_report_in_one_line() {
    let prepared = underpowered(24);
    prepared.eval(&["--report-only"]).expect(0);
    let reports = prepared.context.home().join("reports");
    let whole = fs::read(prepared.context.report_path()).unwrap();
    fs::write(reports.join("x-cut.json"), &whole[..whole.len() / 2]).unwrap();
    fs::write(reports.join("x-empty.json"), "").unwrap();
    fs::write(reports.join("x-garbage.json"), [0xff; 100]).unwrap();
    fs::write(reports.join("x-deep.json"), "[".repeat(100_000)).unwrap();
    fs::write(reports.join("other.json"), "{\"name\": \"no report\"}").unwrap();
    fs::write(reports.join("notes.txt"), "no report").unwrap();
    fs::create_dir(reports.join("directory.json")).unwrap();
    let dry = prepared.eval(&["--dry-run"]).expect(0);
    assert_eq!(dry.stderr.lines().count(), 1, "{}", dry.stderr);
    assert!(dry.stdout.contains("80 % power"), "the whole one still counts: {}", dry.stdout);
    assert_ne!(plan(&prepared, &[])["power"], json!(null));
}

#[test]
fn incomplete_run_has_the_available_blocks() {
    let result_of = |at: CellIndex| match (at.sample, at.variant) {
        (0..3, 1) => ended(Outcome::Refused),
        (3, _) => crate::fixtures::recorded::RecordedResult::Failed(eval_spec::Failure::Crashed),
        _ => fact(hundredths(at)),
    };
    let prepared = RecordedProject::new(12, &["v1", "v2"], 2, &[Layer::Fact], result_of);
    let report = prepared.report(3, &["--holdout", "0.5", "--max-failure-rate", "0.01", "--retry", "0"]);
    assert_eq!(report["status"], "incomplete");
    assert_eq!(report["comparisons"][0]["n"], json!(8));
    assert_eq!(report["comparisons"][0]["shares"]["n"], json!(8));
    assert_eq!(report["analysis"]["saturation"][0]["n"], json!(8));
    let compared = &report["holdout"]["comparisons"][0];
    assert_eq!(compared["train"]["n"].as_u64().unwrap() + compared["heldOut"]["n"].as_u64().unwrap(), 8);
    assert_eq!(report["variance"]["comparisons"][0]["bySample"]["n"], json!(8));
    let nothing = RecordedProject::new(4, &["v1", "v2"], 2, &[Layer::Fact], |_| ended(Outcome::Refused));
    let report = nothing.report(3, &["--holdout", "0.5"]);
    assert_eq!(report["comparisons"][0]["n"], json!(0));
    assert_eq!(report["comparisons"][0]["power"]["pairsForObserved"], json!(null));
}

/// The interval of a spread is that of normal differences, and says so.
#[test]
fn range_of_a_spread_names_its_assumption() {
    let prepared = underpowered(24);
    prepared.eval(&["--report-only"]).expect(0);
    let [english, chinese] = shown(&prepared.context, &["power", "latest"], 0);
    assert!(flat(&english).contains("assuming normal differences)"), "{english}");
    assert!(chinese.replace(['\n', ' '], "").contains("假定差异服从正态分布"), "{chinese}");
}
