//! What agents looked for and didn't find, in report and summary.

use serde_json::{Value, json};

use super::valid;
use crate::fixtures::context::TestContext;

/// An agent that searches in vain in the first sample, and answers the second one at once.
fn agent() -> String {
    let call = |pattern: &str| json!({"name": "Grep", "input": {"pattern": pattern}, "output": "No matches found"});
    let searched = json!({"output": "It is in the table.", "toolCalls": [call("revenue_schema"), call("revenueSchema"), call("schema.*revenue")]});
    let knew = json!({"output": "Forty-two.", "toolCalls": [{"name": "Read", "input": {"file_path": "docs/a.md"}, "output": "42"}]});
    format!("if grep -q revenue; then echo '{searched}'; else echo '{knew}'; fi\n")
}

fn context() -> TestContext {
    let context = TestContext::new();
    context.script("agent", &agent());
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\none\n");
    context.write(
        "eval-samples.json",
        &json!([
            {"sample_id": "s1", "prompt": "Where is the revenue?", "assertions": [{"type": "contains", "value": "table"}]},
            {"sample_id": "s2", "prompt": "How many?", "assertions": [{"type": "contains", "value": "two"}]}
        ])
        .to_string(),
    );
    context
}

#[test]
fn searches_in_vain_are_in_report_and_summary_with_the_test_set() {
    let context = context();
    let run = context.run(&["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge"]);
    let report = valid(context.report());
    let gap = &report["analysis"]["gap"]["v1"];
    let place = |at: usize| ["sampleId", "turn", "kind", "subject"].map(|key| gap["inventory"][at][key].clone());
    assert_eq!(place(0), [json!("s1"), json!(1), json!("failed_search"), json!("revenue_schema")], "{gap}");
    assert_eq!(gap["inventory"][0]["calls"].as_array().map(Vec::len), Some(3), "{gap}");
    assert_eq!((&gap["gapRate"], &gap["weightedGapRate"], &gap["samples"]), (&json!(0.5), &json!(0.5), &json!(2)));
    assert_eq!(gap["testSet"], report["meta"]["testSet"]);
    assert!(gap["notice"].as_str().is_some_and(|notice| notice.contains("only reflects")));
    let full = context.run(&["report", "export", "latest", "--format", "terminal"]);
    let id = report["meta"]["testSet"]["id"].as_str().unwrap_or_default();
    for text in ["gap rate 50.0 %", id, "nothing found for `revenue_schema` (lookup)", "does not represent"] {
        let shown = full.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(text), "{text}\n{}\n{}", full.stdout, run.stderr);
    }
}

#[test]
fn answers_without_a_trace_have_no_gap_rate() {
    let context = context();
    context.script("agent", "echo '{\"output\": \"I am not sure.\"}'\n");
    context.run(&["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge"]);
    assert_eq!(valid(context.report())["analysis"].get("gap"), None::<&Value>);
}

#[test]
fn marks_of_a_team_are_signals_beside_the_usual_ones() {
    let context = context();
    let answer = "[NEEDS CLARIFICATION: which table holds the two fields?]\n\nIt needs clarifications.\n\n[unknown] owner of the table.";
    let read = json!({"name": "Read", "input": {"file_path": "a.md"}, "output": "two"});
    context.script("agent", &format!("printf '%s' '{}'\n", json!({"output": answer, "toolCalls": [read]})));
    let run = || context.run(&["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge"]);
    let marked = || valid(context.report())["analysis"]["gap"]["v1"]["kinds"]["explicit_marker"]["signals"].clone();
    run();
    assert_eq!(marked(), json!(2), "the usual one in each sample");
    context.write("eval.yaml", "gap:\n  markers: [needs clarification]\n");
    run();
    assert_eq!(marked(), json!(4), "and the team's own, but no word that it is a part of");
    assert_eq!(context.report()["meta"]["settings"]["gapMarkers"], json!(["needs clarification"]));
    context.write("eval.yaml", "gap:\n  markers: ['??']\n");
    let refused = run().expect(2);
    assert!(refused.stderr.contains("eval.yaml:2") && refused.stderr.contains("no letter"), "{}", refused.stderr);
}
