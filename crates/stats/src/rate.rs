//! Intervals of pass rates, and McNemar's test of two rates over the same samples.

use statrs::function::beta::checked_beta_reg;

use crate::distribution::normal_quantile;
use crate::interval::tail_of;

/// A rate with its interval, all in 0..=1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WilsonInterval {
    /// Successes per trial.
    pub estimate: f64,
    pub low: f64,
    pub high: f64,
    /// Coverage asked for, between 0 and 1.
    pub level: f64,
}

/// Wilson's score interval of a rate, without continuity correction (Wilson 1927, "Probable inference, the law of
/// succession, and statistical inference"): with `p̂ = successes/n` and `z = Φ⁻¹(1 − α/2)`,
///
/// `( p̂ + z²/2n ± z sqrt( p̂(1−p̂)/n + z²/4n² ) ) / (1 + z²/n)`.
///
/// `None` for no trials, more successes than trials, or a level outside (0, 1).
pub fn wilson(successes: u64, n: u64, level: f64) -> Option<WilsonInterval> {
    if n == 0 || successes > n {
        return None;
    }
    wilson_of_share(successes as f64 / n as f64, n as f64, level)
}

/// [`wilson`] of a share of an effective number of trials, which needn't be a whole number of successes: for clustered
/// observations, where each cluster counts as one trial.
pub fn wilson_of_share(estimate: f64, trials: f64, level: f64) -> Option<WilsonInterval> {
    if !(0.0..=1.0).contains(&estimate) || trials <= 0.0 {
        return None;
    }
    let z = -normal_quantile(tail_of(level)?);
    let failing = 1.0 - estimate;
    let ease = z * z / trials;
    let reach = (estimate * failing * ease + ease * ease / 4.0).sqrt();
    let bound = |signed: f64| ((estimate + ease / 2.0 + signed) / (1.0 + ease)).clamp(0.0, 1.0);
    Some(WilsonInterval {
        estimate,
        low: if estimate == 0.0 { 0.0 } else { bound(-reach) },
        high: if estimate == 1.0 { 1.0 } else { bound(reach) },
        level,
    })
}

/// McNemar's exact two-sided test (McNemar 1947; exact form: Fleiss, Levin & Paik 2003, §13.1.1).
///
/// `b` samples pass with the first variant only and `c` with the second only; under the null hypothesis
/// `b ~ Binomial(b + c, ½)`, so `p = min(1, 2 P(X ≤ min(b, c)))`. The tail is the regularised incomplete beta function
/// `I_½(n − k, k + 1)`. Without any such sample `p = 1`.
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let (fewer, more) = (b.min(c) as f64, b.max(c) as f64);
    // half of an odd number's outcomes are below its middle: twice that is 1, and no rounding error less
    if more - fewer <= 1.0 {
        return 1.0;
    }
    let tail = checked_beta_reg(more, fewer + 1.0, 0.5).unwrap_or(0.5);
    (2.0 * tail).clamp(0.0, 1.0)
}
