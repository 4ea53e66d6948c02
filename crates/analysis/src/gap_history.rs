//! What earlier reports and people say of the gaps of a run.

use std::collections::BTreeMap;

use eval_format::{EarlierGaps, GapDecision};

/// What is known of gaps before a run is analysed.
#[derive(Clone, Debug, Default)]
pub struct GapHistory {
    /// The gap rates of each variant in earlier reports; empty where they are not looked for.
    pub earlier: Vec<EarlierRates>,
    /// What people decided on gaps, by their ids.
    pub decisions: BTreeMap<String, GapDecision>,
}

/// The gap rates of a variant in earlier complete reports.
#[derive(Clone, Debug, Default)]
pub struct EarlierRates {
    /// The last one of the same test set, or else of the same sample file.
    pub last: Option<EarlierGaps>,
    /// How many of the last ones of the same test set in a row are low.
    pub low_in_a_row: u64,
    /// The last one of the other kind of samples: of those that a model proposed where people designed this run's, and of those
    /// that people designed where a model proposed these.
    pub beside: Option<EarlierGaps>,
}
