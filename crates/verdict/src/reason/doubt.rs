use eval_format::GapGuardInputs;
use eval_message::number::{bound, percent, points, signed};
use eval_message::{Message, msg};
use eval_spec::Layer;

use super::Remedy;
use super::evidence::or_unknown;
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

        /// Runs that the artifact left unanswered score 1 in a second analysis, and the gain or the sameness is not there.
        Unanswered { control: u64, treatment: u64, mean: Option<f64>, low: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-unanswered",
            control = *control,
            treatment = *treatment,
            diff = or_unknown(*mean, signed),
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::CheckExcluded;

        /// Lost runs could turn the decision: samples with such runs, of those planned, and the bounds with them.
        LostRuns { samples: u64, planned: u64, low: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-lost",
            samples = *samples,
            planned = *planned,
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RepeatLost;

        /// The same of another tool's results, which can't be run again from here.
        LostElsewhere { tool: String, samples: u64, planned: u64, low: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-lost-elsewhere",
            tool = tool,
            samples = *samples,
            planned = *planned,
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RepeatLost;

        /// Cases that an arm lacks are left out of the mean and could turn the decision: those cases, of all, and the bounds
        /// with them.
        LeftOut { tool: String, samples: u64, planned: u64, low: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-left-out",
            tool = tool,
            samples = *samples,
            planned = *planned,
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RepeatLost;

        /// Answers were asked again after failures that may depend on them: the bounds if the first had been bad.
        AskedAgain {
            variant: String, control: String, runs: u64, of_control: u64, low: Option<f64>, high: Option<f64>
        } => msg!(
            "report-doubt-asked-again",
            variant = variant,
            control = control,
            runs = *runs,
            controlRuns = *of_control,
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RunBothAgain;

        /// Answers replace others that were there: the bounds if the first had been bad.
        Redrawn {
            variant: String, control: String, runs: u64, of_control: u64, low: Option<f64>, high: Option<f64>
        } => msg!(
            "report-doubt-redrawn",
            variant = variant,
            control = control,
            runs = *runs,
            controlRuns = *of_control,
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound)
        ), Remedy::RunAfresh;

        /// A kind of sample that the test set doesn't show could undo the gain with this chance; samples with which it holds.
        UnseenKind { n: u64, risk: f64, most: f64, needed: Option<u64> }
            => unseen_kind(*n, *risk, *most, *needed), Remedy::MorePairs;

        /// A kind of sample that the test set doesn't show could differ by more than matters with this chance.
        UnseenDifference { n: u64, risk: f64, most: f64, limit: f64 } => msg!(
            "report-doubt-unseen-difference",
            n = *n,
            risk = percent(*risk),
            most = percent(*most),
            limit = points(*limit)
        ), Remedy::MorePairs;

        /// The gain is one of tasks, in which the samples of a cluster count once, and not one of samples.
        GainOfClusters { mean: f64, over: f64 }
            => msg!("report-doubt-gain-of-clusters", mean = signed(*mean), over = signed(*over)), Remedy::ReadClusters;

        /// Over all samples the difference is larger than over tasks.
        ClustersHide { over: f64, limit: f64 }
            => msg!("report-doubt-clusters-hide", over = signed(*over), limit = points(*limit)), Remedy::ReadClusters;

        /// A variant scores next to nothing on these samples, so that it has nothing to lose: points above the lowest score.
        NothingToLose { variant: String, room: f64, limit: f64 } => msg!(
            "report-doubt-nothing-to-lose",
            variant = variant,
            room = points(*room),
            limit = points(*limit)
        ), Remedy::EasierSamples;

        /// No agent loaded the skill, so that the gain is none of its content.
        NeverLoaded { executions: u64 }
            => msg!("report-doubt-never-loaded", executions = *executions), Remedy::MendDescription;

        /// The skill is loaded in too few of the runs that should load it.
        LowRecall { share: f64, limit: f64 }
            => msg!("report-doubt-low-recall", share = percent(*share), limit = percent(*limit)), Remedy::MendDescription;

        /// The skill is loaded in too many of the runs that should not load it.
        LowPrecision { share: f64, limit: f64 }
            => msg!("report-doubt-low-precision", share = percent(*share), limit = percent(*limit)), Remedy::MendDescription;

        /// The gap rate is above its limit.
        GapRateHigh { of: GapGuardInputs, limit: f64 } => of.too_high(*limit);

        /// The gap rate has risen by more than its limit.
        GapRateRisen { of: GapGuardInputs, limit: f64 } => of.risen(*limit);

        /// The last gap rate is of another test set.
        GapRateOfOtherSamples { of: GapGuardInputs } => of.other_test_set();

        /// A gap rate is guarded that could not be measured.
        GapRateUnmeasured { of: GapGuardInputs } => of.unmeasured();

        /// The interval doesn't exclude a loss of more than the margin.
        LossNotExcluded { low: Option<f64>, margin: f64 }
            => loss_not_excluded(*low, points(*margin)), Remedy::MorePairs;

        /// A layer fell: its interval lies below 0.
        LayerFell { layer: Layer, n: u64, mean: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-layer-fell",
            layer = layer.name(),
            n = *n,
            fell = or_unknown(*mean, fall),
            high = or_unknown(*high, bound)
        ), Remedy::RaiseLayer;

        /// A capability fell: its interval lies below 0.
        CapabilityFell { name: String, n: u64, mean: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-capability-fell",
            name = name,
            n = *n,
            fell = or_unknown(*mean, fall),
            high = or_unknown(*high, bound)
        ), Remedy::RaisePart;

        /// Every task of a small capability fell.
        CapabilityCollapsed { name: String, n: u64, mean: Option<f64> }
            => msg!("report-doubt-capability-collapsed", name = name, n = *n, fell = or_unknown(*mean, fall)),
            Remedy::RaisePart;

        /// A judged dimension fell: its interval lies below 0.
        DimensionFell { name: String, n: u64, mean: Option<f64>, high: Option<f64> } => msg!(
            "report-doubt-dimension-fell",
            name = name,
            n = *n,
            fell = or_unknown(*mean, fall),
            high = or_unknown(*high, bound)
        ), Remedy::RaisePart;

        /// Every task of a small dimension fell.
        DimensionCollapsed { name: String, n: u64, mean: Option<f64> }
            => msg!("report-doubt-dimension-collapsed", name = name, n = *n, fell = or_unknown(*mean, fall)),
            Remedy::RaisePart;

        /// Every task of a layer that few samples plan fell.
        LayerCollapsed { layer: Layer, n: u64, mean: Option<f64> }
            => msg!("report-doubt-layer-collapsed", layer = layer.name(), n = *n, fell = or_unknown(*mean, fall)),
            Remedy::RaiseLayer;

        /// The default interval comes to another tier.
        OnlyByInterval { tier: &'static str } => msg!("report-doubt-only-by-interval", tier = *tier);

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

/// A fall as a number without a sign.
fn fall(difference: f64) -> String {
    points(difference.abs())
}

fn unseen_kind(n: u64, risk: f64, most: f64, needed: Option<u64>) -> Message {
    let (risk, most) = (percent(risk), percent(most));
    match needed {
        Some(needed) => msg!("report-doubt-unseen", n = n, risk = risk, most = most, needed = needed),
        None => msg!("report-doubt-unseen-ever", n = n, risk = risk, most = most),
    }
}

fn loss_not_excluded(low: Option<f64>, margin: String) -> Message {
    match low {
        Some(low) => msg!("report-doubt-margin", low = bound(low), margin = margin),
        None => msg!("report-doubt-margin-unmeasured", margin = margin),
    }
}
