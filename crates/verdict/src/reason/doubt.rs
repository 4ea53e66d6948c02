use eval_message::msg;
use eval_message::number::{bound, points, signed};
use eval_spec::Layer;

use super::Remedy;
use super::table::reasons;

reasons! {
    /// What forbids to call a difference progress, though both arms were measured alike. Numbers are points, unless a
    /// variant says otherwise.
    pub enum Doubt {
        /// The mean difference is smaller than the smallest one that is progress.
        Trivial { diff: f64, limit: f64 }
            => msg!("report-doubt-trivial", diff = signed(*diff), limit = points(*limit)), Remedy::WeighCost;

        /// There are fewer pairs than progress needs.
        FewPairs { n: u64, needed: u64 } => msg!("report-doubt-pairs", n = *n, needed = *needed), Remedy::MorePairs;

        /// The treatment's mean in a layer is under the gate.
        LayerUnderGate { layer: Layer, mean: f64, threshold: f64 }
            => msg!("report-doubt-layer", layer = layer.name(), mean = points(*mean), threshold = points(*threshold)),
            Remedy::RaiseLayer;

        /// A planned layer could not be scored.
        LayerMissing { layer: Layer } => msg!("report-doubt-layer-missing", layer = layer.name()), Remedy::RaiseLayer;

        /// The run is no valid measurement.
        InvalidRun => msg!("report-doubt-invalid");

        /// Judges prefer the treatment, and the scores don't show it.
        ScoresSilent => msg!("report-doubt-scores");

        /// Gold scores single answers, and the judges compare pairs.
        GoldPairwise => msg!("report-doubt-gold-pairwise");

        /// The judge's agreement with people, Krippendorff's α with its lower bound, is below the limit.
        GoldAlpha { alpha: f64, low: f64, limit: f64 }
            => msg!("report-doubt-gold-alpha", alpha = points(*alpha), low = points(*low), limit = points(*limit)),
            Remedy::MendJudge;

        /// Gold can't show whether the judge agrees with people; both scored `n` answers.
        GoldUndefined { n: u64 } => msg!("report-doubt-gold-undefined", n = *n), Remedy::MendJudge;

        /// The judge layer of a variant is under the gate as people would have scored it.
        GoldUnderGate { variant: String, mean: f64, threshold: f64 }
            => msg!("report-doubt-gold-gate", variant = variant, mean = points(*mean), threshold = points(*threshold)),
            Remedy::MendJudge;

        /// People saw a loss; bounds of the difference.
        GoldWorse { low: f64, high: f64 }
            => msg!("report-doubt-gold-worse", low = bound(*low), high = bound(*high)), Remedy::MendJudge;

        /// People's scores don't confirm the judge's gain; bounds of the difference.
        GoldUnconfirmed { low: f64, high: f64 }
            => msg!("report-doubt-gold-interval", low = bound(*low), high = bound(*high)), Remedy::MendJudge;

        /// No sample is labelled whole, so that nothing confirms the judge's gain.
        GoldNone => msg!("report-doubt-gold-none"), Remedy::MendJudge;

        /// People saw a difference in fewer samples than needed.
        GoldFew { n: u64, needed: u64 } => msg!("report-doubt-gold-few", n = *n, needed = *needed), Remedy::MendJudge;

        /// A part of the holdout has too few pairs; pairs to tune on, and held out.
        HoldoutFew { train: u64, held_out: u64 }
            => msg!("report-doubt-holdout-few", train = *train, holdout = *held_out), Remedy::HoldOutMore;

        /// The gain isn't there on the held-out samples; mean differences, and pairs held out.
        HoldoutLost { train: f64, held_out: f64, n: u64 }
            => msg!("report-doubt-holdout", train = signed(*train), holdout = signed(*held_out), n = *n),
            Remedy::TuneLess;

        /// The gain is smaller on the held-out samples, by `gap` with its bounds.
        HoldoutGap { gap: f64, low: f64, high: f64 }
            => msg!("report-doubt-gap", gap = signed(*gap), low = bound(*low), high = bound(*high)), Remedy::TuneLess;
    }
}
