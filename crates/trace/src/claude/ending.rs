//! The last result and the exit code → output or error.

use eval_message::{Message, msg};
use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::units::Usd;
use eval_spec::{ExecError, Failure, Outcome, Output};
use serde_json::Value;

use super::events::{ClaudeTranscript, string};
use crate::ending::{AgentName, without_result};
use crate::format::{AgentExit, SkippedRecords, Transcript};

const CLAUDE: AgentName = AgentName { program: "claude", key: "ANTHROPIC_API_KEY" };

impl ClaudeTranscript {
    /// Success is exit code 0, a result after which nothing came, and `is_error: false`; everything else has a class.
    pub(super) fn conclude(self, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        let Some(result) = self.result.as_ref().filter(|_| !self.goes_on) else {
            return Err(self.no_result(exit, skipped));
        };
        if let Some(outcome) = stopped(result, self.error.as_deref()) {
            return Ok(self.output(outcome));
        }
        if result["is_error"] == true || result["subtype"] != "success" {
            return Err(self.api_error());
        }
        // A prompt that begins with `/` is a command to the program, which answers many of them by itself.
        let is_paid = usage(result).is_some_and(|usage| usage.total_input() > 0 || usage.output_tokens > 0);
        if self.setup.is_some() && self.is_without_model() && !is_paid {
            let said = result["result"].as_str().unwrap_or_default();
            return Err(self.failure(Failure::Rejected, msg!("exec-agent-own-answer", agent = CLAUDE.program), said));
        }
        match exit.code {
            Some(0) => Ok(self.answered()),
            _ => Err(self.failure(Failure::Crashed, CLAUDE.exit_after_result(exit), exit.stderr)),
        }
    }

    /// The output of a run that was stopped; `None` if it has neither a trace nor a usage.
    pub(super) fn interrupted(&self) -> Option<Box<Output>> {
        let output = self.output(Outcome::Truncated);
        let something = !output.trace.is_empty() || output.usage.is_some();
        something.then(|| Box::new(output))
    }

    fn answered(&self) -> Output {
        let output = self.output(Outcome::Answered);
        match output.text.trim().is_empty() {
            true => Output { outcome: Outcome::Empty, ..output },
            false => output,
        }
    }

    /// The text is the result's, unless that is the CLI's own error text: then it is the model's last.
    fn output(&self, outcome: Outcome) -> Output {
        let result = self.result.as_ref().unwrap_or(&Value::Null);
        let own_words = result["is_error"] == false || outcome == Outcome::Refused;
        let text = if own_words { result["result"].as_str() } else { None };
        let mut output = Output::text(text.or_else(|| self.last_text()).unwrap_or_default());
        output.outcome = outcome;
        output.trace = self.trace();
        output.usage = usage(result);
        output.cost = cost(result);
        if result["total_cost_usd"].is_number() && output.cost.is_none() {
            output.notes.push("cost-basis-unknown".to_owned());
        }
        output.stop_reason = stop_reason(result);
        output.request_id = self.request_id.clone();
        output.model = self.answering_model(result);
        output
    }

    fn answering_model(&self, result: &Value) -> Option<String> {
        let used = result["modelUsage"].as_object();
        let only = used.filter(|models| models.len() == 1).and_then(|models| models.keys().next().cloned());
        let announced = || self.setup.as_ref().and_then(|setup| setup.model.clone());
        self.model.clone().or(only).or_else(announced)
    }

    fn no_result(&self, exit: &AgentExit<'_>, skipped: SkippedRecords) -> ExecError {
        self.failure(without_result(exit, skipped), CLAUDE.no_result(exit, skipped), exit.stderr)
    }

    /// The class comes from the HTTP status, else from the CLI's word for the error, else from its
    /// text: without a key or on a time-out there is nothing but the text.
    fn api_error(&self) -> ExecError {
        let result = self.result.as_ref().unwrap_or(&Value::Null);
        let text = result["result"].as_str().map(str::to_owned).unwrap_or_else(|| errors(result));
        let status = result["api_error_status"].as_u64().and_then(|status| u16::try_from(status).ok());
        // An empty account has the status of a bad request.
        let is_broke = self.error.as_deref() == Some("billing_error") || text.contains("Credit balance is too low");
        let failure = match status {
            _ if is_broke => Failure::NoCredit,
            Some(status) => Failure::of_status(status),
            None => class_without_status(result, self.error.as_deref(), &text),
        };
        let message = CLAUDE.api_message(failure, status);
        let retry_after_ms = self.wait_ms().filter(|_| matches!(failure, Failure::RateLimited | Failure::Server));
        ExecError { status, retry_after_ms, ..self.failure(failure, message, &text) }
    }

    /// Returns the wait that the API asked for: the one before the CLI's own last attempt, else the rest of a subscription's
    /// limit. A run with an API key and without attempts of its own prints none.
    fn wait_ms(&self) -> Option<u64> {
        let rest = || u64::try_from(self.limit_ends?.checked_sub(self.error_at?.as_second())?).ok();
        self.retry_delay_ms.or_else(|| Some(rest()?.saturating_mul(1000)))
    }

    fn failure(&self, failure: Failure, message: Message, detail: &str) -> ExecError {
        let detail = Some(detail.trim().to_owned()).filter(|detail| !detail.is_empty());
        ExecError { detail, partial: self.interrupted(), ..ExecError::new(failure, message) }
    }
}

/// The ends that are outcomes of the model or of a limit, not failures of the infrastructure.
/// `word` is the CLI's for an error in the model's place: older versions say there alone that the output limit was reached.
fn stopped(result: &Value, word: Option<&str>) -> Option<Outcome> {
    if matches!(result["subtype"].as_str(), Some("error_max_turns" | "error_max_budget_usd")) {
        return Some(Outcome::LimitHit);
    }
    match (result["stop_reason"].as_str(), result["api_error"].as_str()) {
        (Some("refusal"), _) => return Some(Outcome::Refused),
        (Some("max_tokens"), _) | (_, Some("max_output_tokens")) => return Some(Outcome::Truncated),
        _ if word == Some("max_output_tokens") && result["is_error"] == true => return Some(Outcome::Truncated),
        // Older versions say it in words only.
        _ if result["is_error"] == true && result["result"].as_str().is_some_and(Outcome::quotes_filter) => {
            return Some(Outcome::Refused);
        }
        _ => {}
    }
    match result["terminal_reason"].as_str() {
        // A hook ended the run before there was an answer.
        Some("hook_stopped" | "tool_deferred") => Some(Outcome::LimitHit),
        _ => None,
    }
}

fn class_without_status(result: &Value, word: Option<&str>, text: &str) -> Failure {
    let is_reset = text.contains("ECONNRESET") || text.contains("dropped") || text.contains("was lost");
    if result["api_error"] == "connection_failed" {
        return if is_reset { Failure::Dropped } else { Failure::Unreachable };
    }
    // Some versions have nothing but their words for it.
    if text.contains("Connection to the API was lost") {
        return Failure::Dropped;
    }
    if text.contains("Unable to connect to API") {
        return if is_reset { Failure::Dropped } else { Failure::Unreachable };
    }
    // It caught a signal: while it waited for the model, or while tools ran.
    if result["terminal_reason"].as_str().is_some_and(|reason| reason.starts_with("aborted")) {
        return Failure::Killed;
    }
    match word {
        Some("authentication_failed") => return Failure::Auth,
        Some("rate_limit") => return Failure::RateLimited,
        Some("invalid_request" | "model_not_found") => return Failure::Rejected,
        _ => {}
    }
    if text.contains("/login") || text.contains("Invalid API key") {
        Failure::Auth
    } else if text.contains("empty or malformed response") {
        Failure::Malformed
    } else if text.contains("timed out") {
        Failure::Timeout
    } else if word == Some("server_error") {
        Failure::Server
    } else {
        Failure::Crashed
    }
}

/// Tokens over all models and sub-agents; older versions have the main thread's only.
fn usage(result: &Value) -> Option<Usage> {
    let sum = |models: &serde_json::Map<String, Value>, field: &str| -> u64 {
        models.values().map(|usage| usage[field].as_u64().unwrap_or(0)).fold(0, u64::saturating_add)
    };
    let usage = match result["modelUsage"].as_object() {
        Some(models) if models.is_empty() => return None,
        Some(models) => Usage {
            input_tokens: sum(models, "inputTokens"),
            output_tokens: sum(models, "outputTokens"),
            cache_read_tokens: sum(models, "cacheReadInputTokens"),
            cache_write_tokens: sum(models, "cacheCreationInputTokens"),
        },
        None => Usage {
            input_tokens: result["usage"]["input_tokens"].as_u64()?,
            output_tokens: result["usage"]["output_tokens"].as_u64()?,
            cache_read_tokens: result["usage"]["cache_read_input_tokens"].as_u64().unwrap_or(0),
            cache_write_tokens: result["usage"]["cache_creation_input_tokens"].as_u64().unwrap_or(0),
        },
    };
    Some(usage)
}

/// The CLI's estimate from list prices; it invents one for models it does not know, which is worth
/// nothing.
fn cost(result: &Value) -> Option<Cost> {
    let models = result["modelUsage"].as_object();
    let invented = models.is_some_and(|models| models.values().any(|usage| usage["costBasis"] == "unknown"));
    let usd = result["total_cost_usd"].as_f64().filter(|usd| usd.is_finite() && *usd >= 0.0 && !invented)?;
    Some(Cost { usd: Usd(usd), source: CostSource::Reported })
}

fn stop_reason(result: &Value) -> Option<String> {
    let subtype = string(&result["subtype"]).filter(|subtype| subtype != "success");
    let ended = string(&result["terminal_reason"]).filter(|reason| reason != "completed" && reason != "api_error");
    subtype.or(ended).or_else(|| string(&result["api_error"])).or_else(|| string(&result["stop_reason"]))
}

fn errors(result: &Value) -> String {
    let errors = result["errors"].as_array().map_or(&[][..], Vec::as_slice);
    errors.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; ")
}
