//! `--repeat`: variance between and within samples.

use eval_spec::Layer;
use serde_json::{Value, json};

use super::{flat, hundredths, mean, shown, underpowered, variance};
use crate::fixtures::recorded::{CellIndex, RecordedProject, fact};
use crate::fixtures::scores::{near, tier};

const RUNS: usize = 4;

fn repeated(variants: &[&str]) -> RecordedProject {
    RecordedProject::new(10, variants, u32::try_from(RUNS).unwrap(), &[Layer::Fact], |at| fact(hundredths(at)))
}

fn points(sample: usize, variant: usize, repeat: usize) -> f64 {
    let repeat = u32::try_from(repeat).unwrap();
    1.0 + 0.04 * f64::from(hundredths(CellIndex { sample, variant, repeat }))
}

#[test]
fn run_variance_and_sample_variance_are_reported_separately() {
    let report = repeated(&["v1", "v2", "v3"]).report(0, &["--report-only", "--threshold", "1"]);
    let block = &report["variance"];
    for name in ["v1", "v2", "v3"] {
        let (by_run, summary) = (&block["perVariant"][name], &report["summary"][name]);
        assert_eq!(by_run["scores"].as_array().unwrap().len(), RUNS);
        assert_eq!(by_run["bySample"]["ci"], summary["ci"]);
        assert_eq!(by_run["bySample"]["mean"], summary["avgCompositeScore"]);
        assert_eq!(by_run["bySample"]["n"], json!(10));
    }
    let pairs = block["comparisons"].as_array().unwrap();
    let names: Vec<_> = pairs.iter().map(|of| (of["a"].as_str().unwrap(), of["b"].as_str().unwrap())).collect();
    assert_eq!(names, [("v1", "v2"), ("v1", "v3"), ("v2", "v3")]);
    for (of, comparison) in pairs.iter().zip(report["comparisons"].as_array().unwrap()) {
        let by_sample = &of["bySample"];
        assert_eq!(by_sample["decides"], json!(true));
        assert_eq!((&by_sample["ci"], &by_sample["mean"]), (&comparison["diff"]["ci"], &comparison["diff"]["mean"]));
        assert_eq!(by_sample["pValue"], comparison["diff"]["pValueAdjusted"]);
    }
    // With two treatments nothing is decided, and the interval is that of the treatment.
    let between = &pairs[2]["bySample"];
    let d: Vec<f64> =
        (0..10).map(|s| (0..RUNS).map(|r| points(s, 2, r) - points(s, 1, r)).sum::<f64>() / RUNS as f64).collect();
    near(&between["mean"], mean(&d), 1e-9);
    assert_eq!((&between["decides"], &between["ci"]["family"]), (&json!(false), &json!(1)));
}

/// One-way analysis of variance of a balanced design, as in a textbook.
fn anova(groups: &[Vec<f64>]) -> (f64, f64) {
    let within = mean(&groups.iter().map(|group| variance(group)).collect::<Vec<_>>());
    let between = RUNS as f64 * variance(&groups.iter().map(|group| mean(group)).collect::<Vec<_>>());
    (((between - within) / RUNS as f64).max(0.0), within)
}

#[test]
fn variance_shares_match_the_analysis_of_variance() {
    let report = repeated(&["v1", "v2"]).report(0, &["--report-only", "--threshold", "1"]);
    let of_variant: Vec<Vec<f64>> = (0..10).map(|s| (0..RUNS).map(|r| points(s, 0, r)).collect()).collect();
    let of_difference: Vec<Vec<f64>> =
        (0..10).map(|s| (0..RUNS).map(|r| points(s, 1, r) - points(s, 0, r)).collect()).collect();
    for (groups, shares) in [
        (of_variant, &report["variance"]["perVariant"]["v1"]["shares"]),
        (of_difference, &report["comparisons"][0]["shares"]),
    ] {
        let (samples, repeats) = anova(&groups);
        near(&shares["samples"]["variance"], samples, 1e-9);
        near(&shares["repeats"]["variance"], repeats, 1e-9);
        near(&shares["samples"]["share"], samples / (samples + repeats), 1e-9);
        assert_eq!((&shares["n"], &shares["runsPerSample"]), (&json!(10), &json!(4.0)));
        assert_eq!(shares["opinions"]["why"]["messageKey"]["id"], "report-shares-unjudged");
        // Var = (σ²_s + σ²_r/r)/n
        let of = |n: f64, r: f64| ((samples + repeats / r) / n).sqrt();
        near(&shares["withTwice"]["samples"], of(20.0, 4.0) / of(10.0, 4.0), 1e-9);
        near(&shares["withTwice"]["repeats"], of(10.0, 8.0) / of(10.0, 4.0), 1e-9);
        assert_eq!(shares["withTwice"]["opinions"], json!(null));
    }
    // One run says nothing about repeats.
    let once = underpowered(8).report(1, &[]);
    let shares = &once["comparisons"][0]["shares"];
    assert_eq!(shares["repeats"]["why"]["messageKey"]["id"], "report-shares-one-run");
    assert_eq!((&shares["samples"]["share"], &once["variance"]), (&json!(1.0), &json!(null)));
}

#[test]
fn summary_says_what_more_repeats_and_samples_would_do() {
    let result_of = |at: CellIndex| {
        let moved = [3, 9, 0, 7, 5][(at.sample + at.variant + at.repeat as usize * 2) % 5];
        fact(60 + moved + u32::try_from(at.variant).unwrap())
    };
    let prepared = RecordedProject::new(8, &["v1", "v2"], 3, &[Layer::Fact], result_of);
    let report = prepared.report(1, &["--min-effect", "0.01"]);
    assert_eq!(tier(&report), "UNDERPOWERED");
    let kinds = |of: &Value| of["type"].as_str().unwrap().to_owned();
    let kinds: Vec<String> = report["analysis"]["suggestions"].as_array().unwrap().iter().map(kinds).collect();
    assert_eq!(kinds, ["add_samples", "narrow_interval"]);
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest"], 1);
    for text in ["3 runs of each sample", "whole runs:", "over samples, which the verdict", "between repeats"] {
        assert!(flat(&english).contains(text), "{text}: {english}");
    }
    assert!(chinese.contains("每个用例运行 3 次") && chinese.contains("重复之间"), "{chinese}");
    let once = underpowered(8).eval(&["--report-only"]).expect(0).stdout;
    assert!(!once.contains("whole runs"), "{once}");
}
