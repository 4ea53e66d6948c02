//! The second look at sentences of doubt: a model is asked once all answers are there.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use eval_analysis::{HedgingCandidate, HedgingReview, hedging_candidates};
use eval_cli::driver::Afterwards;
use eval_cli::judges::{self, Shared};
use eval_format::{HedgingClassifierMeta, Spent, UnjudgedHedging};
use eval_grade::{HedgingSilence, Panel};
use eval_message::{Message, msg};
use eval_run::{Journal, RunEnding, ask_afterwards};
use eval_spec::gap::{HEDGING_SUBJECT, HedgingVerdict};
use eval_spec::{CellKey, Failure};

use super::work::ProjectWork;

type Verdicts = BTreeMap<String, Result<HedgingVerdict, UnjudgedHedging>>;

/// The classifier within a run, and what it said.
pub(crate) struct HedgingRun {
    panel: Panel,
    model: String,
    most: usize,
    verdicts: Mutex<Verdicts>,
}

impl HedgingRun {
    /// The classifier of a run; `None` without one.
    pub(super) fn new(work: &ProjectWork, shared: &Shared<'_>, nowhere: &std::path::Path) -> Option<HedgingRun> {
        let (seat, settings) = (work.project.classifier.as_ref()?, &work.project.suite.settings);
        Some(HedgingRun {
            panel: judges::classifier(seat, settings, shared, nowhere),
            model: seat.label.clone(),
            most: settings.hedging_classifier.max_candidates as usize,
            verdicts: Mutex::default(),
        })
    }

    /// Asks about the sentences of a run whose answers are all there; returns whether that came to an end, and a warning
    /// where there were more sentences than it asks about.
    pub(super) async fn ask(&self, work: &ProjectWork, after: &Afterwards<'_>) -> (bool, Option<Message>) {
        // What can't be read now can't be analysed either, and is reported there.
        let candidates = work.with_cells(after.journal, |cells| hedging_candidates(&work.project.suite, cells));
        let mut candidates = candidates.unwrap_or_default();
        let rest = candidates.split_off(candidates.len().min(self.most));
        let (found, beyond) = (candidates.len() + rest.len(), rest.len());
        let why = match after.ended {
            RunEnding::Complete | RunEnding::Decided => None,
            RunEnding::BudgetExhausted { .. } => Some(UnjudgedHedging::Budget),
            RunEnding::Interrupted | RunEnding::Aborted { .. } | RunEnding::JudgeFailed { .. } => {
                Some(UnjudgedHedging::RunEnded)
            }
        };
        let unasked = |of: HedgingCandidate, why| (of.sentence, Err(why));
        let mut verdicts: Verdicts =
            rest.into_iter().map(|of| unasked(of, why.unwrap_or(UnjudgedHedging::BeyondLimit))).collect();
        let is_whole = match why {
            Some(why) => {
                verdicts.extend(candidates.into_iter().map(|of| unasked(of, why)));
                true
            }
            None if candidates.is_empty() => true,
            None => {
                let asked = ask_afterwards(after.guard, after.on_event, candidates, |of| self.one(of)).await;
                let is_whole = asked.is_some();
                verdicts.extend(asked.into_iter().flatten());
                is_whole
            }
        };
        *self.verdicts.lock().unwrap_or_else(PoisonError::into_inner) = verdicts;
        let warning = (beyond > 0 && why.is_none())
            .then(|| msg!("cli-hedging-truncated", found = found, most = self.most, beyond = beyond));
        (is_whole, warning)
    }

    async fn one(&self, of: HedgingCandidate) -> (String, Result<HedgingVerdict, UnjudgedHedging>) {
        let key = CellKey { sample: of.sample, subject: HEDGING_SUBJECT.into(), repeat: 0 };
        let verdict = eval_grade::judge_hedging(&self.panel, &key, &of.sentence, &of.context).await;
        let why = |silence| match silence {
            HedgingSilence::Unreadable => UnjudgedHedging::Unreadable,
            HedgingSilence::Failed(Failure::Budget) => UnjudgedHedging::Budget,
            HedgingSilence::Failed(_) => UnjudgedHedging::Failed,
        };
        (of.sentence, verdict.map_err(why))
    }

    /// What the report says of it.
    pub(super) fn review(&self, journal: &Journal) -> HedgingReview {
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let spent = journal.spent_on_classifier();
        let meta = HedgingClassifierMeta {
            model: self.model.clone(),
            prompt_hash: eval_grade::hedging_prompt_hash(),
            max_candidates: count(self.most),
            candidates: count(verdicts.len()),
            cost: Spent { total_usd: spent.total().map(|usd| usd.0), known_usd: spent.known.0 },
        };
        HedgingReview { meta, verdicts }
    }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
