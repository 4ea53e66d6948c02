//! What `claude -p` prints with `--output-format stream-json --verbose`, `json --verbose` or `json`.
//!
//! The rules were measured on 2.1.330:
//! - one JSON object per line, or one array of them; unknown types are skipped;
//! - assistant lines carry one content block each, several of them with the same `message.id`;
//! - the usage on assistant lines is that of the beginning, and the `usage` of a result leaves out
//!   sub-agents: tokens come from `modelUsage`;
//! - there may be several results; the last one counts, its cost and `modelUsage` are cumulative;
//! - `subtype` is `"success"` even for API errors: success is exit code 0, a result, and
//!   `is_error: false`.

mod ending;
mod events;

pub use ending::Exit;
pub use events::{Init, Transcript};

use eval_spec::{ExecError, Output};
use serde_json::Value;

use crate::lines::Lines;

/// Reads what `claude` prints, chunk by chunk.
#[derive(Debug, Default)]
pub struct Reader {
    lines: Lines,
    transcript: Transcript,
}

impl Reader {
    /// Takes the next bytes of its standard output.
    pub fn push(&mut self, bytes: &[u8]) {
        let transcript = &mut self.transcript;
        self.lines.push(bytes, |line| take_line(transcript, line));
    }

    /// What was seen so far.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What was there when it was stopped: the last text, the trace, and the tokens if a result told
    /// them; `None` when there is nothing worth keeping.
    #[must_use]
    pub fn partial(self) -> Option<Box<Output>> {
        self.drain().partial()
    }

    /// The outcome, once the process has ended.
    ///
    /// # Errors
    /// An API error, a missing login, an end without a result.
    pub fn finish(self, exit: &Exit<'_>) -> Result<Output, ExecError> {
        self.drain().conclude(exit)
    }

    fn drain(self) -> Transcript {
        let mut transcript = self.transcript;
        if let Some(line) = self.lines.finish() {
            take_line(&mut transcript, &line);
        }
        transcript
    }
}

fn take_line(transcript: &mut Transcript, line: &str) {
    let line = line.trim();
    if line.is_empty() {
        return;
    }
    match serde_json::from_str(line) {
        Ok(Value::Array(events)) => events.into_iter().for_each(|event| transcript.take(event)),
        Ok(event) => transcript.take(event),
        Err(_) => transcript.unreadable += 1,
    }
}
