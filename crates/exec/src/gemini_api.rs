//! `gemini-api`: Google's Gemini over HTTP (`generateContent`).

use std::sync::Arc;

use eval_message::msg;
use eval_spec::call::Usage;
use eval_spec::{Call, Context, ExecError, Executor, Identity, Outcome, Output};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use crate::access::Access;
use crate::anthropic_api::PROXY_VARIABLE;
use crate::channels;
use crate::executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe};
use crate::http::{ApiReply, Http, bare, base_url, host, joined, secret_header};
use crate::model_api::ModelApi;

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: "gemini-api",
    summary: eval_message::key!("exec-gemini-api"),
    default_model: "gemini-2.5-pro",
    default_judge: "gemini-2.5-flash",
    model_prefixes: &["gemini-"],
    kind: ExecutorKind::Model,
    reports_cost: false,
    own_tokens: 0,
    bytes_per_token: 4,
    probe,
    version: None,
    access,
    build,
    channels: channels::none,
    mention: None,
    attaches: false,
    mocks: || None,
};

const VENDOR: &str = "https://generativelanguage.googleapis.com";
const BASE_VARIABLE: &str = "GOOGLE_GEMINI_BASE_URL";
const KEY: &str = "GEMINI_API_KEY";

fn probe(context: &Context) -> Probe {
    match context.var(KEY) {
        Some(_) => Probe::Ready,
        None => Probe::Missing { why: msg!("exec-missing-key", name = KEY) },
    }
}

fn access(context: &Context) -> Result<Option<Access>, BuildError> {
    Ok(Some(Access::new(&[KEY], context, &base(context)?, true)))
}

fn base(context: &Context) -> Result<Url, BuildError> {
    match context.var(PROXY_VARIABLE) {
        Some(proxy) => base_url(PROXY_VARIABLE, proxy),
        None => base_url(BASE_VARIABLE, context.var(BASE_VARIABLE).unwrap_or(VENDOR)),
    }
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    let Some(key) = b.context.var(KEY) else { return Err(BuildError::missing(msg!("exec-missing-key", name = KEY))) };
    let base = base(b.context)?;
    let own = bare(&base) == VENDOR;
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: None,
        provider: if own { "google".to_owned() } else { host(&base) },
        base_url: (!own).then(|| bare(&base)),
        details: None,
        program: None,
        sandbox: None,
    };
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("x-goog-api-key", secret_header(KEY, key.trim())?);
    Ok(Arc::new(ModelApi {
        http: Http::new(base, headers, b.context)?,
        endpoint: Some(endpoint),
        identity,
        prices: b.prices.clone(),
        default_model: TYPE.default_model,
        default_max_tokens: None,
        request: Box::new(|call: &Call, _: &str| request(call)),
        token_limit: None,
        output,
        usage: |body| usage(&body["usageMetadata"]),
    }))
}

/// The model is part of the path. A name that would leave it is refused by the server, since it is escaped.
fn endpoint(base: &Url, model: &str) -> Url {
    let mut url = joined(base, "/v1beta/models");
    if let Ok(mut path) = url.path_segments_mut() {
        path.push(&format!("{}:generateContent", model.trim_start_matches("models/")));
    }
    url
}

fn request(call: &Call) -> Value {
    let mut body = json!({"contents": [{"role": "user", "parts": [{"text": &*call.prompt}]}]});
    if let Some(system) = call.system.as_deref().filter(|system| !system.is_empty()) {
        body["systemInstruction"] = json!({"parts": [{"text": system}]});
    }
    if let Some(temperature) = call.generation.temperature {
        body["generationConfig"]["temperature"] = json!(temperature);
    }
    if let Some(tokens) = call.generation.max_tokens {
        body["generationConfig"]["maxOutputTokens"] = json!(tokens);
    }
    if let Some(effort) = &call.effort {
        body["generationConfig"]["thinkingConfig"] = json!({"thinkingLevel": effort});
    }
    body
}

fn output(http: &Http, reply: &ApiReply) -> Result<Output, ExecError> {
    let body = &reply.body;
    let candidate = &body["candidates"][0];
    let blocked = body["promptFeedback"]["blockReason"].as_str();
    if !candidate.is_object() && blocked.is_none() {
        return Err(http.malformed(msg!("exec-no-content", host = http.host()), body));
    }
    let finish = candidate["finishReason"].as_str().or(blocked);
    let mut output = Output::text(text(&candidate["content"]["parts"]));
    match finish {
        _ if blocked.is_some() => output.outcome = Outcome::Refused,
        None | Some("STOP") => {}
        Some("MAX_TOKENS") => output.outcome = Outcome::Truncated,
        Some("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" | "IMAGE_SAFETY") => {
            output.outcome = Outcome::Refused;
        }
        Some(other) => return Err(http.unknown_stop(other, body)),
    }
    output.usage = usage(&body["usageMetadata"]);
    let word = |key: &str| body[key].as_str().map(str::to_owned);
    let described = reply.described(finish, output);
    Ok(Output {
        model: word("modelVersion"),
        request_id: described.request_id.clone().or_else(|| word("responseId")),
        ..described
    })
}

/// The parts of the answer, without those that are thoughts.
fn text(parts: &Value) -> String {
    let parts = parts.as_array().into_iter().flatten();
    parts.filter(|part| part["thought"] != true).filter_map(|part| part["text"].as_str()).collect()
}

/// The API counts cached tokens among those of the prompt, and thoughts beside the answer's.
fn usage(usage: &Value) -> Option<Usage> {
    let count = |key: &str| usage[key].as_u64();
    let input = count("promptTokenCount")?;
    let cached = count("cachedContentTokenCount").unwrap_or(0).min(input);
    let answer = count("candidatesTokenCount").unwrap_or(0);
    Some(Usage {
        input_tokens: input - cached,
        output_tokens: answer.saturating_add(count("thoughtsTokenCount").unwrap_or(0)),
        cache_read_tokens: cached,
        cache_write_tokens: 0,
    })
}
