//! Scores 1 to 5 of two variants on the same samples.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::random::{Random, likert};

const BASE: f64 = 3.5;

/// How data are drawn: the score of sample i under variant v is `3.5 + shift · v + item_i + noise_iv`, rounded and held in
/// 1..=5; item and noise are normal with total variance 1, and `rho` is the item's share.
pub(crate) struct Design {
    pub(crate) n: usize,
    pub(crate) rho: f64,
    pub(crate) shift: f64,
}

impl Design {
    /// Treatment − control, sample by sample.
    pub(crate) fn differences(&self, random: &mut Random) -> Vec<f64> {
        (0..self.n).map(|_| self.pair(random)).map(|[control, treatment]| treatment - control).collect()
    }

    /// The scores of control and treatment on one sample.
    pub(crate) fn pair(&self, random: &mut Random) -> [f64; 2] {
        let item = self.rho.sqrt() * random.normal();
        [0.0, 1.0].map(|v| likert(BASE + self.shift * v + item + (1.0 - self.rho).sqrt() * random.normal()))
    }

    /// `E[treatment] − E[control]`: a score is 1 plus the number of thresholds 1.5 … 4.5 passed.
    pub(crate) fn true_difference(&self) -> f64 {
        let expected =
            |centre: f64| -> f64 { [1.5, 2.5, 3.5, 4.5].map(|cut| Normal::standard().cdf(centre - cut)).iter().sum() };
        expected(BASE + self.shift) - expected(BASE)
    }
}
