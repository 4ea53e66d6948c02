//! A JSON list of reports, one for each skill, as `eval-skills` 0.1 wrote it → an evaluation.
//!
//! The list has task results and rounded numbers, and neither settings nor contents of the benchmark. The numbers are
//! counted again from the results; those that don't follow from them are refused, as in files of our own.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use eval_format::skills::{
    BenchmarkMeta, Contradiction, EvaluationSettings, EvaluationStatus, FileError, RESULT, SKILL_RESULT_KIND,
    SKILL_RESULT_VERSION, SkillCompletionReport, SkillEvaluation, TaskResult, TaskStatus, read_json,
};
use eval_spec::callable::{AdapterType, DEFAULT_TIMEOUT, ScorerType, ScoringMethod};
use eval_spec::hash::{canonical_json, sha256_hex};
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluate::with_soundness;
use super::summary::{Design, Summarised, summarised};

/// The numbers of the list have four digits.
const ROUNDED: f64 = 0.000_051;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedReport {
    skill_id: String,
    #[serde(default)]
    skill_version: String,
    benchmark_id: String,
    timestamp: jiff::Timestamp,
    summary: ListedSummary,
    task_results: Vec<ListedResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedSummary {
    completion_rate: f64,
    error_rate: f64,
    partial_score: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedResult {
    task_id: String,
    status: TaskStatus,
    score: f64,
    #[serde(default)]
    latency_ms: Option<f64>,
    #[serde(default)]
    output: Option<Value>,
    #[serde(default)]
    error: Option<String>,
    scorer_type: String,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    run_id: Option<u32>,
    #[serde(default)]
    usage: Option<ListedUsage>,
    #[serde(default)]
    weight: Option<f64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedUsage {
    #[serde(default)]
    total_tokens: Option<u64>,
}

/// Whether an evaluation was read from such a list, so that its settings and hashes are not known.
#[must_use]
pub fn is_of_list(of: &SkillEvaluation) -> bool {
    of.tool_version.is_empty()
}

/// Reads such a list; `None` where the file holds a list of something else.
///
/// # Errors
/// A report in it can't be read, or has numbers that can't be or don't follow from its results; or they are of several
/// benchmarks.
pub(super) fn read(path: &Path) -> Result<Option<SkillEvaluation>, FileError> {
    let document = read_json(path)?;
    let is_report = |of: &Value| ["skillId", "benchmarkId", "taskResults"].iter().all(|key| of.get(key).is_some());
    if !document.as_array().is_some_and(|all| !all.is_empty() && all.iter().all(is_report)) {
        return Ok(None);
    }
    let reports: Vec<ListedReport> =
        serde_json::from_value(document).map_err(|source| FileError::Damaged { path: path.to_owned(), source })?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let id = stem.strip_prefix(RESULT).map_or(&*stem, |rest| rest.trim_start_matches('-'));
    let id = if id.is_empty() { &*stem } else { id };
    evaluation(id, reports).map(Some).map_err(|found| FileError::Contradiction { path: path.to_owned(), found })
}

fn evaluation(id: &str, reports: Vec<ListedReport>) -> Result<SkillEvaluation, Contradiction> {
    let benchmark = reports[0].benchmark_id.clone();
    if let Some(other) = reports.iter().find(|of| of.benchmark_id != benchmark) {
        return Err(contradiction(&other.skill_id, "benchmarkId", &json!(other.benchmark_id), Some(&json!(benchmark))));
    }
    let mut ids = BTreeSet::new();
    if let Some(twice) = reports.iter().find(|of| !ids.insert(of.skill_id.as_str())) {
        return Err(contradiction(&twice.skill_id, "skillId", &json!(twice.skill_id), None));
    }
    let times = || reports.iter().map(|of| of.timestamp);
    let (started_at, finished_at) = (times().min().unwrap_or_default(), times().max().unwrap_or_default());
    let results = || reports.iter().flat_map(|of| &of.task_results);
    // In the order of the file, which is the benchmark's.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for of in results() {
        let next = places.len();
        places.entry(of.task_id.clone()).or_insert(next);
    }
    let runs: BTreeMap<u32, u32> = (1..)
        .zip(results().map(|of| of.run_id.unwrap_or(1)).collect::<BTreeSet<_>>())
        .map(|(at, id)| (id, at))
        .collect();
    let design = Design {
        tasks: places.len(),
        runs: u32::try_from(runs.len()).unwrap_or(u32::MAX).max(1),
        limit_ms: u64::try_from(DEFAULT_TIMEOUT.as_millis()).unwrap_or(u64::MAX),
        method: ScoringMethod::Mean,
        has_schema: false,
        seed: Some(0),
    };
    let method = method(&reports, &runs, &design)?;
    let design = Design { method, ..design };
    let ids: Vec<&String> = places.keys().collect();
    let hash = sha256_hex(canonical_json(&json!({ "benchmark": benchmark, "taskIds": ids })).as_bytes());
    let skills: Vec<SkillCompletionReport> =
        reports.iter().map(|of| report(of, &places, &runs, &design)).collect::<Result<_, _>>()?;
    let is_whole = skills.iter().all(|of| of.task_results.len() == of.counts.total);
    Ok(with_soundness(SkillEvaluation {
        kind: SKILL_RESULT_KIND.to_owned(),
        schema_version: SKILL_RESULT_VERSION,
        id: id.to_owned(),
        tool_version: String::new(),
        started_at: started_at.to_string(),
        finished_at: finished_at.to_string(),
        status: if is_whole { EvaluationStatus::Complete } else { EvaluationStatus::Interrupted },
        incomplete_reason: None,
        // What the list doesn't have is as the tool had it without flags.
        settings: EvaluationSettings {
            concurrency: 4,
            timeout_ms: design.limit_ms,
            retries: 0,
            transport_retries: 0,
            runs: design.runs,
            evaluator: ScorerType::ExactMatch,
            seed: 0,
            sandbox: false,
            judge: None,
        },
        benchmark: BenchmarkMeta {
            name: benchmark.clone(),
            id: benchmark,
            version: String::new(),
            domain: "general".to_owned(),
            source: String::new(),
            hash,
            tasks: design.tasks,
            scoring_method: method,
            max_latency_ms: design.limit_ms,
        },
        unsound: false,
        skills,
        gate: None,
        notes: Vec::new(),
    }))
}

/// The scoring method by which the partial scores of all reports follow from their results.
fn method(
    reports: &[ListedReport],
    runs: &BTreeMap<u32, u32>,
    design: &Design,
) -> Result<ScoringMethod, Contradiction> {
    let mut first = None;
    for method in [ScoringMethod::Mean, ScoringMethod::WeightedMean, ScoringMethod::PassAtK] {
        let mut wrong = None;
        for of in reports {
            let results = task_results(of, runs)?;
            let again = summarised(&results, &Design { method, seed: None, ..*design }).summary.partial_score;
            if !is_rounded(of.summary.partial_score, again) {
                let stored = json!(of.summary.partial_score);
                wrong = Some(contradiction(&of.skill_id, "summary.partialScore", &stored, Some(&json!(again))));
                break;
            }
        }
        match wrong {
            None => return Ok(method),
            Some(found) => first = first.or(Some(found)),
        }
    }
    first.map_or(Ok(ScoringMethod::Mean), Err)
}

fn report(
    of: &ListedReport,
    places: &BTreeMap<String, usize>,
    runs: &BTreeMap<u32, u32>,
    design: &Design,
) -> Result<SkillCompletionReport, Contradiction> {
    let mut results = task_results(of, runs)?;
    results.sort_by_key(|of| (places.get(&of.task_id).copied(), of.run));
    if let Some(twice) = results.windows(2).find(|two| (&two[0].task_id, two[0].run) == (&two[1].task_id, two[1].run)) {
        return Err(contradiction(&of.skill_id, "taskResults.taskId", &json!(twice[1].task_id), None));
    }
    let Summarised { summary, counts, runs, tag_results } = summarised(&results, design);
    let stored = &of.summary;
    for (field, stored, again) in [
        ("summary.completionRate", stored.completion_rate, summary.completion_rate),
        ("summary.errorRate", stored.error_rate, summary.error_rate),
    ] {
        if !is_rounded(stored, again) {
            return Err(contradiction(&of.skill_id, field, &json!(stored), Some(&json!(again))));
        }
    }
    Ok(SkillCompletionReport {
        skill_id: of.skill_id.clone(),
        skill_name: of.skill_id.clone(),
        skill_version: of.skill_version.clone(),
        description: String::new(),
        tags: Vec::new(),
        adapter_type: AdapterType::Custom,
        path: String::new(),
        skill_hash: String::new(),
        servers: Vec::new(),
        summary,
        counts,
        runs,
        tag_results,
        enforced: Vec::new(),
        not_enforced: Vec::new(),
        task_results: results,
    })
}

fn task_results(of: &ListedReport, runs: &BTreeMap<u32, u32>) -> Result<Vec<TaskResult>, Contradiction> {
    let one = |(at, result): (usize, &ListedResult)| {
        let field = |name: &str| format!("taskResults[{at}].{name}");
        let impossible = |name: &str, value: Value| contradiction(&of.skill_id, &field(name), &value, None);
        if !(0.0..=1.0).contains(&result.score) {
            return Err(impossible("score", json!(result.score)));
        }
        for (name, value) in [("latencyMs", result.latency_ms), ("weight", result.weight)] {
            if value.is_some_and(|value| !value.is_finite() || value < 0.0) {
                return Err(impossible(name, json!(value)));
            }
        }
        let has_answer = matches!(result.status, TaskStatus::Pass | TaskStatus::Fail);
        let scorer = match ScorerType::of(&result.scorer_type) {
            Some(scorer) => scorer,
            // What failed was not scored.
            None if !has_answer => ScorerType::ExactMatch,
            None => return Err(impossible("scorerType", json!(result.scorer_type))),
        };
        Ok(TaskResult {
            task_id: result.task_id.clone(),
            run: runs.get(&result.run_id.unwrap_or(1)).copied().unwrap_or(1),
            description: String::new(),
            tags: Vec::new(),
            status: result.status,
            score: result.status.counts().then_some(result.score),
            weight: result.weight,
            scorer,
            reason: result.reason.clone(),
            input: Value::Null,
            expected: Value::Null,
            output: result.output.clone().filter(|_| has_answer),
            // 0 stands for a time that isn't known.
            latency_ms: result.latency_ms.filter(|ms| *ms > 0.0),
            start_ms: None,
            attempts: 1,
            failed_attempts: Vec::new(),
            error: result.error.clone(),
            stderr: None,
            schema_mismatches: Vec::new(),
            tokens: result.usage.as_ref().and_then(|usage| usage.total_tokens),
        })
    };
    of.task_results.iter().enumerate().map(one).collect()
}

fn is_rounded(stored: f64, again: Option<f64>) -> bool {
    // Of nothing the list has 0.
    (stored - again.unwrap_or(0.0)).abs() <= ROUNDED
}

fn contradiction(skill: &str, field: &str, stored: &Value, follows: Option<&Value>) -> Contradiction {
    Contradiction {
        skill: skill.to_owned(),
        field: field.to_owned(),
        stored: eval_message::plain::shortened(&stored.to_string(), 80),
        follows: follows.map(ToString::to_string),
    }
}
