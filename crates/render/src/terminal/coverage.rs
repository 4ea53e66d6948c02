//! Which files of the knowledge base agents read: the share with its test set, how each file was met, and those that no sample
//! touched. The terminal and the other layouts show the same lines.

use eval_format::{CoveredFile, FileAccess, Report, VariantCoverage, gap_notice};
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::gap::{AccessKind, LineRange};

use super::{TerminalPage, harmless};
use crate::terminal::names::{NAME, id};

/// How many files of each kind are listed.
const LISTED: usize = 10;
/// How many samples of a file are named.
const SAMPLES: usize = 4;
/// How much of a path is shown.
const PATH: usize = 100;

/// The section, where there are traces and a knowledge base.
pub(super) fn coverage<R>(page: &mut TerminalPage, report: &Report<R>) {
    let all = &report.analysis.coverage;
    if all.is_empty() {
        return;
    }
    page.title(&msg!("gaps-coverage-title"));
    for (variant, of) in all {
        page.line(0, &share(variant, of));
        for line in files(of) {
            page.line(1, &line);
        }
    }
    page.line(0, &gap_notice());
    page.gap();
}

/// The share with its test set, which has names of others in it.
pub(crate) fn share(variant: &str, of: &VariantCoverage) -> Message {
    harmless(&of.sentence(&clip(variant, NAME)))
}

/// How files were met, and those that no sample accessed.
pub(crate) fn files(of: &VariantCoverage) -> Vec<Message> {
    let met = of.files().iter().take(LISTED).flat_map(file);
    let left = of.files().len().saturating_sub(LISTED);
    let more = (left > 0).then(|| msg!("gaps-coverage-more", more = left));
    let uncovered = of.uncovered();
    let named: Vec<String> = uncovered.iter().take(LISTED).map(|path| clip(&clean(path), PATH)).collect();
    let uncovered = (!uncovered.is_empty()).then(|| {
        msg!("gaps-coverage-uncovered", list = named.join(", "), more = uncovered.len().saturating_sub(LISTED))
    });
    met.chain(more).chain(uncovered).collect()
}

/// A file, once for each way in which it was met.
fn file(of: &CoveredFile) -> Vec<Message> {
    let each = [AccessKind::Read, AccessKind::Match, AccessKind::List].into_iter().filter_map(|how| {
        let by: Vec<&FileAccess> = of.accesses.iter().filter(|access| access.how == how).collect();
        let (path, more) = (clip(&clean(&of.path), PATH), by.len().saturating_sub(SAMPLES));
        let list = by.iter().take(SAMPLES).map(|access| sample(access)).collect::<Vec<_>>().join(", ");
        (!by.is_empty()).then(|| match how {
            AccessKind::Read => msg!("gaps-coverage-read", path = path, list = list, more = more),
            AccessKind::Match => msg!("gaps-coverage-match", path = path, list = list, more = more),
            AccessKind::List => msg!("gaps-coverage-list", path = path, list = list, more = more),
        })
    });
    each.collect()
}

/// The sample, with lines where they are known: `s1:1-40`.
fn sample(of: &FileAccess) -> String {
    let range = |range: &LineRange| match range.last {
        Some(last) if last == range.first => last.to_string(),
        Some(last) => format!("{}-{last}", range.first),
        None => format!("{}-", range.first),
    };
    let lines: Vec<String> = of.lines.iter().take(LISTED).map(range).collect();
    match lines.is_empty() {
        true => id(&of.sample_id),
        false => format!("{}:{}", id(&of.sample_id), lines.join(",")),
    }
}
