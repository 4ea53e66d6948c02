//! Time limits, and which part of a call's time is latency.

use std::fs;

use jiff::Unit;
use serde_json::{Value, json};
use testkit::{before_deadline, wait_until};

use super::{executions, is_alive, logging, results, says_better, starts, sum, valid, with_agent};
use crate::fixtures::context::TestContext;

/// The process ids that the agent logged.
fn pids(context: &TestContext) -> Vec<String> {
    fs::read_to_string(context.path("pids")).unwrap().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn timeout_ends_the_whole_process_tree() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    // A child and a grandchild that keep standard output open and ignore signals.
    context.script(
        "agent",
        r#"trap '' TERM INT HUP
echo 'half an answer'
sh -c 'trap "" TERM; echo $$ >> pids; sleep 300 & echo $! >> pids; wait' &
echo $$ >> pids
sleep 300"#,
    );
    let limited = with_agent(&["--timeout", "1.5", "--retry", "0", "--concurrency", "2"]);
    before_deadline(|| context.run(&limited)).expect(3);
    let report = valid(context.report());
    assert_eq!(sum(&report, "/failures/timeout"), 2);
    let result = results(&report)["s001/v1"];
    assert_eq!((&result["outcome"], &result["compositeScore"]), (&json!("failed"), &Value::Null));
    assert_eq!(result["error"]["partialOutput"], "half an answer\n");
    assert!(result["error"]["message"].as_str().unwrap().contains("within 1.5 s"), "{result}");
    let pids = pids(&context);
    assert_eq!(pids.len(), 6);
    wait_until("the end of every process", || !pids.iter().any(|pid| is_alive(pid)));
}

#[test]
fn background_processes_are_ended_and_not_awaited() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("agent", "sleep 300 &\necho $! >> pids\necho better");
    before_deadline(|| context.run(&with_agent(&["--report-only"]))).expect(0);
    assert_eq!(results(&context.report())["s001/v2"]["fullOutput"], "better");
    let pids = pids(&context);
    assert_eq!(pids.len(), 2);
    wait_until("the end of every process", || !pids.iter().any(|pid| is_alive(pid)));
}

#[test]
fn queueing_counts_neither_as_latency_nor_towards_the_time_limit() {
    // Ten calls, one at a time: together they take longer than the limit of one.
    let context = logging("sleep 0.4; echo $a");
    context.samples(5, &says_better());
    context.run(&with_agent(&["--concurrency", "1", "--timeout", "3", "--report-only"])).expect(0);
    let report = context.report();
    assert_eq!(sum(&report, "/outcomes/answered"), 10);
    let executions = executions(&context.home());
    let (first, last) = (executions.first().unwrap(), executions.last().unwrap());
    let whole = (last.ended - first.began).total(Unit::Millisecond).unwrap();
    let latencies: Vec<u64> = results(&report).values().map(|result| result["durationMs"].as_u64().unwrap()).collect();
    assert!(latencies.iter().all(|latency| *latency >= 400), "{latencies:?}");
    // One at a time: with the waiting included, the sum would be several times the run's duration.
    assert!(latencies.iter().sum::<u64>() as f64 <= whole + 10.0, "{latencies:?} in {whole} ms");
}

#[test]
fn waiting_for_a_retry_is_no_latency() {
    // Each cell's first attempt exceeds the limit.
    let context = logging(r#"if [ -e "seen-$p-$a" ]; then echo $a; else : > "seen-$p-$a"; sleep 60; fi"#);
    context.samples(1, &says_better());
    context.run(&with_agent(&["--timeout", "1", "--retry", "1", "--concurrency", "2", "--report-only"])).expect(0);
    let report = context.report();
    assert_eq!((sum(&report, "/outcomes/answered"), sum(&report, "/retried")), (2, 2));
    assert_eq!(starts(&context.path("starts")).len(), 4);
    for (cell, result) in results(&report) {
        assert!(result["durationMs"].as_u64().unwrap() < 1000, "{cell}: {result}");
        assert_eq!(result["attempts"], 2, "{cell}");
    }
}

#[test]
fn crash_is_not_retried() {
    let context = logging("exit 1");
    context.samples(1, &says_better());
    context.run(&with_agent(&["--retry", "5"])).expect(3);
    assert_eq!(starts(&context.path("starts")).len(), 2);
    assert_eq!(sum(&context.report(), "/failures/crashed"), 2);
}
