//! The sentences of doubt that a model looks at again, and what it made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use eval_format::{HedgingClassifierMeta, HedgingCounts, ReportError, UnjudgedHedging};
use eval_gaps::GapSignal;
use eval_spec::Suite;
use eval_spec::gap::{HedgingVerdict, SignalKind};
use rayon::prelude::*;

use crate::cells::Cells;
use crate::gaps::{TraceReading, of_record};

/// A sentence that a pattern takes for doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HedgingCandidate {
    /// The sample in whose answer it stands first.
    pub sample: Arc<str>,
    /// The sentence.
    pub sentence: String,
    /// The sentence with those around it.
    pub context: String,
}

/// What a model made of the sentences of a run. A sentence that it was not asked about is kept.
#[derive(Clone, Debug)]
pub struct HedgingReview {
    /// Which model, and what it cost.
    pub meta: HedgingClassifierMeta,
    /// Its verdicts, or why there is none, by the sentence.
    pub verdicts: BTreeMap<String, Result<HedgingVerdict, UnjudgedHedging>>,
}

/// The different sentences of doubt in the traces of a run. The first of each execution come first, then the second ones: a
/// limit on their number favours neither a talkative sample nor a variant.
///
/// # Errors
/// When a record can't be read.
pub fn hedging_candidates(suite: &Suite, cells: &Cells) -> Result<Vec<HedgingCandidate>, ReportError> {
    let reading = TraceReading::of(suite);
    let of_cell = |(at, cell): (usize, &eval_spec::Cell)| {
        let record = (cells.read)(at).map_err(ReportError::Read)?;
        let trace = record.as_ref().and_then(|record| of_record(suite, &reading, cell, record));
        let signals = trace.into_iter().flat_map(|of| of.signals).filter(|of| of.kind == SignalKind::Hedging);
        Ok(signals
            .enumerate()
            .map(|(nth, signal)| {
                let place = (nth, cell.sample, cell.key.repeat, cell.subject);
                let GapSignal { subject: sentence, context, .. } = signal;
                (place, HedgingCandidate { sample: Arc::clone(&cell.key.sample), sentence, context })
            })
            .collect::<Vec<_>>())
    };
    let found = cells.plan.cells.par_iter().enumerate().map(of_cell).collect::<Result<Vec<_>, ReportError>>()?;
    let mut all: Vec<_> = found.into_iter().flatten().collect();
    all.sort_by_key(|(place, _)| *place);
    let mut seen = BTreeSet::new();
    let all = all.into_iter().map(|(_, candidate)| candidate);
    Ok(all.filter(|candidate| seen.insert(candidate.sentence.clone())).collect())
}

impl HedgingReview {
    /// The verdict on a signal; `None` where there is none, or the signal is of another kind.
    pub(crate) fn verdict(&self, signal: &GapSignal) -> Option<&HedgingVerdict> {
        self.of(signal)?.as_ref().ok()
    }

    fn of(&self, signal: &GapSignal) -> Option<&Result<HedgingVerdict, UnjudgedHedging>> {
        self.verdicts.get(&signal.subject).filter(|_| signal.kind == SignalKind::Hedging)
    }

    /// Whether the model took a sentence for no doubt.
    pub(crate) fn drops(&self, signal: &GapSignal) -> bool {
        self.verdict(signal).is_some_and(|verdict| !verdict.is_uncertainty)
    }

    /// How many sentences of some signals it confirmed, dropped, and didn't judge.
    pub(crate) fn counts<'a>(&self, signals: impl Iterator<Item = &'a GapSignal>) -> HedgingCounts {
        let mut counts = HedgingCounts::default();
        for signal in signals.filter(|of| of.kind == SignalKind::Hedging) {
            counts.found += 1;
            match self.of(signal) {
                Some(Ok(verdict)) if verdict.is_uncertainty => counts.confirmed += 1,
                Some(Ok(_)) => counts.dropped += 1,
                Some(Err(why)) => *counts.unjudged.entry(*why).or_default() += 1,
                None => *counts.unjudged.entry(UnjudgedHedging::RunEnded).or_default() += 1,
            }
        }
        counts
    }
}
