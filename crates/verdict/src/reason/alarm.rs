use eval_spec::Layer;

use super::Remedy;

/// What shows that control and treatment were not measured alike, or not measured well enough. Shares are 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub enum Alarm {
    /// More scores of a variant are missing than may.
    ScoresMissing {
        /// The variant.
        variant: String,
        /// Scores that are missing.
        missing: u64,
        /// Scores planned.
        planned: u64,
        /// The share that may be missing, in percent.
        limit: u64,
    },
    /// Scores are missing unevenly.
    ScoresMissingDiffer(ShareGap),
    /// Executions ended differently.
    OutcomesDiffer {
        /// The way of ending.
        outcome: &'static str,
        /// How many ended so.
        gap: ShareGap,
    },
    /// The budget kept executions from running.
    OverBudget {
        /// The variant.
        variant: String,
        /// Executions.
        count: u64,
    },
    /// Samples are no pairs, since a check could be evaluated in some runs of them only.
    ChecksUnlike {
        /// Samples.
        samples: u64,
        /// The types of the checks.
        checks: Vec<String>,
    },
    /// Too much of a layer could not be evaluated.
    LayerUnscored {
        /// The variant.
        variant: String,
        /// The layer.
        layer: Layer,
        /// The share of its weight that could not be evaluated.
        share: f64,
        /// The share that may be, in percent.
        limit: u64,
    },
    /// Checks could not be evaluated unevenly.
    ChecksUnscoredDiffer(ShareGap),
    /// The cache answered unevenly.
    CachedDiffer(ShareGap),
    /// A model answered unevenly.
    ModelsDiffer {
        /// The model.
        model: String,
        /// The share of the control's answers.
        control: f64,
        /// The share of the treatment's answers.
        treatment: f64,
    },
    /// Answers name their model unevenly.
    ModelsUnnamed {
        /// The share of the control's answers that name none.
        control: f64,
        /// The share of the treatment's answers that name none.
        treatment: f64,
    },
    /// More opinions of judges on a variant are missing than may.
    OpinionsMissing {
        /// The variant.
        variant: String,
        /// Opinions that are missing.
        missing: u64,
        /// Opinions asked for.
        planned: u64,
        /// The share that may be missing, in percent.
        limit: u64,
    },
    /// Opinions are missing unevenly.
    OpinionsMissingDiffer(ShareGap),
    /// The judges' scores disagree.
    Agreement {
        /// Krippendorff's α.
        alpha: f64,
        /// The least that is enough.
        limit: f64,
    },
    /// The judges disagree on which answer is better.
    PairAgreement {
        /// Krippendorff's α.
        alpha: f64,
        /// The least that is enough.
        limit: f64,
    },
    /// More pairs of answers were not compared than may be.
    PairsMissing {
        /// Pairs that were not compared.
        missing: u64,
        /// Pairs planned.
        planned: u64,
        /// The share that may be missing, in percent.
        limit: u64,
    },
    /// The judges prefer the place of an answer.
    Position {
        /// The share of replies in which the answer shown first won.
        share: f64,
        /// The lower bound of its interval.
        low: f64,
        /// The upper bound.
        high: f64,
    },
}

/// A share that differs between the arms by more than it may.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareGap {
    /// The share in the control, 0 to 1.
    pub control: f64,
    /// The share in the treatment, 0 to 1.
    pub treatment: f64,
    /// How far they may differ, in percentage points.
    pub limit: u64,
}

impl Alarm {
    /// What silences it.
    #[must_use]
    pub fn remedy(&self) -> Remedy {
        match self {
            Alarm::ChecksUnlike { .. } => Remedy::MendChecks,
            Alarm::CachedDiffer(_) => Remedy::RunAfresh,
            Alarm::OpinionsMissing { .. } | Alarm::OpinionsMissingDiffer(_) | Alarm::PairsMissing { .. } => {
                Remedy::MendJudges
            }
            Alarm::Position { .. } => Remedy::ReplaceJudges,
            Alarm::Agreement { .. } | Alarm::PairAgreement { .. } => Remedy::SettleJudges,
            Alarm::ScoresMissing { .. }
            | Alarm::ScoresMissingDiffer(_)
            | Alarm::OutcomesDiffer { .. }
            | Alarm::OverBudget { .. }
            | Alarm::LayerUnscored { .. }
            | Alarm::ChecksUnscoredDiffer(_)
            | Alarm::ModelsDiffer { .. }
            | Alarm::ModelsUnnamed { .. } => Remedy::CheckExcluded,
        }
    }
}
