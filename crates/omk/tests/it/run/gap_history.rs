//! Gaps over several reports: statuses, gaps that come back, rates over time, and samples that became too easy.

use serde_json::{Value, json};

use super::{pages, valid};
use crate::fixtures::context::{Finished, TestContext};

/// An agent that looks for these patterns in vain where the prompt asks for the table.
fn set_agent(context: &TestContext, patterns: &[&str]) {
    let found = json!({"name": "Read", "input": {"file_path": "docs/a.md"}, "output": "text"});
    let miss = |pattern: &&str| json!({"name": "Grep", "input": {"pattern": pattern}, "output": "No matches found"});
    let searched: Vec<Value> = std::iter::once(found.clone()).chain(patterns.iter().map(miss)).collect();
    let [searched, knew] = [searched, vec![found]].map(|calls| json!({"output": "two", "toolCalls": calls}));
    // What fills the knowledge base is no change of the agent: its runs stay comparable.
    let filled = context.path("filled");
    let searched_if = format!("if grep -q table && [ ! -e '{}' ]", filled.display());
    let script = format!("{searched_if}; then printf '%s' '{searched}'; else printf '%s' '{knew}'; fi\n");
    context.script("agent", &script);
}

fn set_samples(context: &TestContext, prompts: &[&str]) {
    let sample = |(at, prompt): (usize, &&str)| json!({"sample_id": format!("s{at}"), "prompt": prompt, "assertions": [{"type": "contains", "value": "two"}]});
    let all: Vec<Value> = prompts.iter().enumerate().map(sample).collect();
    context.write("eval-samples.json", &json!(all).to_string());
}

fn context() -> TestContext {
    let context = TestContext::new();
    set_agent(&context, &["revenue_schema"]);
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nText.\n");
    context.write("docs/a.md", "text");
    set_samples(&context, &["the table", "other"]);
    context
}

fn eval(context: &TestContext) -> Finished {
    let run =
        ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--kb", "docs", "--details"];
    context.run(&run)
}

fn said(run: &Finished) -> String {
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn ids(context: &TestContext) -> Vec<String> {
    let report = valid(context.report());
    let inventory = report["analysis"]["gap"]["v1"]["inventory"].as_array().cloned().unwrap_or_default();
    inventory.iter().map(|entry| entry["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn gaps_have_the_same_id_from_report_to_report() {
    let context = context();
    eval(&context);
    let first = ids(&context);
    set_agent(&context, &["schema.*revenue"]);
    eval(&context);
    assert_eq!(ids(&context), first, "the same words want the same");
    set_agent(&context, &["customers"]);
    eval(&context);
    assert_ne!(ids(&context), first);
}

#[test]
fn gap_marked_as_done_that_comes_back_is_named() {
    let context = context();
    eval(&context);
    let id = ids(&context).remove(0);
    let listed = context.run(&["gaps", "list"]).expect(0);
    for text in [id.as_str(), "open", "revenue_schema", "gap rate 50.0 %", "eval-samples.json@", "does not represent"] {
        assert!(said(&listed).contains(text), "{text}\n{}", listed.stdout);
    }
    context.run(&["gaps", "done", &id]).expect(0);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(context.path("gaps.json")).unwrap()).unwrap();
    assert_eq!(
        (&file["gaps"][&id]["status"], &file["gaps"][&id]["subject"]),
        (&json!("done"), &json!("revenue_schema"))
    );
    set_agent(&context, &[]);
    let without = eval(&context);
    assert!(!said(&without).contains("came back"), "{}", without.stdout);
    assert!(!pages(&context).concat().contains("came back"));
    set_agent(&context, &["revenue_schema"]);
    let back = eval(&context);
    assert!(said(&back).contains(&format!("came back: `revenue_schema` ({id}) was marked as done")), "{}", back.stdout);
    for page in pages(&context) {
        assert!(page.contains(&format!("came back: revenue_schema ({id}) was marked as done")), "{page}");
    }
    assert_eq!(context.report()["analysis"]["gap"]["v1"]["inventory"][0]["decision"]["status"], "done");
    context.run(&["report", "verdict", "latest"]).expect(0);
    assert!(said(&context.run(&["gaps", "list"])).contains("done, came back"));
    context.run(&["gaps", "reopen", &id]).expect(0);
    assert!(!said(&eval(&context)).contains("came back"));
}

#[test]
fn dismissed_gap_has_its_reason_and_counts_all_the_same() {
    let context = context();
    eval(&context);
    let id = ids(&context).remove(0);
    context.run(&["gaps", "dismiss", &id]).expect(2);
    context.run(&["gaps", "dismiss", &id, "--reason", " "]).expect(2);
    context.run(&["gaps", "dismiss", &id, "--reason", "another team's table"]).expect(0);
    let listed = context.run(&["gaps", "list"]).expect(0);
    assert!(said(&listed).contains("is dismissed: another team's table"), "{}", listed.stdout);
    eval(&context);
    let gap = context.report()["analysis"]["gap"]["v1"].clone();
    assert_eq!((&gap["inventory"][0]["decision"]["status"], &gap["gapRate"]), (&json!("dismissed"), &json!(0.5)));
}

#[test]
fn unknown_gaps_and_damaged_files_are_refused() {
    let context = context();
    eval(&context);
    let unknown = context.run(&["gaps", "done", "gap-00000000"]).expect(2);
    assert!(
        unknown.stderr.contains("no gap `gap-00000000`") && unknown.stderr.contains("omk gaps list"),
        "{}",
        unknown.stderr
    );
    context.write("gaps.json", "{\n  \"formatVersion\": 1,\n  \"gaps\": []\n}\n");
    let runs = context.reports().len();
    for refused in [eval(&context).expect(2), context.run(&["gaps", "list"]).expect(2)] {
        assert!(refused.stderr.contains("gaps.json") && refused.stderr.contains("line 3"), "{}", refused.stderr);
    }
    assert_eq!(context.reports().len(), runs);
    context.write("gaps.json", "{\"formatVersion\": 9, \"gaps\": {}}");
    assert!(context.run(&["gaps", "list"]).expect(2).stderr.contains("version 9"));
}

#[test]
fn three_low_rates_in_a_row_ask_for_other_samples() {
    let context = context();
    set_agent(&context, &[]);
    let nudged = |run: &Finished| said(run).contains("Consider expanding the sample set");
    assert!(!nudged(&eval(&context)));
    assert!(!nudged(&eval(&context)));
    let third = eval(&context);
    assert!(nudged(&third) && said(&third).contains("3 evaluations in a row (eval-samples.json@"), "{}", third.stdout);
    assert_eq!(third.code, 0);
    for page in pages(&context) {
        let (_, nudge) = page.split_once("3 evaluations in a row (eval-samples.json@").expect(&page);
        assert!(nudge.contains("Consider expanding the sample set"), "{page}");
    }
    set_samples(&context, &["the table", "other", "more"]);
    assert!(!nudged(&eval(&context)), "other samples");
    set_samples(&context, &["the table", "other"]);
    set_agent(&context, &["revenue_schema"]);
    assert!(!nudged(&eval(&context)), "a high rate");
    set_agent(&context, &[]);
    assert!(!nudged(&eval(&context)), "the row begins anew");
}

#[test]
fn trend_shows_gap_rates_with_their_test_set_and_never_mixes_two() {
    let context = context();
    eval(&context);
    context.write("filled", "");
    eval(&context);
    let set = context.report()["meta"]["testSet"]["id"].as_str().unwrap().to_owned();
    set_samples(&context, &["the table", "other", "more"]);
    eval(&context);
    let trend = context.run(&["trend"]).expect(0);
    for text in [
        "knowledge gaps of `v1`",
        "commit",
        "coverage",
        "sample set",
        "samples",
        "cost",
        "50.0 %",
        "0.0 %",
        "100.0 %",
        "does not represent",
    ] {
        assert!(said(&trend).contains(text), "{text}\n{}", trend.stdout);
    }
    let document: Value = serde_json::from_str(&context.run(&["trend", "--json"]).expect(0).stdout).unwrap();
    let series = document["series"].as_array().unwrap();
    let sizes: Vec<usize> = series.iter().map(|of| of["points"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [2, 1]);
    let points = series[0]["points"].as_array().unwrap();
    let rates: Vec<&Value> = points.iter().map(|point| &point["gaps"][0]["gapRate"]).collect();
    assert_eq!(rates, [&json!(0.5), &json!(0.0)]);
    for of in points.iter().map(|point| &point["gaps"][0]) {
        assert_eq!(
            (&of["testSet"]["id"], &of["testSet"]["sampleCount"], &of["coverage"]),
            (&json!(set), &json!(2), &json!(1.0))
        );
    }
}
