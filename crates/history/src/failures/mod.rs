//! Failure clusters of a stored report: which checks fail, how often, and for which variant (`omk failures`).
//!
//! The unit is a result: one variant's answer to one sample, repeats together. A result **failed** when no answer came, or
//! when one of its assertions failed (in any repeat), or when a rubric or dimension was judged under the threshold, or its
//! composite lies under it. A composite can't fall under the threshold without one of the others, so the threshold of the
//! composite alone is never what decides; a check that failed in a result with a good composite is one to look at too.
//! Results that never ran or were not needed, tripwires, held-out samples, and samples beyond the decision of a run are
//! counted apart.
//!
//! A report is read once, result by result; a few hundred bytes of each failed one stay in memory.

mod cluster;
mod read;

use std::collections::BTreeMap;
use std::path::Path;

use eval_analysis::measure::Counting;
use eval_format::report::Note;
use eval_format::{BlindFile, NoResults, Report, ReportError, ReportText};
use eval_verdict::checked;
use read::FailureFacts;
use serde::Serialize;

/// Jaccard of shingles from which two answers are alike; read on the first [`EXCERPT`] characters.
pub const ALIKE: f64 = 0.6;
/// Characters of an answer that are stored and compared.
pub const EXCERPT: usize = 600;

/// The failures of a report, not clustered yet.
pub struct Failures(Report<FailureFacts>);

/// The clusters: the document of `omk failures --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureClusters {
    /// The report.
    pub id: String,
    /// The variant that alone was looked at; `null` means all.
    pub variant: Option<String>,
    /// The threshold of judged scores and composites, in points.
    pub threshold: f64,
    /// The likeness of answers (Jaccard of shingles) from which they are alike.
    pub alike_from: f64,
    /// Results that were looked at: one for each sample and variant.
    pub results: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How many have no failing check, but no score either.
    pub unscored: u64,
    /// How many never ran.
    pub not_run: u64,
    /// Results that a run decided early did without (`--stop-when-decided`), which were left out.
    #[serde(skip_serializing_if = "is_none")]
    pub not_needed: u64,
    /// Results of samples that are meant to fail, which were left out.
    pub tripwires: u64,
    /// Results of held-out samples (`--holdout`), which were left out, since reading them would be tuning on them.
    #[serde(skip_serializing_if = "is_none")]
    pub held_out: u64,
    /// Results of samples that were only under way when the run was decided (`--stop-when-decided`), which were left out.
    #[serde(skip_serializing_if = "is_none")]
    pub beyond: u64,
    /// The clusters, the largest first, at most [`CLUSTERS`].
    pub clusters: Vec<FailureCluster>,
    /// How many there are.
    pub total_clusters: u64,
    /// The model that named the clusters, with `--label`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Labelling>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Clusters that a document lists.
pub const CLUSTERS: usize = 100;

/// One cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureCluster {
    /// What its results have in common.
    pub by: ClusteredBy,
    /// Its results.
    pub count: u64,
    /// Their share of all failed results.
    pub share: f64,
    /// The failing checks, the most frequent first, at most ten; the class of an infrastructure failure.
    pub checks: Vec<FailingCheck>,
    /// How many there are.
    pub total_checks: u64,
    /// Their types, at most ten.
    pub types: Vec<String>,
    /// Its samples, at most twenty.
    pub sample_ids: Vec<String>,
    /// How many there are.
    pub samples: u64,
    /// Its results by variant; every variant that was looked at is there.
    pub variants: BTreeMap<String, u64>,
    /// Each treatment against the control.
    pub compared: Vec<ClusterMove>,
    /// Results whose answers are alike and of which the first example is one; 0 when no two are.
    pub alike: u64,
    /// Answers, cleaned and cut; the first stands for the cluster.
    pub examples: Vec<FailureExample>,
    /// A model's name for it: decoration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Why there is no name, though one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_missing: Option<Note>,
}

/// What the results of a cluster have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClusteredBy {
    /// No answer came, for the same reason.
    Failure,
    /// The same set of checks failed, on several samples.
    Checks,
    /// Their failing checks are their own, but their answers are alike.
    Outputs,
    /// One failing check, on several samples; of each result it is the one that fails most often.
    Check,
    /// None of these: only the types of the failing checks are the same.
    Types,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailingCheck {
    /// Its type and expected value; cleaned and shortened.
    pub label: String,
    /// In how many of the cluster's results it failed.
    pub count: u64,
}

/// How the samples of a cluster moved from the control to a treatment. A sample on which one of the two has no answer or
/// no score is not counted, unless that is what the cluster is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClusterMove {
    /// The treatment.
    pub treatment: String,
    /// Samples with the treatment's result in this cluster, of whose failing checks the control passes at least one.
    pub new: u64,
    /// Samples with the control's result in it, of whose failing checks the treatment passes at least one.
    pub fixed: u64,
    /// Samples with either in it, of whose failing checks the other passes none: failing fewer checks is not worse.
    pub common: u64,
}

/// One answer of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureExample {
    /// The sample.
    pub sample_id: String,
    /// The variant.
    pub variant: String,
    /// The answer or the error; cleaned and shortened.
    pub output: String,
}

/// The naming of clusters by a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Labelling {
    /// `executor:model`.
    pub judge: String,
    /// Clusters it was asked about.
    pub asked: u64,
    /// How many of them have a name.
    pub named: u64,
    /// What that cost; `null` if unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
}

/// Reads the failures of a report.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read_failures(path: &Path) -> Result<Failures, ReportError> {
    let text = ReportText::read(path)?;
    let report = checked(text.report()?);
    let mut facts = FailureFacts::default();
    let names = BlindFile::fitting(path, &report)?.and_then(|of| of.revealed_names());
    for raw in &report.results {
        let result = text.sample_result(raw)?;
        facts.add(&names.iter().fold(result, |result, names| names.of_result(result)));
    }
    facts.settle(&Counting::of(&report));
    let analysis = report.with_results(NoResults);
    let analysis = names.iter().fold(analysis, |analysis, names| names.of_analysis(analysis));
    Ok(Failures(analysis.with_results(facts)))
}

impl Failures {
    /// A variant, by the name that the report has for it.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<&str> {
        self.0.meta.variants.iter().find(|known| *known == name).map(String::as_str)
    }

    /// The report's variants, the control first.
    #[must_use]
    pub fn variants(&self) -> &[String] {
        &self.0.meta.variants
    }

    /// Who answered.
    #[must_use]
    pub fn executor(&self) -> &str {
        &self.0.meta.executor
    }

    /// The clusters of all variants' failures, or of one variant's.
    #[must_use]
    pub fn clusters(&self, variant: Option<&str>) -> FailureClusters {
        cluster::clusters(&self.0, variant)
    }
}
