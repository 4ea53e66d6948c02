//! How many samples decide, computed from a few: the one number that a reader is told.

use crate::distribution::{fewest_near, normal_quantile, t_upper_quantile};
use crate::spread::sd_bound;
use crate::unseen::{mean_with_unseen, unseen_share};

/// How likely a kind of samples that would undo a gain may be missed.
pub const UNSEEN_RISK_OF_A_GAIN: f64 = 0.10;

/// How likely a kind of samples that would make a difference may be missed where none is claimed.
pub const UNSEEN_RISK_OF_NO_DIFFERENCE: f64 = 0.05;

/// The fewest pairs with which a verdict may say that something is better.
const FEWEST_PAIRS: usize = 20;

/// Probability beyond each end of the interval that decides.
const DECISIVE_TAIL: f64 = 0.025;

/// Chance that the true standard deviation is above the one that is planned with.
const LARGER_SPREAD: f64 = 0.35;

/// Power against a mean difference of 0, of each side.
const POWER_OF_NO_DIFFERENCE: f64 = 0.90;

/// Power against a gain.
const POWER_OF_A_GAIN: f64 = 0.80;

/// What a first run shows, for planning the next: scores from 1 up, differences treatment − control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// Standard deviation of the paired differences, in score points.
    pub sd: f64,
    /// Number of pairs it was computed from.
    pub n: usize,
    /// How far the treatment could fall on a kind of samples that never came up, `L⁻ = c̄ − 1`, in score points.
    pub worst_fall: f64,
    /// How far it could rise there, `L⁺ = t̄ − 1`, in score points.
    pub worst_rise: f64,
}

impl Pilot {
    /// Pairs that decide, whichever it is: the least `N ≥ 20` with which a true mean difference of 0 is shown to be within
    /// ± `min_effect`, and one of `min_effect` to be above 0.
    ///
    /// With `σ = s_u / sqrt(N)`, where [`sd_bound`]`(sd, n, 0.35)` is `s_u`, `δ = min_effect`, `t = t_{0.975, N−1}`, and the
    /// [`unseen_share`]s `q₁` at 0.10 and `q₂` at 0.05:
    ///
    /// ```text
    /// (t + z_0.9) · σ ≤ δ                                the interval is narrow enough (Schuirmann 1987: both sides at 90 %)
    /// (1 − q₁)(δ − z_0.8 · σ) − q₁ · L⁻ ≥ 0              an unseen kind doesn't undo a gain of δ
    /// (1 − q₂) · z_0.9 · σ + q₂ · max(L⁻, L⁺) ≤ δ        nor make a difference where there is none
    /// ```
    ///
    /// Simulated with scores 1 to 5, after a pilot and then as many samples as this says: at a true difference of 0 the
    /// verdict was NOISE in 79–85 %, at `min_effect` = 0.2 PROGRESS in 90–98 % of the data sets. The numbers are those of a
    /// search by SciPy (`stats-tests/tests/decisive_oracle.py`).
    ///
    /// `None` for fewer than two pairs, an effect that isn't above 0, a spread or a fall that is negative, numbers that are
    /// not finite, and when a thousand million pairs would not do.
    #[must_use]
    pub fn decisive_pairs(&self, min_effect: f64) -> Option<usize> {
        let farthest = self.worst_fall.max(self.worst_rise);
        self.fewest_pairs(min_effect, |plan| {
            let two_sided = normal_quantile(POWER_OF_NO_DIFFERENCE) * plan.error;
            let unseen = unseen_share(plan.pairs, UNSEEN_RISK_OF_NO_DIFFERENCE);
            plan.reach() + two_sided <= min_effect
                && self.outweighs_unseen(min_effect, plan)
                && mean_with_unseen(two_sided, unseen, farthest) <= min_effect
        })
    }

    /// Pairs that show a true mean difference of `gain` to be above 0 in 80 % of runs: the least `N ≥ 20` with
    /// `(t + z_0.8) · σ ≤ gain` and the second condition of [`Pilot::decisive_pairs`] with `gain` in place of `min_effect`.
    ///
    /// `None` as there.
    #[must_use]
    pub fn pairs_for_gain(&self, gain: f64) -> Option<usize> {
        self.fewest_pairs(gain, |plan| {
            plan.reach() + normal_quantile(POWER_OF_A_GAIN) * plan.error <= gain && self.outweighs_unseen(gain, plan)
        })
    }

    /// The second condition.
    fn outweighs_unseen(&self, gain: f64, plan: &PlannedRun) -> bool {
        let seen = gain - normal_quantile(POWER_OF_A_GAIN) * plan.error;
        mean_with_unseen(seen, unseen_share(plan.pairs, UNSEEN_RISK_OF_A_GAIN), -self.worst_fall) >= 0.0
    }

    /// Each condition that holds for one `N ≥ 20` holds for every larger one.
    fn fewest_pairs(&self, effect: f64, is_enough: impl Fn(&PlannedRun) -> bool) -> Option<usize> {
        let is_amount = |x: f64| x >= 0.0 && x.is_finite();
        let usable = effect > 0.0 && effect.is_finite() && is_amount(self.worst_fall) && is_amount(self.worst_rise);
        let sd = sd_bound(self.sd, self.n, LARGER_SPREAD).filter(|_| usable)?;
        let about = ((normal_quantile(1.0 - DECISIVE_TAIL) + normal_quantile(POWER_OF_A_GAIN)) * sd / effect).powi(2);
        let pairs = fewest_near(about, |n| Some(is_enough(&PlannedRun::new(n.max(FEWEST_PAIRS), sd))))?;
        Some(pairs.max(FEWEST_PAIRS))
    }
}

/// The mean difference of so many pairs.
struct PlannedRun {
    pairs: usize,
    /// Its standard error `σ`.
    error: f64,
}

impl PlannedRun {
    fn new(pairs: usize, sd: f64) -> Self {
        Self { pairs, error: sd / (pairs as f64).sqrt() }
    }

    /// Half the width of its interval.
    fn reach(&self) -> f64 {
        t_upper_quantile(DECISIVE_TAIL, (self.pairs - 1) as f64) * self.error
    }
}
