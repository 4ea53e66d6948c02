//! `--stop-when-decided`: when it ends, on what the numbers rest, and what is left out.

use eval_analysis::{AlikeSamples, Decider, RunStatus};
use eval_format::{Analysis, Decided, Ending, IncompleteReason, Method, Report, Status, Tier};
use eval_spec::Failure;
use eval_spec::record::Record;
use eval_stats::{MeanSequence, Standing};
use eval_verdict::verdict;
use proptest::prelude::*;
use serde_json::Value;

use crate::world::{At, Came, World, fact, facts};

/// Checks of a sample: one of them is a fifth of a point.
const CHECKS: usize = 20;

/// A world with one control and treatments whose `gain`, in fifths of a point, is given by treatment (from 1) and sample.
fn world(samples: usize, variants: &[&str], gain: impl Fn(usize, usize) -> i32) -> World {
    let mut world = World::new(samples, variants, 1, |at| {
        let ground = i32::try_from(14 + at.sample * 7 % 3).unwrap();
        let passed = if at.variant == 0 { ground } else { ground + gain(at.variant, at.sample) };
        facts(usize::try_from(passed).unwrap(), CHECKS)
    });
    world.suite.settings.stop_when_decided = true;
    world
}

fn better(_: usize, sample: usize) -> i32 {
    [2, 0, 1, 3, 1][sample % 5]
}

fn same(_: usize, sample: usize) -> i32 {
    [1, -1, 0, 0][sample % 4]
}

/// As a run leaves it that ended after `last` samples, with those in `also` under way.
fn ended_after(mut world: World, last: usize, also: &[usize]) -> World {
    let cells = world.plan.cells.iter().zip(&mut world.records);
    cells
        .filter(|(cell, _)| cell.sample >= last && !also.contains(&cell.sample))
        .for_each(|(_, record)| *record = None);
    world
}

/// What is asked while the run goes on.
fn live(world: &World) -> Option<usize> {
    let mut decider = Decider::new(&world.suite, &AlikeSamples::of(&world.suite))?;
    let samples = 0..world.suite.samples.len();
    samples.map(|sample| records(world, sample)).enumerate().find_map(|(sample, records)| {
        let records: Vec<Record> = records.into_iter().collect::<Option<_>>()?;
        decider.finished(sample, &records).then_some(sample + 1)
    })
}

fn records(world: &World, sample: usize) -> Vec<Option<Record>> {
    let cells = world.plan.cells.iter().zip(&world.records);
    cells.filter(|(cell, _)| cell.sample == sample).map(|(_, record)| record.clone()).collect()
}

fn stopping(report: &Analysis) -> &eval_format::Stopping {
    report.stopping.as_ref().unwrap()
}

#[test]
fn it_ends_when_the_sequence_says_so_and_the_verdict_reads_the_sequence() {
    // by hand: the gains in points, the sequence of two variants, tightest at half of the 60 samples
    let mut sequence = MeanSequence::new(0.95, 30).unwrap();
    let mut expected = None;
    for sample in 0..60 {
        sequence.push(f64::from(better(1, sample)) / 5.0);
        let Some(look) = sequence.look() else { continue };
        // 1 − 0.05^(1/n) of the samples may well not have been met yet: if they fell by all 4 points there are
        let unseen = 1.0 - 0.05_f64.powf(1.0 / look.n as f64);
        let still_better = (1.0 - unseen) * look.mean - 4.0 * unseen > 0.0;
        if look.n >= 20 && look.standing(0.2) == Standing::Above && still_better {
            assert!(look.n > 40, "the interval alone would have ended it at 20");
            expected = Some(look);
            break;
        }
    }
    let expected = expected.unwrap();
    let whole = world(60, &["control", "treatment"], better);
    assert_eq!(live(&whole), Some(expected.n));

    let report = ended_after(whole, expected.n, &[]).analyse();
    assert_eq!((report.status, report.verdict.tier, report.verdict.exit_code), (Status::Complete, Tier::Progress, 0));
    let of = stopping(&report);
    let n = u64::try_from(expected.n).unwrap();
    assert_eq!((of.decided_after, of.looked, of.samples_planned), (Some(n), n, 60));
    assert_eq!((of.samples_saved, of.calls_saved, of.judge_calls_saved), (60 - n, 2 * (60 - n), 0));
    assert_eq!((of.treatments[0].decided, of.tightest_at, of.first_look), (Some(Decided::Better), 30, 10));
    // 0.004 dollars an answer
    assert!((of.cost_saved_estimate.as_ref().unwrap().usd - 0.008 * (60 - n) as f64).abs() < 1e-9);
    let diff = &report.comparisons[0].diff;
    let ci = diff.ci.unwrap();
    assert_eq!((ci.method, ci.family), (Method::ConfidenceSequence, 1));
    assert!((ci.low - expected.low).abs() < 1e-9 && (ci.high - expected.high).abs() < 1e-9);
    assert_eq!((diff.p_value, diff.p_value_adjusted, diff.ci_unadjusted), (None, None, None));
    assert_eq!(diff.p_value_why.as_ref().unwrap().message_key.id, "report-stopping-no-p");
    let inputs = &report.verdict.inputs;
    assert_eq!(inputs.treatments[0].diff.low, Some(ci.low));
    assert_eq!((inputs.limits.min_pairs, inputs.control.outcomes.total()), (10, n));
    assert_eq!(verdict(inputs), report.verdict);
    let last = of.treatments[0].path.last().unwrap();
    assert_eq!((last.samples, last.n, last.low), (n, n, ci.low));
}

#[test]
fn cells_that_were_not_needed_are_no_missing_ones() {
    let world = world(60, &["control", "treatment"], better);
    let n = live(&world).unwrap();
    let report = ended_after(world, n, &[n + 1]).report();
    let outcome = |sample: usize| report.results[sample].variants["treatment"].outcome;
    assert_eq!(outcome(n - 1), Ending::Answered);
    assert_eq!((outcome(n), outcome(n + 1), outcome(59)), (Ending::NotNeeded, Ending::Answered, Ending::NotNeeded));
    let missing = &report.results[n].variants["control"].missing[0];
    assert_eq!(missing.why_key.id, "report-missing-not-needed");
    for of in report.summary.values() {
        assert_eq!((of.missing_scores, of.outcomes.not_run, of.total_samples), (0, 0, n as u64));
    }
    assert!(report.comparisons[0].excluded.is_empty());
    assert_eq!(report.stopping.unwrap().beyond, [format!("s{:03}", n + 2)]);
}

/// The report without what tells which samples were under way.
fn without_what_was_under_way(report: &Report, last: usize) -> Value {
    let mut value = serde_json::to_value(report).unwrap();
    value["results"].as_array_mut().unwrap().truncate(last);
    for name in ["samplesSaved", "callsSaved", "costSavedEstimate", "beyond"] {
        value["stopping"].as_object_mut().unwrap().remove(name).unwrap();
    }
    for name in ["totalCostUSD", "knownCostUSD"] {
        value["meta"].as_object_mut().unwrap().remove(name).unwrap();
        for variant in ["control", "treatment"] {
            value["summary"][variant].as_object_mut().unwrap().remove(name).unwrap();
        }
    }
    value
}

#[test]
fn no_number_rests_on_what_was_under_way() {
    let make = || {
        let mut world = world(60, &["control", "treatment"], better);
        world.suite.settings.repeat = 1;
        world
    };
    let n = live(&make()).unwrap();
    let alone = ended_after(make(), n, &[]).report();
    let mut crowded = ended_after(make(), n, &[n, n + 2, n + 3]);
    // what was under way went badly in every way
    for (variant, came) in [(0, Came::Failed(Failure::Server)), (1, Came::Failed(Failure::Timeout))] {
        let other = World::new(60, &["control", "treatment"], 1, |_| came.clone());
        let cell = crowded.cell(At { sample: n + 2, variant, repeat: 0 });
        crowded.records[cell] = other.records[cell].clone();
    }
    let unscored =
        World::new(60, &["control", "treatment"], 1, |_| Came::To(vec![(eval_spec::Layer::Fact, 1.0, None); CHECKS]));
    let cell = crowded.cell(At { sample: n + 3, variant: 0, repeat: 0 });
    crowded.records[cell] = unscored.records[cell].clone();
    let crowded = crowded.report();
    assert_eq!(crowded.stopping.as_ref().unwrap().beyond.len(), 3);
    assert_eq!(without_what_was_under_way(&alone, n), without_what_was_under_way(&crowded, n));
    assert_ne!(alone, crowded);
}

#[test]
fn better_needs_the_pairs_that_progress_needs() {
    // so large and even a gain that the first look would say so; worse is said at once
    let far = |sign: i32| move |_: usize, sample: usize| sign * [3, 4][sample % 2];
    assert_eq!(live(&world(60, &["control", "treatment"], far(1))), Some(20));
    let worse = world(60, &["control", "treatment"], |_, sample| -[10, 11][sample % 2]);
    assert_eq!(live(&worse), Some(10));
    // a smaller loss might yet be made up by what was not met
    assert_eq!(live(&world(60, &["control", "treatment"], far(-1))), Some(19));
    let report = ended_after(worse, 10, &[]).analyse();
    assert_eq!(report.verdict.tier, Tier::Regress);
    assert_eq!(stopping(&report).treatments[0].decided, Some(Decided::Worse));
}

#[test]
fn no_difference_that_matters_ends_it_too() {
    let world = world(200, &["control", "treatment"], same);
    let n = live(&world).unwrap();
    // 5 % of samples that rise by 4 points are 0.2: that none is among 59 has a chance below 5 %
    assert!((59..100).contains(&n), "{n}");
    let report = ended_after(world, n, &[]).analyse();
    assert_eq!(report.verdict.tier, Tier::Noise);
    assert_eq!(stopping(&report).treatments[0].decided, Some(Decided::NoDifferenceThatMatters));
}

#[test]
fn equal_differences_never_end_it() {
    for (gain, tier, p) in [(0, Tier::Noise, 1.0), (2, Tier::Progress, 1.0 / 512.0), (-2, Tier::Regress, 1.0 / 512.0)] {
        let world = world(60, &["control", "treatment"], |_, _| gain);
        assert_eq!(live(&world), None);
        let report = world.analyse();
        assert_eq!((report.status, report.verdict.tier), (Status::Complete, tier));
        assert_eq!(report.comparisons[0].diff.p_value_adjusted, Some(p));
        assert_eq!((stopping(&report).decided_after, stopping(&report).looked), (None, 60));
    }
}

#[test]
fn a_sample_that_is_no_pair_was_looked_at_but_is_no_pair() {
    let at = |sample| At { sample, variant: 1, repeat: 0 };
    let failed = World::new(60, &["control", "treatment"], 1, |_| Came::Failed(Failure::Server));
    let mut with_gap = world(60, &["control", "treatment"], |_, sample| -[10, 11][sample % 2]);
    let cell = with_gap.cell(at(4));
    with_gap.records[cell] = failed.records[cell].clone();
    assert_eq!(live(&with_gap), Some(11));
    let report = ended_after(with_gap, 11, &[]).analyse();
    assert_eq!((report.comparisons[0].n, stopping(&report).looked), (10, 11));
    assert_eq!(report.comparisons[0].excluded[0].sample_id, "s005");
    assert_eq!(report.verdict.inputs.treatments[0].arm.missing_scores, 1);
}

#[test]
fn all_treatments_must_be_decided_and_share_the_level() {
    let gain = |treatment: usize, sample: usize| match treatment {
        1 => -[3, 4][sample % 2],
        _ => better(0, sample),
    };
    let world = world(80, &["control", "worse", "better"], gain);
    let n = live(&world).unwrap();
    assert!(n >= 20);
    let report = ended_after(world, n, &[]).analyse();
    assert_eq!(report.verdict.tier, Tier::Regress);
    let tiers: Vec<Tier> = report.verdict.per_treatment.iter().map(|of| of.tier).collect();
    assert_eq!(tiers, [Tier::Regress, Tier::Progress]);
    let mut sequence = MeanSequence::new(0.975, 40).unwrap();
    (0..n).for_each(|sample| sequence.push(f64::from(better(0, sample)) / 5.0));
    let (look, ci) = (sequence.look().unwrap(), report.comparisons[1].diff.ci.unwrap());
    assert!((look.low - ci.low).abs() < 1e-9 && ci.family == 2, "{look:?} {ci:?}");
    // three layers of two treatments
    let mut sequence = MeanSequence::new(1.0 - 0.05 / 6.0, 40).unwrap();
    (0..n).for_each(|sample| sequence.push(f64::from(better(0, sample)) / 5.0));
    let ci = report.comparisons[1].layers.fact.as_ref().unwrap().ci.unwrap();
    assert!((sequence.look().unwrap().low - ci.low).abs() < 1e-9 && ci.family == 6, "{ci:?}");
}

#[test]
fn few_samples_are_read_as_ever() {
    let few = world(9, &["control", "treatment"], better);
    assert!(Decider::new(&few.suite, &AlikeSamples::default()).is_none());
    let mut plain = world(9, &["control", "treatment"], better);
    plain.suite.settings.stop_when_decided = false;
    let (few, plain) = (few.analyse(), plain.analyse());
    assert_eq!((few.verdict.inputs, few.comparisons), (plain.verdict.inputs, plain.comparisons));
    assert_eq!(stopping(&few_of(9)).unused.as_ref().unwrap().message_key.id, "report-stopping-unused");
    assert!(plain.stopping.is_none());
}

fn few_of(samples: usize) -> Analysis {
    world(samples, &["control", "treatment"], better).analyse()
}

#[test]
fn tripwires_are_outside_of_it() {
    let mut world = world(62, &["control", "treatment"], better);
    let n = live(&world).unwrap();
    let fails = World::new(62, &["control", "treatment"], 1, |_| fact(false));
    for sample in [0, 1] {
        world.suite.samples[sample].tripwire = true;
        for variant in [0, 1] {
            let cell = world.cell(At { sample, variant, repeat: 0 });
            world.records[cell] = fails.records[cell].clone();
        }
    }
    let with = live(&world).unwrap();
    assert!((n..=n + 5).contains(&with));
    let report = ended_after(world, with, &[]).analyse();
    let of = stopping(&report);
    assert_eq!((of.samples_planned, of.looked), (60, with as u64 - 2));
    assert_eq!(report.tripwires[0].failed_as_designed, 2);
    assert_eq!(report.verdict.tier, Tier::Progress);
}

#[test]
fn what_was_decided_is_complete_whatever_ended_it() {
    let world = world(60, &["control", "treatment"], better);
    let n = live(&world).unwrap();
    let mut world = ended_after(world, n, &[n]);
    world.ended = RunStatus::Incomplete { reason: IncompleteReason::BudgetExhausted, detail: None };
    let report = world.analyse();
    assert_eq!((report.status, report.verdict.exit_code), (Status::Complete, 0));
    // and what was not is not
    let mut short = ended_after(world, 12, &[]);
    let report = short.analyse();
    assert_eq!((report.status, report.verdict.exit_code), (Status::Incomplete, 3));
    assert_eq!((stopping(&report).decided_after, stopping(&report).calls_saved), (None, 0));
    short.ended = RunStatus::Complete;
    assert_eq!(short.analyse().incomplete_reason, Some(IncompleteReason::RecordsMissing));
    // unless these are all the answers that there are
    short.ended = RunStatus::AnswersEnd;
    let report = short.report();
    assert_eq!((report.status, report.verdict.exit_code), (Status::Complete, 1));
    assert_eq!(report.results[n].variants["control"].outcome, Ending::NotNeeded);
    let of = report.stopping.unwrap();
    assert_eq!((of.decided_after, of.looked), (None, 12));
    assert_eq!(of.cost_saved_why.unwrap().message_key.id, "report-stopping-cost-regrade");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    /// While it goes on and afterwards the same is decided, whatever came of the cells.
    #[test]
    fn the_report_finds_the_decision_that_ended_the_run(
        gains in prop::collection::vec((-3i32..5, 0u8..30), 10..70), other in 0i32..3,
    ) {
        let samples = gains.len();
        let mut world = world(samples, &["control", "a", "b"], |treatment, sample| {
            if treatment == 1 { gains[sample].0 } else { (gains[sample].0 + other * 2) / 2 }
        });
        let failed = World::new(samples, &["control", "a", "b"], 1, |_| Came::Failed(Failure::Server));
        for (sample, (_, fate)) in gains.iter().enumerate().filter(|(_, (_, fate))| *fate < 3) {
            let cell = world.cell(At { sample, variant: usize::from(*fate), repeat: 0 });
            world.records[cell] = failed.records[cell].clone();
        }
        let decided = live(&world);
        let report = ended_after(world, decided.unwrap_or(samples), &[samples - 1]).analyse();
        let of = stopping(&report);
        prop_assert_eq!(of.decided_after, decided.map(|n| n as u64));
        if decided.is_some() {
            let wide = report.verdict.per_treatment.iter().any(|of| of.tier == Tier::Underpowered);
            prop_assert!(!wide, "what is decided has a verdict: {:?}", report.verdict.per_treatment);
        }
        prop_assert_eq!(verdict(&report.verdict.inputs), report.verdict);
    }
}
