//! The public contract of a report: its fields and their types.

use std::fs;
use std::path::Path;

use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::units::Usd;
use eval_spec::{Failure, Layer, Outcome, Output};
use serde_json::{Value, json};

use super::example;
use crate::fixtures::recorded::{RecordedProject, RecordedResult, checked, ended, fact};

/// The type's name of a value.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The value at a JSON pointer, which has to exist.
#[track_caller]
fn at<'a>(report: &'a Value, pointer: &str) -> &'a Value {
    report.pointer(pointer).unwrap_or_else(|| panic!("there is no {pointer}"))
}

#[test]
fn committed_schema_matches_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/report.schema.json");
    let committed: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(committed, eval_format::report_schema(), "stale: run `UPDATE_SCHEMAS=1 cargo test -p eval-render`");
}

#[test]
fn fields_of_the_original_format_are_present() {
    let context = example();
    let done = context.run(&["bench", "run", "--executor", "./agent", "--model", "sonnet"]).expect(0);
    let report = done.json();
    assert_eq!(report, checked(&context.reports()[0]), "what is printed is what is stored");
    for (pointer, expected) in [
        ("/meta/variants", json!(["v1", "v2"])),
        ("/meta/model", json!("sonnet")),
        ("/meta/executor", json!("command")),
        ("/meta/sampleCount", json!(3)),
        ("/meta/taskCount", json!(6)),
        ("/meta/totalCostUSD", json!(0.0228)),
        ("/meta/nodeVersion", Value::Null),
        ("/meta/judgeModel", Value::Null),
        ("/meta/cliVersion", json!(env!("CARGO_PKG_VERSION"))),
        ("/summary/v1/totalSamples", json!(3)),
        ("/summary/v1/successCount", json!(3)),
        ("/summary/v1/errorCount", json!(0)),
        ("/summary/v1/avgCompositeScore", json!(3.0)),
        ("/summary/v2/avgCompositeScore", json!(5.0)),
        ("/summary/v1/avgAssertionScore", json!(3.0)),
        ("/summary/v1/avgLlmScore", Value::Null),
        ("/summary/v1/avgTotalTokens", json!(2050)),
        ("/summary/v1/totalCostUSD", json!(0.0114)),
        ("/results/0/sample_id", json!("s001")),
        ("/results/0/variants/v1/ok", json!(true)),
        ("/results/0/variants/v1/compositeScore", json!(3.0)),
        ("/results/0/variants/v1/assertions/passed", json!(1)),
        ("/results/0/variants/v1/assertions/total", json!(2)),
        ("/results/0/variants/v1/assertions/score", json!(3.0)),
        ("/results/0/variants/v1/assertions/details/0/type", json!("contains")),
        ("/results/0/variants/v1/assertions/details/0/value", json!("SQL injection")),
        ("/results/0/variants/v1/assertions/details/0/weight", json!(1.0)),
        ("/results/0/variants/v1/assertions/details/0/passed", json!(true)),
        ("/results/0/variants/v1/assertions/details/1/passed", json!(false)),
        ("/results/0/variants/v1/llmScore", Value::Null),
        ("/results/0/variants/v1/llmReason", Value::Null),
        ("/results/0/variants/v1/inputTokens", json!(850)),
        ("/results/0/variants/v1/outputTokens", json!(1200)),
        ("/results/0/variants/v1/totalTokens", json!(2050)),
        ("/results/0/variants/v1/costUSD", json!(0.0038)),
        ("/results/0/variants/v2/outputPreview", json!("better SQL injection")),
        ("/analysis/suggestions/0/type", json!("add_samples")),
        ("/analysis/insights/0/type", json!("low_discrimination")),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    for (pointer, expected) in [
        ("/meta/timestamp", "string"),
        ("/summary/v1/avgDurationMs", "number"),
        ("/results/0/variants/v1/durationMs", "number"),
        ("/analysis/insights/0/severity", "string"),
        ("/analysis/insights/0/message", "string"),
    ] {
        assert_eq!(kind(at(&report, pointer)), expected, "{pointer}");
    }
    // The id is the file's name and begins with the time: 2026-03-24T15-30-45-v1-v2.
    let id = report["id"].as_str().unwrap();
    assert_eq!(context.reports()[0].file_stem().unwrap(), id);
    assert!(
        id.ends_with("-v1-v2") && id.as_bytes()[10] == b'T' && id.len() == "2026-03-24T15-30-45-v1-v2".len(),
        "{id}"
    );
    let stamp = report["meta"]["timestamp"].as_str().unwrap();
    assert_eq!(stamp[..19].replace(':', "-"), id[..19]);
}

#[test]
fn added_fields_are_present() {
    let context = example();
    context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--repeat", "2"]).expect(1);
    let report = checked(&context.reports()[0]);
    for (pointer, expected) in [
        ("/schemaVersion", json!(1)),
        ("/status", json!("complete")),
        ("/incompleteReason", Value::Null),
        ("/meta/testSet/path", json!("eval-samples.json")),
        ("/meta/testSet/sampleCount", json!(3)),
        ("/meta/judgeModels", json!([])),
        ("/meta/judgePromptHash", Value::Null),
        ("/meta/judgeRuntime", Value::Null),
        ("/meta/executorRuntime/executor", json!("command")),
        ("/meta/gitInfo", Value::Null),
        ("/meta/totalCostUSD", json!(0.0456)),
        ("/meta/nodeVersion", Value::Null),
        ("/meta/repeat", json!(2)),
        ("/results/0/variants/v1/layeredScores", json!({"factScore": 3.0, "behaviorScore": null, "judgeScore": null})),
        ("/results/0/variants/v1/fullOutput", json!("plain SQL injection")),
        ("/results/0/variants/v1/turns", json!(2)),
        ("/results/0/variants/v1/toolCalls/0/name", json!("Read")),
        ("/results/0/variants/v1/missing", json!([])),
        ("/results/0/variants/v1/runs/1/cached", json!(false)),
        ("/results/0/variants/v1/runs/1/fullOutput", json!("plain SQL injection")),
        ("/results/0/variants/v1/runs/1/assertions/details/1/passed", json!(false)),
        ("/results/0/variants/v1/assertions/details/1/layer", json!("fact")),
        ("/results/0/variants/v1/assertions/details/1/not", json!(false)),
        ("/results/0/variants/v1/assertions/details/1/actual", json!({"found": false})),
        ("/results/0/variants/v1/assertions/details/1/message", json!("`better` is not in the output")),
        ("/comparisons/0/control", json!("v1")),
        ("/comparisons/0/treatment", json!("v2")),
        ("/comparisons/0/n", json!(3)),
        ("/comparisons/0/excluded", json!([])),
        ("/comparisons/0/diff/mean", json!(2.0)),
        ("/comparisons/0/diff/ci/level", json!(0.95)),
        ("/comparisons/0/diff/ci/method", json!("expanded")),
        ("/comparisons/0/diff/ci/low", json!(2.0)),
        ("/comparisons/0/diff/ci/high", json!(2.0)),
        ("/comparisons/0/diff/pValue", json!(0.25)),
        ("/comparisons/0/diff/effect/superiority/estimate", json!(1.0)),
        ("/comparisons/0/layers/fact/mean", json!(2.0)),
        ("/comparisons/0/layers/behavior", Value::Null),
        ("/comparisons/0/layers/judge", Value::Null),
        ("/verdict/tier", json!("UNDERPOWERED")),
        ("/verdict/perTreatment/0/treatment", json!("v2")),
        ("/verdict/perTreatment/0/tier", json!("UNDERPOWERED")),
        ("/verdict/exitCode", json!(1)),
        ("/verdict/inputs/control/name", json!("v1")),
        ("/variance/runs", json!(2)),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    let hex = |text: &str, digits| text.len() == digits && text.chars().all(|c| c.is_ascii_hexdigit());
    for name in ["v1", "v2"] {
        assert!(hex(at(&report, &format!("/meta/skillHashes/{name}")).as_str().unwrap(), 12));
        assert_eq!(kind(at(&report, &format!("/meta/skillIsolation/{name}"))), "object");
    }
    for id in ["s001", "s002", "s003"] {
        assert!(hex(at(&report, &format!("/meta/sampleHashes/{id}")).as_str().unwrap(), 12));
    }
    let (file, hash) = at(&report, "/meta/testSet/id").as_str().unwrap().split_once('@').unwrap();
    assert!(file == "eval-samples.json" && hex(hash, 8));
    for (pointer, expected) in [
        ("/meta/seed", "number"),
        ("/verdict/perTreatment/0/reasons/0/message", "string"),
        ("/analysis/insights/0/sampleIds", "list"),
    ] {
        assert_eq!(kind(at(&report, pointer)), expected, "{pointer}");
    }
}

#[test]
fn git_info_describes_the_project() {
    let context = example();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=trunk"])
            .args(arguments)
            .current_dir(context.path("."))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["add", "eval-samples.json", "skills", "agent"]);
    git(&["commit", "-q", "-m", "one"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let info = || {
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"]).expect(0);
        context.report()["meta"]["gitInfo"].clone()
    };
    assert_eq!(info(), json!({"commit": commit, "branch": "trunk", "dirty": false}));
    context.write("skills/v2.md", "ANSWER best\n");
    assert_eq!(info()["dirty"], json!(true));
}

#[test]
fn unknown_values_are_null_and_not_0() {
    let prepared = RecordedProject::new(6, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (0, 0) => ended(Outcome::Refused),
        // v1's price is known except for one answer; v2 reports neither price nor tokens nor time.
        (0, sample) => {
            let RecordedResult::Output(output) = fact(50) else { unreachable!() };
            let cost = (sample != 1).then_some(Cost { usd: Usd(0.5), source: CostSource::Reported });
            let usage = Some(Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() });
            RecordedResult::Output(Box::new(Output { cost, usage, ..*output }))
        }
        (_, 0) => RecordedResult::Failed(Failure::Crashed),
        _ => RecordedResult::Output(Box::new(Output::text("answer alpha"))),
    });
    let report = prepared.report(1, &[]);
    for (pointer, expected) in [
        ("/meta/totalCostUSD", Value::Null),
        ("/meta/knownCostUSD", json!(2.0)),
        ("/summary/v1/totalCostUSD", Value::Null),
        ("/summary/v1/avgCostUSD", Value::Null),
        ("/summary/v2/totalCostUSD", Value::Null),
        ("/summary/v2/knownCostUSD", json!(0.0)),
        ("/summary/v1/avgTotalTokens", json!(15)),
        ("/summary/v2/avgTotalTokens", Value::Null),
        ("/summary/v2/avgDurationMs", Value::Null),
        ("/results/0/variants/v1/compositeScore", Value::Null),
        ("/results/0/variants/v1/ok", json!(false)),
        ("/results/0/variants/v1/outcome", json!("refused")),
        ("/results/0/variants/v1/assertions/score", Value::Null),
        ("/results/0/variants/v1/assertions/details/0/passed", Value::Null),
        ("/results/0/variants/v1/missing/0/why", json!("the model declined to answer")),
        ("/results/0/variants/v2/outcome", json!("failed")),
        ("/results/0/variants/v2/fullOutput", Value::Null),
        ("/results/0/variants/v2/durationMs", Value::Null),
        ("/results/0/variants/v2/error/failure", json!("crashed")),
        ("/results/1/variants/v1/costUSD", Value::Null),
        ("/results/1/variants/v2/inputTokens", Value::Null),
        ("/results/1/variants/v2/turns", Value::Null),
        ("/results/2/variants/v1/costUSD", json!(0.5)),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    let text = prepared.eval(&["--details"]).stdout;
    assert!(text.contains("cost: at least $2.00, the rest is unknown"), "{text}");
}

#[test]
fn incomplete_run_is_marked() {
    let context = example();
    context.samples(6, &json!([{"type": "contains", "value": "SQL"}]));
    // Each answer costs 0.0038: the budget suffices for a few of the twelve.
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--budget-usd", "0.02"];
    let done = context.run(&[&arguments[..], &["--allow-unknown-cost"]].concat()).expect(3);
    assert!(done.stdout.contains("NO VERDICT"), "{}", done.stdout);
    let report = checked(&context.reports()[0]);
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("budget-exhausted")));
    assert_eq!((&report["verdict"]["valid"], &report["verdict"]["exitCode"]), (&json!(false), &json!(3)));
    let summary = &report["summary"]["v1"];
    assert!(summary["successCount"].as_u64().unwrap() < 6, "{summary}");
    assert_eq!(summary["totalSamples"], json!(6));
    let not_run = report["results"].as_array().unwrap().iter().find(|r| r["variants"]["v1"]["ok"] == false).unwrap();
    assert_eq!(not_run["variants"]["v1"]["compositeScore"], Value::Null);
    assert!(report["meta"]["totalCostUSD"].as_f64().unwrap() <= 0.02 + 1e-9);
    // The completed report replaces the partial one under the same id.
    let arguments = ["eval", "--resume", "latest", "--budget-usd", "1"];
    context.run(&arguments).expect(1);
    let whole = checked(&context.reports()[0]);
    assert_eq!(context.reports().len(), 1);
    assert_eq!((&whole["id"], &whole["status"]), (&report["id"], &json!("complete")));
    assert_eq!(whole["meta"]["totalCostUSD"], json!(0.0456));
}
