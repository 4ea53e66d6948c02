//! `analysis.coverage`: which files of the knowledge base the samples made agents read. As a gap rate, the share never leaves
//! this file without its test set.

use std::collections::{BTreeMap, BTreeSet};

use eval_message::{Message, msg};
use eval_spec::gap::{AccessKind, LineRange};
use serde::{Deserialize, Serialize};

use super::gap_guard::percent;
use super::{TestSet, gap_notice};
use crate::impossible::{ImpossibleValue, counts, first, missing, part, rate, same, share, sum};

/// The files of the knowledge base that one variant's executions accessed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct VariantCoverage {
    /// What the numbers hold for.
    test_set: TestSet,
    /// The warning that goes with the numbers, in English.
    notice: String,
    /// The share of files that were read, or whose lines a search showed; `null` where nothing was looked up.
    coverage: Option<f64>,
    /// Files that were read, or whose lines a search showed.
    accessed: u64,
    /// Files of the knowledge base.
    total: u64,
    /// Samples that were executed with a trace.
    samples: u64,
    /// Those of them in which an agent looked up anything.
    looked_up: u64,
    /// The files that agents met, with how and by which sample.
    files: Vec<CoveredFile>,
    /// The files that no sample accessed; some may have been listed.
    uncovered: Vec<String>,
    /// The first 12 hex digits of SHA-256 over each file's content (of its size, for files above 32 MiB), which tell whether the
    /// knowledge base changed from run to run. Absent in blind reports and for files that can't be read.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    file_hashes: BTreeMap<String, String>,
}

/// A file of the knowledge base that agents met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoveredFile {
    /// Its path.
    pub path: String,
    /// How, and by which samples.
    pub accesses: Vec<FileAccess>,
}

/// How a sample's executions met a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileAccess {
    /// How.
    pub how: AccessKind,
    /// The sample.
    pub sample_id: String,
    /// The lines; absent for a whole file, and where the trace doesn't tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineRange>,
}

/// What is measured of one variant.
#[derive(Clone, Debug, Default)]
pub struct CoverageMeasures {
    /// See [`VariantCoverage`].
    pub samples: u64,
    /// See [`VariantCoverage`].
    pub looked_up: u64,
    /// Every file of the knowledge base, with its accesses.
    pub files: Vec<(String, Vec<FileAccess>)>,
    /// See [`VariantCoverage`].
    pub hashes: BTreeMap<String, String>,
}

impl VariantCoverage {
    /// The measures with the test set that they hold for.
    #[must_use]
    pub fn new(test_set: TestSet, measures: CoverageMeasures) -> VariantCoverage {
        let uncovered = measures.files.iter().filter(|(_, of)| !is_accessed(of)).map(|(path, _)| path.clone());
        let uncovered: Vec<String> = uncovered.collect();
        let total = measures.files.len() as u64;
        let accessed = total - uncovered.len() as u64;
        let met = measures.files.into_iter().filter(|(_, of)| !of.is_empty());
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 files")]
        let share = accessed as f64 / total.max(1) as f64;
        VariantCoverage {
            test_set,
            notice: gap_notice().to_string(),
            coverage: (measures.looked_up > 0 && total > 0).then_some(share),
            accessed,
            total,
            samples: measures.samples,
            looked_up: measures.looked_up,
            files: met.map(|(path, accesses)| CoveredFile { path, accesses }).collect(),
            uncovered,
            file_hashes: measures.hashes,
        }
    }

    /// What of it nothing can have measured, if there is any.
    pub(crate) fn impossible(&self) -> Option<ImpossibleValue> {
        let accesses = || self.files.iter().flat_map(|of| &of.accesses);
        let askers: BTreeSet<&str> = accesses().map(|of| of.sample_id.as_str()).collect();
        let accessed = self.files.iter().filter(|of| is_accessed(&of.accesses)).count() as u64;
        let is_measured = self.total > 0 && self.looked_up > 0;
        first([
            counts([("testSet.sampleCount", self.test_set.sample_count), ("total", self.total)]),
            rate("coverage", self.coverage, None),
            same("accessed", self.accessed, Some(accessed)),
            same("total", self.total, sum([accessed, self.uncovered.len() as u64])),
            part("samples", self.samples, self.test_set.sample_count),
            part("lookedUp", self.looked_up, self.samples),
            part("files.accesses", askers.len() as u64, self.looked_up),
            missing("coverage", self.coverage.is_some(), is_measured),
            share("coverage", self.coverage, self.accessed, self.total),
        ])
    }

    /// Whether what the numbers hold for is this test set.
    pub(crate) fn is_of(&self, test_set: &TestSet) -> bool {
        self.test_set == *test_set
    }

    /// The files that agents met.
    #[must_use]
    pub fn files(&self) -> &[CoveredFile] {
        &self.files
    }

    /// The files that no sample accessed.
    #[must_use]
    pub fn uncovered(&self) -> &[String] {
        &self.uncovered
    }

    /// Every file of the knowledge base, with what stands for its content where the report has it.
    #[must_use]
    pub fn contents(&self) -> BTreeMap<&str, Option<&str>> {
        let names = self.files.iter().map(|file| &file.path).chain(&self.uncovered);
        names.map(|name| (name.as_str(), self.file_hashes.get(name).map(String::as_str))).collect()
    }

    /// The share in one sentence, with the test set.
    #[must_use]
    pub fn sentence(&self, variant: &str) -> Message {
        let set = &self.test_set;
        match self.share() {
            Some(share) => msg!(
                "gaps-coverage-share",
                variant = variant,
                accessed = self.accessed,
                total = self.total,
                share = percent(share),
                samples = self.samples,
                count = set.sample_count,
                set = set.id.clone(),
                path = set.path.clone()
            ),
            None => msg!(
                "gaps-coverage-nothing",
                variant = variant,
                total = self.total,
                set = set.id.clone(),
                count = set.sample_count
            ),
        }
    }

    /// [`sentence`](VariantCoverage::sentence) of segments of sessions.
    #[must_use]
    pub fn segment_sentence(&self) -> Message {
        let set = &self.test_set;
        let share = self.share().map_or_else(|| "–".to_owned(), percent);
        msg!(
            "observe-coverage",
            looked = u64::from(self.share().is_some()),
            accessed = self.accessed,
            total = self.total,
            share = share,
            segments = self.samples,
            set = set.id.clone(),
            path = set.path.clone()
        )
    }

    /// The share, for what keeps the test set beside it; that of no files is not measured.
    pub(super) fn share(&self) -> Option<f64> {
        self.coverage.filter(|_| self.total > 0 && self.looked_up > 0)
    }
}

/// Whether a file was read, or its lines were shown.
fn is_accessed(of: &[FileAccess]) -> bool {
    of.iter().any(|access| access.how != AccessKind::List)
}
