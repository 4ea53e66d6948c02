//! The name of the field that limits an answer's tokens, which differs between servers and between models.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use eval_spec::ExecError;
use serde_json::Value;

/// The field of OpenAI's reasoning models, and the one of older models and other servers.
const NAMES: [&str; 2] = ["max_completion_tokens", "max_tokens"];
/// What servers call a field that they don't take.
const REFUSALS: [&str; 7] =
    ["unsupported", "not support", "unrecognized", "unknown", "not permitted", "not allowed", "extra inputs"];

/// Remembers for each model which field its server takes.
pub(crate) struct TokenLimitField {
    /// Index in [`NAMES`] of the field that is tried first.
    first: usize,
    learned: Mutex<HashMap<String, usize>>,
}

impl TokenLimitField {
    /// `is_vendor`: OpenAI itself answers, whose newer models refuse `max_tokens`.
    pub(crate) fn new(is_vendor: bool) -> TokenLimitField {
        TokenLimitField { first: usize::from(!is_vendor), learned: Mutex::default() }
    }

    /// Renames the limit in a request, if it has one, to the field that this model takes.
    pub(crate) fn apply(&self, model: &str, body: &mut Value) {
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner).get(model).copied();
        rename(body, learned.unwrap_or(self.first));
    }

    /// The request with the other field, where the server refused the one that was sent.
    pub(crate) fn other(&self, body: &Value, error: &ExecError) -> Option<Value> {
        let sent = NAMES.iter().position(|name| body.get(name).is_some())?;
        let words = error.detail.as_deref().filter(|_| matches!(error.status, Some(400 | 422)))?.to_lowercase();
        let is_refused = words.contains(NAMES[sent]) && REFUSALS.iter().any(|refusal| words.contains(refusal));
        is_refused.then(|| {
            let mut other = body.clone();
            rename(&mut other, 1 - sent);
            other
        })
    }

    /// Remembers the field of a request that was answered.
    pub(crate) fn learn(&self, model: &str, body: &Value) {
        if let Some(taken) = NAMES.iter().position(|name| body.get(name).is_some()) {
            self.learned.lock().unwrap_or_else(PoisonError::into_inner).insert(model.to_owned(), taken);
        }
    }
}

fn rename(body: &mut Value, to: usize) {
    let Some(fields) = body.as_object_mut() else { return };
    if let Some(limit) = fields.remove(NAMES[1 - to]) {
        fields.insert(NAMES[to].to_owned(), limit);
    }
}
