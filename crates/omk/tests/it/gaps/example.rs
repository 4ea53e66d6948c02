//! The example whose handbook is filled version by version: its recorded runs, replayed by its own script.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};
use testkit::Finished;

use crate::book::{path, read};
use crate::fixtures::context::TestContext;

const EXAMPLE: &str = "examples/knowledge-gaps";

/// Runs the example's script in the environment of the project's own program.
fn replay(context: &TestContext) -> Finished {
    let program = context.command(&[]);
    let environment = program.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let script = path(&format!("{EXAMPLE}/replay.sh"));
    let mut command = Command::new("bash");
    command.arg(script).arg(context.path("replayed")).env_clear().envs(environment).env("OMK", program.get_program());
    Finished::from(command.output().unwrap())
}

/// A row of the README's table: version, lines of the handbook, commit, gaps, right answers.
fn rows() -> Vec<[String; 5]> {
    let text = read(&format!("{EXAMPLE}/README.md"));
    let (_, rest) = text.split_once("<!-- versions -->").unwrap();
    let (table, _) = rest.split_once("<!-- /versions -->").unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| {
        let cells: Vec<String> = row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
        cells.try_into().unwrap()
    })
    .collect()
}

#[test]
fn gap_rate_of_the_example_falls_as_its_readme_says() {
    let context = TestContext::new();
    let done = replay(&context).expect(0);
    let reports = context.path("replayed/home/reports").display().to_string();
    let trend = context.run(&["trend", "--json", "--reports-dir", &reports]).expect(0).json();
    let series = trend["series"].as_array().unwrap();
    assert_eq!(series.len(), 1, "one test set, one model: {trend:#}");
    let points = series[0]["points"].as_array().unwrap();
    let rows = rows();
    assert_eq!(points.len(), rows.len());
    let changed = |point: &Value| point["gaps"][0]["knowledgeChange"]["artifact"] == true;
    let marked: Vec<bool> = points.iter().map(changed).collect();
    assert_eq!(marked, [false, true, true, true, true], "each version is another handbook");
    let text = done.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("▼") && text.contains("the knowledge base converges"), "{}", done.stdout);
    let mut rates = Vec::new();
    for (point, [version, lines, commit, gaps, right]) in points.iter().zip(&rows) {
        let handbook = crate::book::read(&format!("{EXAMPLE}/versions/{version}/handbook.md"));
        let facts = handbook.lines().filter(|line| line.starts_with("- ")).count();
        assert_eq!(*lines, facts.to_string(), "version {version}");
        assert!(point["commit"].as_str().unwrap().starts_with(commit.as_str()), "{commit}: {point:#}");
        let gap = &point["gaps"][0];
        assert_eq!((&gap["testSet"]["sampleCount"], &point["valid"]), (&json!(12), &json!(true)));
        let rate = gap["gapRate"].as_f64().unwrap();
        assert_eq!(*gaps, format!("{:.0} of 12", rate * 12.0), "version {version}");
        // one check a sample: the mean score, from 1 to 5, is their share
        let mean = point["variants"][0]["mean"].as_f64().unwrap();
        assert_eq!(*right, format!("{:.0} of 12", (mean - 1.0) / 4.0 * 12.0), "version {version}");
        assert!(done.stdout.contains(commit.as_str()) && done.stdout.contains("eval-samples.yaml@"), "{}", done.stdout);
        rates.push(rate);
    }
    assert!(rates.is_sorted_by(|before, after| before >= after), "{rates:?}");
    assert!(rates.first().unwrap() - rates.last().unwrap() > 0.5, "{rates:?}");
}

/// A run with calls that failed or were left out would have a lower rate for it.
#[test]
fn recordings_of_the_example_hold_each_sample_once_for_each_version() {
    let text = read(&format!("{EXAMPLE}/recordings/executions.jsonl"));
    let mut samples: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let execution: Value = serde_json::from_str(line).unwrap();
        let output = &execution["result"]["output"];
        assert_eq!(output["outcome"], "answered", "{execution:#}");
        assert_eq!(execution["identity"]["executor"], "claude", "{execution:#}");
        assert_eq!(output["model"], "qwen2.5-coder-1.5b-instruct", "{execution:#}");
        let [handbook, sample] = ["system", "sample"].map(|field| execution[field].as_str().unwrap().to_owned());
        samples.entry(handbook).or_default().push(sample);
    }
    assert_eq!(samples.len(), rows().len(), "one handbook a version");
    let all: Vec<String> = (1..=12).map(|at| format!("s{at:03}")).collect();
    for recorded in samples.values_mut() {
        recorded.sort_unstable();
        assert_eq!(*recorded, all);
    }
}
