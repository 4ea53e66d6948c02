//! One column of numbers, or two that belong together: averages, spread, quantiles, differences.

/// Arithmetic mean, `x̄ = Σx / n`, in the unit of the values.
///
/// Computed about the smallest value, `x₁ + Σ(x − x₁)/n`, and the largest, and the middle of both is taken: a constant column
/// has exactly its own value as mean, the order of the values doesn't matter, and the opposite values have exactly the
/// opposite mean. `None` if the slice is empty, holds a NaN or an infinity, or the sum overflows.
pub fn mean(xs: &[f64]) -> Option<f64> {
    match xs {
        [only] => finite(*only),
        xs => mean_of_ascending(&sorted(xs.to_vec())),
    }
}

fn mean_of_ascending(xs: &[f64]) -> Option<f64> {
    let n = xs.len() as f64;
    let about = |centre: f64, shifted: f64| finite(centre + shifted / n);
    let (first, last) = (*xs.first()?, *xs.last()?);
    let up = about(first, xs.iter().map(|x| x - first).sum())?;
    let down = about(last, xs.iter().rev().map(|x| x - last).sum())?;
    Some(if up == down { up } else { up / 2.0 + down / 2.0 })
}

/// Sample standard deviation, `s = sqrt( Σ(x − x̄)² / (n − 1) )`, in the unit of the values.
///
/// Two passes, scaled by the largest deviation, so neither 1e200 nor 1e-200 over- or underflows; squares are added from the
/// smallest on, so neither the order of the values nor all their signs matter.
/// `None` below two values, or where [`mean`] is `None`.
pub fn sd(xs: &[f64]) -> Option<f64> {
    if xs.len() < 2 {
        return None;
    }
    let deviations = Deviations::new(xs)?;
    let squares: f64 = sorted(deviations.scaled.iter().map(|u| u * u).collect()).iter().sum();
    finite(deviations.scale * (squares / (xs.len() - 1) as f64).sqrt())
}

/// Quantile `p` of the values by definition 6 of Hyndman & Fan (1996), "Sample quantiles in statistical packages",
/// *The American Statistician* 50: position `h = (n + 1)·p` in the sorted values, linear between neighbours, clamped
/// to the smallest and largest value. (NumPy: `method="weibull"`; R: `type = 6`.)
///
/// It is the definition whose `k`-th order statistic estimates the quantile `k/(n + 1)`, which bootstrap percentile
/// intervals need (Davison & Hinkley 1997, §5.2). `None` if the slice is empty or not all finite, or `p` is not
/// in 0..=1.
pub fn quantile(xs: &[f64], p: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&p) || !all_finite(xs) {
        return None;
    }
    finite(quantile_of_sorted(&sorted(xs.to_vec()), p)?)
}

/// Median: [`quantile`] at one half, which is the middle value or the mean of the two middle values.
pub fn median(xs: &[f64]) -> Option<f64> {
    quantile(xs, 0.5)
}

/// Values about their mean, divided by the largest deviation, for sums of squares and cubes.
pub(crate) struct Deviations {
    pub(crate) mean: f64,
    /// Largest absolute deviation from it; 1 when there is none.
    pub(crate) scale: f64,
    /// `(x − mean) / scale`, in the order of the values.
    pub(crate) scaled: Vec<f64>,
}

impl Deviations {
    pub(crate) fn new(xs: &[f64]) -> Option<Self> {
        Self::about(mean(xs)?, xs)
    }

    /// [`Deviations::new`] of values that are already ascending.
    pub(crate) fn balanced(ascending: &[f64]) -> Option<Self> {
        Self::about(mean_of_ascending(ascending)?, ascending)
    }

    fn about(mean: f64, xs: &[f64]) -> Option<Self> {
        let spread = xs.iter().fold(0.0_f64, |m, x| m.max((x - mean).abs()));
        let scale = if spread > 0.0 { finite(spread)? } else { 1.0 };
        let scaled = xs.iter().map(|x| (x - mean) / scale).collect();
        Some(Self { mean, scale, scaled })
    }
}

/// Returns `true` if the range of the values is at most 1e-12 of the largest magnitude: rounding leaves as much of
/// equal scores that were averaged in different orders.
pub(crate) fn is_constant(xs: &[f64]) -> bool {
    let low = xs.iter().copied().fold(f64::INFINITY, f64::min);
    let high = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high - low <= 1e-12 * low.abs().max(high.abs())
}

pub(crate) fn all_finite(xs: &[f64]) -> bool {
    xs.iter().all(|x| x.is_finite())
}

pub(crate) fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

/// Sorts ascending, and turns −0 into 0, so that equal values have equal bits.
pub(crate) fn sorted(mut xs: Vec<f64>) -> Vec<f64> {
    xs.iter_mut().for_each(|x| *x += 0.0);
    xs.sort_unstable_by(f64::total_cmp);
    xs
}

/// [`quantile`] of values that are already ascending; infinities are allowed at the ends.
pub(crate) fn quantile_of_sorted(ascending: &[f64], p: f64) -> Option<f64> {
    let last = ascending.len().checked_sub(1)?;
    let position = ((ascending.len() + 1) as f64 * p - 1.0).clamp(0.0, last as f64);
    let (below, fraction) = (position.floor(), position.fract());
    let low = ascending[below as usize];
    let high = ascending[(below as usize + 1).min(last)];
    Some(if fraction == 0.0 || low == high { low } else { low * (1.0 - fraction) + high * fraction })
}
