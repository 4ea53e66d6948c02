//! Exports that `omk verdict` reads back: the numbers of the run come out again.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use eval_format::Report;
use eval_render::formats::format_named;
use eval_spec::{Failure, Layer, Outcome};
use serde_json::{Value, json};
use testkit::tools;

use crate::fixtures::context::{TestContext, files};
use crate::fixtures::recorded::{RecordedProject, RecordedResult, both, ended};
use crate::fixtures::scores::{gain, ground, near, number};

/// Forty samples, twice each; what failed and what was refused has no score.
fn project() -> RecordedProject {
    RecordedProject::new(40, &["v1", "v2"], 2, &[Layer::Fact, Layer::Behavior], |at| {
        let repeat = u32::try_from(at.sample).unwrap() % 2 * at.repeat;
        match (at.sample, at.variant, at.repeat) {
            (0, 1, 1) | (1, 0, _) => RecordedResult::Failed(Failure::Crashed),
            (2, 1, _) | (3, 0, 0) => ended(Outcome::Refused),
            (_, 0, _) => both(ground(at.sample) - repeat, 50),
            _ => both(ground(at.sample) + gain(at.sample), 50 + repeat),
        }
    })
}

/// The report of the run, and its file.
fn run(project: &RecordedProject) -> (Value, String) {
    let run = project.report(1, &["--threshold", "1", "--retry", "0", "--gate", "progress"]);
    let path = files(&project.context.path("out")).pop().unwrap();
    (run, path.to_str().unwrap().to_owned())
}

/// The report of `omk verdict` on files that the run was exported to.
fn read_back(project: &RecordedProject, run: &Value, arguments: &[&str]) -> Value {
    let seed = run["meta"]["seed"].to_string();
    let flags = ["--control", "v1", "--seed", &seed, "--report-only", "--json"];
    project.context.run(&[&["verdict"], arguments, &flags].concat()).expect(0).json()
}

#[track_caller]
fn assert_same_numbers(run: &Value, read: &Value) {
    for variant in ["v1", "v2"] {
        let [of_run, of_read] = [run, read].map(|of| &of["summary"][variant]);
        near(&of_read["avgCompositeScore"], number(&of_run["avgCompositeScore"]), 1e-9);
        near(&of_read["ci"]["low"], number(&of_run["ci"]["low"]), 1e-9);
        for count in ["totalSamples", "scoredSamples", "plannedScores", "missingScores"] {
            assert_eq!(of_read[count], of_run[count], "{variant}: {count}");
        }
        assert!(number(&of_run["missingScores"]) > 0.0, "{of_run}");
        assert_eq!(of_read["outcomes"]["failed"], of_run["outcomes"]["failed"]);
    }
    let [of_run, of_read] = [run, read].map(|of| &of["comparisons"][0]);
    assert_eq!(of_read["n"], of_run["n"]);
    let left_out = |of: &Value| -> Vec<Value> {
        of["excluded"].as_array().unwrap().iter().map(|of| of["sample_id"].clone()).collect()
    };
    assert_eq!(left_out(of_read), left_out(of_run));
    for part in ["/diff/mean", "/diff/ci/low", "/diff/ci/high", "/diff/pValue"] {
        near(of_read.pointer(part).unwrap(), number(of_run.pointer(part).unwrap()), 1e-9);
    }
}

#[test]
fn json_lines_give_the_means_pairs_and_missing_scores_of_the_run() {
    let project = project();
    let (run, report) = run(&project);
    let export = ["report", "export", &report, "--format", "jsonl", "--output", "rows.jsonl"];
    project.context.run(&export).expect(0);
    let read = read_back(&project, &run, &["rows.jsonl", "--scale", "1..5"]);
    assert_same_numbers(&run, &read);
    assert_eq!(read["meta"]["imported"]["mapping"], json!({"kind": "scale", "worst": 1.0, "best": 5.0}));
    // A layer is a column like any other.
    let fact = read_back(&project, &run, &["rows.jsonl", "--score-column", "fact", "--scale", "1..5"]);
    near(&fact["summary"]["v2"]["avgCompositeScore"], number(&run["summary"]["v2"]["layers"]["fact"]["mean"]), 1e-9);
}

fn logs(project: &RecordedProject, report: &str) -> Vec<PathBuf> {
    let export = ["report", "export", report, "--format", "inspect", "--output", "logs", "--json"];
    let told = project.context.run(&export).expect(0).json();
    let logs = files(&project.context.path("logs"));
    assert_eq!(told["files"].as_array().unwrap().len(), logs.len());
    logs
}

#[test]
fn logs_of_inspect_give_the_means_pairs_and_missing_scores_of_the_run() {
    let project = project();
    let (run, report) = run(&project);
    let logs = logs(&project, &report);
    let [v1, v2] = [&logs[0], &logs[1]].map(|path| path.to_str().unwrap());
    let read = read_back(&project, &run, &[v1, v2]);
    assert_same_numbers(&run, &read);
    assert_eq!(read["meta"]["imported"]["score"], "composite");
    let home = project.context.home().join("reports");
    let inside = ["report", "export", &report, "--format", "inspect", "--output", home.to_str().unwrap()];
    project.context.run(&inside).expect(2);
}

/// Reads logs with Inspect's own models, and has it compute the means anew from their samples.
const READER: &str = "\
import json, sys
from inspect_ai.log import read_eval_log, recompute_metrics
def means(log):
    return {s.name: [s.metrics['mean'].value, s.scored_samples, s.unscored_samples] for s in log.results.scores}
for path in sys.argv[1:]:
    log = read_eval_log(path)
    stated = means(log)
    recompute_metrics(log)
    errors = sum(sample.error is not None for sample in log.samples)
    calls = sum(len(m.tool_calls or []) for s in log.samples for m in s.messages if m.role == 'assistant')
    print(json.dumps({'task': log.eval.task, 'samples': len(log.samples), 'errors': errors, 'calls': calls,
        'stated': stated, 'again': means(log), 'completed': log.results.completed_samples}))
";

#[test]
fn inspect_itself_reads_the_logs_and_computes_the_same_means() {
    let Some(inspect) = tools::inspect() else { return };
    let project = project();
    let (run, report) = run(&project);
    let logs = logs(&project, &report);
    let inspect_run = |program: PathBuf, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).args(&logs).env("HOME", project.context.root());
        let output = command.env("XDG_DATA_HOME", project.context.path("data")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = inspect_run(inspect.with_file_name("python"), &["-c", READER]);
    let read: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read.iter().map(|of| &of["task"]).collect::<Vec<_>>(), ["v1", "v2"]);
    for of in &read {
        let summary = &run["summary"][of["task"].as_str().unwrap()];
        let composite = (number(&summary["avgCompositeScore"]) - 1.0) / 4.0;
        for means in ["stated", "again"] {
            near(&of[means]["composite"][0], composite, 1e-9);
            near(&of[means]["fact"][0], (number(&summary["layers"]["fact"]["mean"]) - 1.0) / 4.0, 1e-9);
            assert_eq!(of[means]["composite"][1], summary["scoredSamples"], "{means}");
        }
        assert_eq!((&of["samples"], &of["errors"]), (&json!(80), &summary["outcomes"]["failed"]));
        assert!(number(&of["calls"]) > 0.0);
    }
    for log in &logs {
        let output = Command::new(&inspect).args(["log", "dump"]).arg(log).env("HOME", project.context.root()).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let dumped: Value = serde_json::from_slice(&output.stdout).unwrap();
        let written: Value = serde_json::from_slice(&fs::read(log).unwrap()).unwrap();
        assert_eq!(dumped["eval"]["task"], written["eval"]["task"]);
        assert_eq!(dumped["samples"].as_array().unwrap().len(), 80);
    }
}

/// The books name every key: who reads the lines has no schema.
#[test]
fn every_key_of_a_line_is_in_both_books() {
    let project = project();
    let (_, report) = run(&project);
    let lines = project.context.run(&["report", "export", &report, "--format", "jsonl"]).expect(0).stdout;
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    for book in ["en", "zh"] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/{book}/report-file.md"));
        let chapter = fs::read_to_string(path).unwrap();
        for key in first.as_object().unwrap().keys() {
            assert!(chapter.contains(&format!("`{key}`")), "{book}: `{key}`");
        }
    }
}

/// The limit of an export is that of the command that reads it.
#[test]
fn rows_are_exported_up_to_what_is_read_back() {
    let context = TestContext::new();
    for name in ["csv", "jsonl", "junit"] {
        let format = format_named::<Report>(name).unwrap();
        let file = format!("rows.{}", format.extension);
        let sparse = |bytes: u64| {
            fs::File::create(context.path(&file)).unwrap().set_len(bytes).unwrap();
            context.run(&["verdict", &file, "--control", "v1"]).expect(2)
        };
        sparse(format.most_bytes() + 1).says(&["at most 512 MB"]);
    }
}
