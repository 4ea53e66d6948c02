//! Annotators that appear to be judges, and warnings.

use eval_format::{GoldAnnotator, GoldCounts};
use eval_message::{Message, msg};

use crate::model::ModelName;

/// The most left-out annotations that are listed.
pub(super) const LISTED: usize = 100;

/// The judge that an annotator's name matches.
pub(super) fn judge_of(annotator: &str, judges: &[String]) -> Option<String> {
    let own = ModelName::of(annotator);
    judges.iter().find(|judge| own.is_same(&ModelName::of(judge))).cloned()
}

pub(super) fn warnings(counts: &GoldCounts, annotators: &[GoldAnnotator]) -> Vec<Message> {
    let colluding = annotators.iter().filter_map(|of| {
        let judge = of.judge.as_ref()?;
        Some(msg!("report-gold-collusion", annotator = &of.name, judge = judge))
    });
    let mut all: Vec<Message> = colluding.collect();
    let mut tell = |count: u64, message: fn(u64) -> Message| all.extend((count > 0).then(|| message(count)));
    tell(counts.stale, |count| msg!("report-gold-stale", count = count));
    tell(counts.unplaced, |count| msg!("report-gold-unplaced", count = count));
    tell(counts.unknown_sample, |count| msg!("report-gold-unknown-sample", count = count));
    tell(counts.unknown_variant, |count| msg!("report-gold-unknown-variant", count = count));
    tell(counts.unjudged, |count| msg!("report-gold-unjudged", count = count));
    tell(counts.open, |count| msg!("report-gold-open", count = count));
    tell(counts.twice, |count| msg!("report-gold-twice", count = count));
    tell(counts.tripwire, |count| msg!("report-gold-tripwire", count = count));
    tell(counts.not_needed, |count| msg!("report-gold-not-needed", count = count));
    tell(counts.withdrawn, |count| msg!("report-gold-withdrawn", count = count));
    tell(counts.unverified, |count| msg!("report-gold-unverified", count = count));
    all
}
