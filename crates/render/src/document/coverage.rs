//! Files of the knowledge base: the share that agents read with its test set, how each file was met, and those that no sample
//! touched.

use eval_format::{CoveredFile, FileAccess, Report, VariantCoverage};
use eval_message::plain::{clean, clip};
use eval_message::{Arg, Message, Separator, msg};
use eval_spec::gap::{AccessKind, LineRange};

use super::block::{Block, line};
use super::gaps;
use super::text::{NAME, harmless, id};

/// How many files of each kind are listed.
const LISTED: usize = 10;
/// How many samples of a file are named.
const SAMPLES: usize = 4;
/// How much of a path is shown.
const PATH: usize = 100;

/// Returns the section, where there are traces and a knowledge base; each variant has its share, and its files below it.
pub(crate) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let arms = report.analysis.coverage.iter().map(|(name, coverage)| {
        let files: Vec<Block> = files(coverage).into_iter().map(|text| line(1, text)).collect();
        let title = msg!("gaps-coverage-files", variant = clip(name, NAME));
        let fold = (!files.is_empty()).then_some(Block::Fold(title, files));
        std::iter::once(line(0, share(name, coverage))).chain(fold).collect()
    });
    gaps::section(msg!("gaps-coverage-title"), arms)
}

/// The share with its test set, which has names of others in it.
fn share(variant: &str, coverage: &VariantCoverage) -> Message {
    harmless(&coverage.sentence(&clip(variant, NAME)))
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
        let list: Vec<Arg> = by.iter().take(SAMPLES).map(|access| sample(access)).collect();
        (!by.is_empty()).then(|| match how {
            AccessKind::Read => msg!("gaps-coverage-read", path = path, list = list, more = more),
            AccessKind::Match => msg!("gaps-coverage-match", path = path, list = list, more = more),
            AccessKind::List => msg!("gaps-coverage-list", path = path, list = list, more = more),
        })
    });
    each.collect()
}

/// Returns the sample, with lines where they are known: `s1:1-40`.
fn sample(access: &FileAccess) -> Arg {
    let range = |range: &LineRange| match range.last {
        Some(last) if last == range.first => last.to_string(),
        Some(last) => format!("{}-{last}", range.first),
        None => format!("{}-", range.first),
    };
    let lines: Vec<String> = access.lines.iter().take(LISTED).map(range).collect();
    let lines = if lines.is_empty() { String::new() } else { format!(":{}", lines.join(",")) };
    Arg::List(Separator::None, vec![id(&access.sample_id), lines.into()])
}
