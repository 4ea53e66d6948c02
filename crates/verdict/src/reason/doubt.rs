use eval_spec::Layer;

use super::Remedy;

/// Why a gain does not count as progress although both arms were measured alike.
///
/// Differences, means, bounds, gaps, limits and thresholds are in points on the 1–5 scale, except those of
/// Krippendorff's α. Counts are of pairs or samples; `needed` is how many it takes.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what their fields are")]
pub enum Doubt {
    /// The difference is too small.
    Trivial { diff: f64, limit: f64 },
    /// There are too few pairs for progress.
    FewPairs { n: u64, needed: u64 },
    /// A layer is under the gate.
    LayerUnderGate { layer: Layer, mean: f64, threshold: f64 },
    /// A planned layer could not be scored.
    LayerMissing { layer: Layer },
    /// The run is no valid measurement.
    InvalidRun,
    /// Judges prefer the treatment, and the scores don't show it.
    ScoresSilent,
    /// Gold scores single answers, and the judges compare pairs.
    GoldPairwise,
    /// The judge agrees too little with people.
    GoldAlpha { alpha: f64, low: f64, limit: f64 },
    /// Gold can't show whether the judge agrees with people.
    GoldUndefined { n: u64 },
    /// The judge layer is under the gate as people would have scored it.
    GoldUnderGate { variant: String, mean: f64, threshold: f64 },
    /// People saw a loss.
    GoldWorse { low: f64, high: f64 },
    /// People's scores don't confirm the judge's gain.
    GoldUnconfirmed { low: f64, high: f64 },
    /// No sample is labelled whole, so that nothing confirms the judge's gain.
    GoldNone,
    /// People saw a difference in too few samples.
    GoldFew { n: u64, needed: u64 },
    /// A part of the holdout has too few pairs.
    HoldoutFew { train: u64, held_out: u64 },
    /// The gain isn't there on the held-out samples.
    HoldoutLost { train: f64, held_out: f64, n: u64 },
    /// The gain is smaller on the held-out samples.
    HoldoutGap { gap: f64, low: f64, high: f64 },
}

impl Doubt {
    /// What removes it, where anything is known to.
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Doubt::Trivial { .. } => Remedy::WeighCost,
            Doubt::FewPairs { .. } => Remedy::MorePairs,
            Doubt::LayerUnderGate { .. } | Doubt::LayerMissing { .. } => Remedy::RaiseLayer,
            Doubt::GoldAlpha { .. }
            | Doubt::GoldUndefined { .. }
            | Doubt::GoldUnderGate { .. }
            | Doubt::GoldWorse { .. }
            | Doubt::GoldUnconfirmed { .. }
            | Doubt::GoldNone
            | Doubt::GoldFew { .. } => Remedy::MendJudge,
            Doubt::HoldoutFew { .. } => Remedy::HoldOutMore,
            Doubt::HoldoutLost { .. } | Doubt::HoldoutGap { .. } => Remedy::TuneLess,
            Doubt::InvalidRun | Doubt::ScoresSilent | Doubt::GoldPairwise => return None,
        })
    }
}
