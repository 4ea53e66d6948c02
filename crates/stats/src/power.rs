//! Power, minimum detectable differences and sample sizes of paired tests.

use crate::describe::finite;
use crate::distribution::{fewest_near, normal_quantile, t_upper_quantile, where_reached};
use crate::noncentral::NoncentralT;

/// Power of the two-sided paired t test: the chance to reject at `alpha` with `n` pairs when the true mean difference is
/// `difference` and differences have standard deviation `sd` (same unit):
///
/// `P(|T'| > t_{1−α/2, n−1})`, `T'` noncentral t with `n − 1` degrees of freedom and noncentrality
/// `sqrt(n) · difference / sd`. Exact for normal differences (Cohen 1988, *Statistical Power Analysis*, ch. 2), not the
/// normal approximation. A power needs no resampling: the bootstrap interval decides much like the t interval.
///
/// `None` below two pairs, for `alpha` outside (0, 1), `sd` not above 0, or numbers that are not finite.
pub fn power_of_paired_t(sd: f64, difference: f64, n: usize, alpha: f64) -> Option<f64> {
    let usable = n >= 2 && is_open_share(alpha) && sd > 0.0 && sd.is_finite();
    let ncp = (n as f64).sqrt() * (difference.abs() / sd);
    (usable && !ncp.is_nan()).then(|| PairedT::new(n, alpha).power(ncp.min(1e6)))
}

/// Smallest true mean difference that `n` pairs show with the given power: the `δ` at which [`power_of_paired_t`] with
/// standard deviation `sd_of_differences` reaches `power`; in the unit of the standard deviation, and exact in the same
/// sense (noncentral t).
///
/// 0 when the standard deviation is 0 or `power ≤ alpha` (any difference will do). `None` below two pairs, for `alpha`
/// or `power` outside (0, 1), a power too near 1 to compute, a negative standard deviation, or one that is not finite.
pub fn minimum_detectable_difference(sd_of_differences: f64, n: usize, alpha: f64, power: f64) -> Option<f64> {
    let usable = n >= 2 && is_open_share(alpha) && is_open_share(power);
    if !(usable && is_spread(sd_of_differences)) {
        return None;
    }
    if sd_of_differences == 0.0 || power <= alpha {
        return Some(0.0);
    }
    let ncp = detectable_ncp(n, alpha, power)?;
    finite(sd_of_differences * ncp / (n as f64).sqrt())
}

/// Fewest pairs with which the two-sided paired t test shows a true mean difference of `difference` with the given
/// power, when differences have standard deviation `sd`: the least `n ≥ 2` with [`power_of_paired_t`] at least `power`
/// (noncentral t; it increases with `n`, so that halving finds it, from the number that a normal distribution would need).
///
/// `None` for a difference of 0, `alpha` or `power` outside (0, 1), a negative standard deviation, numbers that are not
/// finite, and when a thousand million pairs would not be enough.
pub fn pairs_needed(sd: f64, difference: f64, alpha: f64, power: f64) -> Option<usize> {
    let usable = is_open_share(alpha) && is_open_share(power) && difference.is_finite();
    if !(usable && difference != 0.0 && is_spread(sd)) {
        return None;
    }
    let reach = normal_quantile(1.0 - alpha / 2.0) + normal_quantile(power);
    let about = (reach.max(0.0) * sd / difference).powi(2) + 2.0;
    fewest_near(about, |n| Some(sd == 0.0 || power_of_paired_t(sd, difference, n, alpha).is_some_and(|p| p >= power)))
}

fn is_open_share(x: f64) -> bool {
    (f64::MIN_POSITIVE..1.0).contains(&x)
}

fn is_spread(sd: f64) -> bool {
    sd >= 0.0 && sd.is_finite()
}

/// The two-sided paired t test with a number of pairs.
struct PairedT {
    critical: f64,
    distribution: NoncentralT,
}

impl PairedT {
    fn new(n: usize, alpha: f64) -> Self {
        let df = (n - 1) as f64;
        Self { critical: t_upper_quantile(alpha / 2.0, df), distribution: NoncentralT::new(df) }
    }

    fn power(&self, ncp: f64) -> f64 {
        let beyond = |ncp: f64| self.distribution.tail(self.critical, ncp);
        (beyond(ncp) + beyond(-ncp)).min(1.0)
    }
}

/// Noncentrality at which the target is reached; `None` if the target is closer to 1 than the integral is accurate.
fn detectable_ncp(n: usize, alpha: f64, target: f64) -> Option<f64> {
    let test = PairedT::new(n, alpha);
    let high = (0..40).map(|i| 2f64.powi(i)).find(|&ncp| test.power(ncp) >= target)?;
    Some(where_reached(target, 0.0, high, |ncp| test.power(ncp)))
}
