//! What agents did, exported for other programs, against the recordings themselves.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::traces::{atif_errors, otel_errors};

use super::claude::{KEY, stand_in};
use super::{all_files, assert_nowhere, eval_with};
use crate::fixtures::context::TestContext;

fn recording(name: &str) -> PathBuf {
    let folder = [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures/claude-2.1.330", name];
    folder.iter().collect::<PathBuf>().with_extension("stream-json.stdout")
}

/// A `claude` that calls tools, starts a sub-agent, or fails, and keeps the artifacts that it was given in `sent`; in the
/// first, one file is named after the key.
fn played() -> TestContext {
    let mut context = stand_in(&format!(
        r#"while [ $# -gt 0 ]; do
[ "$1" != --append-system-prompt-file ] || cp "$2" "$SENT/$(cksum < "$2" | tr ' ' -)"; shift; done
case "$(cat)" in
"question 1") sed "s/rules\.md/$ANTHROPIC_API_KEY.md/g" '{}' ;;
"question 2") cat '{}' ;;
*) cat '{}'; exit 1 ;;
esac"#,
        recording("success").display(),
        recording("subagent.forward").display(),
        recording("err529").display(),
    ));
    context.samples(3, &json!([{"type": "contains", "value": "42"}]));
    fs::create_dir(context.path("sent")).unwrap();
    context.env("SENT", &context.path("sent").display().to_string());
    fs::remove_file(context.path("skills/v2.md")).unwrap();
    context
        .write("skills/v2/SKILL.md", "---\nname: v2\ndescription: the second\n---\n\nANSWER better\n\n---\nas ever\n");
    context
}

/// What the recording has by itself: its calls of tools, and the tokens of all its models.
fn recorded(name: &str) -> (BTreeSet<String>, [u64; 2]) {
    let (mut calls, mut tokens) = (BTreeSet::new(), [0, 0]);
    for line in fs::read_to_string(recording(name)).unwrap().lines() {
        let event: Value = serde_json::from_str(line).unwrap();
        let blocks = event["message"]["content"].as_array().into_iter().flatten();
        let uses = blocks.filter(|block| block["type"] == "tool_use");
        calls.extend(uses.map(|block| block["id"].as_str().unwrap().to_owned()));
        for usage in event["modelUsage"].as_object().into_iter().flat_map(|models| models.values()) {
            let count = |key: &str| usage[key].as_u64().unwrap();
            tokens[0] += count("inputTokens") + count("cacheReadInputTokens") + count("cacheCreationInputTokens");
            tokens[1] += count("outputTokens");
        }
    }
    (calls, tokens)
}

/// Exports with the run and from the stored report are the same.
fn exported(context: &TestContext, format: &str) -> Vec<Value> {
    let stored = context.run(&["report", "export", "latest", "--format", format]).expect(0).stdout;
    assert_eq!(fs::read_to_string(context.path(&format!("{format}.jsonl"))).unwrap(), stored);
    stored.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn recorded_agents_are_exported_as_traces_and_trajectories() {
    let context = played();
    let more = ["--no-sandbox", "--retry", "0", "--report-only", "--max-failure-rate", "0.5"];
    let exports = ["--export", "otel=otel.jsonl", "--export", "atif=atif.jsonl"];
    let finished = context.run(&eval_with("claude", &[&more[..], &exports].concat())).expect(0);
    let (traces, trajectories) = (exported(&context, "otel"), exported(&context, "atif"));
    assert_nowhere(KEY, &context, &finished);
    assert_eq!(traces.len(), 6);
    traces.iter().for_each(|line| assert_eq!(otel_errors(line), [""; 0], "{line:#}"));
    trajectories.iter().for_each(|line| assert_eq!(atif_errors(line), [""; 0], "{line:#}"));
    for (sample, name) in [("s001", "success"), ("s002", "subagent.forward")] {
        let (calls, tokens) = recorded(name);
        assert!(!calls.is_empty() && tokens[0] > 0, "{name}");
        let spans = traces.iter().map(spans).find(|spans| attribute(&spans[0], "omk.sample") == sample).unwrap();
        let ids = spans.iter().map(|span| attribute(span, "gen_ai.tool.call.id")).filter(|id| !id.is_empty());
        assert_eq!(ids.collect::<BTreeSet<_>>(), calls, "{name}");
        let used = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"].map(|key| attribute(&spans[0], key));
        assert_eq!(used, tokens.map(|count| count.to_string()), "{name}");
        let trajectory = trajectories.iter().find(|one| one["extra"]["sample"] == sample).unwrap();
        let mut ids = BTreeSet::new();
        call_ids(trajectory, &mut ids);
        assert_eq!(ids, calls, "{name}");
        let totals = &trajectory["final_metrics"];
        assert_eq!([&totals["total_prompt_tokens"], &totals["total_completion_tokens"]], [tokens[0], tokens[1]]);
        assert_eq!(trajectory["agent"]["version"], "2.1.330");
    }
    assert_what_was_asked(&context, &traces, &trajectories);
    let nested = trajectories.iter().find(|one| one["extra"]["sample"] == "s002").unwrap();
    assert_eq!(nested["subagent_trajectories"].as_array().map(Vec::len), Some(1));
    let masked = trajectories[0]["steps"].to_string();
    assert!(masked.contains("***.md"), "{masked}");
}

/// Prompts and artifacts in both formats, as the agent got them.
fn assert_what_was_asked(context: &TestContext, traces: &[Value], trajectories: &[Value]) {
    let sent: BTreeSet<String> =
        all_files(&context.path("sent")).into_iter().map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    assert_eq!(sent.len(), 2, "{sent:?}");
    let prompts = BTreeSet::from(["question 1", "question 2", "question 3"].map(str::to_owned));
    let content = |key: &'static str, at: &'static str| {
        traces.iter().map(move |line| {
            let parts: Value = serde_json::from_str(&attribute(&spans(line)[0], key)).unwrap();
            parts.pointer(at).unwrap().as_str().unwrap().to_owned()
        })
    };
    assert_eq!(content("gen_ai.system_instructions", "/0/content").collect::<BTreeSet<_>>(), sent);
    assert_eq!(content("gen_ai.input.messages", "/0/parts/0/content").collect::<BTreeSet<_>>(), prompts);
    let steps = |source: &'static str, at: usize| {
        let steps = trajectories.iter().map(move |one| &one["steps"][at]).filter(move |step| step["source"] == source);
        steps.map(|step| step["message"].as_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    // The third ended before the agent did anything.
    let prompts = prompts.into_iter().take(2).collect();
    assert_eq!((steps("system", 0), steps("user", 1)), (sent, prompts));
}

#[test]
fn traces_without_texts_have_neither_prompts_nor_artifacts() {
    let context = played();
    let more = ["--retry", "0", "--report-only", "--max-failure-rate", "0.5", "--no-texts"];
    context.run(&eval_with("claude", &more)).expect(0);
    for format in ["otel", "atif"] {
        let stored = context.run(&["report", "export", "latest", "--format", format]).expect(0).stdout;
        assert!(stored.contains("toolu_") && !stored.contains("question 1") && !stored.contains("ANSWER"), "{stored}");
    }
}

fn spans(line: &Value) -> &Vec<Value> {
    line["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap()
}

fn attribute(span: &Value, key: &str) -> String {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|attribute| attribute["key"] == key);
    let value = found.map(|found| found["value"].as_object().unwrap().values().next().unwrap());
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn call_ids(trajectory: &Value, into: &mut BTreeSet<String>) {
    for step in trajectory["steps"].as_array().unwrap() {
        let calls = step["tool_calls"].as_array().into_iter().flatten();
        into.extend(calls.map(|call| call["tool_call_id"].as_str().unwrap().to_owned()));
    }
    for inner in trajectory["subagent_trajectories"].as_array().into_iter().flatten() {
        call_ids(inner, into);
    }
}
