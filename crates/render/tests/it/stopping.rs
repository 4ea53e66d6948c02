//! Planned looks: when a run ends, on what its numbers rest, and what is left out.

use eval_analysis::{AlikeSamples, Decider, EarlierFacts, RunStatus};
use eval_format::{Analysis, Decided, Ending, IncompleteReason, Method, Report, Status, Tier};
use eval_spec::Failure;
use eval_spec::record::Record;
use eval_stats::{Resampling, SeenDifferences, look_interval, look_tails};
use eval_verdict::verdict;
use proptest::prelude::*;
use serde_json::Value;

use crate::world::{At, Came, World, fact, facts};

/// The seed of the reports.
const SEED: u64 = 7;
/// Checks of a sample: one of them is a fifth of a point.
const CHECKS: usize = 20;

/// A world with one control and treatments whose `gain`, in fifths of a point, is given by treatment (from 1) and sample.
fn world(samples: usize, variants: &[&str], gain: impl Fn(usize, usize) -> i32) -> World {
    let mut world = World::new(samples, variants, 1, |at| {
        let ground = i32::try_from(12 + at.sample * 7 % 3).unwrap();
        let passed = if at.variant == 0 { ground } else { ground + gain(at.variant, at.sample) };
        facts(usize::try_from(passed).unwrap(), CHECKS)
    });
    world.suite.settings.looks = 5;
    world
}

fn better(_: usize, sample: usize) -> i32 {
    [4, 2, 3, 5, 3][sample % 5]
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
    let mut decider = Decider::new(
        &world.suite,
        &AlikeSamples::of(&world.suite),
        &world.plan,
        (SEED, "replay"),
        EarlierFacts::default,
    )?;
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

/// The number of samples at the look that shows a gain, computed by hand: its tail, the interval, and the kinds that never came
/// up.
fn gain_shown_at(differences: &[f64]) -> Option<(usize, f64)> {
    let planned = differences.len();
    let mut sizes: Vec<usize> = (1..=5).map(|k| (k * planned).div_ceil(5).max(20).min(planned)).collect();
    sizes.dedup();
    let shares: Vec<f64> = sizes.iter().map(|n| *n as f64 / planned as f64).collect();
    let tails = look_tails(0.025, &shares).unwrap();
    sizes.into_iter().zip(tails).find_map(|(n, tail)| {
        let seen = &differences[..n];
        let interval =
            look_interval(seen, tail, &Resampling { seed: SEED, resamples: 2000, ..Resampling::default() }).unwrap();
        let (mean, sd) = (eval_stats::mean(seen).unwrap(), eval_stats::sd(seen).unwrap());
        let risk = SeenDifferences { n, mean, sd, widest: 4.0 }.unseen_risk(0.0);
        let is_rare = risk <= if n == planned { 0.05 } else { 0.025 };
        (interval.low > 0.0 && mean >= 0.1 && is_rare).then_some((n, interval.low))
    })
}

#[test]
fn it_ends_with_the_look_that_decides_it_and_the_verdict_reads_that_look() {
    let gains: Vec<f64> = (0..60).map(|sample| f64::from(better(1, sample)) / 5.0).collect();
    let (at, low) = gain_shown_at(&gains).unwrap();
    assert!(at > 20 && at < 60, "the interval alone would have ended it at 20: {at}");
    let whole = world(60, &["control", "treatment"], better);
    assert_eq!(live(&whole), Some(at));

    let report = ended_after(whole, at, &[]).analyse();
    assert_eq!((report.status, report.verdict.tier, report.verdict.exit_code), (Status::Complete, Tier::Progress, 0));
    let of = stopping(&report);
    let n = u64::try_from(at).unwrap();
    assert_eq!((of.decided_after, of.looked, of.samples_planned, of.samples_left), (Some(n), n, 60, 0));
    assert_eq!((of.samples_saved, of.calls_saved, of.judge_calls_saved), (60 - n, 2 * (60 - n), 0));
    assert_eq!(of.looks.iter().map(|look| look.samples).collect::<Vec<_>>(), [20, 24, 36, 48, 60]);
    let (number, last) = of.last_taken().unwrap();
    assert_eq!((last.samples, last.treatments[0].decided), (n, Some(Decided::Better)));
    assert!(of.looks[..number - 1].iter().all(|look| look.treatments[0].decided.is_none()));
    assert!(of.looks[number..].iter().all(|look| look.treatments.is_empty()));
    // 0.004 dollars an answer
    assert!((of.cost_saved_estimate.as_ref().unwrap().usd - 0.008 * (60 - n) as f64).abs() < 1e-9);
    let diff = &report.comparisons[0].diff;
    let ci = diff.ci.unwrap();
    assert_eq!((ci.method, ci.family, ci.level), (Method::Repeated, 1, 0.95));
    assert!((ci.low - low).abs() < 1e-9, "{ci:?} {low}");
    assert_eq!((diff.p_value, diff.p_value_adjusted, diff.ci_unadjusted), (None, None, None));
    assert_eq!(diff.p_value_why.as_ref().unwrap().message_key.id, "report-stopping-no-p");
    let inputs = &report.verdict.inputs;
    assert_eq!((inputs.treatments[0].diff.low, last.treatments[0].low), (Some(ci.low), Some(ci.low)));
    assert!((inputs.limits.alpha - 2.0 * last.tail).abs() < 1e-9 && inputs.limits.unseen_risk == 0.025);
    assert_eq!((inputs.limits.min_pairs, inputs.control.outcomes.total()), (6, n));
    assert_eq!(verdict(inputs), report.verdict);
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

/// A loss that a kind not met yet could make up for goes on, too.
#[test]
fn a_loss_ends_it_as_a_gain_does() {
    let fall = |fifths: [i32; 2]| move |_: usize, sample: usize| -fifths[sample % 2];
    assert_eq!(live(&world(60, &["control", "treatment"], fall([10, 11]))), Some(20));
    let small = world(60, &["control", "treatment"], fall([3, 4]));
    let at = live(&small).unwrap();
    assert!(at > 20, "{at}");
    let report = ended_after(small, at, &[]).analyse();
    assert_eq!(report.verdict.tier, Tier::Regress);
    assert_eq!(stopping(&report).last_taken().unwrap().1.treatments[0].decided, Some(Decided::Worse));
}

#[test]
fn no_difference_that_matters_ends_it_too() {
    let world = world(300, &["control", "treatment"], same);
    let n = live(&world).unwrap();
    assert!((60..300).contains(&n), "{n}");
    let report = ended_after(world, n, &[]).analyse();
    assert_eq!(report.verdict.tier, Tier::Noise);
    assert_eq!(stopping(&report).last_taken().unwrap().1.treatments[0].decided, Some(Decided::NoDifferenceThatMatters));
}

/// An interval without width is a point: a p-value is read in its place.
#[test]
fn equal_differences_are_decided_by_a_p_value_and_by_kinds_that_never_came_up() {
    let gains = world(60, &["control", "treatment"], |_, _| 3);
    let at = live(&gains).unwrap();
    // (4 / 4.6)^n ≤ 0.025 takes 27
    assert_eq!(at, 36);
    let report = ended_after(gains, at, &[]).analyse();
    assert_eq!((report.status, report.verdict.tier), (Status::Complete, Tier::Progress));
    assert!(report.comparisons[0].diff.p_value_adjusted.is_some_and(|p| p < 1e-9));
    let ties = world(60, &["control", "treatment"], |_, _| 0);
    assert_eq!(live(&ties), Some(60));
    let report = ties.analyse();
    assert_eq!((report.verdict.tier, stopping(&report).decided_after), (Tier::Noise, Some(60)));
}

#[test]
fn a_sample_that_is_no_pair_was_looked_at_but_is_no_pair() {
    let at = |sample| At { sample, variant: 1, repeat: 0 };
    let failed = World::new(60, &["control", "treatment"], 1, |_| Came::Failed(Failure::Server));
    let mut with_gap = world(60, &["control", "treatment"], |_, sample| -[10, 11][sample % 2]);
    let cell = with_gap.cell(at(4));
    with_gap.records[cell] = failed.records[cell].clone();
    assert_eq!(live(&with_gap), Some(20));
    let report = ended_after(with_gap, 20, &[]).analyse();
    assert_eq!((report.comparisons[0].n, stopping(&report).looked), (19, 20));
    assert_eq!(report.comparisons[0].excluded[0].sample_id, "s005");
    assert_eq!(report.verdict.inputs.treatments[0].arm.missing_scores, 1);
}

#[test]
fn all_treatments_must_be_decided_and_share_the_risk() {
    let gain = |treatment: usize, sample: usize| match treatment {
        1 => -[3, 4][sample % 2],
        _ => better(0, sample),
    };
    let world = world(80, &["control", "worse", "better"], gain);
    let n = live(&world).unwrap();
    let report = ended_after(world, n, &[]).analyse();
    let tiers: Vec<Tier> = report.verdict.per_treatment.iter().map(|of| of.tier).collect();
    assert_eq!((report.verdict.tier, tiers), (Tier::Regress, vec![Tier::Regress, Tier::Progress]));
    let looks = &stopping(&report).looks;
    let shares: Vec<f64> = looks.iter().map(|look| look.samples as f64 / 80.0).collect();
    let tails = look_tails(0.0125, &shares).unwrap();
    assert!(looks.iter().zip(&tails).all(|(look, tail)| (look.tail - tail).abs() < 1e-12), "{looks:?}");
    assert_eq!(report.comparisons[1].diff.ci.unwrap().family, 2);
    // layers are read once, whichever look ends the run
    let layer = report.comparisons[1].layers.fact.as_ref().unwrap().ci.unwrap();
    assert_eq!((layer.method, layer.level), (Method::Expanded, 0.95));
}

#[test]
fn few_samples_are_read_as_ever() {
    let of = |looks: u32| {
        let mut world = world(18, &["control", "treatment"], better);
        world.suite.settings.looks = looks;
        world.analyse()
    };
    let (few, plain) = (of(5), of(0));
    let read = |report: &Analysis| {
        let of = &report.verdict.inputs.treatments[0];
        (report.verdict.tier, of.diff.low, of.diff.high, of.unseen)
    };
    assert_eq!(read(&few), read(&plain));
    assert_eq!(stopping(&few).looks.iter().map(|look| look.samples).collect::<Vec<_>>(), [18]);
    assert!(plain.stopping.is_none());
}

/// The rest of the file is never run.
#[test]
fn no_more_samples_are_run_than_were_asked_for() {
    let mut world = world(100, &["control", "treatment"], |_, sample| [3, -3, 1][sample % 3]);
    world.suite.settings.max_samples = Some(40);
    assert_eq!(live(&world), Some(40));
    let report = ended_after(world, 40, &[]).report();
    assert_eq!((report.status, report.results[70].variants["control"].outcome), (Status::Complete, Ending::NotNeeded));
    let of = report.stopping.as_ref().unwrap();
    assert_eq!((of.decided_after, of.looked, of.samples_planned, of.samples_left), (None, 40, 40, 60));
    assert_eq!((of.calls_saved, of.samples_saved), (0, 0));
    assert_eq!(of.last_taken().unwrap().0, of.looks.len());
}

#[test]
fn tripwires_are_outside_of_it() {
    let mut world = world(62, &["control", "treatment"], better);
    let fails = World::new(62, &["control", "treatment"], 1, |_| fact(false));
    for sample in [0, 1] {
        world.suite.samples[sample].tripwire = true;
        for variant in [0, 1] {
            let cell = world.cell(At { sample, variant, repeat: 0 });
            world.records[cell] = fails.records[cell].clone();
        }
    }
    let with = live(&world).unwrap();
    assert_eq!(with, 26, "the second look is at 24 of 60");
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
        gains in prop::collection::vec((-3i32..5, 0u8..30), 20..70), other in 0i32..3,
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
        prop_assert!(decided.is_some(), "the last look ends it in any case");
        let ends = decided.unwrap_or(samples);
        let report = ended_after(world, ends, &[samples - 1]).analyse();
        let of = stopping(&report);
        prop_assert_eq!(of.looked, ends as u64);
        prop_assert!(of.decided_after.is_some() || ends == samples);
        if of.decided_after.is_some() {
            let wide = report.verdict.per_treatment.iter().any(|of| of.tier == Tier::Underpowered);
            prop_assert!(!wide, "what is decided has a verdict: {:?}", report.verdict.per_treatment);
        }
        prop_assert_eq!(verdict(&report.verdict.inputs), report.verdict);
    }
}
