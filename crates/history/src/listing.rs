//! A list of stored reports of both kinds: one row per report, and which rows a reader asks for.
//!
//! In come reports; out go rows of a few hundred bytes, filtered and paged. A row says nothing that its report doesn't.

use std::collections::BTreeMap;

use eval_format::skills::{EvaluationStatus, SkillEvaluation};
use eval_format::{Analysis, Status, Tier};
use serde::{Deserialize, Serialize};

/// The rows of a page.
pub const ROWS_PER_PAGE: usize = 50;

/// What a list says of one report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportRow {
    /// What the file is called, without its extension: the report's address.
    pub name: String,
    /// The report's id.
    pub id: String,
    /// What kind of report it is, and its result.
    pub result: RowResult,
    /// When the run began, RFC 3339.
    pub timestamp: String,
    /// 12 hex digits that stand for the project; `null` outside of a repository with a remote.
    pub project: Option<String>,
    /// The sample file, or the benchmark.
    pub samples: String,
    /// The id of the test set.
    pub test_set: String,
    /// The variants, the control first; of an evaluation its skills.
    pub artifacts: Vec<String>,
    /// The model under test; empty means the executor's default.
    pub model: String,
    /// Samples that were planned.
    pub planned: u64,
    /// Whether everything that was planned was measured.
    pub is_complete: bool,
    /// What the run cost in US dollars; `null` if a part is unknown.
    #[serde(rename = "costUSD")]
    pub cost_usd: Option<f64>,
    /// The branch.
    pub branch: Option<String>,
    /// The commit.
    pub commit: Option<String>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum RowResult {
    /// A comparison of artifacts.
    Comparison {
        /// The worst treatment's tier.
        tier: Tier,
        /// Whether the run is a valid measurement.
        valid: bool,
        /// The treatment that the tier is of; `null` where one variant stands alone.
        treatment: Option<String>,
        /// The treatment's difference to the control, or the only variant's score.
        mean: Option<f64>,
        /// The lower bound of its interval.
        low: Option<f64>,
        /// The upper bound.
        high: Option<f64>,
        /// The samples that it rests on.
        n: u64,
    },
    /// A comparison that is read blind: its result is hidden.
    Sealed {},
    /// An evaluation of callable skills.
    Skills {
        /// The gate's answer; `null` without a gate.
        passed: Option<bool>,
        /// The completion rate of each skill that has one.
        rates: BTreeMap<String, f64>,
    },
}

impl ReportRow {
    /// The row of a comparison.
    #[must_use]
    pub fn of(name: String, report: &Analysis) -> ReportRow {
        let meta = &report.meta;
        let git = meta.git_info.as_ref();
        ReportRow {
            name,
            id: report.id.clone(),
            result: comparison(report),
            timestamp: meta.timestamp.clone(),
            project: meta.test_set.project.clone(),
            samples: meta.test_set.path.clone(),
            test_set: meta.test_set.id.clone(),
            artifacts: meta.variants.clone(),
            model: meta.model.clone(),
            planned: meta.sample_count,
            is_complete: report.status == Status::Complete,
            cost_usd: meta.total_cost_usd,
            branch: git.and_then(|git| git.branch.clone()),
            commit: git.map(|git| git.commit.clone()),
        }
    }

    /// The row of an evaluation of callable skills.
    #[must_use]
    pub fn of_evaluation(name: String, of: &SkillEvaluation) -> ReportRow {
        let rate = |id: &str| of.skill(id).and_then(|skill| skill.summary.completion_rate);
        let ids = || of.skills.iter().map(|skill| skill.skill_id.clone());
        let rates = ids().filter_map(|id| rate(&id).map(|rate| (id, rate))).collect();
        ReportRow {
            name,
            id: of.id.clone(),
            result: RowResult::Skills { passed: of.gate.as_ref().map(|gate| gate.passed), rates },
            timestamp: of.started_at.clone(),
            project: None,
            samples: of.benchmark.id.clone(),
            test_set: format!("{}@{}", of.benchmark.id, of.benchmark.hash.chars().take(8).collect::<String>()),
            artifacts: ids().collect(),
            model: String::new(),
            planned: of.benchmark.tasks as u64,
            is_complete: of.status == EvaluationStatus::Complete,
            cost_usd: None,
            branch: None,
            commit: None,
        }
    }

    /// The row of a comparison that is read blind: nothing of it leads to the variants, their order or their cost.
    #[must_use]
    pub fn sealed(&self, token: &str) -> ReportRow {
        ReportRow {
            name: token.to_owned(),
            id: token.to_owned(),
            result: RowResult::Sealed {},
            artifacts: Vec::new(),
            cost_usd: None,
            branch: None,
            commit: None,
            ..self.clone()
        }
    }

    /// The result in one word, as the filter names it.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match &self.result {
            RowResult::Comparison { valid: false, .. } => INVALID,
            RowResult::Comparison { tier, .. } => tier.name(),
            RowResult::Sealed {} => SEALED,
            RowResult::Skills { passed: Some(true), .. } => PASSED,
            RowResult::Skills { passed: Some(false), .. } => FAILED,
            RowResult::Skills { passed: None, .. } => UNGATED,
        }
    }

    /// Whether it is a comparison of artifacts.
    #[must_use]
    pub fn is_comparison(&self) -> bool {
        matches!(self.result, RowResult::Comparison { .. })
    }

    fn has(&self, word: &str) -> bool {
        let texts = [&self.id, &self.samples, &self.test_set, &self.model, &self.timestamp];
        let git = self.branch.iter().chain(&self.commit);
        let mut all = texts.into_iter().chain(&self.artifacts).chain(git).map(String::as_str).chain([self.verdict()]);
        all.any(|text| text.to_lowercase().contains(word))
    }
}

/// The [verdict](ReportRow::verdict) of a run that is no valid measurement.
pub const INVALID: &str = "INVALID";
/// That of a comparison that is read blind.
pub const SEALED: &str = "BLIND";
/// That of an evaluation that passed its gate.
pub const PASSED: &str = "PASSED";
/// That of one that didn't.
pub const FAILED: &str = "FAILED";
/// That of one without a gate.
pub const UNGATED: &str = "UNGATED";

/// The result of the treatment with the tier of the whole report.
fn comparison(report: &Analysis) -> RowResult {
    let verdict = &report.verdict;
    let worst = verdict.per_treatment.iter().find(|of| of.tier == verdict.tier);
    let treatment = worst.map(|of| of.treatment.clone());
    let diff = report.comparisons.iter().find(|of| Some(&of.treatment) == treatment.as_ref()).map(|of| &of.diff);
    let alone = report.meta.variants.first().and_then(|name| report.summary.get(name));
    let (mean, ci, n) = match (diff, alone) {
        (Some(diff), _) => (diff.mean, diff.ci, diff.n),
        (None, Some(alone)) => (alone.avg_composite_score, alone.ci, alone.scored_samples),
        (None, None) => (None, None, 0),
    };
    RowResult::Comparison {
        tier: verdict.tier,
        valid: verdict.valid,
        treatment,
        mean,
        low: ci.map(|ci| ci.low),
        high: ci.map(|ci| ci.high),
        n,
    }
}

/// Which rows a reader asks for. An empty text asks for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// Words that the row has, in any case.
    pub search: String,
    /// The project.
    pub project: String,
    /// The test set's id, or its sample file.
    pub test_set: String,
    /// The verdict.
    pub verdict: String,
    /// An artifact.
    pub artifact: String,
    /// The page, from 1.
    pub page: usize,
}

impl ListFilter {
    fn takes(&self, row: &ReportRow) -> bool {
        let is = |wanted: &str, values: &[&str]| wanted.is_empty() || values.contains(&wanted);
        let artifacts: Vec<&str> = row.artifacts.iter().map(String::as_str).collect();
        is(&self.project, &[row.project.as_deref().unwrap_or("")])
            && is(&self.test_set, &[&row.test_set, &row.samples])
            && is(&self.verdict, &[row.verdict()])
            && is(&self.artifact, &artifacts)
            && self.search.to_lowercase().split_whitespace().all(|word| row.has(word))
    }
}

/// The rows of one page, and what can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct ListPage<'r> {
    /// The rows, the newest first.
    pub rows: Vec<&'r ReportRow>,
    /// The rows of all pages.
    pub found: usize,
    /// The page, from 1.
    pub page: usize,
    /// How many there are, at least 1.
    pub pages: usize,
    /// Every project, with its number of reports.
    pub projects: BTreeMap<&'r str, usize>,
    /// Every sample file or benchmark.
    pub test_sets: BTreeMap<&'r str, usize>,
    /// Every verdict.
    pub verdicts: BTreeMap<&'r str, usize>,
    /// Every artifact.
    pub artifacts: BTreeMap<&'r str, usize>,
}

impl<'r> ListPage<'r> {
    /// The page that `filter` asks for. The numbers beside choices are of all rows, so that no choice vanishes.
    #[must_use]
    pub fn of(rows: &'r [ReportRow], filter: &ListFilter) -> ListPage<'r> {
        let mut found: Vec<&ReportRow> = rows.iter().filter(|row| filter.takes(row)).collect();
        found.sort_by(|a, b| b.timestamp.cmp(&a.timestamp).then_with(|| b.id.cmp(&a.id)));
        let pages = found.len().div_ceil(ROWS_PER_PAGE).max(1);
        let page = filter.page.clamp(1, pages);
        ListPage {
            found: found.len(),
            rows: found.into_iter().skip((page - 1) * ROWS_PER_PAGE).take(ROWS_PER_PAGE).collect(),
            page,
            pages,
            projects: counted(rows.iter().filter_map(|row| row.project.as_deref())),
            test_sets: counted(rows.iter().map(|row| row.samples.as_str())),
            verdicts: counted(rows.iter().map(ReportRow::verdict)),
            artifacts: counted(rows.iter().flat_map(|row| row.artifacts.iter().map(String::as_str))),
        }
    }
}

fn counted<'r>(values: impl Iterator<Item = &'r str>) -> BTreeMap<&'r str, usize> {
    let mut all = BTreeMap::new();
    values.for_each(|value| *all.entry(value).or_insert(0) += 1);
    all
}
