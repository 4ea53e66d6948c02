//! Ctrl-C, once and twice.

use std::sync::Arc;
use std::time::Duration;

use eval_run::{RunEnding, Stop};
use eval_spec::{Event, Failure};

use crate::kit::{Bench, Scripted, failing, good, keys};

fn after(ms: u64, stop: &Stop, act: fn(&Stop)) {
    let stop = stop.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(ms)).await;
        act(&stop);
    });
}

#[tokio::test(start_paused = true)]
async fn draining_finishes_what_runs_and_resuming_does_the_rest() {
    let mut bench = Bench::new(20);
    bench.limits.concurrency = 4;
    let executor = Arc::new(Scripted::new(|_| good()).taking(100));
    after(250, &bench.stop, Stop::drain);
    let ran = bench.run(&executor).await;
    // One alone, then four at a time: 1 + 4 + 4.
    assert_eq!((ran.end.done, ran.end.ended.clone()), (9, RunEnding::Interrupted));
    assert!(ran.events.iter().any(|event| matches!(event, Event::Stopping { running: 4 })));
    assert_eq!(ran.records.iter().flatten().count(), 9);

    bench.stop = Stop::new();
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (40, RunEnding::Complete));
    assert!(matches!(ran.events[0], Event::RunStarted { total: 40, resumed: 9 }));
    assert_eq!(executor.calls(), keys(&bench.plan), "no cell twice, none left out");
}

#[tokio::test(start_paused = true)]
async fn draining_does_not_wait_for_back_offs() {
    let mut bench = Bench::new(3);
    bench.limits.retry = eval_run::Retry::infrastructure(9);
    let executor = Arc::new(Scripted::new(|_| failing(Failure::Server)));
    after(5_000, &bench.stop, Stop::drain);
    let since = tokio::time::Instant::now();
    let ran = bench.run(&executor).await;
    assert!(since.elapsed() < Duration::from_secs(6));
    // The cell is not done, and what it has tried is written down.
    assert_eq!((ran.failures(), ran.end.done), (vec![Failure::Interrupted], 0));
    let tried = ran.records.iter().flatten().flat_map(|record| &record.execution.failed_attempts);
    assert!(tried.clone().count() >= 2 && tried.clone().all(|error| error.failure == Failure::Server));
}

#[tokio::test(start_paused = true)]
async fn killing_drops_the_calls_at_once_and_leaves_a_resumable_journal() {
    let mut bench = Bench::new(10);
    bench.limits.concurrency = 4;
    let executor = Arc::new(Scripted::new(|_| good()).taking(1_000));
    after(1_500, &bench.stop, Stop::kill);
    let since = tokio::time::Instant::now();
    let ran = bench.run(&executor).await;
    assert!(since.elapsed() < Duration::from_millis(1_600));
    assert_eq!(executor.running(), 0);
    assert_eq!((ran.end.done, ran.end.ended.clone()), (1, RunEnding::Interrupted));
    assert_eq!(ran.failures(), [Failure::Interrupted; 4]);

    bench.stop = Stop::new();
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.answers()), (20, 20));
    assert_eq!(executor.calls().len(), 24, "only what was in flight ran again");
}

#[tokio::test(start_paused = true)]
async fn an_answer_whose_grading_was_killed_is_graded_on_resume_without_a_call() {
    let mut bench = Bench::new(1);
    bench.limits.concurrency = 2;
    bench.grading_ms = 60_000;
    let executor = Arc::new(Scripted::new(|_| good()));
    after(1_000, &bench.stop, Stop::kill);
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (0, RunEnding::Interrupted));
    assert_eq!(ran.answers(), 2, "both answers were safe before their grades");

    bench.stop = Stop::new();
    bench.grading_ms = 0;
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (2, RunEnding::Complete));
    assert!(ran.records.iter().flatten().all(|record| record.grade.is_some()));
    assert_eq!(executor.calls().len(), 2);
}
