//! Confidence intervals of standard deviations.

use statrs::function::gamma::checked_gamma_lr;

use crate::describe::finite;
use crate::distribution::where_reached;

/// Interval of a standard deviation by the χ² distribution (Hogg, McKean & Craig 2019, §4.2):
///
/// `sd · sqrt((n − 1) / χ²_{1−α/2, n−1})` to `sd · sqrt((n − 1) / χ²_{α/2, n−1})`, `α = 1 − level`. Exact for normal
/// values; for heavy tails it is too narrow, for scores on a short scale mostly too wide.
///
/// A pilot of 8 knows its standard deviation to a factor between 0.66 and 2.04, and planned sample sizes go with its
/// square. `None` below two values, for a negative `sd` or one that is not finite, and a level outside (0, 1).
pub fn sd_interval(sd: f64, n: usize, level: f64) -> Option<(f64, f64)> {
    if !(level > 0.0 && level < 1.0) {
        return None;
    }
    let tail = (1.0 - level) / 2.0;
    Some((sd_bound(sd, n, 1.0 - tail)?, sd_bound(sd, n, tail)?))
}

/// Returns the standard deviation that the true one exceeds with a chance of `share`, by the χ² distribution (as
/// [`sd_interval`]): `sd · sqrt((n − 1) / χ²_{share, n−1})`, in the unit of `sd`.
///
/// Planning with the pilot's own standard deviation falls short in more than half of the cases, because it is more often
/// too small than too large. `None` below two values, for a negative `sd` or one that is not finite, and a share
/// outside (0, 1).
pub fn sd_bound(sd: f64, n: usize, share: f64) -> Option<f64> {
    let usable = n >= 2 && sd >= 0.0 && sd.is_finite() && share > 0.0 && share < 1.0;
    let df = usable.then(|| (n - 1) as f64)?;
    finite(sd * (df / chi_squared_quantile(share, df)?).sqrt())
}

/// The `x` with `P(χ²_df ≤ x) = p`: `P` is the regularised lower incomplete gamma function of `df/2` and `x/2`.
fn chi_squared_quantile(p: f64, df: f64) -> Option<f64> {
    let below = |x: f64| if x > 0.0 { checked_gamma_lr(df / 2.0, x / 2.0).unwrap_or(f64::NAN) } else { 0.0 };
    let high = (0..60).map(|i| df * 2f64.powi(i)).find(|&x| below(x) >= p)?;
    Some(where_reached(p, 0.0, high, below)).filter(|x| *x > 0.0)
}
