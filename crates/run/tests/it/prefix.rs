//! Who may end a run early is told of finished samples in the plan's order, and of nothing else.

use std::sync::{Arc, Mutex};

use eval_message::msg;
use eval_run::{Engine, RunEnding, Watch, order_by_sample};
use eval_spec::record::Record;
use eval_spec::{ExecError, Failure, Output};
use proptest::prelude::*;

use crate::kit::{Bench, Graded, Ran, Scripted, call_of, good, plan_in};

const SUBJECTS: usize = 2;

fn bench(samples: usize, repeats: u32) -> Bench {
    let order = order_by_sample(samples, SUBJECTS, repeats, 3, |_| false, |sample| sample);
    Bench::with_plan(plan_in(samples, SUBJECTS, order))
}

/// The samples in the plan's order.
fn in_order(bench: &Bench) -> Vec<usize> {
    let mut samples: Vec<usize> = bench.plan.cells.iter().map(|cell| cell.sample).collect();
    samples.dedup();
    samples
}

/// Runs until the sample at place `last` of the plan's order is finished; also gives what the watch was told.
async fn run(bench: &Bench, executor: &Arc<Scripted>, last: usize) -> (Ran, Vec<usize>) {
    let told = Mutex::new(Vec::new());
    let make = || -> Watch<'_> {
        let told = &told;
        told.lock().unwrap().clear();
        let mut places = 0;
        Box::new(move |sample: usize, records: Vec<Record>| {
            assert_eq!(records.len() % SUBJECTS, 0);
            assert!(records.iter().all(|record| record.execution.key.sample == records[0].execution.key.sample));
            told.lock().unwrap().push(sample);
            places += 1;
            places > last
        })
    };
    let journal = Arc::new(bench.journal().unwrap());
    let mut events = Vec::new();
    let engine = Engine {
        executors: eval_run::Executors::one(bench.guarded(executor)),
        grader: Arc::new(Graded(0)),
        call: &call_of,
        journal: Arc::clone(&journal),
        on_event: &mut |event| events.push(event),
        watch: Some(&make),
        again: None,
    };
    let end = engine.run(&bench.plan).await.unwrap();
    let records = journal.records(&bench.plan).map(|(_, record)| record.unwrap()).collect();
    (Ran { end, events, records }, told.into_inner().unwrap())
}

#[tokio::test]
async fn one_call_at_a_time_makes_no_call_too_many() {
    let bench = bench(12, 2);
    let executor = Arc::new(Scripted::new(|_| good()));
    let (ran, told) = run(&bench, &executor, 4).await;
    assert_eq!((ran.end.ended, ran.end.done, executor.calls().len()), (RunEnding::Decided, 20, 20));
    assert_eq!(told, in_order(&bench)[..5]);
}

#[tokio::test(start_paused = true)]
async fn what_comes_back_first_is_not_told_first() {
    let mut bench = bench(12, 1);
    bench.limits.concurrency = 8;
    bench.limits.retry = eval_run::Retry::infrastructure(3);
    // The first cell comes back last.
    let first = bench.plan.cells[0].key.to_string();
    let executor = Arc::new(Scripted::new(move |seen| match seen.call.key.to_string() == first && seen.attempt < 2 {
        true => Err(ExecError::new(Failure::Server, msg!("run-overran", seconds = 1))),
        false => good(),
    }));
    let (ran, told) = run(&bench, &executor, 2).await;
    assert_eq!((&ran.end.ended, told), (&RunEnding::Decided, in_order(&bench)[..3].to_vec()));
    assert!(ran.end.done > 6, "others were under way: {}", ran.end.done);
    assert_eq!(ran.answers(), ran.end.done, "and all of them are kept");
}

#[tokio::test]
async fn without_a_decision_the_plan_is_run() {
    let bench = bench(5, 1);
    let executor = Arc::new(Scripted::new(|_| good()));
    let (ran, told) = run(&bench, &executor, 5).await;
    assert_eq!((ran.end.ended, told), (RunEnding::Complete, in_order(&bench)));
    // at the last sample it may say so, and nothing is left out
    let executor = Arc::new(Scripted::new(|_| good()));
    let (ran, _) = run(&self::bench(5, 1), &executor, 4).await;
    assert_eq!((ran.end.ended, ran.end.done), (RunEnding::Decided, 10));
}

#[tokio::test]
async fn a_run_that_goes_on_decides_the_same_without_a_call() {
    let bench = bench(12, 1);
    // A failure is an end like any other; it would be tried again if the run went on.
    let fails = bench.plan.cells[3].key.to_string();
    let script = move |seen: crate::kit::Seen<'_>| match seen.call.key.to_string() == fails {
        true => Err(ExecError::new(Failure::Malformed, msg!("run-overran", seconds = 1))),
        false => good(),
    };
    let executor = Arc::new(Scripted::new(script));
    let (first, _) = run(&bench, &executor, 4).await;
    assert_eq!((&first.end.ended, first.failures().len()), (&RunEnding::Decided, 1));
    let idle = Arc::new(Scripted::new(|_| -> Result<Output, ExecError> { panic!("nothing is to be asked") }));
    let (again, told) = run(&bench, &idle, 4).await;
    assert_eq!((again.end.ended, again.records), (RunEnding::Decided, first.records));
    assert_eq!(told, Vec::<usize>::new(), "a second watch was made, and told nothing");
}

#[tokio::test]
async fn an_interrupted_run_goes_on_to_the_same_decision() {
    for interrupted_at in [1, 2, 7, 8] {
        let mut bench = bench(12, 1);
        let stop = bench.stop.clone();
        let calls = std::sync::atomic::AtomicUsize::new(0);
        let executor = Arc::new(Scripted::new(move |_| {
            if calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1 == interrupted_at {
                stop.drain();
            }
            good()
        }));
        let (ran, _) = run(&bench, &executor, 5).await;
        assert_eq!((ran.end.ended, ran.end.done), (RunEnding::Interrupted, interrupted_at));
        bench.stop = eval_run::Stop::new();
        let (ran, told) = run(&bench, &executor, 5).await;
        assert_eq!((ran.end.ended, told), (RunEnding::Decided, in_order(&bench)[..6].to_vec()));
        assert_eq!(executor.calls().len(), 12);
    }
}

proptest! {
    #[test]
    fn whole_samples_come_one_after_another(
        samples in 0usize..20, subjects in 1usize..5, repeats in 1u32..4, seed: u64, first in 0usize..4,
    ) {
        let cells = order_by_sample(samples, subjects, repeats, seed, |sample| sample < first, |sample| sample);
        let mut all = cells.clone();
        all.sort_unstable();
        all.dedup();
        prop_assert_eq!(all.len(), samples * subjects * repeats as usize);
        let mut groups: Vec<usize> = cells.iter().map(|cell| cell.0).collect();
        groups.dedup();
        prop_assert_eq!(groups.len(), samples);
        prop_assert!(groups[..first.min(samples)].iter().all(|sample| *sample < first));
        for turn in cells.chunks(subjects) {
            let mut drawn: Vec<usize> = turn.iter().map(|cell| cell.1).collect();
            drawn.sort_unstable();
            prop_assert_eq!(drawn, (0..subjects).collect::<Vec<_>>());
        }
    }
}

#[test]
fn the_order_of_samples_is_drawn_and_frozen() {
    let samples = |seed| -> Vec<usize> {
        order_by_sample(8, 1, 1, seed, |_| false, |sample| sample).iter().map(|cell| cell.0).collect()
    };
    assert_eq!(samples(42), FROZEN, "a journal of an older version could no longer be resumed");
    assert_ne!(samples(42), samples(43));
}

const FROZEN: [usize; 8] = [4, 7, 0, 1, 3, 2, 6, 5];
