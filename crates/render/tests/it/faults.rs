//! What the tools before this one decided wrongly, each a run that must not be decided so again.

use eval_analysis::RunStatus;
use eval_format::{IncompleteReason, Tier};
use eval_spec::{Failure, Layer, Outcome};

use crate::world::{At, Came, World, fact, facts};

/// Wins of 1 point with some spread: 3 of 4 or 4 of 4 checks against 2 or 3 of 4.
fn clear_win(at: At) -> Came {
    match at.variant {
        0 => facts(2, 4),
        _ => facts(3 + at.sample % 2, 4),
    }
}

#[test]
fn a_sound_win_is_progress() {
    let report = World::new(24, &["v1", "v2"], 1, clear_win).report();
    assert_eq!(report.verdict.tier, Tier::Progress, "{:?}", report.verdict.per_treatment);
    assert_eq!(report.verdict.exit_code, 0);
    // 12 differences of 1 and 12 of 2
    assert_eq!(report.comparisons[0].diff.mean, Some(1.5));
}

#[test]
fn two_samples_ship_nothing() {
    let report = World::new(2, &["v1", "v2"], 1, |at| fact(at.variant == 1)).report();
    let diff = &report.comparisons[0].diff;
    assert_eq!((diff.mean, diff.p_value), (Some(4.0), Some(0.5)));
    assert!(diff.ci.unwrap().degenerate);
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Underpowered, 1));
}

#[test]
fn winning_the_six_that_did_not_crash_ships_nothing() {
    let world = World::new(30, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (0, _) => facts(1, 4),
        (_, 0..6) => facts(4, 4),
        _ => Came::Failed(Failure::Crashed),
    });
    let report = world.report();
    assert_ne!(report.verdict.tier, Tier::Progress);
    assert_eq!((report.verdict.exit_code, report.verdict.valid), (3, false));
    assert_eq!(report.comparisons[0].n, 6);
    assert_eq!(report.comparisons[0].excluded.len(), 24);
    assert_eq!(report.comparisons[0].excluded[0].variants, ["v2"]);
    assert_eq!(report.comparisons[0].excluded[0].why, "the program ended badly");
}

#[test]
fn losing_samples_to_refusals_is_named_and_blocks_progress() {
    // refusals are answers of a kind, so the run is a measurement, but not one of progress
    let world = World::new(40, &["v1", "v2"], 1, |at| match (at.variant, at.sample) {
        (1, 0..5) => Came::Ended(Outcome::Refused),
        _ => clear_win(at),
    });
    let report = world.report();
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Cautious, 1));
    let reasons: Vec<_> = report.verdict.per_treatment[0].reasons.iter().map(|r| r.message_key.id.as_ref()).collect();
    assert!(reasons.contains(&"report-alarm-missing"), "{reasons:?}");
    let missing = report.comparisons[0].missing.as_ref().unwrap();
    assert_eq!((missing.unanswered.treatment, missing.unanswered.control, missing.lost.samples), (5, 0, 0));
    // each of them scores 1 in the second analysis
    let [floor, seen] = [missing.floor.as_ref().unwrap(), &report.comparisons[0].diff].map(|of| of.mean.unwrap());
    assert!(floor < seen, "{floor} {seen}");
}

#[test]
fn everything_failing_is_not_no_effect() {
    let report = World::new(30, &["v1", "v2"], 1, |_| Came::Failed(Failure::Timeout)).report();
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Underpowered, 3));
    assert!(!report.verdict.valid);
    assert_eq!(report.summary["v1"].avg_composite_score.unwrap_or(-1.0), 0.0, "nothing is written in these samples");
}

#[test]
fn a_dead_baseline_is_not_a_skill_that_adds_value() {
    let world = World::new(30, &["baseline", "v2"], 1, |at| match at.variant {
        0 => Came::Failed(Failure::Auth),
        _ => facts(4, 4),
    });
    let report = world.report();
    assert_eq!((report.verdict.exit_code, report.verdict.valid), (3, false));
    assert_eq!(report.comparisons[0].n, 0);
    assert_eq!(report.comparisons[0].diff.mean, None);
    assert_eq!(report.summary["baseline"].avg_composite_score, None);
}

#[test]
fn a_judge_that_fails_on_one_arm_does_not_raise_its_mean() {
    // the judge thinks little of both, and fails on half of the treatment's answers
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let judged = (at.variant == 0 || at.sample % 2 == 0).then_some(false);
        Came::To(vec![(Layer::Fact, 1.0, Some(true)), (Layer::Judge, 1.0, judged)])
    });
    let report = world.report();
    assert_eq!(report.summary["v2"].avg_composite_score, Some(3.0), "not a mean over fact alone");
    assert_eq!(report.summary["v2"].missing_scores, 12);
    assert_eq!(report.comparisons[0].n, 12);
    assert_ne!(report.verdict.tier, Tier::Progress);
}

#[test]
fn repeats_are_not_new_samples() {
    // 4 samples, 10 repeats: 40 pairs of runs, but 4 pairs of samples
    let report = World::new(4, &["v1", "v2"], 10, |at| fact(at.variant == 1)).report();
    assert_eq!(report.comparisons[0].n, 4);
    assert_eq!(report.verdict.tier, Tier::Underpowered);
}

#[test]
fn interval_and_cost_are_over_all_repeats_not_the_last() {
    // the treatment wins in the last repeat only
    let world = World::new(20, &["v1", "v2"], 5, |at| fact(at.variant == 0 || at.repeat == 4));
    let report = world.report();
    assert_eq!(report.summary["v2"].avg_composite_score, Some(1.8));
    assert_eq!(report.verdict.tier, Tier::Regress);
    assert_eq!(report.meta.total_cost_usd, Some(0.8), "200 runs");
}

#[test]
fn a_perfect_score_says_that_it_has_no_spread() {
    let report = World::new(60, &["v1", "v2"], 1, |_| fact(true)).report();
    assert!(report.summary["v1"].ci.unwrap().degenerate);
    assert!(report.comparisons[0].diff.ci.unwrap().degenerate);
    assert_eq!(report.comparisons[0].diff.p_value, Some(1.0));
    assert_eq!(report.verdict.tier, Tier::Noise);
    let few = World::new(58, &["v1", "v2"], 1, |_| fact(true)).report();
    assert_eq!(few.verdict.tier, Tier::Underpowered);
}

#[test]
fn an_answer_cut_short_or_refused_is_not_graded() {
    let world = World::new(1, &["v1"], 1, |_| Came::Ended(Outcome::Truncated));
    let result = &world.report().results[0].variants["v1"];
    assert_eq!((result.ok, result.composite_score), (false, None));
    assert_eq!(result.full_output.as_deref(), Some("no answer"), "it is kept, and not scored");
}

#[test]
fn a_plan_without_its_records_is_incomplete_whatever_the_caller_says() {
    let mut world = World::new(24, &["v1", "v2"], 1, clear_win);
    world.records[5] = None;
    let report = world.report();
    assert_eq!(report.incomplete_reason, Some(IncompleteReason::RecordsMissing));
    assert_eq!(report.verdict.exit_code, 3);
    assert_ne!(report.verdict.tier, Tier::Progress);
}

#[test]
fn an_exhausted_budget_is_never_progress() {
    let mut world = World::new(24, &["v1", "v2"], 1, clear_win);
    world.ended = RunStatus::Incomplete { reason: IncompleteReason::BudgetExhausted, detail: None };
    let report = world.report();
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Cautious, 3));
    assert_eq!(serde_json::to_value(report.status).unwrap(), "incomplete");
}

#[test]
fn a_model_that_changed_between_the_arms_blocks_progress() {
    let mut world = World::new(24, &["v1", "v2"], 1, clear_win);
    for sample in 0..24 {
        world.output(At { sample, variant: 1, repeat: 0 }).model = Some("sonnet-2".to_owned());
    }
    let report = world.report();
    assert_eq!(report.verdict.tier, Tier::Cautious);
    assert_eq!(report.verdict.per_treatment[0].reasons[1].message_key.id, "report-alarm-models");
}
