//! On which side of 0 a difference lies.

use eval_format::{DiffInputs, Limits};

use crate::reason::DifferenceRange;

/// Where an interval lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Below 0.
    Below,
    /// Above 0.
    Above,
    /// It contains 0 and stays inside ± the smallest difference that matters.
    Inside,
    /// It contains 0 and reaches further, or there is none.
    Wide,
}

/// On which side of 0 a difference lies. Fewer pairs than the minimum are [`Side::Wide`], whatever they show, and a mean loss
/// below [`Limits::least_loss`] is none.
pub fn side(limits: &Limits, diff: &DiffInputs) -> Side {
    side_from(limits.least_loss(), limits, diff)
}

/// The same, with a loss from `least_loss` points on.
pub(super) fn side_from(least_loss: f64, limits: &Limits, diff: &DiffInputs) -> Side {
    let is_loss = diff.mean.is_none_or(|mean| mean <= -least_loss);
    match (diff.low, diff.high) {
        _ if diff.n < limits.min_pairs => Side::Wide,
        (Some(low), Some(_)) if diff.degenerate => side_without_spread(limits, diff, low, is_loss),
        (Some(low), _) if low > 0.0 => Side::Above,
        (_, Some(high)) if high < 0.0 && is_loss => Side::Below,
        (Some(low), Some(high)) if -limits.min_effect <= low && high <= limits.min_effect => Side::Inside,
        _ => Side::Wide,
    }
}

/// All differences are `value`: the interval is a point, so the p-value tells whether it is off 0, and the number of
/// pairs whether that point can be trusted to be small.
fn side_without_spread(limits: &Limits, diff: &DiffInputs, value: f64, is_loss: bool) -> Side {
    let off_zero = diff.p.is_some_and(|p| p < limits.alpha);
    match value > 0.0 {
        true if off_zero => Side::Above,
        false if off_zero && is_loss => Side::Below,
        _ if value.abs() <= limits.min_effect && diff.n >= limits.progress_pairs => Side::Inside,
        _ => Side::Wide,
    }
}

/// Where the differences lie, for a reason.
pub(super) fn range(diff: &DiffInputs) -> DifferenceRange {
    match diff.degenerate {
        true => DifferenceRange::AllEqual { n: diff.n, value: diff.mean, p: diff.p },
        false => DifferenceRange::Interval { low: diff.low, high: diff.high },
    }
}
