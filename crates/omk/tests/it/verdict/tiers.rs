//! The six tiers: conditions, reasons, summaries.
//!
//! Scores are hundredths of the fact layer: `k` is `1 + 0.04·k` points, so a difference of one is 0.04 points.

use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};

use crate::fixtures::recorded::{CellIndex, RecordedProject, RecordedResult, both, ended, fact};
use crate::fixtures::scores::{better, gain, ground, near, number, paired, reasons, three, tier};

/// Compares the summary in both languages with its snapshot.
#[track_caller]
fn summary(name: &str, prepared: &RecordedProject, code: i32) {
    for lang in ["en", "zh"] {
        let _ = std::fs::remove_dir_all(prepared.context.path("out"));
        let done = prepared.eval(&["--lang", lang, "--output-dir", "out", "--details"]).expect(code);
        for line in done.stdout.lines() {
            let width: usize = line.chars().map(|c| 1 + usize::from(is_wide(c))).sum();
            assert!(width <= 80, "{width} columns: {line}");
        }
        insta::assert_snapshot!(format!("{name}-{lang}"), done.stdout);
    }
}

fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ff60}')
}

#[test]
fn significant_gain_is_progress() {
    let prepared = better(42);
    let report = prepared.report(0, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("PROGRESS", &json!(0)));
    assert_eq!(reasons(&report, 0), ["report-why-above"]);
    summary("progress", &prepared, 0);
}

#[test]
fn progress_requires_every_condition() {
    let doubts = |prepared: &RecordedProject, flags: &[&str]| {
        let report = prepared.report(1, flags);
        assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("CAUTIOUS", &json!(1)));
        let reasons = reasons(&report, 0);
        assert_eq!(reasons[0], "report-why-above");
        reasons[1..].join(" ")
    };
    assert_eq!(doubts(&better(19), &[]), "report-doubt-pairs report-doubt-unseen");
    assert_eq!(doubts(&better(42), &["--trivial-diff", "0.5"]), "report-doubt-trivial");
    assert_eq!(doubts(&better(42), &["--threshold", "4.5"]), "report-doubt-layer");
    let low = paired(12, |i| (ground(i) - 30, ground(i) - 30 + gain(i)));
    assert_eq!(doubts(&low, &[]), "report-doubt-pairs report-doubt-unseen report-doubt-layer");
    // `--report-only` opens the gate and changes nothing else.
    let report = low.report(0, &["--report-only"]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("CAUTIOUS", &json!(0)));
    summary("cautious", &low, 1);
}

/// Limits that the user loosened are named where the defaults would give another tier.
#[test]
fn looser_limits_that_decide_are_named() {
    let low = paired(42, |i| (ground(i) - 30, ground(i) - 30 + gain(i)));
    let report = low.report(0, &["--threshold", "2"]);
    assert_eq!((tier(&report), reasons(&report, 0).last().unwrap().as_str()), ("PROGRESS", "report-why-looser-limits"));
    let said = &report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap().last().unwrap()["messageKey"];
    assert_eq!(said["args"], json!({"flags": "`--threshold 2.00`", "tier": "CAUTIOUS"}));
    // a looser limit that decides nothing is no reason
    assert_eq!(reasons(&better(42).report(0, &["--threshold", "2"]), 0), ["report-why-above"]);
}

#[test]
fn alarms_are_reported() {
    let prepared = RecordedProject::new(40, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (1, 0..3) => RecordedResult::Failed(Failure::Crashed),
        (1, 3..5) => ended(Outcome::Refused),
        _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
    });
    summary("alarms", &prepared, 1);
}

#[test]
fn significant_loss_is_regress() {
    let prepared = paired(42, |i| (ground(i) + gain(i), ground(i)));
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("REGRESS", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-below"]);
    summary("regress", &prepared, 1);
}

/// Facts gain 40 hundredths, behaviour loses about 29 and ends under the gate.
fn one_layer_falls(at: CellIndex) -> RecordedResult {
    match at.variant {
        0 => both(60, 70),
        _ => both(100, 40 + u32::try_from(at.sample % 3).unwrap()),
    }
}

#[test]
fn regressing_layer_is_a_regression_despite_a_composite_gain() {
    let prepared = RecordedProject::new(24, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], one_layer_falls);
    let report = prepared.report(1, &[]);
    assert_eq!(tier(&report), "REGRESS");
    assert_eq!(reasons(&report, 0), ["report-why-layer-below"]);
    let comparison = &report["comparisons"][0];
    assert!(number(&comparison["diff"]["ci"]["low"]) > 0.0, "the composite gains");
    near(&comparison["layers"]["behavior"]["mean"], -29.0 * 0.04, 1e-9);
    near(&comparison["layers"]["fact"]["mean"], 40.0 * 0.04, 1e-9);
    // Above the gate the same fall is no regression.
    let report = prepared.report(1, &["--threshold", "2.5"]);
    assert_eq!(tier(&report), "CAUTIOUS");
    let doubts = ["report-why-above", "report-doubt-unseen", "report-doubt-layer-fell"];
    assert_eq!(reasons(&report, 0), [&doubts[..], &["report-why-looser-limits"]].concat());
    summary("regress-layer", &prepared, 1);
}

#[test]
fn irrelevant_difference_is_noise() {
    let prepared = paired(66, |i| (ground(i), ground(i) + 1 - u32::try_from(i % 3).unwrap()));
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("NOISE", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-inside"]);
    assert_eq!(tier(&prepared.report(1, &["--min-effect", "0.005"])), "UNDERPOWERED");
    summary("noise", &prepared, 1);
    summary("noise-equal", &paired(66, |i| (ground(i), ground(i))), 1);
}

#[test]
fn too_few_samples_are_underpowered() {
    let prepared = paired(24, |i| if i % 2 == 0 { (ground(i), 20) } else { (20, ground(i)) });
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("UNDERPOWERED", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-wide", "report-why-more"]);
    summary("underpowered", &prepared, 1);
    // Two large gains, with and without spread.
    let two = paired(2, |i| (0, 95 + u32::try_from(i).unwrap()));
    let report = two.report(1, &[]);
    assert_eq!((tier(&report), reasons(&report, 0)), ("UNDERPOWERED", vec!["report-why-few-pairs".to_owned()]));
    summary("underpowered-two", &paired(2, |_| (0, 100)), 1);
}

#[test]
fn single_variant_is_solo() {
    let alone =
        |lower: u32| RecordedProject::new(6, &["v1"], 1, &[Layer::Fact], move |at| fact(ground(at.sample) - lower));
    let report = alone(0).report(0, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("SOLO", &json!(0)));
    assert_eq!(report["comparisons"], json!([]));
    let report = alone(40).report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("SOLO", &json!(1)));
    // The threshold itself is enough: 1 + 0.04·70.
    let exact = RecordedProject::new(3, &["v1"], 1, &[Layer::Fact], |_| fact(70));
    exact.report(0, &["--threshold", "3.8"]);
    exact.report(1, &["--threshold", "3.81"]);
    summary("solo", &alone(0), 0);
    summary("solo-under", &alone(40), 1);
}

#[test]
fn worst_of_several_treatments_decides() {
    let prepared = three(42);
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("REGRESS", &json!(1)));
    let each = report["verdict"]["perTreatment"].as_array().unwrap();
    let each: Vec<_> = each.iter().map(|of| (of["treatment"].clone(), of["tier"].clone())).collect();
    assert_eq!(each, [(json!("v2"), json!("PROGRESS")), (json!("v3"), json!("REGRESS"))]);
    summary("several", &prepared, 1);
}

#[test]
fn several_treatments_use_simultaneous_intervals() {
    let all = three(42).report(1, &[]);
    let alone = better(42).report(0, &[]);
    let (ours, single) = (&all["comparisons"][0]["diff"], &alone["comparisons"][0]["diff"]);
    assert_eq!(ours["mean"], single["mean"]);
    assert_eq!((&ours["ci"]["family"], &single["ci"]["family"]), (&json!(2), &json!(1)));
    let width = |ci: &Value| number(&ci["high"]) - number(&ci["low"]);
    assert!(width(&ours["ci"]) > width(&ours["ciUnadjusted"]) * 1.02, "{ours}");
    near(&ours["ciUnadjusted"]["low"], number(&single["ci"]["low"]), 0.02);
    // Holm: the smaller p-value times two.
    let p = |i: usize, name: &str| number(&all["comparisons"][i]["diff"][name]);
    let smaller = usize::from(p(0, "pValue") > p(1, "pValue"));
    assert!((p(smaller, "pValueAdjusted") - 2.0 * p(smaller, "pValue")).abs() < 1e-12);
    assert!((p(1 - smaller, "pValueAdjusted") >= p(1 - smaller, "pValue")));
    // The verdict uses the wide one.
    assert_eq!(all["verdict"]["inputs"]["treatments"][0]["diff"]["low"], ours["ci"]["low"]);
}
