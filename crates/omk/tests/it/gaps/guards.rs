//! The guards of the gap rate: exit codes, and what each refusal says.

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};
use crate::run::valid;

const NOTICE: &str = "does not represent the knowledge base's absolute completeness";

/// An agent that searches in vain where the prompt has one of these words, and otherwise finds what it looks for.
fn set_agent(context: &TestContext, misses: &str) {
    let answer = |input: Value, output: &str| json!({"output": "It is in the table.", "toolCalls": [{"name": "Grep", "input": input, "output": output}]});
    let missed = answer(json!({"pattern": "revenue_schema"}), "No matches found");
    let found = answer(json!({"pattern": "table"}), "docs/a.md:1:table");
    context.script("agent", &format!("if grep -qE '{misses}'; then echo '{missed}'; else echo '{found}'; fi\n"));
}

fn set_samples(context: &TestContext, prompts: &[&str]) {
    let sample = |(at, prompt): (usize, &&str)| json!({"sample_id": format!("s{at}"), "prompt": prompt, "assertions": [{"type": "contains", "value": "table"}]});
    let all: Vec<Value> = prompts.iter().enumerate().map(sample).collect();
    context.write("eval-samples.json", &json!(all).to_string());
}

fn context() -> TestContext {
    let context = TestContext::new();
    set_agent(&context, "alpha");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nText.\n");
    set_samples(&context, &["alpha", "beta", "gamma", "delta"]);
    context
}

fn eval(context: &TestContext, flags: &[&str]) -> Finished {
    let mut arguments = vec!["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge"];
    arguments.extend(flags);
    context.run(&arguments)
}

/// What is said, in one line.
fn said(run: &Finished) -> String {
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The reasons of the last report, checked against its schema.
fn reasons(context: &TestContext) -> String {
    valid(context.report())["verdict"]["reasons"].to_string()
}

#[test]
fn a_gap_rate_above_the_limit_is_refused_with_its_test_set_and_warning() {
    let context = context();
    eval(&context, &["--max-gap-rate", "0.25"]).expect(0);
    let refused = eval(&context, &["--max-gap-rate", "0.2"]).expect(1);
    let report = valid(context.report());
    let id = report["meta"]["testSet"]["id"].as_str().unwrap_or_default();
    for text in ["25.0 % on the 4 samples", id, "above the 20.0 %", NOTICE] {
        assert!(said(&refused).contains(text), "{text}\n{}", refused.stdout);
    }
    assert_eq!(report["verdict"]["inputs"]["control"]["gapGuard"]["testSet"], report["meta"]["testSet"]);
    context.run(&["report", "verdict", "latest"]).expect(1);
    eval(&context, &["--max-gap-rate", "0.2", "--report-only"]).expect(0);
    context.write("eval.yaml", "maxGapRate: 0.2\n");
    eval(&context, &[]).expect(1);
    eval(&context, &["--max-gap-rate", "0.3"]).expect(0);
}

#[test]
fn only_treatments_are_guarded_where_there_is_a_control() {
    let context = context();
    // The control's agent works elsewhere and misses; the treatment's doesn't.
    let missed = json!({"output": "table", "toolCalls": [{"name": "Grep", "input": {"pattern": "x"}, "output": "No matches found"}]});
    let found =
        json!({"output": "table", "toolCalls": [{"name": "Grep", "input": {"pattern": "x"}, "output": "a:1:x"}]});
    context.script("agent", &format!("if grep -q treated; then echo '{found}'; else echo '{missed}'; fi\n"));
    context.write("skills/v2/SKILL.md", "---\nname: v2\ndescription: d\n---\ntreated\n");
    let limits = ["--treatment", "v2", "--max-gap-rate", "0.5"];
    eval(&context, &limits);
    assert!(!context.report()["verdict"].to_string().contains("gaps-guard"), "{}", context.report()["verdict"]);
    context.script("agent", &format!("if grep -q treated; then echo '{missed}'; else echo '{found}'; fi\n"));
    eval(&context, &limits).expect(1);
    let reasons = context.report()["verdict"]["perTreatment"][0]["reasons"].to_string();
    assert!(reasons.contains("gaps-guard-high"), "{reasons}");
}

#[test]
fn a_rate_that_cannot_be_computed_does_not_pass_and_says_so() {
    let context = context();
    context.script("agent", "echo '{\"output\": \"table\"}'\n");
    eval(&context, &[]).expect(0);
    for flags in [["--max-gap-rate", "1"], ["--gap-rate-regression", "1"]] {
        let refused = eval(&context, &flags).expect(1);
        assert!(said(&refused).contains("no execution has a trace"), "{}", refused.stdout);
        context.run(&["report", "verdict", "latest"]).expect(1);
    }
    context.script("agent", "exit 1\n");
    eval(&context, &["--max-gap-rate", "1", "--retry", "0"]).expect(3);
}

#[test]
fn a_rise_since_the_last_report_of_the_same_test_set_is_refused() {
    let context = context();
    let first = eval(&context, &["--gap-rate-regression", "0.1"]).expect(0);
    assert!(said(&first).contains("has nothing to compare `v1` with"), "{}", first.stdout);
    let id = context.report()["id"].as_str().unwrap_or_default().to_owned();
    eval(&context, &["--gap-rate-regression", "0"]).expect(0);
    set_agent(&context, "alpha|beta");
    eval(&context, &["--gap-rate-regression", "0.25"]).expect(0);
    // The last report is the one with the higher rate: nothing rose since.
    let same = eval(&context, &["--gap-rate-regression", "0"]).expect(0);
    assert!(!said(&same).contains("nothing to compare"), "{}", same.stdout);
    set_agent(&context, "alpha|beta|gamma");
    let refused = eval(&context, &["--gap-rate-regression", "0.1"]).expect(1);
    for text in ["rose from 50.0 %", "to 75.0 %", "10.0 percentage points", NOTICE] {
        assert!(said(&refused).contains(text), "{text}\n{}", refused.stdout);
    }
    // Runs of the same second have the first one's id with a number.
    let named = reasons(&context);
    let mut ids = named.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
    assert!(ids.all(|of| of != id), "the last report is compared with, and not the first: {named}");
    context.run(&["report", "verdict", "latest"]).expect(1);
}

#[test]
fn rates_of_different_test_sets_are_not_compared() {
    let context = context();
    eval(&context, &["--gap-rate-regression", "0.1"]).expect(0);
    let before = context.report()["meta"]["testSet"]["id"].as_str().unwrap_or_default().to_owned();
    set_samples(&context, &["alpha", "beta", "gamma", "delta", "epsilon"]);
    let refused = eval(&context, &["--gap-rate-regression", "0.1"]).expect(1);
    for text in [before.as_str(), "different test sets can't be compared"] {
        assert!(said(&refused).contains(text), "{text}\n{}", refused.stdout);
    }
    context.run(&["report", "verdict", "latest"]).expect(1);
    let next = eval(&context, &["--gap-rate-regression", "0.1"]).expect(0);
    assert!(!said(&next).contains("test sets can't"), "the report that was refused is the new base\n{}", next.stdout);
    // Another variant has no rate yet, in any report.
    context.write("skills/v2/SKILL.md", "---\nname: v2\ndescription: d\n---\nOther text.\n");
    let other = context.run(&[
        "eval",
        "--executor",
        "./agent",
        "--control",
        "v2",
        "--no-cache",
        "--no-judge",
        "--gap-rate-regression",
        "0",
    ]);
    assert!(said(&other.expect(0)).contains("has nothing to compare `v2` with"));
}

#[test]
fn runs_that_ended_early_are_no_base_to_compare_with() {
    let context = context();
    set_agent(&context, "none");
    eval(&context, &[]).expect(0);
    let path = context.report_path();
    let mut report = context.report();
    report["status"] = json!("incomplete");
    context.write(&path.display().to_string(), &report.to_string());
    let first = eval(&context, &["--gap-rate-regression", "0"]).expect(0);
    assert!(said(&first).contains("nothing to compare"), "{}", first.stdout);
}

#[test]
fn limits_out_of_range_are_refused_before_anything_runs() {
    let context = context();
    for flag in ["--max-gap-rate", "--gap-rate-regression"] {
        let refused = eval(&context, &[flag, "1.5"]).expect(2);
        assert!(refused.stderr.contains(flag), "{}", refused.stderr);
    }
    context.write("eval.yaml", "maxGapRate: 40\n");
    let refused = eval(&context, &[]).expect(2);
    assert!(refused.stderr.contains("eval.yaml:1"), "{}", refused.stderr);
}

#[test]
fn both_guards_may_be_set_and_each_says_what_it_refuses() {
    let context = context();
    let both = ["--max-gap-rate", "0.6", "--gap-rate-regression", "0.1"];
    eval(&context, &both).expect(0);
    set_agent(&context, "alpha|beta");
    let risen = eval(&context, &both).expect(1);
    assert!(
        said(&risen).contains("rose from 25.0 %") && !said(&risen).contains("above the 60.0 %"),
        "{}",
        risen.stdout
    );
    set_agent(&context, "alpha|beta|gamma");
    eval(&context, &both).expect(1);
    let reasons = reasons(&context);
    assert!(reasons.contains("gaps-guard-risen") && reasons.contains("gaps-guard-high"), "{reasons}");
}
