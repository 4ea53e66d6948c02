//! One limit for all calls of a provider.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use eval_run::{Guard, RunEnding, Stop};
use eval_spec::call::Usage;
use eval_spec::context::Clock;
use eval_spec::{Event, Executor, Failure, Output};
use tokio::time::Instant;

use crate::kit::{Bench, Scripted, call_of, failing, good, plan, retry_after};

fn bench(samples: usize, concurrency: usize, retry: u32) -> Bench {
    let mut bench = Bench::new(samples);
    bench.adaptive = true;
    bench.limits.concurrency = concurrency;
    bench.limits.retry = eval_run::Retry::infrastructure(retry);
    bench
}

#[tokio::test(start_paused = true)]
async fn two_thousand_calls_of_50_ms_take_little_more_than_their_share() {
    let bench = bench(1000, 32, 2);
    let executor = Arc::new(Scripted::new(|_| good()).taking(50));
    let since = Instant::now();
    bench.run(&executor).await;
    assert!(since.elapsed() < Duration::from_millis(3_300), "{:?} instead of 3.125 s", since.elapsed());
    assert_eq!(executor.most_at_once(), 32);
    let times = executor.times();
    assert_eq!(times[1] - times[0], Duration::from_millis(50), "the first call is alone");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_bears_four_calls_gets_every_cell_done() {
    for retry in [1, 2] {
        let bench = bench(200, 32, retry);
        let executor = Arc::new(
            Scripted::new(|seen| if seen.running > 4 { failing(Failure::RateLimited) } else { good() }).taking(100),
        );
        let ran = bench.run(&executor).await;
        assert_eq!((ran.end.ended.clone(), ran.failures().len()), (RunEnding::Complete, 0), "retry {retry}");
        assert!(ran.events.iter().any(|event| matches!(event, Event::Throttled { .. })));
        let refused = executor.calls().len() - 400;
        assert!(refused < 100, "{refused} calls were refused: the limiter doesn't learn");
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_silences_every_call_of_the_provider() {
    let bench = bench(40, 16, 2);
    let executor = Arc::new(
        Scripted::new(|seen| match (&*seen.call.key.sample, seen.attempt) {
            ("s9", 0) => retry_after(30),
            _ => good(),
        })
        .taking(10),
    );
    let ran = bench.run(&executor).await;
    assert_eq!(ran.failures().len(), 0);
    let times = executor.times();
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(longest >= Duration::from_millis(29_900), "the longest silence was {longest:?}");
    let paused = ran.events.iter().any(|event| {
        matches!(event, Event::Throttled { pause, provider, .. }
        if *pause == Duration::from_secs(30) && provider == "vendor")
    });
    assert!(paused);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_limits_for_ever_ends_the_run_in_its_middle() {
    let bench = bench(50, 16, 2);
    let executor = Arc::new(
        Scripted::new(|seen| if &*seen.call.key.sample == "s0" { good() } else { failing(Failure::RateLimited) })
            .taking(10),
    );
    let since = Instant::now();
    let ran = bench.run(&executor).await;
    assert!(matches!(ran.end.ended, RunEnding::Aborted { error } if error.failure == Failure::RateLimited));
    assert!((2..=28).contains(&ran.end.done), "{}", ran.end.done);
    assert!(since.elapsed() < Duration::from_secs(15 * 60), "{:?}", since.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_server_that_always_limits_but_one_call_is_worked_off_one_by_one() {
    let bench = bench(20, 16, 2);
    let executor = Arc::new(
        Scripted::new(|seen| if seen.running > 1 { failing(Failure::RateLimited) } else { good() }).taking(10),
    );
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.ended.clone(), ran.answers()), (RunEnding::Complete, 40));
}

#[tokio::test(start_paused = true)]
async fn an_hours_retry_after_fails_now_and_says_when_to_come_back() {
    let bench = bench(50, 8, 3);
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    let executor = Arc::new(
        Scripted::new(move |_| if count.fetch_add(1, Ordering::Relaxed) == 30 { retry_after(3600) } else { good() })
            .taking(10),
    );
    let since = Instant::now();
    let ran = bench.run(&executor).await;
    assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
    let RunEnding::Aborted { error } = &ran.end.ended else { unreachable!("{:?}", ran.end.ended.clone()) };
    let text = error.to_string();
    assert!(text.contains("`vendor` wants no calls for 60 minutes; resume after 20"), "{text}");
    assert!(executor.calls().len() < 40);
}

#[tokio::test(start_paused = true)]
async fn requests_a_minute_are_kept() {
    let mut bench = bench(60, 32, 0);
    bench.limits.rpm = Some(30);
    let executor = Arc::new(Scripted::new(|_| good()).taking(10));
    bench.run(&executor).await;
    let times = executor.times();
    for (i, first) in times.iter().enumerate() {
        let in_minute = times[i..].iter().take_while(|at| **at - *first < Duration::from_secs(60)).count();
        assert!(in_minute <= 30, "{in_minute}");
    }
    // 120 calls at 30 a minute: the last leaves not long after 238 s.
    let whole = *times.last().unwrap() - times[0];
    assert!(whole < Duration::from_secs(242), "{whole:?}");
}

#[tokio::test(start_paused = true)]
async fn tokens_a_minute_are_kept_once_their_number_is_known() {
    let mut bench = bench(40, 8, 0);
    bench.limits.tpm = Some(60_000);
    let executor = Arc::new(
        Scripted::new(|_| {
            let usage = Usage { input_tokens: 1_500, output_tokens: 500, ..Usage::default() };
            Ok(Output { usage: Some(usage), ..Output::text("good") })
        })
        .taking(10),
    );
    bench.run(&executor).await;
    let times = executor.times();
    for (i, first) in times.iter().enumerate() {
        let in_minute = times[i..].iter().take_while(|at| **at - *first < Duration::from_secs(60)).count();
        // What the first calls were guessed too low is at most a window of eight.
        assert!(in_minute <= 38, "{in_minute} calls of 2000 tokens in a minute");
    }
    let whole = *times.last().unwrap() - times[0];
    assert!((Duration::from_secs(140)..Duration::from_secs(200)).contains(&whole), "80 calls in {whole:?}");
}

#[tokio::test(start_paused = true)]
async fn a_local_executor_gets_all_its_places_right_after_the_first_call() {
    let mut bench = bench(20, 8, 0);
    bench.adaptive = false;
    let executor = Arc::new(Scripted::new(|_| failing(Failure::Crashed)).taking(100));
    bench.run(&executor).await;
    let times = executor.times();
    let second_round = times.iter().filter(|at| **at - times[0] == Duration::from_millis(100)).count();
    assert_eq!(second_round, 8);
}

#[tokio::test(start_paused = true)]
async fn judges_share_the_silence_of_their_provider_and_retry_as_cells_do() {
    let bench = bench(1, 4, 2);
    let guard = Arc::new(Guard::new(bench.limits, Stop::new(), 1, Clock::System));
    let limited = Arc::new(Scripted::new(|seen| if seen.attempt == 0 { retry_after(20) } else { good() }));
    let other = Arc::new(Scripted::new(|_| good()));
    let (first, second) = (bench.guarded_by(&limited, &guard), bench.guarded_by(&other, &guard));
    let cell = plan(1, 1, 1).cells.remove(0);
    let call = call_of(&cell);
    let mut of_another_model = call_of(&cell);
    of_another_model.model = "judge".to_owned();
    let since = Instant::now();
    let later = async {
        tokio::time::sleep(Duration::from_millis(1)).await;
        second.call(&of_another_model).await
    };
    let (a, b) = futures::join!(first.call(&call), later);
    assert!(a.is_ok() && b.is_ok());
    assert_eq!((limited.calls().len(), other.calls().len()), (2, 1));
    assert!(other.times()[0] - since >= Duration::from_secs(20));
}

#[tokio::test(start_paused = true)]
async fn a_judges_wrong_key_is_tried_once_and_ends_the_run() {
    let bench = bench(1, 4, 2);
    let guard = Arc::new(Guard::new(bench.limits, Stop::new(), 1, Clock::System));
    let judge = Arc::new(Scripted::new(|_| failing(Failure::Auth)));
    let guarded = bench.guarded_by(&judge, &guard);
    let call = call_of(&plan(1, 1, 1).cells[0]);
    for _ in 0..5 {
        assert!(matches!(guarded.call(&call).await, Err(error) if error.failure == Failure::Auth));
    }
    assert_eq!(judge.calls().len(), 1);
    assert!(guard.stop().is_draining());
}

#[tokio::test(start_paused = true)]
async fn a_judges_empty_account_is_asked_once_and_ends_the_run() {
    let bench = bench(1, 4, 2);
    let guard = Arc::new(Guard::new(bench.limits, Stop::new(), 1, Clock::System));
    let judge = Arc::new(Scripted::new(|seen| match seen.attempt {
        0 => good(),
        _ => failing(Failure::NoCredit),
    }));
    let guarded = bench.guarded_by(&judge, &guard);
    let call = call_of(&plan(1, 1, 1).cells[0]);
    assert!(guarded.call(&call).await.is_ok());
    for _ in 0..5 {
        assert!(matches!(guarded.call(&call).await, Err(error) if error.failure == Failure::NoCredit));
    }
    assert_eq!(judge.calls().len(), 2);
    assert!(guard.stop().is_draining());
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_only_limits_from_the_start_is_given_up_after_a_minute() {
    for concurrency in [1, 12] {
        let bench = bench(6, concurrency, 3);
        let executor = Arc::new(Scripted::new(|_| failing(Failure::RateLimited)).taking(10));
        let since = Instant::now();
        let ran = bench.run(&executor).await;
        let RunEnding::Aborted { error } = &ran.end.ended else { unreachable!("{:?}", ran.end.ended) };
        assert_eq!(error.message.id, "run-only-limited");
        let lasted = since.elapsed().as_secs_f64();
        assert!((60.0..100.0).contains(&lasted), "{lasted} s with {concurrency} at once");
        let times = executor.times();
        let pauses: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]).as_secs_f64()).collect();
        let grown = [1.0, 2.0, 4.0, 8.0, 16.0, 30.0];
        for (pause, whole) in pauses.iter().zip(grown) {
            assert!((whole / 2.0..=whole + 0.1).contains(pause), "{pauses:?}");
            assert!((pause - pause.round()).abs() > 1e-6, "without jitter: {pauses:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_in_the_middle_of_a_run_is_waited_for_longer() {
    let began = Instant::now();
    let bench = bench(10, 4, 8);
    let executor = Arc::new(
        Scripted::new(move |_| match began.elapsed().as_secs() {
            10..200 => failing(Failure::RateLimited),
            _ => good(),
        })
        .taking(5_000),
    );
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.ended.clone(), ran.answers()), (RunEnding::Complete, 20));
}
