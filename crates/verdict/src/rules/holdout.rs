//! Whether a gain carries over to the held-out samples.

use eval_format::{HoldoutInputs, TreatmentInputs, VerdictInputs};

use crate::reason::{Doubt, Reason};

/// Why a gain does not count as progress: it is smaller on the held-out samples than chance explains, or not there at
/// all. A part with fewer than two pairs shows nothing, which is a doubt as well: a holdout was asked for and not measured.
pub(super) fn doubts(_: &VerdictInputs, treatment: &TreatmentInputs) -> Vec<Reason> {
    let Some(HoldoutInputs { train, held_out, gap }) = &treatment.holdout else { return Vec::new() };
    let Some(gap) = gap else {
        return vec![Doubt::HoldoutFew { train: train.n, held_out: held_out.n }.into()];
    };
    let (Some(on_train), Some(on_others)) = (train.mean, held_out.mean) else { return Vec::new() };
    let is_lost = on_others <= 0.0 && train.low.is_some_and(|low| low > 0.0);
    let lost = is_lost.then_some(Doubt::HoldoutLost { train: on_train, held_out: on_others, n: held_out.n });
    let shrinks = gap.low > 0.0 && !gap.degenerate;
    let shrinks = shrinks.then_some(Doubt::HoldoutGap { gap: gap.mean, low: gap.low, high: gap.high });
    lost.into_iter().chain(shrinks).map(Reason::from).collect()
}
