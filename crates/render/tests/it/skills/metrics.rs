//! The formulas on recorded results, against values computed by hand.

use std::sync::Arc;
use std::time::Duration;

use eval_analysis::skills::{SkillResults, evaluate, read, task_result};
use eval_format::skills::{EvaluationStatus, GateReason, RateMethod, SkillSummary, TaskStatus};
use eval_message::{Lang, msg};
use eval_render::skills::{evaluation_text, write};
use eval_spec::callable::{SkillRun, Task};
use eval_spec::record::{Executed, Execution, Record};
use eval_spec::units::Ratio;
use eval_spec::{CellKey, Check, CheckOutcome, ExecError, Failure, Grade, Layer, Output};
use serde_json::json;

use super::convert::{format, rendered};
use super::made::{
    ERROR, Ended, FAIL, HARNESS, Made, PASS, TIMEOUT, UNSCORED, benchmark, inputs, one, several, skill, task,
};

#[track_caller]
fn close(value: Option<f64>, expected: f64) {
    let value = value.unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
}

fn summary(of: &eval_format::skills::SkillEvaluation) -> &SkillSummary {
    &of.skills[0].summary
}

fn at(ended: Ended, ms: f64) -> Ended {
    (ended.0, ended.1, Some(ms))
}

#[test]
fn must_show_7_every_formula_by_hand() {
    // Ten tasks, two runs, latencies 10, 20, … 190 and one timeout at its limit of 1000 ms.
    let half = (TaskStatus::Fail, Some(0.5), Some(0.0));
    let first = [PASS, PASS, PASS, PASS, PASS, PASS, half, FAIL, ERROR, TIMEOUT];
    let second = [PASS, PASS, PASS, PASS, half, PASS, PASS, PASS, ERROR, FAIL];
    let timed = |run: &[Ended], from: usize| -> Vec<Ended> {
        run.iter()
            .enumerate()
            .map(|(i, ended)| if *ended == TIMEOUT { TIMEOUT } else { at(*ended, 10.0 * (from + i) as f64) })
            .collect()
    };
    let evaluation = several(vec![timed(&first, 1), timed(&second, 10)]);
    let (report, summary) = (&evaluation.skills[0], summary(&evaluation));
    // pass 6 + 7 of 20
    close(summary.completion_rate, 13.0 / 20.0);
    // 13 passes, two halves
    close(summary.partial_score, 14.0 / 20.0);
    // two errors and a timeout
    close(summary.error_rate, 3.0 / 20.0);
    // runs at 0.6 and 0.7: mean 0.65, both 0.05 away
    close(summary.consistency_score, 1.0 - 0.05);
    // tasks 5, 7, 8 pass once of twice; 1, 2, 3, 4, 6 pass twice
    close(summary.flip_rate, 3.0 / 10.0);
    close(summary.pass_hat_k, 5.0 / 10.0);
    // 20 values: 10 … 90 and 1000 of the first run, 100 … 190 of the second; ranks ⌈10⌉, ⌈19⌉, ⌈19.8⌉
    close(summary.p50_latency_ms, 100.0);
    close(summary.p95_latency_ms, 190.0);
    close(summary.p99_latency_ms, 1000.0);
    // the limit of the benchmark is 1000 ms
    close(summary.composite_score, 0.5 * 0.65 + 0.2 * (1.0 - 0.19) + 0.3 * (1.0 - 0.15));
    close(summary.mean_start_ms, 10.0);
    close(summary.token_cost, 30.0);
    assert_eq!(report.runs.iter().map(|run| run.completion_rate.unwrap()).collect::<Vec<_>>(), [0.6, 0.7]);
    assert_eq!(report.counts.total, 20);
}

#[test]
fn only_what_is_the_skill_s_counts() {
    let evaluation = one(vec![PASS, FAIL, ERROR, TIMEOUT, UNSCORED, HARNESS]);
    let summary = summary(&evaluation);
    close(summary.completion_rate, 0.25);
    close(summary.error_rate, 0.5);
    close(summary.partial_score, 0.25);
    let counts = evaluation.skills[0].counts;
    assert_eq!((counts.counted(), counts.uncounted(), counts.total), (4, 2, 6));
    assert!(evaluation.is_unsound(), "2 of 6 are more than 5 %");
    assert_eq!(evaluation.notes.len(), 1, "{:?}", evaluation.notes);
    assert!(evaluation.notes[0].contains("it broke"));
    // 1 of 20 is not more than 5 %
    let mut mostly = vec![PASS; 19];
    mostly.push(UNSCORED);
    assert!(!one(mostly.clone()).is_unsound());
    mostly[0] = HARNESS;
    assert!(one(mostly).is_unsound());
}

#[test]
fn what_failed_and_whose_fault_it_is() {
    use Failure::*;
    for (failure, status) in [
        (Timeout, TaskStatus::Timeout),
        (Skill, TaskStatus::Error),
        (Crashed, TaskStatus::Error),
        (Malformed, TaskStatus::Error),
        (Dropped, TaskStatus::Error),
        (Server, TaskStatus::Error),
        (RateLimited, TaskStatus::HarnessError),
        (Unreachable, TaskStatus::Error),
        (Auth, TaskStatus::Error),
        (Rejected, TaskStatus::HarnessError),
        (Spawn, TaskStatus::HarnessError),
        (Interrupted, TaskStatus::HarnessError),
        (Budget, TaskStatus::HarnessError),
        (NoRecording, TaskStatus::HarnessError),
    ] {
        let error =
            ExecError { detail: Some("detail".to_owned()), ..ExecError::new(failure, msg!("report-missing-skill")) };
        let result = task_result(&skill("a"), &task(0, &[]), &record(Executed::Failed(error), None), limit(), Lang::En);
        assert_eq!(result.status, status, "{failure:?}");
        assert_eq!(result.score, status.counts().then_some(0.0), "{failure:?}");
        assert_eq!(result.error.as_deref(), Some("the skill reported an error: detail"));
    }
}

fn limit() -> Duration {
    Duration::from_millis(30_000)
}

fn record(result: Executed, grade: Option<Grade>) -> Record {
    Record {
        execution: Execution {
            key: CellKey { sample: Arc::from("task_001"), subject: Arc::from("a"), repeat: 1 },
            fingerprint: String::new(),
            started_at: "2026-03-01T12:00:00Z".parse().unwrap(),
            finished_at: "2026-03-01T12:00:00.25Z".parse().unwrap(),
            failed_attempts: Vec::new(),
            result,
            cached: false,
            given_at: None,
            earlier_failures: Vec::new(),
        },
        grade,
        artifacts_read: Vec::new(),
        replaced_failures: Vec::new(),
    }
}

fn answered(text: &str, outcome: CheckOutcome, score: Option<f64>) -> Record {
    let run = SkillRun {
        stderr: "a warning".to_owned(),
        start_ms: Some(0),
        start_us: Some(420),
        latency_us: Some(83_250),
        tokens: Some(40),
        enforced: vec!["process-group".to_owned(), "landlock-write".to_owned()],
        server: None,
    };
    let output = Output { latency_ms: Some(83), skill: Some(Box::new(run)), ..Output::text(text) };
    let check = Check {
        kind: "exact_match".to_owned(),
        layer: Layer::Fact,
        weight: 1.0,
        not: false,
        outcome,
        score: score.map(|score| Ratio::new(score).unwrap()),
        actual: None,
        message: Some(msg!("report-missing-empty")),
        children: Vec::new(),
        judged: None,
    };
    record(Executed::Output(Box::new(output)), Some(Grade { checks: vec![check] }))
}

#[test]
fn a_result_holds_everything_to_score_again() {
    let (of, task) = (skill("a"), task(0, &["t"]));
    let result =
        task_result(&of, &task, &answered("{\"result\": \"5\"}", CheckOutcome::Failed, Some(0.25)), limit(), Lang::En);
    assert_eq!((result.status, result.score, result.run), (TaskStatus::Fail, Some(0.25), 2));
    assert_eq!((result.latency_ms, result.start_ms, result.tokens), (Some(83.25), Some(0.42), Some(40)));
    assert_eq!((result.input, result.expected), (task.input.clone(), task.expected.clone()));
    assert_eq!(result.output, Some(json!({"result": "5"})));
    let long =
        task_result(&of, &task, &answered("15511210043330985984000000", CheckOutcome::Passed, None), limit(), Lang::En);
    assert_eq!(long.output, Some(json!("15511210043330985984000000")), "no digit is lost");
    assert_eq!(result.stderr.as_deref(), Some("a warning"));
    assert_eq!(result.reason.as_deref(), Some("the answer was empty"));
    assert_eq!(result.attempts, 1);
    let why = msg!("report-missing-timeout");
    let unscored = task_result(&of, &task, &answered("1", CheckOutcome::Unscored { why }, None), limit(), Lang::En);
    assert_eq!((unscored.status, unscored.score), (TaskStatus::Unscored, None));
    assert_eq!(unscored.reason.as_deref(), Some("the call timed out"));
    let passed = task_result(&of, &task, &answered("no json", CheckOutcome::Passed, None), limit(), Lang::En);
    assert_eq!((passed.status, passed.score, passed.output), (TaskStatus::Pass, Some(1.0), Some(json!("no json"))));
}

/// Readers of JSON stop at 128 levels, and a report puts some of its own around a value.
#[test]
fn however_deep_a_value_is_its_report_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    for depth in 99..=127 {
        let text = format!("{}7{}", "[".repeat(depth), "]".repeat(depth));
        let deep: serde_json::Value = serde_json::from_str(&text).unwrap();
        let mut made = Made::of(vec![("a", vec![vec![PASS]])]);
        (made.benchmark.tasks[0].input, made.benchmark.tasks[0].expected) = (deep.clone(), deep.clone());
        let skill = skill("a");
        let mut record = answered(&text, CheckOutcome::Passed, None);
        record.execution.key.repeat = 0;
        let mut results = SkillResults::new(&skill, String::new(), Vec::new());
        results.add(&made.benchmark.tasks[0], &record, limit(), Lang::En);
        let of = evaluate(inputs(&made, 1), vec![results]);
        write(&of, dir.path(), &[format("json")], Lang::En).unwrap();
        let back = read(&dir.path().join("eval-result-20260301-120000.json")).unwrap();
        let result = &back.skills[0].task_results[0];
        let kept = if depth <= 100 { deep } else { json!(text) };
        assert_eq!([&result.input, &result.expected, result.output.as_ref().unwrap()], [&kept; 3], "{depth}");
        assert_eq!(back, of);
    }
}

#[test]
fn what_held_in_every_call_is_what_is_told() {
    let of = skill("a");
    let mut results = SkillResults::new(&of, "skill.json".to_owned(), vec!["address-space".to_owned()]);
    let mut weaker = answered("1", CheckOutcome::Passed, None);
    if let Executed::Output(output) = &mut weaker.execution.result {
        output.skill.as_mut().unwrap().enforced = vec!["process-group".to_owned()];
    }
    results.add(&task(0, &[]), &answered("1", CheckOutcome::Passed, None), limit(), Lang::En);
    results.add(&task(0, &[]), &weaker, limit(), Lang::En);
    let made = Made::of(Vec::new());
    let evaluation = {
        let mut inputs = super::made::inputs(&made, 2);
        let tasks = benchmark(vec![task(0, &[])]);
        inputs.benchmark = &tasks;
        eval_analysis::skills::evaluate(inputs, vec![results])
    };
    assert_eq!(evaluation.skills[0].enforced, ["process-group"]);
    assert_eq!(evaluation.skills[0].not_enforced, ["address-space"]);
}

#[test]
fn a_timeout_stands_at_its_own_limit_and_an_error_at_what_it_took() {
    let own = Task { timeout: Some(Duration::from_millis(1500)), ..task(0, &[]) };
    let failed = |failure| Executed::Failed(ExecError::new(failure, msg!("report-missing-timeout")));
    let latency = |task: &Task, failure| {
        task_result(&skill("a"), task, &record(failed(failure), None), limit(), Lang::En).latency_ms
    };
    assert_eq!(latency(&own, Failure::Timeout), Some(1500.0));
    assert_eq!(latency(&task(0, &[]), Failure::Timeout), Some(30_000.0));
    assert_eq!(latency(&task(0, &[]), Failure::Crashed), Some(250.0));
    assert_eq!(latency(&task(0, &[]), Failure::Spawn), None);
}

#[test]
fn percentiles_are_nearest_rank() {
    let of = |latencies: &[f64]| summary(&one(latencies.iter().map(|ms| at(PASS, *ms)).collect())).clone();
    // Wikipedia's "Percentile", nearest rank: 15, 20, 35, 40, 50
    close(of(&[15.0, 20.0, 35.0, 40.0, 50.0]).p50_latency_ms, 35.0);
    close(of(&[7.0]).p99_latency_ms, 7.0);
    close(of(&[1.0, 2.0]).p50_latency_ms, 1.0);
    let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    close(of(&hundred).p95_latency_ms, 95.0);
    close(of(&hundred).p99_latency_ms, 99.0);
    // what went wrong on our side has no say
    let evaluation = one(vec![at(PASS, 5.0), (TaskStatus::HarnessError, None, Some(9000.0))]);
    close(summary(&evaluation).p99_latency_ms, 5.0);
    assert_eq!(summary(&one(vec![HARNESS])).p50_latency_ms, None);
}

#[test]
fn a_dead_skill_s_composite_is_0_and_a_perfect_one_s_1() {
    close(summary(&one(vec![ERROR; 4])).composite_score, 0.0);
    close(summary(&one(vec![TIMEOUT; 4])).composite_score, 0.0);
    close(summary(&one(vec![at(PASS, 0.0); 4])).composite_score, 1.0);
    // slower than the limit is no worse than the limit
    close(summary(&one(vec![at(PASS, 9000.0); 4])).composite_score, 0.8);
    // wrong but alive
    close(summary(&one(vec![at(FAIL, 0.0); 4])).composite_score, 0.5);
    assert_eq!(summary(&one(vec![UNSCORED])).composite_score, None);
}

#[test]
fn one_run_has_no_consistency() {
    let single = one(vec![PASS, FAIL]);
    let of = summary(&single);
    assert_eq!((of.consistency_score, of.flip_rate, of.pass_hat_k), (None, None, None));
    let evaluation = several(vec![vec![PASS, FAIL], vec![FAIL, PASS], vec![PASS, PASS]]);
    // rates ½, ½, 1: mean 2/3, variance (1/36 + 1/36 + 4/36) / 3 = 1/18
    close(summary(&evaluation).consistency_score, 1.0 - (1.0_f64 / 18.0).sqrt());
    close(summary(&evaluation).flip_rate, 1.0);
    close(summary(&evaluation).pass_hat_k, 0.0);
}

#[test]
fn one_run_has_wilson_s_interval() {
    let mut endings = vec![PASS; 8];
    endings.extend([FAIL; 2]);
    let evaluation = one(endings);
    let interval = summary(&evaluation).completion_interval.clone().unwrap();
    assert_eq!((interval.method, interval.level), (RateMethod::Wilson, 0.95));
    // statsmodels.stats.proportion.proportion_confint(8, 10, method="wilson")
    assert!((interval.low - 0.490_162_47).abs() < 1e-7 && (interval.high - 0.943_317_82).abs() < 1e-7, "{interval:?}");
}

#[test]
fn several_runs_resample_tasks_with_all_their_runs() {
    // 20 tasks, half of them always pass: 60 results are no 60 observations
    let run: Vec<Ended> = (0..20).map(|i| if i % 2 == 0 { PASS } else { FAIL }).collect();
    let thrice = several(vec![run.clone(), run.clone(), run.clone()]);
    let of =
        |evaluation: &eval_format::skills::SkillEvaluation| summary(evaluation).completion_interval.clone().unwrap();
    let interval = of(&thrice);
    assert_eq!(interval.method, RateMethod::ClusteredBootstrap);
    let pooled = 1.96 * (0.25_f64 / 60.0).sqrt();
    assert!(interval.high - interval.low > 2.8 * pooled, "as wide as 20 observations ask for: {interval:?}");
    assert_eq!(interval, of(&several(vec![run.clone(), run.clone(), run.clone()])), "the same seed, the same numbers");
}

#[test]
fn no_interval_is_a_point() {
    for (ending, low, high) in [(PASS, 0.8, 1.0), (FAIL, 0.0, 0.2)] {
        let evaluation = several(vec![vec![ending; 20]; 3]);
        let interval = summary(&evaluation).completion_interval.clone().unwrap();
        assert_eq!(interval.method, RateMethod::ClusteredWilson);
        // Wilson of 20 observations, not of 60: 0.8389
        assert!(interval.low >= low && interval.high <= high && interval.high - interval.low > 0.15, "{interval:?}");
    }
    // one failure more never makes the interval narrower at its low end
    let mut nearly = vec![vec![PASS; 20]; 3];
    nearly[1][4] = FAIL;
    let (all, most) = (several(vec![vec![PASS; 20]; 3]), several(nearly));
    let low = |of: &eval_format::skills::SkillEvaluation| summary(of).completion_interval.clone().unwrap().low;
    assert!(low(&most) < low(&all));
}

#[test]
fn by_tag() {
    let mut made = Made::of(vec![("a", vec![vec![PASS, FAIL, PASS, ERROR]])]);
    for (task, tags) in made.benchmark.tasks.iter_mut().zip([vec!["x"], vec!["x", "y"], vec!["y", "y"], vec![]]) {
        task.tags = tags.into_iter().map(str::to_owned).collect();
    }
    let evaluation = made.evaluation();
    let tags = &evaluation.skills[0].tag_results;
    assert_eq!(tags.keys().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!((tags["y"].tasks, tags["x"].tasks), (2, 2), "a tag that is named twice counts once");
    close(tags["x"].completion_rate, 0.5);
    close(tags["y"].error_rate, 0.0);
}

#[test]
fn results_stand_in_the_benchmark_s_order() {
    let made = eventful_backwards();
    let order: Vec<(String, u32)> = made.skills[0].task_results.iter().map(|of| (of.task_id.clone(), of.run)).collect();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(order, sorted);
}

fn eventful_backwards() -> eval_format::skills::SkillEvaluation {
    let made = Made::of(vec![("a", vec![vec![PASS; 3]; 2])]);
    let of = skill("a");
    let mut results = SkillResults::new(&of, String::new(), Vec::new());
    for run in [2, 1] {
        made.benchmark
            .tasks
            .iter()
            .rev()
            .for_each(|task| drop(results.push(super::made::result(task, run, PASS)).clone()));
    }
    eval_analysis::skills::evaluate(super::made::inputs(&made, 2), vec![results])
}

#[test]
fn the_gate_is_at_least_and_not_more_than() {
    let gate = |passes: usize, least: f64| {
        let mut endings = vec![PASS; passes];
        endings.extend(vec![FAIL; 20 - passes]);
        let mut made = Made::of(vec![("a", vec![endings])]);
        made.gate = Some(least);
        made.evaluation().gate.unwrap().passed
    };
    assert!(gate(16, 0.8) && !gate(15, 0.8) && gate(0, 0.0) && gate(20, 1.0));
    let mut nothing = Made::of(vec![("a", vec![vec![UNSCORED]])]);
    nothing.gate = Some(0.0);
    assert!(!nothing.evaluation().gate.unwrap().passed, "a gate must not open because nothing counted");
}

/// Twenty sound skills would hide one that was hardly scored, if all were taken together.
#[test]
fn each_skill_is_sound_by_itself() {
    let mut dark = vec![UNSCORED; 19];
    dark.push(PASS);
    let names: Vec<String> = (0..20).map(|i| format!("good_{i}")).collect();
    let mut skills: Vec<_> = names.iter().map(|name| (name.as_str(), vec![vec![PASS; 20]])).collect();
    skills.push(("dark", vec![dark]));
    let mut made = Made::of(skills);
    made.gate = Some(0.7);
    let evaluation = made.evaluation();
    assert!(evaluation.is_unsound());
    assert_eq!(evaluation.skill("dark").unwrap().summary.completion_rate, Some(1.0));
    let gate = evaluation.gate.clone().unwrap();
    assert_eq!(
        (gate.passed, gate.failing, gate.reasons),
        (false, vec!["dark".to_owned()], vec![GateReason::Uncounted])
    );
    for name in ["markdown", "html"] {
        assert!(rendered(&evaluation, name).contains("could not be counted of 1 skill: dark"), "{name}");
    }
    assert!(evaluation_text(&evaluation, Lang::En, 80, false).contains("could not be counted of 1 skill: dark"));
}

#[test]
fn the_gate_says_why_it_refuses() {
    let mut made = Made::of(vec![
        ("good", vec![vec![PASS; 4]]),
        ("poor", vec![vec![PASS, FAIL, FAIL, FAIL]]),
        ("silent", vec![Vec::new()]),
    ]);
    made.gate = Some(0.7);
    let reasons = |made: &Made| made.evaluation().gate.unwrap().reasons;
    assert_eq!(reasons(&made), [GateReason::Below, GateReason::Unknown]);
    made.status = EvaluationStatus::Interrupted;
    assert_eq!(reasons(&made), [GateReason::Incomplete, GateReason::Below, GateReason::Unknown]);
}

#[test]
fn what_was_never_called_has_no_composite_score() {
    let uncalled = |ended: Ended| (ended.0, ended.1, None);
    let evaluation = one(vec![uncalled(PASS), uncalled(FAIL)]);
    assert_eq!(summary(&evaluation).completion_rate, Some(0.5));
    assert_eq!((summary(&evaluation).p95_latency_ms, summary(&evaluation).composite_score), (None, None));
    assert!(evaluation.notes[0].contains("never called"), "{:?}", evaluation.notes);
}
