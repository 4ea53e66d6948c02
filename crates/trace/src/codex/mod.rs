//! What `codex exec --json` prints, and the files of its session and its sub-agents' (`sessions/…/rollout-….jsonl`).
//!
//! The rules were measured on 0.169.0:
//! - the stream has neither the model nor the number of requests, and leaves out calls of tools that don't exist; the file
//!   of the session has all of them, so its trace goes first where there is one;
//! - a sub-agent has a file of its own, which names its thread; the call that started it names that thread too. The stream has
//!   neither its calls nor its tokens;
//! - an item of type `error` is a warning; `error` is an attempt that failed, `turn.failed` the end;
//! - input tokens include those that were read from the cache;
//! - a failure has no field for its HTTP status: the message may name it.

mod ending;
pub(crate) mod events;
pub(crate) mod session;

use crate::format::TranscriptFormat;

/// The row of [`FORMATS`](crate::FORMATS).
pub const EXEC_JSON: TranscriptFormat = TranscriptFormat {
    name: "codex-exec-json",
    source: "codex exec --json (0.169.0)",
    transcript: || Box::new(events::CodexTranscript::default()),
};
