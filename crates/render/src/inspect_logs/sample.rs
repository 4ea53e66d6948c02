//! An execution as a sample of a log: one of its epochs.

use eval_format::{Ending, VariantResult};
use eval_spec::call::ToolCall;
use serde_json::{Map, Value, json};

use super::log::COMPOSITE;
use crate::view::comparison::{ExportedExecution, facts, score};
use crate::view::threads::{CallThreads, unique_ids};

/// Prefix of the names of judged dimensions: any word may be one.
pub(super) const JUDGED: &str = "judge.";

/// The share of the way from 1 point to 5.
pub(super) fn share(points: f64) -> f64 {
    (points - 1.0) / 4.0
}

pub(super) struct InspectTrial<'e, 'r> {
    pub(super) of: &'e ExportedExecution<'r>,
    pub(super) model: &'e str,
}

impl InspectTrial<'_, '_> {
    /// `None` where it never ran.
    pub(super) fn document(&self) -> Option<Value> {
        let (of, result) = (self.of, self.of.result);
        if matches!(result.outcome, Ending::NotRun | Ending::NotNeeded | Ending::OverBudget) {
            return None;
        }
        let seconds = result.duration_ms.map(seconds);
        let mut trial = json!({
            "id": of.sample.sample_id,
            "epoch": of.repeat + 1,
            "input": of.prompt().unwrap_or_default(),
            "target": "",
            "messages": self.messages(),
            "output": self.output(),
            "scores": scores(result),
            "metadata": facts(of),
            "store": {},
            "events": [],
            "model_usage": self.usage(),
            "started_at": result.started_at,
            "total_time": seconds,
            "working_time": seconds,
            "uuid": format!("{}/{}/{}/{}", of.report.id, of.sample.sample_id, of.variant, of.repeat),
            "turn_count": result.turns,
        });
        if let Some(error) = &result.error {
            let detail = error.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
            let message = format!("{}{detail}", error.message);
            trial["error"] = json!({ "message": message, "traceback": "", "traceback_ansi": "" });
        }
        if result.outcome == Ending::LimitHit {
            trial["limit"] = json!({ "type": "custom", "limit": 0, "reason": result.stop_reason });
        }
        Some(trial)
    }

    fn messages(&self) -> Vec<Value> {
        let (of, result) = (self.of, self.of.result);
        let ids = unique_ids(&result.tool_calls);
        let system = of.system().map(|text| json!({ "role": "system", "content": text }));
        let prompt = of.prompt().map(|text| json!({ "role": "user", "content": text, "source": "input" }));
        let mut messages: Vec<Value> = system.into_iter().chain(prompt).collect();
        for calls in CallThreads::new(&result.tool_calls).take(None).unwrap_or_default() {
            let made: Vec<Value> = calls.iter().map(|(place, call)| tool_call(&ids[*place], call)).collect();
            messages.push(json!({ "role": "assistant", "content": "", "source": "generate", "tool_calls": made }));
            messages.extend(calls.iter().filter_map(|(place, call)| tool_result(&ids[*place], call)));
        }
        messages.extend(answer(result).map(|text| self.answered(text)));
        messages
    }

    fn answered(&self, text: &str) -> Value {
        let model = self.of.result.model.as_deref().unwrap_or(self.model);
        json!({ "role": "assistant", "content": text, "source": "generate", "model": model })
    }

    fn output(&self) -> Value {
        let result = self.of.result;
        let model = result.model.as_deref().unwrap_or(self.model);
        let Some(text) = answer(result) else { return json!({ "model": model, "choices": [], "completion": "" }) };
        let stop_reason = match result.outcome {
            Ending::Answered | Ending::Empty => "stop",
            Ending::Refused => "content_filter",
            Ending::Truncated => "max_tokens",
            _ => "unknown",
        };
        json!({
            "model": model,
            "choices": [{ "message": self.answered(text), "stop_reason": stop_reason }],
            "completion": text,
            "usage": usage(result),
            "time": result.duration_ms.map(seconds),
        })
    }

    fn usage(&self) -> Value {
        usage(self.of.result).map_or_else(|| json!({}), |usage| json!({ (self.model): usage }))
    }
}

/// The answer, or what came of one that broke off.
fn answer(of: &VariantResult) -> Option<&str> {
    of.full_output.as_deref().or_else(|| of.error.as_ref()?.partial_output.as_deref())
}

/// Inspect's input tokens are those that were not cached.
fn usage(of: &VariantResult) -> Option<Value> {
    let (read, written) = (of.cache_read_tokens, of.cache_write_tokens);
    let fresh = of.input_tokens?.saturating_sub(read.unwrap_or(0)).saturating_sub(written.unwrap_or(0));
    Some(json!({
        "input_tokens": fresh,
        "output_tokens": of.output_tokens.unwrap_or(0),
        "total_tokens": of.total_tokens.unwrap_or(0),
        "input_tokens_cache_read": read,
        "input_tokens_cache_write": written,
        "total_cost": of.cost_usd,
    }))
}

/// The composite, the layers and the judged dimensions: each that there is.
fn scores(of: &VariantResult) -> Map<String, Value> {
    let layers = &of.layered_scores;
    let mut scores = Map::new();
    let mut put = |name: String, points: Option<f64>, why: Option<&str>| {
        let share = points.map(share);
        scores.extend(share.map(|share| (name, json!({ "value": share, "explanation": why, "history": [] }))));
    };
    put(COMPOSITE.to_owned(), score(of), None);
    put("fact".to_owned(), layers.fact_score, None);
    put("behavior".to_owned(), layers.behavior_score, None);
    put("judge".to_owned(), layers.judge_score, of.llm_reason.as_deref());
    for judged in &of.judged {
        let why = judged.opinions.iter().map(|opinion| opinion.reasoning.as_str()).find(|text| !text.is_empty());
        put(format!("{JUDGED}{}", judged.dimension.as_deref().unwrap_or("rubric")), judged.score, why);
    }
    scores
}

fn tool_call(id: &str, call: &ToolCall) -> Value {
    let arguments = match &call.input {
        Value::Object(_) => call.input.clone(),
        Value::Null => json!({}),
        other => json!({ "input": other }),
    };
    json!({ "id": id, "function": call.name, "arguments": arguments, "type": "function" })
}

fn tool_result(id: &str, call: &ToolCall) -> Option<Value> {
    let output = call.output.as_ref()?;
    let error = output.is_error.then(|| json!({ "type": "unknown", "message": output.text }));
    Some(json!({ "role": "tool", "content": output.text, "tool_call_id": id, "function": call.name, "error": error }))
}

#[expect(clippy::cast_precision_loss, reason = "a duration")]
fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}
