//! The end of the stream and the exit code → output or error.

use eval_message::Message;
use eval_spec::call::Step;
use eval_spec::{ExecError, Failure, Outcome, Output};
use serde_json::Value;

use super::events::CodexTranscript;
use crate::ending::{AgentName, without_result};
use crate::format::{AgentExit, SkippedRecords, Transcript};

const CODEX: AgentName = AgentName { program: "codex", key: "OPENAI_API_KEY" };

impl CodexTranscript {
    /// Success is exit code 0 and a turn that was completed.
    pub(super) fn conclude(self, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Result<Output, ExecError> {
        if let Some(why) = &self.failed {
            return match stopped(why) {
                Some(outcome) => Ok(Output { stop_reason: Some(why.clone()), ..self.output(outcome) }),
                None => Err(self.api_error(why)),
            };
        }
        if !self.is_complete {
            return Err(self.failure(without_result(exit, skipped), CODEX.no_result(exit, skipped), exit.stderr));
        }
        match exit.code {
            Some(0) => {
                let output = self.output(Outcome::Answered);
                let outcome = if output.text.trim().is_empty() { Outcome::Empty } else { Outcome::Answered };
                Ok(Output { outcome, ..output })
            }
            _ => Err(self.failure(Failure::Crashed, CODEX.exit_after_result(exit), exit.stderr)),
        }
    }

    /// The output of a run that was stopped; `None` if it has neither a trace nor a usage.
    pub(super) fn interrupted(&self) -> Option<Box<Output>> {
        let output = self.output(Outcome::Truncated);
        let something = !output.trace.is_empty() || output.usage.is_some();
        something.then(|| Box::new(output))
    }

    /// The answer is the model's last text in the stream: the file of the session may end earlier.
    fn output(&self, outcome: Outcome) -> Output {
        let trace = self.trace();
        let last = last_text(self.streamed()).or_else(|| last_text(&trace.steps)).unwrap_or_default().to_owned();
        let usage = self.usage();
        let request_id = self.session().and_then(|session| session.response.clone());
        let model = self.setup().and_then(|setup| setup.model.clone());
        Output { outcome, trace, usage, model, request_id, ..Output::text(last) }
    }

    fn api_error(&self, why: &str) -> ExecError {
        let status = status(why);
        let failure = match Failure::quotes_no_credit(why) {
            true => Failure::NoCredit,
            false => status.map_or_else(|| class_without_status(why), Failure::of_status),
        };
        ExecError { status, ..self.failure(failure, CODEX.api_message(failure, status), why) }
    }

    fn failure(&self, failure: Failure, message: Message, detail: &str) -> ExecError {
        let detail = Some(detail.trim().to_owned()).filter(|detail| !detail.is_empty());
        ExecError { detail, partial: self.interrupted(), ..ExecError::new(failure, message) }
    }
}

fn last_text(steps: &[Step]) -> Option<&str> {
    steps.iter().rev().find_map(|step| match step {
        Step::Text { text } => Some(text.as_str()),
        Step::Tool(_) => None,
    })
}

/// The ends that are the model's or a limit's, not failures of the infrastructure.
fn stopped(why: &str) -> Option<Outcome> {
    match why.split_once("Incomplete response returned, reason: ").map(|(_, reason)| reason.trim()) {
        Some("max_output_tokens") => Some(Outcome::Truncated),
        Some("content_filter") => Some(Outcome::Refused),
        Some(_) => None,
        None => Outcome::quotes_filter(why).then_some(Outcome::Refused),
    }
}

/// `unexpected status 401 Unauthorized: …`, `exceeded retry limit, last status: 429 Too Many Requests, …`
fn status(why: &str) -> Option<u16> {
    let after = ["unexpected status ", "last status: "].into_iter().find_map(|before| why.split_once(before))?.1;
    after.get(..3)?.parse().ok()
}

fn class_without_status(why: &str) -> Failure {
    // The body of a 400, as it came.
    let is_body = serde_json::from_str::<Value>(why).is_ok_and(|body| body["error"].is_object());
    let has = |text: &str| why.contains(text);
    if is_body || has("does not exist or you do not have access") || has("context window") {
        Failure::Rejected
    } else if has("Missing environment variable") || has("not logged in") {
        Failure::Auth
    } else if has("high demand") || has("The server had an error") {
        Failure::Server
    } else if has("usage limit") || has("Quota exceeded") {
        Failure::NoCredit
    } else if has("idle timeout") || has("timed out") {
        Failure::Timeout
    } else if has("stream disconnected") || has("error sending request") {
        Failure::Dropped
    } else {
        Failure::Crashed
    }
}
