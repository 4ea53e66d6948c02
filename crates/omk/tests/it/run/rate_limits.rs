//! Rate limits: those of a server, and `--rpm`.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::{eval_with, says, says_better, sum};
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

/// Who refuses before an answer began selects none: the tier stays, and it is said where it met one variant only.
#[test]
fn one_variant_that_was_refused_far_more_often_is_named() {
    let says_so = |refused: &'static [&'static str]| {
        let seen = Mutex::new(HashSet::new());
        let api = FakeApi::start(ReplyScript::with(move |request| {
            let said = request.body["messages"].to_string();
            let meant = refused.iter().any(|name| said.contains(name)) && said.contains("question 3");
            match meant && seen.lock().unwrap().insert(said) {
                true => FakeReply::error(429, "rate_limit_error", "slow down").header("retry-after", "0"),
                false => FakeReply::text("better"),
            }
        }));
        let mut context = TestContext::with_agent();
        context.samples(6, &says_better());
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        context.run(&eval_with("openai-api", &["--report-only"])).expect(0);
        let report = context.report();
        let reasons = report["verdict"]["perTreatment"][0]["reasons"].to_string();
        let refused = report["verdict"]["inputs"]["treatments"][0]["arm"]["refusedFirst"].clone();
        context.run(&["report", "verdict", "latest"]).expect(0);
        (reasons.contains("report-why-refused-first"), refused, report["comparisons"][0].get("missing").is_some())
    };
    assert_eq!(says_so(&["better"]), (true, json!(1), false));
    assert_eq!(says_so(&["better", "plain"]), (false, json!(1), false));
}

/// A test of the engine, on a paused clock, shows that no call leaves during the pause.
#[test]
fn status_429_pauses_calls_and_fails_none() {
    let api = FakeApi::start(ReplyScript::with(|request| match request.number {
        6 => FakeReply::error(429, "rate_limit_error", "slow down").header("retry-after", "1"),
        _ => FakeReply::text("better"),
    }));
    let mut context = TestContext::with_agent();
    context.samples(10, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    let finished = context.run(&eval_with("openai-api", &["--concurrency", "4", "--report-only"])).expect(0);
    assert!(says(&finished, "limits the rate"), "{finished:#?}");
    assert_eq!(api.count(), 21);
    assert_eq!(sum(&context.report(), "/outcomes/answered"), 20);
}

/// That any minute keeps the limit is a test of the engine. Here: six calls at 120 a minute need five pauses of half a second.
#[test]
fn requests_per_minute_are_limited() {
    let api = FakeApi::start(ReplyScript::always(FakeReply::text("better")));
    let mut context = TestContext::with_agent();
    context.samples(3, &says_better());
    context.env("ANTHROPIC_BASE_URL", &api.url);
    let began = Instant::now();
    context.run(&eval_with("anthropic-api", &["--rpm", "120", "--concurrency", "6", "--report-only"])).expect(0);
    let took = began.elapsed();
    assert_eq!(api.count(), 6);
    assert!(took >= Duration::from_millis(2_500), "no load makes it shorter: {took:?}");
}
