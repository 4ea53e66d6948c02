//! Like is compared with like. Each of these runs once ended with a verdict that the numbers don't carry.

use eval_format::{Insight, InsightKind, Report, Severity, Tier};
use eval_message::Lang;
use eval_render::summary_text;
use eval_spec::{Layer, Outcome};
use eval_verdict::threshold_gate;
use serde_json::{Value, json};

use crate::world::{At, Came, World, facts};

fn reasons(report: &Report) -> Vec<&str> {
    report.verdict.per_treatment[0].reasons.iter().map(|reason| reason.message_key.id.as_ref()).collect()
}

fn next(report: &Report) -> Vec<Value> {
    report.analysis.suggestions.iter().map(|next| json!(next.kind)).collect()
}

/// A heavy check that fails in the control and that the treatment's text makes throw.
fn throws(at: At) -> Came {
    let heavy = (at.variant == 0).then_some(false);
    Came::To(vec![(Layer::Fact, 1.0, Some(true)), (Layer::Behavior, 1.0, Some(true)), (Layer::Behavior, 5.0, heavy)])
}

/// A win, but for the samples up to `lost`, of which one check can't be evaluated for the treatment.
fn win_that_lacks(lost: usize) -> impl Fn(At) -> Came {
    move |at| {
        let found = if at.variant == 0 { 2 } else { 3 + at.sample % 2 };
        let mut checks: Vec<_> = (0..4).map(|i| (Layer::Fact, 1.0, Some(i < found))).collect();
        checks.push((Layer::Behavior, 1.0, Some(true)));
        checks.push((Layer::Behavior, 1.0, (at.variant == 0 || at.sample >= lost).then_some(true)));
        Came::To(checks)
    }
}

#[test]
fn a_check_that_throws_on_one_arm_s_text_does_not_make_that_arm_win() {
    let report = World::new(20, &["v1", "v2"], 1, throws).report();
    assert_eq!(report.summary["v2"].avg_composite_score, Some(5.0), "by itself it is a mean over fewer checks");
    let comparison = &report.comparisons[0];
    assert_eq!((comparison.n, comparison.excluded.len()), (0, 20));
    assert_eq!(comparison.excluded[0].variants, ["v2"]);
    assert_eq!(comparison.excluded[0].why_keys[0].id, "report-missing-checks");
    assert!(comparison.excluded[0].why.contains("`max_length`"), "{}", comparison.excluded[0].why);
    assert_eq!((comparison.unlike.samples, comparison.unlike.checks.as_slice()), (20, &["max_length".to_owned()][..]));
    assert_eq!(comparison.layers.fact.as_ref().unwrap().n, 20, "the other layer is compared as ever");
    assert!(comparison.layers.behavior.is_none());
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Underpowered, 1));
    assert_eq!(reasons(&report), ["report-why-few-pairs", "report-alarm-unlike"]);
    assert_eq!(next(&report), ["mend_checks"], "more samples would not help");
}

#[test]
fn one_sample_that_is_not_alike_is_enough_to_block_progress() {
    let alike = World::new(40, &["v1", "v2"], 1, win_that_lacks(0)).report();
    assert_eq!((alike.verdict.tier, alike.verdict.exit_code), (Tier::Progress, 0));
    // 1 of 240 checks, far within five points
    let report = World::new(40, &["v1", "v2"], 1, win_that_lacks(1)).report();
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Cautious, 1));
    assert_eq!(reasons(&report), ["report-why-above", "report-alarm-unlike"]);
    assert_eq!(report.comparisons[0].n, 39);
    assert_eq!(report.comparisons[0].layers.fact.as_ref().unwrap().n, 40);
    assert_eq!(report.comparisons[0].layers.behavior.as_ref().unwrap().n, 39);
    assert_eq!(report.analysis.suggestions[0].sample_ids, ["s001"]);
    let said = report.verdict.per_treatment[0].reasons[1].message.as_str();
    assert!(said.contains("1 sample is left out") && said.contains("`max_length`"), "{said}");
}

#[test]
fn every_repeat_must_rest_on_the_same_checks() {
    // the check throws on the treatment's third answer to the first sample only
    let lacks = win_that_lacks(1);
    let world = World::new(24, &["v1", "v2"], 3, |at| if at.repeat == 2 { lacks(at) } else { win_that_lacks(0)(at) });
    let report = world.report();
    assert_eq!((report.comparisons[0].n, report.comparisons[0].unlike.samples), (23, 1));
    assert_eq!(report.verdict.tier, Tier::Cautious);
}

#[test]
fn as_many_unscored_checks_are_not_the_same_ones() {
    // one check of two is unscored in either arm, but the control loses the one that would pass
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let (first, second) = if at.variant == 0 { (None, Some(false)) } else { (Some(true), None) };
        Came::To(vec![(Layer::Fact, 1.0, first), (Layer::Fact, 1.0, second)])
    });
    let report = world.report();
    assert_eq!((report.comparisons[0].n, report.comparisons[0].unlike.samples), (0, 24));
    assert_eq!(report.comparisons[0].excluded[0].variants, ["v1", "v2"]);
    assert_ne!(report.verdict.exit_code, 0);
}

#[test]
fn a_check_that_no_arm_can_evaluate_is_no_reason_to_leave_a_sample_out() {
    // as `cost_max` is with an executor that knows no cost
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let found = if at.variant == 0 { 2 } else { 3 + at.sample % 2 };
        let mut checks: Vec<_> = (0..4).map(|i| (Layer::Fact, 1.0, Some(i < found))).collect();
        checks.push((Layer::Behavior, 1.0, Some(true)));
        checks.push((Layer::Behavior, 1.0, None));
        Came::To(checks)
    });
    let report = world.report();
    assert_eq!((report.comparisons[0].n, report.comparisons[0].unlike.samples), (24, 0));
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Progress, 0));
}

#[test]
fn one_variant_alone_passes_only_for_what_could_be_evaluated() {
    let lacking = |weight: f64| {
        let report = World::new(20, &["v1"], 1, |_| {
            Came::To(vec![
                (Layer::Fact, 1.0, Some(true)),
                (Layer::Behavior, 9.0, Some(true)),
                (Layer::Behavior, weight, None),
            ])
        })
        .report();
        let ids: Vec<_> = report.verdict.reasons.iter().map(|reason| reason.message_key.id.to_string()).collect();
        (report.verdict.exit_code, ids)
    };
    assert_eq!(lacking(1.0), (0, vec!["report-solo-reached".to_owned()]), "10 % may be missing");
    assert_eq!(lacking(1.1), (1, vec!["report-alarm-unscored".to_owned()]));
    let report = World::new(20, &["v1"], 1, |at| throws(At { variant: 1, ..at })).report();
    assert_eq!(report.summary["v1"].layers.behavior.as_ref().unwrap().unscored_share, 0.833_333_333_333);
    assert_eq!(report.verdict.exit_code, 1);
    let said = &report.verdict.reasons[0].message;
    assert!(said.contains("83.3 %") && said.contains("`behavior`"), "{said}");
}

#[test]
fn the_summary_lists_what_could_not_be_evaluated() {
    let world = World::new(20, &["v1", "v2"], 1, throws);
    let unscored = &world.report().summary["v2"].unscored;
    assert_eq!((unscored.len(), unscored[0].kind.as_str(), unscored[0].count), (1, "max_length", 20));
    assert_eq!(unscored[0].why, "the call timed out");
    let show = eval_render::Show { lang: Lang::En, width: 200, color: false, exit_code: true };
    let text = summary_text(&world.analyse(), show, None);
    assert!(text.contains("- `v2`: 20 × `max_length` could not be evaluated (the call timed out)"), "{text}");
    let clean = World::new(4, &["v1"], 1, |_| facts(1, 2));
    assert!(!summary_text(&clean.analyse(), show, None).contains("not measured"));
}

#[test]
fn a_control_from_the_cache_and_a_fresh_treatment_are_no_comparison() {
    let mut world = World::new(40, &["v1", "v2"], 1, win_that_lacks(0));
    let mut serve = |samples: std::ops::Range<usize>, variant| {
        for sample in samples {
            world.record(At { sample, variant, repeat: 0 }).execution.cached = true;
        }
        world.report()
    };
    assert_eq!(serve(0..2, 0).verdict.tier, Tier::Progress, "5 points apart");
    let report = serve(2..40, 0);
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Cautious, 1));
    assert_eq!(reasons(&report), ["report-why-above", "report-alarm-cached"]);
    assert!(report.verdict.per_treatment[0].reasons[1].message.contains("`--no-cache`"));
    assert_eq!(next(&report), ["run_afresh"]);
    assert_eq!((report.verdict.inputs.control.cached, report.verdict.inputs.treatments[0].arm.cached), (40, 0));
    assert_eq!(serve(0..40, 1).verdict.tier, Tier::Progress, "both were answered at the earlier time");
}

#[test]
fn answers_that_name_no_model_are_a_model_of_their_own() {
    let mut world = World::new(24, &["v1", "v2"], 1, win_that_lacks(0));
    let unname = |world: &mut World, variant| {
        for sample in 0..24 {
            world.output(At { sample, variant, repeat: 0 }).model = None;
        }
    };
    unname(&mut world, 1);
    let report = world.report();
    assert_eq!((report.summary["v2"].models.len(), report.summary["v2"].unnamed_answers), (0, 24));
    assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Cautious, 1));
    assert_eq!(reasons(&report), ["report-why-above", "report-alarm-models-unnamed"]);
    unname(&mut world, 0);
    assert_eq!(world.report().verdict.tier, Tier::Progress, "an executor that never names its model is no alarm");
}

/// Samples that were never graded ask for what the last one does.
fn write_like_the_last(world: &mut World) {
    let written = world.suite.samples.last().unwrap().assertions.clone();
    for sample in &mut world.suite.samples {
        sample.assertions.clone_from(&written);
    }
}

#[test]
fn bench_ci_does_not_pass_four_answers_of_twenty() {
    let mut world = World::new(20, &["v1", "v2"], 1, |at| match at.sample {
        0..16 => Came::Ended(Outcome::Refused),
        _ => facts(4, 4),
    });
    write_like_the_last(&mut world);
    let report = world.report();
    assert_eq!(report.summary["v1"].avg_composite_score, Some(5.0));
    let gate = threshold_gate(&report.verdict.inputs);
    assert_eq!((gate.exit_code, gate.below.len(), gate.unmeasured.len()), (1, 0, 2));
}

#[test]
fn an_arm_of_which_nothing_could_be_scored_is_not_told_to_add_samples() {
    for (outcome, said) in [
        (Outcome::Empty, "the answer was empty in 24 of 24 executions"),
        (Outcome::Refused, "the model declined to answer in 24 of 24 executions"),
        (Outcome::Truncated, "the answer was cut at the output limit in 24 of 24 executions"),
        (Outcome::LimitHit, "a limit of turns or money stopped the agent in 24 of 24 executions"),
    ] {
        let report = World::new(24, &["v1", "v2"], 1, |at| match at.variant {
            0 => facts(1, 2),
            _ => Came::Ended(outcome),
        })
        .report();
        assert_eq!((report.verdict.tier, report.verdict.exit_code), (Tier::Underpowered, 1));
        let why = &report.verdict.per_treatment[0].reasons;
        assert_eq!(why[0].message, format!("no answer of `v2` could be scored: {said}"));
        assert_eq!(reasons(&report), ["report-why-unscored", "report-why-few-pairs"]);
        assert_eq!(next(&report), ["mend_outcomes"]);
        let advice = &report.analysis.suggestions[0].message;
        assert!(advice.contains("`v2`") && advice.ends_with("more samples won't help"), "{advice}");
    }
}

#[test]
fn both_arms_are_named_when_nothing_of_either_could_be_scored() {
    let mut world = World::new(24, &["v1", "v2"], 1, |_| Came::Ended(Outcome::Refused));
    world.suite.samples[0].assertions = World::new(1, &["v1"], 1, |_| facts(1, 2)).suite.samples[0].assertions.clone();
    let of_one = world.report();
    assert_eq!(reasons(&of_one), ["report-why-unscored", "report-why-unscored", "report-why-few-pairs"]);
    assert_eq!(
        (next(&of_one), of_one.verdict.exit_code),
        (vec![json!("repair_run")], 3),
        "nobody answered: nothing was measured"
    );
    let unanswerable =
        World::new(24, &["v1", "v2"], 1, |at| Came::To(vec![(Layer::Fact, 1.0, (at.variant == 0).then_some(true))]));
    let text = summary_text(
        &unanswerable.analyse(),
        eval_render::Show { lang: Lang::En, width: 200, color: false, exit_code: true },
        None,
    );
    assert!(text.contains("24 of 24 executions were answered, but a planned layer could not be evaluated"));
    assert!(text.starts_with("NO VERDICT"), "{text}");
    assert!(text.contains("no answer of v2 has a score: its checks could not be evaluated"), "{text}");
    assert!(text.contains("find out why the checks of `v2` could not be evaluated"), "{text}");
    assert!(!text.contains("add samples"), "{text}");
}

/// The kinds of findings about answers that depend on nothing, with their severities, where each answer is `text`'s.
fn idle(repeat: u32, text: impl Fn(At) -> String) -> Vec<(InsightKind, Severity)> {
    let mut world = World::new(6, &["v1", "v2"], repeat, |at| facts(at.sample % 3, 3));
    for (sample, variant) in (0..6).flat_map(|sample| [(sample, 0), (sample, 1)]) {
        for repeat in 0..repeat as usize {
            let at = At { sample, variant, repeat };
            world.output(at).text = text(at);
        }
    }
    let report = world.report();
    let is_idle = |of: &&Insight| matches!(of.kind, InsightKind::PromptIgnored | InsightKind::ArtifactIgnored);
    report.analysis.insights.iter().filter(is_idle).map(|of| (of.kind.clone(), of.severity)).collect()
}

#[test]
fn answers_that_depend_on_nothing_are_a_finding() {
    let long = |at: At| format!("Ticket {} is about a parcel that came too late, and is to be sent again", at.sample);
    let label = |at: At| if at.sample.is_multiple_of(2) { "yes" } else { "no" }.to_owned();
    assert_eq!(idle(1, long), [(InsightKind::ArtifactIgnored, Severity::Warning)]);
    assert_eq!(
        idle(2, |at| format!("{} {}", long(at), at.repeat)),
        [(InsightKind::ArtifactIgnored, Severity::Warning)]
    );
    assert_eq!(idle(1, label), [(InsightKind::ArtifactIgnored, Severity::Info)], "labels are often equal");
    assert_eq!(
        idle(1, |at| if at.variant == 1 { "yes".to_owned() } else { long(at) }),
        [(InsightKind::PromptIgnored, Severity::Warning)]
    );
    assert_eq!(idle(1, |_| " yes\n".to_owned()), [(InsightKind::PromptIgnored, Severity::Warning)]);
    let one_differs = |at: At| if (at.sample, at.variant) == (5, 1) { "No.".to_owned() } else { long(at) };
    assert_eq!(idle(1, one_differs), []);
    assert_eq!(idle(1, |_| String::new()), [], "no answer is none");
    let mut few = World::new(4, &["v1", "v2"], 1, |at| facts(at.sample % 3, 3));
    (0..4).for_each(|sample| few.output(At { sample, variant: 1, repeat: 0 }).text = "yes".to_owned());
    assert!(few.report().analysis.insights.iter().all(|of| of.kind != InsightKind::PromptIgnored));
}

#[test]
fn a_report_with_answers_that_depend_on_nothing_follows_from_its_results() {
    let mut world = World::new(6, &["v1", "v2"], 1, |at| facts(at.sample % 3, 3));
    (0..6).for_each(|sample| world.output(At { sample, variant: 1, repeat: 0 }).text = "yes".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    std::fs::write(&path, world.json()).unwrap();
    let recomputed = eval_history::recompute(&path, "0.1.0").unwrap();
    assert!(recomputed.agrees, "{:?}", recomputed.differences);
}
