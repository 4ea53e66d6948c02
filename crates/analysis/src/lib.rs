//! From the records of a run to every number of its report.
//!
//! In come a suite, its plan and the records of its cells, read one at a time. Out come the summary of each variant, the
//! paired comparisons, judges, gold, sample quality, and the numbers that decide.
//!
//! This crate never runs or grades anything, never decides, and never invents a number: what is not known is `null`.
//! Memory is bounded: of each record a few numbers are kept, and outputs go straight from the journal into the file.

pub mod agent_skills;
mod analyse;
mod cached_control;
mod capabilities;
mod cells;
mod clusters;
mod compare;
mod counting;
mod coverage;
mod dimensions;
mod equal_answers;
mod excluded;
mod family;
mod family_level;
mod file_family;
mod foreign_artifacts;
mod gap_history;
mod gaps;
mod gold;
mod grid;
mod hedging;
mod holdout;
mod imputed;
mod insight;
mod intervals;
mod judging;
mod knowledge;
mod length_shift;
mod likeness;
mod looks;
mod meta;
mod missing;
mod model;
mod numbers;
mod opinions;
mod pair_judges;
mod pairs;
mod pairwise;
mod quality;
mod questions;
mod reading;
mod repeats;
mod report_file;
mod rereading;
mod resources;
mod results;
mod saturation;
mod shares;
pub mod skills;
mod strictness;
mod summary;
mod triggers;
mod tripwire;
mod turning;
mod unseen;
mod variance;

pub use analyse::{analyse, analyse_with};
pub use cached_control::draw_again;
pub use cells::Cells;
pub use clusters::task_heads;
pub use family_level::unread_family;
pub use file_family::file_family;
pub use foreign_artifacts::ForeignArtifacts;
pub use gap_history::{EarlierRates, GapHistory};
pub use gold::{
    GoldDispute, GoldItem, PeopleReport, PersonRating, PreferenceCounts, compare_gold, gold_disputes, gold_items,
    gold_questions, people,
};
pub use hedging::{HedgingCandidate, HedgingReview, hedging_candidates};
pub use length_shift::{DifferenceShift, LengthShift, Shift, VariantShift, length_shift};
pub use looks::{Decider, EarlierFacts, earlier_looks_note, looked_at, outlook};
pub use meta::{JudgeMeta, JudgeTemplate, Meta, RunStatus, permissions};
pub use quality::AlikeSamples;
pub use report_file::{report_json, write};
pub use strictness::Risk;

/// Single numbers as reports store them, so that a number has one value wherever it is computed.
pub mod measure {
    pub use crate::clusters::Clusters;
    pub use crate::compare::{ALPHA, POWER};
    pub use crate::counting::Counting;
    pub use crate::grid::place;
    pub use crate::intervals::{ci, resampling_by};
    pub use crate::model::normalised;
    pub use crate::numbers::{average, count, planned_points, snap, why_failed};
    pub use crate::pairs::differences_of;
    pub use crate::reading::Reading;
    pub use crate::rereading::reading;
    pub use crate::strictness::{Strictness, differences_at};
    pub use crate::unseen::unseen as unseen_inputs;
}

/// What makes two assertions one question, and which texts are alike: how failures are grouped.
pub mod grouping {
    pub use crate::likeness::{Signature, folded, groups, jaccard, shingles};
    pub use crate::questions::{label_of, question_key_in_report};
}

/// The steps of [`analyse`], one by one, for a report that is computed again from its own results.
pub mod recomputing {
    pub use crate::analyse::{Beside, conclude, restrict};
    pub use crate::clusters::Clusters;
    pub use crate::gold::again as gold;
    pub use crate::grid::{Gathering, Grid};
    pub use crate::holdout::Split;
    pub use crate::intervals::MOST_RESAMPLES;
    pub use crate::meta::settings_of;
    pub use crate::numbers::{CellNumbers, Paid};
    pub use crate::results::sample_result;
}

/// What is wrong with the samples themselves (`analysis.sampleQuality`).
pub mod sample_quality {
    pub use crate::quality::{again, of_samples, settle};
}

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::agent_skills::signed;
    pub use crate::cached_control::without_drift;
    pub use crate::family::family;
    pub use crate::gold::judge_of;
    pub use crate::likeness::{SimilarTexts, stir};
    pub use crate::model::{ModelName, normalised};
    pub use crate::quality::WEIGHTS;
    pub use crate::quality::rubrics::is_vague;
}
