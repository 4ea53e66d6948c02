//! Reserve before, settle after.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use eval_run::{Budget, BudgetStop, RunEnding};
use eval_spec::units::Usd;
use eval_spec::{CallPrice, Event, Failure, Output};

use crate::kit::{Bench, Scripted, Seen, costing, failing, good};

fn bench(samples: usize, budget: Budget) -> Bench {
    let mut bench = Bench::new(samples);
    bench.limits.concurrency = 8;
    bench.limits.budget = budget;
    bench
}

#[tokio::test(start_paused = true)]
async fn the_run_stops_before_its_budget_is_passed_and_goes_on_with_a_larger_one() {
    let mut bench = bench(50, Budget { total_usd: Some(Usd(1.0)), ..Budget::default() });
    let executor = Arc::new(Scripted::new(|_| costing(0.03)).taking(20));
    let ran = bench.run(&executor).await;
    assert_eq!(ran.end.done, 33, "33 calls fit into a dollar, 34 don't");
    let RunEnding::BudgetExhausted { why: BudgetStop::Spent { spent, budget } } = ran.end.ended else { unreachable!() };
    assert!((spent.0 - 0.99).abs() < 1e-9);
    assert_eq!(budget, Usd(1.0));
    let told = ran.events.iter().rev().find_map(|event| match event {
        Event::Budget { spent, assumed } => {
            assert_eq!(assumed.0, 0.0);
            *spent
        }
        _ => None,
    });
    assert!((told.unwrap().0 - 0.99).abs() < 1e-9);

    bench.stop = eval_run::Stop::new();
    let ran = bench.run(&executor).await;
    assert_eq!(ran.end.done, 33, "what was spent before counts");
    bench.stop = eval_run::Stop::new();
    bench.limits.budget.total_usd = Some(Usd(10.0));
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (100, RunEnding::Complete));
    assert_eq!(executor.calls().len(), 100);
    assert!((bench.journal().unwrap().spent().total().unwrap().0 - 3.0).abs() < 1e-9);
}

#[tokio::test(start_paused = true)]
async fn an_unknown_cost_refuses_to_go_on_unless_it_is_allowed() {
    let mut bench = bench(10, Budget { total_usd: Some(Usd(1.0)), ..Budget::default() });
    let executor = Arc::new(Scripted::new(|_| good()));
    let ran = bench.run(&executor).await;
    assert_eq!(ran.end.ended, RunEnding::BudgetExhausted { why: BudgetStop::UnknownCost });
    assert_eq!(executor.calls().len(), 1);

    bench.stop = eval_run::Stop::new();
    bench.limits.budget.allow_unknown_cost = true;
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (20, RunEnding::Complete));
    assert!(ran.events.iter().all(|event| !matches!(event, Event::Budget { spent: Some(_), .. })));
}

#[tokio::test(start_paused = true)]
async fn free_calls_that_name_no_cost_have_none() {
    let budget = Budget { total_usd: Some(Usd(1.0)), ..Budget::default() };
    let mut bench = bench(10, budget);
    let failing_once = AtomicBool::new(true);
    let script = move |_: Seen<'_>| match failing_once.swap(false, Ordering::Relaxed) {
        true => failing(Failure::Dropped),
        false => good(),
    };
    let executor = Arc::new(Scripted::new(script).at(CallPrice::Free));
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (20, RunEnding::Complete));
    let cost = |event: &Event| match event {
        Event::Budget { spent, .. } => Some(*spent),
        _ => None,
    };
    let costs: Vec<_> = ran.events.iter().filter_map(cost).collect();
    assert!(costs.len() == 20 && costs.iter().all(|spent| *spent == Some(Usd(0.0))), "{costs:?}");
    // A resumed run, and a page about it, read the same from the journal.
    assert_eq!(bench.journal().unwrap().spent().total(), Some(Usd(0.0)));
    bench.stop = eval_run::Stop::new();
    assert_eq!(bench.run(&executor).await.end.ended, RunEnding::Complete);
}

#[tokio::test(start_paused = true)]
async fn a_samples_budget_ends_only_that_sample() {
    let budget = Budget { per_sample_usd: Some(Usd(0.10)), ..Budget::default() };
    let bench = bench(10, budget);
    let executor = Arc::new(Scripted::new(|seen| match &*seen.call.key.sample {
        "s4" => costing(0.10),
        _ => costing(0.01),
    }));
    let ran = bench.run(&executor).await;
    assert_eq!((ran.end.done, ran.end.ended.clone()), (20, RunEnding::Complete));
    assert!(ran.failures().iter().all(|failure| *failure == Failure::Budget));
    // Once a call cost as much as a whole sample may, only untouched samples get another one.
    let cells_of_s4 = executor.calls().iter().filter(|key| key.starts_with("s4/")).count();
    assert_eq!(cells_of_s4, 1);
}

#[tokio::test(start_paused = true)]
async fn a_samples_time_budget_cuts_its_calls() {
    let budget = Budget { per_sample_ms: Some(1_000), ..Budget::default() };
    let mut bench = bench(3, budget);
    bench.limits.concurrency = 1;
    let executor = Arc::new(Scripted::new(|seen| {
        let ms = if &*seen.call.key.sample == "s1" { 1_200 } else { 400 };
        Ok(Output { latency_ms: Some(ms), ..Output::text("good") })
    }));
    let ran = bench.run(&executor).await;
    assert_eq!(ran.failures(), [Failure::Budget]);
    assert_eq!(executor.calls().len(), 5);
}

/// Calls that leave before any has told what it cost.
#[tokio::test(start_paused = true)]
async fn before_the_first_cost_as_many_calls_leave_as_the_budget_bears() {
    let most = async |price: CallPrice| {
        let bench = bench(50, Budget { total_usd: Some(Usd(2.0)), ..Budget::default() });
        // A refusal proves that calls get through, and says nothing of what they cost.
        let first = AtomicBool::new(true);
        let script = move |_: Seen<'_>| match first.swap(false, Ordering::Relaxed) {
            true => failing(Failure::Rejected),
            false => costing(0.5),
        };
        let executor = Arc::new(Scripted::new(script).taking(20).at(price));
        let ran = bench.run(&executor).await;
        assert!(
            matches!(ran.end.ended, RunEnding::BudgetExhausted { why: BudgetStop::Spent { spent, .. } } if spent.0 <= 2.0 + 1e-9)
        );
        executor.most_at_once()
    };
    assert_eq!(most(CallPrice::Unknown).await, 3, "one, and then what is left for three");
    assert_eq!(most(CallPrice::UpTo(Usd(0.5))).await, 4);
    assert_eq!(most(CallPrice::UpTo(Usd(7.0))).await, 3, "a high price keeps no call from being tried");
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_lost_before_any_cost_is_known_cost_their_price() {
    let bench = bench(50, Budget { total_usd: Some(Usd(1.0)), ..Budget::default() });
    let executor = Arc::new(Scripted::new(|_| failing(Failure::Dropped)).taking(20).at(CallPrice::UpTo(Usd(0.3))));
    let ran = bench.run(&executor).await;
    let RunEnding::BudgetExhausted { why: BudgetStop::Spent { spent, .. } } = ran.end.ended else {
        unreachable!("{:?}", ran.end.ended)
    };
    assert!((0.9..=1.2).contains(&spent.0), "{spent}");
    assert_eq!(executor.calls().len(), 4);
    // all of it is assumed, and said to be: while the run goes on, and of its journal
    let last = ran.events.iter().rev().find_map(|event| match event {
        Event::Budget { spent, assumed } => Some((spent.unwrap().0, assumed.0)),
        _ => None,
    });
    let cost = bench.journal().unwrap().spent();
    for (spent, assumed) in [last.unwrap(), (cost.known.0, cost.assumed.0)] {
        assert!(spent > 0.0 && (spent - assumed).abs() < 1e-9, "{spent} {assumed}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_reason_has_what_was_spent_when_the_last_call_had_ended() {
    let mut bench = bench(50, Budget { total_usd: Some(Usd(1.0)), ..Budget::default() });
    bench.limits.concurrency = 2;
    let executor = Arc::new(
        Scripted::new(|seen| costing(if seen.call.key.to_string() == "s0/v0/0" { 0.1 } else { 0.45 })).taking(20),
    );
    let ran = bench.run(&executor).await;
    let RunEnding::BudgetExhausted { why } = ran.end.ended else { unreachable!("{:?}", ran.end.ended) };
    let paid = bench.journal().unwrap().spent().total().unwrap();
    assert!(matches!(why, BudgetStop::Spent { spent, .. } if (spent.0 - paid.0).abs() < 1e-9), "{why:?}, {paid}");
}

/// The machine's clock may be set during a call; here it stands still, and the one that only counts runs ahead.
#[tokio::test(start_paused = true)]
async fn time_of_a_failed_call_is_counted_and_not_read_from_the_clock() {
    let mut bench = bench(1, Budget::default());
    bench.limits.outage = eval_run::Outage::IsAResult;
    let executor = Arc::new(Scripted::new(|_| failing(Failure::Crashed)).taking(20_000));
    let ran = bench.run(&executor).await;
    let execution = &ran.records[0].as_ref().unwrap().execution;
    let took = execution.finished_at.duration_since(execution.started_at).as_secs();
    assert!((20..3600).contains(&took), "{took} s");
}
