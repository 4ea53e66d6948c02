//! Endings that no recording shows, and hostile input.

use eval_spec::{Failure, Outcome};
use eval_trace::AgentExit;
use eval_trace::claude::STREAM_JSON;
use serde_json::{Value, json};

use crate::recordings::stdout;

fn end(lines: &[Value], code: Option<i32>) -> Result<eval_spec::Output, eval_spec::ExecError> {
    let mut reader = STREAM_JSON.reader();
    for line in lines {
        reader.push(format!("{line}\n").as_bytes());
    }
    reader.finish(&AgentExit { code, stderr: "the end of stderr" })
}

fn result() -> Value {
    json!({
        "type": "result", "subtype": "success", "is_error": false, "result": "42", "stop_reason": "end_turn",
        "total_cost_usd": 0.5,
        "modelUsage": {"m": {"inputTokens": 3, "outputTokens": 4, "cacheReadInputTokens": 5, "cacheCreationInputTokens": 6, "costBasis": "list"}},
    })
}

#[test]
fn success_needs_exit_code_zero_and_keeps_what_was_paid() {
    let error = end(&[result()], Some(1)).unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert_eq!(error.detail.as_deref(), Some("the end of stderr"));
    assert_eq!(error.partial.unwrap().usage.unwrap().output_tokens, 4);
    assert_eq!(end(&[result()], None).unwrap_err().failure, Failure::Crashed);
}

/// A claude that catches SIGINT may end by itself, with a result that says so and exit code 0.
#[test]
fn run_that_a_signal_stopped_was_killed_whatever_its_result_is_called() {
    for code in [Some(0), Some(1), None] {
        let stopped = json!({
            "type": "result", "subtype": "error_during_execution", "is_error": true, "modelUsage": {},
            "terminal_reason": "aborted_streaming", "errors": ["[ede_diagnostic] result_type=user"],
        });
        assert_eq!(end(&[stopped], code).unwrap_err().failure, Failure::Killed, "{code:?}");
    }
}

#[test]
fn a_cost_that_claude_made_up_is_unknown() {
    let mut invented = result();
    invented["modelUsage"]["m"]["costBasis"] = json!("unknown");
    let output = end(&[invented], Some(0)).unwrap();
    assert_eq!(output.cost, None);
    assert_eq!(output.notes, ["cost-basis-unknown"]);
    assert!(output.usage.is_some());
}

#[test]
fn the_last_result_wins() {
    let mut first = result();
    first["result"] = json!("started");
    assert_eq!(end(&[first, result()], Some(0)).unwrap().text, "42");
}

/// As claude 2.1.197 prints it when a command in the background ends after the first result; an interrupt has exit code 0.
#[test]
fn a_result_after_which_the_agent_went_on_is_no_answer() {
    let said = |id: &str, text: &str| {
        json!({"type": "assistant", "parent_tool_use_id": null, "message": {"id": id, "model": "m",
            "content": [{"type": "text", "text": text}]}})
    };
    let (mut first, mut second) = (result(), result());
    first["result"] = json!("started it, more later");
    second["modelUsage"]["m"]["outputTokens"] = json!(8);
    second["total_cost_usd"] = json!(0.75);
    let init = json!({"type": "system", "subtype": "init", "model": "m"});
    let notified = json!({"type": "system", "subtype": "task_notification", "task_id": "b", "status": "completed"});
    let lines = [init.clone(), said("a", "started it, more later"), first, notified, init, said("b", "42"), second];
    let ended = |count: usize| end(&lines[..count], Some(0));
    assert_eq!(ended(4).unwrap().text, "started it, more later", "nothing came after it");
    for cut in [5, 6] {
        let error = ended(cut).unwrap_err();
        assert_eq!(error.failure, Failure::Killed, "{cut} lines");
        assert_eq!(error.partial.unwrap().usage.unwrap().output_tokens, 4, "what is known to be paid");
    }
    let output = ended(7).unwrap();
    assert_eq!((output.text.as_str(), output.usage.unwrap().output_tokens), ("42", 8));
    assert_eq!(output.cost.unwrap().usd.0, 0.75, "both results count everything so far");
    assert_eq!(output.trace.turns, Some(2));
}

#[test]
fn an_answer_that_was_cut_is_truncated_even_without_an_error() {
    let mut cut = result();
    cut["stop_reason"] = json!("max_tokens");
    assert_eq!(end(&[cut], Some(0)).unwrap().outcome, Outcome::Truncated);
}

/// As claude 2.1.197 ends at its output limit, with exit code 1.
#[test]
fn output_limit_of_an_older_version_is_truncated_too() {
    let text = |model: &str, text: &str| json!({"type": "assistant", "message": {"id": "a", "model": model, "content": [{"type": "text", "text": text}]}});
    let mut refusal = text("<synthetic>", "API Error: Claude's response exceeded the 64 output token maximum.");
    refusal["error"] = json!("max_output_tokens");
    let mut ended = result();
    ended["is_error"] = json!(true);
    ended["result"] = refusal["message"]["content"][0]["text"].clone();
    ended["stop_reason"] = json!("stop_sequence");
    let output = end(&[text("m", "a very long"), refusal.clone(), ended], Some(1)).unwrap();
    assert_eq!((output.outcome, output.text.as_str()), (Outcome::Truncated, "a very long"));
    assert_eq!(output.usage.unwrap().output_tokens, 4, "what was paid is known");
    // The model went on afterwards: the answer counts.
    assert_eq!(end(&[refusal, result()], Some(0)).unwrap().outcome, Outcome::Answered);
}

#[test]
fn a_run_that_was_stopped_keeps_its_trace() {
    let whole = stdout("success.stream-json");
    let half = whole.split(|&byte| byte == b'\n').take(10).collect::<Vec<_>>().join(&b'\n');
    let mut reader = STREAM_JSON.reader();
    reader.push(&half);
    let partial = reader.partial().unwrap();
    assert!(partial.trace.tool_calls().count() >= 2);
    assert_eq!((partial.usage, partial.cost), (None, None), "not told before the result");
    assert_eq!(STREAM_JSON.reader().partial(), None);
}

#[test]
fn hostile_lines_never_panic() {
    let message = |message: Value| json!({"type": "assistant", "message": message});
    let lines = [
        json!(null),
        json!(1),
        json!("x"),
        json!([1, [], {}]),
        json!({"type": 1}),
        json!({"type": "result", "modelUsage": 3}),
        message(json!("text")),
        message(json!([1])),
        message(json!({"content": "text"})),
        message(json!({"content": [1, null, {}]})),
        message(
            json!({"content": [{"type": "tool_use"}, {"type": "tool_use", "id": "a"}, {"type": "tool_use", "id": "a"}]}),
        ),
        json!({"type": "user", "message": {"content": [{"tool_use_id": "a", "content": {"x": 1}}, {"tool_use_id": "none"}]}}),
        json!({"type": "user", "message": 7, "tool_use_result": [], "tool_result_meta": {}}),
        json!({"type": "result", "is_error": "yes", "modelUsage": {"m": 1}, "total_cost_usd": -1, "errors": 3}),
    ];
    for n in 0..=lines.len() {
        let _ = end(&lines[..n], Some(0));
    }
    let mut reader = STREAM_JSON.reader();
    reader.push("[".repeat(200_000).as_bytes());
    reader.push(b"\n\xff\xfe{\n");
    assert_eq!(reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap_err().failure, Failure::Crashed);
}

/// What the agents print where the API answers 429 with `retry-after: 5000`: gemini in its message and below its stack, codex in
/// what it logs of the answer.
#[test]
fn time_that_an_api_asks_an_agent_to_wait_is_read() {
    let ends = |format: &eval_trace::TranscriptFormat, last: &Value, stderr: &str| {
        let mut reader = format.reader();
        reader.push(format!("{last}\n").as_bytes());
        reader.finish(&AgentExit { code: Some(1), stderr }).unwrap_err()
    };
    let why = "[API Error: You exceeded your current quota, please check your plan and billing details.\nSuggested retry after 5000s.]\nPlease wait and try again later.";
    let last = json!({"type": "result", "status": "error", "error": {"type": "unknown", "message": why}, "stats": {}});
    let gemini = ends(&eval_trace::gemini::STREAM_JSON, &last, "");
    assert_eq!((gemini.failure, gemini.retry_after_ms), (Failure::RateLimited, Some(5_000_000)));

    let why = "exceeded retry limit, last status: 429 Too Many Requests, request id: req_n0pvEpXhwjjizsT8KFsJ91kL";
    let last = json!({"type": "turn.failed", "error": {"message": why}});
    let logged = |header: &str| {
        format!(
            "2026-11-28T18:20:05.757Z DEBUG stream{{http.method=POST}}: codex_http_client::client: Request completed method=POST \
             url=http://127.0.0.1:4194/v1/responses status=429 Too Many Requests headers={{\"date\": \"x\", {header}\"y\": \"0\"}} \
             version=HTTP/1.1"
        )
    };
    let codex = |header: &str| ends(&eval_trace::codex::EXEC_JSON, &last, &logged(header)).retry_after_ms;
    assert_eq!(codex("\"retry-after\": \"5000\", "), Some(5_000_000));
    assert_eq!(codex(""), None);

    for (words, wait) in [
        ("Please try again in 20s. Visit https://platform.openai.com", Some(20_000)),
        ("Please try again in 1m3.5s.", Some(63_500)),
        ("Please try again in 250ms.", Some(250)),
        ("Try again in 2 minutes", Some(120_000)),
        ("Please try again in a few minutes.", None),
        ("Please try again later.", None),
    ] {
        let last = json!({"type": "turn.failed", "error": {"message": format!("unexpected status 429 Too Many Requests: {words}")}});
        assert_eq!(ends(&eval_trace::codex::EXEC_JSON, &last, "").retry_after_ms, wait, "{words}");
    }
    let rejected =
        json!({"type": "turn.failed", "error": {"message": "unexpected status 400 Bad Request: try again in 20s"}});
    assert_eq!(ends(&eval_trace::codex::EXEC_JSON, &rejected, "").retry_after_ms, None);
}

/// Claude prints the wait before an attempt of its own, and when a subscription's limit ends; nothing with a key and no attempts.
#[test]
fn time_that_claude_prints_for_a_limit_is_read() {
    let refused = [
        json!({
            "type": "assistant", "message": {"model": "<synthetic>", "role": "assistant", "content": [{"type": "text", "text": "API Error"}]},
            "parent_tool_use_id": null, "timestamp": "2026-11-28T21:18:03.704Z", "error": "rate_limit", "api_error_status": 429,
        }),
        json!({
            "type": "result", "subtype": "success", "is_error": true, "api_error_status": 429, "terminal_reason": "api_error",
            "result": "API Error: Request rejected (429)", "modelUsage": {},
        }),
    ];
    let wait = |before: &[Value]| {
        let error = end(&[before, &refused].concat(), Some(1)).unwrap_err();
        assert_eq!(error.failure, Failure::RateLimited);
        error.retry_after_ms
    };
    assert_eq!(wait(&[]), None);
    let attempt = json!({
        "type": "system", "subtype": "api_retry", "attempt": 1, "max_retries": 1, "retry_delay_ms": 20700, "error_status": 429,
        "error": "rate_limit",
    });
    assert_eq!(wait(&[attempt]), Some(20_700));
    let limit = |status: &str, resets: &str| {
        let ends = resets.parse::<jiff::Timestamp>().unwrap().as_second();
        json!({"type": "rate_limit_event", "rate_limit_info": {"status": status, "resetsAt": ends, "rateLimitType": "five_hour"}})
    };
    assert_eq!(wait(&[limit("rejected", "2026-11-28T22:18:03Z")]), Some(3_600_000));
    assert_eq!(wait(&[limit("rejected", "2026-11-28T20:00:00Z")]), None, "a limit that is over");
    assert_eq!(wait(&[limit("allowed", "2026-11-28T22:18:03Z")]), None);
}

/// What gemini prints where the file of its own instructions is missing, and where its API answers 429.
#[test]
fn error_of_an_agent_ends_with_its_words_and_not_with_its_stack() {
    let stderr = "An unexpected critical error occurred:Error: missing system prompt file '/w/.gemini/system.md'\n    at getCoreSystemPrompt (file:///opt/chunk-A.js:337252:15)\n    at async main (file:///opt/gemini.js:17627:5) {\n  cause: {\n    code: 429\n  },\n  status: 429\n}\n";
    let reader = eval_trace::gemini::STREAM_JSON.reader();
    let error = reader.finish(&AgentExit { code: Some(1), stderr }).unwrap_err();
    let words = "An unexpected critical error occurred:Error: missing system prompt file '/w/.gemini/system.md'";
    assert_eq!(error.detail.as_deref(), Some(words));
    assert_eq!(eval_trace::without_noise("{\n  \"a\": 1\n}\nwe met at noon"), "{\n  \"a\": 1\n}\nwe met at noon");
}

/// What claude and gemini print where an answer breaks off: another attempt may help.
#[test]
fn answer_that_broke_off_is_asked_for_again() {
    let why = "API Error: API returned an empty or malformed response (HTTP 200) — check for a proxy or gateway intercepting the request. \
               Response: content-type json, body is not valid JSON, 66 bytes, request-id req_nBbb3DZi116ZGAgDyxP1nnVn, server other.";
    let mut claude = result();
    for (name, value) in [("is_error", json!(true)), ("terminal_reason", json!("api_error")), ("result", json!(why))] {
        claude[name] = value;
    }
    claude["stop_reason"] = json!("stop_sequence");
    let claude = end(&[claude], Some(1)).unwrap_err();
    assert!(claude.failure == Failure::Malformed && claude.failure.retryable(), "{claude:?}");

    let mut reader = eval_trace::gemini::STREAM_JSON.reader();
    let error = json!({"type": "error", "severity": "error", "message": "Model stream ended without a finish reason."});
    for line in
        [error, json!({"type": "result", "status": "error", "stats": {"total_tokens": 7816, "input_tokens": 7799}})]
    {
        reader.push(format!("{line}\n").as_bytes());
    }
    let gemini = reader.finish(&AgentExit { code: Some(1), stderr: "" }).unwrap_err();
    assert!(gemini.failure == Failure::Dropped && gemini.failure.retryable(), "{gemini:?}");
}

/// In the words of `github.com/anthropics/claude-code/issues/3035` and `github.com/openai/codex/issues/7250`.
#[test]
fn filter_that_an_agent_tells_of_in_its_own_words_is_a_refusal() {
    let claude = [
        "API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https://www.anthropic.com/legal/aup).",
        "API Error: 400 {\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Output blocked by content filtering policy\"}}",
    ];
    for words in claude {
        let (mut refused, mut quoted) = (result(), result());
        (refused["is_error"], refused["result"], refused["stop_reason"]) =
            (json!(true), json!(words), json!("stop_sequence"));
        let output = end(&[refused], Some(1)).unwrap();
        assert_eq!((output.outcome, output.usage.unwrap().output_tokens), (Outcome::Refused, 4), "{words}");
        quoted["result"] = json!(words);
        assert_eq!(end(&[quoted], Some(0)).unwrap().outcome, Outcome::Answered, "an answer that quotes it");
    }
    let codex = |why: &str| {
        let mut reader = eval_trace::codex::EXEC_JSON.reader();
        for line in [json!({"type": "turn.started"}), json!({"type": "turn.failed", "error": {"message": why}})] {
            reader.push(format!("{line}\n").as_bytes());
        }
        reader.finish(&AgentExit { code: Some(1), stderr: "" })
    };
    for why in [
        "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt.",
        "{\"error\":{\"type\":\"invalid_request\",\"code\":\"cyber_policy\",\"message\":\"This content was flagged for possible cybersecurity risk.\"}}",
        "unexpected status 400 Bad Request: {\"error\":{\"code\":\"content_filter\",\"message\":\"The response was filtered\"}}",
    ] {
        assert_eq!(codex(why).unwrap().outcome, Outcome::Refused, "{why}");
    }
    assert_eq!(
        codex("{\"error\":{\"code\":\"invalid_prompt\",\"message\":\"no\"}}").unwrap_err().failure,
        Failure::Rejected
    );
}
