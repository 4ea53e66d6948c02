//! Knowledge gaps: signals, rates, coverage, guards, trends, probes. A folder of `eval-gaps` tests the detectors alone.

mod aggregation;
mod coverage;
mod example;
mod guards;
mod hedging;
mod inventory;
mod merging;
mod probe;
mod sample_evolution;
mod statuses;
mod trend;

use serde_json::{Value, json};

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

fn project() -> TestContext {
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
