//! `--dry-run` leaves no trace.

use serde_json::json;

use crate::cli::{AGENT, eval, project};
use crate::fixtures::context::tree;

#[test]
fn dry_run_writes_nothing() {
    let context = project(4);
    let quiet = |flags: &[&str]| {
        let before = tree(context.root());
        let commands: [&[&str]; 3] = [&["eval"], &["bench", "run"], &["bench", "ci"]];
        for command in commands {
            let run =
                context.run(&[command, &["--variants", "v1,v2", "--dry-run"], &AGENT[..], flags].concat()).expect(0);
            assert!(run.stdout.contains("8 calls"), "{run:?}");
        }
        assert!(tree(context.root()) == before, "{flags:?} changed something");
    };
    quiet(&[]);
    quiet(&["--record", "rec", "--output-dir", "out"]);
    assert!(!context.home().exists());
    // Now the home has a journal, a cache and reports.
    eval(&context, &["--report-only"]).expect(0);
    quiet(&[]);
}

#[test]
fn samples_with_a_judge_are_those_that_no_judge_leaves_out() {
    let context = project(1);
    context.sample_each([
        json!([{"type": "contains", "value": "x"}]),
        json!([{"type": "contains", "value": "x"}, {"type": "semantic_similarity", "reference": "y"}]),
    ]);
    let plan = |flags: &[&str]| {
        let run = ["eval", "--variants", "v1,v2", "--dry-run", "--json"];
        context.run(&[&run[..], &AGENT, flags].concat()).expect(0).json()
    };
    assert_eq!(plan(&["--judge-executor", "./agent"])["judgedSamples"], 1);
    assert_eq!(plan(&["--no-judge"])["judgedSamples"], 0);
}

/// What an agent sends of its own is most of its first request; later ones send the conversation again.
#[test]
fn cost_of_an_agent_has_its_own_prompt_and_its_later_requests_in_it() {
    let mut context = project(1);
    context.script("bin/claude", "echo 2.1.332\n");
    context.env("PATH", &format!("{}:/usr/bin:/bin", context.path("bin").display()));
    context.env("ANTHROPIC_API_KEY", "sk-ant-estimate-0123456789");
    let cost = |executor: &str, more: &[&str]| {
        let run = ["eval", "--variants", "v1,v2", "--dry-run", "--json", "--no-judge", "--model", "claude-opus-5"];
        let cost = context.run(&[&run[..], &["--executor", executor], more].concat()).expect(0).json()["cost"].clone();
        (
            cost["low"].as_f64().unwrap(),
            cost["high"].as_f64().unwrap(),
            cost["basis"]["message"].as_str().unwrap().to_owned(),
        )
    };
    let (model, agent) = (cost("anthropic-api", &[]), cost("claude", &[]));
    // Two calls with 18,000 tokens at 5 dollars per million.
    assert!((agent.0 - model.0 - 0.18).abs() < 1e-9, "{agent:?}");
    assert!(agent.2.contains("18000 tokens of the agent's own (assumed"), "{agent:?}");
    // Eight requests: 18,000 tokens and seven turns of 1,000 into the cache at 6.25 dollars, what was sent before out of it at
    // 0.5, 300 tokens of each call at 25.
    let later = 2.0 * (25_000.0 * 6.25 + (7.0 * 18_000.0 + 21_000.0) * 0.5 + 7.0 * 300.0 * 25.0) / 1e6;
    let more = agent.1 - model.1 - later;
    assert!((0.0..0.001).contains(&more), "the short prompts: {more}, {agent:?}");
    let one = cost("claude", &["--max-turns", "1"]);
    assert!((one.1 - model.1 - 0.18).abs() < 1e-9, "{one:?}");
}

/// The list says of each price which day it is of, and what is the user's own.
#[test]
fn prices_are_listed_with_their_day_and_the_users_own_over_them() {
    let context = project(1);
    let of = |model: &str| context.run(&["prices", model, "--json"]).expect(0).json()[0].clone();
    assert_eq!(of("gemini-2.5-pro")["output"], 10.0);
    assert!(of("gemini-2.5-pro")["asOf"].is_string());
    context.write(".home/prices.json", r#"{"version": 1, "models": {"gemini-2.5-pro": {"input": 1, "output": 2}}}"#);
    let own = of("gemini-2.5-pro");
    assert_eq!((&own["output"], &own["asOf"]), (&json!(2.0), &json!(null)));
    let all = context.run(&["prices"]).expect(0);
    assert!(all.stdout.contains("claude-opus-5-5") && all.stdout.contains("prices.json"), "{all:?}");
    context.run(&["prices", "no-such-model"]).expect(2);
}
