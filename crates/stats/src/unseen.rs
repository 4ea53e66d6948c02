//! Kinds of samples that never came up, and their possible effect on a mean.

use crate::distribution::{fewest_near, normal_cdf, normal_quantile};

/// Summary of paired differences, in their unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenDifferences {
    pub n: usize,
    pub mean: f64,
    pub sd: f64,
    /// Largest loss of one sample: the width of the scale (4 for scores of 1 to 5, 1 for preferences of −1 to 1).
    pub widest: f64,
}

impl SeenDifferences {
    /// Exchanges the arms.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { mean: -self.mean, ..self }
    }

    /// Returns the largest chance, over every share and effect of an unseen kind of samples, that a test set looks as
    /// good as this one although the true mean is `−loss`.
    ///
    /// A kind that loses `widest` must have a share of `(m' + loss) / (widest + m')` for that, where `m'` is the mean of all
    /// other kinds; `n` samples miss it with a chance of `((D − loss) / (D + m'))ⁿ`. They show a mean below `m'` by `z`
    /// standard errors with a chance of `Φ(z)`. So, with `σ = sd / √n` and `D = widest`:
    ///
    /// ```text
    /// U = max over z = −3.00, −2.95, …, 6.00 of min(1, (D − loss) / (D + mean + z·σ))ⁿ · Φ(z)
    /// ```
    ///
    /// and `min(1, (D − loss) / (D + mean))ⁿ` where all differences are equal. 1 without differences, and for numbers
    /// that are not finite.
    #[must_use]
    pub fn unseen_risk(&self, loss: f64) -> f64 {
        let Self { n, mean, sd, widest } = *self;
        let is_usable = [mean, sd, widest, loss].iter().all(|x| x.is_finite()) && sd >= 0.0 && loss < widest;
        if n == 0 || !is_usable {
            return 1.0;
        }
        let missed = |others: f64| match (widest - loss) / (widest + others) {
            share if (0.0..1.0).contains(&share) => (n as f64 * share.ln()).exp(),
            _ => 1.0,
        };
        if sd == 0.0 {
            return missed(mean);
        }
        let error = sd / (n as f64).sqrt();
        let chance = |step: u32| {
            let z = f64::from(step) / 20.0 - 3.0;
            missed(mean + z * error) * normal_cdf(z)
        };
        (0..=180).map(chance).fold(0.0, f64::max)
    }

    /// Returns the fewest samples, these included, with which the [`unseen_risk`](Self::unseen_risk) of no gain at all
    /// is at most `risk`, if further ones keep this mean and spread. `None` if the mean isn't above 0, and when a
    /// thousand million would not do.
    #[must_use]
    pub fn pairs_against_unseen(&self, risk: f64) -> Option<usize> {
        let with = |n: usize| Self { n: n.max(self.n), ..*self };
        let about = risk.ln() / -(self.mean / self.widest).ln_1p();
        (self.mean > 0.0 && about.is_finite())
            .then(|| fewest_near(about, |n| Some(with(n).unseen_risk(0.0) <= risk)))
            .flatten()
            .map(|n| n.max(self.n))
    }
}

/// A planned run, for the risk of kinds of samples that it may not show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnseenPlan {
    /// Standard deviation of the paired differences.
    pub sd: f64,
    /// Largest loss of one sample, in the same unit; see [`SeenDifferences`].
    pub widest: f64,
    /// Share of runs that shall decide, such as 0.8.
    pub power: f64,
    /// Largest [`SeenDifferences::unseen_risk`] with which a run decides.
    pub risk: f64,
}

impl UnseenPlan {
    /// Returns `true` if a true gain, as low as one run in `1 / (1 − power)` shows it, survives unseen kinds of
    /// samples: `U(gain − z_power · σ, 0) ≤ risk` with `σ = sd / √n`.
    #[must_use]
    pub fn outweighs(&self, gain: f64, n: usize) -> bool {
        let mean = gain - normal_quantile(self.power) * self.sd / (n as f64).sqrt();
        SeenDifferences { n, mean, sd: self.sd, widest: self.widest }.unseen_risk(0.0) <= self.risk
    }

    /// Returns the fewest pairs, at least `least`, with which a true gain [outweighs](Self::outweighs) unseen kinds.
    /// `None` for a gain that isn't above 0, and when a thousand million would not do.
    #[must_use]
    pub fn pairs(&self, gain: f64, least: usize) -> Option<usize> {
        let about = self.risk.ln() / -(gain / self.widest).ln_1p();
        (gain > 0.0 && about.is_finite())
            .then(|| fewest_near(about, |n| Some(self.outweighs(gain, n.max(least)))))
            .flatten()
            .map(|n| n.max(least))
    }

    /// Returns the smallest true gain that [outweighs](Self::outweighs) unseen kinds with `n` pairs. `None` if none on
    /// this scale does.
    #[must_use]
    pub fn gain(&self, n: usize) -> Option<f64> {
        let (mut low, mut high) = (0.0, self.widest);
        if !self.outweighs(high, n) {
            return None;
        }
        // 60 halvings exhaust the precision
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.outweighs(middle, n) { high = middle } else { low = middle }
        }
        Some(high)
    }
}
