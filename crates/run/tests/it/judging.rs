//! Judges whose replies are unusable, or who are away.

use std::sync::Arc;

use eval_message::msg;
use eval_run::{Guard, Guarded, JournaledJudge, RunEnding, Stop};
use eval_spec::context::Clock;
use eval_spec::{Call, ExecError, Executor, Failure, Output};

use crate::kit::{Bench, Scripted, call_of, failing, good, plan};

/// A judge of a run with `samples` samples, whose reply is usable if it contains "good".
struct Judged {
    guard: Arc<Guard>,
    executor: Arc<Scripted>,
    judge: JournaledJudge,
    calls: Vec<Call>,
    _bench: Bench,
}

impl Judged {
    fn new(samples: usize, executor: Scripted, is_optional: bool) -> Judged {
        Judged::of(Bench::with_plan(plan(samples, 1, 1)), executor, is_optional)
    }

    fn of(mut bench: Bench, executor: Scripted, is_optional: bool) -> Judged {
        bench.limits.concurrency = 4;
        let guard = Arc::new(Guard::new(bench.limits, Stop::new(), 1, Clock::System));
        let executor = Arc::new(executor);
        let guarded = Guarded::new(Arc::clone(&executor) as Arc<dyn Executor>, Arc::clone(&guard), None, false);
        let guarded = if is_optional { guarded.optional() } else { guarded };
        let journal = Arc::new(bench.journal().unwrap());
        let check = |_: &Call, output: &Output| match output.text.contains("good") {
            true => Ok(()),
            false => Err(msg!("grade-reply-not-json")),
        };
        let judge = JournaledJudge::new(guarded, journal, check);
        let calls = bench.plan.cells.iter().map(call_of).collect();
        Judged { guard, executor, judge, calls, _bench: bench }
    }

    /// Asks three times about each sample, as a panel does.
    async fn ask_all(&self) -> Vec<Result<Output, ExecError>> {
        let mut replies = Vec::new();
        for call in &self.calls {
            for attempt in 0..3 {
                let prompt = format!("{} attempt {attempt}", call.prompt).into();
                replies.push(self.judge.call(&Call { prompt, ..call.clone() }).await);
            }
        }
        replies
    }
}

fn prose() -> Result<Output, ExecError> {
    Ok(Output::text("I rate this four of five"))
}

#[tokio::test(start_paused = true)]
async fn judge_without_any_usable_reply_ends_the_run_after_ten() {
    let judged = Judged::new(20, Scripted::new(|_| prose()), false);
    let replies = judged.ask_all().await;
    assert_eq!(judged.executor.calls().len(), 10);
    let left: Vec<_> = replies.into_iter().skip(10).collect();
    // Opinions that were not asked for are open: they are asked for when the run goes on.
    assert!(left.iter().all(|of| matches!(of, Err(error) if error.failure == Failure::Interrupted)));
    let Some(RunEnding::JudgeFailed { error }) = judged.guard.ending() else { unreachable!() };
    assert_eq!(
        (error.message.id.clone(), error.detail.as_deref()),
        ("grade-reply-not-json".into(), Some("I rate this four of five"))
    );
}

#[tokio::test(start_paused = true)]
async fn judge_with_one_usable_reply_or_two_samples_goes_on() {
    let once = Scripted::new(|seen| if &*seen.call.key.sample == "s0" { good() } else { prose() });
    let judged = Judged::new(20, once, false);
    judged.ask_all().await;
    assert_eq!((judged.executor.calls().len(), judged.guard.ending()), (60, None));
    // Two answers may be such that no judge replies to them.
    let judged = Judged::new(2, Scripted::new(|_| prose()), false);
    for _ in 0..3 {
        judged.ask_all().await;
    }
    assert_eq!(judged.guard.ending(), None);
}

#[tokio::test(start_paused = true)]
async fn resumed_judge_is_asked_only_for_replies_that_are_missing() {
    let judged = Judged::new(8, Scripted::new(|_| prose()), false);
    judged.ask_all().await;
    let Judged { _bench: bench, judge, .. } = judged;
    drop(judge);
    let mended = Judged::of(bench, Scripted::new(|_| good()), false);
    let replies = mended.ask_all().await;
    assert_eq!((replies.len(), mended.executor.calls().len()), (24, 14));
    assert_eq!(mended.guard.ending(), None);
}

#[tokio::test(start_paused = true)]
async fn outage_of_a_judge_is_the_judges() {
    let judged = Judged::new(8, Scripted::new(|_| failing(Failure::Auth)), false);
    judged.ask_all().await;
    assert_eq!(judged.executor.calls().len(), 1);
    assert!(matches!(judged.guard.ending(), Some(RunEnding::JudgeFailed { error }) if error.failure == Failure::Auth));
}

#[tokio::test(start_paused = true)]
async fn answers_that_a_run_can_do_without_are_let_be_after_three_unreadable_replies() {
    let judged = Judged::new(5, Scripted::new(|_| prose()), true);
    let replies = judged.ask_all().await;
    assert_eq!(judged.executor.calls().len(), 3);
    assert!(matches!(&replies[3], Err(error) if error.failure == Failure::Unreachable));
    assert_eq!(judged.guard.ending(), None);
    // A readable reply in between begins the count anew.
    let third = Scripted::new(|seen| if seen.call.prompt.ends_with('2') { good() } else { prose() });
    let judged = Judged::new(5, third, true);
    judged.ask_all().await;
    assert_eq!(judged.executor.calls().len(), 15);
}
