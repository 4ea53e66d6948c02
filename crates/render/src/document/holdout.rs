//! Gain on the samples to tune on, and on the held-out ones.

use eval_format::{Holdout, HoldoutComparison, PartMean};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::block::{Block, line, title};
use super::text::{NAME, harmless, interval, or_dash};
use crate::minus::{percent, points, signed};

/// Returns the section; for a single variant its two means.
pub(super) fn blocks(holdout: &Holdout) -> Vec<Block> {
    let (count, total, share) = (holdout.held_out, holdout.held_out + holdout.train, percent(holdout.share));
    let mut blocks = vec![title(msg!("report-holdout-title", count = count, total = total, share = share))];
    let is_alone = holdout.comparisons.is_empty();
    blocks.extend(holdout.per_variant.iter().filter(|_| is_alone).map(|(name, means)| {
        let message = msg!(
            "report-holdout-solo",
            variant = clip(name, NAME),
            train = or_dash(means.train.mean, points),
            n = means.train.n,
            holdout = or_dash(means.held_out.mean, points),
            m = means.held_out.n
        );
        line(2, message)
    }));
    let are_several = holdout.comparisons.len() > 1;
    blocks.extend(holdout.comparisons.iter().flat_map(|comparison| compared(comparison, are_several)));
    blocks
}

fn compared(comparison: &HoldoutComparison, is_named: bool) -> Vec<Block> {
    let indent = if is_named { 4 } else { 2 };
    let (control, treatment) = (clip(&comparison.control, NAME), clip(&comparison.treatment, NAME));
    let name = is_named.then(|| line(2, msg!("report-holdout-of", treatment = treatment, control = control)));
    let parts = [part("train", &comparison.train), part("holdout", &comparison.held_out)];
    name.into_iter().chain(parts.into_iter().chain(gap(comparison)).map(|message| line(indent, message))).collect()
}

/// Returns how much less is gained on the held-out samples, or why that can't be said.
pub(crate) fn gap_line(holdout: &Holdout) -> Option<Message> {
    let [comparison] = holdout.comparisons.as_slice() else { return None };
    Some(msg!("report-brief-holdout", count = holdout.held_out, text = gap(comparison)?))
}

fn gap(comparison: &HoldoutComparison) -> Option<Message> {
    match (&comparison.why, comparison.gap) {
        (Some(why), _) => Some(harmless(&why.message_key)),
        (None, Some(gap)) => {
            Some(msg!("report-holdout-gap", gap = signed(gap), interval = interval(comparison.gap_ci.as_ref())))
        }
        (None, None) => None,
    }
}

fn part(name: &str, part: &PartMean) -> Message {
    match part.mean {
        None => msg!("report-holdout-part-none", part = name),
        Some(mean) => {
            let interval = interval(part.ci.as_ref());
            msg!("report-holdout-part", part = name, mean = signed(mean), interval = interval, n = part.n)
        }
    }
}
