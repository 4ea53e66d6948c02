//! A vendor's HTTP API as an executor: what differs between vendors is how a call becomes a request body, and a reply an
//! output.

use std::sync::Arc;
use std::time::Instant;

use eval_spec::call::Usage;
use eval_spec::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Outcome, Output};
use serde_json::Value;
use url::Url;

use crate::http::{ApiReply, Http, filter_word};
use crate::prices::Prices;
use crate::token_limit::TokenLimitField;

/// Makes the body of a call to a model.
type ApiRequestBody = dyn Fn(&Call, &str) -> Value + Send + Sync;

pub(crate) struct ModelApi {
    pub(crate) http: Http,
    /// The address of a model, where it isn't that of the client.
    pub(crate) endpoint: Option<fn(&Url, &str) -> Url>,
    pub(crate) identity: Identity,
    pub(crate) prices: Arc<Prices>,
    /// The model of a call that names none.
    pub(crate) default_model: &'static str,
    /// The longest answer of a call that sets no limit, in tokens, where the request has one all the same.
    pub(crate) default_max_tokens: Option<u32>,
    pub(crate) request: Box<ApiRequestBody>,
    /// The field with the limit of tokens, where it differs between models.
    pub(crate) token_limit: Option<TokenLimitField>,
    pub(crate) output: fn(&Http, &ApiReply) -> Result<Output, ExecError>,
    /// The tokens that the body of a reply counts.
    pub(crate) usage: fn(&Value) -> Option<Usage>,
}

/// The outcome that a model's word for its stop stands for, in the words of OpenAI, Anthropic and the servers that speak like them:
/// `Answered` for a complete text, `None` for an unknown word.
pub(crate) fn outcome_of(stop: &str) -> Option<Outcome> {
    match stop {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Some(Outcome::Answered),
        "length" | "max_tokens" | "model_length" | "model_context_window_exceeded" => Some(Outcome::Truncated),
        "content_filter" | "refusal" | "sensitive" | "content_filtered" | "guardrail_intervened" => {
            Some(Outcome::Refused)
        }
        _ => None,
    }
}

/// Returns the output of a call whose prompt a filter refused.
fn refused(reply: &ApiReply) -> Output {
    let text = reply.body["error"]["message"].as_str().or_else(|| reply.body["message"].as_str());
    Output { outcome: Outcome::Refused, ..Output::text(text.unwrap_or_default()) }
}

/// Of prose in English or Chinese, about.
const BYTES_PER_TOKEN: u64 = 3;

impl Executor for ModelApi {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn price(&self, call: &Call) -> CallPrice {
        let model = if call.model.is_empty() { self.default_model } else { &call.model };
        let bytes = call.prompt.len() + call.system.as_ref().map_or(0, |system| system.len());
        let usage = |max_tokens| Usage {
            input_tokens: (bytes as u64).div_ceil(BYTES_PER_TOKEN),
            output_tokens: u64::from(max_tokens),
            ..Usage::default()
        };
        let max_tokens = call.generation.max_tokens.or(self.default_max_tokens);
        let cost = max_tokens.and_then(|tokens| self.prices.cost(model, &usage(tokens)));
        cost.map_or(CallPrice::Unknown, |cost| CallPrice::UpTo(cost.usd))
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let model = if call.model.is_empty() { self.default_model } else { &call.model };
            let reply = self.post(call, model).await?;
            let read = match filter_word(&reply.body) {
                Some(word) => Ok(reply.described(Some(word), refused(&reply))),
                None => (self.output)(&self.http, &reply),
            };
            // A reply without a usable answer is billed as any other.
            let (mut output, error) = match read {
                Ok(output) => (output, None),
                Err(error) => {
                    let Some(usage) = (self.usage)(&reply.body) else {
                        return Err(self.http.redact().for_errors().clean_value(error));
                    };
                    let billed = Output { usage: Some(usage), ..Output::text("") };
                    (reply.described(None, billed), Some(error))
                }
            };
            let answered_by = output.model.as_deref().unwrap_or(model);
            let cost = |usage: &Usage| self.prices.cost(answered_by, usage).or_else(|| self.prices.cost(model, usage));
            output.cost = output.usage.as_ref().and_then(cost);
            let redact = self.http.redact();
            let output = redact.for_answers().clean_value(output);
            match error {
                None => Ok(output),
                Some(error) => {
                    Err(ExecError { partial: Some(Box::new(output)), ..redact.for_errors().clean_value(error) })
                }
            }
        })
    }
}

impl ModelApi {
    /// Sends the call, and once more where the server wants another name for the limit of tokens.
    async fn post(&self, call: &Call, model: &str) -> Result<ApiReply, ExecError> {
        let address = || self.endpoint.map(|of| of(self.http.url(), model));
        let mut body = (self.request)(call, model);
        let Some(field) = &self.token_limit else { return self.http.post(address(), &body, call.timeout).await };
        field.apply(model, &mut body);
        let since = Instant::now();
        let refused = match self.http.post(address(), &body, call.timeout).await {
            Err(error) => error,
            reply => return reply,
        };
        let Some(other) = field.other(&body, &refused) else { return Err(refused) };
        match self.http.post(address(), &other, call.timeout.saturating_sub(since.elapsed())).await {
            // Neither will do: the first refusal is about what was meant.
            Err(error) if error.failure == Failure::Rejected => Err(refused),
            Err(error) => Err(error),
            Ok(reply) => {
                field.learn(model, &other);
                Ok(reply)
            }
        }
    }
}

impl ApiReply {
    /// The output with what both vendors say in the same fields: model, request id, latency.
    pub(crate) fn described(&self, stop: Option<&str>, output: Output) -> Output {
        let text = |key: &str| self.body[key].as_str().map(str::to_owned);
        Output {
            stop_reason: stop.map(str::to_owned),
            model: text("model"),
            request_id: self.request_id.clone().or_else(|| text("id")),
            latency_ms: Some(self.latency_ms),
            ..output
        }
    }
}
