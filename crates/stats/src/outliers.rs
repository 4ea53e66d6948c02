//! Outliers of costs and latencies.

use crate::describe::{finite, mean, median};
use crate::undefined::Undefined;

/// Customary number of deviations: Iglewicz & Hoaglin (1993), *How to Detect and Handle Outliers*, p. 12.
pub const OUTLIER_DEVIATIONS: f64 = 3.5;
/// Fewest values with a reliable median deviation.
const LEAST_VALUES: usize = 10;
/// Standard deviations of a normal distribution per median absolute deviation, `1/Φ⁻¹(¾)`.
const PER_MEDIAN_DEVIATION: f64 = 1.482_602_218_505_602;
/// Standard deviations of a normal distribution per mean absolute deviation, `sqrt(π/2)`.
const PER_MEAN_DEVIATION: f64 = 1.253_314_137_315_500_3;

/// Values far above the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct HighOutliers {
    /// Positions of the outliers in the slice, ascending.
    pub positions: Vec<usize>,
    /// Values above this are outliers, in the unit of the values.
    pub limit: f64,
    /// Median of the values that are not 0.
    pub median: f64,
}

/// Values far above the others in a column of costs or latencies, which are positive and skewed to the right: those with
/// `ln x > m + k · s`, `m` the median of the logarithms and `s` = 1.4826 · median |ln x − m|, the modified z-score of
/// Iglewicz & Hoaglin (1993) on the scale on which such values are symmetric; `k` is customarily
/// [`OUTLIER_DEVIATIONS`]. Median and median deviation don't move when up to half of the values are outliers (Hampel
/// 1974), unlike mean and standard deviation, which one huge value hides itself behind.
///
/// If more than half of the values are equal, the median deviation is 0; `s` is then 1.2533 · mean |ln x − m|, as
/// Iglewicz & Hoaglin say. A value of 0 (an answer that cost nothing) is no outlier and stays out of `m` and `s`.
///
/// An outlier is unusual, not necessarily much: 1.1 s among calls of 1.00 s are one. Compare with
/// [`HighOutliers::median`] before asking anybody to look at it. Among 20 log-normal values without any outlier, one
/// is named in about 5 % of data sets.
///
/// [`Undefined::TooFew`] below 10 values above 0, [`Undefined::NoVariance`] if they are all equal,
/// [`Undefined::NotFinite`] if one is negative or not finite, or if `k` is not a positive number.
pub fn high_outliers(values: &[f64], k: f64) -> Result<HighOutliers, Undefined> {
    let usable = k > 0.0 && k.is_finite() && values.iter().all(|x| x.is_finite() && *x >= 0.0);
    if !usable {
        return Err(Undefined::NotFinite);
    }
    let positive: Vec<f64> = values.iter().copied().filter(|x| *x > 0.0).collect();
    if positive.len() < LEAST_VALUES {
        return Err(Undefined::TooFew);
    }
    let logs: Vec<f64> = positive.iter().map(|x| x.ln()).collect();
    let centre = median(&logs).ok_or(Undefined::NotFinite)?;
    let spread = spread(&logs, centre).ok_or(Undefined::NoVariance)?;
    let beyond = |x: f64| x > 0.0 && x.ln() > centre + k * spread;
    Ok(HighOutliers {
        positions: (0..values.len()).filter(|&i| beyond(values[i])).collect(),
        limit: finite((centre + k * spread).exp()).unwrap_or(f64::MAX),
        median: median(&positive).ok_or(Undefined::NotFinite)?,
    })
}

fn spread(logs: &[f64], centre: f64) -> Option<f64> {
    let off: Vec<f64> = logs.iter().map(|x| (x - centre).abs()).collect();
    let robust = PER_MEDIAN_DEVIATION * median(&off)?;
    let spread = if robust > 0.0 { robust } else { PER_MEAN_DEVIATION * mean(&off)? };
    (spread > 0.0).then_some(spread)
}
