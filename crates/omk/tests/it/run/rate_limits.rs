//! Rate limits: those of a server, and `--rpm`.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jiff::Unit;
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::{eval_with, executions, says, says_better, sum};
use crate::fixtures::context::TestContext;

#[test]
fn retry_after_beyond_a_day_is_reported_without_its_number() {
    for (asked, says) in [("86400", "for 1440 minutes; resume after"), ("99999999999", "for more than a day")] {
        let api = FakeApi::start(ReplyScript::with(move |_| {
            FakeReply::error(429, "rate_limit_error", "slow down").header("retry-after", asked)
        }));
        let mut context = TestContext::with_agent();
        context.samples(2, &says_better());
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        let finished = context.run(&eval_with("openai-api", &[])).expect(3);
        assert!(self::says(&finished, says), "{finished:#?}");
        assert!(!finished.stderr.contains("99999") && !finished.stderr.contains("9999-"), "{finished:#?}");
        assert_eq!(api.count(), 1);
    }
}

#[test]
fn status_429_pauses_every_call_to_the_provider() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let recorder = Arc::clone(&times);
    let api = FakeApi::start(ReplyScript::with(move |request| {
        let limited = request.number == 6;
        recorder.lock().unwrap().push(Instant::now());
        match limited {
            true => FakeReply::error(429, "rate_limit_error", "slow down").header("retry-after", "2"),
            false => FakeReply::text("better").after(Duration::from_millis(20)),
        }
    }));
    let mut context = TestContext::with_agent();
    context.samples(10, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    context.run(&eval_with("openai-api", &["--concurrency", "4", "--report-only"])).expect(0);
    let times = times.lock().unwrap();
    assert_eq!(times.len(), 21);
    // Calls that were on their way still arrive; then no other does for two seconds.
    let longest = times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
    assert!(longest > Duration::from_secs(1), "{longest:?}");
    assert_eq!(sum(&context.report(), "/outcomes/answered"), 20);
}

#[test]
fn requests_per_minute_are_spread_evenly() {
    let api = FakeApi::start(ReplyScript::always(FakeReply::text("better")));
    let mut context = TestContext::with_agent();
    context.samples(3, &says_better());
    context.env("ANTHROPIC_BASE_URL", &api.url);
    context.run(&eval_with("anthropic-api", &["--rpm", "120", "--concurrency", "6", "--report-only"])).expect(0);
    // Six calls, half a second apart.
    let executions = executions(&context.home());
    let took = executions[5].began - executions[0].began;
    assert_eq!((executions.len(), api.count()), (6, 6));
    assert!(took.total(Unit::Millisecond).unwrap() > 2_400.0, "{took}");
}
