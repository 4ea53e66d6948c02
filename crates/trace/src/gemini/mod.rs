//! What `gemini --output-format stream-json` prints (and `json`, which has the end alone), and the file of its session
//! (`tmp/…/chats/session-….jsonl`).
//!
//! The rules were measured on 0.61.0:
//! - the stream has what a tool displays, which is nothing for a file that was read; what the model was given stands in the
//!   file of the session alone, so its trace goes first where there is one;
//! - a line of the session with the same id again replaces the earlier one;
//! - an answer that was blocked or empty ends with exit code 0 and the status `error`;
//! - the exit code of an API error is its HTTP status modulo 256, and the status itself stands in texts only;
//! - thoughts are paid like the answer, and only stand in the total of tokens;
//! - `json` tells an error of the API at the end of the standard error;
//! - an answer that was cut at the output limit can't be told from a whole one.

mod ending;
mod events;
pub(crate) mod session;

use crate::format::TranscriptFormat;

/// The row of [`FORMATS`](crate::FORMATS).
pub const STREAM_JSON: TranscriptFormat = TranscriptFormat {
    name: "gemini-stream-json",
    source: "gemini --output-format stream-json (0.61.0)",
    transcript: || Box::new(events::GeminiTranscript::default()),
};
