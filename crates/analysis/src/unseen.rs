//! What a kind of sample that never came up could do to a difference.

use eval_format::{Difference, Limits, POINTS, UnseenInputs};
use eval_stats::{Pilot, SeenDifferences};

use crate::numbers::{count, snap};
use crate::summary::LOWEST;

/// The chance that a loss is none from which on that is said.
const DOUBTED_LOSS: f64 = 0.10;

/// What differences show, in points.
pub(crate) fn seen(diff: &Difference) -> Option<SeenDifferences> {
    let n = usize::try_from(diff.n).ok()?;
    Some(SeenDifferences { n, mean: diff.mean?, sd: diff.sd?, widest: POINTS })
}

/// The same of preferences, −1 to 1, read as points.
pub(crate) fn seen_preferences(diff: &Difference) -> Option<SeenDifferences> {
    let of = seen(diff)?;
    Some(SeenDifferences { mean: of.mean * POINTS, sd: of.sd * POINTS, ..of })
}

/// Returns what the verdict reads of differences in points. `means` are the control's and the treatment's, where there are scores.
pub fn unseen(of: SeenDifferences, limits: &Limits, means: Option<[f64; 2]>) -> UnseenInputs {
    let [control_room, treatment_room] = [0, 1].map(|arm| means.map(|means| snap(means[arm] - LOWEST)));
    UnseenInputs {
        no_gain: snap(of.unseen_risk(0.0)),
        pairs_for_gain: of.pairs_against_unseen(limits.unseen_risk).map(count),
        no_loss: snap(of.mirrored().unseen_risk(0.0)),
        pairs_for_loss: of.mirrored().pairs_against_unseen(DOUBTED_LOSS).map(count),
        worse: snap(of.unseen_risk(limits.min_effect)),
        better: snap(of.mirrored().unseen_risk(limits.min_effect)),
        worse_than_margin: limits.margin.map(|margin| snap(of.unseen_risk(margin))),
        control_room,
        treatment_room,
    }
}

/// What a run with these differences shows for planning the next.
pub(crate) fn pilot(of: SeenDifferences) -> Pilot {
    Pilot { sd: of.sd, n: of.n, widest: of.widest }
}
