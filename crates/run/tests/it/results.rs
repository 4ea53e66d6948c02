//! Where a failure is a result of the one that was asked.

use std::sync::Arc;
use std::time::Duration;

use eval_run::{Outage, RunEnding};
use eval_spec::Failure;

use crate::kit::{Bench, Scripted, failing, good, retry_after};

fn bench(samples: usize) -> Bench {
    let mut bench = Bench::new(samples);
    bench.limits.outage = Outage::IsAResult;
    bench.limits.concurrency = 8;
    bench
}

#[tokio::test(start_paused = true)]
async fn what_waits_for_a_place_does_not_use_up_its_time() {
    let mut bench = bench(20);
    bench.at_once = Some(1);
    // A call may take 60 s; the last of forty would begin after half an hour.
    let executor = Arc::new(Scripted::new(|_| good()).taking(50_000));
    let ran = bench.run(&executor).await;
    assert_eq!((ran.answers(), executor.most_at_once()), (40, 1));
    bench.at_once = Some(3);
    bench.folder = tempfile::tempdir().unwrap();
    let executor = Arc::new(Scripted::new(|_| good()).taking(50_000));
    assert_eq!((bench.run(&executor).await.answers(), executor.most_at_once()), (40, 3));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_is_a_result_is_never_asked_for_again_and_every_other_is() {
    let results =
        [Failure::Timeout, Failure::Skill, Failure::Crashed, Failure::Malformed, Failure::Dropped, Failure::Server];
    let results = results.into_iter().chain([Failure::Unreachable, Failure::Auth]);
    let ours = [Failure::Spawn, Failure::Interrupted, Failure::NoRecording, Failure::RateLimited, Failure::Rejected];
    let all = results.map(|failure| (failure, 0)).chain(ours.map(|failure| (failure, 10)));
    for (failure, again) in all {
        let bench = bench(5);
        bench.run(&Arc::new(Scripted::new(move |_| failing(failure)))).await;
        let well = Arc::new(Scripted::new(|_| good()));
        let resumed = bench.run(&well).await;
        assert_eq!((well.calls().len(), resumed.answers()), (again, again), "{failure:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_sent_for_long_is_left_and_sent_when_the_run_goes_on() {
    let mut bench = bench(10);
    bench.limits.concurrency = 1;
    let away = |seen: crate::kit::Seen<'_>| match &*seen.call.key.to_string() {
        key if key.starts_with("s3") => retry_after(3600),
        _ => good(),
    };
    let executor = Arc::new(Scripted::new(away).taking(10));
    let ran = bench.run(&executor).await;
    assert!(
        matches!(&ran.end.ended, RunEnding::Aborted { error } if error.failure == Failure::RateLimited),
        "{:?}",
        ran.end
    );
    assert!(ran.end.done < 20 && ran.failures() == [Failure::RateLimited], "{:?}", ran.end);
    tokio::time::advance(Duration::from_secs(4000)).await;
    let resumed = bench.run(&Arc::new(Scripted::new(|_| good()))).await;
    assert_eq!((resumed.end.ended.clone(), resumed.answers()), (RunEnding::Complete, 20));
}
