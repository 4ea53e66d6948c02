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

/// What a sample weighs in the weighted gap rate: as much as its strongest signal, since several signs of one wall are one wall.
#[must_use]
pub fn gap_weight<'a>(signals: impl IntoIterator<Item = &'a GapSignal>) -> f64 {
    signals.into_iter().map(|signal| signal.kind.weight()).fold(0.0, f64::max)
}

/// All signals of a conversation, kind by kind.
#[must_use]
pub fn signals(conversation: &Conversation) -> Vec<GapSignal> {
    SIGNALS.iter().flat_map(|detector| (detector.detect)(conversation)).collect()
}
