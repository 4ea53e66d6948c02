//! What each variant comes to: numbers worked out by hand.

use eval_message::msg;
use eval_spec::call::Usage;
use eval_spec::{ExecError, Failure, Layer, Outcome};

use crate::world::{At, Came, World, fact, facts};

/// The example of the first report format: three samples, two variants.
fn example() -> World {
    // passed of two fact checks, and a judge who says 4 of 4, 3 of 4, …
    let fact_passed = [[1, 2], [1, 2], [2, 2]];
    let judged = [[3, 3], [4, 2], [3, 4]];
    World::new(3, &["v1", "v2"], 1, |at| {
        let mut checks: Vec<_> =
            (0..2).map(|i| (Layer::Fact, 1.0, Some(i < fact_passed[at.sample][at.variant]))).collect();
        checks.extend((0..4).map(|i| (Layer::Judge, 1.0, Some(i < judged[at.sample][at.variant]))));
        Came::To(checks)
    })
}

#[test]
fn the_means_of_the_example() {
    let report = example().report();
    let (v1, v2) = (&report.summary["v1"], &report.summary["v2"]);
    // v1: fact 3, 3, 5; judge 4, 5, 4; composite 3.5, 4, 4.5
    assert_eq!(v1.avg_composite_score, Some(4.0));
    assert_eq!(v1.avg_assertion_score, Some(3.666_666_666_667));
    assert_eq!(v1.avg_llm_score, Some(4.333_333_333_333));
    assert_eq!(v1.layers.fact.as_ref().unwrap().mean, Some(3.666_666_666_667));
    assert_eq!(v1.layers.behavior, None);
    // v2: fact 5, 5, 5; judge 4, 3, 5; composite 4.5, 4, 5
    assert_eq!(v2.avg_composite_score, Some(4.5));
    assert_eq!((v1.total_samples, v1.success_count, v1.error_count), (3, 3, 0));
    assert_eq!(v1.avg_duration_ms, Some(2300));
    assert_eq!(v1.avg_total_tokens, Some(2050));
    assert_eq!(v1.total_cost_usd, Some(0.012));
    assert_eq!(report.meta.total_cost_usd, Some(0.024));
    // each composite's difference: +1, 0, +0.5
    let comparison = &report.comparisons[0];
    assert_eq!(comparison.diff.mean, Some(0.5));
    assert_eq!(comparison.diff.sd, Some(0.5));
    assert_eq!((comparison.wins, comparison.losses, comparison.ties), (2, 0, 1));
    // 2² sign patterns of two nonzero differences, two of which reach |sum| = 1.5
    assert_eq!(comparison.diff.p_value, Some(0.5));
    assert_eq!(comparison.diff.effect.unwrap().cohen_dz.unwrap().estimate, 1.0);
    assert_eq!(comparison.diff.effect.unwrap().superiority.unwrap().estimate, 5.0 / 6.0);
}

#[test]
fn every_field_of_the_first_format_is_there() {
    let report = example().value();
    for path in [
        "/id",
        "/meta/variants",
        "/meta/model",
        "/meta/judgeModel",
        "/meta/executor",
        "/meta/sampleCount",
        "/meta/taskCount",
        "/meta/totalCostUSD",
        "/meta/timestamp",
        "/meta/cliVersion",
        "/meta/nodeVersion",
        "/meta/skillHashes/v1",
        "/summary/v1/totalSamples",
        "/summary/v1/successCount",
        "/summary/v1/errorCount",
        "/summary/v1/avgCompositeScore",
        "/summary/v1/avgAssertionScore",
        "/summary/v1/avgLlmScore",
        "/summary/v1/avgDurationMs",
        "/summary/v1/avgTotalTokens",
        "/summary/v1/totalCostUSD",
        "/results/0/sample_id",
        "/results/0/variants/v1/ok",
        "/results/0/variants/v1/compositeScore",
        "/results/0/variants/v1/assertions/passed",
        "/results/0/variants/v1/assertions/total",
        "/results/0/variants/v1/assertions/score",
        "/results/0/variants/v1/assertions/details/0/type",
        "/results/0/variants/v1/assertions/details/0/value",
        "/results/0/variants/v1/assertions/details/0/weight",
        "/results/0/variants/v1/assertions/details/0/passed",
        "/results/0/variants/v1/llmScore",
        "/results/0/variants/v1/llmReason",
        "/results/0/variants/v1/durationMs",
        "/results/0/variants/v1/inputTokens",
        "/results/0/variants/v1/outputTokens",
        "/results/0/variants/v1/totalTokens",
        "/results/0/variants/v1/costUSD",
        "/results/0/variants/v1/outputPreview",
        "/analysis/insights/0/type",
        "/analysis/insights/0/severity",
        "/analysis/insights/0/message",
        "/analysis/suggestions",
        // the additions
        "/schemaVersion",
        "/status",
        "/incompleteReason",
        "/meta/sampleHashes/s001",
        "/meta/testSet/sampleCount",
        "/meta/judgeModels",
        "/meta/judgePromptHash",
        "/meta/executorRuntime",
        "/meta/judgeRuntime",
        "/meta/skillIsolation",
        "/meta/seed",
        "/meta/gitInfo",
        "/results/0/variants/v1/layeredScores/factScore",
        "/results/0/variants/v1/layeredScores/behaviorScore",
        "/results/0/variants/v1/layeredScores/judgeScore",
        "/results/0/variants/v1/fullOutput",
        "/results/0/variants/v1/turns",
        "/results/0/variants/v1/toolCalls",
        "/results/0/variants/v1/missing",
        "/results/0/variants/v1/assertions/details/0/layer",
        "/results/0/variants/v1/assertions/details/0/actual",
        "/results/0/variants/v1/assertions/details/0/message",
        "/results/0/variants/v1/assertions/details/0/not",
        "/comparisons/0/control",
        "/comparisons/0/treatment",
        "/comparisons/0/n",
        "/comparisons/0/excluded",
        "/comparisons/0/diff/mean",
        "/comparisons/0/diff/ci/low",
        "/comparisons/0/diff/ci/high",
        "/comparisons/0/diff/ci/level",
        "/comparisons/0/diff/ci/method",
        "/comparisons/0/diff/pValue",
        "/comparisons/0/diff/effect",
        "/comparisons/0/layers/fact",
        "/comparisons/0/layers/behavior",
        "/comparisons/0/layers/judge",
        "/verdict/tier",
        "/verdict/perTreatment/0/treatment",
        "/verdict/perTreatment/0/tier",
        "/verdict/perTreatment/0/reasons",
        "/verdict/exitCode",
        "/verdict/inputs",
        "/summary/v1/bootstrapCI/0",
    ] {
        assert!(report.pointer(path).is_some(), "{path} is missing");
    }
    let insight = &report["analysis"]["insights"][0];
    assert_eq!(insight["type"], "uniform_scores");
    assert_eq!(insight["message"], "1/3 samples show score difference < 0.5 between variants");
}

#[test]
fn a_missing_score_is_null_and_nothing_planned_is_the_old_zero() {
    let nothing = World::new(2, &["v1"], 1, |_| Came::To(Vec::new())).report();
    assert_eq!(nothing.summary["v1"].avg_composite_score, Some(0.0));
    assert_eq!(nothing.results[0].variants["v1"].composite_score, Some(0.0));
    assert_eq!(nothing.summary["v1"].ci, None);
    assert_eq!(nothing.summary["v1"].missing_scores, 0);

    let missing = World::new(2, &["v1"], 1, |_| Came::To(vec![(Layer::Fact, 1.0, None)])).report();
    assert_eq!(missing.summary["v1"].avg_composite_score, None);
    assert_eq!(missing.results[0].variants["v1"].composite_score, None);
    assert_eq!(missing.summary["v1"].missing_scores, 2);
    let parts: Vec<_> = missing.results[0].variants["v1"].missing.iter().map(|m| format!("{:?}", m.what)).collect();
    assert_eq!(parts, ["Composite", "Fact", "Assertion"]);
    let detail = &missing.results[0].variants["v1"].assertions.details[0];
    assert_eq!((detail.passed, detail.message.as_deref()), (None, Some("the call timed out")));
}

#[test]
fn a_planned_layer_without_score_makes_the_composite_missing() {
    let world =
        World::new(1, &["v1"], 1, |_| Came::To(vec![(Layer::Fact, 1.0, Some(true)), (Layer::Judge, 1.0, None)]));
    let result = &world.report().results[0].variants["v1"];
    assert_eq!(result.composite_score, None);
    assert_eq!(result.layered_scores.fact_score, Some(5.0));
    assert_eq!(result.layered_scores.judge_score, None);
}

#[test]
fn an_unevaluated_check_leaves_the_denominator() {
    let world = World::new(1, &["v1"], 1, |_| {
        Came::To(vec![(Layer::Fact, 1.0, Some(true)), (Layer::Fact, 0.5, Some(false)), (Layer::Fact, 7.0, None)])
    });
    let result = &world.report().results[0].variants["v1"];
    // 1 / 1.5 of the evaluated weight
    assert_eq!(result.assertions.score, Some(3.666_666_666_667));
    assert_eq!((result.assertions.passed, result.assertions.total), (1, 3));
}

#[test]
fn repeats_are_averaged_by_sample_first() {
    // s001: 5, 1, 1 → 7/3; s002: one run, 5, the others fail → 5
    let world = World::new(2, &["v1", "v2"], 3, |at| match (at.sample, at.repeat) {
        (0, repeat) => fact(repeat == 0),
        (_, 0) => fact(true),
        _ => Came::Failed(Failure::Timeout),
    });
    let report = world.report();
    let v1 = &report.summary["v1"];
    assert_eq!(v1.avg_composite_score, Some(3.666_666_666_667), "(7/3 + 5) / 2");
    assert_eq!((v1.total_samples, v1.success_count, v1.error_count), (2, 4, 2));
    assert_eq!((v1.planned_scores, v1.missing_scores), (6, 2));
    let result = &report.results[0].variants["v1"];
    assert_eq!(result.composite_score, Some(2.333_333_333_333));
    let detail = &result.assertions.details[0];
    assert_eq!((detail.passed, detail.passed_runs, detail.evaluated_runs), (Some(false), Some(1), Some(3)));
    assert_eq!(result.runs.as_ref().unwrap().len(), 3);
    let mixed = &report.results[1].variants["v1"];
    assert!(!mixed.ok);
    assert_eq!(serde_json::to_value(mixed.outcome).unwrap(), "mixed");
    assert_eq!(mixed.full_output.as_deref(), Some("The answer of s002/v1/0"));
}

#[test]
fn variance_is_over_runs() {
    // two samples; run means of v1: 5, 3, 3; of v2: 1, 1, 3
    let v1 = [[true, true], [true, false], [false, true]];
    let v2 = [[false, false], [false, false], [true, false]];
    let world = World::new(2, &["v1", "v2"], 3, |at| fact([v1, v2][at.variant][at.repeat][at.sample]));
    let variance = world.report().variance.unwrap();
    assert_eq!(variance.runs, 3);
    assert_eq!(variance.per_variant["v1"].scores, [Some(5.0), Some(3.0), Some(3.0)]);
    assert_eq!(variance.per_variant["v1"].mean, Some(3.666_666_666_667));
    let sd = variance.per_variant["v1"].stddev.unwrap();
    assert!((sd - (4.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    // both have variance 4/3 over 3 runs: t = 2 / sqrt(8/9), df = 4; p from Student's t with 4 degrees of freedom:
    // P(|T| > t) = 1 − (x/2)(3 − x²), x = t / sqrt(t² + 4)
    let test = &variance.comparisons[0];
    let t = 2.0 / (8.0_f64 / 9.0).sqrt();
    assert!((test.t_statistic.unwrap() + t).abs() < 1e-9, "v2 is worse");
    assert!(test.by_sample.mean.unwrap() < 0.0);
    assert!((test.df.unwrap() - 4.0).abs() < 1e-9);
    let x = t / (t * t + 4.0).sqrt();
    assert!((test.p_value.unwrap() - (1.0 - x / 2.0 * (3.0 - x * x))).abs() < 1e-9);
    assert_eq!(test.significant, Some(false));
    assert!(World::new(2, &["v1", "v2"], 1, |_| fact(true)).report().variance.is_none());
}

#[test]
fn cost_is_over_everything_that_ran() {
    let at = |sample, variant| At { sample, variant, repeat: 0 };
    let mut world = World::new(2, &["v1", "v2"], 1, |_| fact(true));
    // an attempt that was refused costs nothing
    world.record(at(0, 0)).execution.failed_attempts =
        vec![ExecError::new(Failure::RateLimited, msg!("report-missing-rate-limited"))];
    // an answer from the cache was paid for earlier
    world.record(at(1, 0)).execution.cached = true;
    let report = world.report();
    let v1 = &report.summary["v1"];
    assert_eq!(v1.total_cost_usd, Some(0.004));
    assert_eq!(v1.avg_cost_usd, Some(0.004));
    assert_eq!((v1.cached, v1.retried), (1, 1));
    assert!(report.results[1].variants["v1"].cached);
    assert_eq!(report.results[0].variants["v1"].attempts, 2);
    assert_eq!(report.meta.total_cost_usd, Some(0.012));

    // nobody knows what an attempt cost that timed out
    world.record(at(0, 1)).execution.failed_attempts =
        vec![ExecError::new(Failure::Timeout, msg!("report-missing-timeout"))];
    let report = world.report();
    assert_eq!(report.meta.total_cost_usd, None);
    assert_eq!(report.meta.known_cost_usd, 0.012);
    assert_eq!(report.summary["v1"].total_cost_usd, Some(0.004));
    assert_eq!(report.summary["v2"].total_cost_usd, None);
}

#[test]
fn prompt_cache_tokens_count_as_input() {
    let at = At { sample: 0, variant: 0, repeat: 0 };
    let mut world = World::new(1, &["v1"], 1, |_| fact(true));
    world.output(at).usage =
        Some(Usage { input_tokens: 10, output_tokens: 5, cache_read_tokens: 100, cache_write_tokens: 20 });
    let report = world.report();
    let result = &report.results[0].variants["v1"];
    assert_eq!((result.input_tokens, result.output_tokens, result.total_tokens), (Some(130), Some(5), Some(135)));
}

#[test]
fn what_was_not_answered_is_counted_and_never_scored() {
    let endings = [
        Came::Ended(Outcome::Refused),
        Came::Ended(Outcome::Truncated),
        Came::Ended(Outcome::LimitHit),
        Came::Ended(Outcome::Empty),
        Came::Failed(Failure::Server),
        Came::Failed(Failure::Budget),
        Came::Failed(Failure::Interrupted),
        Came::NotRun,
        facts(1, 2),
    ];
    let report = World::new(9, &["v1"], 1, |at| endings[at.sample].clone()).report();
    let v1 = &report.summary["v1"];
    let counts: Vec<u64> = v1.outcomes.classes().iter().map(|(_, count)| *count).collect();
    assert_eq!(counts, [1, 1, 1, 1, 1, 1, 1, 2]);
    assert_eq!(v1.avg_composite_score, Some(3.0));
    assert_eq!((v1.scored_samples, v1.success_count, v1.error_count), (1, 1, 8));
    for result in &report.results[..8] {
        let result = &result.variants["v1"];
        assert_eq!((result.ok, result.composite_score), (false, None));
        assert_eq!(result.assertions.score, None);
        assert!(!result.missing.is_empty() || result.assertions.total == 0, "{result:?}");
    }
}

#[test]
fn blind_reports_hide_the_names() {
    let mut world = World::new(2, &["secret-old", "secret-new"], 1, |at| fact(at.variant == 1));
    world.suite.settings.blind = true;
    let report = world.report();
    assert!(report.meta.skill_hashes.is_empty(), "who has the artifacts would know them by their hashes");
    let drawn = [&report.comparisons[0].control, &report.comparisons[0].treatment];
    assert_eq!(drawn, ["Variant B", "Variant A"]);
    assert_eq!(report.summary[&report.comparisons[0].treatment].avg_composite_score, Some(5.0));
    let mut shown = world.value();
    shown["id"] = serde_json::Value::Null;
    for result in shown["results"].as_array_mut().unwrap() {
        for variant in result["variants"].as_object_mut().unwrap().values_mut() {
            // the test's outputs name their cell
            variant["fullOutput"] = serde_json::Value::Null;
            variant["outputPreview"] = serde_json::Value::Null;
        }
    }
    assert!(!shown.to_string().contains("secret"));
}
