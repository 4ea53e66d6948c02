//! `meta`: what was measured, with what.

use std::collections::{BTreeMap, BTreeSet};

use eval_spec::Identity;
use eval_spec::call::Generation;
use eval_spec::gap::GapRules;
use eval_spec::page::InlinedUrl;
use eval_spec::record::EarlierLook;
use eval_spec::suite::{GateTier, Goal, PermissionMode};
use eval_spec::surroundings::UncopiedFiles;
use eval_spec::variant::ArtifactCommit;
use serde::{Deserialize, Serialize};

use super::ImportedResults;

/// Identity, settings and environment of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReportMeta {
    /// The variants' names, the control first.
    pub variants: Vec<String>,
    /// The model under test, as asked for; empty means the executor's default.
    pub model: String,
    /// The judge, when there is just one; its first model otherwise.
    pub judge_model: Option<String>,
    /// The executor's name.
    pub executor: String,
    /// Samples in the test set.
    pub sample_count: u64,
    /// Executions planned: samples × variants × repeats.
    pub task_count: u64,
    /// What this run cost over everything it ran, failed attempts and repeats too; `null` if a part is unknown.
    #[serde(rename = "totalCostUSD")]
    pub total_cost_usd: Option<f64>,
    /// The part of the cost that is known.
    #[serde(rename = "knownCostUSD")]
    pub known_cost_usd: f64,
    /// What judges cost of it; absent when none were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_cost: Option<Spent>,
    /// The classifier of hedging; absent where none was to be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hedging_classifier: Option<HedgingClassifierMeta>,
    /// Calls that were under way when the run was killed, or whose line of the journal can't be read: they may have been
    /// billed, and no sum has them. Absent when there were none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lost_calls: u64,
    /// The run whose answers this one graded anew; absent when it executed its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regrade_of: Option<String>,
    /// The results are another tool's (`omk verdict FILE`); absent when this program executed or graded them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<ImportedResults>,
    /// How many earlier looks there were at the same two artifacts on samples like these; absent when there were none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub earlier_comparisons: u64,
    /// The earlier reports in the same directory in which the same two artifacts were compared, whichever was the control, by the
    /// same model (of a program of one's own, by any), on samples of which at least half of the smaller set are the same: the
    /// oldest first. Absent when there were none. One with the very scores of this report is no look of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_looks: Vec<EarlierLook>,
    /// 12 hex digits of SHA-256 over each variant's scores by sample and repeat: equal where the same answers were read again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores_hashes: BTreeMap<String, String>,
    /// When the run began, RFC 3339.
    pub timestamp: String,
    /// The version of this program.
    pub cli_version: String,
    /// The version of Node; `null` unless Node ran something.
    pub node_version: Option<String>,
    /// 12 hex digits of SHA-256 over each variant's artifact; empty in a blind report, whose `ID.blind` has them.
    pub skill_hashes: BTreeMap<String, String>,
    /// 12 hex digits of SHA-256 over what a model reads of each variant's artifact, white space and comments aside: where it is equal,
    /// looks are counted as at one artifact. Empty in a blind report, whose `ID.blind` has it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub text_hashes: BTreeMap<String, String>,
    /// What each variant is; absent in a blind report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<BTreeMap<String, ArtifactMeta>>,
    /// 12 hex digits of SHA-256 over what affects each sample's score, or how it counts.
    pub sample_hashes: BTreeMap<String, String>,
    /// The samples beyond the last look (`--max-samples`), which are not read; absent where there are none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub not_read: BTreeSet<String>,
    /// The test set.
    pub test_set: TestSet,
    /// The URLs in prompts and contexts, and what stood in their place; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub urls: Vec<InlinedUrl>,
    /// All judges.
    pub judge_models: Vec<String>,
    /// 12 hex digits of SHA-256 over the judge's prompt; `null` when nothing was judged.
    pub judge_prompt_hash: Option<String>,
    /// The name of the judge's prompt; absent when nothing was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_template: Option<String>,
    /// The executor that answered.
    pub executor_runtime: Identity,
    /// The executor that judged; `null` when nothing was judged.
    pub judge_runtime: Option<Identity>,
    /// The executor of each judge, in the order of `judgeModels`; absent with one judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judge_runtimes: Vec<Identity>,
    /// Per variant: which channels to other artifacts were cut.
    pub skill_isolation: BTreeMap<String, BTreeMap<String, Channel>>,
    /// Files of working directories that the agents' copies lacked, by directory and reason; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uncopied: Vec<UncopiedFiles>,
    /// Per variant: what its agent may do without asking; absent where all have the default.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub permissions: BTreeMap<String, PermissionMode>,
    /// The seed of order and resampling.
    pub seed: u64,
    /// The repository the run was started in; `null` outside of one.
    pub git_info: Option<GitInfo>,
    /// Executions of each sample and variant.
    pub repeat: u32,
    /// The settings that can change what was measured or decided.
    pub settings: MeasureSettings,
}

impl ReportMeta {
    /// The last commit that touched a variant's artifact, where the report has it.
    #[must_use]
    pub fn artifact_commit(&self, variant: &str) -> Option<&ArtifactCommit> {
        self.artifacts.as_ref()?.get(variant)?.commit.as_ref()
    }
}

/// Money that was spent in this run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spent {
    /// US dollars; `null` if a part is unknown.
    #[serde(rename = "totalUSD")]
    pub total_usd: Option<f64>,
    /// The part that is known.
    #[serde(rename = "knownUSD")]
    pub known_usd: f64,
}

/// The artifact of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ArtifactMeta {
    /// The reference as written.
    pub reference: String,
    /// `baseline`, `file` or `directory`.
    pub kind: String,
    /// Where it was read from; `null` for the baseline.
    pub origin: Option<String>,
    /// Its version, where it lives in a git repository that has the commit; absent elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<ArtifactCommit>,
    /// Its files, sorted by path; absent for the baseline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ArtifactFileMeta>,
}

/// A file of an artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArtifactFileMeta {
    /// Relative to the artifact.
    pub path: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// 12 hex digits of SHA-256 over its content.
    pub hash: String,
    /// Its content, with secrets masked; absent where it isn't UTF-8, beyond 64 KiB a file or 256 KiB an artifact, and with
    /// `--no-texts`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The test set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TestSet {
    /// The sample file.
    pub path: String,
    /// File name, `@`, 8 hex digits of SHA-256 over all samples.
    pub id: String,
    /// Samples in it.
    pub sample_count: u64,
    /// 12 hex digits of SHA-256 over the address of its repository and its folder there: two projects may name their
    /// files alike. Absent outside of a repository with a remote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Whether a model proposed all samples (`provenance: llm-generated`), as `omk sample --probe` has it do: numbers on them are
    /// shown beside those on samples that people designed, never mixed with them. Absent where it didn't.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub llm_generated: bool,
}

/// Whether a way to another variant's artifact was cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// It was cut.
    Cut,
    /// It was left open on purpose.
    Open,
    /// This executor can't cut it, or can't tell.
    Unverified,
}

/// The state of the repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GitInfo {
    /// The commit.
    pub commit: String,
    /// The branch; `null` on a detached head.
    pub branch: Option<String>,
    /// Whether there were uncommitted changes.
    pub dirty: bool,
}

/// The settings that can change what was measured or decided. Concurrency is not one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are those of the settings")]
pub struct MeasureSettings {
    pub effort: Option<String>,
    pub generation: Generation,
    pub allowed_tools: Option<Vec<String>>,
    pub judge: bool,
    pub judge_repeat: u32,
    pub debias_length: bool,
    pub retry: u32,
    pub timeout_ms: u64,
    pub cache: bool,
    #[serde(rename = "budgetUSD")]
    pub budget_usd: Option<f64>,
    pub bootstrap_samples: u32,
    pub ci: String,
    pub min_effect: f64,
    pub min_preference: f64,
    pub trivial_diff: f64,
    pub threshold: f64,
    /// With triggers only: the lowest recall and precision that pass, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_recall: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_precision: Option<f64>,
    /// The highest gap rate that passes, 0 to 1 (`--max-gap-rate`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_gap_rate: Option<f64>,
    /// By how much the gap rate may rise since the last report of the same test set and variant (`--gap-rate-regression`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap_rate_regression: Option<f64>,
    /// A team's own marks of a gap, and its search tools (`gap`).
    #[serde(default, skip_serializing_if = "GapRules::is_empty")]
    pub gap: GapRules,
    pub max_failure_rate: f64,
    /// The looks that were planned while it ran (`--looks`); absent where there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<u32>,
    /// The tasks up to the last of them, at most (`--max-samples`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_samples: Option<u64>,
    /// Whether the treatment is the control again (`--aa`), so that no difference is real.
    #[serde(default, skip_serializing_if = "is_off")]
    pub aa: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdout: Option<f64>,
    #[serde(default, skip_serializing_if = "GateTier::is_default")]
    pub gate: GateTier,
    #[serde(default, skip_serializing_if = "Goal::is_default")]
    pub goal: Goal,
    /// The loss that is still not worse, in points (`--margin`); absent unless that is the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    pub report_only: bool,
    pub blind: bool,
    pub strict_baseline: bool,
    pub custom_runtime: String,
}

/// What earlier reports had without saying so.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_off(flag: &bool) -> bool {
    !flag
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
pub(super) fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The model that looks again at the sentences of doubt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct HedgingClassifierMeta {
    /// `executor:model`.
    pub model: String,
    /// 12 hex digits of SHA-256 over its prompt.
    pub prompt_hash: String,
    /// Different sentences that it is asked about, at most.
    pub max_candidates: u64,
    /// Different sentences that the patterns found.
    pub candidates: u64,
    /// What it cost; a part of the run's cost, and none of the judges'.
    pub cost: Spent,
}
