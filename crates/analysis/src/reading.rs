//! How many samples a run takes that is read once, or at several looks.

use eval_format::{POINTS, PROGRESS_PAIRS, UNSEEN_RISK};
use eval_stats::{PlannedLooks, SeenDifferences, UnseenPlan, look_tails, minimum_detectable_difference, pairs_needed};

use crate::numbers::{count, snap};

/// How a run is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Looks while it goes on; `None` for a run that is read once.
    pub looks: Option<u32>,
}

impl Reading {
    /// The risk of a false alarm of the interval that reads all of it, to both sides: with looks, what they left of `alpha`.
    fn last(self, alpha: f64) -> Option<f64> {
        let Some(looks) = self.looks else { return Some(alpha) };
        let information: Vec<f64> = (1..=looks).map(|look| f64::from(look) / f64::from(looks)).collect();
        look_tails(alpha / 2.0, &information)?.last().map(|tail| 2.0 * tail)
    }

    /// Fewest pairs with which a true gain of `difference` is PROGRESS with this power, for differences with standard deviation
    /// `sd`, both in points: its interval is above 0, and it outweighs kinds of samples that never came up. With looks, a run must
    /// plan for so many; it ends sooner when it can.
    pub fn needed(self, sd: f64, difference: f64, alpha: f64, power: f64) -> Option<u64> {
        let pairs = pairs_needed(sd, difference, self.last(alpha)?, power)?.max(fewest());
        unseen(sd, power).pairs(difference.abs(), pairs).map(count)
    }

    /// The smallest true gain, in points, that is PROGRESS on `n` pairs with this power; none where a verdict asks for more pairs.
    pub fn detectable(self, sd: f64, n: usize, alpha: f64, power: f64) -> Option<f64> {
        let shown = minimum_detectable_difference(sd, n, self.last(alpha)?, power).filter(|_| n >= fewest())?;
        unseen(sd, power).gain(n).map(|gain| snap(gain.max(shown)))
    }

    /// How many of `samples` a run with looks reads on average before it is decided, if the true difference is `mean`.
    /// `None` without looks.
    pub fn mean_samples(
        self,
        samples: u64,
        (mean, sd): (f64, f64),
        alpha: f64,
        (min_effect, trivial): (f64, f64),
    ) -> Option<f64> {
        let n = usize::try_from(samples).ok()?;
        let planned = PlannedLooks::new(n, self.looks?, alpha / 2.0, UNSEEN_RISK)?;
        planned.mean_samples(&SeenDifferences { n, mean, sd, widest: POINTS }, min_effect, trivial).map(snap)
    }
}

/// The fewest pairs on which a verdict may say that something is better.
fn fewest() -> usize {
    usize::try_from(PROGRESS_PAIRS).unwrap_or(usize::MAX)
}

fn unseen(sd: f64, power: f64) -> UnseenPlan {
    UnseenPlan { sd, widest: POINTS, power, risk: UNSEEN_RISK }
}
