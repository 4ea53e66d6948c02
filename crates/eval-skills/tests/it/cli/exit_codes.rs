//! Exit codes, and errors before anything runs.

use std::os::unix::ffi::OsStrExt;

use serde_json::json;

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{skill, tasks};

#[test]
fn usage_errors_exit_with_2_before_anything_runs() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    let before = context.tree();
    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json"];
    for (more, wrong) in [
        (&["--skills", "missing"][..], &["missing"][..]),
        (&["--format", "pdf"], &["pdf", "--format"]),
        (&["--format", "json", "pdf"], &["pdf"]),
        (&["--concurrency", "four"], &["four", "--concurrency"]),
        (&["--concurrency", "0"], &["--concurrency"]),
        (&["--concurrency", "-1"], &["-1"]),
        (&["--timeout", "30s"], &["30s", "--timeout"]),
        (&["--runs", "1.5"], &["1.5", "--runs"]),
        (&["--runs", "0"], &["--runs"]),
        (&["--retries", "many"], &["many", "--retries"]),
        (&["--min-completion", "80"], &["80", "--min-completion"]),
        (&["--min-completion", "1.01"], &["1.01"]),
        (&["--min-completion", "-0.1"], &["-0.1"]),
        (&["--min-completion", "NaN"], &["NaN"]),
        (&["--min-completion", "high"], &["high"]),
        (&["--evaluator", "exakt"], &["exakt", "exact"]),
        (&["--benchmark", "coding-easy"], &["--benchmark", "--tasks"]),
        (&["--no-such-flag"], &["--no-such-flag"]),
        (&["-c", "no.yaml"], &["no.yaml"]),
    ] {
        context.run(&[&eval[..], more].concat()).expect(2).says(wrong);
    }
    for arguments in [
        &["eval"][..],
        &["evil"],
        &[],
        &["report", "nothing"],
        &["find", "--min-completion", "2"],
        &["find", "--adapter", "soap"],
        &["select", "--from", "nowhere"],
        &["report", "diff", "a.json", "b.json"],
        &["report", "convert", "--input", "a.json", "--format", "html"],
        &["report", "convert", "--input", "tasks.json", "--format", "html"],
        &["run", "--skills-dir", "nowhere"],
        &["trend", "--skill", "one"],
        &["eval", "--resume", "latest"],
    ] {
        let ended = context.run(arguments).expect(2);
        assert!(!ended.stderr.trim().is_empty(), "{arguments:?} says nothing");
    }
    assert_eq!(context.tree(), before, "nothing was to be written");
}

/// A skill that works, one without its program, one without its token.
fn one_ready_of_three(context: &TestContext) {
    testkit::skills::python_calculator(&context.path("skills/works"));
    context.skill("skills/no_program", &json!({"entrypoint": "no-such-program x"}));
    context.skill("skills/no_token", &json!({"adapterType": "http", "entrypoint": "http://127.0.0.1:9/"}));
    context.write_json(
        "skills/no_token/adapter.config.json",
        &json!({"authType": "bearer", "authTokenEnvKey": "NO_SUCH_TOKEN"}),
    );
}

#[test]
fn uncallable_skills_are_all_reported_before_anything_runs() {
    let context = TestContext::new();
    one_ready_of_three(&context);
    let before = context.tree();
    for more in [&[][..], &["--dry-run"]] {
        let end = context.run(&[&["eval", "--skills", "skills"], more].concat()).expect(2);
        end.says(&["no-such-program", "skills/no_program/skill.json", "NO_SUCH_TOKEN", "skills/no_token/skill.json"]);
    }
    assert_eq!(context.tree(), before);
    // Commands that only read files call no skill.
    context.run(&["eval", "--skills", "skills", "--benchmark", "skill-quality"]).expect(0);
}

#[test]
fn run_skips_uncallable_skills_with_a_warning() {
    let context = TestContext::new();
    one_ready_of_three(&context);
    let end = context.run(&["run", "--json", "--skills-dir", "skills", "--benchmark", "coding-easy"]).expect(0);
    let document = end.says(&["warning", "no-such-program", "NO_SUCH_TOKEN"]).json();
    let evaluated: Vec<&str> = document["evaluation"]["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["skillId"].as_str().unwrap())
        .collect();
    assert_eq!(evaluated, ["works"]);
    assert_eq!(document["selection"]["excluded"].as_array().unwrap().len(), 2, "{}", document["selection"]);
}

#[test]
fn lost_output_is_no_success() {
    let context = TestContext::new();
    for arguments in [&["benchmark", "list"][..], &["config", "list", "--json"], &["eval", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = context.command(arguments).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {stderr}");
        assert!(stderr.contains("standard output"), "{stderr}");
    }
}

#[test]
fn file_size_limit_is_an_error_and_does_not_kill_the_process() {
    let context = TestContext::new();
    testkit::skills::python_calculator(&context.path("skills/calc"));
    // Blocks of 512 bytes: enough to begin with, too few for the store.
    let shell = "ulimit -f 24; exec \"$0\" eval --skills skills/calc --benchmark coding-easy --runs 3";
    let mut command = context.command(&[]);
    let program = command.get_program().to_owned();
    let environment: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = std::process::Command::new("sh");
    command.args(["-c", shell]).arg(program).current_dir(context.path(".")).env_clear();
    command.envs(environment.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(2 | 3)), "{:?}: {stderr}", output.status);
    assert!(stderr.contains("error"), "{stderr}");
}

#[test]
fn obstructed_report_path_is_reported_before_anything_runs() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    std::fs::create_dir_all(context.path("reports/eval-result.json")).unwrap();
    let eval = ["eval", "--skills", "skills/one", "--tasks", "tasks.json"];
    context.run(&eval).expect(2).says(&["reports/eval-result.json", "directory"]);
    assert!(!context.path("eval-skills.db").exists());
    std::fs::remove_dir(context.path("reports/eval-result.json")).unwrap();
    context.write_json("reports/eval-result.json", &json!({"kind": "eval-skills-result", "schemaVersion": 99}));
    context.run(&eval).expect(2).says(&["reports/eval-result.json", "99"]);
}

#[test]
fn non_utf8_path_is_an_input_error() {
    let context = TestContext::new();
    testkit::skills::python_calculator(&context.path("plain"));
    let odd = context.path(".").join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    std::fs::rename(context.path("plain"), &odd).expect("a file system that takes any name");
    for more in [&[][..], &["--dry-run"]] {
        let mut command = context.command(&["eval", "--skills"]);
        let output = command.arg(&odd).args(more).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("UTF-8"), "{stderr}");
    }
}

#[test]
fn plan_whose_report_nobody_could_read_is_refused_before_a_call() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    // in each of its results
    let large = "x".repeat(3 << 20);
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 1}, "expectedOutput": {"value": large}}]));
    let refused = context.run(&["eval", "--skills", "skills/one", "--tasks", "tasks.json", "--runs", "683"]).expect(2);
    refused.says(&["at most 2048 MiB are read", "in parts", "nothing was called"]);
    assert!(!context.path("reports").exists());
}
