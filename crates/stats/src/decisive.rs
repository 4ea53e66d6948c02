//! Sample sizes that settle a comparison, from a pilot.

use crate::distribution::{fewest_near, normal_quantile, t_upper_quantile};
use crate::spread::sd_bound;
use crate::unseen::{SeenDifferences, UnseenPlan};

/// Fewest pairs with which a verdict may name a winner.
const FEWEST_PAIRS: usize = 20;

/// Chance that the true standard deviation exceeds the planned one.
const LARGER_SPREAD: f64 = 0.35;

/// Power to show that there is no difference, for each side.
const POWER_OF_NO_DIFFERENCE: f64 = 0.90;

/// Power to show a gain.
const POWER_OF_A_GAIN: f64 = 0.80;

/// Results of a first run, for planning the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pilot {
    /// Standard deviation of the paired differences.
    pub sd: f64,
    /// Number of pairs it was computed from.
    pub n: usize,
    /// Largest loss of one sample, in the same unit; see [`SeenDifferences`].
    pub widest: f64,
}

/// Settings with which the planned run will be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedReading {
    /// Probability beyond each end of its interval, 0.025 for one at 95 %.
    pub tail: f64,
    /// Largest [`SeenDifferences::unseen_risk`] with which it decides.
    pub unseen_risk: f64,
}

impl Pilot {
    /// Pairs that settle if there is a difference of `min_effect`: the least `N ≥ 20` that shows a true mean difference
    /// of 0 to be within ± `min_effect`, and one of `min_effect` to be above 0.
    ///
    /// With `σ = s_u / sqrt(N)`, where [`sd_bound`]`(sd, n, 0.35)` is `s_u`, `δ = min_effect`, `t = t_{1−tail, N−1}`, and
    /// `U(m, x)` the [`SeenDifferences::unseen_risk`] of a loss of `x` where `N` differences show the mean `m` and the spread
    /// `s_u`:
    ///
    /// ```text
    /// (t + z_0.9) · σ ≤ δ                     the interval is narrow enough (Schuirmann 1987: both sides at 90 %)
    /// U(δ − z_0.8 · σ, 0) ≤ unseen_risk       an unseen kind doesn't undo a gain of δ
    /// U(−z_0.9 · σ, δ) ≤ unseen_risk          nor make a difference where there is none
    /// ```
    ///
    /// The numbers are those of a search by SciPy (`stats-tests/tests/decisive_oracle.py`).
    ///
    /// `None` for fewer than two pairs, an effect that isn't above 0, a spread that is negative, numbers that are not finite,
    /// and when a thousand million pairs would not do.
    #[must_use]
    pub fn pairs_to_settle(&self, min_effect: f64, reading: &PlannedReading) -> Option<usize> {
        self.fewest_pairs(min_effect, reading, |plan| {
            let two_sided = normal_quantile(POWER_OF_NO_DIFFERENCE) * plan.error();
            plan.reach() + two_sided <= min_effect
                && plan.outweighs_unseen(min_effect)
                && plan.is_unseen_ruled_out(-two_sided, min_effect)
        })
    }

    /// Pairs that show a true mean difference of `gain` to be above 0, and no smaller than `trivial`, in 80 % of runs: the
    /// least `N ≥ 20` with `(t + z_0.8) · σ ≤ gain`, `gain − z_0.8 · σ ≥ trivial`, and the second condition of
    /// [`Pilot::pairs_to_settle`] with `gain` in place of `min_effect`.
    ///
    /// `None` as there, and where `gain` isn't above `trivial`.
    #[must_use]
    pub fn pairs_for_gain(&self, gain: f64, trivial: f64, reading: &PlannedReading) -> Option<usize> {
        let is_more = gain > trivial;
        let pairs = self.fewest_pairs(gain, reading, |plan| {
            let power = normal_quantile(POWER_OF_A_GAIN) * plan.error();
            plan.reach() + power <= gain && gain - power >= trivial && plan.outweighs_unseen(gain)
        });
        pairs.filter(|_| is_more)
    }

    /// Each condition that holds for one `N ≥ 20` holds for every larger one.
    fn fewest_pairs(
        &self,
        effect: f64,
        reading: &PlannedReading,
        is_enough: impl Fn(&PlannedRun) -> bool,
    ) -> Option<usize> {
        let is_usable = effect > 0.0 && effect.is_finite() && self.widest > 0.0 && self.widest.is_finite();
        let is_tail = reading.tail > 0.0 && reading.tail < 0.5;
        let sd = sd_bound(self.sd, self.n, LARGER_SPREAD).filter(|_| is_usable && is_tail)?;
        let plan = |pairs: usize| PlannedRun { pairs: pairs.max(FEWEST_PAIRS), sd, widest: self.widest, reading };
        let about = ((normal_quantile(1.0 - reading.tail) + normal_quantile(POWER_OF_A_GAIN)) * sd / effect).powi(2);
        let pairs = fewest_near(about, |n| Some(is_enough(&plan(n))))?;
        Some(pairs.max(FEWEST_PAIRS))
    }
}

/// A planned run with this many pairs.
struct PlannedRun<'a> {
    pairs: usize,
    /// Planned spread, `s_u`.
    sd: f64,
    widest: f64,
    reading: &'a PlannedReading,
}

impl PlannedRun<'_> {
    /// Standard error of the mean difference, `σ`.
    fn error(&self) -> f64 {
        self.sd / (self.pairs as f64).sqrt()
    }

    /// Half the width of the interval.
    fn reach(&self) -> f64 {
        t_upper_quantile(self.reading.tail, (self.pairs - 1) as f64) * self.error()
    }

    /// Returns `true` if the gain of an unlucky run, lower than four runs in five show it, survives unseen kinds of
    /// samples.
    fn outweighs_unseen(&self, gain: f64) -> bool {
        let (sd, widest, risk) = (self.sd, self.widest, self.reading.unseen_risk);
        UnseenPlan { sd, widest, power: POWER_OF_A_GAIN, risk }.outweighs(gain, self.pairs)
    }

    fn is_unseen_ruled_out(&self, mean: f64, loss: f64) -> bool {
        let seen = SeenDifferences { n: self.pairs, mean, sd: self.sd, widest: self.widest };
        seen.unseen_risk(loss) <= self.reading.unseen_risk
    }
}
