//! Calls per minute.

use std::time::Duration;

use eval_run::internals::Bucket;
use proptest::prelude::*;
use tokio::time::Instant;

proptest! {
    #[test]
    fn no_minute_holds_more_calls_than_allowed(per_minute in 1u32..3000, pauses in proptest::collection::vec(0u64..90, 0..6)) {
        let (mut now, mut left) = (Instant::now(), Vec::new());
        let mut bucket = Bucket::new(f64::from(per_minute), 1.0, 1.0 / 600.0, now);
        for pause in pauses.into_iter().chain([0]) {
            now += Duration::from_secs(pause);
            for _ in 0..per_minute * 2 {
                now += bucket.wait(1.0, now);
                bucket.take(1.0);
                left.push(now);
            }
        }
        // The call after the next `per_minute - 1` leaves at least a minute later.
        for window in left.windows(per_minute as usize + 1) {
            let span = window[window.len() - 1] - window[0];
            prop_assert!(span >= Duration::from_secs(60), "{per_minute} and one more within {span:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_larger_than_the_bucket_goes_and_is_paid_back() {
    let now = Instant::now();
    let mut bucket = Bucket::new(600.0, 0.0, 0.1, now);
    assert_eq!(bucket.wait(5_000.0, now), Duration::ZERO);
    bucket.take(600.0);
    // 540 overdrawn and 60 to be full again, at 9 a second.
    assert_eq!(bucket.wait(60.0, now).as_secs(), 66);
}
