//! Whether a gain carries over to the samples that nobody tuned on.

use eval_format::{HoldoutInputs, TreatmentInputs};
use eval_message::number::{bound, signed};
use eval_message::{Message, msg};

/// What forbids to call a gain progress: it is smaller on the held-out samples than chance explains, or not there at
/// all. A part with fewer than two pairs says nothing: whoever asked for a holdout must know that it wasn't measured.
pub(crate) fn doubts(treatment: &TreatmentInputs) -> Vec<Message> {
    let Some(HoldoutInputs { train, held_out, gap }) = &treatment.holdout else { return Vec::new() };
    let Some(gap) = gap else {
        return vec![msg!("report-doubt-holdout-few", train = train.n, holdout = held_out.n)];
    };
    let (Some(on_train), Some(on_others)) = (train.mean, held_out.mean) else { return Vec::new() };
    let is_lost = on_others <= 0.0 && train.low.is_some_and(|low| low > 0.0);
    let lost = is_lost
        .then(|| msg!("report-doubt-holdout", train = signed(on_train), holdout = signed(on_others), n = held_out.n));
    let shrinks = (gap.low > 0.0 && !gap.degenerate)
        .then(|| msg!("report-doubt-gap", gap = signed(gap.mean), low = bound(gap.low), high = bound(gap.high)));
    lost.into_iter().chain(shrinks).collect()
}
