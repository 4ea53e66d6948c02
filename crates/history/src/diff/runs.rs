//! Runs that a comparison of two runs could have been made of, too: whoever picks the best of several finds a gain by chance.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eval_analysis::Risk;
use eval_analysis::measure::{ci, count, normalised, resampling_by};
use eval_format::{Ci, LookInputs};
use eval_message::msg;
use eval_stats::{Resampling, mean_interval};
use serde::Serialize;

use super::columns::{Columns, counting, tasks};
use super::{Diff, SlimReport, same};
use crate::earlier::{FileHead, HeadMeta, head, json_files};
use crate::earlier_looks::{FEWEST_SAMPLES, MOST_REPORTS, begins_as_report};

/// Runs whose ids are shown.
const SHOWN: usize = 3;

/// The other runs of two variants that were compared across two reports.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OtherRuns {
    /// The ids of their reports.
    pub reports: Vec<String>,
    /// The comparisons that could have been chosen among, at least: this one and the others.
    pub number: u64,
    /// The interval of the difference that allows for all of them; `null` where none is known.
    pub ci: Option<Ci>,
}

/// A variant of a report whose other runs are looked for.
struct RunOf<'r> {
    report: &'r SlimReport,
    label: &'r String,
    /// Whether only runs of this variant alone count.
    is_alone: bool,
}

impl Diff {
    /// Says that two runs are no controlled comparison, and counts the other runs in `directory` that it could have been made of: those
    /// of the treatment, and those of the control alone.
    #[must_use]
    pub fn counting_runs(mut self, directory: &Path, [a, b]: [&SlimReport; 2]) -> Diff {
        let is_of_two = a.id != b.id && self.comparisons.iter().any(|of| of.same_artifact != Some(true));
        if !is_of_two {
            return self;
        }
        self.uncontrolled.push(msg!("report-diff-two-runs").into());
        let heads = heads(directory, [a, b]);
        let treatments = self.comparisons.len();
        let has_intervals = self.has_intervals && self.caution.is_none();
        for of in self.comparisons.iter_mut().filter(|of| of.same_artifact != Some(true)) {
            let arms =
                [RunOf { report: a, label: &of.a, is_alone: true }, RunOf { report: b, label: &of.b, is_alone: false }];
            let found: Vec<Vec<(&PathBuf, bool)>> = arms.iter().map(|arm| arm.others(&heads)).collect();
            let all: Vec<&(&PathBuf, bool)> = found.iter().flatten().collect();
            if all.is_empty() {
                continue;
            }
            let number = 1 + count(all.len());
            let same_samples = 1 + count(all.iter().filter(|(_, is_same)| *is_same).count());
            let alpha = Risk::of(Some(LookInputs { number, same_samples })).alpha;
            let names = all.iter().filter_map(|(path, _)| Some(path.file_stem()?.to_string_lossy().into_owned()));
            let reports: Vec<String> = names.collect::<BTreeSet<_>>().into_iter().collect();
            let ci = has_intervals.then(|| interval([a, b], [&of.a, &of.b], alpha, treatments)).flatten();
            let shown = reports.iter().rev().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
            let range = ci.map_or_else(|| "–".to_owned(), |ci| format!("{:+.2} … {:+.2}", ci.low, ci.high));
            let note = msg!(
                "report-diff-other-runs",
                b = &of.b,
                runs = all.len(),
                list = shown,
                number = number,
                range = range
            );
            self.uncontrolled.push(note.into());
            of.other_runs = Some(OtherRuns { reports, number, ci });
        }
        self
    }
}

/// The reports of a directory, the newest first, without the two.
fn heads(directory: &Path, two: [&SlimReport; 2]) -> Vec<(PathBuf, Box<HeadMeta>)> {
    let is_other = |path: &PathBuf| {
        path.file_stem().is_some_and(|stem| two.iter().all(|of| stem.to_string_lossy() != of.id.as_str()))
    };
    let files = json_files(directory).into_iter();
    let reports = files.filter(|path| is_other(path) && begins_as_report(path)).take(MOST_REPORTS);
    let read = |path: PathBuf| match head(&path) {
        FileHead::Of(meta) => Some((path, meta)),
        FileHead::Other | FileHead::Broken => None,
    };
    reports.filter_map(read).collect()
}

impl RunOf<'_> {
    /// The reports that have other scores of the same artifact on samples of which at least half of the smaller set are the same, each
    /// with whether it has the same samples, but for a tenth at most.
    fn others<'h>(&self, heads: &'h [(PathBuf, Box<HeadMeta>)]) -> Vec<(&'h PathBuf, bool)> {
        let own = &self.report.meta;
        let (hash, text) = (own.skill_hashes.get(self.label), own.text_hashes.get(self.label));
        let mut seen: BTreeSet<&String> = own.scores_hashes.get(self.label).into_iter().collect();
        let mut others = Vec::new();
        for (path, meta) in heads.iter().rev() {
            let is_same = |label: &&String| {
                let equal = |of: Option<&String>, own: Option<&String>| of.is_some() && of == own;
                equal(meta.skill_hashes.get(*label), hash) || equal(meta.text_hashes.get(*label), text)
            };
            let is_of_kind = !meta.settings.aa && meta.imported.is_none() && own.imported.is_none();
            let is_of_model = normalised(&meta.model) == normalised(&own.model);
            let is_alone = !self.is_alone || meta.variants.len() == 1;
            let shared =
                meta.sample_hashes.iter().filter(|(id, hash)| own.sample_hashes.get(*id) == Some(*hash)).count();
            let sizes = [meta.sample_hashes.len(), own.sample_hashes.len()];
            let (fewer, more) = (sizes[0].min(sizes[1]), sizes[0].max(sizes[1]));
            if !is_of_kind || !is_of_model || !is_alone || fewer < FEWEST_SAMPLES || 2 * shared < fewer {
                continue;
            }
            let scores = meta.variants.iter().find(is_same).and_then(|label| meta.scores_hashes.get(label));
            if scores.is_some_and(|scores| seen.insert(scores)) {
                others.push((path, 10 * shared >= 9 * more));
            }
        }
        others
    }
}

/// The interval of a difference that leaves out `alpha` on both sides together, for one of so many comparisons.
fn interval([a, b]: [&SlimReport; 2], [of_a, of_b]: [&str; 2], alpha: f64, comparisons: usize) -> Option<Ci> {
    let settings = &b.meta.settings;
    let (common, _) = counting(a, b, same::samples(a, b).1);
    let of_tasks = Columns::of(&common, of_a, of_b).of_tasks(&tasks(&common));
    let values: Vec<f64> = of_tasks.composite.into_iter().flatten().collect();
    let resampling = resampling_by(&settings.ci, settings.bootstrap_samples, b.meta.seed).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "a few comparisons")]
    let level = 1.0 - alpha / comparisons.max(1) as f64;
    mean_interval(&values, &Resampling { level, ..resampling }).map(|interval| ci(&interval, 1))
}
