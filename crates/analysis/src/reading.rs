//! Which interval a run's differences are read by, and so how many samples it takes: an ordinary one for a number of pairs
//! that was fixed before, or with `--stop-when-decided` a confidence sequence, which is wider.

use eval_format::PROGRESS_PAIRS;
use eval_stats::{minimum_detectable_difference, pairs_needed, sequence_detectable, values_for_sequence};

use crate::numbers::{count, snap};
use crate::stopping::{FIRST_LOOK, tightest_at};

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

    /// Fewest pairs that show `difference` with this power, for differences with standard deviation `sd`. A run that may
    /// end early must plan for so many; it ends sooner when it can.
    pub fn needed(self, sd: f64, difference: f64, alpha: f64, power: f64) -> Option<u64> {
        let pairs = match self {
            Reading::Fixed => pairs_needed(sd, difference, alpha, power),
            Reading::Sequence => values_for_sequence(sd, difference.abs(), 1.0 - alpha, power, planned)
                .map(|pairs| pairs.max(FIRST_LOOK)),
        };
        pairs.map(count)
    }

    /// The smallest true difference that `n` pairs show with this power. Of a run that may end early, `n` is what is planned.
    pub fn detectable(self, sd: f64, n: usize, alpha: f64, power: f64) -> Option<f64> {
        match self {
            Reading::Fixed => minimum_detectable_difference(sd, n, alpha, power).map(snap),
            Reading::Sequence if n < FIRST_LOOK => None,
            Reading::Sequence => sequence_detectable(sd, n, 1.0 - alpha, power, planned(n)).map(snap),
        }
    }
}

/// Where the sequence of a run with so many planned pairs is tightest.
fn planned(pairs: usize) -> usize {
    tightest_at(pairs, usize::try_from(PROGRESS_PAIRS).unwrap_or(usize::MAX))
}
