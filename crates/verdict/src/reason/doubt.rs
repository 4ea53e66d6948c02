use eval_spec::Layer;

use super::Remedy;

/// What forbids to call a difference progress, though both arms were measured alike.
#[derive(Clone, Debug, PartialEq)]
pub enum Doubt {
    /// The difference is too small.
    Trivial {
        /// The mean difference, in points.
        diff: f64,
        /// The smallest difference that is progress, in points.
        limit: f64,
    },
    /// There are too few pairs for progress.
    FewPairs {
        /// Pairs.
        n: u64,
        /// Pairs needed.
        needed: u64,
    },
    /// A layer is under the gate.
    LayerUnderGate {
        /// The layer.
        layer: Layer,
        /// The treatment's mean in it, in points.
        mean: f64,
        /// The gate, in points.
        threshold: f64,
    },
    /// A planned layer could not be scored.
    LayerMissing {
        /// The layer.
        layer: Layer,
    },
    /// The run is no valid measurement.
    InvalidRun,
    /// Judges prefer the treatment, and the scores don't show it.
    ScoresSilent,
    /// Gold scores single answers, and the judges compare pairs.
    GoldPairwise,
    /// The judge agrees too little with people.
    GoldAlpha {
        /// Krippendorff's α.
        alpha: f64,
        /// Its lower bound.
        low: f64,
        /// What it must reach.
        limit: f64,
    },
    /// Gold can't show whether the judge agrees with people.
    GoldUndefined {
        /// Scores that both gave.
        n: u64,
    },
    /// The judge layer is under the gate as people would have scored it.
    GoldUnderGate {
        /// The variant.
        variant: String,
        /// Its mean as people would have scored it, in points.
        mean: f64,
        /// The gate, in points.
        threshold: f64,
    },
    /// People saw a loss.
    GoldWorse {
        /// The interval's lower bound, in points.
        low: f64,
        /// The interval's upper bound, in points.
        high: f64,
    },
    /// People's scores don't confirm the judge's gain.
    GoldUnconfirmed {
        /// The interval's lower bound, in points.
        low: f64,
        /// The interval's upper bound, in points.
        high: f64,
    },
    /// No sample is labelled whole, so that nothing confirms the judge's gain.
    GoldNone,
    /// People saw a difference in too few samples.
    GoldFew {
        /// Samples in which they did.
        n: u64,
        /// Samples needed.
        needed: u64,
    },
    /// A part of the holdout has too few pairs.
    HoldoutFew {
        /// Pairs to tune on.
        train: u64,
        /// Pairs held out.
        held_out: u64,
    },
    /// The gain isn't there on the held-out samples.
    HoldoutLost {
        /// The mean difference on the samples to tune on, in points.
        train: f64,
        /// The mean difference on the held-out ones, in points.
        held_out: f64,
        /// Pairs held out.
        n: u64,
    },
    /// The gain is smaller on the held-out samples.
    HoldoutGap {
        /// By how many points.
        gap: f64,
        /// The interval's lower bound.
        low: f64,
        /// The interval's upper bound.
        high: f64,
    },
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
