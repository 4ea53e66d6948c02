//! The kinds of signals, one file each.

mod explicit_marker;
mod failed_search;
mod hedging;
mod repeated_failure;
mod signal;

use crate::conversation::Conversation;
pub use signal::{GapSignal, SignalDetector};

/// All detectors.
pub static SIGNALS: &[SignalDetector] =
    &[failed_search::DETECTOR, explicit_marker::DETECTOR, hedging::DETECTOR, repeated_failure::DETECTOR];

/// All signals of a conversation, kind by kind.
#[must_use]
pub fn signals(conversation: &Conversation) -> Vec<GapSignal> {
    SIGNALS.iter().flat_map(|detector| (detector.detect)(conversation)).collect()
}
