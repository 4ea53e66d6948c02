//! Sessions that agents keep on disk → what happened in them, event by event.
//!
//! A session of months has gigabytes, so nothing here builds it as a whole: a reader takes lines and gives the events that
//! they end. The formats are the rows of [`SESSION_FORMATS`]; a new one is a file with a [`SessionReader`] and a row.

mod atif;
mod claude;
mod codex;
mod documents;
mod event;
mod format;
mod gemini;
mod logs;
mod openclaw;
mod otel;
mod swe_agent;
mod told;

pub use event::{MessagePiece, SessionEvent, SessionInfo};
pub use format::{HEAD, LineKind, SessionFormat, SessionReader};

/// All formats, the ones that are told most surely first.
pub static SESSION_FORMATS: &[SessionFormat] = &[
    claude::FORMAT,
    codex::FORMAT,
    gemini::FORMAT,
    openclaw::FORMAT,
    atif::FORMAT,
    otel::FORMAT,
    swe_agent::FORMAT,
    logs::specstory::FORMAT,
    logs::plain::FORMAT,
];

/// The format of a file by its name and its beginning; `None` where it is of no known one.
#[must_use]
pub fn session_format(name: &str, head: &str) -> Option<&'static SessionFormat> {
    let ends = |format: &&SessionFormat| format.extensions.iter().any(|extension| name.ends_with(extension));
    SESSION_FORMATS.iter().filter(ends).find(|format| (format.is_one)(head.trim_start_matches('\u{feff}')))
}
