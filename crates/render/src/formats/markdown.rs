//! Markdown: a summary to be read as it is, and a comment on a pull request.

use eval_format::Report;
use eval_message::plain::clip;
use eval_message::{Arg, Lang, msg};

use crate::document::text::clauses;
use crate::document::{Block, Depth, costs, line, sections};
use crate::formats::spec::FormatSpec;
use crate::markdown::laid_out;
use crate::view::evaluation;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "markdown",
    extension: "md",
    about: || msg!("report-format-markdown"),
    comparison: Some(|of, show, to| to.write_all(laid_out(&blocks(of, show.lang), show.lang).as_bytes())),
    evaluation: Some(|of, show, to| to.write_all(laid_out(&evaluation::blocks(of, show.lang), show.lang).as_bytes())),
};

/// Treatments and signals that are shown; the JSON has all.
const DEPTH: Depth = Depth { treatments: 8, signals: 50, with_filtered: true, with_counts: true, with_exit: true };

/// Returns the document; what doesn't decide is folded.
fn blocks(report: &Report, lang: Lang) -> Vec<Block> {
    let verdict = &report.verdict;
    let tag = if verdict.valid { Arg::from(verdict.tier.name()) } else { msg!("report-no-verdict").into() };
    let mut blocks = vec![Block::Title(2, Arg::from(msg!("report-md-title", tag = tag)))];
    let mut folds: Vec<Block> = Vec::new();
    for (topic, part) in sections(report, lang, DEPTH) {
        match (topic.folded(), folds.last_mut()) {
            // differences of several treatments share their title
            (None, _) if blocks.contains(&part[0]) => blocks.extend(part.into_iter().skip(1)),
            (None, _) => blocks.extend(part),
            (Some(title), Some(Block::Fold(last, parts))) if *last == title => parts.extend(part),
            (Some(title), _) => folds.push(Block::Fold(title, part)),
        }
    }
    let more = report.comparisons.len().saturating_sub(DEPTH.treatments);
    blocks.extend((more > 0).then(|| line(0, msg!("report-md-more", count = more))));
    blocks.extend(folds);
    let costs = costs(report);
    blocks.extend((!costs.is_empty()).then(|| line(0, clauses(costs))));
    let (id, version) = (clip(&report.id, 80), clip(&report.meta.cli_version, 20));
    blocks.push(line(0, msg!("report-md-foot", id = id, version = version)));
    blocks
}
