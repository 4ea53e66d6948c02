//! Which calls cost or took far more than the rest.

use serde::{Deserialize, Serialize};

use crate::describe::{finite, mean, median};
use crate::undefined::Undefined;

/// The customary number of deviations: Iglewicz & Hoaglin (1993), *How to Detect and Handle Outliers*, p. 12.
pub const OUTLIER_DEVIATIONS: f64 = 3.5;
/// Fewer values have no median deviation to rely on.
const LEAST_VALUES: usize = 10;
/// Standard deviations of a normal distribution per median absolute deviation, `1/Φ⁻¹(¾)`.
const PER_MEDIAN_DEVIATION: f64 = 1.482_602_218_505_602;
/// The same per mean absolute deviation, `sqrt(π/2)`.
const PER_MEAN_DEVIATION: f64 = 1.253_314_137_315_500_3;

/// Values far above the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_huge_value_cannot_hide() {
        let mut costs: Vec<f64> = (0..12).map(|i| 0.010 + 0.001 * f64::from(i)).collect();
        costs[4] = 0.9;
        let found = high_outliers(&costs, OUTLIER_DEVIATIONS).expect("exists");
        assert_eq!(found.positions, [4]);
        assert!(found.limit > 0.021 && found.limit < 0.9 && (found.median - 0.0165).abs() < 1e-12);
    }

    #[test]
    fn low_values_and_skewed_ones_are_none() {
        let skewed: Vec<f64> = (0..15).map(|i| 1.5_f64.powi(i)).chain([1e-6]).collect();
        assert!(high_outliers(&skewed, 3.5).is_ok_and(|found| found.positions.is_empty()));
    }

    #[test]
    fn mostly_equal_values_still_have_a_limit() {
        let mut values = vec![2.0; 14];
        values.extend([2.1, 40.0]);
        assert_eq!(high_outliers(&values, 3.5).map(|found| found.positions), Ok(vec![15]));
    }

    #[test]
    fn unit_doesnt_matter_and_nothing_is_no_outlier() {
        let seconds: Vec<f64> = (1..=11).map(f64::from).chain([400.0, 0.0]).collect();
        let millis: Vec<f64> = seconds.iter().map(|x| x * 1000.0).collect();
        let of = |values: &[f64]| high_outliers(values, 3.5).map(|found| found.positions);
        assert_eq!(of(&seconds), Ok(vec![11]));
        assert_eq!(of(&seconds), of(&millis));
    }

    #[test]
    fn questions_without_an_answer() {
        assert_eq!(high_outliers(&[1.0; 9], 3.5), Err(Undefined::TooFew));
        assert_eq!(high_outliers(&[1.0; 10], 3.5), Err(Undefined::NoVariance));
        assert_eq!(high_outliers(&[-1.0; 10], 3.5), Err(Undefined::NotFinite));
        assert_eq!(high_outliers(&[f64::NAN; 10], 3.5), Err(Undefined::NotFinite));
        assert_eq!(high_outliers(&[1.0; 10], 0.0), Err(Undefined::NotFinite));
    }
}
