//! Requests to each executor, and what the report takes from its answers.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, FakeStop, ReplyScript, Request};

use super::{
    assert_nowhere, assert_same, eval_with, results, says, says_better, starts, sum, valid, with_agent, without,
};
use crate::fixtures::context::{Finished, TestContext};

const ANTHROPIC_KEY: &str = "sk-ant-test-0123456789abcdef";
const OPENAI_KEY: &str = "sk-proj-test-0123456789abcdef";

/// One sample, two variants, their keys, and a server that plays `script`, whose URL is in `variable`.
fn against(script: ReplyScript, variable: &str, path: &str) -> (TestContext, FakeApi) {
    let mut context = TestContext::with_agent();
    let api = FakeApi::start(script);
    context.samples(1, &says_better());
    context.env(variable, &format!("{}{path}", api.url));
    context.env("ANTHROPIC_API_KEY", ANTHROPIC_KEY);
    context.env("OPENAI_API_KEY", OPENAI_KEY);
    (context, api)
}

/// The report of a run whose agent prints `reply`.
fn report_of(reply: &str, more: &[&str]) -> Value {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.write("reply", reply);
    context.script("agent", "cat > asked; cat reply");
    context.run(&with_agent(&[&["--report-only"], more].concat())).expect(0);
    valid(context.report())
}

#[test]
fn json_answer_of_a_command_is_reported_in_full() {
    let reply = json!({
        "output": "better", "inputTokens": 1000, "outputTokens": 200, "costUSD": 0.125, "turns": 3,
        "toolCalls": [{"name": "Read", "input": {"file_path": "a.md"}, "output": "text of a"}, {"name": "Bash", "input": {}}],
    });
    let report = report_of(&reply.to_string(), &["--model", "some-model"]);
    let result = results(&report)["s001/v2"];
    assert_eq!(result["fullOutput"], "better");
    assert_eq!(
        (&result["inputTokens"], &result["outputTokens"], &result["totalTokens"]),
        (&json!(1000), &json!(200), &json!(1200))
    );
    assert_eq!(
        (&result["costUSD"], &result["costSource"], &result["turns"]),
        (&json!(0.125), &json!("reported"), &json!(3))
    );
    assert_eq!(result["toolCalls"][0]["name"], "Read");
    assert_eq!(result["toolCalls"][0]["output"]["text"], "text of a");
    assert_eq!(result["toolCalls"][1]["output"], Value::Null);
    assert_eq!(report["meta"]["totalCostUSD"], 0.25);
    assert_eq!(report["summary"]["v1"]["totalCostUSD"], 0.125);
}

#[test]
fn command_receives_model_artifact_and_prompt() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("agent", "cat >> asked; echo >> asked; echo better");
    context
        .run(&with_agent(&["--model", "m-1", "--temperature", "0.5", "--max-tokens", "77", "--report-only"]))
        .expect(0);
    let asked = fs::read_to_string(context.path("asked")).unwrap();
    let mut asked: Vec<Value> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    asked.sort_by_key(|question| question["system"].to_string());
    let question = |system: &str| json!({"model": "m-1", "system": system, "prompt": "question 1", "temperature": 0.5, "maxTokens": 77});
    assert_eq!(asked, [question("ANSWER better\n"), question("ANSWER plain\n")]);
}

#[test]
fn plain_text_is_an_answer_with_unknown_usage() {
    let report = report_of("better\nindeed\n", &[]);
    let result = results(&report)["s001/v1"];
    assert_eq!(result["fullOutput"], "better\nindeed");
    for unknown in ["inputTokens", "outputTokens", "costUSD", "turns"] {
        assert_eq!(result[unknown], Value::Null, "{unknown}");
    }
    assert!(result["durationMs"].is_u64());
    assert_eq!(report["meta"]["totalCostUSD"], Value::Null, "unknown is not 0");
    let json_of_its_own = report_of(r#"{"verdict": "better"}"#, &[]);
    assert_eq!(results(&json_of_its_own)["s001/v1"]["fullOutput"], r#"{"verdict": "better"}"#);
}

#[test]
fn tokens_of_known_models_are_priced_by_the_table() {
    let reply = json!({"output": "better", "inputTokens": 1_000_000, "outputTokens": 100_000}).to_string();
    let known = report_of(&reply, &["--model", "gpt-4o"]);
    let result = results(&known)["s001/v1"];
    // 2.50 dollars per million in, 10 per million out.
    assert_eq!((&result["costUSD"], &result["costSource"]), (&json!(3.5), &json!("price-table")));
    let unknown = report_of(&reply, &["--model", "gpt-nobody-knows"]);
    assert_eq!(results(&unknown)["s001/v1"]["costUSD"], Value::Null);
}

#[test]
fn failing_command_is_a_failure_and_no_answer() {
    let crashed = |body: &str| {
        let context = TestContext::with_agent();
        context.samples(1, &says_better());
        context.script("agent", body);
        let finished = context.run(&with_agent(&["--retry", "0"])).expect(3);
        assert!(finished.stdout.contains("exit code 3"), "{finished:#?}");
        valid(context.report())
    };
    let report = crashed("echo better; echo 'out of memory' >&2; exit 7");
    let result = results(&report)["s001/v2"];
    assert_eq!((&result["outcome"], &result["compositeScore"]), (&json!("failed"), &Value::Null));
    assert_eq!(
        (&result["error"]["failure"], &result["error"]["partialOutput"]),
        (&json!("crashed"), &json!("better\n"))
    );
    assert!(result["error"]["detail"].as_str().unwrap().contains("out of memory"));
    assert!(result["error"]["message"].as_str().unwrap().contains("exit code 7"));
    let report = crashed(r#"echo '{"output": 5}'"#);
    assert_eq!(results(&report)["s001/v2"]["error"]["failure"], "malformed");
}

#[test]
fn unknown_executor_error_lists_the_executors() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    let finished = context.run(&eval_with("no-such-thing", &[])).expect(2);
    for name in ["no-such-thing", "claude", "anthropic-api", "openai-api", "replay", "ANTHROPIC_API_KEY"] {
        assert!(says(&finished, name), "{name}: {finished:#?}");
    }
    assert!(!context.home().join("journal").exists());
    let no_key = context.run(&eval_with("anthropic-api", &[])).expect(2);
    assert!(says(&no_key, "set `ANTHROPIC_API_KEY`"), "{no_key:#?}");
}

#[test]
fn anthropic_api_request_and_response_follow_its_format() {
    let answer = FakeAnswer { text: Some("better".to_owned()), cached: 1000, ..FakeAnswer::default() };
    let (context, api) = against(ReplyScript::always(FakeReply::answer(answer)), "ANTHROPIC_BASE_URL", "");
    let more = ["--model", "claude-sonnet-5-5", "--max-tokens", "321", "--report-only"];
    let finished = context.run(&eval_with("anthropic-api", &more)).expect(0);
    let requests = api.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/messages"));
        assert_eq!((request.headers["x-api-key"].as_str(), request.prompt().as_str()), (ANTHROPIC_KEY, "question 1"));
        assert!(request.headers.contains_key("anthropic-version") && !request.headers.contains_key("authorization"));
        assert_eq!((&request.body["model"], &request.body["max_tokens"]), (&json!("claude-sonnet-5-5"), &json!(321)));
    }
    let mut systems: Vec<&str> = requests.iter().map(|request| request.body["system"].as_str().unwrap()).collect();
    systems.sort_unstable();
    assert_eq!(systems, ["ANSWER better\n", "ANSWER plain\n"]);
    let report = valid(context.report());
    // Per million: 10 in at 2 dollars, 1000 from the cache at 0.1, 5 out at 10.
    assert_api_result(&report, "end_turn", "claude-sonnet-5-5", 170e-6);
    assert_eq!(results(&report)["s001/v1"]["cacheReadTokens"], 1000);
    assert_eq!(report["meta"]["executorRuntime"]["baseUrl"], api.url);
    assert_nowhere(ANTHROPIC_KEY, &context, &finished);
}

#[test]
fn openai_api_request_and_response_follow_its_format() {
    let (context, api) = against(ReplyScript::always(FakeReply::text("better")), "OPENAI_BASE_URL", "/v1");
    let finished =
        context.run(&eval_with("openai-api", &["--model", "gpt-4o", "--temperature", "0", "--report-only"])).expect(0);
    let requests = api.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
        assert_eq!(request.headers["authorization"], format!("Bearer {OPENAI_KEY}"));
        let roles: Vec<&Value> = request.body["messages"].as_array().unwrap().iter().map(|m| &m["role"]).collect();
        assert_eq!(roles, ["system", "user"]);
        assert_eq!((&request.body["model"], request.body["temperature"].as_f64()), (&json!("gpt-4o"), Some(0.0)));
    }
    let report = valid(context.report());
    // Per million: 10 in at 2.5 dollars, 5 out at 10.
    assert_api_result(&report, "stop", "gpt-4o", 75e-6);
    assert_nowhere(OPENAI_KEY, &context, &finished);
}

#[track_caller]
fn assert_api_result(report: &Value, stop: &str, model: &str, usd: f64) {
    let result = results(report)["s001/v2"];
    assert_eq!((&result["fullOutput"], &result["outputTokens"]), (&json!("better"), &json!(5)));
    assert_eq!(
        (&result["stopReason"], &result["model"], &result["costSource"]),
        (&json!(stop), &json!(model), &json!("price-table"))
    );
    assert!(result["requestId"].as_str().unwrap().starts_with("req_"), "{result}");
    assert!((result["costUSD"].as_f64().unwrap() - usd).abs() < 1e-12, "{result}");
    assert!((report["meta"]["totalCostUSD"].as_f64().unwrap() - 2.0 * usd).abs() < 1e-12, "{}", report["meta"]);
    assert_eq!(report["summary"]["v1"]["models"], json!({model: 1}));
}

#[test]
fn proxy_url_replaces_every_vendor_url() {
    for (executor, base, path) in [
        ("anthropic-api", "ANTHROPIC_BASE_URL", "/v1/messages"),
        ("openai-api", "OPENAI_BASE_URL", "/v1/chat/completions"),
    ] {
        let (mut context, proxy) = against(ReplyScript::happy(), "CCV_PROXY_URL", "");
        // The vendor's own URL must not be used: nothing listens there.
        context.env(base, "http://127.0.0.1:9/v1");
        context.run(&eval_with(executor, &["--report-only"])).expect(0);
        assert_eq!(proxy.requests().iter().map(|request| request.path.as_str()).collect::<Vec<_>>(), [path, path]);
        assert_eq!(
            valid(context.report())["meta"]["executorRuntime"]["baseUrl"].as_str().unwrap().trim_end_matches("/v1"),
            proxy.url
        );
    }
}

#[test]
fn only_answers_are_scored_and_other_outcomes_are_counted_per_variant() {
    let script = ReplyScript::with(|request: &Request| {
        let answer = |stop| FakeAnswer { text: Some("better".to_owned()), stop, ..FakeAnswer::default() };
        let is_plain = request.body.to_string().contains("ANSWER plain");
        match request.prompt().as_str() {
            "question 1" => FakeReply::answer(answer(FakeStop::Refusal)),
            "question 2" => FakeReply::answer(answer(FakeStop::Length)),
            "question 3" if is_plain => FakeReply::text(" \n"),
            _ => FakeReply::answer(answer(FakeStop::End)),
        }
    });
    for (executor, variable, path) in
        [("anthropic-api", "ANTHROPIC_BASE_URL", ""), ("openai-api", "OPENAI_BASE_URL", "/v1")]
    {
        let (context, _api) = against(script.clone(), variable, path);
        context.samples(4, &says_better());
        context.run(&eval_with(executor, &["--report-only"])).expect(0);
        let report = valid(context.report());
        let counts = |variant: &str| {
            let outcomes = &report["summary"][variant]["outcomes"];
            ["answered", "refused", "truncated", "empty", "failed"].map(|class| outcomes[class].as_u64().unwrap())
        };
        assert_eq!((counts("v1"), counts("v2")), ([1, 1, 1, 1, 0], [2, 1, 1, 0, 0]), "{executor}");
        let results = results(&report);
        for unscored in ["s001/v1", "s002/v2", "s003/v1"] {
            assert_eq!(results[unscored]["compositeScore"], Value::Null, "{unscored}");
            assert!(!results[unscored]["missing"].as_array().unwrap().is_empty(), "{unscored}");
        }
        // The truncated answer contains the word, and must not pass.
        assert_eq!(results["s002/v2"]["fullOutput"], "better");
        assert_eq!(report["comparisons"][0]["n"], 1);
    }
}

/// The parts of a report that a replay must reproduce, latencies included.
fn replayable(report: &Value) -> Value {
    let parts = ["verdict", "comparisons", "results", "summary", "variance"];
    let mut document: Value =
        parts.iter().map(|part| ((*part).to_owned(), report[part].clone())).collect::<serde_json::Map<_, _>>().into();
    without(&["startedAt"], &mut document);
    document
}

fn recorded(context: &TestContext, more: &[&str]) -> Finished {
    context.run(&with_agent(&[&["--record", "rec", "--report-only"], more].concat())).expect(0)
}

fn replayed(context: &TestContext, more: &[&str]) -> Finished {
    context.run(&eval_with("replay", &[&["--recordings", "rec"], more].concat()))
}

#[test]
fn recordings_are_replayed_without_a_call() {
    let context = super::logging(
        r#"echo "{\"output\":\"$a\",\"inputTokens\":$p,\"outputTokens\":2,\"costUSD\":0.5,\"turns\":2}""#,
    );
    context.samples(5, &says_better());
    recorded(&context, &["--repeat", "2"]);
    let original = replayable(&context.report());
    let calls = starts(&context.path("starts")).len();
    fs::remove_file(context.path("agent")).unwrap();
    fs::remove_dir_all(context.home()).unwrap();
    replayed(&context, &["--report-only", "--repeat", "2", "--concurrency", "8"]).expect(0);
    assert_same(&original, &replayable(&valid(context.report())));
    assert_eq!((calls, starts(&context.path("starts")).len()), (20, 20));
    assert_eq!(context.report()["meta"]["executor"], "replay");
}

#[test]
fn recording_is_complete_with_a_filled_cache() {
    let context = super::logging("echo $a");
    context.samples(3, &says_better());
    context.run(&with_agent(&["--report-only"])).expect(0);
    recorded(&context, &[]);
    fs::remove_file(context.path("agent")).unwrap();
    replayed(&context, &["--report-only"]).expect(0);
    assert_eq!(sum(&context.report(), "/outcomes/answered"), 6);
}

#[test]
fn outdated_recording_names_the_changed_input() {
    let context = TestContext::with_agent();
    context.samples(3, &says_better());
    recorded(&context, &[]);
    context.write("skills/v2.md", "ANSWER better and better\n");
    let finished = replayed(&context, &[]).expect(3);
    assert!(says(&finished, "the artifact of `v2` changed since it was recorded"), "{finished:#?}");
    let report = valid(context.report());
    assert_eq!(report["summary"]["v2"]["failures"], json!({"no-recording": 3}));
    assert_eq!(report["summary"]["v1"]["outcomes"]["answered"], 3);
    let nothing = context.run(&eval_with("replay", &["--recordings", "nowhere"])).expect(2);
    assert!(says(&nothing, "nowhere") && says(&nothing, "--record DIR"), "{nothing:#?}");
}

#[test]
fn recording_into_a_used_directory_is_reported() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    recorded(&context, &["--no-cache"]);
    let again = recorded(&context, &["--no-cache"]);
    assert!(says(&again, "held 2 recordings already"), "{again:#?}");
    replayed(&context, &["--report-only"]).expect(0);
    assert_eq!(sum(&context.report(), "/outcomes/answered"), 2);
}

#[test]
fn api_keys_are_removed_from_the_environment_of_a_command() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("agent", "cat > /dev/null; env; echo better");
    context.env("OPENAI_API_KEY", OPENAI_KEY);
    context.env("GITHUB_TOKEN", "ghp_0123456789abcdefghij");
    context.env("PLAIN_SETTING", "visible");
    let finished = context.run(&with_agent(&["--report-only"])).expect(0);
    let report = context.report();
    let seen = results(&report)["s001/v1"]["fullOutput"].as_str().unwrap();
    assert!(seen.contains("PLAIN_SETTING=visible"), "{seen}");
    assert!(!seen.contains("OPENAI_API_KEY") && !seen.contains("GITHUB_TOKEN"), "{seen}");
    assert_nowhere(OPENAI_KEY, &context, &finished);
    // A key that is passed on purpose is not stored.
    context.env("OMK_PASS_ENV", "OPENAI_API_KEY");
    let finished = context.run(&with_agent(&["--report-only", "--no-cache"])).expect(0);
    let report = context.report();
    let seen = results(&report)["s001/v1"]["fullOutput"].as_str().unwrap();
    assert!(seen.contains("OPENAI_API_KEY=***"), "{seen}");
    assert_nowhere(OPENAI_KEY, &context, &finished);
}

#[test]
fn key_in_the_command_line_is_stored_nowhere() {
    let mut context = super::logging("echo $a");
    context.samples(2, &says_better());
    context.env("MY_API_KEY", OPENAI_KEY);
    let line = format!("./agent --key {OPENAI_KEY}");
    let finished = context.run(&eval_with(&line, &["--report-only"])).expect(0);
    assert_eq!(starts(&context.path("starts")).len(), 4);
    assert_nowhere(OPENAI_KEY, &context, &finished);
    let dry = context.run(&eval_with(&line, &["--dry-run", "--json"])).expect(0);
    assert_nowhere(OPENAI_KEY, &context, &dry);
    // The run cannot be resumed without the key, and the error says so.
    let refused = context.run(&["eval", "--resume", "latest"]).expect(2);
    assert!(says(&refused, "`./agent --key ***` held a secret"), "{refused:#?}");
    let resumed = context.run(&["eval", "--resume", "latest", "--executor", &line]).expect(0);
    assert_nowhere(OPENAI_KEY, &context, &resumed);
    assert_eq!(starts(&context.path("starts")).len(), 4);
}
