//! What a kind of sample that never came up could do to a difference.

use eval_format::{DiffInputs, POINTS, UnseenInputs};
use eval_stats::{
    Pilot, UNSEEN_RISK_OF_A_GAIN, UNSEEN_RISK_OF_NO_DIFFERENCE, mean_with_unseen, pairs_against_unseen, unseen_share,
};

use crate::numbers::{count, snap};
use crate::summary::LOWEST;

/// How far a treatment can fall below its control, and the control below it, where they score these means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Falls {
    pub(crate) treatment: f64,
    pub(crate) control: f64,
}

impl Falls {
    /// From these mean scores to the lowest one.
    pub(crate) fn from_means(control: f64, treatment: f64) -> Falls {
        Falls { treatment: control - LOWEST, control: treatment - LOWEST }
    }

    /// What a run with this spread of `n` differences shows for planning the next, in points.
    pub(crate) fn pilot(self, sd: f64, n: usize) -> Pilot {
        Pilot { sd, n, worst_fall: self.treatment, worst_rise: self.control }
    }

    /// A preference, −1 to 1, may go from nothing to either answer.
    pub(crate) const OF_PREFERENCES: Falls = Falls { treatment: 1.0, control: 1.0 };
    /// The same, read as points.
    pub(crate) const OF_PREFERENCES_IN_POINTS: Falls = Falls { treatment: POINTS, control: POINTS };
}

/// What the verdict reads; `None` without pairs.
pub(crate) fn unseen(diff: &DiffInputs, falls: Falls) -> Option<UnseenInputs> {
    let (n, mean) = (usize::try_from(diff.n).ok().filter(|&n| n > 0)?, diff.mean?);
    let gain_share = unseen_share(n, UNSEEN_RISK_OF_A_GAIN);
    let same_share = unseen_share(n, UNSEEN_RISK_OF_NO_DIFFERENCE);
    Some(UnseenInputs {
        gain_share: snap(gain_share),
        gain: snap(mean_with_unseen(mean, gain_share, -falls.treatment)),
        pairs_for_gain: pairs_against_unseen(mean, falls.treatment, UNSEEN_RISK_OF_A_GAIN).map(count),
        same_share: snap(same_share),
        same_low: snap(mean_with_unseen(mean, same_share, -falls.treatment)),
        same_high: snap(mean_with_unseen(mean, same_share, falls.control)),
    })
}
