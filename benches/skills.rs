//! Measures `eval-skills` with Python skills.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::figures::Figure;
use crate::program;
use crate::used::{Used, measured, used};

/// How many of them run at once.
const AT_ONCE: usize = 8;

/// 500 tasks for a Python program that stays.
pub(crate) fn persistent() -> Vec<Figure> {
    let project = project(500);
    let run = (0..3)
        .map(|_| used(&mut evaluation(project.path(), "persistent")).succeeded())
        .min_by_key(|run| run.wall)
        .unwrap();
    vec![
        Figure::at_most(1.0, "s", "500 tasks, concurrency 8, a program that stays", run.wall.as_secs_f64()),
        Figure::unbound("s", "500 tasks, processor time", run.cpu.as_secs_f64()),
        Figure::at_most(40.0, "MiB", "500 tasks, memory", run.peak_mib),
    ]
}

/// 200 tasks for a Python program that each starts anew. Runs with and without `eval-skills` take turns: other work on
/// the machine slows both alike.
pub(crate) fn one_shot() -> Vec<Figure> {
    const TASKS: usize = 200;
    let project = project(TASKS);
    let root = project.path();
    let pairs: Vec<(Duration, Used)> =
        (0..3).map(|_| (starts(root, TASKS), used(&mut evaluation(root, "one_shot")).succeeded())).collect();
    let bare = pairs.iter().map(|(bare, _)| bare.as_secs_f64()).fold(f64::INFINITY, f64::min);
    let whole = pairs.iter().map(|(_, run)| run.wall.as_secs_f64()).fold(f64::INFINITY, f64::min);
    let peak = pairs.iter().map(|(_, run)| run.peak_mib).fold(0.0, f64::max);
    vec![
        Figure::at_most(1.2, "x bare", "200 tasks, concurrency 8, a program for each", whole / bare),
        Figure::unbound("MiB", "200 tasks, memory", peak),
    ]
}

/// A directory with two skills and `tasks` tasks.
fn project(tasks: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    testkit::skills::persistent_calculator(&root.join("persistent"));
    testkit::skills::python_calculator(&root.join("one_shot"));
    let tasks: Vec<Value> = (0..tasks).map(task).collect();
    fs::write(root.join("tasks.json"), json!(tasks).to_string()).unwrap();
    directory
}

fn task(number: usize) -> Value {
    let value = (number + 1).to_string();
    json!({
        "id": format!("t{number}"),
        "inputData": {"expression": format!("{number}+1")},
        "expectedOutput": {"type": "exact", "value": value},
    })
}

fn evaluation(root: &Path, skill: &str) -> Command {
    let mut command = measured(program(), "eval-skills");
    let arguments = ["eval", "--skills", skill, "--tasks", "tasks.json", "--concurrency", "8", "--format", "json"];
    command.args(arguments).current_dir(root).env("EVAL_SKILLS_HOME", root.join("home"));
    command
}

/// Starts the same program as often on the same input, eight at a time, without `eval-skills`.
fn starts(root: &Path, tasks: usize) -> Duration {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"execute","params":{"expression":"1+1"}}"#;
    fs::write(root.join("request"), request).unwrap();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..AT_ONCE {
            scope.spawn(move || {
                for _ in (worker..tasks).step_by(AT_ONCE) {
                    let mut python = Command::new("python3");
                    python.arg("skill.py").current_dir(root.join("one_shot"));
                    python.stdin(File::open(root.join("request")).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
                    assert!(python.status().unwrap().success());
                }
            });
        }
    });
    begun.elapsed()
}
