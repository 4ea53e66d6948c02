//! The gain on the samples to tune on, and on the held-out ones.

use crate::minus::{percent, points, signed};
use eval_format::{Holdout, HoldoutComparison, PartMean};
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::{Show, TerminalPage, harmless, interval};
use crate::terminal::names::NAME;

/// The section; for a single variant its two means.
pub(super) fn holdout(page: &mut TerminalPage, of: &Holdout) {
    let share = percent(of.share);
    page.title(&msg!("report-holdout-title", count = of.held_out, total = of.held_out + of.train, share = share));
    if of.comparisons.is_empty() {
        solo(page, of);
    }
    for comparison in &of.comparisons {
        compared(page, comparison, of.comparisons.len() > 1);
    }
    page.gap();
}

fn solo(page: &mut TerminalPage, of: &Holdout) {
    let shown = |part: &PartMean| part.mean.map_or_else(|| "–".to_owned(), points);
    for (name, means) in &of.per_variant {
        let variant = clip(name, NAME);
        let (train, held_out) = (&means.train, &means.held_out);
        page.line(
            2,
            &msg!(
                "report-holdout-solo",
                variant = variant,
                train = shown(train),
                n = train.n,
                holdout = shown(held_out),
                m = held_out.n
            ),
        );
    }
}

fn compared(page: &mut TerminalPage, of: &HoldoutComparison, is_one_of_several: bool) {
    let indent = if is_one_of_several { 4 } else { 2 };
    if is_one_of_several {
        let (control, treatment) = (clip(&of.control, NAME), clip(&of.treatment, NAME));
        page.line(2, &msg!("report-holdout-of", treatment = treatment, control = control));
    }
    for (name, part) in [("train", &of.train), ("holdout", &of.held_out)] {
        let text = part_text(page.show, name, part);
        page.raw(indent, &text);
    }
    gap(page.show, of).iter().for_each(|message| page.line(indent, message));
}

/// How much less is gained on the held-out samples, or why that can't be said.
pub(super) fn gaps(page: &mut TerminalPage, of: &Holdout) {
    if let [one] = of.comparisons.as_slice() {
        let text = gap(page.show, one).map(|message| page.show.text(&message));
        text.iter().for_each(|text| page.line(0, &msg!("report-brief-holdout", count = of.held_out, text = text)));
    }
}

fn gap(show: Show, of: &HoldoutComparison) -> Option<Message> {
    match (&of.why, of.gap) {
        (Some(why), _) => Some(harmless(&why.message_key)),
        (None, Some(gap)) => {
            let interval = interval(show, of.gap_ci.as_ref());
            Some(msg!("report-holdout-gap", gap = signed(gap), interval = interval))
        }
        (None, None) => None,
    }
}

fn part_text(show: Show, name: &str, part: &PartMean) -> String {
    show.text(&match part.mean {
        None => msg!("report-holdout-part-none", part = name),
        Some(mean) => {
            let interval = interval(show, part.ci.as_ref());
            msg!("report-holdout-part", part = name, mean = signed(mean), interval = interval, n = part.n)
        }
    })
}
