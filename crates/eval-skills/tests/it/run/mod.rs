//! Running skills: adapters, limits, gate, resume, store.

mod chosen_tasks;
mod gate;
mod hostile_skills;
mod http;
mod mcp;
mod programs;
mod resume;
mod store;

use serde_json::{Value, json};
use testkit::skills::{API_KEY, TOKEN};

use crate::fixtures::context::TestContext;

/// A task that expects an answer.
fn task(id: &str, input: &Value, expected: &Value) -> Value {
    json!({"id": id, "inputData": input, "expectedOutput": {"value": expected}})
}

/// Evaluates one skill on these tasks; its part of the report.
#[track_caller]
fn evaluated(context: &TestContext, skill: &str, tasks: &Value, more: &[&str]) -> Value {
    context.write_json("tasks.json", tasks);
    let eval = ["eval", "--json", "--skills", skill, "--tasks", "tasks.json"];
    context.run_with(&[&eval[..], more].concat(), SECRETS).expect(0).json()["skills"][0].clone()
}

/// Environment variables of every evaluation.
const SECRETS: &[(&str, &str)] = &[
    ("CALC_TOKEN", TOKEN),
    ("CALC_KEY", API_KEY),
    ("NAMED", "passed"),
    ("SECRET", "not for skills"),
    ("LANG", "C.UTF-8"),
];

fn sum(id: &str) -> Value {
    task(id, &json!({"expression": "2+3"}), &json!("5"))
}
