use eval_spec::Layer;

use super::Remedy;

/// What shows that control and treatment were not measured alike, or not measured well enough.
///
/// Shares are 0 to 1; the `limit` of missing scores, opinions, pairs and weights is in percent. An `alpha` and its `limit`
/// are values of Krippendorff's α; `low` and `high` are the bounds of a share's interval.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Alarm {
    /// More scores of a variant are missing than may.
    ScoresMissing { variant: String, missing: u64, planned: u64, limit: u64 },
    /// Scores are missing unevenly.
    ScoresMissingDiffer(ShareGap),
    /// Executions ended differently.
    OutcomesDiffer { outcome: &'static str, gap: ShareGap },
    /// The budget kept executions from running.
    OverBudget { variant: String, count: u64 },
    /// Samples are no pairs, since a check could be evaluated in some runs of them only.
    ChecksUnlike { samples: u64, checks: Vec<String> },
    /// Too much of a layer could not be evaluated.
    LayerUnscored { variant: String, layer: Layer, share: f64, limit: u64 },
    /// Checks could not be evaluated unevenly.
    ChecksUnscoredDiffer(ShareGap),
    /// The cache answered unevenly.
    CachedDiffer(ShareGap),
    /// A model answered unevenly.
    ModelsDiffer { model: String, control: f64, treatment: f64 },
    /// Answers name their model unevenly.
    ModelsUnnamed { control: f64, treatment: f64 },
    /// More opinions of judges on a variant are missing than may.
    OpinionsMissing { variant: String, missing: u64, planned: u64, limit: u64 },
    /// Opinions are missing unevenly.
    OpinionsMissingDiffer(ShareGap),
    /// The judges' scores disagree.
    Agreement { alpha: f64, limit: f64 },
    /// The judges disagree on which answer is better.
    PairAgreement { alpha: f64, limit: f64 },
    /// More pairs of answers were not compared than may be.
    PairsMissing { missing: u64, planned: u64, limit: u64 },
    /// The judges prefer the place of an answer.
    Position { share: f64, low: f64, high: f64 },
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
