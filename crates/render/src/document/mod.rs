//! Report as a document: one file for what is said of each finding, in blocks that layouts write.
//!
//! A terminal, Markdown and a page show the same blocks. Some show them all, others fold or leave out what doesn't decide.

mod about;
mod block;
mod cached_control;
mod circumstances;
pub(crate) mod coverage;
mod delivered;
pub(crate) mod diff;
pub(crate) mod difference;
pub(crate) mod ending;
pub(crate) mod gaps;
pub(crate) mod gold;
pub(crate) mod holdout;
mod imported;
pub(crate) mod judges;
pub(crate) mod noticed;
pub(crate) mod observation;
pub(crate) mod pairwise;
pub(crate) mod people;
pub(crate) mod quality;
mod repeats;
pub(crate) mod same_artifact;
pub(crate) mod stopping;
pub(crate) mod story;
pub(crate) mod text;
pub(crate) mod trend;
pub(crate) mod triggers;
mod tripwires;
pub(crate) mod urls;
pub(crate) mod variants;
pub(crate) mod verdict;

use eval_format::Report;
use eval_message::{Lang, Message, msg};

pub(crate) use about::{about, costs};
pub(crate) use block::{Block, Table, Tone, item, line};
pub(crate) use cached_control::cached_control;
pub(crate) use circumstances::{circumstances, modes, uncopied};
pub(crate) use imported::imported;
pub(crate) use story::of_this_run;

/// How much a layout shows.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Treatments with a verdict, a column and a difference.
    pub(crate) treatments: usize,
    /// Gap signals of each variant.
    pub(crate) signals: usize,
    /// Signals that a model took for none are listed, too.
    pub(crate) with_filtered: bool,
    /// Rates have their counts beside them.
    pub(crate) with_counts: bool,
    /// The exit code is explained.
    pub(crate) with_exit: bool,
}

/// Part of a document; layouts may fold it, or leave it to a part of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Verdict,
    Variants,
    Differences,
    Enough,
    Judges,
    Triggers,
    Gaps,
    Coverage,
    Missing,
    Noticed,
    Quality,
    Urls,
    Next,
}

impl Topic {
    /// Returns the title of a folded part; `None` for what decides.
    pub(crate) fn folded(self) -> Option<Message> {
        match self {
            Topic::Enough => Some(msg!("page-extra-enough")),
            Topic::Judges => Some(msg!("page-extra-judges")),
            Topic::Noticed => Some(msg!("page-extra-noticed")),
            Topic::Quality => Some(msg!("page-extra-quality")),
            Topic::Urls => Some(msg!("page-extra-urls")),
            _ => None,
        }
    }
}

/// Returns all that is said of a report, in parts.
pub(crate) fn sections<R>(report: &Report<R>, lang: Lang, depth: Depth) -> Vec<(Topic, Vec<Block>)> {
    // where judges only compare, there are no scores to differ
    let is_scored = report.summary.values().any(|summary| summary.planned_scores > 0) || report.pairwise.is_none();
    let compared = report.comparisons.iter().filter(|_| is_scored).take(depth.treatments);
    let mut arms = facts(report);
    arms.push(variants::table(report, report.meta.variants.iter().take(depth.treatments.saturating_add(1))));
    let mut parts = vec![
        (Topic::Verdict, verdict::blocks(report, lang, depth.treatments, depth.with_exit)),
        (Topic::Variants, arms),
        (Topic::Differences, delivered::blocks(report)),
    ];
    parts.extend(compared.map(|comparison| (Topic::Differences, difference::blocks(report, comparison))));
    let same_artifact = if report.meta.settings.aa { same_artifact::blocks(report) } else { Vec::new() };
    parts.extend([
        (Topic::Differences, report.pairwise.as_ref().map(pairwise::blocks).unwrap_or_default()),
        (Topic::Differences, same_artifact),
        (Topic::Differences, cached_control(report).map(|message| line(0, message)).into_iter().collect()),
        (Topic::Enough, repeats::blocks(report)),
        (Topic::Differences, report.holdout.as_ref().map(holdout::blocks).unwrap_or_default()),
        (Topic::Judges, judges::blocks(report)),
        (Topic::Judges, tripwires::blocks(report)),
        (
            Topic::Triggers,
            report.triggers.as_ref().map(|of| triggers::blocks(of, depth.with_counts)).unwrap_or_default(),
        ),
        (Topic::Judges, report.gold.as_ref().map(gold::blocks).unwrap_or_default()),
        (Topic::Gaps, gaps::blocks(report, depth.signals, depth.with_filtered)),
        (Topic::Coverage, coverage::blocks(report)),
        (Topic::Missing, noticed::lost(report)),
        (Topic::Noticed, noticed::insights(report)),
        (Topic::Quality, report.analysis.sample_quality.as_ref().map(quality::blocks).unwrap_or_default()),
        (Topic::Urls, urls::blocks(report)),
        (Topic::Next, noticed::next(report)),
    ]);
    parts.retain(|(_, blocks)| !blocks.is_empty());
    parts
}

/// Returns what was measured, where it is from, and how it ended.
fn facts<R>(report: &Report<R>) -> Vec<Block> {
    let messages = std::iter::once(about(report)).chain(imported(report)).chain(circumstances(report));
    let stopping = report.stopping.iter().flat_map(stopping::blocks);
    messages.map(|message| line(0, message)).chain(stopping).collect()
}
