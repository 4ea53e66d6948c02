//! Reports of earlier versions: missing new fields raise no alarm, edits do, and a removed field is distinguished from
//! one that was never written.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::RecordedProject;
use crate::verdict::recompute::rich;

/// The output of `report verdict`; checks its exit code.
#[track_caller]
fn verdict(context: &TestContext, report: &Value, code: i32) -> Value {
    let path = context.write("edited/report.json", &report.to_string());
    context.run(&["report", "verdict", path.to_str().unwrap(), "--json"]).expect(code).json()
}

fn paths(recomputed: &Value) -> Vec<String> {
    let all = recomputed["differences"].as_array().unwrap();
    all.iter().map(|of| of["path"].as_str().unwrap().to_owned()).collect()
}

fn take(report: &mut Value, pointer: &str) -> Value {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = report.pointer_mut(parent).unwrap_or_else(|| panic!("{pointer}"));
    match parent {
        Value::Object(fields) => fields.remove(name).unwrap_or_else(|| panic!("{pointer}")),
        Value::Array(all) => all.remove(name.parse().unwrap()),
        _ => panic!("{pointer}"),
    }
}

/// The report as version 0.0.9 would have written it: without curves and sample quality, with other texts of advice.
fn older(mut report: Value) -> Value {
    report["meta"]["cliVersion"] = json!("0.0.9");
    for pointer in ["/analysis/saturation", "/analysis/sampleQuality", "/meta/judgeCost"] {
        if report.pointer(pointer).is_some() {
            take(&mut report, pointer);
        }
    }
    for treatment in report["verdict"]["inputs"]["treatments"].as_array_mut().unwrap() {
        treatment.as_object_mut().unwrap().remove("saturation");
    }
    let reasons: Vec<&mut Value> = {
        let verdict = &mut report["verdict"];
        verdict["perTreatment"].as_array_mut().unwrap().iter_mut().map(|of| &mut of["reasons"]).collect()
    };
    for of in reasons {
        let is_newer = |reason: &Value| {
            let id = reason["messageKey"]["id"].as_str().unwrap();
            id.starts_with("report-why-more") || id == "report-why-saturated"
        };
        of.as_array_mut().unwrap().retain(|reason| !is_newer(reason));
    }
    let suggestions = report["analysis"]["suggestions"].as_array_mut().unwrap();
    suggestions.retain(|of| of["type"] != "narrow_interval");
    for of in suggestions {
        of["message"] = json!("in other words");
        of["messageKey"] = json!({"id": "report-next-in-other-words", "args": {}});
    }
    report
}

fn underpowered() -> RecordedProject {
    let moved = [15, -10, 12, -8, 2, 9, -5];
    RecordedProject::pairs(&(0..24_usize).map(|i| (70, 70_u32.saturating_add_signed(moved[i % 7]))).collect::<Vec<_>>())
}

#[test]
fn older_report_without_newer_reasons_and_advice_agrees() {
    let prepared = underpowered();
    let report = older(prepared.report(1, &["--min-effect", "0.1"]));
    let recomputed = verdict(&prepared.context, &report, 1);
    assert_eq!((&recomputed["agrees"], &recomputed["writtenBy"]), (&json!(true), &json!("0.0.9")), "{recomputed:#}");
    assert!(!recomputed["notStored"].as_array().unwrap().is_empty());
    let (context, report) = rich(&[]);
    let recomputed = verdict(&context, &older(report), 0);
    assert_eq!(recomputed["agrees"], true, "{recomputed:#}");
}

#[test]
fn edit_of_an_older_report_is_reported() {
    let prepared = underpowered();
    let report = older(prepared.report(1, &["--min-effect", "0.1"]));
    let edits: [(&str, Value); 5] = [
        ("/verdict/tier", json!("PROGRESS")),
        ("/verdict/exitCode", json!(0)),
        ("/comparisons/0/diff/mean", json!(1.5)),
        ("/results/3/variants/v2/compositeScore", json!(5.0)),
        ("/verdict/perTreatment/0/reasons/0/messageKey/id", json!("report-why-above")),
    ];
    for (path, value) in edits {
        let mut edited = report.clone();
        *edited.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        let recomputed = verdict(&prepared.context, &edited, 3);
        assert!(paths(&recomputed).iter().any(|of| path.starts_with(of.as_str())), "{path}: {:?}", paths(&recomputed));
    }
}

#[test]
fn removed_field_is_reported_and_never_written_field_is_not() {
    let (context, report) = rich(&[]);
    // A report of this version has all of its fields.
    let of_ours = [
        "/analysis/saturation",
        "/analysis/sampleQuality",
        "/comparisons/0",
        "/comparisons/0/shares",
        "/comparisons/0/equalLength",
        "/comparisons/0/diff/sd",
        "/summary/v2/cached",
        "/summary/v2/avgCompositeScore",
        "/verdict/inputs/control/cached",
        "/judging/judges/0/repeatability",
        "/meta/judgeCost",
        "/results/0/questions",
    ];
    for path in of_ours {
        let mut edited = report.clone();
        if edited.pointer(path).is_none_or(Value::is_null) {
            continue;
        }
        let taken = take(&mut edited, path);
        // 0 and false are the defaults of absent fields.
        if taken == json!(0) {
            continue;
        }
        let recomputed = verdict(&context, &edited, 3);
        assert!(!paths(&recomputed).is_empty(), "{path}");
    }
    // An older report may lack later fields, but not in one place alone, and not those that others depend on.
    let mut report = report;
    report["meta"]["cliVersion"] = json!("0.0.9");
    for (path, is_detected) in [
        ("/summary/v2/avgCompositeScore", true),
        ("/comparisons/0", true),
        ("/comparisons/0/diff/sd", true),
        ("/analysis/saturation", true),
        ("/comparisons/0/equalLength", false),
        ("/comparisons/0/shares", false),
    ] {
        let mut edited = report.clone();
        take(&mut edited, path);
        let recomputed = verdict(&context, &edited, if is_detected { 3 } else { 0 });
        assert_eq!(recomputed["agrees"], !is_detected, "{path}: {recomputed:#}");
    }
}
