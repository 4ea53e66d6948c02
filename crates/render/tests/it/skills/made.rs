//! Made-up evaluations: how each task of each run ended, and how long it took.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_analysis::skills::{EvaluationInputs, SkillResults, evaluate};
use eval_format::skills::{EvaluationSettings, EvaluationStatus, SkillEvaluation, TaskResult, TaskStatus};
use eval_message::Lang;
use eval_spec::callable::{
    AdapterConfig, AdapterType, Benchmark, BenchmarkSource, CallableSkill, Scorer, ScorerType, ScoringMethod, Task,
};
use serde_json::{Map, json};

pub(crate) fn skill(id: &str) -> CallableSkill {
    CallableSkill {
        id: id.into(),
        name: id.to_owned(),
        version: "1.0.0".to_owned(),
        description: "adds numbers".to_owned(),
        tags: vec!["math".to_owned()],
        input_schema: None,
        output_schema: None,
        adapter: AdapterType::Subprocess,
        entrypoint: "python3 skill.py".to_owned(),
        metadata: Map::new(),
        config: AdapterConfig::default(),
        directory: PathBuf::from("/skills").join(id),
        file: PathBuf::from("/skills").join(id).join("skill.json"),
        hash: format!("hash-of-{id}").into(),
    }
}

pub(crate) fn task(place: usize, tags: &[&str]) -> Task {
    let value = json!(place.to_string());
    Task {
        id: Arc::from(format!("task_{:03}", place + 1)),
        description: format!("task number {}", place + 1),
        input: json!({ "n": place }),
        expected: json!({ "type": "exact", "value": value.clone() }),
        scorer: Scorer::Exact { value, case_sensitive: true },
        timeout: None,
        weight: None,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        place: None,
    }
}

pub(crate) fn benchmark(tasks: Vec<Task>) -> Benchmark {
    Benchmark {
        id: "bench".to_owned(),
        name: "A benchmark".to_owned(),
        version: "1.2.0".to_owned(),
        domain: "general".to_owned(),
        description: String::new(),
        scoring_method: ScoringMethod::Mean,
        max_latency: Duration::from_secs(1),
        metadata: Map::new(),
        tasks,
        hash: "0123456789abcdef".repeat(4),
        source: BenchmarkSource::BuiltIn,
    }
}

/// How one task ended: status, score, latency.
pub(crate) type Ended = (TaskStatus, Option<f64>, Option<f64>);

pub(crate) const PASS: Ended = (TaskStatus::Pass, Some(1.0), Some(100.0));
pub(crate) const FAIL: Ended = (TaskStatus::Fail, Some(0.0), Some(100.0));
pub(crate) const ERROR: Ended = (TaskStatus::Error, Some(0.0), Some(100.0));
pub(crate) const TIMEOUT: Ended = (TaskStatus::Timeout, Some(0.0), Some(1000.0));
pub(crate) const UNSCORED: Ended = (TaskStatus::Unscored, None, Some(100.0));
pub(crate) const HARNESS: Ended = (TaskStatus::HarnessError, None, None);

pub(crate) fn result(task: &Task, run: u32, (status, score, latency_ms): Ended) -> TaskResult {
    let failed = status != TaskStatus::Pass;
    TaskResult {
        task_id: task.id.to_string(),
        run,
        description: task.description.clone(),
        tags: task.tags.clone(),
        status,
        score,
        weight: task.weight,
        scorer: ScorerType::ExactMatch,
        reason: failed.then(|| "expected something else".to_owned()),
        input: task.input.clone(),
        expected: task.expected.clone(),
        output: matches!(status, TaskStatus::Pass | TaskStatus::Fail | TaskStatus::Unscored).then(|| json!("out")),
        latency_ms,
        start_ms: Some(10.0),
        attempts: 1,
        failed_attempts: Vec::new(),
        error: matches!(status, TaskStatus::Error | TaskStatus::Timeout | TaskStatus::HarnessError)
            .then(|| "it broke".to_owned()),
        stderr: None,
        schema_mismatches: Vec::new(),
        tokens: Some(30),
    }
}

/// An evaluation: for each skill, one row of endings for each run, a column for each task.
pub(crate) struct Made {
    pub(crate) skills: Vec<(CallableSkill, Vec<Vec<Ended>>)>,
    pub(crate) benchmark: Benchmark,
    pub(crate) gate: Option<f64>,
    pub(crate) id: String,
    pub(crate) status: EvaluationStatus,
}

impl Made {
    pub(crate) fn of(skills: Vec<(&str, Vec<Vec<Ended>>)>) -> Made {
        let tasks = skills.iter().flat_map(|(_, runs)| runs).map(Vec::len).max().unwrap_or(0);
        Made {
            skills: skills.into_iter().map(|(id, runs)| (skill(id), runs)).collect(),
            benchmark: benchmark((0..tasks).map(|place| task(place, &["all"])).collect()),
            gate: None,
            id: "20260301-120000".to_owned(),
            status: EvaluationStatus::Complete,
        }
    }

    pub(crate) fn evaluation(&self) -> SkillEvaluation {
        let runs = self.skills.iter().map(|(_, runs)| runs.len()).max().unwrap_or(1);
        let results = self.skills.iter().map(|(skill, runs)| {
            let mut of = SkillResults::new(skill, format!("skills/{}/skill.json", skill.id), Vec::new());
            for (run, endings) in runs.iter().enumerate() {
                for (task, ended) in self.benchmark.tasks.iter().zip(endings) {
                    of.push(result(task, u32::try_from(run).unwrap() + 1, *ended));
                }
            }
            of
        });
        let inputs = inputs(self, runs);
        evaluate(inputs, results.collect())
    }
}

/// What an evaluation is told besides its results.
pub(crate) fn inputs(made: &Made, runs: usize) -> EvaluationInputs<'_> {
    EvaluationInputs {
        id: made.id.clone(),
        tool_version: "0.1.0".to_owned(),
        started_at: "2026-03-01T12:00:00Z".to_owned(),
        finished_at: "2026-03-01T12:00:09Z".to_owned(),
        status: made.status,
        incomplete_reason: None,
        settings: EvaluationSettings {
            concurrency: 4,
            timeout_ms: 1000,
            retries: 0,
            transport_retries: 2,
            runs: u32::try_from(runs).unwrap(),
            evaluator: ScorerType::ExactMatch,
            seed: 7,
            sandbox: true,
            judge: None,
        },
        benchmark: &made.benchmark,
        benchmark_source: "built-in".to_owned(),
        min_completion: made.gate,
        lang: Lang::En,
    }
}

/// One skill, one run.
pub(crate) fn one(endings: Vec<Ended>) -> SkillEvaluation {
    Made::of(vec![("adder", vec![endings])]).evaluation()
}

/// One skill, several runs.
pub(crate) fn several(runs: Vec<Vec<Ended>>) -> SkillEvaluation {
    Made::of(vec![("adder", runs)]).evaluation()
}

/// Everything happens, to three skills in three runs, with a gate.
pub(crate) fn eventful() -> Made {
    let good = |run: usize| (0..20).map(|i| if (i + run).is_multiple_of(19) { FAIL } else { PASS }).collect();
    let poor = |run: usize| {
        (0..20)
            .map(|i| match (i + run) % 7 {
                0 => FAIL,
                1 => (TaskStatus::Fail, Some(0.5), Some(340.0)),
                2 if i % 3 == 0 => TIMEOUT,
                3 if i % 2 == 0 => ERROR,
                4 if i == 4 => UNSCORED,
                i => (TaskStatus::Pass, Some(1.0), Some(60.0 + 31.0 * i as f64)),
            })
            .collect()
    };
    let mut made = Made::of(vec![
        ("weather_v1", (0..3).map(good).collect()),
        ("weather_v2", (0..3).map(poor).collect()),
        ("dead", vec![vec![ERROR; 20]; 3]),
    ]);
    for (place, task) in made.benchmark.tasks.iter_mut().enumerate() {
        task.tags = vec![["math", "string", "edge-case"][place % 3].to_owned()];
    }
    made.gate = Some(0.8);
    made
}
