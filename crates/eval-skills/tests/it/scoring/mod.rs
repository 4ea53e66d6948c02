//! Scoring: from answers to numbers.

mod metrics;
mod scorers;

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;

/// An answer, how it is scored, and the expected result.
struct Case {
    output: Value,
    expected: Value,
    evaluator: Option<Value>,
    status: &'static str,
    score: Option<f64>,
}

fn case(output: Value, expected: Value, evaluator: Option<Value>, status: &'static str, score: f64) -> Case {
    Case { output, expected, evaluator, status, score: Some(score) }
}

fn pass(output: Value, expected: Value) -> Case {
    case(output, expected, None, "pass", 1.0)
}

fn fail(output: Value, expected: Value) -> Case {
    case(output, expected, None, "fail", 0.0)
}

/// One skill that gives these answers, and one file of tasks that expects them.
fn prepare(context: &TestContext, cases: &[Case]) {
    let input = |n: usize| json!({"case": n});
    let answers: Vec<_> = cases.iter().enumerate().map(|(n, case)| (input(n), case.output.clone())).collect();
    skills::lookup(&context.path("skills/one"), &answers);
    let task = |(n, case): (usize, &Case)| {
        let mut task = json!({"id": format!("t{n}"), "inputData": input(n), "expectedOutput": case.expected});
        if let Some(evaluator) = &case.evaluator {
            task["evaluator"] = evaluator.clone();
        }
        task
    };
    context.write_json("tasks.json", &cases.iter().enumerate().map(task).collect());
}

/// Checks the status and score of every case; gives the report.
#[track_caller]
fn check(context: &TestContext, cases: &[Case], more: &[&str], code: i32) -> Value {
    prepare(context, cases);
    let report = context.evaluate(&[&["--skills", "skills", "--tasks", "tasks.json"], more].concat(), code);
    let results = report["skills"][0]["taskResults"].as_array().unwrap();
    let runs = results.len() / cases.len();
    for (at, found) in results.iter().enumerate() {
        let case = &cases[at / runs];
        let is = (found["status"].as_str().unwrap(), found["score"].as_f64());
        assert_eq!(is, (case.status, case.score), "{} for {}: {found}", case.output, case.expected);
    }
    report
}
