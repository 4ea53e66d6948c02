use std::collections::BTreeMap;

use eval_format::{GapGuardInputs, Limits, ReadingOutcome, UnknownFact};
use eval_message::number::{bound, p_text, percent, points, risk as risk_text, signed};
use eval_message::{Message, msg};
use eval_spec::Layer;

use super::table::reasons;

reasons! {
    /// What the numbers show, and where that leads. Differences, means and limits are points, preferences −1 to 1;
    /// `limit` is the smallest difference that matters.
    pub enum Evidence {
        /// There are too few pairs to say anything.
        FewPairs { n: u64, needed: u64 } => msg!("report-why-few-pairs", n = *n, needed = *needed);

        /// Nothing of a variant could be scored; how most of its executions ended.
        Unscored { variant: String, outcome: &'static str, count: u64, total: u64 } => msg!(
            "report-why-unscored",
            variant = variant,
            outcome = *outcome,
            count = *count,
            total = *total
        );

        /// The difference lies below 0.
        Below { range: DifferenceRange } => below(*range);

        /// The difference lies above 0.
        Above { range: DifferenceRange } => above(*range);

        /// It is worse on these samples, and a kind that none of them is of could make up for it; samples that would tell.
        LossMayBeMadeUp { n: u64, needed: Option<u64> } => match needed {
            Some(needed) => msg!("report-why-loss-unseen", n = *n, needed = *needed),
            None => msg!("report-why-loss-unseen-ever", n = *n),
        };

        /// The loss is one of tasks, in which the samples of a cluster count once, and not one of samples.
        LossOfClusters { over: f64 } => msg!("report-why-loss-of-clusters", over = signed(*over));

        /// A loss is certain, and too small to matter.
        SmallLoss { mean: Option<f64>, limit: f64 }
            => msg!("report-why-small-loss", mean = mean.map_or_else(String::new, signed), limit = points(*limit));

        /// A difference that matters is excluded.
        Inside { range: DifferenceRange, limit: f64 } => inside(*range, *limit);

        /// Neither chance nor a difference that matters is excluded.
        Wide { range: DifferenceRange, limit: f64 } => wide(*range, *limit);

        /// A layer fell, and the treatment's mean in it is under the gate.
        LayerBelow { layer: Layer, fell_by: Option<f64>, mean: f64, threshold: f64 } => msg!(
            "report-why-layer-below",
            layer = layer.name(),
            diff = fell_by.map_or_else(String::new, points),
            mean = points(*mean),
            threshold = points(*threshold)
        );

        /// About so many samples settle it; pairs so far; and how many are enough if the gain is as seen.
        MoreSamplesHelp { needed: u64, n: u64, limit: f64, plan: Option<GainPlan> } => match plan {
            None => msg!("report-why-more", needed = *needed, n = *n, limit = points(*limit)),
            Some(GainPlan { gain, needed: enough }) => msg!(
                "report-why-more-gain",
                enough = *enough,
                gain = signed(*gain),
                needed = *needed,
                n = *n,
                limit = points(*limit)
            ),
        };

        /// The interval is narrow enough, but lies across the border.
        AcrossBorder { limit: f64 } => msg!("report-why-more-border", limit = points(*limit));

        /// More samples than anybody can pay for would be needed.
        Hopeless { limit: f64 } => msg!("report-why-more-hopeless", limit = points(*limit));

        /// There is no earlier gap rate that this one could have risen from.
        FirstGapRate { of: GapGuardInputs, variant: String } => of.first(variant);

        /// The interval has stopped narrowing.
        Saturated => msg!("report-why-saturated");

        /// What judges prefer, with bounds, over `n` samples.
        Preference { preference: Option<f64>, low: Option<f64>, high: Option<f64>, n: u64 } => msg!(
            "report-why-preference",
            preference = or_unknown(*preference, signed),
            low = or_unknown(*low, bound),
            high = or_unknown(*high, bound),
            n = *n
        );

        /// The difference is a preference, read as points.
        PreferenceAsPoints { preference: f64 }
            => msg!("report-why-preference-points", preference = signed(*preference));

        /// The preference decides, since fewer samples have scores than needed.
        PreferenceDecides { n: u64, needed: u64 } => msg!("report-why-preference-decides", n = *n, needed = *needed);

        /// Samples are versions of fewer tasks, which count once.
        FewerTasks { samples: u64, tasks: u64 } => msg!("report-why-tasks", samples = *samples, tasks = *tasks);

        /// The file has more treatments than are compared, and the intervals are those of all.
        OneOfFile { treatments: u64 } => msg!("report-why-one-of-file", count = *treatments);

        /// The scores are another tool's; what its files don't tell.
        RestsOnFile { tool: String, score: String, unknown: Vec<UnknownFact> } => rests_on_file(tool, score, unknown);

        /// Lost runs could turn a loss: samples with such runs, of those planned.
        LossCouldTurn { samples: u64, planned: u64 }
            => msg!("report-why-loss-lost", samples = *samples, planned = *planned);

        /// This is not the first look at these artifacts: its number, how many had these very samples, and the risk that its
        /// interval leaves out on each side.
        /// A model's API refused one arm far more often, before any answer began: shares of its executions.
        RefusedFirst { variant: String, of_variant: f64, control: String, of_control: f64 } => msg!(
            "report-why-refused-first",
            variant = variant,
            ofVariant = percent(*of_variant),
            control = control,
            ofControl = percent(*of_control)
        );
        LookNumber { number: u64, same_samples: u64, risk: f64 } => msg!(
            "report-why-look",
            number = *number,
            changed = if same_samples < number { "yes" } else { "no" },
            risk = risk_text(*risk)
        );

        /// Limits that are looser than the defaults, which would give another tier.
        LooserLimits { set: Limits, defaults: Limits, tier: &'static str }
            => msg!("report-why-looser-limits", flags = looser(set, defaults), tier = *tier);

        /// An earlier report read the same scores, and came to less; the flags that changed since.
        ReadBefore { report: String, changed: BTreeMap<String, [Option<String>; 2]>, outcome: ReadingOutcome } => msg!(
            "report-why-read-before",
            report = if report.is_empty() { "none" } else { report.as_str() },
            changed = if changed.is_empty() { "no" } else { "yes" },
            changes = changes(changed),
            tier = if outcome.valid { outcome.tier.name() } else { "INVALID" },
            reached = if outcome.reached { "yes" } else { "no" }
        );

        /// The same where samples left the set since the look before, and the mean difference with them.
        LookWithout { number: u64, risk: f64, samples: u64, mean: Option<f64> } => msg!(
            "report-why-look-without",
            number = *number,
            risk = risk_text(*risk),
            samples = *samples,
            mean = or_unknown(*mean, signed)
        );

        /// The treatment is not worse than the control by more than the margin.
        NotWorse { control: String, margin: f64, low: Option<f64> } => msg!(
            "report-why-not-worse", control = control, margin = points(*margin), low = or_unknown(*low, bound)
        );

        /// The same of another tool's results.
        LossCouldTurnElsewhere { tool: String, samples: u64, planned: u64 }
            => msg!("report-why-loss-lost-elsewhere", tool = tool, samples = *samples, planned = *planned);

        /// Without a treatment: nothing of the variant could be scored.
        SoloUnscored { variant: String } => msg!("report-solo-unscored", variant = variant);

        /// Without a treatment: the mean is under the gate.
        SoloUnder { variant: String, mean: f64, threshold: f64 }
            => msg!("report-solo-under", variant = variant, mean = points(*mean), threshold = points(*threshold));

        /// Without a treatment: the mean reaches the gate, and nothing forbids to rely on it.
        SoloReached { variant: String, mean: f64, threshold: f64 }
            => msg!("report-solo-reached", variant = variant, mean = points(*mean), threshold = points(*threshold));
    }
}

impl Evidence {
    /// Whether it says what more samples would do.
    #[must_use]
    pub fn is_about_more_samples(&self) -> bool {
        matches!(
            self,
            Evidence::MoreSamplesHelp { .. }
                | Evidence::AcrossBorder { .. }
                | Evidence::Hopeless { .. }
                | Evidence::Saturated
        )
    }
}

fn rests_on_file(tool: &str, score: &str, unknown: &[UnknownFact]) -> Message {
    let knows = |fact| if unknown.contains(&fact) { "no" } else { "yes" };
    msg!(
        "report-why-rests-on-file",
        tool = tool,
        score = score,
        grader = knows(UnknownFact::Grader),
        order = knows(UnknownFact::Order)
    )
}

/// Where a difference lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DifferenceRange {
    /// In an interval, in points.
    Interval {
        /// The lower bound.
        low: Option<f64>,
        /// The upper bound.
        high: Option<f64>,
    },
    /// All differences have one value, so that the p-value is read in place of the interval.
    AllEqual {
        /// Pairs.
        n: u64,
        /// The value, in points.
        value: Option<f64>,
        /// The p-value.
        p: Option<f64>,
    },
}

/// A bound or number that isn't known.
const UNKNOWN: &str = "?";

fn below(range: DifferenceRange) -> Message {
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-below", low = or_unknown(low, bound), high = or_unknown(high, bound))
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-below-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p))
        }
    }
}

fn above(range: DifferenceRange) -> Message {
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-above", low = or_unknown(low, bound), high = or_unknown(high, bound))
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-above-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p))
        }
    }
}

fn inside(range: DifferenceRange, limit: f64) -> Message {
    let limit = points(limit);
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-inside", low = or_unknown(low, bound), high = or_unknown(high, bound), limit = limit)
        }
        DifferenceRange::AllEqual { n, value, .. } => {
            msg!("report-why-inside-all", n = n, diff = or_unknown(value, bound), limit = limit)
        }
    }
}

fn wide(range: DifferenceRange, limit: f64) -> Message {
    let limit = points(limit);
    match range {
        DifferenceRange::Interval { low, high } => {
            msg!("report-why-wide", low = or_unknown(low, bound), high = or_unknown(high, bound), limit = limit)
        }
        DifferenceRange::AllEqual { n, value, p } => {
            msg!("report-why-wide-all", n = n, diff = or_unknown(value, bound), p = p_or_unknown(p), limit = limit)
        }
    }
}

/// Returns the flags whose values differ from the defaults'.
fn looser(set: &Limits, defaults: &Limits) -> String {
    let all = [
        ("--threshold", set.threshold, defaults.threshold),
        ("--trivial-diff", set.trivial_diff, defaults.trivial_diff),
        ("--min-effect", set.min_effect, defaults.min_effect),
        ("--min-preference", set.min_preference, defaults.min_preference),
    ];
    let is_set = |(flag, set, default): (&str, f64, f64)| {
        set.total_cmp(&default).is_ne().then(|| format!("`{flag} {}`", points(set)))
    };
    all.into_iter().filter_map(is_set).collect::<Vec<_>>().join(", ")
}

/// Returns the flags with their values before and now.
fn changes(changed: &BTreeMap<String, [Option<String>; 2]>) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
    let change =
        |(flag, [before, now]): (&String, &[Option<String>; 2])| format!("`{flag}` {} → {}", value(before), value(now));
    changed.iter().map(change).collect::<Vec<_>>().join(", ")
}

pub(super) fn or_unknown(value: Option<f64>, text: fn(f64) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), text)
}

fn p_or_unknown(p: Option<f64>) -> String {
    p.map_or_else(|| "= ?".to_owned(), p_text)
}

/// Samples that are enough if the gain is as seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainPlan {
    /// The gain that was seen, in points.
    pub gain: f64,
    /// Samples with which it is PROGRESS in about 80 % of runs.
    pub needed: u64,
}
