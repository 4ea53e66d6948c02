//! Statistics and decision (T1–T5, T9, T10), as they stand in reports and summaries.
//!
//! Scores are hundredths of the fact layer: `k` is `1 + 0.04·k` points, so a difference of one is 0.04 points.

use eval_report::Tier;
use eval_report::contract::Report;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{At, Came, Prepared, both, checked, ended, fact};

/// The control's hundredths: between 66 and 85.
fn ground(sample: usize) -> u32 {
    66 + u32::try_from(sample * 7 % 20).unwrap()
}

/// A gain of 4 to 12 hundredths, 8 on average.
fn gain(sample: usize) -> u32 {
    [10, 4, 8, 12, 6][sample % 5]
}

/// A gain of 0 to 12 hundredths, in no order.
fn uneven(sample: usize) -> u32 {
    u32::try_from((sample * sample * 5 + sample * 3) % 13).unwrap()
}

fn paired(samples: usize, pair: impl Fn(usize) -> (u32, u32)) -> Prepared {
    Prepared::pairs(&(0..samples).map(pair).collect::<Vec<_>>())
}

fn better(samples: usize) -> Prepared {
    paired(samples, |i| (ground(i), ground(i) + gain(i)))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn near(found: &Value, expected: f64, tolerance: f64) {
    let found = number(found);
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

/// The keys of the reasons for a treatment's tier.
fn reasons(report: &Value, treatment: usize) -> Vec<String> {
    let reasons = report["verdict"]["perTreatment"][treatment]["reasons"].as_array().unwrap();
    reasons.iter().map(|reason| reason["messageKey"]["id"].as_str().unwrap().to_owned()).collect()
}

fn tier(report: &Value) -> &str {
    report["verdict"]["tier"].as_str().unwrap()
}

// ---- T1: the unit is the sample

/// Hundredths of 8 samples in 5 repeats.
const CONTROL: [[u32; 5]; 8] = [
    [40, 60, 50, 70, 30],
    [80, 84, 82, 80, 84],
    [20, 24, 22, 20, 24],
    [60, 10, 90, 50, 40],
    [70, 70, 74, 66, 70],
    [50, 52, 48, 50, 50],
    [90, 94, 92, 90, 94],
    [30, 34, 36, 30, 30],
];
const TREATMENT: [[u32; 5]; 8] = [
    [60, 80, 64, 90, 50],
    [84, 90, 86, 84, 90],
    [30, 28, 34, 26, 30],
    [70, 30, 96, 60, 60],
    [72, 74, 78, 70, 70],
    [60, 58, 54, 62, 60],
    [94, 96, 98, 94, 96],
    [44, 40, 46, 40, 36],
];

fn repeated() -> Prepared {
    Prepared::new(8, &["v1", "v2"], 5, &[Layer::Fact], |at| {
        let scores = if at.variant == 0 { CONTROL } else { TREATMENT };
        fact(scores[at.sample][at.repeat as usize])
    })
}

#[test]
fn t1_repeats_are_averaged_within_a_sample_first() {
    let report = repeated().report(1, &["--ci", "t"]);
    // d = 0.04 * (numpy.mean(TREATMENT, 1) - numpy.mean(CONTROL, 1))
    // d.mean(), d.std(ddof=1), scipy.stats.ttest_1samp(d, 0).confidence_interval(0.95)
    // sum(abs(numpy.dot(s, d)) >= d.sum() for s in itertools.product((1, -1), repeat=8)) / 2**8
    let comparison = &report["comparisons"][0];
    assert_eq!(comparison["n"], json!(8), "samples, not the 40 runs");
    let diff = &comparison["diff"];
    near(&diff["mean"], 0.344, 1e-9);
    near(&diff["sd"], 0.213_637_877_861_447_78, 1e-9);
    // all 40 runs in one pot would claim 0.269 to 0.419
    near(&diff["ci"]["low"], 0.165_394_264_455_256_65, 1e-9);
    near(&diff["ci"]["high"], 0.522_605_735_544_743_2, 1e-9);
    near(&diff["pValue"], 0.007_812_5, 1e-9);
    let runs = report["results"][0]["variants"]["v1"]["runs"].as_array().unwrap();
    let scores: Vec<f64> = runs.iter().map(|run| number(&run["compositeScore"])).collect();
    assert_eq!(scores, [2.6, 3.4, 3.0, 3.8, 2.2]);
    assert_eq!(report["results"][0]["variants"]["v1"]["compositeScore"], json!(3.0));
}

#[test]
fn t1_a_sample_with_fewer_answers_weighs_as_much_as_the_others() {
    // the first sample is answered three times by v2 (5, 1, 1 points), the others once (5 points)
    let prepared = Prepared::new(6, &["v1", "v2"], 3, &[Layer::Fact], |at| match (at.variant, at.sample, at.repeat) {
        (0, _, _) => fact(50),
        (_, 0, 0) | (_, 1.., 0) => fact(100),
        (_, 0, _) => fact(0),
        _ => ended(Outcome::Refused),
    });
    let report = prepared.report(1, &[]);
    // (7/3 + 5·5) / 6, where the mean over all eight answers would be 4
    near(&report["summary"]["v2"]["avgCompositeScore"], (7.0 / 3.0 + 25.0) / 6.0, 1e-9);
    near(&report["comparisons"][0]["diff"]["mean"], (7.0 / 3.0 + 25.0) / 6.0 - 3.0, 1e-9);
    assert_eq!(report["summary"]["v2"]["missingScores"], json!(10));
}

// ---- T2: pairs

#[test]
fn t2_pairing_finds_what_two_separate_groups_would_not() {
    // i = numpy.arange(24); base = 10 + i * 17 % 70; g = numpy.array([6, 14, 10, 8, 12])[i % 5]
    // scipy.stats.ttest_1samp(.04 * g, 0).confidence_interval(.95)
    // scipy.stats.ttest_ind(1 + .04 * (base + g), 1 + .04 * base, equal_var=False): p = 0.105, -0.09 to 0.88
    let base = |i: usize| 10 + u32::try_from(i * 17 % 70).unwrap();
    let prepared = paired(24, |i| (base(i), base(i) + [6, 14, 10, 8, 12][i % 5]));
    let report = prepared.report(0, &["--ci", "t", "--threshold", "1"]);
    assert_eq!(tier(&report), "PROGRESS");
    near(&report["comparisons"][0]["diff"]["ci"]["low"], 0.347_380_802_492_801_23, 1e-9);
    near(&report["comparisons"][0]["diff"]["ci"]["high"], 0.445_952_530_840_532_2, 1e-9);
    // the variants' own intervals overlap, and are not what the verdict reads
    let summary = &report["summary"];
    assert!(number(&summary["v1"]["ci"]["high"]) > number(&summary["v2"]["ci"]["low"]));
}

#[test]
fn t2_samples_without_a_pair_are_named_with_their_reason() {
    let prepared = Prepared::new(30, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (1, 3) => ended(Outcome::Refused),
        (0, 5) => ended(Outcome::Truncated),
        (_, 7) => Came::Failed(Failure::Crashed),
        _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
    });
    let report = prepared.report(0, &[]);
    let comparison = &report["comparisons"][0];
    assert_eq!(comparison["n"], json!(27));
    let excluded = comparison["excluded"].as_array().unwrap();
    let found: Vec<_> = excluded.iter().map(|one| (&one["sample_id"], &one["variants"], &one["why"])).collect();
    assert_eq!(
        found,
        [
            (&json!("s004"), &json!(["v2"]), &json!("the model declined to answer")),
            (&json!("s006"), &json!(["v1"]), &json!("the answer was cut at the output limit")),
            (&json!("s008"), &json!(["v1", "v2"]), &json!("the program ended badly; the program ended badly")),
        ]
    );
    assert_eq!(tier(&report), "PROGRESS", "two of thirty missing in each arm are within the limits");
}

#[test]
fn t2_a_treatment_that_crashes_too_often_is_never_progress() {
    let crashing = |crashes: usize| {
        Prepared::new(40, &["v1", "v2"], 1, &[Layer::Fact], move |at| match (at.variant, at.sample) {
            (1, sample) if sample < crashes => Came::Failed(Failure::Crashed),
            _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
        })
    };
    // one or two of forty are within 5 points
    assert_eq!(tier(&crashing(2).report(0, &[])), "PROGRESS");
    let report = crashing(3).report(1, &[]);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-alarm-missing-differs", "report-alarm-outcomes"]);
    let report = crashing(5).report(1, &[]);
    assert_eq!(tier(&report), "CAUTIOUS");
    let [above, missing, differs, outcomes] = <[String; 4]>::try_from(reasons(&report, 0)).unwrap();
    assert_eq!((above.as_str(), missing.as_str()), ("report-why-above", "report-alarm-missing"));
    assert_eq!((differs.as_str(), outcomes.as_str()), ("report-alarm-missing-differs", "report-alarm-outcomes"));
    // nine of eighty executions are more than a tenth: no measurement at all
    let report = crashing(9).report(3, &[]);
    assert_eq!((&report["verdict"]["valid"], tier(&report)), (&json!(false), "CAUTIOUS"));
    assert_eq!(report["verdict"]["reasons"][0]["messageKey"]["id"], "report-invalid-failures");
    let allowed = crashing(9).report(1, &["--max-failure-rate", "0.2"]);
    assert_eq!(tier(&allowed), "CAUTIOUS");
    // no flag makes it progress
    assert_eq!(tier(&crashing(9).report(0, &["--max-failure-rate", "1", "--report-only"])), "CAUTIOUS");
}

#[test]
fn t2_both_arms_must_end_alike() {
    // each arm lacks 5 % of its scores, but for another reason
    let mixed = |control, treatment| {
        Prepared::new(40, &["v1", "v2"], 1, &[Layer::Fact], move |at| {
            let outcome = if at.variant == 0 { control } else { treatment };
            match at.sample % 13 {
                0 => ended(outcome),
                _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
            }
        })
    };
    assert_eq!(tier(&mixed(Outcome::Refused, Outcome::Refused).report(0, &[])), "PROGRESS");
    let report = mixed(Outcome::Refused, Outcome::Truncated).report(1, &[]);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-alarm-outcomes", "report-alarm-outcomes"]);
    let outcomes = |v: &str| report["summary"][v]["outcomes"].clone();
    assert_eq!((&outcomes("v1")["refused"], &outcomes("v1")["truncated"]), (&json!(4), &json!(0)));
    assert_eq!((&outcomes("v2")["refused"], &outcomes("v2")["truncated"]), (&json!(0), &json!(4)));
}

// ---- T3: one seed

#[test]
fn t3_one_seed_per_report_whatever_the_number_of_threads() {
    let mut prepared = paired(24, |i| (ground(i), ground(i) + uneven(i)));
    let first = prepared.report(0, &[]);
    let bounds = |report: &Value| report["comparisons"][0]["diff"]["ci"].clone();
    prepared.context.env("RAYON_NUM_THREADS", "1");
    let alone = prepared.report(0, &["--concurrency", "16"]);
    assert_eq!(bounds(&alone), bounds(&first));
    let reseeded = prepared.report(0, &["--seed", "7"]);
    assert_eq!(reseeded["meta"]["seed"], json!(7));
    assert_ne!(bounds(&reseeded), bounds(&first), "another seed draws other resamples");
    // the default comes from the test set: other answers to the same samples keep it, another set doesn't
    let same = paired(24, |i| (ground(i), ground(i))).report(1, &[]);
    assert_eq!(same["meta"]["seed"], first["meta"]["seed"]);
    assert_ne!(better(25).report(0, &[])["meta"]["seed"], first["meta"]["seed"]);
}

// ---- T4: intervals

/// Twelve skewed differences, in hundredths.
const SKEWED: [i32; 12] = [0, 1, -1, 2, 2, 3, 4, 5, 8, 20, 40, 60];

fn skewed() -> Prepared {
    paired(12, |i| (30, u32::try_from(30 + SKEWED[i]).unwrap()))
}

#[test]
fn t4_intervals_agree_with_scipy() {
    // d = 0.04 * numpy.array(SKEWED); n = 12
    // t: scipy.stats.ttest_1samp(d, 0).confidence_interval(0.95)
    // b = d[rng.integers(0, n, (2_000_000, n))].mean(1)
    // percentile: numpy.quantile(b, [.025, .975])
    // expanded: numpy.quantile(b, [a, 1 - a]), a = norm.cdf(sqrt(n / (n - 1)) * t.ppf(.025, n - 1)) = 0.0107566
    // bca: scipy.stats.bootstrap((d,), numpy.mean, n_resamples=1_000_000, method='BCa').confidence_interval
    // the tolerance is five Monte-Carlo standard errors of 10,000 resamples
    let prepared = skewed();
    for (method, low, high, (below, above)) in [
        ("t", -0.004_398_600_667_031_405, 0.964_398_600_667_031_3, (1e-9, 1e-9)),
        ("percentile", 0.123_333, 0.936_667, (0.0143, 0.0344)),
        ("expanded", 0.093_333, 1.033_333, (0.0136, 0.0489)),
        ("bca", 0.173_333, 1.096_667, (0.0153, 0.0622)),
    ] {
        let report = prepared.report(1, &["--ci", method]);
        let ci = &report["comparisons"][0]["diff"]["ci"];
        assert_eq!((&ci["method"], &ci["level"], &ci["family"]), (&json!(method), &json!(0.95), &json!(1)));
        near(&ci["low"], low, below);
        near(&ci["high"], high, above);
    }
    let default = prepared.report(1, &[]);
    assert_eq!(default["comparisons"][0]["diff"]["ci"]["method"], "expanded");
    assert_eq!(default["meta"]["settings"]["bootstrapSamples"], json!(10_000));
    let fewer = prepared.report(1, &["--bootstrap-samples", "1000"]);
    near(&fewer["comparisons"][0]["diff"]["ci"]["low"], 0.093_333, 0.043);
    prepared.eval(&["--bootstrap-samples", "999"]).expect(2);
}

#[test]
fn t4_equal_differences_are_flagged_and_decided_by_the_p_value() {
    let equal = |n, control: u32, treatment: u32| paired(n, move |_| (control, treatment));
    for (prepared, code, expected, p) in [
        (equal(2, 0, 100), 1, "UNDERPOWERED", 0.5),
        (equal(5, 0, 100), 1, "UNDERPOWERED", 1.0 / 16.0),
        (equal(6, 0, 100), 1, "CAUTIOUS", 1.0 / 32.0),
        (equal(19, 60, 80), 1, "CAUTIOUS", 1.0 / f64::from(1 << 18)),
        (equal(20, 60, 80), 0, "PROGRESS", 1.0 / f64::from(1 << 19)),
        (equal(20, 80, 60), 1, "REGRESS", 1.0 / f64::from(1 << 19)),
        (equal(19, 70, 70), 1, "UNDERPOWERED", 1.0),
        (equal(24, 70, 70), 1, "NOISE", 1.0),
    ] {
        let report = prepared.report(code, &[]);
        assert_eq!(tier(&report), expected);
        let diff = &report["comparisons"][0]["diff"];
        assert_eq!(diff["ci"]["degenerate"], json!(true));
        assert_eq!((&diff["ci"]["low"], &diff["ci"]["high"]), (&diff["mean"], &diff["mean"]), "a point");
        near(&diff["pValue"], p, 1e-9);
    }
}

// ---- T5: beside the interval

#[test]
fn t5_exact_and_sampled_sign_flips() {
    // sum(abs(numpy.dot(s, d)) >= d.sum() for s in itertools.product((1, -1), repeat=12)) / 2**12
    // = scipy.stats.permutation_test((d, 0 * d), lambda x, y, axis: (x - y).mean(axis), permutation_type='samples',
    //   n_resamples=numpy.inf).pvalue
    let report = skewed().report(1, &[]);
    let diff = &report["comparisons"][0]["diff"];
    near(&diff["pValue"], 0.002_929_687_5, 1e-9);
    assert_eq!(diff["exact"], json!(true));
    // 30 pairs: all 2**30 patterns, counted by convolution on the lattice of k, give 0.024163;
    // five standard errors of 100,000 sampled patterns are 0.0024
    let k = |i: usize| i32::try_from(i * 7 % 23).unwrap() - 8;
    let report = paired(30, |i| (50, u32::try_from(50 + k(i)).unwrap())).report(1, &[]);
    let diff = &report["comparisons"][0]["diff"];
    near(&diff["pValue"], 0.024_163_186_550_140_38, 0.0024);
    assert_eq!(diff["exact"], json!(false));
}

#[test]
fn t5_effect_sizes() {
    let report = skewed().report(1, &[]);
    let comparison = &report["comparisons"][0];
    // d.mean() / d.std(ddof=1); (sum(d > 0) + sum(d == 0) / 2) / n
    near(&comparison["diff"]["mean"], 0.48, 1e-9);
    near(&comparison["diff"]["sd"], 0.762_388_590_966_813_8, 1e-9);
    near(&comparison["diff"]["effect"]["cohenDz"]["estimate"], 0.629_600_187_735_356_6, 1e-9);
    near(&comparison["diff"]["effect"]["superiority"]["estimate"], 0.875, 1e-9);
    for effect in ["cohenDz", "superiority"] {
        let ci = &comparison["diff"]["effect"][effect]["ci"];
        let estimate = number(&comparison["diff"]["effect"][effect]["estimate"]);
        assert!(number(&ci["low"]) < estimate && estimate < number(&ci["high"]), "{effect}: {ci}");
    }
    let counts = ["wins", "losses", "ties"].map(|name| comparison[name].clone());
    assert_eq!(counts, [json!(10), json!(1), json!(1)]);
}

#[test]
fn t5_welch_between_repeats() {
    // w = scipy.stats.ttest_ind(1 + .04 * numpy.mean(CONTROL, 0), 1 + .04 * numpy.mean(TREATMENT, 0), equal_var=False)
    // m = the same means; scipy.stats.t.interval(.95, 4, m.mean(), scipy.stats.sem(m))
    let report = repeated().report(1, &[]);
    let variance = &report["variance"];
    assert_eq!(variance["runs"], json!(5));
    let test = &variance["comparisons"][0];
    assert_eq!((&test["a"], &test["b"]), (&json!("v1"), &json!("v2")));
    near(&test["tStatistic"], -3.973_229_521_225_020_4, 1e-9);
    near(&test["df"], 7.909_013_852_241_816_5, 1e-9);
    near(&test["pValue"], 0.004_195_888_390_380_783, 1e-9);
    assert_eq!(test["significant"], json!(true));
    let runs: Vec<f64> = variance["perVariant"]["v1"]["scores"].as_array().unwrap().iter().map(number).collect();
    let hundredths: Vec<f64> = runs.iter().map(|mean| (mean * 100.0).round()).collect();
    assert_eq!(hundredths, [320.0, 314.0, 347.0, 328.0, 311.0]);
    near(&variance["perVariant"]["v1"]["stddev"], 0.144_048_602_908_879_41, 1e-9);
    near(&variance["perVariant"]["v1"]["ci"]["low"], 3.061_140_035_776_494, 1e-9);
    near(&variance["perVariant"]["v2"]["ci"]["high"], 3.744_602_410_550_414, 1e-9);
    assert_eq!(better(6).report(1, &[])["variance"], Value::Null, "without repeats there is none");
}

// ---- T9: six tiers

/// The summary in both languages, compared with what was read and found good.
#[track_caller]
fn summary(name: &str, prepared: &Prepared, code: i32) {
    for lang in ["en", "zh"] {
        let _ = std::fs::remove_dir_all(prepared.context.path("out"));
        let done = prepared.eval(&["--lang", lang, "--output-dir", "out"]).expect(code);
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
fn t9_progress() {
    let prepared = better(24);
    let report = prepared.report(0, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("PROGRESS", &json!(0)));
    assert_eq!(reasons(&report, 0), ["report-why-above"]);
    summary("progress", &prepared, 0);
}

#[test]
fn t9_progress_needs_every_condition() {
    let doubts = |prepared: &Prepared, flags: &[&str]| {
        let report = prepared.report(1, flags);
        assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("CAUTIOUS", &json!(1)));
        let reasons = reasons(&report, 0);
        assert_eq!(reasons[0], "report-why-above");
        reasons[1..].join(" ")
    };
    assert_eq!(doubts(&better(19), &[]), "report-doubt-pairs");
    assert_eq!(doubts(&better(24), &["--trivial-diff", "0.5"]), "report-doubt-trivial");
    assert_eq!(doubts(&better(24), &["--threshold", "4.5"]), "report-doubt-layer");
    let low = paired(12, |i| (ground(i) - 30, ground(i) - 30 + gain(i)));
    assert_eq!(doubts(&low, &[]), "report-doubt-pairs report-doubt-layer");
    // --report-only opens the gate, and changes nothing else
    let report = low.report(0, &["--report-only"]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("CAUTIOUS", &json!(0)));
    summary("cautious", &low, 1);
}

#[test]
fn t9_alarms_are_told() {
    let prepared = Prepared::new(40, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (1, 0..3) => Came::Failed(Failure::Crashed),
        (1, 3..5) => ended(Outcome::Refused),
        _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
    });
    summary("alarms", &prepared, 1);
}

#[test]
fn t9_regress() {
    let prepared = paired(24, |i| (ground(i) + gain(i), ground(i)));
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("REGRESS", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-below"]);
    summary("regress", &prepared, 1);
}

/// Facts gain 40 hundredths, behaviour loses about 29 and ends under the gate.
fn one_layer_falls(at: At) -> Came {
    match at.variant {
        0 => both(60, 70),
        _ => both(100, 40 + u32::try_from(at.sample % 3).unwrap()),
    }
}

#[test]
fn t9_a_layer_that_regresses_is_a_regression_though_the_composite_gains() {
    let prepared = Prepared::new(24, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], one_layer_falls);
    let report = prepared.report(1, &[]);
    assert_eq!(tier(&report), "REGRESS");
    assert_eq!(reasons(&report, 0), ["report-why-layer-below"]);
    let comparison = &report["comparisons"][0];
    assert!(number(&comparison["diff"]["ci"]["low"]) > 0.0, "the composite gains");
    near(&comparison["layers"]["behavior"]["mean"], -29.0 * 0.04, 1e-9);
    near(&comparison["layers"]["fact"]["mean"], 40.0 * 0.04, 1e-9);
    // above the gate the same fall is none
    assert_eq!(tier(&prepared.report(0, &["--threshold", "2.5"])), "PROGRESS");
    summary("regress-layer", &prepared, 1);
}

#[test]
fn t9_noise() {
    let prepared = paired(24, |i| (ground(i), ground(i) + 1 - u32::try_from(i % 3).unwrap()));
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("NOISE", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-inside"]);
    assert_eq!(tier(&prepared.report(1, &["--min-effect", "0.005"])), "UNDERPOWERED");
    summary("noise", &prepared, 1);
    summary("noise-equal", &paired(24, |i| (ground(i), ground(i))), 1);
}

#[test]
fn t9_underpowered() {
    let prepared = paired(24, |i| if i % 2 == 0 { (ground(i), 20) } else { (20, ground(i)) });
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("UNDERPOWERED", &json!(1)));
    assert_eq!(reasons(&report, 0), ["report-why-wide", "report-why-more"]);
    summary("underpowered", &prepared, 1);
    // two huge wins, with spread or without
    let two = paired(2, |i| (0, 95 + u32::try_from(i).unwrap()));
    let report = two.report(1, &[]);
    assert_eq!((tier(&report), reasons(&report, 0)), ("UNDERPOWERED", vec!["report-why-few-pairs".to_owned()]));
    summary("underpowered-two", &paired(2, |_| (0, 100)), 1);
}

#[test]
fn t9_solo() {
    let alone = |lower: u32| Prepared::new(6, &["v1"], 1, &[Layer::Fact], move |at| fact(ground(at.sample) - lower));
    let report = alone(0).report(0, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("SOLO", &json!(0)));
    assert_eq!(report["comparisons"], json!([]));
    let report = alone(40).report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("SOLO", &json!(1)));
    // the threshold itself is enough: 1 + 0.04·70
    let exact = Prepared::new(3, &["v1"], 1, &[Layer::Fact], |_| fact(70));
    exact.report(0, &["--threshold", "3.8"]);
    exact.report(1, &["--threshold", "3.81"]);
    summary("solo", &alone(0), 0);
    summary("solo-under", &alone(40), 1);
}

/// `v2` gains, `v3` loses.
fn three(samples: usize) -> Prepared {
    Prepared::new(samples, &["v1", "v2", "v3"], 1, &[Layer::Fact], |at| {
        let (ground, gain) = (ground(at.sample), gain(at.sample));
        fact([ground, ground + gain, ground - 1 - uneven(at.sample)][at.variant])
    })
}

#[test]
fn t9_the_worst_of_several_treatments_decides() {
    let prepared = three(24);
    let report = prepared.report(1, &[]);
    assert_eq!((tier(&report), &report["verdict"]["exitCode"]), ("REGRESS", &json!(1)));
    let each = report["verdict"]["perTreatment"].as_array().unwrap();
    let each: Vec<_> = each.iter().map(|of| (of["treatment"].clone(), of["tier"].clone())).collect();
    assert_eq!(each, [(json!("v2"), json!("PROGRESS")), (json!("v3"), json!("REGRESS"))]);
    summary("several", &prepared, 1);
}

#[test]
fn t9_several_treatments_are_read_by_simultaneous_intervals() {
    let all = three(24).report(1, &[]);
    let alone = better(24).report(0, &[]);
    let (ours, single) = (&all["comparisons"][0]["diff"], &alone["comparisons"][0]["diff"]);
    assert_eq!(ours["mean"], single["mean"]);
    assert_eq!((&ours["ci"]["family"], &single["ci"]["family"]), (&json!(2), &json!(1)));
    let width = |ci: &Value| number(&ci["high"]) - number(&ci["low"]);
    assert!(width(&ours["ci"]) > width(&ours["ciUnadjusted"]) * 1.02, "{ours}");
    near(&ours["ciUnadjusted"]["low"], number(&single["ci"]["low"]), 0.02);
    // Holm: the smaller p twice
    let p = |i: usize, name: &str| number(&all["comparisons"][i]["diff"][name]);
    let smaller = usize::from(p(0, "pValue") > p(1, "pValue"));
    assert!((p(smaller, "pValueAdjusted") - 2.0 * p(smaller, "pValue")).abs() < 1e-12);
    assert!((p(1 - smaller, "pValueAdjusted") >= p(1 - smaller, "pValue")));
    // the verdict reads the wide one
    assert_eq!(all["verdict"]["inputs"]["treatments"][0]["diff"]["low"], ours["ci"]["low"]);
}

#[test]
fn t9_repeats_from_the_cache_are_no_new_observations() {
    let context = TestContext::with_agent();
    // beside the project: what stands in the agent's directory is part of the cache's key
    let aside = tempfile::tempdir().unwrap();
    let log = aside.path().join("calls");
    context.script("counted", &format!("echo x >> '{}'\nexec ./agent\n", log.display()));
    context.samples(8, &json!([{"type": "contains", "value": "better"}]));
    let run = |repeat: &str| {
        let arguments = ["eval", "--variants", "v1,v2", "--executor", "./counted", "--repeat", repeat];
        let done = context.run(&arguments).expect(1);
        let calls = std::fs::read_to_string(&log).unwrap().lines().count();
        (done, checked(&context.report_path()), calls)
    };
    let (_, first, calls) = run("1");
    assert_eq!((calls, &first["summary"]["v1"]["cached"]), (16, &json!(0)));
    let (done, second, calls) = run("3");
    assert_eq!(calls, 48, "only the two new repeats were asked for");
    assert_eq!(second["summary"]["v1"]["cached"], json!(8));
    let runs = second["results"][0]["variants"]["v1"]["runs"].as_array().unwrap();
    let cached: Vec<&Value> = runs.iter().map(|run| &run["cached"]).collect();
    assert_eq!(cached, [&json!(true), &json!(false), &json!(false)]);
    assert!(done.stdout.contains("16 answers from the cache"), "{}", done.stdout);
    // three repeats of one and the same answer are still eight pairs
    assert_eq!(first["comparisons"][0]["n"], second["comparisons"][0]["n"]);
    assert_eq!(first["comparisons"][0]["diff"]["pValue"], second["comparisons"][0]["diff"]["pValue"]);
    assert_eq!(tier(&first), tier(&second));
}

// ---- T10: a pure function of what stands in the report

#[test]
fn t10_the_verdict_follows_from_its_inputs_and_from_nothing_else() {
    let prepared = three(24);
    let value = prepared.report(1, &[]);
    let report: Report = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(eval_report::verdict(&report.verdict.inputs), report.verdict);
    // what the inputs say is what the report says
    for (i, treatment) in report.verdict.inputs.treatments.iter().enumerate() {
        let diff = &report.comparisons[i].diff;
        let ci = diff.ci.unwrap();
        assert_eq!((treatment.diff.low, treatment.diff.high), (Some(ci.low), Some(ci.high)));
        assert_eq!((treatment.diff.n, treatment.diff.p), (report.comparisons[i].n, diff.p_value_adjusted));
        let summary = &report.summary[&treatment.arm.name];
        assert_eq!(treatment.layers.fact.unwrap().mean, summary.layers.fact.as_ref().unwrap().mean);
        assert_eq!(treatment.arm.outcomes, summary.outcomes);
    }
    // and each of them matters
    let changed = |change: &dyn Fn(&mut eval_report::VerdictInputs)| {
        let mut inputs = report.verdict.inputs.clone();
        inputs.treatments.truncate(1);
        change(&mut inputs);
        let verdict = eval_report::verdict(&inputs);
        (verdict.tier, verdict.exit_code)
    };
    assert_eq!(changed(&|_| ()), (Tier::Progress, 0));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.n = 5), (Tier::Underpowered, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.n = 19), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.low = Some(-0.3)), (Tier::Underpowered, 1));
    assert_eq!(changed(&|inputs| inputs.limits.threshold = 4.9), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].arm.outcomes.failed = 4), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments.clear()), (Tier::Solo, 0));
}

#[test]
fn t10_a_stored_verdict_is_recomputed_and_an_edited_one_is_told_apart() {
    let context = TestContext::with_agent();
    context.samples(24, &json!([{"type": "contains", "value": "better"}]));
    context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent"]).expect(0);
    let path = context.reports().pop().unwrap();
    let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let agrees = context.run(&["report", "verdict", &id]).expect(0);
    assert!(agrees.stdout.contains("PROGRESS"), "{agrees:#?}");
    let edited = std::fs::read_to_string(&path).unwrap().replace(r#""tier": "PROGRESS""#, r#""tier": "REGRESS""#);
    let copy = context.write("edited.json", &edited);
    let told = context.run(&["report", "verdict", copy.to_str().unwrap()]).expect(3);
    assert!(told.stderr.contains("REGRESS") && told.stderr.contains("PROGRESS"), "{told:#?}");
    context.run(&["report", "verdict", "nothing"]).expect(2);
}
