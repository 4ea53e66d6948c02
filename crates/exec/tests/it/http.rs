//! The HTTP APIs against a server that misbehaves in every way.

use std::time::Duration;

use eval_spec::call::{Cost, CostSource, Generation, Usage};
use eval_spec::units::Usd;
use eval_spec::{Context, ExecError, Failure, Outcome, Output};
use serde_json::{Value, json};
use testkit::before_deadline;
use testkit::{Behaviour, FakeAnswer, FakeApi, FakeReply, FakeStop, ReplyScript};

use crate::{all_words, call, executor, run, world};

const KEY: &str = "sk-test-0123456789-very-secret";

const APIS: [&str; 3] = ["anthropic-api", "openai-api", "gemini-api"];

fn context(api: &FakeApi) -> Context {
    world(&[
        ("ANTHROPIC_BASE_URL", &api.url),
        ("OPENAI_BASE_URL", &format!("{}/v1", api.url)),
        ("ANTHROPIC_API_KEY", KEY),
        ("OPENAI_API_KEY", KEY),
        ("GOOGLE_GEMINI_BASE_URL", &api.url),
        ("GEMINI_API_KEY", KEY),
    ])
}

/// Plays `reply` to every executor.
fn each(reply: &FakeReply) -> Vec<(&'static str, Result<Output, ExecError>)> {
    let api = FakeApi::start(ReplyScript::always(reply.clone()));
    APIS.map(|name| (name, run(&*executor(name, &context(&api)), &call("hello")))).into()
}

fn errors(reply: &FakeReply) -> Vec<ExecError> {
    let errors: Vec<ExecError> = each(reply).into_iter().map(|(_, result)| result.unwrap_err()).collect();
    for error in &errors {
        assert!(!all_words(error).contains(KEY), "{error:?}");
    }
    errors
}

#[test]
fn an_answer_has_text_usage_latency_and_ids() {
    let reply = FakeReply::answer(FakeAnswer { usage: Some((100, 20)), cached: 30, ..FakeAnswer::default() });
    for (name, result) in each(&reply.after(Duration::from_millis(40))) {
        let output = result.unwrap();
        assert_eq!((output.outcome, output.text.as_str()), (Outcome::Answered, "You said: hello"), "{name}");
        let usage = Usage { input_tokens: 100, output_tokens: 20, cache_read_tokens: 30, cache_write_tokens: 0 };
        assert_eq!(output.usage, Some(usage), "{name}");
        assert!((40..5000).contains(&output.latency_ms.unwrap()), "{name}: {:?}", output.latency_ms);
        assert!(output.request_id.unwrap().starts_with("req_"), "{name}");
        assert_eq!((output.model.as_deref(), output.cost), (Some("test-model"), None), "{name}: no price is known");
    }
}

/// A password may be a number of the reply, or a word of its format.
#[test]
fn a_secret_that_is_part_of_a_reply_costs_no_answer() {
    let text = "it is qu\"ote\\sla12345";
    let api = FakeApi::start(ReplyScript::always(FakeReply::answer(FakeAnswer {
        text: Some(text.to_owned()),
        usage: Some((1234, 20)),
        ..FakeAnswer::default()
    })));
    for secret in ["1234", "choices", "content", "stop", "qu\"ote\\sla12345"] {
        let mut context = context(&api);
        context.env.insert("DB_PASSWORD".to_owned(), secret.to_owned());
        for name in APIS {
            let output = run(&*executor(name, &context), &call("hello")).unwrap();
            assert_eq!(
                (output.outcome, output.usage.unwrap().input_tokens),
                (Outcome::Answered, 1234),
                "{name}, {secret}"
            );
            assert_eq!(output.text, if secret.starts_with("qu") { "it is ***" } else { text }, "{name}, {secret}");
        }
    }
}

#[test]
fn credentials_in_addresses_that_a_server_quotes_are_masked() {
    let text = "can't reach http://user:secretpw@10.0.0.1/v1?api_key=secretkey&x=1";
    let body = json!({"error": {"message": text}}).to_string();
    for error in errors(&FakeReply::raw(400, body)) {
        let said = error.detail.unwrap();
        assert!(said.contains("@10.0.0.1/v1?api_key=") && !said.contains("secret"), "{said}");
    }
}

#[test]
fn the_cost_comes_from_the_price_table() {
    let api = FakeApi::start(ReplyScript::always(FakeReply::answer(FakeAnswer {
        usage: Some((1000, 100)),
        cached: 1_000_000,
        ..FakeAnswer::default()
    })));
    let mut asked = call("hello");
    asked.model = "gpt-4o-2024-08-06".to_owned();
    let output = run(&*executor("openai-api", &context(&api)), &asked).unwrap();
    // 1000 × 2.5 + 100 × 10 + 1,000,000 × 1.25, per million
    assert_eq!(output.cost, Some(Cost { usd: Usd(0.0025 + 0.001 + 1.25), source: CostSource::PriceTable }));
}

#[test]
fn requests_match_the_documented_formats() {
    let api = FakeApi::start(ReplyScript::happy());
    let mut asked = call("审查");
    asked.generation = Generation { temperature: Some(0.5), max_tokens: Some(77), max_turns: None };
    asked.effort = Some("low".to_owned());
    for name in APIS {
        run(&*executor(name, &context(&api)), &asked).unwrap();
    }
    let [anthropic, openai, gemini] = api.requests().try_into().unwrap();
    assert_eq!((anthropic.method.as_str(), anthropic.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(anthropic.headers["x-api-key"], KEY);
    assert_eq!(anthropic.headers["anthropic-version"], "2023-06-01");
    assert_eq!(
        anthropic.body,
        json!({"model": "test-model", "max_tokens": 77, "system": "be brief", "temperature": 0.5,
            "output_config": {"effort": "low"}, "messages": [{"role": "user", "content": "审查"}]})
    );
    assert_eq!(openai.path, "/v1/chat/completions");
    assert_eq!(openai.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(
        openai.body,
        json!({"model": "test-model", "max_tokens": 77, "temperature": 0.5, "reasoning_effort": "low", "messages": [
            {"role": "system", "content": "be brief"}, {"role": "user", "content": "审查"}]})
    );
    assert_eq!(gemini.path, "/v1beta/models/test-model:generateContent");
    assert_eq!(gemini.headers["x-goog-api-key"], KEY);
    assert_eq!(
        gemini.body,
        json!({"contents": [{"role": "user", "parts": [{"text": "审查"}]}],
            "systemInstruction": {"parts": [{"text": "be brief"}]},
            "generationConfig": {"temperature": 0.5, "maxOutputTokens": 77, "thinkingConfig": {"thinkingLevel": "low"}}})
    );
}

/// The refusals are those of OpenAI's reasoning models, of an older compatible server and of a limit that is too large.
#[test]
fn the_limit_of_tokens_gets_the_name_that_the_server_asks_for() {
    let no = |message: &str| FakeReply::raw(400, json!({"error": {"message": message}}).to_string());
    let api = FakeApi::start(ReplyScript::with(move |request| {
        let sends = |field: &str| !request.body[field].is_null();
        match request.body["model"].as_str().unwrap() {
            "o3-mini" if sends("max_tokens") => {
                no("Unsupported parameter: 'max_tokens' is not supported with this model. \
                Use 'max_completion_tokens' instead.")
            }
            "old" if sends("max_completion_tokens") => {
                no("Unrecognized request argument supplied: max_completion_tokens")
            }
            "small" => no("max_tokens is too large: 77. This model supports at most 16 completion tokens"),
            "neither" if sends("max_tokens") => no("max_tokens: Extra inputs are not permitted"),
            "neither" => no("max_completion_tokens: Extra inputs are not permitted"),
            _ => FakeReply::text("hi"),
        }
    }));
    let executor = executor("openai-api", &context(&api));
    let ask = |model: &str| {
        let mut asked = call("hello");
        asked.generation.max_tokens = Some(77);
        asked.model = model.to_owned();
        run(&*executor, &asked)
    };
    for (model, requests, field) in
        [("o3-mini", 2, "max_completion_tokens"), ("o3-mini", 1, "max_completion_tokens"), ("old", 1, "max_tokens")]
    {
        let before = api.count();
        assert_eq!(ask(model).unwrap().text, "hi", "{model}");
        assert_eq!(
            (api.count() - before, &api.requests().last().unwrap().body[field]),
            (requests, &json!(77)),
            "{model}"
        );
    }
    for (model, requests) in [("small", 1), ("neither", 2)] {
        let before = api.count();
        let error = ask(model).unwrap_err();
        assert!(error.failure == Failure::Rejected && error.detail.unwrap().starts_with("max_tokens"), "{model}");
        assert_eq!(api.count() - before, requests, "{model}");
    }
}

#[test]
fn a_model_s_name_never_leaves_its_place_in_the_path() {
    let api = FakeApi::start(ReplyScript::happy());
    let mut asked = call("hello");
    for (model, path) in [
        ("models/gemini-x", "/v1beta/models/gemini-x:generateContent"),
        ("../files?key=1#", "/v1beta/models/..%2Ffiles%3Fkey=1%23:generateContent"),
    ] {
        asked.model = model.to_owned();
        run(&*executor("gemini-api", &context(&api)), &asked).unwrap();
        assert_eq!(api.requests().last().unwrap().path, path);
    }
}

#[test]
fn gemini_s_thoughts_and_blocks_are_no_answer_text() {
    let thinking = json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
        {"text": "let me think", "thought": true}, {"text": "the "}, {"text": "answer"}]}}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2, "thoughtsTokenCount": 30}});
    let blocked =
        json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}});
    let replies = [thinking, blocked].map(|body| FakeReply::raw(200, body.to_string()));
    let api = FakeApi::start(ReplyScript::list(replies.to_vec()));
    let executor = executor("gemini-api", &context(&api));
    let output = run(&*executor, &call("hello")).unwrap();
    assert_eq!((output.text.as_str(), output.usage.unwrap().output_tokens), ("the answer", 32));
    let output = run(&*executor, &call("hello")).unwrap();
    assert_eq!((output.outcome, output.stop_reason.as_deref()), (Outcome::Refused, Some("PROHIBITED_CONTENT")));
}

#[test]
fn google_s_words_for_a_wrong_key_and_for_a_pause_are_understood() {
    let error = |code: u16, detail: Value| {
        let body = json!({"error": {"code": code, "message": "no", "status": "X", "details": [detail]}});
        FakeReply::raw(code, body.to_string())
    };
    let wrong = errors(&error(400, json!({"reason": "API_KEY_INVALID", "domain": "googleapis.com"})));
    assert!(wrong.iter().all(|error| error.failure == Failure::Auth), "{wrong:?}");
    let delay = json!({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "1.5s"});
    assert_eq!(errors(&error(429, delay))[2].retry_after_ms, Some(1500));
}

/// The bodies are those of OpenAI, Anthropic (its old form and its new one), Moonshot, Alibaba, Zhipu and Google.
#[test]
fn an_empty_account_is_no_rate_limit_and_no_bad_request() {
    let violation = |id: &str| json!({"details": [{"violations": [{"quotaId": id}]}], "status": "RESOURCE_EXHAUSTED"});
    let rows = [
        (429, json!({"error": {"message": "You exceeded your current quota", "type": "insufficient_quota"}}), true),
        (429, json!({"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}), true),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error",
            "message": "Your credit balance is too low to access the Anthropic API."}}),
            true,
        ),
        (403, json!({"type": "error", "error": {"type": "billing_error", "message": "no"}}), true),
        (429, json!({"error": {"message": "suspended", "type": "exceeded_current_quota_error"}}), true),
        (400, json!({"code": "Arrearage", "message": "Access denied"}), true),
        (429, json!({"error": {"code": "1113", "message": "in arrears"}}), true),
        (429, json!({"error": violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier")}), true),
        (429, json!({"error": violation("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")}), false),
        (429, json!({"error": {"message": "insufficient_quota? no: slow down", "type": "requests"}}), false),
        (200, json!({"error": {"code": 402, "message": "Insufficient credits"}}), true),
        (200, json!({"error": {"code": "insufficient_quota", "message": "no"}}), true),
    ];
    for (status, body, is_broke) in rows {
        for error in errors(&FakeReply::raw(status, body.to_string())) {
            assert_eq!(error.failure == Failure::NoCredit, is_broke, "{status} {body}: {error:?}");
        }
    }
}

/// The bodies are those of Azure, an older Azure, Alibaba, Zhipu, OpenRouter, OpenAI (`github.com/usestrix/strix/issues/1162`,
/// `github.com/router-for-me/CLIProxyAPI/issues/4854`) and Anthropic.
#[test]
fn prompt_that_a_filter_refuses_is_a_refusal() {
    let azure = json!({"error": {"message": "The response was filtered", "type": null, "param": "prompt",
        "code": "content_filter", "status": 400, "innererror": {"code": "ResponsibleAIPolicyViolation",
        "content_filter_result": {"violence": {"filtered": true, "severity": "medium"}}}}});
    let inner = json!({"error": {"message": "no", "innererror": {"code": "ResponsibleAIPolicyViolation"}}});
    let moderated = json!({"error": {"code": 403, "message": "Input was flagged", "metadata":
        {"reasons": ["violence"], "flagged_input": "hello"}}});
    let rows = [
        (400, azure),
        (400, inner),
        (400, json!({"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."})),
        (400, json!({"error": {"code": "data_inspection_failed", "message": "no"}})),
        (400, json!({"error": {"code": "1301", "message": "no"}})),
        (
            400,
            json!({"error": {"code": "invalid_prompt", "type": "invalid_request_error", "param": null, "message":
            "Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again."}}),
        ),
        (400, json!({"error": {"code": "cyber_policy", "type": "invalid_request", "message": "flagged"}})),
        (
            400,
            json!({"type": "error", "error": {"type": "invalid_request_error", "message":
            "Output blocked by content filtering policy"}}),
        ),
        (403, moderated.clone()),
        (200, moderated),
    ];
    for (status, body) in rows {
        let api = FakeApi::start(ReplyScript::always(FakeReply::raw(status, body.to_string())));
        for name in APIS {
            let output = run(&*executor(name, &context(&api)), &call("hello")).unwrap();
            assert_eq!(output.outcome, Outcome::Refused, "{status} {body}");
            assert!(output.stop_reason.is_some(), "{status} {body}");
        }
    }
    let other = json!({"error": {"code": "context_length_exceeded", "message": "content_filter? no: too long"}});
    // OpenRouter has the same code for a request in another form.
    let form = json!({"error": {"code": "invalid_prompt", "message": "Invalid Responses API request"}});
    for body in [other, form] {
        assert!(
            errors(&FakeReply::raw(400, body.to_string())).iter().all(|of| of.failure == Failure::Rejected),
            "{body}"
        );
    }
}

#[test]
fn a_baseline_sends_no_system_prompt() {
    let api = FakeApi::start(ReplyScript::happy());
    let mut asked = call("hello");
    asked.system = None;
    for name in APIS {
        run(&*executor(name, &context(&api)), &asked).unwrap();
    }
    let [anthropic, openai, gemini] = api.requests().try_into().unwrap();
    assert_eq!(gemini.body["systemInstruction"], Value::Null);
    assert_eq!(anthropic.body["system"], Value::Null);
    assert_eq!(openai.body["messages"], json!([{"role": "user", "content": "hello"}]));
}

#[test]
fn outcomes_are_typed() {
    let stops = [(FakeStop::Length, Outcome::Truncated), (FakeStop::Refusal, Outcome::Refused)];
    for (stop, outcome) in stops {
        let reply = FakeReply::answer(FakeAnswer { text: Some("I".to_owned()), stop, ..FakeAnswer::default() });
        for (name, result) in each(&reply) {
            assert_eq!(result.unwrap().outcome, outcome, "{name}");
        }
    }
    for (name, result) in each(&FakeReply::text(" \n")) {
        assert_eq!(result.unwrap().outcome, Outcome::Empty, "{name}");
    }
}

/// Words of Zhipu, Mistral and Anthropic's newer models, behind either form of API.
#[test]
fn other_words_for_the_end_of_an_answer_are_known() {
    let words = [
        ("sensitive", Outcome::Refused),
        ("refusal", Outcome::Refused),
        ("model_context_window_exceeded", Outcome::Truncated),
        ("model_length", Outcome::Truncated),
        ("end_turn", Outcome::Answered),
    ];
    for (word, outcome) in words {
        let body = json!({"stop_reason": word, "content": [{"type": "text", "text": "I"}],
            "choices": [{"finish_reason": word, "message": {"content": "I"}}]});
        let api = FakeApi::start(ReplyScript::always(FakeReply::raw(200, body.to_string())));
        for name in ["anthropic-api", "openai-api"] {
            assert_eq!(
                run(&*executor(name, &context(&api)), &call("hello")).unwrap().outcome,
                outcome,
                "{name} {word}"
            );
        }
    }
}

/// A server that cuts an answer at its limit may cut it in the middle of a character.
#[test]
fn half_an_emoji_costs_no_answer() {
    let body = json!({"stop_reason": "end_turn", "content": [{"type": "text", "text": "ok HALF"}],
        "choices": [{"finish_reason": "stop", "message": {"content": "ok HALF"}}],
        "candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "ok HALF"}]}}]});
    for (name, result) in each(&FakeReply::raw(200, body.to_string().replace("HALF", r"\ud83d"))) {
        assert_eq!(result.unwrap().text, "ok \u{fffd}", "{name}");
    }
}

#[test]
fn unknown_usage_is_not_zero() {
    for (name, result) in each(&FakeReply::answer(FakeAnswer { usage: None, ..FakeAnswer::default() })) {
        let output = result.unwrap();
        assert_eq!((output.usage, output.cost, output.outcome), (None, None, Outcome::Answered), "{name}");
    }
}

#[test]
fn minimal_response_of_a_server_is_accepted() {
    let lean = json!({"choices": [{"message": {"content": "hi"}}]}).to_string();
    let api = FakeApi::start(ReplyScript::always(FakeReply::raw(200, lean)));
    let output = run(&*executor("openai-api", &context(&api)), &call("hello")).unwrap();
    assert_eq!((output.text.as_str(), output.usage, output.stop_reason), ("hi", None, None));
}

#[test]
fn statuses_are_classified() {
    let rows = [
        (400, Failure::Rejected),
        (401, Failure::Auth),
        (402, Failure::NoCredit),
        (403, Failure::Auth),
        (404, Failure::Rejected),
        (408, Failure::Server),
        (413, Failure::Rejected),
        (422, Failure::Rejected),
        (429, Failure::RateLimited),
        (500, Failure::Server),
        (502, Failure::Server),
        (529, Failure::Server),
    ];
    for (status, failure) in rows {
        for error in errors(&FakeReply::error(status, "some_error", &format!("no, {KEY} will not do"))) {
            assert_eq!((error.failure, error.status), (failure, Some(status)));
            assert_eq!(error.detail.as_deref(), Some("no, *** will not do"));
        }
    }
    for error in errors(&FakeReply::raw(502, format!("<html>{KEY}</html>"))) {
        assert_eq!((error.failure, error.detail.as_deref()), (Failure::Server, Some("<html>***</html>")));
    }
}

#[test]
fn retry_after_is_read_in_all_its_forms() {
    let limited = || FakeReply::error(429, "rate_limit_error", "slow down");
    let ms = |reply: FakeReply| errors(&reply)[0].retry_after_ms;
    assert_eq!(ms(limited()), None);
    assert_eq!(ms(limited().header("retry-after", "3")), Some(3000));
    assert_eq!(ms(limited().header("retry-after", "0.5")), Some(500));
    assert_eq!(ms(limited().header("retry-after", "3").header("retry-after-ms", "250")), Some(250));
    assert_eq!(ms(limited().header("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")), Some(0));
    assert_eq!(ms(limited().header("retry-after", "soon")), None);
    assert_eq!(ms(limited().header("retry-after", "-1")), None);
    let later = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(90);
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&later).unwrap();
    let wait = ms(limited().header("retry-after", &date)).unwrap();
    assert!((80_000..=90_000).contains(&wait), "{wait}");
}

#[test]
fn broken_connection_is_dropped() {
    for behaviour in [Behaviour::Drop, Behaviour::HalfBody] {
        for error in errors(&FakeReply::text("a long answer").behaving(behaviour)) {
            assert_eq!(error.failure, Failure::Dropped, "{behaviour:?}");
        }
    }
}

#[test]
fn an_error_status_counts_even_when_its_body_breaks_off() {
    for error in errors(&FakeReply::error(401, "authentication_error", "no").behaving(Behaviour::HalfBody)) {
        assert_eq!((error.failure, error.status), (Failure::Auth, Some(401)));
    }
}

#[test]
fn silent_server_is_a_timeout() {
    let api = FakeApi::start(ReplyScript::always(FakeReply::text("never").behaving(Behaviour::Silence)));
    let mut asked = call("hello");
    asked.timeout = Duration::from_millis(150);
    for name in APIS {
        let error = before_deadline(|| run(&*executor(name, &context(&api)), &asked)).unwrap_err();
        assert_eq!(error.failure, Failure::Timeout);
    }
}

#[test]
fn refused_connection_is_unreachable() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let urls = [format!("http://{free}"), "http://no-such-host.invalid".to_owned()];
    for url in urls {
        let context = world(&[("ANTHROPIC_BASE_URL", &url), ("ANTHROPIC_API_KEY", KEY)]);
        let error = run(&*executor("anthropic-api", &context), &call("hello")).unwrap_err();
        assert_eq!(error.failure, Failure::Unreachable, "{error}");
        assert!(!all_words(&error).contains(KEY));
    }
}

#[test]
fn unparsable_body_is_malformed() {
    let bodies = ["not json", "", "{", "[]", "{}", "null", r#"{"choices": []}"#, r#"{"content": "text"}"#];
    for body in bodies {
        for error in errors(&FakeReply::raw(200, body)) {
            assert_eq!(error.failure, Failure::Malformed, "{body}: {error}");
        }
    }
    let odd = json!({"content": [{"type": "text", "text": "x"}], "stop_reason": "odd",
        "choices": [{"message": {"content": "x"}, "finish_reason": "odd"}],
        "candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "odd"}]});
    for error in errors(&FakeReply::raw(200, odd.to_string())) {
        assert!(error.failure == Failure::Malformed && error.to_string().contains("odd"), "{error}");
    }
}

#[test]
fn error_inside_a_success_is_classified() {
    let rows = [
        (json!({"error": {"type": "overloaded_error", "message": "busy"}}), Failure::Server),
        (json!({"error": {"type": "rate_limit_error", "message": "slow"}}), Failure::RateLimited),
        (json!({"error": {"code": 429, "message": "slow"}}), Failure::RateLimited),
        (json!({"error": {"code": 401, "message": "key"}}), Failure::Auth),
        (json!({"error": "something"}), Failure::Malformed),
    ];
    for (body, failure) in rows {
        for error in errors(&FakeReply::raw(200, body.to_string())) {
            assert_eq!(error.failure, failure, "{body}");
        }
    }
}

#[test]
fn a_key_does_not_follow_a_redirect() {
    let elsewhere = FakeApi::start(ReplyScript::happy());
    for status in [301, 302, 307, 308] {
        let location = format!("{}/v1/messages", elsewhere.url);
        for error in errors(&FakeReply::raw(status, "").header("location", &location)) {
            assert_eq!((error.failure, error.status), (Failure::Rejected, Some(status)));
        }
    }
    assert_eq!(elsewhere.count(), 0);
}

#[test]
fn the_proxy_variable_replaces_the_base_url() {
    let api = FakeApi::start(ReplyScript::happy());
    let context = world(&[
        ("CCV_PROXY_URL", &api.url),
        ("ANTHROPIC_BASE_URL", "http://192.0.2.1"),
        ("OPENAI_BASE_URL", "http://192.0.2.1/v1"),
        ("ANTHROPIC_API_KEY", KEY),
        ("OPENAI_API_KEY", KEY),
        ("GOOGLE_GEMINI_BASE_URL", "http://192.0.2.1"),
        ("GEMINI_API_KEY", KEY),
    ]);
    for name in APIS {
        run(&*executor(name, &context), &call("hello")).unwrap();
    }
    let paths: Vec<String> = api.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/v1/messages", "/v1/chat/completions", "/v1beta/models/test-model:generateContent"]);
}

#[test]
fn the_identity_names_the_server_and_no_credentials() {
    let own = world(&[("ANTHROPIC_API_KEY", KEY), ("OPENAI_API_KEY", KEY)]);
    assert_eq!(executor("anthropic-api", &own).identity().provider, "anthropic");
    assert_eq!(executor("openai-api", &own).identity().base_url, None);
    let base = ("OPENAI_BASE_URL", "https://user:hunter2hunter2@llm.example:8443/v1/?token=abc");
    let identity = executor("openai-api", &world(&[base])).identity().clone();
    assert_eq!(identity.base_url.as_deref(), Some("https://llm.example:8443/v1"));
    assert_eq!(identity.provider, "llm.example:8443");
}

#[test]
fn many_calls_run_at_once() {
    let api = FakeApi::start(ReplyScript::always(FakeReply::text("never").behaving(Behaviour::Silence)));
    let executor = executor("openai-api", &context(&api));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let asked = call("hello");
    runtime.block_on(async {
        let calls = futures::future::join_all((0..150).map(|_| executor.call(&asked)));
        let arrived = async {
            while api.most_at_once() < 150 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::select! {
            _ = calls => panic!("only {} calls ran at once", api.most_at_once()),
            () = arrived => {}
        }
    });
}
