//! `tests`: tasks beside the skill.

use eval_message::{Message, msg};
use eval_spec::callable::CallableSkill;
use serde_json::Value;

use super::files::{listed, text};
use crate::scorer::OutputSchema;
use crate::scorer::quality::point::{QualityPoint, unless};

/// Folders with tests.
const FOLDERS: [&str; 4] = ["tests", "test", "evals", "benchmarks"];

/// Files that are read in search of tasks.
const MOST: usize = 50;

/// As many tasks as make a test of more than one case.
const ENOUGH: usize = 3;

pub(super) fn points(skill: &CallableSkill) -> Vec<QualityPoint> {
    let tasks = tasks(skill);
    let count = || msg!("skills-grade-quality-few-tasks", count = tasks.len(), least = ENOUGH);
    vec![
        ("benchmark", unless(!tasks.is_empty(), || msg!("skills-grade-quality-no-tasks"))),
        ("three", unless(tasks.len() >= ENOUGH, count)),
        ("fit", fit(skill, &tasks)),
    ]
}

/// The entries of the lists `tasks` and `evals` in the skill's JSON files.
fn tasks(skill: &CallableSkill) -> Vec<Value> {
    let is_test = |path: &std::path::Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.iter().next().map(|folder| folder.to_string_lossy()).unwrap_or_default();
        let inside = path.iter().count() > 1 && FOLDERS.contains(&&*folder);
        name.ends_with(".json") && (inside || name.ends_with(".eval.json") || name == "benchmark.json")
    };
    let files = listed(&skill.directory).into_iter().filter(|entry| !entry.is_link && is_test(&entry.path)).take(MOST);
    let read = files.filter_map(|entry| text(&skill.directory.join(entry.path)));
    let documents = read.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
    documents.flat_map(listed_in).collect()
}

fn listed_in(document: Value) -> Vec<Value> {
    match document {
        Value::Array(tasks) => tasks.into_iter().filter(Value::is_object).collect(),
        Value::Object(mut fields) => ["tasks", "evals"]
            .iter()
            .filter_map(|key| fields.remove(*key))
            .flat_map(|tasks| if let Value::Array(tasks) = tasks { tasks } else { Vec::new() })
            .collect(),
        _ => Vec::new(),
    }
}

fn fit(skill: &CallableSkill, tasks: &[Value]) -> Result<(), Message> {
    if tasks.is_empty() {
        return Err(msg!("skills-grade-quality-no-tasks"));
    }
    let Some(schema) = skill.input_schema.as_ref().map(OutputSchema::new).transpose()? else { return Ok(()) };
    let inputs = tasks.iter().filter_map(|task| task.get("inputData"));
    match { inputs }.find_map(|input| schema.mismatches(input).into_iter().next()) {
        Some(mismatch) => Err(msg!("skills-grade-quality-misfit", mismatch = mismatch)),
        None => Ok(()),
    }
}
