//! Verdict with what speaks against relying on it.

use eval_format::Report;
use eval_message::{Lang, Message, msg};
use eval_verdict::replacement;

use super::block::{Block, item, line};
use super::story::{Story, gate, whole_story};
use super::text::harmless;

/// Reasons that are listed: a thousand capabilities may each be one.
const LISTED: usize = 12;

/// Returns the first reasons, and how many more there are.
fn listed(reasons: &[Message]) -> impl Iterator<Item = Message> {
    let rest = reasons.len().saturating_sub(LISTED);
    let more = (rest > 0).then(|| msg!("report-reasons-more", count = rest));
    reasons.iter().take(LISTED).map(harmless).chain(more)
}

/// Returns the verdict on at most so many treatments, and what the exit code means.
pub(super) fn blocks<R>(report: &Report<R>, lang: Lang, treatments: usize, with_exit: bool) -> Vec<Block> {
    let verdict = &report.verdict;
    let exit = || with_exit.then(|| line(0, gate(verdict)));
    let mut blocks: Vec<Block> = replaced(report).into_iter().collect();
    // the run itself may have a story beside those of its treatments
    let most = treatments.saturating_add(usize::from(!verdict.valid));
    for story in whole_story(report, lang).iter().take(most) {
        blocks.push(tagged(story));
        blocks.extend(listed(&story.doubts).map(item));
        if story.is_of_invalid_run() {
            let follow = (!verdict.per_treatment.is_empty()).then(|| line(2, msg!("report-numbers-would-say")));
            blocks.extend(exit().into_iter().chain(follow));
        }
    }
    blocks.extend(exit().filter(|_| verdict.valid));
    blocks
}

/// Returns that the file has another verdict.
pub(crate) fn replaced<R>(report: &Report<R>) -> Option<Block> {
    replacement(&report.verdict).map(|replaced| line(0, harmless(&replaced)))
}

/// Returns `TIER  sentence`.
pub(crate) fn tagged(story: &Story) -> Block {
    Block::Tagged { tag: story.tag.clone(), tone: story.tone(), text: story.sentence.clone().into() }
}
