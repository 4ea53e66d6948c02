//! `anthropic-api`: the Messages API of Anthropic, or a server that speaks it.

use std::sync::Arc;

use eval_message::msg;
use eval_spec::call::Usage;
use eval_spec::{Call, Context, ExecError, Executor, Identity, Outcome, Output};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::{Value, json};
use url::Url;

use crate::access::Access;
use crate::channels;
use crate::executor_type::{Build, BuildError, ExecutorKind, ExecutorType, Probe};
use crate::http::{ApiReply, Http, bare, base_url, host, joined, secret_header};
use crate::model_api::{ModelApi, outcome_of};

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: "anthropic-api",
    summary: eval_message::key!("exec-anthropic-api"),
    default_model: "claude-sonnet-5-5",
    default_judge: "claude-haiku-4-5",
    model_prefixes: &["claude-"],
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

const VENDOR: &str = "https://api.anthropic.com";
const API_VERSION: &str = "2023-06-01";
/// The API demands a limit; this is enough for a long review.
const DEFAULT_MAX_TOKENS: u32 = 8192;
/// Replaces the base URL of API calls.
pub(crate) const PROXY_VARIABLE: &str = "CCV_PROXY_URL";
const BASE_VARIABLE: &str = "ANTHROPIC_BASE_URL";
const KEY: &str = "ANTHROPIC_API_KEY";
const TOKEN: &str = "ANTHROPIC_AUTH_TOKEN";

fn probe(context: &Context) -> Probe {
    let key = context.var(KEY).is_some() || context.var(TOKEN).is_some();
    match key || context.var(BASE_VARIABLE).is_some() {
        true => Probe::Ready,
        false => Probe::Missing { why: msg!("exec-missing-key", name = KEY) },
    }
}

fn access(context: &Context) -> Result<Option<Access>, BuildError> {
    let (base, own) = base(context)?;
    Ok(Some(Access::new(&[KEY, TOKEN], context, &base, own)))
}

fn build(b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    if let Probe::Missing { why } = probe(b.context) {
        return Err(BuildError::missing(why));
    }
    let (base, own) = base(b.context)?;
    let identity = Identity {
        executor: TYPE.name.to_owned(),
        version: Some(API_VERSION.to_owned()),
        provider: if own { "anthropic".to_owned() } else { host(&base) },
        base_url: (!own).then(|| bare(&base)),
        details: None,
        program: None,
        sandbox: None,
    };
    let http = Http::new(joined(&base, "/v1/messages"), headers(b.context)?, b.context)?;
    let (default_model, prices) = (TYPE.default_model, b.prices.clone());
    let (default_max_tokens, request) = (Some(DEFAULT_MAX_TOKENS), Box::new(request));
    Ok(Arc::new(ModelApi {
        http,
        endpoint: None,
        identity,
        prices,
        default_model,
        default_max_tokens,
        request,
        token_limit: None,
        output,
        usage: |body| usage(&body["usage"]),
    }))
}

/// The base URL without `/v1`, and whether it is the vendor's own.
fn base(context: &Context) -> Result<(Url, bool), BuildError> {
    let named = [PROXY_VARIABLE, BASE_VARIABLE].into_iter().find_map(|name| Some((name, context.var(name)?)));
    let (name, text) = named.unwrap_or((BASE_VARIABLE, VENDOR));
    let mut url = base_url(name, text)?;
    let path = url.path().trim_end_matches('/').trim_end_matches("/v1").to_owned();
    url.set_path(&path);
    Ok((url.clone(), bare(&url) == VENDOR))
}

fn headers(context: &Context) -> Result<HeaderMap, BuildError> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("anthropic-version", HeaderValue::from_static(API_VERSION));
    if let Some(key) = context.var(KEY) {
        headers.insert("x-api-key", secret_header(KEY, key.trim())?);
    }
    if let Some(token) = context.var(TOKEN) {
        headers.insert("authorization", secret_header(TOKEN, &format!("Bearer {}", token.trim()))?);
    }
    Ok(headers)
}

fn request(call: &Call, model: &str) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": call.generation.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        "messages": [{"role": "user", "content": &*call.prompt}],
    });
    if let Some(system) = call.system.as_deref().filter(|system| !system.is_empty()) {
        body["system"] = json!(system);
    }
    if let Some(temperature) = call.generation.temperature {
        body["temperature"] = json!(temperature);
    }
    if let Some(effort) = &call.effort {
        body["output_config"] = json!({"effort": effort});
    }
    body
}

fn output(http: &Http, reply: &ApiReply) -> Result<Output, ExecError> {
    let body = &reply.body;
    let Some(blocks) = body["content"].as_array() else {
        return Err(http.malformed(msg!("exec-no-content", host = http.host()), body));
    };
    let text: String =
        blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect();
    let stop = body["stop_reason"].as_str().filter(|stop| !stop.is_empty());
    let outcome = match stop.map(|word| (word, outcome_of(word))) {
        // Some servers give no reason; the answer is taken as complete.
        None | Some((_, Some(Outcome::Answered))) => None,
        Some((word, None)) => return Err(http.unknown_stop(word, body)),
        Some((_, outcome)) => outcome,
    };
    let output = Output::text(text);
    let output = Output { outcome: outcome.unwrap_or(output.outcome), usage: usage(&body["usage"]), ..output };
    Ok(reply.described(stop, output))
}

fn usage(usage: &Value) -> Option<Usage> {
    Some(Usage {
        input_tokens: usage["input_tokens"].as_u64()?,
        output_tokens: usage["output_tokens"].as_u64()?,
        cache_read_tokens: usage["cache_read_input_tokens"].as_u64().unwrap_or(0),
        cache_write_tokens: usage["cache_creation_input_tokens"].as_u64().unwrap_or(0),
    })
}
