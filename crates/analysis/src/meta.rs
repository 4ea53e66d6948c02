//! A report's metadata: executor, judges and settings.

use std::collections::{BTreeMap, BTreeSet};

use eval_format::{
    ArtifactFileMeta, ArtifactMeta, Channel, GitInfo, ImportedResults, IncompleteReason, MeasureSettings, ReportMeta,
    TestSet,
};
use eval_message::Message;
use eval_spec::gold::Gold;
use eval_spec::hash::short_hash;
use eval_spec::page::InlinedUrl;
use eval_spec::record::EarlierLook;
use eval_spec::suite::{PermissionMode, Settings};
use eval_spec::surroundings::UncopiedFiles;
use eval_spec::variant::{ArtifactCommit, ArtifactFile, ArtifactKind};
use eval_spec::{Identity, Suite, Variant};
use jiff::Timestamp;

use crate::cells::Cells;
use crate::gap_history::GapHistory;
use crate::grid::Grid;
use crate::hedging::HedgingReview;
use crate::numbers::{Paid, count, snap};

/// Metadata of a run that is in neither suite nor records.
#[derive(Clone, Debug)]
pub struct Meta {
    /// The report's id: [`report_id`](eval_format::report_id) makes one.
    pub id: String,
    /// The names that the report shows, in the order of the variants: their own, or labels that hide them.
    pub labels: Vec<String>,
    /// When the run began.
    pub timestamp: Timestamp,
    /// The version of this program.
    pub cli_version: String,
    /// The version of Node, if it ran something.
    pub node_version: Option<String>,
    /// The seed of order and resampling.
    pub seed: u64,
    /// The sample file as it should be shown.
    pub test_set_path: String,
    /// File name, `@`, 8 hex digits.
    pub test_set_id: String,
    /// The id of the sample file's project.
    pub project: Option<String>,
    /// The hash of each sample, by its id.
    pub sample_hashes: BTreeMap<String, String>,
    /// The samples beyond the last planned look.
    pub not_read: BTreeSet<String>,
    /// The URLs of the samples, and what stands in their place.
    pub urls: Vec<InlinedUrl>,
    /// The executor of the cells.
    pub executor: Identity,
    /// The judges; `None` without a judge.
    pub judge: Option<JudgeMeta>,
    /// What a model made of the sentences of doubt; `None` where none was to be asked.
    pub hedging: Option<HedgingReview>,
    /// The run whose answers were graded anew.
    pub regrade_of: Option<String>,
    /// Per variant's own name: which channels to other artifacts were cut.
    pub skill_isolation: BTreeMap<String, BTreeMap<String, Channel>>,
    /// Files that the copies of working directories lacked.
    pub uncopied: Vec<UncopiedFiles>,
    /// What is known of results that another tool wrote; `None` for a run of ours.
    pub imported: Option<ImportedResults>,
    /// Earlier reports in which the same two artifacts were compared on samples like these, the oldest first.
    pub earlier_looks: Vec<EarlierLook>,
    /// What earlier reports and people say of gaps.
    pub gap_history: GapHistory,
    /// Calls that may have been billed and whose end was lost.
    pub lost_calls: u64,
    /// The repository.
    pub git: Option<GitInfo>,
    /// Per variant's own name: the last commit that touched its artifact.
    pub artifact_commits: BTreeMap<String, ArtifactCommit>,
    /// People's scores.
    pub gold: Option<Gold>,
}

/// The judges of a run.
#[derive(Clone, Debug)]
pub struct JudgeMeta {
    /// The models, the main one first.
    pub models: Vec<String>,
    /// The name of the judge's prompt.
    pub template: String,
    /// 12 hex digits of SHA-256 over the judge's prompt.
    pub prompt_hash: String,
    /// What the judges cost in this run; `None` when that is unknown.
    pub cost: Option<f64>,
    /// The part of it that is known.
    pub known_cost: f64,
    /// For each sample of the suite, the requests about one answer to it, unusable replies aside.
    pub requests: Vec<u64>,
    /// The executor of each model.
    pub runtimes: Vec<Identity>,
    /// The prompt of comparisons, if there were any.
    pub pairwise: Option<JudgeTemplate>,
}

/// A prompt of the judges.
#[derive(Clone, Debug)]
pub struct JudgeTemplate {
    /// Its name.
    pub name: String,
    /// 12 hex digits of SHA-256 over it.
    pub hash: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunStatus {
    /// As planned, or as soon as it was decided.
    Complete,
    /// As planned, with all the answers that an earlier run has, which ended as soon as it was decided.
    AnswersEnd,
    /// Before its plan did.
    Incomplete {
        /// What ended it early.
        reason: IncompleteReason,
        /// More about why, for people.
        detail: Option<Message>,
    },
}

/// The samples that the numbers of a report hold for.
pub(crate) fn test_set(suite: &Suite, meta: &Meta) -> TestSet {
    TestSet {
        path: meta.test_set_path.clone(),
        id: meta.test_set_id.clone(),
        sample_count: count(suite.samples.len()),
        project: meta.project.clone(),
        llm_generated: suite.is_llm_generated(),
    }
}

pub(crate) fn report_meta(suite: &Suite, grid: &Grid, cells: &Cells, meta: Meta, labels: &[String]) -> ReportMeta {
    let judges = meta
        .judge
        .as_ref()
        .map_or(Paid::NOTHING, |judge| Paid { known: judge.known_cost, complete: judge.cost.is_some() });
    let hedging = meta.hedging.as_ref().map(|review| review.meta.clone());
    let beside = hedging.as_ref().map_or(judges, |of| judges.plus(of.cost.into()));
    let paid = grid.all().iter().fold(beside, |sum, cell| sum.plus(cell.paid));
    let by_label = || labels.iter().zip(&suite.variants);
    let judge_models = meta.judge.as_ref().map(|judge| judge.models.clone()).unwrap_or_default();
    let isolation =
        |(label, variant): (&String, &Variant)| Some((label.clone(), meta.skill_isolation.get(&variant.name)?.clone()));
    let (blind, test_set) = (suite.settings.blind, test_set(suite, &meta));
    let is_imported = meta.imported.is_some();
    ReportMeta {
        variants: labels.to_vec(),
        model: suite.settings.model.clone(),
        judge_model: judge_models.first().cloned(),
        executor: meta.executor.executor.clone(),
        sample_count: count(suite.samples.len()),
        task_count: count(cells.plan.cells.len()),
        total_cost_usd: paid.total(),
        known_cost_usd: snap(paid.known),
        judge_cost: meta.judge.as_ref().map(|_| judges.into()),
        hedging_classifier: hedging,
        regrade_of: meta.regrade_of,
        imported: meta.imported,
        earlier_comparisons: 0,
        earlier_looks: meta.earlier_looks,
        scores_hashes: BTreeMap::new(),
        lost_calls: meta.lost_calls,
        timestamp: format!("{:.3}", meta.timestamp),
        cli_version: meta.cli_version,
        node_version: meta.node_version,
        // who has the artifacts would know them by it
        skill_hashes: match blind {
            true => BTreeMap::new(),
            false => by_label().map(|(label, variant)| (label.clone(), variant.artifact.hash())).collect(),
        },
        text_hashes: match blind || is_imported {
            true => BTreeMap::new(),
            false => by_label().map(|(label, variant)| (label.clone(), variant.artifact.text_hash())).collect(),
        },
        artifacts: (!blind).then(|| {
            let commit = |variant: &Variant| meta.artifact_commits.get(&variant.name);
            by_label().map(|(label, variant)| (label.clone(), artifact(variant, commit(variant), cells))).collect()
        }),
        sample_hashes: meta.sample_hashes,
        not_read: meta.not_read,
        test_set,
        urls: meta.urls,
        judge_models,
        judge_prompt_hash: meta.judge.as_ref().map(|judge| judge.prompt_hash.clone()),
        executor_runtime: meta.executor,
        judge_template: meta.judge.as_ref().map(|judge| judge.template.clone()),
        judge_runtime: meta.judge.as_ref().and_then(|judge| judge.runtimes.first().cloned()),
        judge_runtimes: meta.judge.map(|judge| judge.runtimes).filter(|all| all.len() > 1).unwrap_or_default(),
        skill_isolation: by_label().filter_map(isolation).collect(),
        uncopied: meta.uncopied,
        permissions: permissions(suite, labels),
        seed: meta.seed,
        git_info: meta.git,
        repeat: suite.settings.repeat,
        settings: measure_settings(&suite.settings),
    }
}

/// The most bytes of a file's text, and of all texts of an artifact, that a report has.
const MOST_TEXT: [usize; 2] = [64 << 10, 256 << 10];

/// What the agent of each variant may do without asking; nothing where all have the default.
pub fn permissions(suite: &Suite, labels: &[String]) -> BTreeMap<String, PermissionMode> {
    let modes = || suite.variants.iter().map(|variant| suite.settings.permissions_of_variant(variant));
    match modes().all(|mode| mode.is_default()) {
        true => BTreeMap::new(),
        false => labels.iter().cloned().zip(modes()).collect(),
    }
}

fn artifact(variant: &Variant, commit: Option<&ArtifactCommit>, cells: &Cells) -> ArtifactMeta {
    let kind = match variant.artifact.kind {
        ArtifactKind::Baseline => "baseline",
        ArtifactKind::File => "file",
        ArtifactKind::Directory => "directory",
    };
    ArtifactMeta {
        reference: variant.artifact.reference.clone(),
        kind: kind.to_owned(),
        origin: variant.artifact.origin.clone(),
        commit: commit.map(|of| {
            let subject = cells.texts.zip(of.subject.as_deref()).map(|(write, subject)| write(subject));
            ArtifactCommit { subject, ..of.clone() }
        }),
        files: artifact_files(&variant.artifact.files, cells),
    }
}

fn artifact_files(files: &[ArtifactFile], cells: &Cells) -> Vec<ArtifactFileMeta> {
    let [most, mut left] = MOST_TEXT;
    let mut text = |file: &ArtifactFile| {
        let write = cells.texts.filter(|_| file.bytes.len() <= most.min(left))?;
        let text = std::str::from_utf8(&file.bytes).ok().filter(|text| !text.contains('\0'))?;
        left -= file.bytes.len();
        Some(write(text))
    };
    let of = |file: &ArtifactFile| ArtifactFileMeta {
        path: file.path.clone(),
        bytes: count(file.bytes.len()),
        hash: short_hash(&file.bytes, 12),
        text: text(file),
    };
    files.iter().map(of).collect()
}

fn measure_settings(settings: &Settings) -> MeasureSettings {
    MeasureSettings {
        effort: settings.effort.clone(),
        generation: settings.generation.clone(),
        allowed_tools: settings.allowed_tools.clone(),
        judge: settings.judge,
        judge_repeat: settings.judge_repeat,
        debias_length: settings.debias_length,
        retry: settings.retry,
        timeout_ms: settings.timeout_ms,
        cache: settings.cache,
        budget_usd: settings.budget_usd,
        bootstrap_samples: settings.bootstrap_samples,
        ci: settings.ci.clone(),
        min_effect: settings.min_effect,
        min_preference: settings.min_preference,
        trivial_diff: settings.trivial_diff,
        threshold: settings.threshold,
        min_recall: settings.min_recall,
        min_precision: settings.min_precision,
        max_gap_rate: settings.max_gap_rate,
        gap_rate_regression: settings.gap_rate_regression,
        gap: settings.gap.clone(),
        max_failure_rate: settings.max_failure_rate,
        looks: settings.planned_looks(),
        max_samples: settings.max_samples,
        aa: settings.aa,
        holdout: settings.holdout,
        gate: settings.gate,
        goal: settings.goal,
        margin: (!settings.goal.is_default()).then_some(settings.margin),
        report_only: settings.report_only,
        blind: settings.blind,
        strict_baseline: settings.strict_baseline,
        custom_runtime: settings.custom_runtime.clone(),
    }
}

/// The settings that a stored report was computed with, as far as numbers depend on them: the way back from
/// [`measure_settings`].
pub fn settings_of(meta: &ReportMeta) -> Settings {
    let stored = &meta.settings;
    Settings {
        model: meta.model.clone(),
        repeat: meta.repeat,
        judge: stored.judge,
        judge_repeat: stored.judge_repeat,
        bootstrap_samples: stored.bootstrap_samples,
        ci: stored.ci.clone(),
        min_effect: stored.min_effect,
        min_preference: stored.min_preference,
        trivial_diff: stored.trivial_diff,
        threshold: stored.threshold,
        min_recall: stored.min_recall,
        min_precision: stored.min_precision,
        max_gap_rate: stored.max_gap_rate,
        gap_rate_regression: stored.gap_rate_regression,
        gap: stored.gap.clone(),
        max_failure_rate: stored.max_failure_rate,
        looks: stored.looks.unwrap_or(0),
        max_samples: stored.max_samples,
        aa: stored.aa,
        holdout: stored.holdout,
        gate: stored.gate,
        goal: stored.goal,
        margin: stored.margin.unwrap_or(Settings::default().margin),
        report_only: stored.report_only,
        blind: stored.blind,
        ..Settings::default()
    }
}
