//! The loop: order, probe, retries, deadlines, events, two runs at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use eval_run::{RunEnding, RunError, Stop};
use eval_spec::record::Executed;
use eval_spec::{Event, ExecError, Failure, Outcome, Output};

use crate::kit::{Bench, Scripted, Seen, failing, good, keys, lines, plan};

#[tokio::test]
async fn cells_start_in_the_plans_order_at_any_concurrency() {
    for concurrency in [1, 8] {
        let mut bench = Bench::with_plan(plan(10, 3, 2));
        bench.limits.concurrency = concurrency;
        let executor = Arc::new(Scripted::new(|_| good()).taking(3));
        let ran = bench.run(&executor).await;
        assert_eq!(executor.calls(), keys(&bench.plan));
        assert_eq!((ran.end.done, ran.end.ended.clone()), (60, RunEnding::Complete));
        assert_eq!(executor.most_at_once(), concurrency);
    }
}

#[tokio::test]
async fn a_cell_is_announced_only_when_the_journal_has_its_output_and_grade() {
    let bench = Bench::new(3);
    let path = bench.journal_path();
    let executor = Arc::new(Scripted::new(|_| good()));
    let journal = Arc::new(bench.journal().unwrap());
    let mut seen = 0;
    let engine = eval_run::Engine {
        executors: eval_run::Executors::one(bench.guarded(&executor)),
        grader: Arc::new(crate::kit::Graded(0)),
        call: &crate::kit::call_of,
        journal,
        on_event: &mut |event| {
            if let Event::CellFinished { record, done } = event {
                let key = record.execution.key.to_string();
                let on_disk = lines(&path);
                assert!(on_disk.iter().any(|line| line["execution"]["key"] == key.as_str()));
                assert!(on_disk.iter().any(|line| line["grade"]["key"] == key.as_str()));
                assert!(record.grade.is_some());
                seen += 1;
                assert_eq!(done, seen);
            }
        },
        watch: None,
        again: None,
    };
    engine.run(&bench.plan).await.unwrap();
    assert_eq!(seen, 6);
}

#[tokio::test(start_paused = true)]
async fn a_hopeless_first_call_is_the_only_one() {
    for failure in [Failure::Auth, Failure::Spawn, Failure::Unreachable] {
        let mut bench = Bench::new(500);
        bench.limits.concurrency = 32;
        bench.limits.retry = eval_run::Retry::infrastructure(5);
        let executor = Arc::new(Scripted::new(move |_| failing(failure)).taking(10));
        let ran = bench.run(&executor).await;
        assert_eq!(executor.calls().len(), 1, "{failure:?}");
        assert!(matches!(ran.end.ended, RunEnding::Aborted { error } if error.failure == failure));
        assert_eq!(ran.end.done, 1);
    }
}

/// A first request that is rejected for its own sake, as a prompt that is too long, is that cell's failure.
#[tokio::test(start_paused = true)]
async fn a_rejected_first_request_costs_only_its_cell_and_is_final() {
    for status in [400, 403, 404, 413, 302] {
        let bench = Bench::new(10);
        let rejected = move |seen: Seen<'_>| match &*seen.call.key.sample {
            "s0" => Err(ExecError { status: Some(status), ..failing(Failure::of_status(status)).unwrap_err() }),
            _ => good(),
        };
        let ran = bench.run(&Arc::new(Scripted::new(rejected))).await;
        assert_eq!(
            (ran.end.ended.clone(), ran.answers(), ran.failures().len()),
            (RunEnding::Complete, 18, 2),
            "{status}"
        );
        // Going on asks no one what would be rejected again; access may have been granted since.
        let well = Arc::new(Scripted::new(|_| good()));
        let again = bench.run(&well).await;
        assert_eq!(again.end.ended, RunEnding::Complete);
        assert_eq!(well.calls().len(), if status == 403 { 2 } else { 0 }, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_start_that_fails_alike_on_three_samples_ends_the_run() {
    for failure in [Failure::Rejected, Failure::Crashed, Failure::Malformed] {
        let mut bench = Bench::new(500);
        bench.limits.concurrency = 4;
        let executor = Arc::new(Scripted::new(move |_| failing(failure)).taking(10));
        let ran = bench.run(&executor).await;
        assert!(matches!(ran.end.ended, RunEnding::Aborted { error } if error.failure == failure));
        assert!(executor.calls().len() < 16, "{failure:?}: {}", executor.calls().len());
        // Nothing was answered, so the reason may have been mended: all is asked again.
        bench.stop = Stop::new();
        let well = Arc::new(Scripted::new(|_| good()));
        assert_eq!(bench.run(&well).await.answers(), 1000);
    }
}

/// A variant whose command crashes at once says nothing of the variants that take longer to answer.
#[tokio::test(start_paused = true)]
async fn a_variant_that_always_fails_does_not_end_the_run_of_a_slower_one() {
    for failure in [Failure::Rejected, Failure::Crashed, Failure::Malformed] {
        let mut bench = Bench::new(10);
        bench.limits.concurrency = 4;
        let executor = Scripted::new(move |seen| match &*seen.call.key.subject {
            "v1" => failing(failure),
            _ => good(),
        });
        let ran = bench.run(&Arc::new(executor.taking(60_000).failing_at_once())).await;
        assert_eq!((ran.end.ended.clone(), ran.answers()), (RunEnding::Complete, 10), "{failure:?}");
    }
}

/// What is rejected for different reasons, or after an answer, says nothing of the other requests.
#[tokio::test(start_paused = true)]
async fn requests_that_are_rejected_for_their_own_sake_end_no_run() {
    let bench = Bench::new(10);
    let each = |seen: Seen<'_>| {
        let detail = Some(format!("{} is too long", seen.call.key.sample));
        Err(ExecError { detail, ..failing(Failure::Rejected).unwrap_err() })
    };
    let ran = bench.run(&Arc::new(Scripted::new(each))).await;
    assert_eq!((ran.end.ended.clone(), ran.failures().len()), (RunEnding::Complete, 20));
    let bench = Bench::new(10);
    let but_one = |seen: Seen<'_>| if &*seen.call.key.sample == "s0" { good() } else { failing(Failure::Rejected) };
    let ran = bench.run(&Arc::new(Scripted::new(but_one))).await;
    assert_eq!((ran.end.ended.clone(), ran.answers()), (RunEnding::Complete, 2));
}

/// A provider that is away for the first call of a resumed run is waited for: the answers show that calls can succeed.
#[tokio::test(start_paused = true)]
async fn a_run_with_answers_is_not_ended_by_its_next_first_call() {
    for failure in [Failure::Auth, Failure::Spawn, Failure::Unreachable] {
        let bench = Bench::new(10);
        let most = |seen: Seen<'_>| if &*seen.call.key.sample == "s3" { failing(Failure::Timeout) } else { good() };
        assert_eq!(bench.run(&Arc::new(Scripted::new(most))).await.answers(), 18);
        let away = AtomicBool::new(true);
        let first = move |_: Seen<'_>| if away.swap(false, Ordering::Relaxed) { failing(failure) } else { good() };
        let ran = bench.run(&Arc::new(Scripted::new(first))).await;
        assert_eq!((ran.end.ended.clone(), ran.answers()), (RunEnding::Complete, 19), "{failure:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_hopeless_failure_later_on_costs_only_its_cell() {
    let bench = Bench::new(10);
    let executor = Arc::new(Scripted::new(|seen| match &*seen.call.key.sample {
        "s5" => failing(Failure::Rejected),
        _ => good(),
    }));
    let ran = bench.run(&executor).await;
    assert_eq!(ran.end.ended, RunEnding::Complete);
    assert_eq!((ran.answers(), ran.failures()), (18, vec![Failure::Rejected; 2]));
}

#[tokio::test(start_paused = true)]
async fn a_key_that_is_revoked_midway_ends_the_run_soon() {
    let mut bench = Bench::new(500);
    bench.limits.concurrency = 4;
    let executor = Arc::new(
        Scripted::new(|seen| match &*seen.call.key.sample {
            "s0" | "s1" => good(),
            _ => failing(Failure::Auth),
        })
        .taking(10),
    );
    let ran = bench.run(&executor).await;
    assert!(matches!(ran.end.ended, RunEnding::Aborted { .. }));
    assert!(executor.calls().len() < 30, "{}", executor.calls().len());
}

#[tokio::test(start_paused = true)]
async fn an_empty_account_midway_ends_the_run_at_once() {
    let mut bench = Bench::new(500);
    bench.limits.concurrency = 4;
    let executor = Arc::new(
        Scripted::new(|seen| match &*seen.call.key.sample {
            "s0" | "s1" => good(),
            _ => failing(Failure::NoCredit),
        })
        .taking(10),
    );
    let ran = bench.run(&executor).await;
    assert!(matches!(&ran.end.ended, RunEnding::Aborted { error } if error.failure == Failure::NoCredit));
    assert!(executor.calls().len() <= 4 + 4, "{}", executor.calls().len());
}

#[tokio::test(start_paused = true)]
async fn only_failures_that_may_pass_are_tried_again() {
    let cases = [
        (Failure::Timeout, 3),
        (Failure::RateLimited, 3),
        (Failure::Server, 3),
        (Failure::Dropped, 3),
        (Failure::Malformed, 3),
        (Failure::Auth, 1),
        (Failure::Rejected, 1),
        (Failure::Crashed, 1),
        (Failure::NoRecording, 1),
    ];
    for (failure, attempts) in cases {
        let mut bench = Bench::with_plan(plan(1, 1, 1));
        bench.limits.retry = eval_run::Retry::infrastructure(2);
        let executor = Arc::new(Scripted::new(move |_| failing(failure)));
        let ran = bench.run(&executor).await;
        assert_eq!(executor.calls().len(), attempts, "{failure:?}");
        let record = ran.records[0].as_ref().unwrap();
        assert_eq!(record.execution.failed_attempts.len(), attempts - 1);
        assert_eq!(record.grade, None);
        let retries = ran.events.iter().filter(|event| matches!(event, Event::AttemptFailed { .. })).count();
        assert_eq!(retries, attempts - 1);
    }
}

#[tokio::test(start_paused = true)]
async fn retry_0_is_honoured() {
    let mut bench = Bench::new(10);
    bench.limits.concurrency = 8;
    let executor = Arc::new(Scripted::new(|seen| match &*seen.call.key.sample {
        "s3" => failing(Failure::RateLimited),
        "s4" => failing(Failure::Server),
        _ => good(),
    }));
    bench.run(&executor).await;
    assert_eq!(executor.calls().len(), 20);
}

#[tokio::test(start_paused = true)]
async fn a_passing_failure_leaves_its_trace_and_the_answer() {
    let mut bench = Bench::with_plan(plan(1, 1, 1));
    bench.limits.retry = eval_run::Retry::infrastructure(2);
    let executor =
        Arc::new(Scripted::new(|seen| if seen.attempt == 0 { failing(Failure::Server) } else { good() }).taking(100));
    let ran = bench.run(&executor).await;
    let record = ran.records[0].as_ref().unwrap();
    assert_eq!(record.execution.failed_attempts[0].failure, Failure::Server);
    assert!(matches!(record.execution.result, Executed::Output(_)));
    assert!(record.grade.is_some());
}

#[tokio::test(start_paused = true)]
async fn an_executor_that_overruns_its_limit_is_dropped_five_seconds_later() {
    let bench = Bench::with_plan(plan(1, 1, 1));
    let executor = Arc::new(Scripted::new(|_| good()).taking(3_600_000));
    let since = tokio::time::Instant::now();
    let ran = bench.run(&executor).await;
    assert_eq!(ran.failures(), [Failure::Timeout]);
    let took = since.elapsed();
    assert!((Duration::from_secs(65)..Duration::from_secs(66)).contains(&took), "{took:?}");
    assert_eq!(executor.running(), 0);
}

#[tokio::test]
async fn what_is_no_answer_is_recorded_and_not_graded() {
    let bench = Bench::new(1);
    let executor = Arc::new(Scripted::new(|_| Ok(Output { outcome: Outcome::Refused, ..Output::text("no") })));
    let ran = bench.run(&executor).await;
    assert!(ran.records.iter().flatten().all(|record| record.grade.is_none()));
    assert_eq!(ran.end.ended, RunEnding::Complete);
    // It is final all the same: the model has spoken.
    bench.run(&executor).await;
    assert_eq!(executor.calls().len(), 2);
}

#[tokio::test]
async fn a_second_process_is_told_that_the_journal_is_taken() {
    let bench = Bench::new(1);
    let held = bench.journal().unwrap();
    let executor = Arc::new(Scripted::new(|_| good()));
    let refused = bench.try_run(&executor).await.map(|ran| ran.end);
    assert_eq!(refused, Err(RunError::Locked { path: bench.journal_path() }));
    assert!(executor.calls().is_empty());
    drop(held);
    assert_eq!(bench.run(&executor).await.end.ended, RunEnding::Complete);
}

#[tokio::test]
async fn the_journal_of_another_plan_is_refused() {
    let mut bench = Bench::new(1);
    drop(bench.journal().unwrap());
    bench.plan = plan(2, 2, 1);
    let executor = Arc::new(Scripted::new(|_| good()));
    let refused = bench.try_run(&executor).await.map(|ran| ran.end);
    assert!(matches!(refused, Err(RunError::PlanChanged { .. })));
    assert!(executor.calls().is_empty());
}

#[tokio::test]
async fn events_come_in_the_order_in_which_a_reader_expects_them() {
    let mut bench = Bench::new(4);
    bench.limits.concurrency = 3;
    let ran = bench.run(&Arc::new(Scripted::new(|_| good()).taking(2))).await;
    assert!(matches!(ran.events.first(), Some(Event::RunStarted { total: 8, resumed: 0 })));
    assert!(matches!(ran.events.last(), Some(Event::RunFinished { done: 8 })));
    for key in bench.plan.cells.iter().map(|cell| &cell.key) {
        let at = |wanted: &dyn Fn(&Event) -> bool| ran.events.iter().position(wanted).unwrap();
        let started = at(&|event| matches!(event, Event::CellStarted { key: k } if k == key));
        let finished = at(&|event| matches!(event, Event::CellFinished { record, .. } if record.execution.key == *key));
        assert!(started < finished);
    }
}
