//! Stored reports over time: series of comparable runs, and what changed between series.
//!
//! Numbers of two runs are comparable when everything but the artifact is the same: project, test set, model, judge,
//! settings. Such runs are one series; a name that two projects share makes none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eval_analysis::measure::planned_points;
use eval_format::report::Note;
use eval_format::{Analysis, BlindFile, Ci, GapTrendPoint, ReportError, Status};
use eval_spec::hash::canonical_json;
use eval_spec::variant::ArtifactCommit;
use eval_verdict::replacement;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use crate::compare::{Settings, changes, series};
use crate::diff::{RunDifference, settings};
use crate::knowledge_state::KnowledgeState;
use crate::read_analysis;

/// Settings that may change within a series; a change is reported at its point.
const NOTED: &[&str] = &["executorVersion", "judgeVersion", "repeat", "timeoutMs", "threshold", "cliVersion", "status"];

/// Reports over time.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trend {
    /// Each series, by the time it begins.
    pub series: Vec<Series>,
    /// Files that can't be read as reports.
    pub skipped: Vec<Skipped>,
}

/// Runs that can be compared.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// The test set.
    pub test_set: String,
    /// The sample file.
    pub path: String,
    /// 12 hex digits that stand for the project; `null` outside of a repository with a remote.
    pub project: Option<String>,
    /// The model under test; empty means the executor's default.
    pub model: String,
    /// The executor of the run.
    pub executor: String,
    /// The judges' models.
    pub judge_models: Vec<String>,
    /// What changed since the previous series of the same project and sample file.
    pub changed: Vec<RunDifference>,
    /// The runs, oldest first.
    pub points: Vec<Point>,
}

/// One run.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Point {
    /// The report's id.
    pub id: String,
    /// When the run began, RFC 3339.
    pub timestamp: String,
    /// The tier.
    pub tier: &'static str,
    /// Whether the run is a valid measurement.
    pub valid: bool,
    /// That the file says otherwise, or that its verdict can't be recomputed; absent where it says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<Note>,
    /// Whether everything that was planned was measured.
    pub status: Status,
    /// What the run cost in US dollars; `null` if a part is unknown.
    #[serde(rename = "totalCostUSD")]
    pub total_cost_usd: Option<f64>,
    /// Each variant, the control first.
    pub variants: Vec<VariantPoint>,
    /// Each treatment against the control.
    pub differences: Vec<DifferencePoint>,
    /// The commit that the run was started at; `null` outside of a repository.
    pub commit: Option<String>,
    /// Gap rate and coverage of each variant with traces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<GapTrendPoint>,
    /// Settings that changed since the run before and may change within a series.
    pub noted: Vec<RunDifference>,
}

/// A variant's mean.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct VariantPoint {
    /// Its name.
    pub name: String,
    /// 12 hex digits of SHA-256 over its artifact.
    pub hash: Option<String>,
    /// The last commit that touched its artifact; absent outside of a repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<ArtifactCommit>,
    /// The mean composite; `null` when nothing was scored.
    pub mean: Option<f64>,
    /// Its interval.
    pub ci: Option<Ci>,
    /// Samples with a score.
    pub n: u64,
}

/// A treatment's difference.
#[derive(Clone, Debug, Serialize)]
pub struct DifferencePoint {
    /// The treatment.
    pub treatment: String,
    /// Its tier.
    pub tier: &'static str,
    /// Treatment − control.
    pub mean: Option<f64>,
    /// Its interval.
    pub ci: Option<Ci>,
    /// The pairs that mean and interval rest on; the samples of a cluster are one.
    pub n: u64,
    /// How much judges preferred it, where they compared answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preference: Option<PreferencePoint>,
}

/// A treatment's preference over the control.
#[derive(Clone, Debug, Serialize)]
pub struct PreferencePoint {
    /// The mean over samples, −1 to 1; the share of wins, ties split, is `(1 + mean) / 2`.
    pub mean: Option<f64>,
    /// Its interval.
    pub ci: Option<Ci>,
    /// Samples.
    pub n: u64,
}

/// A file that could not be read.
#[derive(Clone, Debug, Serialize)]
pub struct Skipped {
    /// Its path, as it should be shown.
    pub path: String,
    /// The reason, as text and message.
    pub why: Note,
}

/// Which reports to include.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Those of the same project and sample file as this one.
    pub like: Option<PathBuf>,
    /// Those of these test sets: their ids, or their sample files.
    pub test_sets: Vec<String>,
}

/// The trend of the reports in `files`; `shown` formats a path. Only a few numbers of each report stay in memory.
///
/// # Errors
/// When the report `wanted.like` can't be read.
pub fn trend(files: &[PathBuf], wanted: &Wanted, shown: impl Fn(&Path) -> String + Sync) -> Result<Trend, ReportError> {
    let like = wanted.like.as_deref().map(TrendRun::read).transpose()?;
    let read: Vec<Result<TrendRun, ReportError>> = files.par_iter().map(|path| TrendRun::read(path)).collect();
    let (mut runs, mut skipped) = (Vec::new(), Vec::new());
    for (path, run) in files.iter().zip(read) {
        match run {
            Ok(run) => runs.push(run),
            Err(why) => skipped.push(Skipped { path: shown(path), why: why.message().into() }),
        }
    }
    runs.retain(|run| is_wanted(run, like.as_ref(), &wanted.test_sets));
    let when = |run: &TrendRun| (run.point.timestamp.clone(), run.point.id.clone());
    runs.sort_by_key(when);
    // a copy is the same run
    runs.dedup_by_key(|run| when(run));
    note_knowledge(&mut runs);
    Ok(Trend { series: all_series(runs), skipped })
}

/// The numbers of a report that a trend needs.
struct TrendRun {
    project: Option<String>,
    path: String,
    test_set: String,
    /// What tells a blind report's labels from those of others: the names behind them, where it has them, else its id.
    hidden: Option<String>,
    settings: Settings<Value>,
    model: String,
    executor: String,
    judge_models: Vec<String>,
    point: Point,
    /// What each variant with a gap rate could read.
    knowledge: Vec<KnowledgeState>,
}

impl Series {
    /// Whether the artifact of a variant is another one than at the run before in which it was.
    #[must_use]
    pub fn is_new_version(&self, point: &Point, variant: &VariantPoint) -> bool {
        let before = self.points.iter().take_while(|of| !std::ptr::eq(*of, point));
        let before = before.filter_map(|of| of.variants.iter().find(|of| of.name == variant.name)).last();
        before.is_some_and(|of| of.hash.as_ref().zip(variant.hash.as_ref()).is_some_and(|(a, b)| a != b))
    }
}

impl TrendRun {
    fn read(path: &Path) -> Result<TrendRun, ReportError> {
        let report = read_analysis(path)?;
        let names = BlindFile::fitting(path, &report)?.and_then(|of| of.revealed_names());
        Ok(match names {
            Some(names) => TrendRun::of(&names.of_analysis(report)),
            None => TrendRun::of(&report),
        })
    }

    fn of(report: &Analysis) -> TrendRun {
        let meta = &report.meta;
        TrendRun {
            project: meta.test_set.project.clone(),
            path: meta.test_set.path.clone(),
            test_set: meta.test_set.id.clone(),
            hidden: meta.settings.blind.then(|| report.id.clone()),
            settings: settings(report),
            model: meta.model.clone(),
            executor: meta.executor.clone(),
            judge_models: meta.judge_models.clone(),
            point: point(report),
            knowledge: report.analysis.gap.keys().map(|variant| KnowledgeState::of(report, variant)).collect(),
        }
    }

    /// The project and sample file: runs of one line may be in different series.
    fn line(&self) -> (Option<&str>, &str) {
        (self.project.as_deref(), &self.path)
    }

    /// The key of the run's series.
    fn key(&self) -> String {
        let fixed: Vec<&(&str, Value)> = self.settings.iter().filter(|(what, _)| !NOTED.contains(what)).collect();
        canonical_json(&json!([self.line(), self.test_set, fixed, self.hidden]))
    }

    /// The changes that put it into another series than `before`.
    fn broke(&self, before: &TrendRun) -> Vec<RunDifference> {
        let unlike = |what: &str, a: &Value, b: &Value| {
            (a != b).then(|| RunDifference { what: what.to_owned(), a: a.clone(), b: b.clone() })
        };
        let test_set = unlike("testSet", &json!(before.test_set), &json!(self.test_set));
        let blind = unlike("blind", &json!(before.hidden.is_some()), &json!(self.hidden.is_some()));
        let others = changes(&before.settings, &self.settings);
        let others = others.into_iter().filter(|of| !NOTED.contains(&of.what.as_str()));
        test_set.into_iter().chain(blind).chain(others).collect()
    }
}

/// Notes what changed in the knowledge base of each variant from one of its gap rates to the next on the same test set: also where
/// something else changed, too, so that the two are not in one series. The runs are in the order of time.
fn note_knowledge(runs: &mut [TrendRun]) {
    let mut last: BTreeMap<String, (String, KnowledgeState)> = BTreeMap::new();
    for run in runs {
        let (id, states) = (run.point.id.clone(), std::mem::take(&mut run.knowledge));
        let of_variant = |variant: &str| canonical_json(&json!([run.line(), run.test_set, run.hidden, variant]));
        let keys: Vec<String> = run.point.gaps.iter().map(|gap| of_variant(&gap.variant)).collect();
        for ((gap, key), state) in
            run.point.gaps.iter_mut().zip(keys).zip(states).filter(|((gap, _), _)| gap.is_measured())
        {
            gap.knowledge_change = last.get(&key).and_then(|(before, of)| state.since(before, of));
            last.insert(key, (id.clone(), state));
        }
    }
}

fn is_wanted(run: &TrendRun, like: Option<&TrendRun>, test_sets: &[String]) -> bool {
    let named = |name: &String| [&run.test_set, &run.path].contains(&name);
    like.is_none_or(|like| like.line() == run.line()) && (test_sets.is_empty() || test_sets.iter().any(named))
}

/// Runs with the same key are one series; each reports what changed since the previous series of its line.
fn all_series(runs: Vec<TrendRun>) -> Vec<Series> {
    let all = series(runs, TrendRun::key);
    let mut last_of_line: BTreeMap<(Option<&str>, &str), &TrendRun> = BTreeMap::new();
    let mut found = Vec::new();
    for runs in &all {
        let before = last_of_line.insert(runs[0].line(), &runs[0]);
        found.push(one(runs, before.map(|before| runs[0].broke(before)).unwrap_or_default()));
    }
    found
}

fn one(runs: &[TrendRun], changed: Vec<RunDifference>) -> Series {
    let first = &runs[0];
    let noted = |i: usize| match i {
        0 => Vec::new(),
        i => changes(&runs[i - 1].settings, &runs[i].settings),
    };
    let point = |(i, run): (usize, &TrendRun)| Point {
        noted: noted(i).into_iter().filter(|of| of.what != "status").collect(),
        ..run.point.clone()
    };
    Series {
        test_set: first.test_set.clone(),
        path: first.path.clone(),
        project: first.project.clone(),
        model: first.model.clone(),
        executor: first.executor.clone(),
        judge_models: first.judge_models.clone(),
        changed,
        points: runs.iter().enumerate().map(point).collect(),
    }
}

fn preference(of: &Analysis, treatment: &str) -> Option<PreferencePoint> {
    let all = &of.pairwise.as_ref()?.comparisons;
    let preference = &all.iter().find(|of| of.treatment == treatment)?.preference;
    Some(PreferencePoint { mean: preference.mean, ci: preference.ci, n: preference.n })
}

fn point(of: &Analysis) -> Point {
    let variant = |name: &String| {
        let summary = of.summary.get(name)?;
        Some(VariantPoint {
            name: name.clone(),
            hash: of.meta.skill_hashes.get(name).cloned(),
            commit: of.meta.artifact_commit(name).cloned(),
            mean: planned_points(summary.avg_composite_score),
            ci: summary.ci,
            n: summary.scored_samples,
        })
    };
    let tiers = &of.verdict.per_treatment;
    let differences = of.comparisons.iter().enumerate().map(|(i, comparison)| DifferencePoint {
        treatment: comparison.treatment.clone(),
        tier: tiers.get(i).map_or(of.verdict.tier, |treatment| treatment.tier).name(),
        mean: comparison.diff.mean,
        ci: comparison.diff.ci,
        n: comparison.diff.n,
        preference: preference(of, &comparison.treatment),
    });
    let gaps = of.analysis.gap.iter();
    let gaps = gaps.map(|(variant, gap)| gap.trend_point(variant, of.analysis.coverage.get(variant)));
    Point {
        id: of.id.clone(),
        timestamp: of.meta.timestamp.clone(),
        tier: of.verdict.tier.name(),
        valid: of.verdict.valid,
        replaced: replacement(&of.verdict).map(Note::from),
        status: of.status,
        total_cost_usd: of.meta.total_cost_usd,
        variants: of.meta.variants.iter().filter_map(variant).collect(),
        differences: differences.collect(),
        commit: of.meta.git_info.as_ref().map(|git| git.commit.clone()),
        gaps: gaps.collect(),
        noted: Vec::new(),
    }
}
