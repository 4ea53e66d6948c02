//! Kinds of samples that never came up: how many there may be, and what they could do to a mean.

use crate::describe::finite;

/// The largest share of all samples of which `n` random ones may well have met none: `1 − α^(1/n)`, so that a larger share
/// is missed with a chance below `alpha`. For small α about `−ln(α) / n`; with 0.05 the *rule of three*, `3 / n` (Hanley &
/// Lippman-Hand 1983). 1 without a sample.
#[must_use]
pub fn unseen_share(n: usize, alpha: f64) -> f64 {
    if n == 0 { 1.0 } else { -(alpha.ln() / n as f64).exp_m1() }
}

/// The mean difference when a share `unseen` of all samples is of a kind that never came up and whose mean difference is
/// `change`: `(1 − q) · mean + q · change`, in the unit of the differences.
///
/// Scores from 1 up allow a fall from the control's mean to 1, `change = −(c̄ − 1)`, and, with the arms exchanged, a rise to the
/// treatment's mean from 1, `change = t̄ − 1`.
#[must_use]
pub fn mean_with_unseen(mean: f64, unseen: f64, change: f64) -> f64 {
    (1.0 - unseen) * mean + unseen * change
}

/// Fewest samples with which a `gain` stays above 0 although a kind that never came up falls by `worst_fall`: the least `n`
/// with [`mean_with_unseen`]`(gain, q, −worst_fall) > 0`, where `q` is the [`unseen_share`] of `n` at `risk`.
///
/// It is `⌈ ln risk / ln( L / (L + gain) ) ⌉` with `L = worst_fall`, and 1 where nothing can fall (`L ≤ 0`). `None` for a gain
/// that isn't above 0, a risk outside (0, 1), numbers that are not finite, and more than a thousand million samples.
#[must_use]
pub fn pairs_against_unseen(gain: f64, worst_fall: f64, risk: f64) -> Option<usize> {
    let usable = gain > 0.0 && gain.is_finite() && worst_fall.is_finite() && risk > 0.0 && risk < 1.0;
    if !usable {
        return None;
    }
    if worst_fall <= 0.0 {
        return Some(1);
    }
    let about = finite(risk.ln() / -(gain / worst_fall).ln_1p()).filter(|n| *n < 1e9)?;
    let stays = |n: usize| mean_with_unseen(gain, unseen_share(n, risk), -worst_fall) > 0.0;
    // the logarithms may round to the other side of a whole number
    let mut n = (about.ceil() as usize).max(1);
    while n > 1 && stays(n - 1) {
        n -= 1;
    }
    while !stays(n) {
        n += 1;
    }
    Some(n)
}
