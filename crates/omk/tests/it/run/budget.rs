//! Budgets of money and time, and prices of tokens.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, wait_until};

use super::{
    Running, eval_with, finished, journal, logging, results, says, says_better, starts, sum, valid, with_agent,
};
use crate::fixtures::context::TestContext;

/// A project whose every call reports a cost of a quarter of a dollar.
fn quarters(samples: usize) -> TestContext {
    let context = logging(r#"echo "{\"output\":\"$a\",\"costUSD\":0.25}""#);
    context.samples(samples, &says_better());
    context
}

fn started(context: &TestContext) -> usize {
    starts(&context.path("starts")).len()
}

#[test]
fn budget_requires_a_known_price() {
    let mut context = quarters(2);
    context.env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
    for flag in ["--budget-usd", "--budget-per-sample-usd"] {
        let refused = context.run(&eval_with("openai-api", &["--model", "who-knows", flag, "1"])).expect(2);
        assert!(says(&refused, "the price of model `who-knows` is unknown"), "{refused:#?}");
        assert!(says(&refused, "--allow-unknown-cost") && says(&refused, "prices.json"), "{refused:#?}");
    }
    assert_eq!((started(&context), context.home().join("journal").exists()), (0, false));
    context
        .run(&with_agent(&["--model", "who-knows", "--budget-usd", "9", "--allow-unknown-cost", "--report-only"]))
        .expect(0);
    assert_eq!(started(&context), 4);
    context.run(&with_agent(&["--model", "gpt-4o", "--budget-usd", "9", "--no-cache", "--report-only"])).expect(0);
}

/// A command says what its calls cost: its model needs no price.
#[test]
fn command_that_reports_its_cost_takes_a_budget() {
    let context = quarters(4);
    let ended = context.run(&with_agent(&["--model", "who-knows", "--budget-usd", "1.3"])).expect(3);
    assert!(says(&ended, "$1.25 of the budget of $1.30 are spent"), "{ended:#?}");
    assert_eq!(started(&context), 5);
    context.run(&["eval", "--resume", "latest", "--budget-usd", "3", "--report-only"]).expect(0);
    assert_eq!((started(&context), &valid(context.report())["meta"]["totalCostUSD"]), (8, &json!(2.0)));
    // one that doesn't is noticed with its first answer
    let silent = logging("echo $a");
    silent.samples(3, &says_better());
    let ended = silent.run(&with_agent(&["--budget-usd", "1"])).expect(3);
    assert!(says(&ended, "a call cost nobody knows what"), "{ended:#?}");
    assert_eq!(started(&silent), 1);
}

#[test]
fn call_of_unknown_cost_ends_a_budgeted_run() {
    let context = logging("echo $a");
    context.samples(3, &says_better());
    // The token price is known, but the agent reports no tokens.
    let ended = context.run(&with_agent(&["--model", "gpt-4o", "--budget-usd", "1"])).expect(3);
    assert!(says(&ended, "a call cost nobody knows what"), "{ended:#?}");
    assert_eq!(started(&context), 1);
    let report = valid(context.report());
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("budget-exhausted")));
    assert_eq!(report["meta"]["totalCostUSD"], Value::Null);
}

#[test]
fn exhausted_budget_leaves_a_partial_report_and_a_resumable_run() {
    for concurrency in ["1", "8"] {
        let context = quarters(6);
        let more = ["--model", "gpt-4o", "--budget-usd", "1.3", "--concurrency", concurrency];
        let ended = context.run(&with_agent(&more)).expect(3);
        assert_eq!(started(&context), 5, "5 calls cost 1.25, and a sixth does not fit");
        assert!(says(&ended, "the budget stopped the run after 5 of 12 results"), "{ended:#?}");
        assert!(ended.stdout.contains("exit code 3"), "{ended:#?}");
        let report = valid(context.report());
        assert_eq!(
            (&report["status"], &report["incompleteReason"]),
            (&json!("incomplete"), &json!("budget-exhausted"))
        );
        assert_eq!((sum(&report, "/outcomes/answered"), sum(&report, "/outcomes/notRun")), (5, 7));
        assert_eq!((&report["meta"]["totalCostUSD"], &report["verdict"]["valid"]), (&json!(1.25), &json!(false)));
        // Still too little: the money already spent counts.
        context.run(&["eval", "--resume", "latest", "--budget-usd", "1.4"]).expect(3);
        assert_eq!(started(&context), 5);
        context.run(&["eval", "--resume", "latest", "--budget-usd", "3", "--report-only"]).expect(0);
        let report = valid(context.report());
        assert_eq!((&report["status"], &report["meta"]["totalCostUSD"]), (&json!("complete"), &json!(3.0)));
        assert_eq!(started(&context), 12);
    }
}

#[test]
fn cached_answers_do_not_count_towards_the_budget() {
    let context = quarters(3);
    context.run(&with_agent(&["--model", "gpt-4o", "--report-only"])).expect(0);
    context.run(&with_agent(&["--model", "gpt-4o", "--budget-usd", "0.01", "--report-only"])).expect(0);
    assert_eq!(started(&context), 6);
    assert_eq!(valid(context.report())["meta"]["totalCostUSD"], 0.0);
}

#[test]
fn cost_budget_per_sample_covers_variants_and_repeats() {
    let context = quarters(3);
    let more = ["--model", "gpt-4o", "--repeat", "2", "--budget-per-sample-usd", "0.8", "--max-failure-rate", "0.5"];
    let ended = context.run(&with_agent(&more));
    assert_eq!(started(&context), 9, "three of four for each sample");
    let report = valid(context.report());
    assert_eq!((sum(&report, "/outcomes/answered"), sum(&report, "/outcomes/overBudget")), (9, 3), "{ended:#?}");
    assert_eq!(report["status"], "complete");
    assert!(says(&ended, "has cost $0.7500 of its $0.8000"), "{ended:#?}");
    assert_ne!(ended.code, 0, "truncated variants are not PROGRESS");
}

#[test]
fn time_budget_per_sample_covers_variants_and_repeats() {
    let context = logging("sleep 0.5; echo $a");
    context.samples(2, &says_better());
    let ended = context.run(&with_agent(&["--repeat", "4", "--budget-per-sample-ms", "1200", "--concurrency", "4"]));
    let report = valid(context.report());
    // Two answers of half a second fit; a third is cut short or not started.
    let (answered, over) = (sum(&report, "/outcomes/answered"), sum(&report, "/outcomes/overBudget"));
    assert!(answered + over == 16 && over >= 8, "{answered} answered, {over} over: {ended:#?}");
    assert!(says(&ended, "has used its 1200 ms"), "{ended:#?}");
    assert_eq!(sum(&report, "/outcomes/failed"), 0, "that is no failure of the executor");
}

#[test]
fn price_file_overrides_the_price_table() {
    let usage = |model: &str, file: Option<Value>| {
        let mut context = TestContext::with_agent();
        let api = FakeApi::start(ReplyScript::always(FakeReply::answer(FakeAnswer {
            usage: Some((1_000_000, 100_000)),
            ..FakeAnswer::default()
        })));
        context.samples(1, &says_better());
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        if let Some(file) = file {
            context.write(".home/prices.json", &file.to_string());
        }
        let more = ["--model", model, "--budget-usd", "1000", "--report-only"];
        let finished = context.run(&eval_with("openai-api", &more));
        let cost =
            (finished.code == 0).then(|| results(&valid(context.report()))["s001/v1"]["costUSD"].as_f64().unwrap());
        (finished.code, cost)
    };
    let own =
        json!({"version": 1, "models": {"mine": {"input": 1, "output": 5}, "gpt-4o": {"input": 100, "output": 0}}});
    assert_eq!(usage("mine", None), (2, None));
    assert_eq!(usage("mine", Some(own.clone())), (0, Some(1.5)));
    assert_eq!(usage("gpt-4o", Some(own.clone())), (0, Some(100.0)));
    assert_eq!(usage("gpt-4o-mini", Some(own)), (0, Some(0.21)), "the rest of the table stays");
    let alias = json!({"version": 1, "aliases": {"mine": "gpt-4o"}});
    assert_eq!(usage("mine", Some(alias)), (0, Some(3.5)));
}

#[test]
fn invalid_price_file_is_an_input_error() {
    for (text, expected) in [
        ("{", "prices.json"),
        (r#"{"version": 9}"#, "has version 9, and this program reads version 1"),
        (r#"{"version": 1, "models": {"m": {"input": -1, "output": 1}}}"#, "`m`: a price is a number of at least 0"),
        (r#"{"version": 1, "models": {"m": {"input": 1, "outptu": 1}}}"#, "outptu"),
    ] {
        let context = quarters(1);
        context.write(".home/prices.json", text);
        let refused = context.run(&with_agent(&[])).expect(2);
        assert!(says(&refused, expected), "{refused:#?}");
        assert_eq!(started(&context), 0);
    }
}

#[test]
fn invalid_budget_amount_is_an_input_error() {
    let context = quarters(1);
    for amount in ["-1", "NaN", "inf", "much"] {
        for flag in ["--budget-usd", "--budget-per-sample-usd"] {
            let refused = context.run(&with_agent(&["--model", "gpt-4o", &format!("{flag}={amount}")])).expect(2);
            assert!(says(&refused, flag), "{refused:#?}");
        }
    }
    assert_eq!(started(&context), 0);
}

#[test]
fn zero_budget_allows_only_cached_answers() {
    let context = quarters(1);
    let broke = ["--model", "gpt-4o", "--budget-usd", "0", "--report-only"];
    context.run(&with_agent(&broke)).expect(3);
    assert_eq!(started(&context), 0);
    context.run(&with_agent(&["--model", "gpt-4o", "--report-only"])).expect(0);
    // Cached answers are free.
    context.run(&with_agent(&broke)).expect(0);
    assert_eq!(started(&context), 2);
}

#[test]
fn cost_of_a_crashed_call_is_unknown_and_not_0() {
    // The agent of `v2` crashes after it reported its cost.
    let context = logging(r#"echo "{\"output\":\"$a\",\"costUSD\":0.25}"; [ "$a" = better ] && exit 1; exit 0"#);
    context.samples(2, &says_better());
    context.run(&with_agent(&["--model", "gpt-4o", "--max-failure-rate", "1"]));
    let report = valid(context.report());
    assert_eq!((sum(&report, "/outcomes/answered"), sum(&report, "/failures/crashed")), (2, 2));
    // Output of a crashed call is not trusted, so its cost is unknown, which is not 0.
    assert_eq!(report["summary"]["v1"]["totalCostUSD"], 0.5);
    assert_eq!(report["summary"]["v2"]["totalCostUSD"], Value::Null);
    assert!(!journal(&context.home()).is_empty() && fs::metadata(context.path("starts")).is_ok());
}

#[test]
fn a_complete_report_is_never_replaced_by_less() {
    let context = logging(r#"[ "$p$a" != 3better ] || exit 1; echo "{\"output\":\"$a\",\"costUSD\":0.25}""#);
    context.samples(10, &says_better());
    context.run(&with_agent(&["--model", "gpt-4o", "--budget-usd", "9", "--report-only"])).expect(0);
    let report = valid(context.report());
    assert_eq!((&report["status"], started(&context)), (&json!("complete"), 20));
    let before = fs::read(context.report_path()).unwrap();
    // what it cost already is more than this
    let again = ["eval", "--resume", "latest", "--retry-failed", "--budget-usd", "1"];
    let ended = context.run(&again).expect(3);
    assert!(says(&ended, "the report of the complete run is kept"), "{ended:#?}");
    assert_eq!((fs::read(context.report_path()).unwrap(), started(&context)), (before, 20));
}

/// Every other reply is billed and holds no answer. What it was billed counts, not what the others cost.
#[test]
fn replies_without_an_answer_are_charged_what_they_say_was_used() {
    for (executor, body) in [
        ("anthropic-api", json!({"type": "message", "usage": {"input_tokens": 10, "output_tokens": 100_000}})),
        ("openai-api", json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 100_000}})),
    ] {
        let body = body.to_string();
        let api = FakeApi::start(ReplyScript::with(move |request| match request.number % 2 {
            0 => FakeReply::text("better"),
            _ => FakeReply::raw(200, &body),
        }));
        let mut context = TestContext::with_agent();
        context.env("ANTHROPIC_BASE_URL", &api.url);
        context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
        context.samples(20, &says_better());
        let model = if executor == "anthropic-api" { "claude-sonnet-5-5" } else { "gpt-4o" };
        let more = ["--model", model, "--budget-usd", "4", "--concurrency", "1", "--retry", "0"];
        let ended = context.run(&eval_with(executor, &more)).expect(3);
        assert!(says(&ended, "the budget stopped the run"), "{executor}: {ended:#?}");
        // a dollar and more for each
        assert!((4..=8).contains(&api.count()), "{executor}: {} requests", api.count());
        let total = valid(context.report())["meta"]["totalCostUSD"].as_f64().unwrap();
        assert!((2.0..=4.0).contains(&total), "{executor}: {total}");
    }
}

#[test]
fn calls_under_way_at_a_kill_count_as_billed_and_the_report_says_at_least() {
    let context = logging(
        r#"n=0; while read -r l; do n=$((n+1)); [ "$l" != "$p $a" ] || break; done < "$LOG"
[ "$n" -le "$LIMIT" ] || exec sleep 600
echo "{\"output\":\"$a\",\"costUSD\":0.25}""#,
    );
    context.samples(3, &says_better());
    let limited = |limit: &str, arguments: &[&str]| {
        let mut command = context.command(arguments);
        command.env("LOG", "starts").env("LIMIT", limit);
        Running::spawn(command)
    };
    let running = limited("3", &with_agent(&["--model", "gpt-4o", "--budget-usd", "9", "--concurrency", "2"]));
    wait_until("three answers and two calls under way", || {
        finished(&context.home()).len() == 3 && started(&context) == 5
    });
    running.kill();

    let resume = ["eval", "--resume", "latest", "--report-only"];
    let ended = limited("99", &[&resume[..], &["--budget-usd", "1.3"]].concat()).finish().expect(3);
    assert!(says(&ended, "$1.25 of the budget of $1.30 are spent"), "{ended:#?}");
    assert_eq!(started(&context), 5, "0.75 for three answers, and as much as the dearest for each lost call");

    let ended = limited("99", &[&resume[..], &["--budget-usd", "9"]].concat()).finish().expect(0);
    assert!(
        ended.stdout.contains("cost: at least $1.50; 2 calls\n  were under way when the run was killed"),
        "{ended:#?}"
    );
    let meta = &valid(context.report())["meta"];
    assert_eq!((&meta["lostCalls"], &meta["totalCostUSD"]), (&json!(2), &json!(1.5)));
}
