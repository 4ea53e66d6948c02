//! What a report says of judges, of length and of samples that are meant to fail.

use eval_format::{InsightKind, Tier};
use eval_message::{Lang, msg};
use eval_spec::units::{Ratio, Usd};
use eval_spec::{CheckOutcome, Failure, Judged, Layer, Opinion};

use crate::world::{At, Came, World, fact, facts};

/// Every cell judged by each of `judges`, `repeat` times; `score` says what each opinion is.
pub(crate) fn judged(
    samples: usize,
    judges: &[&str],
    repeat: u32,
    score: impl Fn(At, usize, u32) -> Option<f64>,
) -> World {
    let came = |_| Came::To(vec![(Layer::Judge, 1.0, Some(true))]);
    let mut world = World::new(samples, &["v1", "v2"], 1, came);
    world.suite.settings.judge_repeat = repeat;
    for sample in 0..samples {
        for variant in 0..2 {
            let at = At { sample, variant, repeat: 0 };
            let each = judges.iter().enumerate().flat_map(|(j, name)| (0..repeat).map(move |r| (j, *name, r)));
            let opinions: Vec<Opinion> = each.map(|(j, name, r)| opinion(name, r, score(at, j, r))).collect();
            let scores: Option<Vec<f64>> = opinions.iter().map(|o| o.score).collect();
            let mean = scores.map(|all| all.iter().sum::<f64>() / all.len() as f64);
            let check = &mut world.record(at).grade.as_mut().unwrap().checks[0];
            check.outcome = match mean {
                Some(mean) => CheckOutcome::Rated { ratio: Ratio::new((mean - 1.0) / 4.0).unwrap() },
                None => CheckOutcome::Unscored { why: msg!("report-missing-timeout") },
            };
            check.judged = Some(Box::new(Judged { dimension: None, lang: Lang::En, score: mean, opinions }));
        }
    }
    world
}

fn opinion(judge: &str, repeat: u32, score: Option<f64>) -> Opinion {
    Opinion {
        judge: judge.to_owned(),
        repeat,
        score,
        reasoning: String::new(),
        claims: Vec::new(),
        reply: score.is_none().then(|| "Score: 4".to_owned()),
        failure: None,
        why: score.is_none().then(|| msg!("report-missing-timeout")),
        requests: if score.is_some() { 1 } else { 3 },
        cost_usd: Some(Usd(0.5)),
    }
}

fn keys(world: &World) -> Vec<String> {
    let verdict = world.analyse().verdict;
    let of = verdict.per_treatment[0].reasons.iter().chain(&verdict.reasons);
    of.map(|reason| reason.message_key.id.to_string()).collect()
}

#[test]
fn each_judge_is_counted_by_itself() {
    let world = judged(2, &["x:haiku", "x:gpt-4o"], 1, |at, judge, _| match (at.sample, at.variant, judge) {
        (1, 1, 1) => None,
        (sample, _, _) => Some(if sample == 0 { 2.0 } else { 4.0 }),
    });
    let judging = world.analyse().judging.unwrap();
    assert_eq!((judging.languages["en"], judging.languages["zh"]), (4, 0));
    let [haiku, gpt] = &judging.judges[..] else { panic!("two judges") };
    assert_eq!((haiku.planned, haiku.scored, haiku.missing, haiku.unusable), (4, 4, 0, 0));
    assert_eq!((haiku.mean, haiku.cost_usd, haiku.self_preference), (Some(3.0), Some(2.0), true), "sonnet is kin");
    // the deviations are ±1, so the variance is 4/3
    assert!((haiku.sd.unwrap() - (4.0_f64 / 3.0).sqrt()).abs() < 1e-9);
    assert_eq!((gpt.planned, gpt.scored, gpt.missing, gpt.requests, gpt.unusable), (4, 3, 1, 6, 3));
    assert_eq!(gpt.why_missing.as_ref().unwrap().message_key.id, "report-missing-timeout");
    assert!(!gpt.self_preference && haiku.why_missing.is_none());
    let pair = &judging.agreement.unwrap().pairs[0];
    assert_eq!((pair.n, pair.mean_absolute_difference, pair.pearson), (3, Some(0.0), Some(1.0)));
    assert!(judging.repeatability.is_empty());
}

/// α by its definition with coincidences and ordinal distances; the code under test goes by mid-ranks.
fn alpha(units: &[[f64; 2]]) -> f64 {
    let all: Vec<f64> = units.concat();
    let n = all.len() as f64;
    let count = |value: f64| all.iter().filter(|x| **x == value).count() as f64;
    let distance = |a: f64, b: f64| {
        let (low, high) = (a.min(b), a.max(b));
        let between: f64 = all.iter().filter(|x| **x >= low && **x <= high).count() as f64;
        if a == b { 0.0 } else { (between - (count(a) + count(b)) / 2.0).powi(2) }
    };
    let observed: f64 = units.iter().map(|[a, b]| 2.0 * distance(*a, *b)).sum::<f64>() / n;
    let expected: f64 =
        all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).map(|(a, b)| distance(*a, *b)).sum::<f64>()
            / (n * (n - 1.0));
    1.0 - observed / expected
}

#[test]
fn agreement_is_over_samples_variants_and_questions() {
    let score = |at: At, judge: usize| {
        let base = 1 + (at.sample * 2 + at.variant) % 5;
        if judge == 0 { base as f64 } else { (base + usize::from(at.sample.is_multiple_of(3))).min(5) as f64 }
    };
    let world = judged(12, &["x:a1", "x:b1"], 1, |at, judge, _| Some(score(at, judge)));
    let agreement = world.analyse().judging.unwrap().agreement.unwrap();
    let mut units = Vec::new();
    for sample in 0..12 {
        for variant in 0..2 {
            let at = At { sample, variant, repeat: 0 };
            units.push([score(at, 0), score(at, 1)]);
        }
    }
    assert_eq!(agreement.alpha.n, 24);
    assert!((agreement.alpha.value.unwrap() - alpha(&units)).abs() < 1e-9);
    let ci = agreement.alpha.ci.unwrap();
    assert!(ci.low < agreement.alpha.value.unwrap() && agreement.alpha.value.unwrap() < ci.high && ci.high <= 1.0);
}

#[test]
fn judges_that_give_one_score_only_raise_no_alarm_but_are_told() {
    let world = judged(8, &["x:a1", "x:b1"], 2, |_, _, _| Some(4.0));
    let report = world.analyse();
    let judging = report.judging.as_ref().unwrap();
    let agreement = judging.agreement.as_ref().unwrap();
    assert_eq!(agreement.alpha.value, None);
    assert_eq!(agreement.alpha.why.as_ref().unwrap().message_key.id, "report-undefined-variance");
    assert_eq!(agreement.pairs[0].why.as_ref().unwrap().message_key.id, "report-undefined-variance");
    assert_eq!(judging.repeatability[0].within_sd, Some(0.0));
    assert_eq!(judging.repeatability[0].alpha.why.as_ref().unwrap().message_key.id, "report-undefined-variance");
    assert!(!keys(&world).iter().any(|key| key == "report-alarm-agreement"));
    assert!(report.analysis.insights.iter().any(|insight| insight.kind == InsightKind::JudgeAgreement));
    assert!(report.verdict.inputs.judging.unwrap().agreement_why.is_some());
}

#[test]
fn repeats_of_one_judge_tell_how_far_it_agrees_with_itself() {
    let world = judged(6, &["x:a1"], 2, |at, _, repeat| Some((1 + at.sample % 3) as f64 + f64::from(repeat)));
    let judging = world.analyse().judging.unwrap();
    assert!(judging.agreement.is_none());
    // each pair is 1 apart: variance 1/2
    assert!((judging.repeatability[0].within_sd.unwrap() - 0.5_f64.sqrt()).abs() < 1e-9);
    let units: Vec<[f64; 2]> = (0..12).map(|i| [(1 + (i / 2) % 3) as f64, (2 + (i / 2) % 3) as f64]).collect();
    assert!((judging.repeatability[0].alpha.value.unwrap() - alpha(&units)).abs() < 1e-9);
}

/// 24 pairs that one point separates, were it not for the judges.
fn better(missing: impl Fn(At) -> bool) -> World {
    judged(24, &["x:a1"], 1, move |at, _, _| {
        (!missing(at)).then_some(if at.variant == 0 { 3.0 } else { 4.0 + (at.sample % 2) as f64 })
    })
}

#[test]
fn a_judge_that_fails_on_one_arm_never_buys_progress_and_is_named() {
    assert_eq!(better(|_| false).analyse().verdict.tier, Tier::Progress);
    for arm in [0, 1] {
        for lost in [2, 4, 12, 24] {
            let world = better(|at| at.variant == arm && at.sample < lost);
            let verdict = world.analyse().verdict;
            assert_ne!((verdict.tier, verdict.exit_code), (Tier::Progress, 0), "{lost} of arm {arm}");
            assert!(verdict.tier != Tier::Progress, "{lost} of arm {arm}");
            let named = keys(&world);
            let names_it = |key: &String| key.contains("judges");
            // 2 of 24 differ by more than 5 points
            assert!(named.iter().any(names_it), "{lost} of arm {arm}: {named:?}");
            // over 10 % of all opinions missing is no measurement
            assert_eq!(verdict.valid, lost <= 4, "{lost} of arm {arm}");
            assert_eq!(verdict.exit_code, if lost <= 4 { 1 } else { 3 });
        }
    }
}

#[test]
fn judges_that_disagree_make_no_progress() {
    let disagree = |at: At, judge: usize| match (at.variant, judge) {
        (0, 0) => 1.0 + (at.sample % 3) as f64,
        (0, _) => 3.0 - (at.sample % 3) as f64,
        (_, 0) => 5.0 - (at.sample % 2) as f64,
        (_, _) => 3.0 + (at.sample % 2) as f64,
    };
    let world = judged(24, &["x:a1", "x:b1"], 1, |at, judge, _| Some(disagree(at, judge)));
    let report = world.analyse();
    assert!(report.judging.unwrap().agreement.unwrap().alpha.value.unwrap() < 0.4);
    assert_eq!(report.verdict.tier, Tier::Cautious);
    assert!(keys(&world).iter().any(|key| key == "report-alarm-agreement"));
}

#[test]
fn kin_of_the_model_under_test_changes_no_tier_but_is_told() {
    let mut world = better(|_| false);
    world.suite.settings.model = "a1".to_owned();
    let report = world.analyse();
    assert_eq!(report.verdict.tier, Tier::Progress);
    assert!(keys(&world).iter().any(|key| key == "report-note-self-preference"));
    assert!(report.analysis.insights.iter().any(|insight| insight.kind == InsightKind::SelfPreference));
}

#[test]
fn the_verdict_on_judges_is_computed_again_from_what_is_stored() {
    let report = better(|at| at.variant == 1 && at.sample < 4).report();
    assert_eq!(eval_verdict::verdict(&report.verdict.inputs), report.verdict);
}

#[test]
fn a_difference_that_length_explains_is_gone_at_equal_length() {
    let mut world =
        judged(24, &["x:a1"], 1, |at, _, _| Some(if at.variant == 0 { 2.0 } else { 2.0 + (at.sample % 4) as f64 }));
    for sample in 0..24 {
        // 100 characters longer for each point
        world.output(At { sample, variant: 0, repeat: 0 }).text = "字".repeat(50);
        world.output(At { sample, variant: 1, repeat: 0 }).text = "字".repeat(50 + 100 * (sample % 4));
    }
    let comparison = &world.analyse().comparisons[0];
    let equal = &comparison.equal_length;
    assert_eq!((comparison.diff.mean, equal.longer_by, equal.n), (Some(1.5), Some(150.0), 24));
    assert!(equal.diff.unwrap().abs() < 1e-9, "{equal:?}");
    // one point per 100 characters
    assert!((equal.slope.unwrap() / equal.length_sd.unwrap() - 0.01).abs() < 1e-9);
    for sample in 0..24 {
        world.output(At { sample, variant: 1, repeat: 0 }).text = "字".repeat(60);
    }
    let alike = world.analyse().comparisons[0].equal_length.clone();
    assert_eq!((alike.diff, alike.ci), (None, None));
    assert_eq!(alike.why.unwrap().message_key.id, "report-unadjusted-variance");
}

#[test]
fn tripwires_stand_apart() {
    let came = |at: At| match (at.sample, at.variant) {
        (0, _) => facts(1, 4),
        (1, 1) => facts(4, 4),
        (1, _) => facts(0, 4),
        (2, 1) => Came::Failed(Failure::Timeout),
        (2, _) => facts(0, 4),
        (_, variant) => facts(2 + variant, 4),
    };
    let mut world = World::new(10, &["v1", "v2"], 1, came);
    let plain = World::new(10, &["v1", "v2"], 1, |at| came(At { sample: at.sample.max(3), ..at }));
    for sample in 0..3 {
        world.suite.samples[sample].tripwire = true;
    }
    let report = world.report();
    assert_eq!(report.comparisons[0].n, 7);
    assert!(report.comparisons[0].excluded.is_empty());
    assert_eq!(report.summary["v2"].avg_composite_score, plain.analyse().summary["v2"].avg_composite_score);
    assert_eq!((report.summary["v2"].total_samples, report.summary["v2"].outcomes.failed), (7, 0));
    assert_eq!(report.summary["v2"].layers.fact.as_ref().unwrap().n, 7);
    let [v1, v2] = &report.tripwires[..] else { panic!("two variants") };
    assert_eq!((v1.samples, v1.failed_as_designed, v1.passed, v1.missing), (3, 3, 0, 0));
    assert_eq!((v2.samples, v2.failed_as_designed, v2.passed, v2.missing), (3, 1, 1, 1));
    assert_eq!((v2.passed_samples[0].as_str(), v2.missing_samples[0].sample_id.as_str()), ("s002", "s003"));
    assert_eq!(v2.missing_samples[0].why.message_key.id, "report-missing-timeout");
    assert!(report.results[0].tripwire && !report.results[3].tripwire);
    assert!(report.analysis.insights.iter().any(|i| i.kind == InsightKind::TripwirePassed && i.sample_ids == ["s002"]));
    // of 20 executions one failed
    assert_eq!((report.verdict.inputs.tripwires.ran, report.verdict.inputs.tripwires.failed), (6, 1));
}

#[test]
fn nothing_but_tripwires_says_nothing() {
    let mut world = World::new(8, &["v1", "v2"], 1, |_| fact(false));
    world.suite.samples.iter_mut().for_each(|sample| sample.tripwire = true);
    let report = world.report();
    assert_eq!((report.verdict.tier, report.verdict.exit_code, report.comparisons[0].n), (Tier::Underpowered, 1, 0));
    assert_eq!(report.tripwires[0].failed_as_designed, 8);
    let mut dead = World::new(8, &["v1", "v2"], 1, |_| Came::Failed(Failure::Server));
    dead.suite.samples.iter_mut().for_each(|sample| sample.tripwire = true);
    assert_eq!(dead.analyse().verdict.exit_code, 3);
}

#[test]
fn nothing_judged_and_no_tripwire_leave_no_block() {
    let value = World::new(3, &["v1", "v2"], 1, |_| fact(true)).value();
    assert!(value.get("judging").is_none() && value.get("tripwires").is_none());
}
