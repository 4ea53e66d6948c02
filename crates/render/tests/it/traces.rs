//! Traces for other programs: whatever a transcript holds, they keep to the rules of their formats, and no call and no
//! token is lost.

use std::collections::{BTreeSet, HashMap};

use eval_format::Report;
use eval_message::Lang;
use eval_render::Show;
use eval_render::formats::format_named;
use eval_spec::Failure;
use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace, Usage};
use eval_trace::sessions::{LineKind, SessionEvent, session_format};
use serde_json::{Value, json};
use testkit::traces::{atif_errors, otel_errors};

use crate::world::{At, Came, World, fact};

fn call(id: &str, parent: Option<&str>, turn: Option<u32>) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "Bash".to_owned(),
        input: json!({ "command": format!("echo {id}") }),
        output: Some(ToolOutput { text: format!("out {id}"), is_error: false, ..ToolOutput::default() }),
        status: Some(ToolStatus::Ok),
        parent: parent.map(str::to_owned),
        turn,
        ..ToolCall::default()
    }
}

/// `seconds` after the start of the run in [`World`], for half a second.
fn at(seconds: i64, mut of: ToolCall) -> ToolCall {
    of.started_at =
        Some("2026-03-24T15:30:46Z".parse::<jiff::Timestamp>().unwrap() + jiff::SignedDuration::from_secs(seconds));
    of.duration_ms = Some(500);
    of
}

/// An agent that did this in the first sample of the first variant; another timed out, and one never ran.
fn report(calls: Vec<ToolCall>) -> Report {
    let mut world = World::new(2, &["v1", "v2"], 1, |at| match (at.sample, at.variant) {
        (0, 1) => Came::Failed(Failure::Timeout),
        (1, 1) => Came::NotRun,
        _ => fact(true),
    });
    let output = world.output(At { sample: 0, variant: 0, repeat: 0 });
    output.usage = Some(Usage { input_tokens: 100, output_tokens: 20, cache_read_tokens: 30, cache_write_tokens: 4 });
    output.trace = Trace { turns: Some(3), cwd: None, steps: calls.into_iter().map(Step::Tool).collect() };
    world.report()
}

fn lines(report: &Report, format: &str) -> Vec<Value> {
    let mut bytes = Vec::new();
    format_named::<Report>(format).unwrap().render(report, Show::file(Lang::En), &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn atif(report: &Report) -> Vec<Value> {
    let lines = lines(report, "atif");
    lines.iter().for_each(|line| assert_eq!(atif_errors(line), [""; 0], "{line:#}"));
    lines
}

fn otel(report: &Report) -> Vec<Value> {
    let lines = lines(report, "otel");
    lines.iter().for_each(|line| assert_eq!(otel_errors(line), [""; 0], "{line:#}"));
    lines
}

fn spans(line: &Value) -> &[Value] {
    line["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap()
}

fn attribute<'v>(span: &'v Value, key: &str) -> &'v Value {
    let attributes = span["attributes"].as_array().unwrap();
    let found = attributes.iter().find(|attribute| attribute["key"] == key);
    found.map_or(&Value::Null, |found| found["value"].as_object().unwrap().values().next().unwrap())
}

/// What every call of a trajectory and its sub-agents says: its command.
fn commands(trajectory: &Value, into: &mut Vec<String>) {
    for step in trajectory["steps"].as_array().unwrap() {
        let calls = step["tool_calls"].as_array().into_iter().flatten();
        into.extend(calls.map(|call| call["arguments"].to_string()));
    }
    for inner in trajectory["subagent_trajectories"].as_array().into_iter().flatten() {
        commands(inner, into);
    }
}

/// Two calls at once, a sub-agent with one of its own, and a failure.
fn nested() -> Vec<ToolCall> {
    let agent = ToolCall {
        name: "Agent".to_owned(),
        input: json!({ "prompt": "look around", "subagent_type": "Explore" }),
        ..call("t2", None, Some(1))
    };
    let failed = ToolCall { status: Some(ToolStatus::Failed), output: None, ..call("t6", None, Some(2)) };
    vec![
        at(1, call("t1", None, Some(1))),
        at(1, agent),
        at(2, call("t3", Some("t2"), Some(1))),
        at(3, ToolCall { name: "Agent".to_owned(), ..call("t4", Some("t2"), Some(2)) }),
        at(4, call("t5", Some("t4"), Some(1))),
        at(6, failed),
    ]
}

#[test]
fn trajectory_has_messages_sub_agents_and_totals() {
    let report = report(nested());
    let lines = atif(&report);
    assert_eq!(lines.len(), 2, "the timeout without a text and what never ran have no step");
    let of_agent = &lines[0];
    let steps = of_agent["steps"].as_array().unwrap();
    let ids = |step: &Value| -> Vec<String> {
        let calls = step["tool_calls"].as_array().into_iter().flatten();
        calls.map(|call| call["tool_call_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(steps.iter().map(ids).collect::<Vec<_>>(), [vec!["t1", "t2"], vec!["t6"], vec![]]);
    assert_eq!(steps[0]["timestamp"], "2026-03-24T15:30:47Z");
    assert_eq!(steps[0]["observation"]["results"][0]["content"], "out t1");
    assert_eq!(steps[1]["observation"], Value::Null, "no result was seen");
    assert_eq!(steps[2]["message"], report.results[0].variants["v1"].full_output.as_deref().unwrap());
    let inner = &of_agent["subagent_trajectories"][0];
    assert_eq!(
        steps[0]["observation"]["results"][1]["subagent_trajectory_ref"][0]["trajectory_id"],
        inner["trajectory_id"]
    );
    assert_eq!((&inner["steps"][0]["source"], &inner["steps"][0]["message"]), (&json!("user"), &json!("look around")));
    assert_eq!(inner["subagent_trajectories"][0]["steps"][0]["tool_calls"][0]["tool_call_id"], "t5");
    let totals = &of_agent["final_metrics"];
    assert_eq!(
        (&totals["total_prompt_tokens"], &totals["total_completion_tokens"], &totals["total_cached_tokens"]),
        (&json!(134), &json!(20), &json!(30)),
    );
    assert_eq!(of_agent["extra"]["sample"], report.results[0].sample_id.as_str());
    // A model without tools answers in one message, whose tokens are those of the whole.
    let alone = &lines[1]["steps"][0];
    assert_eq!(alone["metrics"]["prompt_tokens"], lines[1]["final_metrics"]["total_prompt_tokens"]);
}

#[test]
fn spans_have_the_tree_and_the_times_of_the_calls() {
    let report = report(nested());
    let lines = otel(&report);
    assert_eq!(lines.len(), 3, "what never ran has no trace");
    let spans = spans(&lines[0]);
    let by_id = |id: &Value| spans.iter().find(|span| span["spanId"] == *id);
    let path = |span: &Value| {
        let mut names = vec![span["name"].as_str().unwrap().to_owned()];
        let mut at = span;
        while let Some(parent) = by_id(&at["parentSpanId"]) {
            names.insert(0, parent["name"].as_str().unwrap().to_owned());
            at = parent;
        }
        names.join(" > ")
    };
    let tool = |id: &str| spans.iter().find(|span| attribute(span, "gen_ai.tool.call.id") == id).unwrap();
    let root = spans[0]["name"].as_str().unwrap();
    assert!(root.starts_with("invoke_agent "), "{root}");
    assert_eq!(path(tool("t1")), format!("{root} > execute_tool Bash"));
    let outer = format!("{root} > execute_tool Agent > invoke_agent Explore");
    assert_eq!(path(tool("t3")), format!("{outer} > execute_tool Bash"));
    assert_eq!(path(tool("t5")), format!("{outer} > execute_tool Agent > invoke_agent > execute_tool Bash"));
    // 2026-03-24T15:30:47Z, by `date +%s`
    assert_eq!(
        (&tool("t1")["startTimeUnixNano"], &tool("t1")["endTimeUnixNano"]),
        (&json!("1774366247000000000"), &json!("1774366247500000000"))
    );
    assert_eq!(attribute(tool("t1"), "omk.times.estimated"), &Value::Null);
    assert_eq!((&tool("t6")["status"]["code"], attribute(tool("t6"), "error.type")), (&json!(2), &json!("failed")));
    let chats: Vec<&Value> = spans.iter().filter(|span| attribute(span, "gen_ai.operation.name") == "chat").collect();
    assert_eq!(chats.len(), 2 + 2 + 1 + 1, "the agent's, its sub-agents', and the answer");
    assert!(chats.iter().all(|chat| attribute(chat, "omk.times.estimated") == &json!(true)));
    assert_eq!(
        (attribute(&spans[0], "gen_ai.usage.input_tokens"), attribute(&spans[0], "gen_ai.usage.output_tokens")),
        (&json!("134"), &json!("20"))
    );
    let failed = &self::spans(&lines[1])[0];
    assert_eq!((attribute(failed, "error.type"), &failed["status"]["code"]), (&json!("timeout"), &json!(2)));
    let alone = self::spans(&lines[2]);
    assert_eq!((alone.len(), attribute(&alone[0], "gen_ai.operation.name")), (1, &json!("chat")));
}

/// What no sane transcript has, or an older report.
fn odd() -> Vec<(&'static str, Vec<ToolCall>)> {
    let text = ToolCall { input: json!("*** Begin Patch"), ..call("p", None, None) };
    let nothing = ToolCall { input: Value::Null, output: None, status: None, ..call("n", None, None) };
    let refused = ToolCall {
        status: None,
        output: Some(ToolOutput { text: String::new(), is_error: true, ..ToolOutput::default() }),
        ..call("r", None, None)
    };
    let long_before = ToolCall {
        started_at: Some("1999-01-01T00:00:00Z".parse().unwrap()),
        duration_ms: Some(u64::MAX),
        ..call("l", None, Some(1))
    };
    let deep = (0..300).map(|depth: u32| {
        let parent = depth.checked_sub(1).map(|parent| format!("d{parent}"));
        call(&format!("d{depth}"), parent.as_deref(), Some(1))
    });
    vec![
        ("no calls", Vec::new()),
        (
            "ids that repeat or are missing",
            vec![
                call("a", None, None),
                call("a", None, None),
                call("", None, None),
                call("a#2", None, None),
                call("x", Some("a"), None),
                call("y", Some(""), None),
            ],
        ),
        ("its own parent", vec![call("s", Some("s"), Some(1))]),
        ("a circle", vec![call("a", Some("b"), None), call("b", Some("a"), None)]),
        ("a parent that is nowhere", vec![call("a", Some("gone"), Some(1)), at(2, call("b", None, Some(1)))]),
        ("a parent that comes later", vec![call("a", Some("b"), None), call("b", None, None)]),
        ("arguments that are no object", vec![text, nothing, refused]),
        ("times that can't be", vec![long_before, at(5, call("b", None, Some(2)))]),
        ("deeply nested", deep.collect()),
    ]
}

#[test]
fn odd_transcripts_keep_to_the_rules_and_lose_no_call() {
    for (what, calls) in odd() {
        let report = report(calls.clone());
        let mut found = Vec::new();
        commands(&atif(&report)[0], &mut found);
        let expected = |call: &ToolCall| match &call.input {
            Value::Object(_) => call.input.to_string(),
            Value::Null => "{}".to_owned(),
            other => json!({ "input": other }).to_string(),
        };
        let mut expected: Vec<String> = calls.iter().map(expected).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{what}");
        let otel = otel(&report);
        let tools: Vec<&Value> =
            spans(&otel[0]).iter().filter(|span| attribute(span, "gen_ai.tool.name") == "Bash").collect();
        let ids: BTreeSet<&str> =
            tools.iter().map(|span| attribute(span, "gen_ai.tool.call.id").as_str().unwrap()).collect();
        assert_eq!((tools.len(), ids.len()), (calls.len(), calls.len()), "{what}");
    }
}

#[test]
fn same_report_has_the_same_ids_and_another_has_others() {
    let (one, mut other) = (report(nested()), report(nested()));
    assert_eq!((otel(&one), atif(&one)), (otel(&other), atif(&other)));
    other.id = "another".to_owned();
    let traces = |report: &Report| -> BTreeSet<String> {
        otel(report).iter().map(|line| spans(line)[0]["traceId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(traces(&one).len(), 3);
    assert!(traces(&one).is_disjoint(&traces(&other)));
}

#[test]
fn checks_of_the_rules_refuse_what_breaks_them() {
    let report = report(nested());
    for (path, value) in [
        ("/schema_version", json!("ATIF-v9")),
        ("/agent/version", json!(2)),
        ("/steps/0/step_id", json!(7)),
        ("/steps/0/source", json!("user")),
        ("/steps/0/timestamp", json!("yesterday")),
        ("/steps/0/tool_calls/0/arguments", json!("ls")),
        ("/steps/0/observation/results/0/source_call_id", json!("t6")),
        ("/steps/0/observation/results/1/subagent_trajectory_ref/0/trajectory_id", json!("gone")),
        ("/subagent_trajectories/0/steps", json!([])),
        ("/final_metrics/total_steps", json!(9)),
    ] {
        let mut line = atif(&report).swap_remove(0);
        *line.pointer_mut(path).unwrap() = value;
        assert!(!atif_errors(&line).is_empty(), "{path}");
    }
    for (path, value) in [
        ("/traceId", json!("00")),
        ("/spanId", json!("0000000000000000")),
        ("/parentSpanId", json!("1111111111111111")),
        ("/name", json!("agent")),
        ("/kind", json!(5)),
        ("/startTimeUnixNano", json!(5)),
        ("/endTimeUnixNano", json!("1")),
        ("/attributes/0/key", json!("gen_ai.system")),
        ("/attributes/0/value", json!({ "intValue": 5 })),
        ("/status", json!({ "code": 2 })),
    ] {
        let mut line = otel(&report).swap_remove(0);
        let root = line.pointer_mut("/resourceSpans/0/scopeSpans/0/spans/0").unwrap();
        *root.pointer_mut(path).unwrap() = value;
        assert!(!otel_errors(&line).is_empty(), "{path}");
    }
}

/// What the reader of sessions finds in an export.
#[derive(Default)]
struct ReadBack {
    calls: Vec<ToolCall>,
    prompts: Vec<String>,
    texts: Vec<String>,
    usage: Usage,
}

fn read_back(report: &Report, format: &str) -> ReadBack {
    let text = lines(report, format).iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let found = session_format("export.jsonl", &text).unwrap();
    assert_eq!(found.name, format);
    let (mut reader, mut events) = ((found.reader)(), Vec::new());
    assert!(text.lines().all(|line| reader.line(line, &mut events) == LineKind::Known));
    assert_eq!(reader.end(&mut events), LineKind::Known);
    let (mut read, mut places) = (ReadBack::default(), HashMap::new());
    for event in events {
        match event {
            SessionEvent::Prompt { text, .. } => read.prompts.push(text),
            SessionEvent::Message(piece) => {
                read.texts.extend(Some(piece.text).filter(|text| !text.is_empty()));
                read.usage = read.usage + piece.usage.unwrap_or_default();
            }
            SessionEvent::Call { call, .. } => {
                places.insert(call.id.clone(), read.calls.len());
                read.calls.push(call);
            }
            SessionEvent::Result { call, output, status, .. } => {
                let call = &mut read.calls[places[&call]];
                (call.output, call.status) = (Some(output), status);
            }
            _ => {}
        }
    }
    read
}

#[test]
fn exports_are_read_back_as_sessions() {
    let mut calls = nested();
    let ended = |id, turn, status, text: &str| ToolCall {
        status,
        output: Some(ToolOutput {
            text: text.to_owned(),
            is_error: matches!(status, Some(ToolStatus::Failed | ToolStatus::NotRun)),
            ..ToolOutput::default()
        }),
        ..call(id, None, Some(turn))
    };
    calls.push(at(8, ended("t7", 3, Some(ToolStatus::NoMatch), "")));
    calls.push(at(9, ended("t8", 4, Some(ToolStatus::NotRun), "denied")));
    calls.push(at(10, ended("t9", 5, Some(ToolStatus::Failed), "No matches found")));
    let mut report = report(calls.clone());
    let prompt = "Which files are there?".to_owned();
    report.results[0].texts =
        Some(eval_format::SampleTexts { prompt: prompt.clone(), rubric: None, dimensions: Vec::new() });
    let key = |call: &ToolCall| {
        let text = call.output.as_ref().map(|output| output.text.clone()).unwrap_or_default();
        (call.id.clone(), call.name.clone(), call.input.to_string(), call.parent.clone(), call.status, text)
    };
    let mut expected: Vec<_> = calls.iter().map(key).collect();
    expected.sort();
    let all = || report.results.iter().flat_map(|result| result.variants.values());
    let sum = |of: fn(&eval_format::VariantResult) -> Option<u64>| all().filter_map(of).sum::<u64>();
    for format in ["atif", "otel"] {
        let read = read_back(&report, format);
        let mut found: Vec<_> = read.calls.iter().map(key).collect();
        found.sort();
        // A result that was not seen stays one in ATIF; a span has an end.
        let expected = expected.iter().cloned().map(|(id, name, input, parent, status, text)| {
            let status = if id == "t6" && format == "atif" { None } else { status };
            (id, name, input, parent, status, text)
        });
        assert_eq!(found, expected.collect::<Vec<_>>(), "{format}");
        let usage = read.usage;
        let of_report = (sum(|of| of.input_tokens), sum(|of| of.output_tokens), sum(|of| of.cache_read_tokens));
        assert_eq!((usage.total_input(), usage.output_tokens, usage.cache_read_tokens), of_report, "{format}");
        let answers: BTreeSet<&str> = all().filter_map(|of| of.full_output.as_deref()).collect();
        assert_eq!(read.texts.iter().map(String::as_str).collect::<BTreeSet<_>>(), answers, "{format}");
        // Each trajectory or trace of the sample has it; what sub-agents are asked is nobody's prompt.
        assert!(read.prompts.contains(&prompt) && read.prompts.iter().all(|text| *text == prompt), "{format}");
    }
}

#[test]
fn no_call_of_an_odd_export_is_lost() {
    for (what, calls) in odd() {
        let report = report(calls.clone());
        for format in ["atif", "otel"] {
            assert_eq!(read_back(&report, format).calls.len(), calls.len(), "{what} in {format}");
        }
    }
}
