//! Which failures are retried, and when.

use std::time::Duration;

use eval_message::msg;
use eval_run::Retry;
use eval_run::internals::Retries;
use eval_spec::{CellKey, ExecError, Failure};

fn retries(allowed: u32) -> Retries {
    Retries::new(Retry::infrastructure(allowed), 7, &CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 })
}

fn error(failure: Failure) -> ExecError {
    ExecError::new(failure, msg!("run-interrupted"))
}

#[test]
fn waits_double_within_their_jitter_up_to_a_minute() {
    let mut retries = retries(8);
    for base in [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0] {
        let wait = retries.after(&error(Failure::Server), false).map_or(0.0, |wait| wait.as_secs_f64());
        assert!((base / 2.0..=base).contains(&wait), "{wait} for {base}");
    }
    assert_eq!(retries.after(&error(Failure::Server), false), None);
}

#[test]
fn a_longer_retry_after_is_obeyed() {
    let asked = ExecError { retry_after_ms: Some(30_000), ..error(Failure::RateLimited) };
    assert_eq!(retries(1).after(&asked, false), Some(Duration::from_secs(30)));
}

#[test]
fn a_429_among_many_calls_costs_no_retry_but_not_forever_and_never_with_zero() {
    let mut one = retries(1);
    let granted = (0..20).filter(|_| one.after(&error(Failure::RateLimited), true).is_some()).count();
    assert_eq!(granted, 6);
    assert_eq!(retries(0).after(&error(Failure::RateLimited), true), None);
}

#[test]
fn only_infrastructure_failures_that_may_pass_are_retried() {
    for failure in [
        Failure::Auth,
        Failure::Rejected,
        Failure::Spawn,
        Failure::Crashed,
        Failure::Skill,
        Failure::NoRecording,
        Failure::Interrupted,
        Failure::Budget,
    ] {
        assert_eq!(retries(5).after(&error(failure), true), None, "{failure:?}");
    }
}

#[test]
fn a_skills_own_error_is_asked_again_only_where_that_is_wanted() {
    let key = CellKey { sample: "s".into(), subject: "v".into(), repeat: 0 };
    let granted = |allowed: Retry, failure| {
        let mut retries = Retries::new(allowed, 7, &key);
        (0..9).filter(|_| retries.after(&error(failure), false).is_some()).count()
    };
    let skills = Retry { transient: 2, unanswered: 0, failed: 0 };
    assert_eq!(granted(skills, Failure::Server), 2);
    assert_eq!(granted(skills, Failure::Timeout), 0);
    assert_eq!(granted(Retry { failed: 3, ..skills }, Failure::Skill), 3);
    assert_eq!(granted(Retry { failed: 3, ..skills }, Failure::Spawn), 0);
}
