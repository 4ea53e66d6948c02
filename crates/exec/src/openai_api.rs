//! `openai-api`: chat completions of OpenAI, or of any compatible server.

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
use crate::model_api::{ModelApi, outcome_of};
use crate::token_limit::TokenLimitField;

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: "openai-api",
    summary: eval_message::key!("exec-openai-api"),
    default_model: "gpt-4o",
    default_judge: "gpt-4o-mini",
    model_prefixes: &["gpt-", "o1", "o3", "o4", "chatgpt-"],
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

const VENDOR: &str = "https://api.openai.com/v1";
const BASE_VARIABLE: &str = "OPENAI_BASE_URL";
pub(crate) const KEY: &str = "OPENAI_API_KEY";

fn probe(context: &Context) -> Probe {
    match context.var(KEY).is_some() || context.var(BASE_VARIABLE).is_some() {
        true => Probe::Ready,
        false => Probe::Missing { why: msg!("exec-missing-key-or-base", name = KEY, base = BASE_VARIABLE) },
    }
}

fn access(context: &Context) -> Result<Option<Access>, BuildError> {
    let (base, own) = base(context)?;
    Ok(Some(Access::new(&[KEY], context, &base, own)))
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    if let Probe::Missing { why } = probe(b.context) {
        return Err(BuildError::missing(why));
    }
    let (base, own) = base(b.context)?;
    if own && b.context.var(KEY).is_none() {
        return Err(BuildError::missing(msg!("exec-missing-key", name = KEY)));
    }
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: None,
        provider: if own { "openai".to_owned() } else { host(&base) },
        base_url: (!own).then(|| bare(&base)),
        details: None,
        program: None,
        sandbox: None,
    };
    let http = Http::new(joined(&base, "/chat/completions"), headers(b.context)?, b.context)?;
    let request = Box::new(request);
    let (default_model, prices) = (TYPE.default_model, b.prices.clone());
    let default_max_tokens = None;
    Ok(Arc::new(ModelApi {
        http,
        endpoint: None,
        identity,
        prices,
        default_model,
        default_max_tokens,
        request,
        token_limit: Some(TokenLimitField::new(own)),
        output,
        usage: |body| usage(&body["usage"]),
    }))
}

/// The base URL with its path (`/v1`), and whether it is the vendor's own. A proxy keeps the
/// vendor's path unless it has one of its own.
pub(crate) fn base(context: &Context) -> Result<(Url, bool), BuildError> {
    if let Some(proxy) = context.var(PROXY_VARIABLE) {
        let url = base_url(PROXY_VARIABLE, proxy)?;
        return Ok((if url.path() == "/" { joined(&url, "/v1") } else { url }, false));
    }
    let url = base_url(BASE_VARIABLE, context.var(BASE_VARIABLE).unwrap_or(VENDOR))?;
    let own = bare(&url) == VENDOR;
    Ok((url, own))
}

fn headers(context: &Context) -> Result<HeaderMap, BuildError> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    if let Some(key) = context.var(KEY) {
        headers.insert("authorization", secret_header(KEY, &format!("Bearer {}", key.trim()))?);
    }
    Ok(headers)
}

fn request(call: &Call, model: &str) -> Value {
    let mut messages = Vec::new();
    if let Some(system) = call.system.as_deref().filter(|system| !system.is_empty()) {
        messages.push(json!({"role": "system", "content": system}));
    }
    messages.push(json!({"role": "user", "content": &*call.prompt}));
    let mut body = json!({"model": model, "messages": messages});
    if let Some(temperature) = call.generation.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(tokens) = call.generation.max_tokens {
        body["max_tokens"] = json!(tokens);
    }
    if let Some(effort) = &call.effort {
        body["reasoning_effort"] = json!(effort);
    }
    body
}

fn output(http: &Http, reply: &ApiReply) -> Result<Output, ExecError> {
    let body = &reply.body;
    let choice = &body["choices"][0];
    let message = &choice["message"];
    if !message.is_object() {
        return Err(http.malformed(msg!("exec-no-content", host = http.host()), body));
    }
    let refusal = message["refusal"].as_str().filter(|text| !text.is_empty());
    let finish = choice["finish_reason"].as_str().filter(|reason| !reason.is_empty());
    let mut output = Output::text(content(&message["content"]));
    match (refusal, finish) {
        (Some(refusal), _) => {
            output.outcome = Outcome::Refused;
            output.text = refusal.to_owned();
        }
        // Some servers give no reason.
        (None, None) => {}
        (None, Some(word)) => match outcome_of(word) {
            Some(Outcome::Answered) => {}
            Some(outcome) => output.outcome = outcome,
            None => return Err(http.unknown_stop(word, body)),
        },
    }
    output.usage = usage(&body["usage"]);
    Ok(reply.described(finish, output))
}

/// Text, or a list of parts of which some are text.
fn content(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// The API counts cached tokens among the input tokens; here they are separate.
fn usage(usage: &Value) -> Option<Usage> {
    let input = usage["prompt_tokens"].as_u64()?;
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap_or(0).min(input);
    Some(Usage {
        input_tokens: input - cached,
        output_tokens: usage["completion_tokens"].as_u64()?,
        cache_read_tokens: cached,
        cache_write_tokens: 0,
    })
}
