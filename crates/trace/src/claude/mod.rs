//! What `claude -p` prints with `--output-format stream-json --verbose`, `json --verbose` or `json`.
//!
//! The rules were measured on 2.1.330:
//! - one JSON object per line, or one array of them; unknown types are passed over;
//! - assistant lines carry one content block each, several of them with the same `message.id`;
//! - the usage on assistant lines is that of the beginning, and the `usage` of a result leaves out
//!   sub-agents: tokens come from `modelUsage`;
//! - there may be several results; the last one counts, its cost and `modelUsage` are cumulative;
//! - `subtype` is `"success"` even for API errors: success is exit code 0, a result, and
//!   `is_error: false`.

mod ending;
mod events;
pub(crate) mod results;

use crate::format::TranscriptFormat;

/// The row of [`FORMATS`](crate::FORMATS).
pub const STREAM_JSON: TranscriptFormat = TranscriptFormat {
    name: "claude-stream-json",
    source: "claude -p --output-format stream-json --verbose (2.1.330)",
    transcript: || Box::new(events::ClaudeTranscript::default()),
};
