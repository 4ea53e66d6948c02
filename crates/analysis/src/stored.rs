//! From the statistics crate's results to the types that reports store.

use eval_format::{Ci, GoldTuning, GoldWhy, Method};
use eval_stats::{Interval, IntervalMethod, Tuning, Undefined};

use crate::numbers::snap;

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
pub fn gold_why(why: Undefined) -> GoldWhy {
    match why {
        Undefined::TooFew | Undefined::OneSampleDecides => GoldWhy::TooFew,
        Undefined::NoVariance => GoldWhy::NoVariance,
        Undefined::NotFinite | Undefined::Level | Undefined::OutsideTheData => GoldWhy::NotFinite,
    }
}

/// How the judge's scores were weighted.
pub fn gold_tuning(tuning: Tuning) -> GoldTuning {
    match tuning {
        Tuning::Tuned => GoldTuning::Tuned,
        Tuning::Unrelated => GoldTuning::Unrelated,
        Tuning::ConstantJudge => GoldTuning::ConstantJudge,
        Tuning::ConstantHuman => GoldTuning::ConstantHuman,
        Tuning::FewLabels => GoldTuning::FewLabels,
        Tuning::NoUnlabelled => GoldTuning::NoUnlabelled,
    }
}
