//! What agents looked for and didn't find: the rates with their test set, and every signal with its place. The terminal and the
//! other layouts show the same lines.

use std::collections::{BTreeSet, HashMap};

use eval_format::{GapEntry, HedgingCounts, Report, UnjudgedHedging, VariantGaps, WantedGap, gap_notice};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::gap::{GapClass, SearchIntent, SignalKind};

use super::{TerminalPage, harmless};
use crate::terminal::names::{NAME, id};

/// How many signals of a variant are listed.
const LISTED: usize = 10;
/// How many missing things are named.
const WANTED: usize = 5;
/// Variants whose rate is in the one line.
const IN_LINE: usize = 3;
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
        let (listed, left) = signals(of.inventory(), LISTED);
        listed.iter().map(|(_, line)| line).chain(&more(left)).for_each(|line| page.line(1, line));
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
    let rates = std::iter::once(of.sentence(variant)).chain(of.beside()).map(|line| harmless(&line));
    let lines = rates.chain(has_any.then_some(kinds)).chain(of.hedging().and_then(second_look)).chain(soft);
    lines.chain(guessed(of)).chain(wanted(of)).chain(questions(of)).chain(code(of)).collect()
}

/// The tools that are taken for searches by their names.
pub(crate) fn guessed(of: &VariantGaps) -> Option<Message> {
    let all = of.guessed_tools();
    let list = all.iter().take(WANTED).map(|name| format!("`{}`", clip(&clean(name), NAME))).collect::<Vec<_>>();
    let more = all.len().saturating_sub(WANTED);
    (!all.is_empty()).then(|| msg!("gaps-guessed", list = list.join(", "), more = more))
}

/// The gap rates with their test set, and `most` of the things that are wanted most; `None` without a trace.
pub(crate) fn gap_line<R>(report: &Report<R>, most: usize) -> Option<Message> {
    let all = &report.analysis.gap;
    let rates: Vec<String> =
        all.iter().take(IN_LINE).map(|(variant, of)| format!("`{}` {}", clip(variant, NAME), of.rate_text())).collect();
    let set = all.values().next()?.test_set();
    let mut wanted: Vec<String> = Vec::new();
    for subject in all.values().rev().flat_map(|of| of.wanted()).map(|of| clip(&clean(&of.subject), NAME)) {
        if wanted.len() < most && !wanted.contains(&subject) {
            wanted.push(subject);
        }
    }
    let named = wanted.iter().map(|subject| format!("`{subject}`")).collect::<Vec<_>>().join(", ");
    Some(msg!(
        "report-brief-gaps",
        rates = rates.join(", "),
        set = set.id.clone(),
        count = set.sample_count,
        named = wanted.len(),
        list = named
    ))
}

/// What is missing across the samples, the most wanted first.
fn wanted(of: &VariantGaps) -> Option<Message> {
    let (list, more) = named(of, GapClass::Knowledge);
    (!list.is_empty()).then(|| msg!("gaps-wanted", list = list, more = more))
}

/// The code that was looked for in vain, the most wanted first.
fn code(of: &VariantGaps) -> Option<Message> {
    let (list, more) = named(of, GapClass::Code);
    (!list.is_empty()).then(|| msg!("gaps-wanted-code", list = list, more = more))
}

/// What of a class is missing with the number of samples, and how much isn't named.
fn named(of: &VariantGaps, class: GapClass) -> (String, usize) {
    let name = |of: &&WantedGap| format!("{} ({})", clip(&clean(&of.subject), NAME), of.samples.len());
    let all: Vec<&WantedGap> = of.wanted().iter().filter(|of| of.class == class).collect();
    (all.iter().take(WANTED).map(name).collect::<Vec<_>>().join(", "), all.len().saturating_sub(WANTED))
}

/// The question behind each page to write, with the searches that count as it.
fn questions(of: &VariantGaps) -> Vec<Message> {
    let pages = of.wanted().iter().filter(|of| of.class == GapClass::Knowledge).take(WANTED);
    let line = |of: &WantedGap| {
        let members = of.members.iter().take(WANTED).map(|text| format!("`{}`", clip(&clean(text), NAME)));
        msg!(
            "gaps-wanted-question",
            question = clip(&clean(of.question.as_deref()?), SUBJECT),
            list = members.collect::<Vec<_>>().join(", "),
            more = of.members.len().saturating_sub(WANTED)
        )
        .into()
    };
    pages.filter_map(line).collect()
}

/// What the model made of the sentences of doubt; nothing where there were none.
fn second_look(of: &HedgingCounts) -> Option<Message> {
    let why = |why: UnjudgedHedging| of.unjudged.get(&why).copied().unwrap_or_default();
    (of.found > 0).then(|| {
        msg!(
            "gaps-second-look",
            found = of.found,
            confirmed = of.confirmed,
            dropped = of.dropped,
            unjudged = of.unjudged.values().fold(0_u64, |sum, count| sum.saturating_add(*count)),
            beyond = why(UnjudgedHedging::BeyondLimit),
            budget = why(UnjudgedHedging::Budget),
            failed = why(UnjudgedHedging::Failed),
            unreadable = why(UnjudgedHedging::Unreadable),
            ended = why(UnjudgedHedging::RunEnded)
        )
    })
}

/// At most so many signals, each with its place: one that several executions of a sample have stands once, with all of them. And
/// how many are not listed.
pub(crate) fn signals<'r>(
    inventory: impl IntoIterator<Item = &'r GapEntry>,
    listed: usize,
) -> (Vec<(&'r GapEntry, Message)>, usize) {
    let mut all: Vec<(&GapEntry, BTreeSet<u32>)> = Vec::new();
    let mut places = HashMap::new();
    for entry in inventory {
        let shown = (&entry.sample_id, entry.kind, entry.turn, &entry.subject, entry.intent, entry.calls.len());
        let place = *places.entry(shown).or_insert(all.len());
        if place == all.len() {
            all.push((entry, BTreeSet::new()));
        }
        all[place].1.insert(entry.run.saturating_add(1));
    }
    let is_repeated = all.iter().flat_map(|(_, runs)| runs).any(|run| *run > 1);
    let more = all.len().saturating_sub(listed);
    let lines = all.into_iter().take(listed).map(|(entry, runs)| {
        let runs: Vec<String> = runs.iter().map(ToString::to_string).collect();
        (entry, place(entry, if is_repeated { runs.join(", ") } else { "none".to_owned() }))
    });
    (lines.collect(), more)
}

/// How many signals are not listed, where so many are.
pub(crate) fn more(left: usize) -> Option<Message> {
    (left > 0).then(|| msg!("gaps-more", more = left))
}

/// A signal with its place.
fn place(entry: &GapEntry, runs: String) -> Message {
    let subject = clip(&clean(&entry.subject), SUBJECT);
    let (sample, turn) = (id(&entry.sample_id), entry.turn);
    match entry.kind {
        SignalKind::FailedSearch => {
            let intent = entry.intent.map_or("unknown", SearchIntent::name);
            msg!("gaps-failed-search", sample = sample, runs = runs, turn = turn, subject = subject, intent = intent)
        }
        SignalKind::RepeatedFailure => {
            msg!(
                "gaps-repeated-failure",
                sample = sample,
                runs = runs,
                turn = turn,
                subject = subject,
                calls = entry.calls.len()
            )
        }
        SignalKind::ExplicitMarker => {
            msg!("gaps-explicit-marker", sample = sample, runs = runs, turn = turn, subject = subject)
        }
        SignalKind::Hedging => match &entry.classifier_verdict {
            None => msg!("gaps-hedging", sample = sample, runs = runs, turn = turn, subject = subject),
            Some(of) => {
                let (confidence, reason) = (format!("{:.2}", of.confidence), clip(&clean(&of.reason), SUBJECT));
                let verdict = if of.is_uncertainty { "doubt" } else { "none" };
                msg!(
                    "gaps-hedging-judged",
                    sample = sample,
                    runs = runs,
                    turn = turn,
                    subject = subject,
                    verdict = verdict,
                    confidence = confidence,
                    reason = reason
                )
            }
        },
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
            id = entry.id.clone(),
            subject = clip(&clean(&entry.subject), SUBJECT),
            sample = id(&entry.sample_id),
            at = entry.decision.as_ref().map(|of| clip(&clean(&of.at), 10)).unwrap_or_default()
        )
    };
    of.came_back().into_iter().map(line).collect()
}
