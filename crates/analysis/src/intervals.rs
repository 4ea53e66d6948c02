//! How intervals are computed and stored: the settings of resampling, the statistics crate's results as the types that
//! reports store, and why a number is undefined.

use eval_format::{Ci, GoldTuning, GoldWhy, Method, ReportError};
use eval_message::{Message, msg};
use eval_spec::suite::Settings;
use eval_stats::{Interval, IntervalMethod, Resampling, Tuning, Undefined, mean_interval, t_interval};

use crate::numbers::snap;

/// The upper limit of resamples in a stored report.
pub const MOST_RESAMPLES: u32 = 10_000_000;
/// The coverage of every interval.
pub(crate) const LEVEL: f64 = 0.95;
/// Above this many values, intervals that no verdict reads are Student's: resampling gives the same and takes long.
const RESAMPLED: usize = 2000;
/// The most ratings that all resamples of one interval read together; more ratings mean fewer resamples.
const WORK: usize = 20_000_000;
/// The fewest resamples.
const FEWEST_RESAMPLES: usize = 1000;

pub(crate) fn resampling(settings: &Settings, seed: u64) -> Result<Resampling, ReportError> {
    resampling_by(&settings.ci, settings.bootstrap_samples, seed)
}

/// The same from what a stored report says of its settings.
pub fn resampling_by(ci: &str, resamples: u32, seed: u64) -> Result<Resampling, ReportError> {
    let method = match ci {
        "expanded" => IntervalMethod::Expanded,
        "percentile" => IntervalMethod::Percentile,
        "bca" => IntervalMethod::Bca,
        "t" => IntervalMethod::T,
        _ => return Err(ReportError::UnknownInterval { method: ci.to_owned() }),
    };
    // a stored report may have been edited
    Ok(Resampling { seed, resamples: resamples.min(MOST_RESAMPLES), level: LEVEL, method })
}

/// Fewer resamples where each of them reads very many values.
pub(crate) fn affordable(r: &Resampling, values: usize) -> Resampling {
    let most = u32::try_from((WORK / values.max(1)).max(FEWEST_RESAMPLES)).unwrap_or(u32::MAX);
    Resampling { resamples: r.resamples.min(most), ..*r }
}

/// An interval; `family` of them are simultaneous.
pub fn ci(interval: &Interval, family: u32) -> Ci {
    let Interval { low, high, level, method, degenerate } = *interval;
    Ci { low: snap(low), high: snap(high), level, method: interval_method(method), degenerate, family }
}

fn interval_method(method: IntervalMethod) -> Method {
    match method {
        IntervalMethod::Expanded => Method::Expanded,
        IntervalMethod::Percentile => Method::Percentile,
        IntervalMethod::Bca => Method::Bca,
        IntervalMethod::T => Method::T,
    }
}

/// Why a coefficient of gold is undefined.
pub(crate) fn gold_why(why: Undefined) -> GoldWhy {
    match why {
        Undefined::TooFew | Undefined::OneSampleDecides => GoldWhy::TooFew,
        Undefined::NoVariance => GoldWhy::NoVariance,
        Undefined::NotFinite | Undefined::Level | Undefined::OutsideTheData => GoldWhy::NotFinite,
    }
}

/// How the judge's scores were weighted.
pub(crate) fn gold_tuning(tuning: Tuning) -> GoldTuning {
    match tuning {
        Tuning::Tuned => GoldTuning::Tuned,
        Tuning::Unrelated => GoldTuning::Unrelated,
        Tuning::ConstantJudge => GoldTuning::ConstantJudge,
        Tuning::ConstantHuman => GoldTuning::ConstantHuman,
        Tuning::FewLabels => GoldTuning::FewLabels,
        Tuning::NoUnlabelled => GoldTuning::NoUnlabelled,
    }
}

/// The interval of a mean that no verdict reads: as all others up to 2,000 values, Student's beyond.
pub(crate) fn interval_beside(values: &[f64], resampling: &Resampling) -> Option<Ci> {
    let interval = match values.len() {
        0..=RESAMPLED => mean_interval(values, resampling),
        _ => t_interval(values, resampling.level),
    };
    interval.map(|interval| ci(&interval, 1))
}

/// Why a number is undefined, for people.
pub(crate) fn why_undefined(why: Undefined) -> Message {
    match why {
        Undefined::TooFew => msg!("report-undefined-few"),
        Undefined::NoVariance => msg!("report-undefined-variance"),
        Undefined::OneSampleDecides => msg!("report-undefined-one"),
        Undefined::NotFinite | Undefined::Level | Undefined::OutsideTheData => msg!("report-undefined-numbers"),
    }
}
