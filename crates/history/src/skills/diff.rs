//! Two evaluations of the same benchmark side by side: changed metrics, flipped tasks, and whether a loss is more than
//! chance.
//!
//! A regression is a completion rate that fell by more than chance explains. Each task's runs on both sides are
//! exchangeable when nothing changed, so the exact conditional test of stratified 2×2 tables applies
//! ([`eval_stats::fewer_successes`]), one-sided, Holm over the skills that are compared, p ≤ 0.05. With one run a side it
//! is McNemar's exact one-sided test: at least five tasks must newly fail and none newly pass. Three runs a side detect one
//! task that always fails now, where no other changed. Errors and timeouts count as not passed; latency depends on the
//! machine as much as on the skill, so it is shown and no gate. All numbers are of the tasks that count on both sides.
//!
//! Flips compare the same number of runs on both sides: a task that ran five times on one side and once on the other would
//! have five chances against one to fail there, so that an unchanged skill would look worse.

use std::collections::BTreeMap;

use eval_analysis::skills::rates::{self, TaskTally};
use eval_format::skills::{
    BenchmarkMeta, EvaluationStatus, SkillCompletionReport, SkillEvaluation, StatusCounts, TaskResult, TaskStatus,
};
use eval_message::plain::shortened;
use eval_spec::callable::McpServerInfo;
use eval_stats::{Stratum, fewer_successes, holm};
use serde::Serialize;

use crate::compare::{Comparable, DiffError, Flips, Joined, SettingChange, Settings, changes, joined, paired};

/// The level of the test behind [`SkillStanding::Regressed`].
const ALPHA: f64 = 0.05;

/// The differences between A and B.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillDiff {
    /// The earlier one.
    pub a: SkillSide,
    /// The later one.
    pub b: SkillSide,
    /// Whether the benchmarks' contents are the same.
    pub same_benchmark: bool,
    /// Settings that differ: they may explain a difference as well as the skill.
    pub differs: Vec<SettingChange<String>>,
    /// The skills of both evaluations.
    pub skills: Vec<SkillDelta>,
    /// Skills that only A has.
    pub only_a: Vec<String>,
    /// Skills that only B has.
    pub only_b: Vec<String>,
}

/// One of the evaluations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillSide {
    /// The label of its column.
    pub label: String,
    /// Its id.
    pub evaluation: String,
    /// When it ended.
    pub finished_at: String,
    /// The benchmark's id.
    pub benchmark: String,
    /// The hash of its contents.
    pub benchmark_hash: String,
    /// How often each task was run.
    pub runs: u32,
    /// Whether everything planned was run; else only a part of the benchmark is compared.
    pub status: EvaluationStatus,
    /// Whether more than 5 % of a skill's results could not be counted, so that its numbers are unreliable.
    pub unsound: bool,
}

/// One skill in A and B.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillDelta {
    /// Its id in A.
    pub a: String,
    /// Its id in B; another one when each side has one skill and these are two versions with ids of their own.
    pub b: String,
    /// Its version in A.
    pub version_a: String,
    /// Its version in B.
    pub version_b: String,
    /// Whether its files, and the MCP server behind it, are the same; `null` where a report has no hash of the files, or only
    /// one of them knows the server.
    pub same_files: Option<bool>,
    /// The MCP servers that answered in A; empty where they aren't known.
    pub servers_a: Vec<McpServerInfo>,
    /// The MCP servers that answered in B.
    pub servers_b: Vec<McpServerInfo>,
    /// Passed over counted; this and all following numbers are of the tasks that count on both sides.
    pub completion_rate: NumberChange,
    /// Errors and timeouts over counted.
    pub error_rate: NumberChange,
    /// In milliseconds.
    pub p95_latency_ms: NumberChange,
    /// The composite score.
    pub composite_score: NumberChange,
    /// Tasks that count on both sides.
    pub tasks: usize,
    /// Tasks of A that B doesn't have.
    pub missing: Vec<String>,
    /// Tasks that passed in every run of A and do so no longer. Where a task ran more often on one side, here and in
    /// the next three only its first runs there are looked at, as many as the other side has.
    pub newly_failing: Vec<FlippedTask>,
    /// Tasks that pass in every run of B and didn't in A.
    pub newly_passing: Vec<FlippedTask>,
    /// Other tasks that pass less often than in A.
    pub less_often: Vec<FlippedTask>,
    /// Other tasks that pass more often than in A.
    pub more_often: Vec<FlippedTask>,
    /// Tasks that ran more often on one side.
    pub uneven: usize,
    /// Tasks of A that are not comparable: not in B, not counted, or changed.
    pub left_out: Vec<ChangedTask>,
    /// McNemar's exact two-sided p-value over the tasks; a task passes when it passed in every run that is
    /// compared, which are as many on both sides.
    pub mcnemar_p: f64,
    /// The exact one-sided p-value of "B passes less often", over all runs, before Holm.
    pub regression_p: f64,
    /// The verdict.
    pub standing: SkillStanding,
}

/// The verdict on one skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SkillStanding {
    /// The completion rate fell by more than chance explains.
    Regressed,
    /// It fell, which chance can explain.
    Lower,
    /// It is the same.
    Same,
    /// It rose.
    Higher,
    /// No task counts on both sides.
    Unmeasured,
}

/// A number on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NumberChange {
    /// Its value in A.
    pub a: Option<f64>,
    /// Its value in B.
    pub b: Option<f64>,
    /// B − A.
    pub diff: Option<f64>,
    /// Whether B is better; `null` when both are the same, or one is unknown.
    pub better: Option<bool>,
}

/// A task that is not compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangedTask {
    /// Its id.
    pub task: String,
    /// Why it is not compared.
    pub reason: LeftOut,
}

/// Why a task is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Only one side has it.
    OneSide,
    /// No result counted on one side.
    Uncounted,
    /// Input, expectation or scorer are not the same.
    Changed,
}

/// A task that passed in another share of its runs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FlippedTask {
    /// Its id.
    pub task: String,
    /// Runs of A that passed, of `runs_a`.
    pub passed_a: usize,
    /// Runs of A that are compared: the first that count, as many as both sides have.
    pub runs_a: usize,
    /// Runs of B that passed, of `runs_b`.
    pub passed_b: usize,
    /// Runs of B that are compared.
    pub runs_b: usize,
    /// How the first run that didn't pass ended, and why; of the side that passed less often.
    pub why: String,
}

impl Comparable for SkillEvaluation {
    type Subject = SkillCompletionReport;
    type Value = String;

    fn subjects(&self) -> Vec<(&str, &SkillCompletionReport)> {
        self.skills.iter().map(|skill| (skill.skill_id.as_str(), skill)).collect()
    }

    fn settings(&self) -> Settings<String> {
        let of = &self.settings;
        vec![
            ("runs", of.runs.to_string()),
            ("timeoutMs", of.timeout_ms.to_string()),
            ("retries", of.retries.to_string()),
            ("transportRetries", of.transport_retries.to_string()),
            ("concurrency", of.concurrency.to_string()),
            ("sandbox", of.sandbox.to_string()),
            ("judge", of.judge.clone().unwrap_or_default()),
            ("toolVersion", self.tool_version.clone()),
        ]
    }

    fn refusal(&self, b: &SkillEvaluation) -> Option<DiffError> {
        let (of_a, of_b) = (&self.benchmark, &b.benchmark);
        if of_a.id != of_b.id {
            return Some(DiffError::Benchmark { a: of_a.id.clone(), b: of_b.id.clone() });
        }
        let contents = |of: &BenchmarkMeta| format!("{} ({})", of.version, shortened(&of.hash, 12));
        let benchmark = of_a.id.clone();
        (of_a.hash != of_b.hash).then(|| DiffError::Contents { benchmark, a: contents(of_a), b: contents(of_b) })
    }

    fn no_pair(&self, b: &SkillEvaluation) -> DiffError {
        let ids = |of: &SkillEvaluation| {
            let ids: Vec<&str> = of.skills.iter().take(5).map(|skill| skill.skill_id.as_str()).collect();
            ids.join(", ")
        };
        DiffError::NoSkill { a: ids(self), b: ids(b) }
    }
}

/// B against A, skills of the same id; when each side holds exactly one skill, these are versions of each other.
///
/// # Errors
/// When the benchmarks or their contents differ and it isn't forced, or no skill is on both sides.
pub fn diff_skills(
    a: &SkillEvaluation,
    b: &SkillEvaluation,
    labels: [&str; 2],
    forced: bool,
) -> Result<SkillDiff, DiffError> {
    if let Some(refusal) = a.refusal(b).filter(|_| !forced) {
        return Err(refusal);
    }
    let limits = [a.benchmark.max_latency_ms, b.benchmark.max_latency_ms];
    let mut skills: Vec<SkillDelta> = paired(a, b)?.iter().map(|(of_a, of_b)| delta(of_a, of_b, limits)).collect();
    decide(&mut skills);
    let is_paired = |id: &str, side: fn(&SkillDelta) -> &String| skills.iter().any(|of| side(of) == id);
    let alone = |of: &SkillEvaluation, side: fn(&SkillDelta) -> &String| {
        let ids = of.skills.iter().map(|skill| skill.skill_id.clone());
        ids.filter(|id| !is_paired(id, side)).collect::<Vec<_>>()
    };
    Ok(SkillDiff {
        only_a: alone(a, |of| &of.a),
        only_b: alone(b, |of| &of.b),
        a: side(a, labels[0]),
        b: side(b, labels[1]),
        same_benchmark: (&a.benchmark.id, &a.benchmark.hash) == (&b.benchmark.id, &b.benchmark.hash),
        differs: changes(&a.settings(), &b.settings()),
        skills,
    })
}

impl SkillDiff {
    /// The skills that regressed, by their id in B.
    #[must_use]
    pub fn regressed(&self) -> Vec<&str> {
        self.standing(SkillStanding::Regressed)
    }

    /// The skills without a common task, by their id in B.
    #[must_use]
    pub fn unmeasured(&self) -> Vec<&str> {
        self.standing(SkillStanding::Unmeasured)
    }

    fn standing(&self, standing: SkillStanding) -> Vec<&str> {
        self.skills.iter().filter(|of| of.standing == standing).map(|of| of.b.as_str()).collect()
    }
}

fn side(of: &SkillEvaluation, label: &str) -> SkillSide {
    SkillSide {
        label: label.to_owned(),
        evaluation: of.id.clone(),
        finished_at: of.finished_at.clone(),
        benchmark: of.benchmark.id.clone(),
        benchmark_hash: of.benchmark.hash.clone(),
        runs: of.settings.runs,
        status: of.status,
        unsound: of.is_unsound(),
    }
}

/// The same task on both sides.
struct CommonTask<'r> {
    id: &'r str,
    results: [Vec<&'r TaskResult>; 2],
    tallies: [TaskTally; 2],
}

fn delta(a: &SkillCompletionReport, b: &SkillCompletionReport, limits: [u64; 2]) -> SkillDelta {
    let TaskSets { common, left_out, missing } = TaskSets::of(a, b);
    let strata: Vec<Stratum> = common.iter().map(|of| stratum(of.tallies)).collect();
    let changed: Vec<FlippedTask> = common.iter().filter_map(CommonTask::flipped).collect();
    let passes = |of: &FlippedTask| [of.passed_a == of.runs_a, of.passed_b == of.runs_b];
    let (flipped, often): (Vec<_>, Vec<_>) = changed.into_iter().partition(|of| passes(of).contains(&true));
    let (less_often, more_often) = often.into_iter().partition(|of| of.passed_b < of.passed_a);
    let flips: Flips<FlippedTask> = flipped.into_iter().map(|of| (passes(&of)[0], passes(&of)[1], of)).collect();
    let numbers = |side: usize| Numbers::of(common.iter().flat_map(|of| &of.results[side]), limits[side]);
    let (of_a, of_b) = (numbers(0), numbers(1));
    SkillDelta {
        a: a.skill_id.clone(),
        b: b.skill_id.clone(),
        version_a: a.skill_version.clone(),
        version_b: b.skill_version.clone(),
        same_files: same_files(a, b),
        servers_a: a.servers.clone(),
        servers_b: b.servers.clone(),
        completion_rate: moved(of_a.counts.completion_rate(), of_b.counts.completion_rate(), true),
        error_rate: moved(of_a.counts.error_rate(), of_b.counts.error_rate(), false),
        p95_latency_ms: moved(of_a.p95, of_b.p95, false),
        composite_score: moved(of_a.composite, of_b.composite, true),
        tasks: common.len(),
        missing,
        mcnemar_p: flips.mcnemar(),
        newly_failing: flips.down,
        newly_passing: flips.up,
        less_often,
        more_often,
        uneven: common.iter().filter(|of| of.tallies[0].counted != of.tallies[1].counted).count(),
        regression_p: fewer_successes(&strata),
        standing: standing(&common),
        left_out,
    }
}

/// Whether the same program answered, as far as that is known.
fn same_files(a: &SkillCompletionReport, b: &SkillCompletionReport) -> Option<bool> {
    if a.skill_hash != b.skill_hash || !a.servers.is_empty() && !b.servers.is_empty() && a.servers != b.servers {
        return Some(false);
    }
    (a.servers.is_empty() == b.servers.is_empty()).then_some(true)
}

impl CommonTask<'_> {
    /// The task, if it passed more or less often in the first runs that count, as many as both sides have.
    fn flipped(&self) -> Option<FlippedTask> {
        let runs = self.tallies[0].counted.min(self.tallies[1].counted);
        let [of_a, of_b] = self.results.each_ref().map(|results| {
            results.iter().copied().filter(|of| of.status.counts()).take(runs).collect::<Vec<&TaskResult>>()
        });
        let [passed_a, passed_b] =
            [&of_a, &of_b].map(|of| of.iter().filter(|of| of.status == TaskStatus::Pass).count());
        let less = if passed_b < passed_a { of_b } else { of_a };
        let first = less.into_iter().find(|result| result.status != TaskStatus::Pass);
        (passed_a != passed_b).then(|| FlippedTask {
            task: self.id.to_owned(),
            passed_a,
            runs_a: runs,
            passed_b,
            runs_b: runs,
            why: first.map(why).unwrap_or_default(),
        })
    }
}

/// How a run ended, and its error or else the scorer's reason.
fn why(of: &TaskResult) -> String {
    let reason = of.error.as_deref().or(of.reason.as_deref()).unwrap_or_default();
    format!("{}: {}", of.status.name(), shortened(reason, 500))
}

/// The numbers of one side, over the tasks that count on both sides.
struct Numbers {
    counts: StatusCounts,
    p95: Option<f64>,
    composite: Option<f64>,
}

impl Numbers {
    fn of<'r>(results: impl Iterator<Item = &'r &'r TaskResult>, limit_ms: u64) -> Numbers {
        let results: Vec<&TaskResult> = results.copied().collect();
        let counts = rates::counts(results.iter().copied(), results.len());
        let p95 = rates::percentile(&rates::latencies(&results), 95);
        Numbers { counts, p95, composite: rates::composite(&counts, p95, limit_ms) }
    }
}

/// Higher, lower or the same by the mean rate over the common tasks; [`decide`] tells a loss from chance.
fn standing(common: &[CommonTask]) -> SkillStanding {
    let rates = [0, 1].map(|side: usize| {
        let each: Vec<f64> =
            common.iter().filter_map(|of| rates::share(of.tallies[side].passed, of.tallies[side].counted)).collect();
        eval_stats::mean(&each)
    });
    match rates {
        [Some(a), Some(b)] if b < a - 1e-12 => SkillStanding::Lower,
        [Some(a), Some(b)] if b > a + 1e-12 => SkillStanding::Higher,
        [Some(_), Some(_)] => SkillStanding::Same,
        _ => SkillStanding::Unmeasured,
    }
}

/// A lower rate is a regression when Holm's adjusted p-value over all skills is at most [`ALPHA`].
fn decide(skills: &mut [SkillDelta]) {
    let p_values: Vec<f64> = skills.iter().map(|of| of.regression_p).collect();
    for (of, p) in skills.iter_mut().zip(holm(&p_values)) {
        // exact p-values such as 1/20 carry a rounding error
        if of.standing == SkillStanding::Lower && p <= ALPHA + 1e-12 {
            of.standing = SkillStanding::Regressed;
        }
    }
}

fn moved(a: Option<f64>, b: Option<f64>, more_is_better: bool) -> NumberChange {
    let diff = a.zip(b).map(|(a, b)| b - a);
    let better = diff.filter(|diff| diff.abs() > 1e-12).map(|diff| (diff > 0.0) == more_is_better);
    NumberChange { a, b, diff, better }
}

fn stratum([a, b]: [TaskTally; 2]) -> Stratum {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    Stratum {
        trials_a: count(a.counted),
        successes_a: count(a.passed),
        trials_b: count(b.counted),
        successes_b: count(b.passed),
    }
}

/// The tasks of a skill on both sides.
struct TaskSets<'r> {
    /// Tasks that count on both sides, in the order of A.
    common: Vec<CommonTask<'r>>,
    left_out: Vec<ChangedTask>,
    /// Tasks that only A has.
    missing: Vec<String>,
}

impl<'r> TaskSets<'r> {
    fn of(a: &'r SkillCompletionReport, b: &'r SkillCompletionReport) -> TaskSets<'r> {
        let (mut common, mut left_out, mut missing) = (Vec::new(), Vec::new(), Vec::new());
        for (id, task) in joined(by_task(a), by_task(b)) {
            let mut leave_out = |reason| left_out.push(ChangedTask { task: id.to_owned(), reason });
            let (place, results) = match task {
                Joined::Both((place, of_a), (_, of_b)) => (place, [of_a, of_b]),
                Joined::OnlyA(_) => {
                    missing.push(id.to_owned());
                    leave_out(LeftOut::OneSide);
                    continue;
                }
                Joined::OnlyB(_) => {
                    leave_out(LeftOut::OneSide);
                    continue;
                }
            };
            let tallies = results.each_ref().map(|of| tally(of));
            let [asked_a, asked_b] =
                results.each_ref().map(|of| of.first().map(|of| (&of.input, &of.expected, of.scorer)));
            match () {
                () if asked_a != asked_b => leave_out(LeftOut::Changed),
                () if tallies.iter().any(|of| of.counted == 0) => leave_out(LeftOut::Uncounted),
                () => common.push((place, CommonTask { id, results, tallies })),
            }
        }
        common.sort_by_key(|(place, _)| *place);
        TaskSets { common: common.into_iter().map(|(_, of)| of).collect(), left_out, missing }
    }
}

/// One task over all its runs.
fn tally(of: &[&TaskResult]) -> TaskTally {
    rates::tallies(of.iter().copied()).into_values().next().unwrap_or_default()
}

/// The results of each task, the first run first, and the task's place in the report.
fn by_task(of: &SkillCompletionReport) -> BTreeMap<&str, (usize, Vec<&TaskResult>)> {
    let mut all: BTreeMap<&str, (usize, Vec<&TaskResult>)> = BTreeMap::new();
    for (place, result) in of.task_results.iter().enumerate() {
        all.entry(&result.task_id).or_insert((place, Vec::new())).1.push(result);
    }
    all.values_mut().for_each(|(_, results)| results.sort_by_key(|of| of.run));
    all
}
