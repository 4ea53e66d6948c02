//! Kinds of samples that never came up, and what they could do to a mean.

use crate::distribution::{fewest_near, normal_cdf};

/// What paired differences show, in the unit of the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenDifferences {
    /// How many there are.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation.
    pub sd: f64,
    /// The most that one sample can lose: the width of the scale (4 for scores of 1 to 5, 1 for preferences of −1 to 1).
    pub widest: f64,
}

impl SeenDifferences {
    /// The same with the arms exchanged.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { mean: -self.mean, ..self }
    }

    /// The largest chance, over every share and size of a kind of samples that none of these is of, of a test set that looks
    /// as good as this one although the true mean is `−loss`.
    ///
    /// A kind that loses `widest` must have a share of `(m' + loss) / (widest + m')` for that, where `m'` is the mean of all
    /// other kinds; `n` samples miss it with a chance of `((D − loss) / (D + m'))ⁿ`. They show a mean below `m'` by `z`
    /// standard errors with a chance of `Φ(z)`. So, with `σ = sd / √n` and `D = widest`:
    ///
    /// ```text
    /// U = max over z = −3.00, −2.95, …, 6.00 of min(1, (D − loss) / (D + mean + z·σ))ⁿ · Φ(z)
    /// ```
    ///
    /// and `min(1, (D − loss) / (D + mean))ⁿ` where all differences are equal. 1 of nothing, and of numbers that are not finite.
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
        let at = |step: u32| {
            let z = f64::from(step) / 20.0 - 3.0;
            missed(mean + z * error) * normal_cdf(z)
        };
        (0..=180).map(at).fold(0.0, f64::max)
    }

    /// The fewest samples, these included, with which the [`unseen_risk`](Self::unseen_risk) of no gain at all is at most
    /// `risk`, if they go on with this mean and spread. `None` where the mean isn't above 0, and when a thousand million
    /// would not do.
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
