//! The gap rates of the last report, which the next ones are compared with.

use std::path::{Path, PathBuf};

use eval_analysis::EarlierRates;
use eval_format::{Analysis, EarlierGaps, Status, TestSet};

use crate::earlier::{FileHead, HeadMeta, head, newest};
use crate::read_analysis;

/// A run whose gap rates are compared with earlier ones.
#[derive(Clone, Copy, Debug)]
pub struct GuardedRun<'a> {
    /// Its id, and that of the run whose answers it grades anew: their reports are no earlier ones.
    pub ids: &'a [&'a str],
    /// When it began, RFC 3339.
    pub timestamp: &'a str,
    /// Its samples.
    pub test_set: &'a TestSet,
    /// Its variants, by their own names.
    pub variants: &'a [String],
}

/// How many low gap rates in a row, before this run's, are enough to know.
const ENOUGH: u64 = 2;

/// For each variant of a run, its gap rate in the last complete report of the same test set, or else in the last one of the
/// same sample file, and how many low ones came before; and the last one on the other kind of samples, of people or of a model.
/// `is_of_project`: whether the report at a path is of the same project,
/// where reports don't tell.
#[must_use]
pub fn earlier_gaps(directory: &Path, run: GuardedRun<'_>, is_of_project: impl Fn(&Path) -> bool) -> Vec<EarlierRates> {
    let mut found: Vec<(HeadMeta, PathBuf)> = newest(directory)
        .into_iter()
        .filter(|path| path.file_stem().is_none_or(|stem| !run.ids.iter().any(|id| stem == *id)))
        .filter_map(|path| match head(&path) {
            FileHead::Of(meta) => Some((*meta, path)),
            FileHead::Other | FileHead::Broken => None,
        })
        .filter(|(meta, path)| is_comparable(meta, run) && is_of_project(path))
        .collect();
    found.sort_by(|(a, _), (b, _)| b.timestamp.cmp(&a.timestamp));
    let is_same_file = |of: &HeadMeta| of.test_set.id == run.test_set.id || of.test_set.path == run.test_set.path;
    let is_other_kind = |of: &HeadMeta| of.test_set.llm_generated != run.test_set.llm_generated;
    let of_same_file = found.iter().filter(|(meta, _)| is_same_file(meta)).collect();
    let of_other_kind = found.iter().filter(|(meta, _)| is_other_kind(meta));
    let mut rates = rates_of_file(of_same_file, run);
    for (_, path) in of_other_kind {
        if rates.iter().all(|of| of.beside.is_some()) {
            break;
        }
        let Ok(report) = read_analysis(path) else { continue };
        for (of, variant) in rates.iter_mut().zip(run.variants) {
            of.beside = of.beside.take().or_else(|| rate_of(&report, variant));
        }
    }
    rates
}

/// The rates in reports of one sample file, which are given the newest first.
fn rates_of_file(mut found: Vec<&(HeadMeta, PathBuf)>, run: GuardedRun<'_>) -> Vec<EarlierRates> {
    // those of the same test set first
    let is_other = |of: &HeadMeta| of.test_set.id != run.test_set.id;
    found.sort_by_key(|(meta, _)| is_other(meta));
    let mut rates: Vec<(EarlierRates, bool)> = vec![(EarlierRates::default(), true); run.variants.len()];
    for (meta, path) in found {
        let is_same = !is_other(meta);
        let asks = |(of, goes_on): &(EarlierRates, bool)| {
            of.last.is_none() || (is_same && *goes_on && of.low_in_a_row < ENOUGH)
        };
        if !rates.iter().any(asks) {
            break;
        }
        let Ok(report) = read_analysis(path) else { continue };
        for ((of, goes_on), variant) in rates.iter_mut().zip(run.variants) {
            let Some(rate) = rate_of(&report, variant) else { continue };
            *goes_on &= is_same && rate.is_low();
            of.low_in_a_row += u64::from(*goes_on);
            of.last.get_or_insert(rate);
        }
    }
    rates.into_iter().map(|(of, _)| of).collect()
}

fn is_comparable(meta: &HeadMeta, run: GuardedRun<'_>) -> bool {
    let is_earlier = meta.timestamp.as_str() < run.timestamp;
    let has_variant = meta.variants.iter().any(|name| run.variants.contains(name));
    meta.test_set.project == run.test_set.project && is_earlier && has_variant
}

/// A run that ended early says nothing of the samples that it never ran.
fn rate_of(report: &Analysis, variant: &str) -> Option<EarlierGaps> {
    let of = report.analysis.gap.get(variant).filter(|_| report.status == Status::Complete)?;
    of.as_earlier(Some(report.id.clone()))
}
