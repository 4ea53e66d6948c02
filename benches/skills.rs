//! Measures `eval-skills` as a whole command: `cargo bench -p eval-skills` (release build). One line per figure, with its
//! bound; `docs/en/performance.md` says what each means.
#![expect(clippy::print_stdout, reason = "a program that prints its figures")]
#![expect(clippy::unwrap_used, reason = "a measurement may as well fail loudly")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use used::{Used, used};

mod used;

/// How many tasks.
const TASKS: usize = 500;
/// How many of them at once.
const AT_ONCE: usize = 8;

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    testkit::skills::persistent_calculator(&root.join("persistent"));
    testkit::skills::python_calculator(&root.join("one_shot"));
    let tasks: Vec<Value> = (0..TASKS).map(task).collect();
    fs::write(root.join("tasks.json"), json!(tasks).to_string()).unwrap();

    let run = best(5, || used(&mut evaluation(root, "persistent")));
    println!(
        "{TASKS} tasks, concurrency 8, a Python program that stays: {:.2} s [bound 1 s], {:.2} s CPU; {:.0} MiB [bound 40]; {}",
        run.wall.as_secs_f64(),
        run.cpu.as_secs_f64(),
        run.peak_mib,
        run.status
    );
    // In turns, so that what else the machine does meets both alike.
    let (mut bare, mut held) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        bare.push(starts(root));
        held.push(used(&mut evaluation(root, "one_shot")));
    }
    let (bare, held) = (bare.into_iter().min().unwrap(), least(held));
    println!(
        "{TASKS} tasks, concurrency 8, a Python program for each: {:.2} s, {:.2} x the bare starts ({:.2} s) [bound 1.2 x]; \
         {:.0} MiB; {}",
        held.wall.as_secs_f64(),
        held.wall.as_secs_f64() / bare.as_secs_f64(),
        bare.as_secs_f64(),
        held.peak_mib,
        held.status
    );
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_eval-skills"));
    let arguments = ["eval", "--skills", skill, "--tasks", "tasks.json", "--concurrency", "8", "--format", "json"];
    command.args(arguments).current_dir(root).env("EVAL_SKILLS_HOME", root.join("home"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The same program on the same input as often, eight at a time, with nobody around it.
fn starts(root: &Path) -> Duration {
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"execute","params":{"expression":"1+1"}}"#;
    fs::write(root.join("request"), request).unwrap();
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for worker in 0..AT_ONCE {
            scope.spawn(move || {
                for _ in (worker..TASKS).step_by(AT_ONCE) {
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

fn best(times: usize, mut run: impl FnMut() -> Used) -> Used {
    least((0..times).map(|_| run()).collect())
}

fn least(runs: Vec<Used>) -> Used {
    runs.into_iter().min_by(|a, b| a.wall.cmp(&b.wall)).unwrap()
}
