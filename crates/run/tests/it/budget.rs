//! Reserve before, settle after.

use std::sync::Arc;

use eval_run::{Budget, BudgetStop, RunEnding};
use eval_spec::units::Usd;
use eval_spec::{Event, Failure, Output};

use crate::kit::{Bench, Scripted, costing, good};

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
        Event::Budget { spent } => *spent,
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
    assert!(ran.events.iter().all(|event| !matches!(event, Event::Budget { spent: Some(_) })));
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
