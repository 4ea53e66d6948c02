//! `codex`: the installed program with a fake API.

use serde_json::json;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript};

use super::{answer, asked, assert_nowhere, eval_with, installed, results, says, says_better, valid};
use crate::fixtures::context::TestContext;

const KEY: &str = "sk-codex-0123456789";

/// A project whose `codex` is the installed one and asks `api`.
fn project(api: &FakeApi) -> Option<TestContext> {
    let base = format!("{}/v1", api.url);
    Some(installed("codex", testkit::tools::codex()?, &[("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &base)]))
}

#[test]
fn installed_codex_runs_a_comparison() {
    let api = FakeApi::start(ReplyScript::with(|request| {
        let words = if asked(request, "ANSWER better") { "better" } else { "plain" };
        match asked(request, "question 2") && !asked(request, "function_call_output") {
            true => FakeReply::answer(FakeAnswer {
                tool: Some(("exec_command".to_owned(), json!({"cmd": "cat notes.txt"}))),
                ..answer("let me look")
            }),
            false => FakeReply::answer(answer(words)),
        }
    }));
    let Some(context) = project(&api) else { return };
    // What a fresh configuration must keep out.
    context.write("AGENTS.md", "PROJECT INSTRUCTIONS");
    context.write(".agents/skills/other/SKILL.md", "---\nname: other\ndescription: OTHER SKILL\n---\nbody\n");
    context.samples(2, &says_better());
    context.write("notes.txt", "notes of the project\n");
    let finished =
        context.run(&eval_with("codex", &["--concurrency", "2", "--timeout", "120", "--report-only"])).expect(0);
    let report = valid(context.report());
    let results = results(&report);
    for (cell, text) in [("s001/v1", "plain"), ("s001/v2", "better"), ("s002/v1", "plain"), ("s002/v2", "better")] {
        let result = results[cell];
        assert_eq!((&result["outcome"], &result["fullOutput"]), (&json!("answered"), &json!(text)), "{result}");
        assert_eq!((&result["model"], &result["costSource"]), (&json!("gpt-5"), &json!("price-table")), "{result}");
    }
    let first = results["s001/v1"];
    assert_eq!((&first["turns"], &first["inputTokens"]), (&json!(1), &json!(140)));
    assert_eq!((&first["outputTokens"], &first["cacheReadTokens"]), (&json!(7), &json!(40)));
    assert_eq!((&results["s002/v1"]["turns"], &results["s002/v1"]["outputTokens"]), (&json!(2), &json!(14)));
    let read = &results["s002/v1"]["toolCalls"][0];
    assert!(
        read["name"] == "exec_command" && read["output"]["text"].as_str().unwrap().contains("of the project"),
        "{read}"
    );
    let version = report["meta"]["executorRuntime"]["version"].as_str().unwrap();
    assert!(version.starts_with(|c: char| c.is_ascii_digit()), "{version}");
    for request in api.requests().iter().filter(|request| request.path.ends_with("/responses")) {
        assert!(asked(request, "ANSWER plain") != asked(request, "ANSWER better"), "{}", request.body);
        for kept_out in ["PROJECT INSTRUCTIONS", "OTHER SKILL"] {
            assert!(!asked(request, kept_out), "{kept_out} in {}", request.body);
        }
    }
    assert_nowhere(KEY, &context, &finished);
}

#[test]
fn setting_that_codex_cannot_honour_is_refused() {
    let api = FakeApi::start(ReplyScript::happy());
    let Some(context) = project(&api) else { return };
    context.samples(1, &says_better());
    for (flag, value, setting) in [("--max-turns", "3", "maxTurns"), ("--allowed-tools", "Read", "allowedTools")] {
        let refused = context.run(&eval_with("codex", &[flag, value])).expect(2);
        assert!(says(&refused, &format!("`codex` has no `{setting}`")), "{refused:#?}");
    }
    assert_eq!(api.count(), 0);
}

#[test]
fn sub_agent_with_a_model_of_its_own_is_priced_by_that() {
    let api = FakeApi::start(ReplyScript::with(|request| {
        let is_sub_agent = request.body["model"] == "gpt-6-luna";
        let outputs = request.body["input"].as_array().into_iter().flatten();
        let calls = outputs.filter(|item| item["type"] == "function_call_output").count();
        let tool = match calls {
            _ if is_sub_agent => None,
            0 => {
                let input = json!({"message": "SUBTASK", "model": "gpt-6-luna", "fork_context": false});
                Some(("multi_agent_v1/spawn_agent".to_owned(), input))
            }
            1 => {
                let body = request.body.to_string();
                let id = body.split_once("agent_id").unwrap().1.trim_start_matches(|c: char| !c.is_ascii_hexdigit());
                let input = json!({"targets": [&id[..36]], "timeout_ms": 60_000});
                Some(("multi_agent_v1/wait_agent".to_owned(), input))
            }
            _ => None,
        };
        FakeReply::answer(FakeAnswer { tool, ..answer("better") })
    }));
    let Some(context) = project(&api) else { return };
    let price = |input: f64| json!({"input": input, "output": input * 10.0, "cacheRead": input / 2.0});
    let prices = json!({"version": 1, "models": {"gpt-5": price(1.0), "gpt-6-luna": price(1000.0)}});
    context.write(".home/prices.json", &prices.to_string());
    context.samples(1, &says_better());
    let flags = ["--timeout", "120", "--report-only", "--no-cache"];
    context.run(&eval_with("codex", &flags)).expect(0);
    let models: Vec<String> = api.requests().iter().map(|of| of.body["model"].to_string()).collect();
    assert_eq!(models.iter().filter(|model| *model == "\"gpt-6-luna\"").count(), 2, "{models:?}");
    let report = valid(context.report());
    let result = results(&report)["s001/v2"].clone();
    // Each request: 100 tokens, 40 from the cache, 7 of output. Three of the main thread, one of the sub-agent.
    let of_one = 100.0 + 40.0 / 2.0 + 7.0 * 10.0;
    let expected = (3.0 * of_one + 1000.0 * of_one) / 1e6;
    let cost = result["costUSD"].as_f64().unwrap();
    assert!((cost - expected).abs() < 1e-9, "{cost} instead of {expected}: {result}");
    assert_eq!(result["model"], "gpt-5", "{result}");
}
