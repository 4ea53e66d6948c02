//! Which interval a run's differences are read by, and so how many samples it takes: an ordinary one for a number of pairs
//! that was fixed before, or with `--stop-when-decided` a confidence sequence, which is wider.

use eval_format::{POINTS, PROGRESS_PAIRS};
use eval_stats::{
    minimum_detectable_difference, pairs_needed, sequence_detectable, sequence_half_width, unseen_share,
    values_for_sequence,
};

use crate::numbers::{count, snap};
use crate::stopping::tightest_at;

/// The kind of interval that decides a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// An interval for a fixed number of pairs.
    Fixed,
    /// A confidence sequence.
    Sequence,
}

impl Reading {
    /// The kind for a run that may end early, or not.
    pub fn of(may_end_early: bool) -> Reading {
        if may_end_early { Reading::Sequence } else { Reading::Fixed }
    }

    /// Fewest pairs that show `difference` with this power, for differences with standard deviation `sd`, both in points. A
    /// run that may end early must plan for so many; it ends sooner when it can.
    pub fn needed(self, sd: f64, difference: f64, alpha: f64, power: f64) -> Option<u64> {
        let pairs = match self {
            Reading::Fixed => pairs_needed(sd, difference, alpha, power),
            Reading::Sequence => values_for_sequence(sd, difference.abs(), 1.0 - alpha, power, planned).map(|shown| {
                let is_enough =
                    |pairs| decisive(sd, pairs, alpha, power).is_some_and(|least| least <= difference.abs());
                least_from(shown.max(progress_pairs()), is_enough)
            }),
        };
        pairs.map(count)
    }

    /// The smallest true difference, in points, that `n` pairs show with this power. Of a run that may end early, `n` is what
    /// is planned.
    pub fn detectable(self, sd: f64, n: usize, alpha: f64, power: f64) -> Option<f64> {
        match self {
            Reading::Fixed => minimum_detectable_difference(sd, n, alpha, power).map(snap),
            Reading::Sequence => decisive(sd, n, alpha, power).map(snap),
        }
    }
}

/// Where the sequence of a run with so many planned pairs is tightest.
fn planned(pairs: usize) -> usize {
    tightest_at(pairs, progress_pairs())
}

fn progress_pairs() -> usize {
    usize::try_from(PROGRESS_PAIRS).unwrap_or(usize::MAX)
}

/// The smallest true gain that ends a run at `n` pairs with this power; `None` with fewer pairs than progress needs. Its
/// sequence must lie above 0, and samples of a kind that never came up must not be able to turn it: with `q` the share that
/// may not have been met and `z·sd/√n` what the mean may fall short of the gain `δ`, `(1 − q)(δ − z·sd/√n) ≥ 4·q`.
fn decisive(sd: f64, n: usize, alpha: f64, power: f64) -> Option<f64> {
    if n < progress_pairs() {
        return None;
    }
    let above = sequence_detectable(sd, n, 1.0 - alpha, power, planned(n))?;
    let short = above - sequence_half_width(sd, n, 1.0 - alpha, planned(n))?;
    let unseen = unseen_share(n, alpha);
    Some(above.max(short + POINTS * unseen / (1.0 - unseen)))
}

/// The least number from `least` on that is enough; every larger one is, too.
fn least_from(least: usize, is_enough: impl Fn(usize) -> bool) -> usize {
    let (mut few, mut enough) = (least, least);
    while !is_enough(enough) && enough < usize::MAX / 2 {
        (few, enough) = (enough + 1, enough * 2);
    }
    while few < enough {
        let middle = usize::midpoint(few, enough);
        if is_enough(middle) { enough = middle } else { few = middle + 1 }
    }
    enough
}
