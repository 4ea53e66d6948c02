//! `--output`: which files may be overwritten, and how files are written.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::{Finished, TestContext};

/// One skill, evaluated twice: `a.json` and `b.json`.
fn evaluated() -> TestContext {
    let context = TestContext::new();
    skills::lookup(&context.path("skills/one"), &[(json!({"n": 1}), json!(1))]);
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 1}, "expectedOutput": {"value": 1}}]));
    for name in ["a.json", "b.json"] {
        context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
        fs::copy(context.path("reports/eval-result.json"), context.path(name)).unwrap();
    }
    context.write("strategy.yaml", "sortBy: latency\n");
    context.write("data.jsonl", "{\"task_id\": \"x\", \"Question\": \"?\", \"Final answer\": \"1\", \"Level\": 1}\n");
    context
}

const DIFF: [&str; 4] = ["report", "diff", "a.json", "b.json"];
const SELECT: [&str; 7] = ["select", "--from", "skills", "--reports", "a.json", "--strategy", "strategy.yaml"];
const CONVERT: [&str; 6] = ["report", "convert", "--input", "a.json", "--format", "csv"];
const IMPORT: [&str; 5] = ["benchmark", "import", "gaia", "data.jsonl", "--force"];

fn to(context: &TestContext, command: &[&str], output: &str) -> Finished {
    context.run(&[command, &["--output", output]].concat())
}

#[test]
fn commands_overwrite_neither_their_inputs_nor_other_kinds_of_results() {
    let context = evaluated();
    to(&context, &SELECT, "chosen.json").expect(0);
    context.write_json("bench.json", &json!({"id": "x", "version": "1.0.0", "tasks": []}));
    fs::hard_link(context.path("b.json"), context.path("hard.json")).unwrap();
    symlink("a.json", context.path("soft.json")).unwrap();
    let before = context.tree();
    let refused = |command: &[&str], outputs: &[&str]| {
        for output in outputs {
            let finished = to(&context, command, output).expect(2);
            assert!(finished.stderr.contains(output), "{command:?}: {finished:#?}");
        }
    };
    refused(
        &DIFF,
        &["a.json", "b.json", "hard.json", "soft.json", "chosen.json", "skills/one/skill.json", "bench.json"],
    );
    refused(&SELECT, &["a.json", "b.json", "strategy.yaml", "skills/one/skill.json", "bench.json", "eval-skills.db"]);
    refused(&CONVERT, &["a.json", "soft.json", "b.json", "chosen.json", "skills/one/skill.json"]);
    refused(&IMPORT, &["data.jsonl", "a.json", "chosen.json", "skills/one/skill.json"]);
    for file in ["a.json", "chosen.json", "skills/one/skill.json"] {
        context.run(&["-c", file, "config", "set", "runs", "3"]).expect(2);
    }
    assert_eq!(context.tree(), before);
    // The command's own earlier result is overwritten.
    for (command, output) in
        [(&DIFF[..], "x.md"), (&SELECT, "chosen.json"), (&CONVERT, "x.csv"), (&IMPORT, "bench.json")]
    {
        to(&context, command, output).expect(0);
        to(&context, command, output).expect(0);
    }
}

/// As root, renaming a file over a device or a link would replace it.
#[test]
fn pipes_and_links_are_written_through() {
    let context = evaluated();
    let pipe = context.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for (command, holds) in
        [(&DIFF[..], "# a → b"), (&SELECT, "eval-skills-selection"), (&CONVERT, "evaluation,"), (&IMPORT, "\"gaia")]
    {
        let path = pipe.clone();
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            fs::File::open(path).unwrap().read_to_string(&mut text).unwrap();
            text
        });
        to(&context, command, "pipe").expect(0);
        let text = reader.join().unwrap();
        assert!(text.contains(holds), "{command:?}: {text}");
        let is_pipe = fs::symlink_metadata(&pipe).unwrap().mode() & 0o170_000 == 0o010_000;
        assert!(is_pipe, "{command:?}");

        // First with an absent target, then with an existing one.
        let link = context.path("link");
        symlink("behind.txt", &link).unwrap();
        for _ in 0..2 {
            to(&context, command, "link").expect(0);
            assert!(link.is_symlink() && context.read("behind.txt").contains(holds), "{command:?}");
        }
        fs::remove_file(link).unwrap();
        fs::remove_file(context.path("behind.txt")).unwrap();
    }
    context.run(&["-c", "pipe", "config", "set", "runs", "3"]).expect(2).says(&["pipe"]);
}

#[test]
fn dash_is_standard_output() {
    let context = evaluated();
    for dash in ["-", "/dev/stdout"] {
        assert!(to(&context, &DIFF, dash).expect(0).stdout.starts_with("# a → b"));
        assert_eq!(to(&context, &SELECT, dash).expect(0).json()["kind"], "eval-skills-selection");
        assert!(to(&context, &CONVERT, dash).expect(0).stdout.starts_with("evaluation,"));
        assert!(to(&context, &IMPORT, dash).expect(0).json()["tasks"].is_array());
        to(&context, &[&DIFF[..], &["--json"]].concat(), dash).expect(2).says(&["--json"]);
    }
    assert!(!context.path("-").exists());
    // Both streams lead into the same file, which must not be replaced.
    let file = fs::File::create(context.path("both.txt")).unwrap();
    let before = file.metadata().unwrap().ino();
    let status = context.command(&[&CONVERT[..], &["--output", "/dev/stdout"]].concat()).stdout(file).status().unwrap();
    assert!(status.success() && context.path("both.txt").metadata().unwrap().ino() == before);
    assert!(context.read("both.txt").starts_with("evaluation,"));
}

#[test]
fn new_files_follow_the_umask_and_existing_files_keep_their_mode() {
    let context = evaluated();
    let mode = |name: &str| context.path(name).metadata().unwrap().permissions().mode() & 0o777;
    context.write("plain", "");
    let usual = mode("plain") & 0o644;
    for (command, output) in [(&DIFF[..], "x.md"), (&SELECT, "x.json"), (&CONVERT, "x.csv"), (&IMPORT, "bench.json")] {
        to(&context, command, output).expect(0);
        assert_eq!(mode(output), usual, "{output}");
        fs::set_permissions(context.path(output), fs::Permissions::from_mode(0o600)).unwrap();
        to(&context, command, output).expect(0);
        assert_eq!(mode(output), 0o600, "{output}");
    }
    assert_eq!(mode("reports/eval-result.json"), usual);
    assert!(Path::new(&context.path("bench.json")).exists());
    let bench: Value = serde_json::from_str(&context.read("bench.json")).unwrap();
    assert_eq!(bench["tasks"].as_array().unwrap().len(), 1);
}

#[test]
fn copies_of_an_earlier_evaluation_are_reported() {
    let context = evaluated();
    let before = context.read("reports/eval-result.json");
    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json", "--format", "markdown"];
    let finished = context.run(&eval).expect(0).says(&["of an earlier evaluation still: reports/eval-result.json"]);
    assert!(!finished.stderr.contains("still: reports/eval-result.md"), "{finished:#?}");
    assert_eq!(context.read("reports/eval-result.json"), before);
}
