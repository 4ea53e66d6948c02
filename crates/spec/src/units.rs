//! Units as types: money, shares, the 1–5 scale of the reports.

use serde::{Deserialize, Serialize};

/// United States dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Usd(pub f64);

impl std::ops::Add for Usd {
    type Output = Usd;

    fn add(self, other: Usd) -> Usd {
        Usd(self.0 + other.0)
    }
}

impl std::iter::Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(costs: I) -> Usd {
        costs.fold(Usd(0.0), |total, cost| total + cost)
    }
}

impl std::fmt::Display for Usd {
    /// Four decimals below one cent's worth of interest, two above a dollar.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0.abs() >= 1.0 {
            true => write!(f, "${:.2}", self.0),
            false => write!(f, "${:.4}", self.0),
        }
    }
}

/// A share in `0..=1`. Scores are ratios inside; the 1–5 scale appears at the edge only.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Ratio(f64);

impl Ratio {
    /// The ratio, if `value` is a number in `0..=1`.
    #[must_use]
    pub fn new(value: f64) -> Option<Ratio> {
        (0.0..=1.0).contains(&value).then_some(Ratio(value))
    }

    /// The share itself, in `0..=1`.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The score on the reports' scale: `1 + 4·ratio`.
    #[must_use]
    pub fn score(self) -> f64 {
        1.0 + 4.0 * self.0
    }
}
