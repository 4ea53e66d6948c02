//! Messages of stored reports that a reader acts on.
//!
//! A report stores reasons as messages, which most readers only show. This table is the only place that compares their
//! keys.

use eval_message::Message;

/// A stored message that a reader treats differently from all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownMessage {
    /// An answer was not graded.
    Ungraded,
    /// A sample has nothing to score.
    NotPlanned,
    /// Scores of a sample rest on different checks.
    ChecksUnlike,
    /// Samples have the same prompt and context.
    ExactDuplicate,
    /// How the checks inside a set ended.
    SetResult,
}

/// Each with its key.
const KEYS: [(KnownMessage, &str); 5] = [
    (KnownMessage::Ungraded, "report-missing-ungraded"),
    (KnownMessage::NotPlanned, "report-missing-not-planned"),
    (KnownMessage::ChecksUnlike, "report-missing-checks"),
    (KnownMessage::ExactDuplicate, "quality-duplicates-exact"),
    (KnownMessage::SetResult, "grade-set"),
];

impl KnownMessage {
    /// Every known message with its key.
    #[must_use]
    pub fn all() -> &'static [(KnownMessage, &'static str)] {
        &KEYS
    }

    /// Which one it is; `None` for all that are only shown.
    #[must_use]
    pub fn of(message: &Message) -> Option<KnownMessage> {
        KEYS.iter().find(|(_, key)| message.id == *key).map(|(known, _)| *known)
    }
}
