//! Two evaluations of the same benchmark side by side: what moved, which tasks flipped, and whether that is more than
//! chance.
//!
//! What is a regression: the completion rate fell by more than chance explains. Each task's runs on both sides are
//! exchangeable when nothing changed, so the exact conditional test of stratified 2×2 tables applies
//! ([`eval_stats::fewer_successes`]), one-sided, Holm over the skills that are compared, p ≤ 0.05. With one run a side it
//! is McNemar's exact one-sided test: at least five tasks must fail anew and none pass anew. Three runs a side see one
//! task that broke for good, where no other moved. Errors and timeouts count as not passed; latency is the machine's as much as the skill's,
//! so it is shown and no gate. All numbers are of the tasks that count on both sides.

mod flips;

use std::collections::{BTreeMap, BTreeSet};

use eval_analysis::skills::rates::{self, TaskTally};
use eval_format::skills::{EvaluationStatus, SkillCompletionReport, SkillEvaluation, StatusCounts, TaskResult};
use eval_message::{Message, msg};
use eval_stats::{Stratum, fewer_successes, holm};
use schemars::JsonSchema;
use serde::Serialize;

use self::flips::{Flips, tally};

pub use self::flips::FlippedTask;

/// The level of the test behind [`SkillStanding::Regressed`].
const ALPHA: f64 = 0.05;

/// What moved from A to B.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillDiff {
    /// The earlier one.
    pub a: SkillSide,
    /// The later one.
    pub b: SkillSide,
    /// Whether the benchmarks' contents are the same.
    pub same_benchmark: bool,
    /// Settings that differ, so that not only the skill may have moved the numbers.
    pub differs: Vec<SettingChange>,
    /// Each skill that is on both sides.
    pub skills: Vec<SkillDelta>,
    /// Skills that only A has.
    pub only_a: Vec<String>,
    /// Skills that only B has.
    pub only_b: Vec<String>,
}

/// One of the evaluations.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillSide {
    /// What it is called.
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
    /// Whether so much of a skill could not be counted that its numbers say little.
    pub unsound: bool,
}

/// A setting that differs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SettingChange {
    /// Which.
    pub what: String,
    /// What it was.
    pub a: String,
    /// What it is.
    pub b: String,
}

/// One skill in A and B.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillDelta {
    /// Its id in A.
    pub a: String,
    /// Its id in B; another one when two versions with ids of their own are compared.
    pub b: String,
    /// Its version in A.
    pub version_a: String,
    /// Its version in B.
    pub version_b: String,
    /// Whether its files are the same.
    pub same_files: bool,
    /// Passed over counted, of the tasks that count on both sides, as all that follows.
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
    /// What that comes to.
    pub standing: SkillStanding,
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SkillStanding {
    /// The completion rate fell by more than chance explains.
    Regressed,
    /// It fell, and that may be chance.
    Lower,
    /// It is the same.
    Same,
    /// It rose.
    Higher,
    /// No task counts on both sides.
    Unmeasured,
}

/// A number on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NumberChange {
    /// What it was.
    pub a: Option<f64>,
    /// What it is.
    pub b: Option<f64>,
    /// B − A.
    pub diff: Option<f64>,
    /// Whether that is better; `null` when it is the same, or isn't known.
    pub better: Option<bool>,
}

/// A task that is not compared.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChangedTask {
    /// Which.
    pub task: String,
    /// Why not.
    pub reason: LeftOut,
}

/// Why a task is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Only one side has it.
    OneSide,
    /// Nothing counted on one side.
    Uncounted,
    /// Input, expectation or scorer are not the same.
    Changed,
}

/// Why two evaluations can't be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkillDiffError {
    /// They are of different benchmarks.
    Benchmark {
        /// The one of A.
        a: String,
        /// The one of B.
        b: String,
    },
    /// The benchmark's contents changed.
    Contents {
        /// The benchmark.
        benchmark: String,
        /// Version and hash in A.
        a: String,
        /// Version and hash in B.
        b: String,
    },
    /// No skill is on both sides.
    NoSkill {
        /// Those of A.
        a: String,
        /// Those of B.
        b: String,
    },
}

impl SkillDiffError {
    /// The text for people.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            SkillDiffError::Benchmark { a, b } => msg!("skills-report-diff-benchmark", a = a, b = b),
            SkillDiffError::Contents { benchmark, a, b } => {
                msg!("skills-report-diff-contents", benchmark = benchmark, a = a, b = b)
            }
            SkillDiffError::NoSkill { a, .. } if a.is_empty() => msg!("skills-report-diff-empty-a"),
            SkillDiffError::NoSkill { b, .. } if b.is_empty() => msg!("skills-report-diff-empty-b"),
            SkillDiffError::NoSkill { a, b } => msg!("skills-report-diff-no-skill", a = a, b = b),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Message {
        match self {
            SkillDiffError::Benchmark { .. } | SkillDiffError::Contents { .. } => msg!("skills-report-diff-force"),
            SkillDiffError::NoSkill { .. } => msg!("skills-report-diff-no-skill-help"),
        }
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
) -> Result<SkillDiff, SkillDiffError> {
    if !forced {
        refuse(a, b)?;
    }
    let pairs = pairs(a, b)?;
    let limits = [a.benchmark.max_latency_ms, b.benchmark.max_latency_ms];
    let mut skills: Vec<SkillDelta> = pairs.iter().map(|(of_a, of_b)| delta(of_a, of_b, limits)).collect();
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
        differs: differs(a, b),
        skills,
    })
}

impl SkillDiff {
    /// The skills that regressed, by their id in B.
    #[must_use]
    pub fn regressed(&self) -> Vec<&str> {
        self.standing(SkillStanding::Regressed)
    }

    /// The skills of which nothing can be said, by their id in B.
    #[must_use]
    pub fn unmeasured(&self) -> Vec<&str> {
        self.standing(SkillStanding::Unmeasured)
    }

    fn standing(&self, standing: SkillStanding) -> Vec<&str> {
        self.skills.iter().filter(|of| of.standing == standing).map(|of| of.b.as_str()).collect()
    }
}

fn refuse(a: &SkillEvaluation, b: &SkillEvaluation) -> Result<(), SkillDiffError> {
    let (of_a, of_b) = (&a.benchmark, &b.benchmark);
    if of_a.id != of_b.id {
        return Err(SkillDiffError::Benchmark { a: of_a.id.clone(), b: of_b.id.clone() });
    }
    let named = |of: &eval_format::skills::BenchmarkMeta| {
        format!("{} ({})", of.version, eval_message::plain::shortened(&of.hash, 12))
    };
    match of_a.hash == of_b.hash {
        true => Ok(()),
        false => Err(SkillDiffError::Contents { benchmark: of_a.id.clone(), a: named(of_a), b: named(of_b) }),
    }
}

type ReportPair<'r> = (&'r SkillCompletionReport, &'r SkillCompletionReport);

fn pairs<'r>(a: &'r SkillEvaluation, b: &'r SkillEvaluation) -> Result<Vec<ReportPair<'r>>, SkillDiffError> {
    if let ([of_a], [of_b]) = (a.skills.as_slice(), b.skills.as_slice()) {
        return Ok(vec![(of_a, of_b)]);
    }
    let pairs: Vec<ReportPair> = b.skills.iter().filter_map(|of_b| Some((a.skill(&of_b.skill_id)?, of_b))).collect();
    let ids = |of: &SkillEvaluation| {
        let ids: Vec<&str> = of.skills.iter().take(5).map(|skill| skill.skill_id.as_str()).collect();
        ids.join(", ")
    };
    match pairs.is_empty() {
        true => Err(SkillDiffError::NoSkill { a: ids(a), b: ids(b) }),
        false => Ok(pairs),
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

fn differs(a: &SkillEvaluation, b: &SkillEvaluation) -> Vec<SettingChange> {
    let (of_a, of_b) = (&a.settings, &b.settings);
    // an older version didn't say how many
    let known = of_a.transport_retries.zip(of_b.transport_retries);
    let (transport_a, transport_b) = known.unwrap_or_default();
    let all = [
        ("runs", of_a.runs.to_string(), of_b.runs.to_string()),
        ("timeoutMs", of_a.timeout_ms.to_string(), of_b.timeout_ms.to_string()),
        ("retries", of_a.retries.to_string(), of_b.retries.to_string()),
        ("transportRetries", transport_a.to_string(), transport_b.to_string()),
        ("concurrency", of_a.concurrency.to_string(), of_b.concurrency.to_string()),
        ("sandbox", of_a.sandbox.to_string(), of_b.sandbox.to_string()),
        ("judge", of_a.judge.clone().unwrap_or_default(), of_b.judge.clone().unwrap_or_default()),
        ("toolVersion", a.tool_version.clone(), b.tool_version.clone()),
    ];
    let differ = all.into_iter().filter(|(_, a, b)| a != b);
    differ.map(|(what, a, b)| SettingChange { what: what.to_owned(), a, b }).collect()
}

/// The same task on both sides.
struct CommonTask<'r> {
    id: &'r str,
    place: usize,
    a: Vec<&'r TaskResult>,
    b: Vec<&'r TaskResult>,
    tallies: [TaskTally; 2],
}

fn delta(a: &SkillCompletionReport, b: &SkillCompletionReport, limits: [u64; 2]) -> SkillDelta {
    let (common, left_out) = common(a, b);
    let in_b: BTreeSet<&str> = b.task_results.iter().map(|of| of.task_id.as_str()).collect();
    let missing = left_out.iter().filter(|of| of.reason == LeftOut::OneSide && !in_b.contains(of.task.as_str()));
    let strata: Vec<Stratum> = common.iter().map(|of| stratum(of.tallies)).collect();
    let flips = Flips::of(&common);
    let of_a = Numbers::of(common.iter().flat_map(|of| &of.a), limits[0]);
    let of_b = Numbers::of(common.iter().flat_map(|of| &of.b), limits[1]);
    SkillDelta {
        a: a.skill_id.clone(),
        b: b.skill_id.clone(),
        version_a: a.skill_version.clone(),
        version_b: b.skill_version.clone(),
        same_files: a.skill_hash == b.skill_hash,
        completion_rate: moved(of_a.counts.completion_rate(), of_b.counts.completion_rate(), true),
        error_rate: moved(of_a.counts.error_rate(), of_b.counts.error_rate(), false),
        p95_latency_ms: moved(of_a.p95, of_b.p95, false),
        composite_score: moved(of_a.composite, of_b.composite, true),
        tasks: common.len(),
        missing: missing.map(|of| of.task.clone()).collect(),
        mcnemar_p: flips.mcnemar(),
        newly_failing: flips.newly_failing,
        newly_passing: flips.newly_passing,
        less_often: flips.less_often,
        more_often: flips.more_often,
        uneven: flips.uneven,
        regression_p: fewer_successes(&strata),
        standing: standing(&common),
        left_out,
    }
}

/// The numbers of one side, over the tasks that both have: those of other tasks can't be held against each other.
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

/// Better, worse or the same by the rates of the tasks that both sides have; whether it is chance comes later.
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

/// What fell becomes a regression when chance doesn't explain it, all skills taken together.
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

fn common<'r>(a: &'r SkillCompletionReport, b: &'r SkillCompletionReport) -> (Vec<CommonTask<'r>>, Vec<ChangedTask>) {
    let (of_a, mut of_b) = (by_task(a), by_task(b));
    let (mut common, mut left_out) = (Vec::new(), Vec::new());
    for (id, (place, results)) in of_a {
        let out = |reason| ChangedTask { task: id.to_owned(), reason };
        let Some((_, others)) = of_b.remove(id) else {
            left_out.push(out(LeftOut::OneSide));
            continue;
        };
        let tallies = [&results, &others].map(|of| tally(of));
        let asks = |of: &[&TaskResult]| of.first().map(|of| (of.input.clone(), of.expected.clone(), of.scorer));
        match () {
            () if asks(&results) != asks(&others) => left_out.push(out(LeftOut::Changed)),
            () if tallies.iter().any(|of| of.counted == 0) => left_out.push(out(LeftOut::Uncounted)),
            () => common.push(CommonTask { id, place, a: results, b: others, tallies }),
        }
    }
    let rest = of_b.keys().map(|id| ChangedTask { task: (*id).to_owned(), reason: LeftOut::OneSide });
    left_out.extend(rest);
    common.sort_by_key(|of| of.place);
    (common, left_out)
}

/// The results of each task, the first run first, and where it stands in the report's order.
fn by_task(of: &SkillCompletionReport) -> BTreeMap<&str, (usize, Vec<&TaskResult>)> {
    let mut all: BTreeMap<&str, (usize, Vec<&TaskResult>)> = BTreeMap::new();
    for (place, result) in of.task_results.iter().enumerate() {
        all.entry(&result.task_id).or_insert((place, Vec::new())).1.push(result);
    }
    all.values_mut().for_each(|(_, results)| results.sort_by_key(|of| of.run));
    all
}
