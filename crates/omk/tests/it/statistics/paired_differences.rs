//! Paired differences: their unit, intervals, tests and effect sizes.

use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{RecordedProject, RecordedResult, checked, ended, fact};
use crate::fixtures::scores::{better, gain, ground, near, number, paired, reasons, tier};

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

fn repeated() -> RecordedProject {
    RecordedProject::new(8, &["v1", "v2"], 5, &[Layer::Fact], |at| {
        let scores = if at.variant == 0 { CONTROL } else { TREATMENT };
        fact(scores[at.sample][at.repeat as usize])
    })
}

#[test]
fn repeats_are_averaged_within_a_sample_first() {
    let report = repeated().report(1, &["--ci", "t"]);
    // d = 0.04 * (numpy.mean(TREATMENT, 1) - numpy.mean(CONTROL, 1))
    // d.mean(), d.std(ddof=1), scipy.stats.ttest_1samp(d, 0).confidence_interval(0.95)
    // sum(abs(numpy.dot(s, d)) >= d.sum() for s in itertools.product((1, -1), repeat=8)) / 2**8
    let comparison = &report["comparisons"][0];
    assert_eq!(comparison["n"], json!(8), "samples, not the 40 runs");
    let diff = &comparison["diff"];
    near(&diff["mean"], 0.344, 1e-9);
    near(&diff["sd"], 0.213_637_877_861_447_78, 1e-9);
    // Pooled, the 40 runs would claim 0.269 to 0.419.
    near(&diff["ci"]["low"], 0.165_394_264_455_256_65, 1e-9);
    near(&diff["ci"]["high"], 0.522_605_735_544_743_2, 1e-9);
    near(&diff["pValue"], 0.007_812_5, 1e-9);
    let runs = report["results"][0]["variants"]["v1"]["runs"].as_array().unwrap();
    let scores: Vec<f64> = runs.iter().map(|run| number(&run["compositeScore"])).collect();
    assert_eq!(scores, [2.6, 3.4, 3.0, 3.8, 2.2]);
    assert_eq!(report["results"][0]["variants"]["v1"]["compositeScore"], json!(3.0));
}

#[test]
fn sample_with_fewer_answers_has_the_same_weight() {
    // The first sample is answered three times by v2 (5, 1, 1 points), the others once (5 points).
    let prepared =
        RecordedProject::new(6, &["v1", "v2"], 3, &[Layer::Fact], |at| match (at.variant, at.sample, at.repeat) {
            (0, _, _) => fact(50),
            (_, 0, 0) | (_, 1.., 0) => fact(100),
            (_, 0, _) => fact(0),
            _ => ended(Outcome::Refused),
        });
    let report = prepared.report(1, &[]);
    // (7/3 + 5·5) / 6; the mean over all eight answers would be 4.
    near(&report["summary"]["v2"]["avgCompositeScore"], (7.0 / 3.0 + 25.0) / 6.0, 1e-9);
    near(&report["comparisons"][0]["diff"]["mean"], (7.0 / 3.0 + 25.0) / 6.0 - 3.0, 1e-9);
    assert_eq!(report["summary"]["v2"]["missingScores"], json!(10));
}

#[test]
fn pairing_detects_what_independent_groups_would_not() {
    // i = numpy.arange(24); base = 10 + i * 17 % 70; g = numpy.array([6, 14, 10, 8, 12])[i % 5]
    // scipy.stats.ttest_1samp(.04 * g, 0).confidence_interval(.95)
    // scipy.stats.ttest_ind(1 + .04 * (base + g), 1 + .04 * base, equal_var=False): p = 0.105, -0.09 to 0.88
    let base = |i: usize| 10 + u32::try_from(i * 17 % 70).unwrap();
    let prepared = paired(24, |i| (base(i), base(i) + [6, 14, 10, 8, 12][i % 5]));
    let report = prepared.report(1, &["--ci", "t", "--threshold", "1"]);
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-unseen"]);
    near(&report["comparisons"][0]["diff"]["ci"]["low"], 0.347_380_802_492_801_23, 1e-9);
    near(&report["comparisons"][0]["diff"]["ci"]["high"], 0.445_952_530_840_532_2, 1e-9);
    // The variants' own intervals overlap, and the verdict does not use them.
    let summary = &report["summary"];
    assert!(number(&summary["v1"]["ci"]["high"]) > number(&summary["v2"]["ci"]["low"]));
}

#[test]
fn unpaired_samples_are_listed_with_a_reason() {
    let prepared = RecordedProject::new(30, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (1, 3) => ended(Outcome::Refused),
        (0, 5) => ended(Outcome::Truncated),
        (_, 7) => RecordedResult::Failed(Failure::Crashed),
        _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
    });
    let report = prepared.report(1, &[]);
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
    // v2 refused one, v1 was cut once: scored 1 each, they cancel in the mean, and not in the spread.
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-unseen", "report-doubt-unanswered"]);
    let missing = &comparison["missing"];
    assert_eq!(missing["planned"], json!(30));
    assert_eq!(missing["unanswered"], json!({"samples": 2, "control": 1, "treatment": 1}));
    assert_eq!(missing["lost"], json!({"samples": 1, "control": 1, "treatment": 1}));
}

#[test]
fn often_crashing_treatment_is_never_progress() {
    let crashing = |crashes: usize| {
        RecordedProject::new(40, &["v1", "v2"], 1, &[Layer::Fact], move |at| match (at.variant, at.sample) {
            (1, sample) if sample < crashes => RecordedResult::Failed(Failure::Crashed),
            _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
        })
    };
    // One of forty could take back 0.08 of a gain of at least 0.28; two half of it, and which two crash is chance as well.
    assert_eq!(tier(&crashing(1).report(0, &[])), "PROGRESS");
    let report = crashing(2).report(1, &[]);
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-lost"]);
    let (diff, missing) = (&report["comparisons"][0]["diff"], &report["comparisons"][0]["missing"]);
    let (mean, low) = (number(&diff["mean"]), number(&diff["ci"]["low"]));
    // the treatment's runs at 1, where the control has its score
    let moved = [0, 1].map(|sample| (-0.04 * f64::from(ground(sample)) - mean) / 40.0);
    let squares: f64 = moved.iter().map(|x| x * x).sum();
    let expected = mean + moved[0] + moved[1] - ((mean - low).powi(2) + 1.96_f64.powi(2) * squares).sqrt();
    near(&missing["low"], expected, 1e-9);
    let report = crashing(4).report(1, &[]);
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-lost"]);
    let report = crashing(5).report(1, &[]);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-lost", "report-alarm-missing"]);
    // Nine of eighty executions are more than a tenth: no valid measurement.
    let report = crashing(9).report(3, &[]);
    assert_eq!((&report["verdict"]["valid"], tier(&report)), (&json!(false), "CAUTIOUS"));
    assert_eq!(report["verdict"]["reasons"][0]["messageKey"]["id"], "report-invalid-failures");
    let allowed = crashing(9).report(1, &["--max-failure-rate", "0.2"]);
    assert_eq!(tier(&allowed), "CAUTIOUS");
    // No flag makes it PROGRESS.
    assert_eq!(tier(&crashing(9).report(0, &["--max-failure-rate", "1", "--report-only"])), "CAUTIOUS");
}

/// Equal differences have a point for an interval; lost runs widen it both ways.
#[test]
fn lost_runs_move_both_bounds_outwards_where_differences_are_equal() {
    let prepared = RecordedProject::new(80, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (1, sample) if sample < 7 => RecordedResult::Failed(Failure::Crashed),
        (variant, _) => fact(30 + 10 * u32::try_from(variant).unwrap()),
    });
    let report = prepared.report(1, &[]);
    let missing = &report["comparisons"][0]["missing"];
    // v1 scores 2.2, so a lost run could be 1.2 lower or 2.8 higher; the others are 0.4 higher
    let bound = |of_lost: f64, sign: f64| {
        let by = (of_lost - 0.4) / 80.0;
        0.4 + 7.0 * by + sign * 1.96 * (7.0 * by * by).sqrt()
    };
    near(&missing["low"], bound(-1.2, -1.0), 1e-9);
    near(&missing["high"], bound(2.8, 1.0), 1e-9);
}

#[test]
fn outcomes_of_the_variants_are_counted() {
    // Each variant lacks a tenth of its scores, on the same samples.
    let mixed = |control, treatment| {
        RecordedProject::new(40, &["v1", "v2"], 1, &[Layer::Fact], move |at| {
            let outcome = if at.variant == 0 { control } else { treatment };
            match at.sample % 13 {
                0 => ended(outcome),
                _ => fact(ground(at.sample) + gain(at.sample) * u32::try_from(at.variant).unwrap()),
            }
        })
    };
    assert_eq!(tier(&mixed(Outcome::Refused, Outcome::Refused).report(0, &[])), "PROGRESS");
    // How they ended is no difference: neither has an answer.
    let report = mixed(Outcome::Refused, Outcome::Truncated).report(0, &[]);
    let outcomes = |v: &str| report["summary"][v]["outcomes"].clone();
    assert_eq!((&outcomes("v1")["refused"], &outcomes("v1")["truncated"]), (&json!(4), &json!(0)));
    assert_eq!((&outcomes("v2")["refused"], &outcomes("v2")["truncated"]), (&json!(0), &json!(4)));
}

/// Twelve skewed differences, in hundredths.
const SKEWED: [i32; 12] = [0, 1, -1, 2, 2, 3, 4, 5, 8, 20, 40, 60];

fn skewed() -> RecordedProject {
    paired(12, |i| (30, u32::try_from(30 + SKEWED[i]).unwrap()))
}

#[test]
fn intervals_match_scipy() {
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
        // the lower bound is Student's, the upper one his with the skewness term (m + t s / sqrt(n) + k, k = 0.442783)
        ("expanded", -0.004_398_600_667_031_405, 1.407_181_358_6, (1e-9, 1e-6)),
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
    near(&fewer["comparisons"][0]["diff"]["ci"]["low"], -0.004_398_600_667_031_405, 1e-9);
    prepared.eval(&["--bootstrap-samples", "999"]).expect(2);
}

#[test]
fn equal_differences_are_flagged_and_decided_by_the_p_value() {
    let equal = |n, control: u32, treatment: u32| paired(n, move |_| (control, treatment));
    for (prepared, code, expected, p) in [
        (equal(2, 0, 100), 1, "UNDERPOWERED", 0.5),
        (equal(5, 0, 100), 1, "UNDERPOWERED", 1.0 / 16.0),
        (equal(6, 0, 100), 1, "CAUTIOUS", 1.0 / 32.0),
        (equal(19, 60, 80), 1, "CAUTIOUS", 1.0 / f64::from(1 << 18)),
        (equal(20, 60, 80), 0, "PROGRESS", 1.0 / f64::from(1 << 19)),
        (equal(20, 80, 60), 1, "REGRESS", 1.0 / f64::from(1 << 19)),
        (equal(19, 70, 70), 1, "UNDERPOWERED", 1.0),
        (equal(24, 70, 70), 1, "UNDERPOWERED", 1.0),
        (equal(60, 70, 70), 1, "NOISE", 1.0),
    ] {
        let report = prepared.report(code, &[]);
        assert_eq!(tier(&report), expected);
        let diff = &report["comparisons"][0]["diff"];
        assert_eq!(diff["ci"]["degenerate"], json!(true));
        assert_eq!((&diff["ci"]["low"], &diff["ci"]["high"]), (&diff["mean"], &diff["mean"]), "a point");
        near(&diff["pValue"], p, 1e-9);
    }
}

#[test]
fn sign_flip_test_is_exact_for_few_pairs_and_sampled_for_many() {
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
fn effect_sizes_match_hand_computed_values() {
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
fn repeats_are_compared_by_welch_intervals() {
    // w = scipy.stats.ttest_ind(1 + .04 * numpy.mean(TREATMENT, 0), 1 + .04 * numpy.mean(CONTROL, 0), equal_var=False)
    // m = the same means; scipy.stats.t.interval(.95, 4, m.mean(), scipy.stats.sem(m))
    let report = repeated().report(1, &[]);
    let variance = &report["variance"];
    assert_eq!(variance["runs"], json!(5));
    let test = &variance["comparisons"][0];
    assert_eq!((&test["a"], &test["b"]), (&json!("v1"), &json!("v2")));
    near(&test["tStatistic"], 3.973_229_521_225_020_4, 1e-9);
    let mean = number(&test["bySample"]["mean"]);
    assert!(
        mean > 0.0 && mean == number(&report["comparisons"][0]["diff"]["mean"]),
        "the sign of the difference: {test}"
    );
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

#[test]
fn cached_repeats_are_no_new_observations() {
    let context = TestContext::with_agent();
    // Outside the project, because the agent's directory is part of the cache key.
    let aside = tempfile::tempdir().unwrap();
    let log = aside.path().join("calls");
    context.script("counted", &format!("echo x >> '{}'\nexec ./agent\n", log.display()));
    context.samples(8, &json!([{"type": "contains", "value": "better"}]));
    let run = |repeat: &str| {
        let arguments = ["eval", "--details", "--variants", "v1,v2", "--executor", "./counted", "--repeat", repeat];
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
    // Three repeats of one and the same answer are still eight pairs.
    assert_eq!(first["comparisons"][0]["n"], second["comparisons"][0]["n"]);
    assert_eq!(first["comparisons"][0]["diff"]["pValue"], second["comparisons"][0]["diff"]["pValue"]);
    assert_eq!(tier(&first), tier(&second));
}
