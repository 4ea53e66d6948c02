//! How many samples an effect takes: from a pilot report, or from given numbers.

use eval_analysis::measure::{Reading, count, snap};
use eval_format::{Ci, Difference, POINTS};
use eval_spec::Layer;
use eval_stats::{pearson, sd_interval};
use serde::Serialize;

use crate::compare::DiffError;
use crate::diff::{Diff, PreferenceDiff, SampleDelta, SlimReport, diff_inside};

/// The coverage of a standard deviation's interval.
const LEVEL: f64 = 0.95;
/// Numbers of samples that detectable differences are listed for.
const SIZES: [u64; 6] = [10, 20, 50, 100, 200, 500];
/// Differences that samples are listed for, in points.
const EFFECTS: [f64; 6] = [0.1, 0.2, 0.3, 0.5, 0.8, 1.0];
/// The smallest difference that matters, and one that is no progress, in points, unless the run says otherwise.
const MIN_EFFECT: f64 = 0.2;
const TRIVIAL: f64 = 0.1;
/// No run with more samples is planned.
const MOST_PLANNED: u64 = 100_000;
/// Preferences that samples are listed for, −1 to 1.
const PREFERENCES: [f64; 5] = [0.05, 0.1, 0.2, 0.3, 0.5];

/// The question: effects or numbers of samples, at a power and a level.
#[derive(Clone, Debug)]
pub struct PowerQuestion {
    /// True differences, in points; of preferences, −1 to 1. A list of common ones when empty.
    pub effects: Vec<f64>,
    /// Samples; a list of common numbers when `None`.
    pub n: Option<u64>,
    /// The probability to detect a true effect.
    pub power: f64,
    /// The probability of a false alarm, over all comparisons at once.
    pub alpha: f64,
    /// The looks of the run; those of the pilot when `None`.
    pub looks: Option<u32>,
}

/// Samples needed for effects, and effects detectable with numbers of samples.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PowerAnswer {
    /// The probability to detect a true effect.
    pub power: f64,
    /// The probability of a false alarm, over all comparisons at once.
    pub alpha: f64,
    /// The pilot; `null` for given numbers.
    pub pilot: Option<String>,
    /// The looks of the run that the numbers are for: the samples to plan, though the run ends sooner when it can. `null` for a
    /// run that is read once.
    pub looks: Option<u32>,
    /// Each comparison and layer.
    pub spreads: Vec<PairSpread>,
}

/// The spread of paired differences, with the samples and effects that follow.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PairSpread {
    /// The control; empty for given numbers.
    pub control: String,
    /// The treatment; empty for given numbers.
    pub treatment: String,
    /// The layer; `null` for the composite.
    pub layer: Option<Layer>,
    /// The measured quantity.
    pub of: SpreadOf,
    /// Pairs of the pilot; `null` for given numbers.
    pub pairs: Option<u64>,
    /// Comparisons at once; each takes an equal share of `alpha` (Bonferroni).
    pub family: u64,
    /// The level of this comparison.
    pub alpha_each: f64,
    /// The standard deviation of each variant's scores, where numbers were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd_each: Option<f64>,
    /// The standard deviation of the differences; `null` below two pairs.
    pub sd: Option<f64>,
    /// Its interval by χ²; `null` for given numbers.
    pub sd_interval: Option<[f64; 2]>,
    /// The correlation of control and treatment over samples; `null` where one of them doesn't vary.
    pub correlation: Option<f64>,
    /// The observed difference with its interval; `null` for given numbers.
    pub observed: Option<PilotDifference>,
    /// The samples that each difference takes.
    pub needed: Vec<Needed>,
    /// The difference that each number of samples shows.
    pub detectable: Vec<Detectable>,
}

/// The quantity that a spread is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpreadOf {
    /// Differences of scores, in points.
    Scores,
    /// Preferences of judges that compared answers, −1 to 1.
    Preferences,
}

/// The difference that the pilot observed.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PilotDifference {
    /// The mean difference.
    pub mean: f64,
    /// Its interval.
    pub ci: Option<Ci>,
}

/// The samples that a difference takes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Needed {
    /// The true difference.
    pub effect: f64,
    /// Samples; `null` when no feasible number is enough.
    pub n: Option<u64>,
    /// Samples that a run with looks reads on average, of `n`, before it is decided; absent without looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_samples: Option<f64>,
    /// Samples if the spread is at the lower end of its interval.
    pub low: Option<u64>,
    /// Samples if it is at the upper end.
    pub high: Option<u64>,
}

/// The smallest true difference that so many samples show.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Detectable {
    /// Samples.
    pub n: u64,
    /// The difference.
    pub difference: Option<f64>,
}

/// For scores with standard deviation `sd` in both variants and a correlation over samples: the differences have the
/// standard deviation `sqrt(2 (1 − correlation)) · sd`.
#[must_use]
pub fn power_of_given(sd: f64, correlation: f64, question: &PowerQuestion) -> PowerAnswer {
    let of_differences = (2.0 * (1.0 - correlation)).sqrt() * sd;
    let mut spread = spread(question, SpreadOf::Scores, 1, Some(of_differences), None);
    spread.correlation = Some(correlation);
    spread.sd_each = Some(sd);
    PowerAnswer {
        power: question.power,
        alpha: question.alpha,
        pilot: None,
        looks: question.looks,
        spreads: vec![spread],
    }
}

/// From the spread in a pilot, per treatment and layer, and of the judges' preferences.
///
/// # Errors
/// When the report has one variant only, or an unknown kind of interval.
pub fn power_of_pilot(report: &SlimReport, question: &PowerQuestion) -> Result<PowerAnswer, DiffError> {
    let diff = diff_inside(report, &[])?;
    let question = &PowerQuestion { looks: question.looks.or(report.meta.settings.looks), ..question.clone() };
    let mut spreads = of_scores(&diff, question);
    let family = count(diff.preferences.len());
    spreads.extend(diff.preferences.iter().map(|of| of_preference(of, family, question)));
    Ok(PowerAnswer {
        power: question.power,
        alpha: question.alpha,
        pilot: Some(report.id.clone()),
        looks: question.looks,
        spreads,
    })
}

fn of_scores(diff: &Diff, question: &PowerQuestion) -> Vec<PairSpread> {
    // samples that are only compared have no scores
    let scored = || diff.comparisons.iter().filter(|of| of.diff.n > 0 || diff.preferences.is_empty());
    let treatments = count(scored().count());
    let layers_of = |of: &crate::diff::VariantDiff| Layer::ALL.iter().filter(|l| of.layers.get(**l).is_some()).count();
    let layers = count(scored().map(layers_of).sum());
    let mut spreads = Vec::new();
    for of in scored() {
        let named = |layer, family, difference: &Difference, correlation| PairSpread {
            control: of.a.clone(),
            treatment: of.b.clone(),
            layer,
            correlation,
            observed: observed(difference),
            ..spread(question, SpreadOf::Scores, family, difference.sd, Some(difference.n))
        };
        spreads.push(named(None, treatments, &of.diff, correlation(&of.samples)));
        let planned = Layer::ALL.into_iter().filter_map(|layer| Some((layer, of.layers.get(layer)?)));
        let planned: Vec<_> = planned.collect();
        // one layer is the composite
        if planned.len() > 1 {
            spreads.extend(planned.into_iter().map(|(layer, difference)| named(Some(layer), layers, difference, None)));
        }
    }
    spreads
}

fn of_preference(of: &PreferenceDiff, family: u64, question: &PowerQuestion) -> PairSpread {
    PairSpread {
        control: of.b.control.clone(),
        treatment: of.b.treatment.clone(),
        observed: observed(&of.diff),
        ..spread(question, SpreadOf::Preferences, family, of.diff.sd, Some(of.diff.n))
    }
}

fn observed(of: &Difference) -> Option<PilotDifference> {
    of.mean.map(|mean| PilotDifference { mean, ci: of.ci })
}

fn correlation(samples: &[SampleDelta]) -> Option<f64> {
    let pairs: Vec<(f64, f64)> = samples.iter().map(|of| (of.a, of.b)).collect();
    pearson(&pairs).ok().map(snap)
}

#[expect(clippy::cast_precision_loss, reason = "a handful of comparisons")]
fn spread(question: &PowerQuestion, of: SpreadOf, family: u64, sd: Option<f64>, pairs: Option<u64>) -> PairSpread {
    let alpha = question.alpha / family.max(1) as f64;
    let interval = pairs.and_then(|pairs| sd_interval(sd?, usize::try_from(pairs).ok()?, LEVEL));
    let reading = Reading { looks: question.looks };
    // preferences are read as points
    let unit = if of == SpreadOf::Preferences { POINTS } else { 1.0 };
    let needed = |sd: f64, effect: f64| reading.needed(sd * unit, effect * unit, alpha, question.power);
    let effects = match (question.effects.is_empty(), of) {
        (false, _) => question.effects.clone(),
        (true, SpreadOf::Scores) => EFFECTS.to_vec(),
        (true, SpreadOf::Preferences) => PREFERENCES.to_vec(),
    };
    let varied = sd.filter(|sd| *sd > 0.0);
    let mean_samples = |n: u64, effect: f64| {
        let matters = (MIN_EFFECT, TRIVIAL);
        reading.mean_samples(n, (effect * unit, varied? * unit), alpha, matters)
    };
    let planned = |effect: f64| varied.and_then(|sd| needed(sd, effect));
    let needed = |effect: f64| Needed {
        effect,
        n: planned(effect),
        mean_samples: planned(effect).filter(|n| *n <= MOST_PLANNED).and_then(|n| mean_samples(n, effect)),
        low: interval.filter(|_| varied.is_some()).and_then(|(low, _)| needed(low, effect)),
        high: interval.filter(|_| varied.is_some()).and_then(|(_, high)| needed(high, effect)),
    };
    let mut sizes = question.n.map_or_else(|| SIZES.to_vec(), |n| vec![n]);
    sizes.extend(pairs.filter(|pairs| *pairs > 1 && question.n.is_none()));
    sizes.sort_unstable();
    sizes.dedup();
    let detectable = |n: u64| Detectable {
        n,
        difference: varied
            .zip(usize::try_from(n).ok())
            .and_then(|(sd, n)| reading.detectable(sd * unit, n, alpha, question.power))
            .map(|points| snap(points / unit)),
    };
    PairSpread {
        control: String::new(),
        treatment: String::new(),
        layer: None,
        of,
        pairs,
        family,
        alpha_each: alpha,
        sd_each: None,
        sd: sd.map(snap),
        sd_interval: interval.map(|(low, high)| [snap(low), snap(high)]),
        correlation: None,
        observed: None,
        needed: effects.into_iter().map(needed).collect(),
        detectable: if varied.is_some() { sizes.into_iter().map(detectable).collect() } else { Vec::new() },
    }
}
