//! What agents looked for and didn't find, in report and summary.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::run::valid;

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

/// The same thing in other words is one, what most samples wanted stands first, and what was only made sure of or dismissed is
/// no page to write.
#[test]
fn what_several_samples_want_is_named_once_and_first() {
    let context = TestContext::new();
    let call = |pattern: &str| json!({"name": "Grep", "input": {"pattern": pattern}, "output": "No matches found"});
    let answer = |calls: &[Value]| json!({"output": "Done.", "toolCalls": calls});
    let rows = [
        ("first", answer(&[call("retry_budget"), call("user_profile")])),
        ("second", answer(&[call("userProfile")])),
        ("third", answer(&[call("profile.*user"), call("colour_table")])),
    ];
    let cases: Vec<String> = rows.iter().map(|(word, answer)| format!("*{word}*) echo '{answer}';;")).collect();
    context.script("agent", &format!("case \"$(cat)\" in {} esac\n", cases.join(" ")));
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\none\n");
    let sample = |(word, _): &(&str, Value)| json!({"sample_id": word, "prompt": word, "assertions": [{"type": "contains", "value": "Done"}]});
    context.write("eval-samples.json", &Value::from(rows.iter().map(sample).collect::<Vec<_>>()).to_string());
    let eval = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge"];
    context.run(&eval);
    let wanted = valid(context.report())["analysis"]["gap"]["v1"]["wanted"].clone();
    let subjects = |of: &Value| of.as_array().unwrap().iter().map(|of| of["subject"].clone()).collect::<Vec<_>>();
    assert_eq!(subjects(&wanted), ["user_profile", "retry_budget", "colour_table"]);
    assert_eq!((&wanted[0]["samples"], &wanted[0]["signals"]), (&json!(["first", "second", "third"]), &json!(3)));
    for format in ["terminal", "markdown", "html"] {
        let text = context.run(&["report", "export", "latest", "--format", format]).expect(0).stdout;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\\', "");
        assert!(text.contains("user_profile (3), retry_budget (1), colour_table (1)"), "{format}\n{text}");
    }
    assert_eq!((&wanted[0]["question"], &wanted[0]["class"]), (&json!("first"), &json!("knowledge")));
    let id = wanted[1]["ids"][0].as_str().unwrap();
    context.run(&["gaps", "dismiss", id, "--reason", "not ours"]).expect(0);
    context.run(&eval);
    assert_eq!(subjects(&context.report()["analysis"]["gap"]["v1"]["wanted"]), ["user_profile", "colour_table"]);
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
    assert_eq!(context.report()["meta"]["settings"]["gap"]["markers"], json!(["needs clarification"]));
    context.write("eval.yaml", "gap:\n  markers: ['??']\n");
    for (gap, says) in [
        ("markers: ['??']", "no letter"),
        ("searchTools: ['*']", "every tool a search"),
        ("emptyResult: [nothing]", "`searchTools`"),
        ("{searchTools: [Ask], emptyResult: ['(']}", "no regular expression"),
        ("{}", "says nothing"),
    ] {
        context.write("eval.yaml", &format!("gap:\n  {gap}\n"));
        run().expect(2).says(&["eval.yaml:2", says]);
    }
    // a tool of the team's own
    let asked = json!({"name": "AskHandbook", "input": {"topic": "refunds"}, "output": "Sorry, nothing on that."});
    let server = json!({"name": "mcp__kb__search", "input": {"q": "x"}, "output": "two"});
    context.script("agent", &format!("printf '%s' '{}'\n", json!({"output": "done", "toolCalls": [asked, server]})));
    let found = || valid(context.report())["analysis"]["gap"]["v1"].clone();
    context.write("eval.yaml", "gap: {searchTools: [Ask*], emptyResult: ['^Sorry, nothing']}\n");
    run().expect(1);
    let gap = found();
    assert_eq!(
        (&gap["kinds"]["failed_search"]["signals"], &gap["guessedTools"]),
        (&json!(2), &json!(["mcp__kb__search"]))
    );
    assert_eq!(gap["wanted"][0]["subject"], "refunds");
    context.write("eval.yaml", "gap: {searchTools: [Ask*]}\n");
    run().expect(1);
    let details = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--details"];
    let shown = context.run(&details).expect(1).stdout;
    assert!(shown.contains("by their names: `mcp__kb__search`"), "{shown}");
    assert_eq!(found()["kinds"]["failed_search"]["signals"], json!(0));
}
