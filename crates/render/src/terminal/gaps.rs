//! What agents looked for and didn't find: the rates with their test set, and every signal with its place. The terminal and the
//! other layouts show the same lines.

use eval_format::{GapEntry, Report, VariantGaps, gap_notice};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::gap::{SearchIntent, SignalKind};

use super::{TerminalPage, harmless};
use crate::terminal::names::{NAME, id};

/// How many signals of a variant are listed.
const LISTED: usize = 10;
/// How much of what was looked for is shown.
const SUBJECT: usize = 100;

/// The section, where there are traces.
pub(super) fn gaps<R>(page: &mut TerminalPage, report: &Report<R>) {
    let all = &report.analysis.gap;
    if all.is_empty() {
        return;
    }
    page.title(&msg!("gaps-title"));
    for (variant, of) in all {
        for line in rates(&clip(variant, NAME), of) {
            page.line(0, &line);
        }
        for line in warnings(of) {
            page.line(1, &line);
        }
        for entry in of.inventory().iter().take(LISTED) {
            page.line(1, &place(entry));
        }
        if let Some(more) = more(of, LISTED) {
            page.line(1, &more);
        }
    }
    page.line(0, &gap_notice());
    page.gap();
}

/// The rates of a variant with their test set, its signals by kind, and how far they can be trusted.
pub(crate) fn rates(variant: &str, of: &VariantGaps) -> Vec<Message> {
    let count = |kind: SignalKind| of.kinds().get(&kind).map_or(0, |count| count.signals);
    let kinds = msg!(
        "gaps-kinds",
        failed = count(SignalKind::FailedSearch),
        repeated = count(SignalKind::RepeatedFailure),
        markers = count(SignalKind::ExplicitMarker),
        hedging = count(SignalKind::Hedging)
    );
    let has_any = !of.inventory().is_empty();
    let soft = of.is_soft().then(|| msg!("gaps-soft"));
    // the test set has names of others in it
    std::iter::once(harmless(&of.sentence(variant))).chain(has_any.then_some(kinds)).chain(soft).collect()
}

/// A signal with its place.
pub(crate) fn place(entry: &GapEntry) -> Message {
    let subject = clip(&clean(&entry.subject), SUBJECT);
    let (sample, turn) = (id(&entry.sample_id), entry.turn);
    match entry.kind {
        SignalKind::FailedSearch => {
            let intent = entry.intent.map_or("unknown", SearchIntent::name);
            msg!("gaps-failed-search", sample = sample, turn = turn, subject = subject, intent = intent)
        }
        SignalKind::RepeatedFailure => {
            msg!("gaps-repeated-failure", sample = sample, turn = turn, subject = subject, calls = entry.calls.len())
        }
        SignalKind::ExplicitMarker => msg!("gaps-explicit-marker", sample = sample, turn = turn, subject = subject),
        SignalKind::Hedging => msg!("gaps-hedging", sample = sample, turn = turn, subject = subject),
    }
}

/// The gaps that came back, and that the samples may have become too easy.
pub(crate) fn warnings(of: &VariantGaps) -> Vec<Message> {
    came_back(of).into_iter().chain(of.domesticated().map(|line| harmless(&line))).collect()
}

/// The gaps that were marked as done and are wanted again.
fn came_back(of: &VariantGaps) -> Vec<Message> {
    let line = |entry: &GapEntry| {
        msg!(
            "gaps-came-back",
            id = entry.id.clone().unwrap_or_default(),
            subject = clip(&clean(&entry.subject), SUBJECT),
            sample = id(&entry.sample_id),
            at = entry.decision.as_ref().map(|of| clip(&clean(&of.at), 10)).unwrap_or_default()
        )
    };
    of.came_back().into_iter().map(line).collect()
}

/// How many signals are not listed, where so many are.
pub(crate) fn more(of: &VariantGaps, listed: usize) -> Option<Message> {
    let more = of.inventory().len().saturating_sub(listed);
    (more > 0).then(|| msg!("gaps-more", more = more))
}
