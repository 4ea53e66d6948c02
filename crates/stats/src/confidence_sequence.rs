//! A confidence sequence: intervals for a mean that hold at every number of values at once, so that looking after
//! each value may stop when they please.
//!
//! The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024), "Time-uniform central
//! limit theory and asymptotic confidence sequences", Annals of Statistics 52(6), Theorem 2.2 (Robbins' normal mixture
//! with an estimated variance): after `n` values with mean `m` and standard deviation `s`, with `α = 1 − level`,
//!
//! ```text
//! m ± s · sqrt( 2 (n ρ² + 1) / (n² ρ²) · ln( sqrt(n ρ² + 1) / α ) )
//! ```
//!
//! `ρ` says when it is tightest (their appendix B.2): the relative width at `n` is least where `x = n ρ²` solves
//! `x = ln(1 + x) − 2 ln α`. Choosing it from the data would void the guarantee.
//!
//! `s` has the divisor `n − 1`, as everywhere in this crate; theirs has `n`, which is narrower.

use crate::distribution::{fewest, normal_quantile};

/// A confidence sequence for the mean of values that come one after another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanSequence {
    alpha: f64,
    rho_squared: f64,
    count: usize,
    mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    least: f64,
    greatest: f64,
}

/// A confidence sequence at one number of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Values so far.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Whether all values are equal: the bounds are the mean then, which nothing vouches for.
    pub degenerate: bool,
}

/// Where a look lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The mean is below 0.
    Below,
    /// The mean is above 0.
    Above,
    /// The mean may be 0, and is within ± the margin.
    Inside,
    /// None of these, or not yet.
    Open,
}

impl Look {
    /// Where it lies against 0 and ± `margin`. Without spread nothing is known: a rare large value may not have come yet.
    #[must_use]
    pub fn standing(&self, margin: f64) -> Standing {
        match (self.low, self.high) {
            _ if self.degenerate => Standing::Open,
            (low, _) if low > 0.0 => Standing::Above,
            (_, high) if high < 0.0 => Standing::Below,
            (low, high) if -margin <= low && high <= margin => Standing::Inside,
            _ => Standing::Open,
        }
    }
}

impl MeanSequence {
    /// An empty sequence of this `level`, tightest at `tightest_at` values; `None` for a level outside (0, 1), or for 0
    /// values.
    #[must_use]
    pub fn new(level: f64, tightest_at: usize) -> Option<MeanSequence> {
        let alpha = 1.0 - level;
        let is_level = level > 0.0 && level < 1.0;
        (is_level && tightest_at > 0).then(|| MeanSequence {
            alpha,
            rho_squared: tightest(alpha) / float(tightest_at),
            count: 0,
            mean: 0.0,
            squares: 0.0,
            least: f64::INFINITY,
            greatest: f64::NEG_INFINITY,
        })
    }

    /// Takes in the next value. One that is not finite leaves no bounds from then on.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        // Welford (1962): no difference of large sums.
        let before = value - self.mean;
        self.mean += before / float(self.count);
        self.squares += before * (value - self.mean);
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
    }

    /// Values so far.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The interval after the values so far; `None` below two values, or when one was not finite.
    #[must_use]
    pub fn look(&self) -> Option<Look> {
        let n = self.count;
        let half = self.sd()? * relative_half_width(float(n), self.alpha, self.rho_squared);
        let (mean, degenerate) = (self.mean, self.least == self.greatest);
        let (mean, half) = if degenerate { (self.least, 0.0) } else { (mean, half) };
        let (low, high) = (mean - half, mean + half);
        (low.is_finite() && high.is_finite()).then_some(Look { n, mean, low, high, degenerate })
    }

    fn sd(&self) -> Option<f64> {
        let sd = (self.count > 1).then(|| (self.squares / float(self.count - 1)).sqrt())?;
        sd.is_finite().then_some(sd)
    }
}

/// Half the width of a sequence of this `level`, tightest at `tightest_at` values, after `n` values with standard deviation
/// `sd`: what [`MeanSequence::look`] gives for such values.
///
/// `None` for a level outside (0, 1), 0 values, or a spread that is negative or not finite.
#[must_use]
pub fn sequence_half_width(sd: f64, n: usize, level: f64, tightest_at: usize) -> Option<f64> {
    let usable = level > 0.0 && level < 1.0 && tightest_at > 0 && n > 0 && sd >= 0.0;
    let alpha = 1.0 - level;
    let half = usable.then(|| sd * relative_half_width(float(n), alpha, tightest(alpha) / float(tightest_at)))?;
    half.is_finite().then_some(half)
}

/// The mean that a sequence tells from 0 with at least this `power` after `n` values of standard deviation `sd`:
/// `half width(n) + z · sd / sqrt(n)`, `z` the normal quantile of the power, or 0 for a power below one half. With a power of
/// one half it is the half width itself. It is an upper bound: earlier looks only add to the power.
///
/// `None` as for [`sequence_half_width`], and for a power outside (0, 1).
#[must_use]
pub fn sequence_detectable(sd: f64, n: usize, level: f64, power: f64, tightest_at: usize) -> Option<f64> {
    if !(power > 0.0 && power < 1.0) {
        return None;
    }
    let beside = normal_quantile(power).max(0.0) * sd / float(n).sqrt();
    Some(sequence_half_width(sd, n, level, tightest_at)? + beside)
}

/// Fewest values that tell a mean of `difference` from 0, by [`sequence_detectable`]: the least `n ≥ 2` at which that is at
/// most `difference`. With a power of one half, the least at which the half width is.
///
/// `tightest_at` says for each planned number of values where its sequence is tightest, and must not fall.
///
/// `None` for a level or power outside (0, 1), a spread or difference that isn't above 0, and when a thousand million
/// would not do.
#[must_use]
pub fn values_for_sequence(
    sd: f64,
    difference: f64,
    level: f64,
    power: f64,
    tightest_at: impl Fn(usize) -> usize,
) -> Option<usize> {
    if !(sd > 0.0 && difference > 0.0) {
        return None;
    }
    fewest(|n| Some(sequence_detectable(sd, n, level, power, tightest_at(n))? <= difference))
}

/// Half the width after `n` values whose standard deviation is 1.
fn relative_half_width(n: f64, alpha: f64, rho_squared: f64) -> f64 {
    let x = n * rho_squared;
    (2.0 * (x + 1.0) / (n * x) * ((x + 1.0).sqrt() / alpha).ln()).sqrt()
}

/// The solution of `x = ln(1 + x) − 2 ln α`, which is `−W₋₁(−α² / e) − 1` with Lambert's W.
fn tightest(alpha: f64) -> f64 {
    let target = -2.0 * alpha.ln();
    let mut x = target + (1.0 + target).ln();
    // Newton's: the function is convex, so that after the first step each comes nearer from above.
    for _ in 0..60 {
        x -= (x - x.ln_1p() - target) * (1.0 + x) / x;
    }
    x
}

#[expect(clippy::cast_precision_loss, reason = "a count far below 2^52")]
fn float(n: usize) -> f64 {
    n as f64
}
