//! The end of the stream and the exit code → output or error.

use eval_message::Message;
use eval_spec::call::Usage;
use eval_spec::{ExecError, Failure, Outcome, Output};
use serde_json::Value;

use super::events::GeminiTranscript;
use crate::ending::{AgentName, without_result};
use crate::format::{AgentExit, SkippedRecords, Transcript};

const GEMINI: AgentName = AgentName { program: "gemini", key: "GEMINI_API_KEY" };

/// The exit code without a login.
const NOT_LOGGED_IN: i32 = 41;

impl GeminiTranscript {
    /// Success is exit code 0 and a result with the status `success`.
    pub(super) fn conclude(self, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        let Some(result) = &self.result else {
            return Err(match (exit.code, last_words(exit.stderr)) {
                (Some(NOT_LOGGED_IN), _) => {
                    self.failure(Failure::Auth, GEMINI.api_message(Failure::Auth, None), exit.stderr)
                }
                (_, Some(why)) => self.api_error(&why, exit),
                (_, None) => self.failure(without_result(exit, skipped), GEMINI.no_result(exit, skipped), exit.stderr),
            });
        };
        if result["status"] == "success" {
            return match exit.code {
                Some(0) => {
                    let output = self.output(Outcome::Answered);
                    let outcome = if output.text.trim().is_empty() { Outcome::Empty } else { Outcome::Answered };
                    Ok(Output { outcome, ..output })
                }
                _ => Err(self.failure(Failure::Crashed, GEMINI.exit_after_result(exit), exit.stderr)),
            };
        }
        let why = result["error"]["message"].as_str();
        if let (None, Some(said)) = (why, self.errors.last())
            && let Some(outcome) = stopped(said)
        {
            return Ok(Output { stop_reason: Some(said.clone()), ..self.output(outcome) });
        }
        Err(self.api_error(why.or(self.errors.last().map(String::as_str)).unwrap_or_default(), exit))
    }

    /// The output of a run that was stopped; `None` if it has neither a trace nor a usage.
    pub(super) fn interrupted(&self) -> Option<Box<Output>> {
        let output = self.output(Outcome::Truncated);
        let something = !output.trace.is_empty() || output.usage.is_some();
        something.then(|| Box::new(output))
    }

    fn output(&self, outcome: Outcome) -> Output {
        let usage = self.result.as_ref().and_then(|result| usage(&result["stats"]));
        let (trace, model) = (self.trace(), self.model.clone());
        Output { outcome, trace, usage, model, ..Output::text(self.last_text()) }
    }

    fn api_error(&self, why: &str, exit: &AgentExit<'_>) -> ExecError {
        let status = status(why, exit.stderr);
        let failure = match status {
            // The vendor answers a wrong key with 400.
            Some(400) if why.contains("API_KEY_INVALID") => Failure::Auth,
            Some(status) => Failure::of_status(status),
            None => class_without_status(why),
        };
        ExecError { status, ..self.failure(failure, GEMINI.api_message(failure, status), why) }
    }

    fn failure(&self, failure: Failure, message: Message, detail: &str) -> ExecError {
        let detail = Some(detail.trim().to_owned()).filter(|detail| !detail.is_empty());
        ExecError { detail, partial: self.interrupted(), ..ExecError::new(failure, message) }
    }
}

/// The ends that are the model's, not failures of the infrastructure.
fn stopped(said: &str) -> Option<Outcome> {
    if said.contains("blocked") || said.contains("prohibited") {
        Some(Outcome::Refused)
    } else if said.contains("empty response") {
        Some(Outcome::Empty)
    } else if said.contains("Maximum session turns") || said.contains("max session turns") {
        Some(Outcome::LimitHit)
    } else {
        None
    }
}

/// The error that the format `json` ends the standard error with.
fn last_words(stderr: &str) -> Option<String> {
    let start = stderr.rfind("\n{\n").map(|line| line + 1).or(stderr.starts_with("{\n").then_some(0))?;
    let end: Value = serde_json::from_str(&stderr[start..]).ok()?;
    end["session_id"].as_str().and(end["error"]["message"].as_str()).map(str::to_owned)
}

/// The HTTP status: in the body that the message quotes, else in the error that is printed at the end.
fn status(why: &str, stderr: &str) -> Option<u16> {
    let quoted = why.strip_prefix("[API Error: ").and_then(|rest| rest.rfind(']').map(|end| &rest[..end]));
    let body: Option<Value> = quoted.and_then(|body| serde_json::from_str(body).ok());
    let of_body = body.and_then(|body| u16::try_from(body["error"]["code"].as_u64()?).ok());
    let of_line =
        |line: &str| line.trim().strip_prefix("status: ").or(line.trim().strip_prefix("code: "))?.parse().ok();
    of_body.or_else(|| stderr.lines().rev().find_map(of_line)).filter(|status| (400..600).contains(status))
}

/// What it says of a connection that broke off, or of an answer that did.
const BROKEN_OFF: [&str; 8] = [
    "fetch failed",
    "Error: terminated",
    "ECONNRESET",
    "Model stream ended without a finish reason",
    "Incomplete JSON segment",
    "Premature close",
    "socket hang up",
    "other side closed",
];

fn class_without_status(why: &str) -> Failure {
    let has = |text: &str| why.contains(text);
    if has("is not found for API version") {
        Failure::Rejected
    } else if has("exceeded your current quota") {
        Failure::RateLimited
    } else if why == "terminated" || BROKEN_OFF.iter().any(|words| has(words)) {
        Failure::Dropped
    } else if has("in JSON at position") {
        Failure::Malformed
    } else {
        Failure::Crashed
    }
}

/// Tokens of all models; nothing where the run has none, as after a failure.
fn usage(stats: &Value) -> Option<Usage> {
    let usage = match stats["total_tokens"].as_u64() {
        Some(total) => of_stream(stats, total)?,
        None => of_json(stats)?,
    };
    (usage != Usage::default()).then_some(usage)
}

/// The output has no thoughts in it; they only stand in the total.
fn of_stream(stats: &Value, total: u64) -> Option<Usage> {
    let tokens = |name: &str| stats[name].as_u64();
    let (input, output, read) = (tokens("input_tokens")?, tokens("output_tokens")?, tokens("cached").unwrap_or(0));
    Some(Usage {
        input_tokens: input.saturating_sub(read),
        output_tokens: output.max(total.saturating_sub(input)),
        cache_read_tokens: read,
        cache_write_tokens: 0,
    })
}

fn of_json(stats: &Value) -> Option<Usage> {
    let sum = |name: &str| {
        let models = stats["models"].as_object()?.values();
        Some(models.filter_map(|of| of["tokens"][name].as_u64()).fold(0, u64::saturating_add))
    };
    let read = sum("cached")?;
    Some(Usage {
        input_tokens: sum("prompt")?.saturating_add(sum("tool")?).saturating_sub(read),
        output_tokens: sum("candidates")?.saturating_add(sum("thoughts")?),
        cache_read_tokens: read,
        cache_write_tokens: 0,
    })
}
