//! Grading (G1–G4), as it stands in reports.

use std::path::Path;
use std::process::Command;

use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use eval_spec::{Layer, Outcome, Output};
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{Came, Prepared, both, ended};

/// One assertion on one prepared answer, and what must stand in the report.
struct Row {
    answer: &'static str,
    written: Value,
    passed: Option<bool>,
    actual: Value,
    layer: &'static str,
}

fn row(
    answer: &'static str,
    layer: &'static str,
    written: Value,
    passed: impl Into<Option<bool>>,
    actual: Value,
) -> Row {
    Row { answer, written, passed: passed.into(), actual, layer }
}

/// Runs every row with one variant and an agent that gives the prepared replies, and gives each row's detail.
fn details(context: &TestContext, replies: &[(&str, Value)], rows: &[Row]) -> Vec<Value> {
    context.write("skills/v1.md", "a skill\n");
    // the prompt `case:NAME.` asks for the reply of that name
    context.script("agent", "input=$(cat)\nname=${input#*case:}\nexec cat \"replies/${name%%.*}\"\n");
    for (name, reply) in replies {
        let text = reply.as_str().map_or_else(|| reply.to_string(), str::to_owned);
        context.write(&format!("replies/{name}"), &text);
    }
    let sample = |(name, _): &(&str, Value)| {
        let assertions: Vec<&Value> = rows.iter().filter(|row| row.answer == *name).map(|row| &row.written).collect();
        json!({"sample_id": name, "prompt": format!("case:{name}."), "assertions": assertions})
    };
    let samples: Value = replies.iter().map(sample).collect();
    context.write("eval-samples.json", &samples.to_string());
    let done =
        context.run(&["eval", "--control", "v1", "--executor", "./agent", "--concurrency", "4", "--report-only"]);
    done.expect(0);
    let report = context.report();
    let mut next = std::collections::HashMap::<&str, usize>::new();
    let detail = |row: &Row| {
        let results = report["results"].as_array().unwrap();
        let result = results.iter().find(|result| result["sample_id"] == row.answer).unwrap();
        let place = next.entry(row.answer).or_default();
        *place += 1;
        result["variants"]["v1"]["assertions"]["details"][*place - 1].clone()
    };
    rows.iter().map(detail).collect()
}

/// Everything in `expected` is in `found`; objects may hold more, numbers may differ by rounding.
fn holds(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Object(e), Value::Object(f)) => e.iter().all(|(k, v)| f.get(k).is_some_and(|found| holds(v, found))),
        (Value::Number(e), Value::Number(f)) => (e.as_f64().unwrap() - f.as_f64().unwrap()).abs() < 1e-9,
        _ => expected == found,
    }
}

fn check(rows: &[Row], details: &[Value]) {
    let mut wrong = Vec::new();
    for (row, detail) in rows.iter().zip(details) {
        let status = if row.passed.is_none() { json!("unavailable") } else { Value::Null };
        let right = detail["passed"] == json!(row.passed)
            && detail["status"] == status
            && detail["layer"] == row.layer
            && holds(&row.actual, &detail["actual"])
            && holds(&row.written, detail);
        if !right {
            wrong.push(format!(
                "{} on `{}`: expected {:?} {} {}\n  found {detail}",
                row.written, row.answer, row.passed, row.layer, row.actual
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

const PLAIN: &str = "The Quick brown fox jumps over the lazy dog";
const CHINESE: &str = "建议使用参数化查询，避免 SQL 注入。";

fn replies() -> Vec<(&'static str, Value)> {
    let calls = json!([
        {"name": "Bash", "input": {"command": "ls -la src"}, "output": "main.rs\nlib.rs"},
        {"name": "Read", "input": {"file": {"path": "/tmp/配置.yaml"}}, "output": "key: 值"},
        {"name": "Bash", "input": {"command": "cargo test"}, "output": "ok"},
    ]);
    vec![
        ("plain", json!({"output": PLAIN, "costUSD": 0.25, "turns": 3, "toolCalls": calls})),
        ("zh", json!({ "output": CHINESE })),
        ("padded", json!({"output": "  yes \n"})),
        ("idle", json!({"output": "I did nothing", "toolCalls": []})),
        ("json", json!({"output": r#"{"name": "omk", "stars": 5, "mail": "nobody"}"#})),
        ("fenced", json!({"output": "Here:\n\n```json\n{\"ok\": true}\n```\nDone."})),
        ("fences", json!({"output": "```json\n1\n```\n```json\n2\n```"})),
    ]
}

#[test]
#[rustfmt::skip]
fn g1_every_deterministic_type_on_english_text() {
    const F: &str = "fact";
    const B: &str = "behavior";
    let p = |layer, written, passed: bool, actual| row("plain", layer, written, passed, actual);
    let rows = [
        p(F, json!({"type": "contains", "value": "QUICK"}), true, json!({"found": true, "at": 4, "text": "Quick"})),
        p(F, json!({"type": "contains", "value": "cat"}), false, json!({"found": false})),
        p(F, json!({"type": "not_contains", "value": "cat"}), true, json!({"found": false})),
        p(F, json!({"type": "not_contains", "value": "FOX"}), false, json!({"found": true, "at": 16, "text": "fox"})),
        p(F, json!({"type": "contains_all", "values": ["fox", "DOG"]}), true, json!({"found": ["fox", "DOG"], "missing": []})),
        p(F, json!({"type": "contains_all", "values": ["fox", "cat"]}), false, json!({"found": ["fox"], "missing": ["cat"]})),
        p(F, json!({"type": "contains_any", "values": ["cat", "fox"]}), true, json!({"found": ["fox"], "missing": ["cat"]})),
        p(F, json!({"type": "contains_any", "values": ["cat", "bird"]}), false, json!({"found": []})),
        p(F, json!({"type": "regex", "pattern": r"quick\s+BROWN"}), true, json!({"found": true, "at": 4, "text": "Quick brown"})),
        p(F, json!({"type": "regex", "pattern": r"quick\s+BROWN", "flags": ""}), false, json!({"found": false})),
        p(F, json!({"type": "equals", "value": PLAIN}), true, json!(PLAIN)),
        p(F, json!({"type": "equals", "value": "the quick"}), false, json!(PLAIN)),
        p(F, json!({"type": "not_equals", "value": "the quick"}), true, json!(PLAIN)),
        p(F, json!({"type": "not_equals", "value": PLAIN}), false, json!(PLAIN)),
        p(F, json!({"type": "starts_with", "value": "the quick"}), true, json!("The Quick")),
        p(F, json!({"type": "starts_with", "value": "Quick"}), false, json!("The Q")),
        p(F, json!({"type": "ends_with", "value": "LAZY DOG"}), true, json!("lazy dog")),
        p(F, json!({"type": "ends_with", "value": "cat"}), false, json!("dog")),
        row("json", F, json!({"type": "json_valid"}), true, json!({"valid": true})),
        p(F, json!({"type": "json_valid"}), false, json!({"valid": false})),
        row("json", F, json!({"type": "json_schema", "schema": {"required": ["name"]}}), true, json!({"valid": true})),
        row("json", F, json!({"type": "json_schema", "schema": {"required": ["nope"]}}), false, json!({"valid": false})),
        p(B, json!({"type": "min_length", "value": 43}), true, json!(43)),
        p(B, json!({"type": "min_length", "value": 44}), false, json!(43)),
        p(B, json!({"type": "max_length", "value": 43}), true, json!(43)),
        p(B, json!({"type": "max_length", "value": 42}), false, json!(43)),
        p(B, json!({"type": "word_count_min", "value": 9}), true, json!(9)),
        p(B, json!({"type": "word_count_min", "value": 10}), false, json!(9)),
        p(B, json!({"type": "word_count_max", "value": 9}), true, json!(9)),
        p(B, json!({"type": "word_count_max", "value": 8}), false, json!(9)),
        p(B, json!({"type": "cost_max", "value": 0.25}), true, json!(0.25)),
        p(B, json!({"type": "cost_max", "value": 0.24}), false, json!(0.25)),
        p(B, json!({"type": "turns_min", "value": 3}), true, json!(3)),
        p(B, json!({"type": "turns_min", "value": 4}), false, json!(3)),
        p(B, json!({"type": "turns_max", "value": 3}), true, json!(3)),
        p(B, json!({"type": "turns_max", "value": 2}), false, json!(3)),
        p(B, json!({"type": "tools_called", "values": ["Bash", "Read"]}), true, json!({"Bash": 2, "Read": 1})),
        p(B, json!({"type": "tools_called", "value": "Write"}), false, json!({"Bash": 2, "Read": 1})),
        p(B, json!({"type": "tools_not_called", "value": "Write"}), true, json!({"Bash": 2})),
        p(B, json!({"type": "tools_not_called", "values": ["Write", "Bash"]}), false, json!({"Bash": 2})),
        p(B, json!({"type": "tools_count_min", "value": 3}), true, json!(3)),
        p(B, json!({"type": "tools_count_min", "value": 4}), false, json!(3)),
        p(B, json!({"type": "tools_count_max", "value": 3}), true, json!(3)),
        p(B, json!({"type": "tools_count_max", "value": 2}), false, json!(3)),
        p(F, json!({"type": "tool_output_contains", "value": "LIB.rs", "tool": "Bash"}), true, json!({"found": true, "call": 1})),
        p(F, json!({"type": "tool_output_contains", "value": "key", "tool": "Bash"}), false, json!({"found": false, "searched": 2})),
        p(F, json!({"type": "tool_input_contains", "value": "cargo"}), true, json!({"found": true, "call": 3, "tool": "Bash"})),
        p(F, json!({"type": "tool_input_contains", "value": "rm -rf"}), false, json!({"found": false, "searched": 3})),
        p(F, json!({"type": "tool_input_not_contains", "value": "rm -rf"}), true, json!({"found": false, "searched": 3})),
        p(F, json!({"type": "tool_input_not_contains", "value": "CARGO"}), false, json!({"found": true, "call": 3})),
        // the, quick, red, fox: three of four; its bigrams: one of three
        p(F, json!({"type": "rouge_n_min", "reference": "the quick red fox", "threshold": 0.75}), true, json!(0.75)),
        p(F, json!({"type": "rouge_n_min", "reference": "the quick red fox", "n": 2}), false, json!(1.0 / 3.0)),
        p(F, json!({"type": "bleu_min", "reference": PLAIN, "threshold": 1}), true, json!(1.0)),
        // 1- to 4-grams of nine words, the last one another: 8/9, 7/8, 6/7, 5/6
        p(F, json!({"type": "bleu_min", "reference": "The Quick brown fox jumps over the lazy cat", "threshold": 0.9}), false,
          json!((8.0_f64 / 9.0 * 7.0 / 8.0 * 6.0 / 7.0 * 5.0 / 6.0).powf(0.25))),
        p(F, json!({"type": "levenshtein_max", "reference": "The Quick brown fox jumps over the lazy cat", "value": 3}), true, json!(3)),
        p(F, json!({"type": "levenshtein_max", "reference": "The Quick brown fox jumps over the lazy cat", "value": 2}), false, json!(3)),
        // trimmed before they are compared, but case matters
        row("padded", F, json!({"type": "equals", "value": "yes"}), true, json!("yes")),
        row("padded", F, json!({"type": "equals", "value": "Yes"}), false, json!("yes")),
        row("padded", B, json!({"type": "min_length", "value": 7}), true, json!(7)),
        // an agent that says it called nothing is not one that says nothing
        row("idle", B, json!({"type": "tools_not_called", "value": "Bash"}), true, json!({})),
        row("idle", B, json!({"type": "tools_count_min", "value": 1}), false, json!(0)),
    ];
    let context = TestContext::new();
    check(&rows, &details(&context, &replies(), &rows));
    // every type that needs no judge, no clock and no mocks stands in the table, with both results
    for spec in eval_grade::type_specs() {
        let both_ways = [true, false].iter().all(|passed| {
            rows.iter().any(|row| row.written["type"] == spec.name && row.passed == Some(*passed))
        });
        let elsewhere = ["latency_max", "mock_hit", "custom", "assert-set"].contains(&spec.name);
        assert!(both_ways || spec.judged || elsewhere, "`{}` is not shown to pass and to fail", spec.name);
    }
}

#[test]
#[rustfmt::skip]
fn g1_every_deterministic_type_on_chinese_text() {
    let z = |layer, written, passed: Option<bool>, actual| row("zh", layer, written, passed, actual);
    let (f, b, yes, no) = ("fact", "behavior", Some(true), Some(false));
    let rows = [
        z(f, json!({"type": "contains", "value": "参数化"}), yes, json!({"found": true, "at": 4, "text": "参数化"})),
        z(f, json!({"type": "contains", "value": "sql 注入"}), yes, json!({"at": 13, "text": "SQL 注入"})),
        z(f, json!({"type": "not_contains", "value": "没有问题"}), yes, json!({"found": false})),
        z(f, json!({"type": "contains_all", "values": ["参数化", "转义"]}), no, json!({"found": ["参数化"], "missing": ["转义"]})),
        z(f, json!({"type": "contains_any", "values": ["转义", "查询"]}), yes, json!({"found": ["查询"]})),
        z(f, json!({"type": "regex", "pattern": "参数化(?=查询)"}), yes, json!({"at": 4, "text": "参数化"})),
        z(f, json!({"type": "equals", "value": CHINESE}), yes, json!(CHINESE)),
        z(f, json!({"type": "not_equals", "value": "好"}), yes, json!(CHINESE)),
        z(f, json!({"type": "starts_with", "value": "建议"}), yes, json!("建议")),
        z(f, json!({"type": "ends_with", "value": "注入"}), no, json!("入。")),
        z(f, json!({"type": "json_valid"}), no, json!({"valid": false})),
        z(b, json!({"type": "min_length", "value": 20}), yes, json!(20)),
        z(b, json!({"type": "max_length", "value": 19}), no, json!(20)),
        // thirteen Han characters and one word
        z(b, json!({"type": "word_count_min", "value": 14}), yes, json!(14)),
        z(b, json!({"type": "word_count_max", "value": 13}), no, json!(14)),
        z(f, json!({"type": "rouge_n_min", "reference": "使用参数化查询", "threshold": 1}), yes, json!(1.0)),
        z(f, json!({"type": "bleu_min", "reference": CHINESE, "threshold": 1}), yes, json!(1.0)),
        z(f, json!({"type": "levenshtein_max", "reference": "建议使用参数化查询，避免 XSS 注入。", "value": 2}), no, json!(3)),
        row("plain", f, json!({"type": "tool_output_contains", "value": "值"}), true, json!({"call": 2, "tool": "Read"})),
        row("plain", f, json!({"type": "tool_input_contains", "value": "配置"}), true, json!({"call": 2})),
        row("plain", f, json!({"type": "tool_input_not_contains", "value": "配置", "tool": "Bash"}), true, json!({"searched": 2})),
    ];
    let context = TestContext::new();
    check(&rows, &details(&context, &replies(), &rows));
}

#[test]
#[rustfmt::skip]
fn g1_json_is_read_strictly_unless_a_fence_is_asked_for() {
    let f = "fact";
    let of = |row_of, written, passed: bool| row(row_of, f, written, passed, json!({"valid": passed}));
    let schema = |schema: Value| json!({"type": "json_schema", "schema": schema});
    let rows = [
        of("fenced", json!({"type": "json_valid"}), false),
        of("fenced", json!({"type": "json_valid", "extract": "fenced"}), true),
        of("fenced", schema(json!({"required": ["ok"]})), false),
        of("fenced", json!({"type": "json_schema", "schema": {"required": ["ok"]}, "extract": "fenced"}), true),
        of("fenced", json!({"type": "json_schema", "schema": {"required": ["no"]}, "extract": "fenced"}), false),
        of("fences", json!({"type": "json_valid", "extract": "fenced"}), false),
        // `format` is asserted, whatever the draft
        of("json", schema(json!({"properties": {"mail": {"format": "email"}}})), false),
        of("json", schema(json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"mail": {"format": "email"}}})), false),
        // draft 4: `exclusiveMinimum` is a boolean beside `minimum`
        of("json", schema(json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"stars": {"minimum": 5, "exclusiveMinimum": true}}})), false),
        of("json", schema(json!({"$schema": "http://json-schema.org/draft-06/schema#", "properties": {"stars": {"exclusiveMinimum": 4}}})), true),
        // no `$schema`: draft 7, which knows `if` and does not know `dependentRequired` of 2019-09
        of("json", schema(json!({"if": {"required": ["name"]}, "then": {"required": ["nope"]}})), false),
        of("json", schema(json!({"dependentRequired": {"name": ["nope"]}})), true),
        of("json", schema(json!({"$schema": "https://json-schema.org/draft/2019-09/schema", "dependentRequired": {"name": ["nope"]}})), false),
    ];
    let context = TestContext::new();
    let details = details(&context, &replies(), &rows);
    check(&rows, &details);
    let message = |i: usize| details[i]["message"].as_str().unwrap();
    assert!(message(0).contains("its one fenced block would pass: set `extract: fenced`"), "{}", message(0));
    assert!(message(2).contains("its one fenced block would pass: set `extract: fenced`"), "{}", message(2));
    assert!(message(5).contains("2 fenced JSON blocks"), "{}", message(5));
    assert!(message(6).contains("/mail"), "{}", message(6));
}

#[test]
#[rustfmt::skip]
fn g1_what_is_not_known_is_unavailable_and_leaves_the_denominator() {
    let b = "behavior";
    let rows = [
        row("zh", b, json!({"type": "cost_max", "value": 0.01, "weight": 50}), None, Value::Null),
        row("zh", b, json!({"type": "turns_max", "value": 9, "weight": 50}), None, Value::Null),
        row("zh", b, json!({"type": "tools_called", "value": "Bash", "weight": 50}), None, Value::Null),
        row("zh", b, json!({"type": "tools_not_called", "value": "Bash", "weight": 50}), None, Value::Null),
        row("zh", b, json!({"type": "tools_count_max", "value": 9, "weight": 50}), None, Value::Null),
        row("zh", "fact", json!({"type": "tool_input_not_contains", "value": "x", "weight": 50}), None, Value::Null),
        row("zh", "fact", json!({"type": "contains", "value": "参数化"}), true, json!({"found": true})),
        row("zh", b, json!({"type": "max_length", "value": 100}), true, json!(20)),
        row("zh", b, json!({"type": "max_length", "value": 1, "weight": 3}), false, json!(20)),
        // matching takes ages, and says nothing of the answer
        row("evil", "fact", json!({"type": "regex", "pattern": "^(a+)+$"}), None, Value::Null),
        row("evil", "fact", json!({"type": "contains", "value": "b"}), true, json!({"at": 40})),
    ];
    let mut replies = replies();
    replies.push(("evil", json!({"output": format!("{}b", "a".repeat(40))})));
    let context = TestContext::new();
    let details = details(&context, &replies, &rows);
    check(&rows, &details);
    assert_eq!(details[0]["message"], "the cost is unknown");
    assert_eq!(details[2]["message"], "the executor gives no trace");
    assert_eq!(details[9]["message"], "matching `^(a+)+$` took more than 1 s");
    let report = context.report();
    let result = |id: &str| {
        let results = report["results"].as_array().unwrap();
        results.iter().find(|result| result["sample_id"] == id).unwrap()["variants"]["v1"].clone()
    };
    let zh = result("zh");
    // fact 1/1, behaviour 1 of 4 evaluated weight; all assertions together 2 of 5
    assert_eq!(zh["layeredScores"], json!({"factScore": 5.0, "behaviorScore": 2.0, "judgeScore": null}));
    assert_eq!(zh["assertions"]["score"], json!(2.6));
    assert_eq!(zh["compositeScore"], json!(3.5));
    assert_eq!(zh["missing"].as_array().unwrap().len(), 6, "each of them is listed with its reason: {}", zh["missing"]);
    assert_eq!(zh["missing"][0]["why"], "the cost is unknown");
    assert_eq!(result("evil")["compositeScore"], json!(5.0));
    assert_eq!(report["summary"]["v1"]["checks"], json!({"passed": 3, "failed": 1, "unscored": 7}));
}

/// A recorded execution in which the second `Bash` mock answered twice, or one without latency.
#[test]
fn g1_latency_and_mocks_come_from_the_execution() {
    let mocked = |name: &str, mock| {
        let output = Some(ToolOutput { text: "fake".to_owned(), is_error: false, note: None });
        let id = "call".to_owned();
        Step::Tool(ToolCall { id, name: name.to_owned(), input: json!({}), output, parent: None, mock: Some(mock) })
    };
    let prepared = Prepared::with_samples(
        json!([
            {"sample_id": "s001", "prompt": "question 1",
             "mocks": [{"tool": "Bash", "return": "1"}, {"tool": "Read", "return": "2"}, {"tool": "Bash", "return": "3"}],
             "assertions": [
                {"type": "mock_hit", "value": "Bash:2", "threshold": 2},
                {"type": "mock_hit", "value": "Bash:2", "threshold": 3},
                {"type": "mock_hit", "value": "Read:1"},
                {"type": "latency_max", "value": 120},
                {"type": "latency_max", "value": 119}]},
            {"sample_id": "s002", "prompt": "question 2", "mocks": [{"tool": "Bash", "return": "1"}],
             "assertions": [
                {"type": "mock_hit", "value": "Bash:1"},
                {"type": "latency_max", "value": 119}]},
        ]),
        &["v1"],
        1,
        |at| {
            let steps = vec![mocked("Bash", 2), mocked("Bash", 2)];
            let output = match at.sample {
                0 => Output { latency_ms: Some(120), trace: Trace { turns: Some(2), steps }, ..Output::text("done") },
                _ => Output::text("done"),
            };
            Came::To(Box::new(output))
        },
    );
    let report = prepared.report(1, &[]);
    let detail = |sample: usize, i: usize| {
        let detail = &report["results"][sample]["variants"]["v1"]["assertions"]["details"][i];
        (detail["passed"].as_bool(), detail["actual"].clone(), detail["layer"].clone())
    };
    let behavior = json!("behavior");
    assert_eq!(detail(0, 0), (Some(true), json!(2), behavior.clone()));
    assert_eq!(detail(0, 1), (Some(false), json!(2), behavior.clone()));
    assert_eq!(detail(0, 2), (Some(false), json!(0), behavior.clone()));
    assert_eq!(detail(0, 3), (Some(true), json!(120), behavior.clone()));
    assert_eq!(detail(0, 4), (Some(false), json!(120), behavior.clone()));
    assert_eq!(detail(1, 0), (None, Value::Null, behavior.clone()));
    assert_eq!(detail(1, 1), (None, Value::Null, behavior));
    assert_eq!(report["results"][1]["variants"]["v1"]["durationMs"], Value::Null);
}

#[test]
fn g1_what_does_not_compile_is_an_input_error_at_its_place() {
    let context = TestContext::with_agent();
    let samples = "- sample_id: s1
  prompt: hello
  assertions:
    - type: regex
      pattern: '(unclosed'
    - type: contains
      value: fine
    - type: json_schema
      schema: {type: objekt}
    - type: regex
      pattern: fine
      flags: iq
    - type: json_schema
      schema: {$ref: 'https://example.com/elsewhere.json'}
    - type: assert-set
      mode: any
      children:
        - {type: regex, pattern: 'also [wrong'}
    - type: custom
      fn: nowhere.mjs
    - type: bleu_min
      reference: x
      threshold: 2
";
    context.write("eval-samples.yaml", samples);
    let done = context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent"]).expect(2);
    for (line, what) in [
        ("eval-samples.yaml:5:16", "the pattern does not compile"),
        ("eval-samples.yaml:9:15", "the schema does not compile"),
        ("eval-samples.yaml:12:14", "`q` is not a flag"),
        ("eval-samples.yaml:14:15", "the schema does not compile"),
        ("eval-samples.yaml:18:34", "the pattern does not compile"),
        ("eval-samples.yaml:20:11", "`nowhere.mjs` can't be read"),
        ("eval-samples.yaml:23:18", "threshold"),
    ] {
        assert!(done.stderr.contains(line), "{line}: {}", done.stderr);
        assert!(done.stderr.contains(what), "{what}: {}", done.stderr);
    }
    assert_eq!(context.reports(), Vec::<std::path::PathBuf>::new());
    assert!(!context.home().join("journal").exists(), "nothing was run");
}

#[test]
#[rustfmt::skip]
fn g2_not_inverts_what_was_evaluated_and_a_set_counts_once() {
    let (f, b) = ("fact", "behavior");
    let yes = || json!({"type": "contains", "value": "fox"});
    let no = || json!({"type": "contains", "value": "cat"});
    let cost = |value: f64| json!({"type": "cost_max", "value": value});
    let set = |mode: &str, children: Value| json!({"type": "assert-set", "mode": mode, "children": children});
    let not = |mut written: Value| { written["not"] = json!(true); written };
    let counts = |p: u32, f: u32, u: u32| json!({"passed": p, "failed": f, "unscored": u});
    // `zh` has no cost, `plain` costs 0.25
    let rows = [
        row("plain", f, not(yes()), false, json!({"found": true})),
        row("plain", f, not(no()), true, json!({"found": false})),
        row("plain", b, not(cost(1.0)), false, json!(0.25)),
        row("zh", b, not(cost(1.0)), None, Value::Null),
        row("plain", f, set("any", json!([no(), yes()])), true, counts(1, 1, 0)),
        row("plain", f, set("all", json!([no(), yes()])), false, counts(1, 1, 0)),
        row("plain", f, set("all", json!([not(no()), yes()])), true, counts(2, 0, 0)),
        row("plain", f, not(set("any", json!([no(), no()]))), true, counts(0, 2, 0)),
        // mixed children count as behaviour
        row("plain", b, set("all", json!([yes(), {"type": "min_length", "value": 1}])), true, counts(2, 0, 0)),
        row("plain", b, set("all", json!([{"type": "max_length", "value": 1}, {"type": "min_length", "value": 1}])), false, counts(1, 1, 0)),
        // nested: not (no or (yes and cost over the limit))
        row("plain", b, not(set("any", json!([no(), set("all", json!([yes(), cost(0.1)]))]))), true, counts(0, 2, 0)),
        // one child settles a set; an unknown one leaves it open, inverted or not
        row("zh", b, set("any", json!([{"type": "min_length", "value": 1}, cost(1.0)])), true, counts(1, 0, 1)),
        row("zh", b, set("all", json!([{"type": "max_length", "value": 1}, cost(1.0)])), false, counts(0, 1, 1)),
        row("zh", b, not(set("all", json!([{"type": "min_length", "value": 1}, cost(1.0)]))), None, counts(1, 0, 1)),
        row("zh", b, set("any", json!([not(cost(1.0))])), None, counts(0, 0, 1)),
    ];
    let context = TestContext::new();
    let details = details(&context, &replies(), &rows);
    // children are compared below: the report gives each more fields than its author wrote
    let rows: Vec<Row> = rows.into_iter().map(|mut row| { row.written.as_object_mut().unwrap().remove("children"); row }).collect();
    check(&rows, &details);
    let child = |i: usize, j: usize| (details[i]["children"][j]["type"].clone(), details[i]["children"][j]["passed"].clone());
    assert_eq!(child(4, 0), (json!("contains"), json!(false)));
    assert_eq!(child(4, 1), (json!("contains"), json!(true)));
    assert_eq!(details[6]["children"][0]["not"], json!(true));
    assert_eq!(details[10]["children"][1]["children"][1]["passed"], json!(false));
    assert_eq!(details[10]["children"][1]["layer"], json!("behavior"));
    assert_eq!(child(13, 1), (json!("cost_max"), Value::Null));
    assert_eq!(details[14]["message"], "the cost is unknown");
}

#[test]
fn g2_a_set_has_its_own_weight() {
    let rows = [
        row("plain", "fact", json!({"type": "contains", "value": "fox"}), true, Value::Null),
        row(
            "plain",
            "fact",
            json!({"type": "assert-set", "mode": "all", "weight": 3, "children": [
                {"type": "contains", "value": "cat", "weight": 100}, {"type": "contains", "value": "fox", "weight": 100}]}),
            false,
            Value::Null,
        ),
    ];
    let context = TestContext::new();
    details(&context, &replies(), &rows);
    let report = context.report();
    let plain = &report["results"][0]["variants"]["v1"];
    // 1 of 1 + 3
    assert_eq!(plain["layeredScores"]["factScore"], json!(2.0));
    assert_eq!((&plain["assertions"]["passed"], &plain["assertions"]["total"]), (&json!(1), &json!(2)));
}

#[test]
fn g3_layers_composite_and_the_old_fields_by_hand() {
    // hundredths of fact and behaviour: 1 + 4·0.75 = 4, 1 + 4·0.5 = 3; fact weighs as much as behaviour
    let prepared = Prepared::new(2, &["v1"], 1, &[Layer::Fact, Layer::Behavior], |at| match at.sample {
        0 => both(75, 50),
        _ => both(100, 0),
    });
    let report = prepared.report(1, &[]);
    let first = &report["results"][0]["variants"]["v1"];
    assert_eq!(first["layeredScores"], json!({"factScore": 4.0, "behaviorScore": 3.0, "judgeScore": null}));
    assert_eq!(first["compositeScore"], json!(3.5));
    assert_eq!(first["assertions"]["score"], json!(3.5), "all in one pot: 125 of 200");
    let second = &report["results"][1]["variants"]["v1"];
    // tools are known not to have been called: the agent made one turn
    assert_eq!(second["layeredScores"], json!({"factScore": 5.0, "behaviorScore": 1.0, "judgeScore": null}));
    assert_eq!(second["compositeScore"], json!(3.0));
    let summary = &report["summary"]["v1"];
    assert_eq!(summary["avgCompositeScore"], json!(3.25));
    assert_eq!(summary["avgAssertionScore"], json!(3.25));
    assert_eq!(summary["avgLlmScore"], Value::Null);
    let layer = |name: &str| (summary["layers"][name]["mean"].clone(), summary["layers"][name]["n"].clone());
    assert_eq!(layer("fact"), (json!(4.5), json!(2)));
    assert_eq!(layer("behavior"), (json!(2.0), json!(2)));
    assert_eq!(summary["layers"]["judge"], Value::Null);
}

#[test]
fn g3_layers_of_unequal_weight_count_alike() {
    let rows = [
        row("plain", "fact", json!({"type": "contains", "value": "fox"}), true, Value::Null),
        row("plain", "fact", json!({"type": "contains", "value": "dog"}), true, Value::Null),
        row("plain", "fact", json!({"type": "contains", "value": "cat", "weight": 2}), false, Value::Null),
        row("plain", "behavior", json!({"type": "max_length", "value": 1}), false, Value::Null),
    ];
    let context = TestContext::new();
    details(&context, &replies(), &rows);
    let report = context.report();
    let plain = &report["results"][0]["variants"]["v1"];
    // fact 2 of 4 → 3; behaviour 0 of 1 → 1; composite 2, while all in one pot is 2 of 5 → 2.6
    assert_eq!(plain["layeredScores"], json!({"factScore": 3.0, "behaviorScore": 1.0, "judgeScore": null}));
    assert_eq!(plain["compositeScore"], json!(2.0));
    assert_eq!(plain["assertions"]["score"], json!(2.6));
}

#[test]
fn g3_a_layer_that_could_not_be_scored_makes_the_composite_missing() {
    let behavior_unknown = || {
        let Came::To(output) = both(100, 0) else { unreachable!() };
        Came::To(Box::new(Output { trace: Trace::default(), ..*output }))
    };
    let prepared =
        Prepared::new(12, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], |at| match (at.variant, at.sample) {
            (1, 2) => behavior_unknown(),
            (1, 3) => ended(Outcome::Refused),
            _ => both(80, 80),
        });
    let report = prepared.report(1, &[]);
    let missing = &report["results"][2]["variants"]["v2"];
    assert_eq!(missing["ok"], json!(true));
    assert_eq!(missing["layeredScores"], json!({"factScore": 5.0, "behaviorScore": null, "judgeScore": null}));
    assert_eq!(missing["compositeScore"], Value::Null, "never a mean over fewer layers");
    assert_eq!(missing["missing"][0]["what"], "composite");
    assert_eq!(missing["missing"][0]["why"], "the executor gives no trace");
    let summary = &report["summary"]["v2"];
    assert_eq!((&summary["plannedScores"], &summary["missingScores"]), (&json!(12), &json!(2)));
    assert_eq!(summary["avgCompositeScore"], json!(4.2), "a mean over the ten that have one");
    assert_eq!(report["comparisons"][0]["n"], json!(10));
}

#[test]
fn g3_nothing_planned_is_null_and_0_in_the_old_fields() {
    let context = TestContext::with_agent();
    context.samples(3, &json!([]));
    let done = context.run(&["eval", "--control", "v1", "--executor", "./agent"]).expect(1);
    assert!(done.stdout.contains("unknown"), "{}", done.stdout);
    let report = context.report();
    assert_eq!(report["summary"]["v1"]["avgCompositeScore"], json!(0.0));
    assert_eq!(report["summary"]["v1"]["layers"], json!({"fact": null, "behavior": null, "judge": null}));
    assert_eq!(report["summary"]["v1"]["avgAssertionScore"], Value::Null);
    let result = &report["results"][0]["variants"]["v1"];
    assert_eq!(result["compositeScore"], json!(0.0));
    assert_eq!(result["layeredScores"], json!({"factScore": null, "behaviorScore": null, "judgeScore": null}));
}

/// Writes scripts, asks each about [`PLAIN`], and gives the details in their order.
fn scripts(files: &[(&str, &str)], flags: &[&str]) -> Vec<Value> {
    let context = TestContext::with_agent();
    let called: Vec<&str> = files.iter().map(|file| file.0).filter(|name| !name.contains('/')).collect();
    for (name, source) in files {
        context.write(name, source);
    }
    let assertions: Value = called.iter().map(|name| json!({"type": "custom", "fn": name, "value": "SQL"})).collect();
    context.samples(1, &assertions);
    let arguments = ["eval", "--control", "v1", "--executor", "./agent", "--report-only"];
    context.run(&[&arguments, flags].concat()).expect(0);
    let report = context.report();
    let details = report["results"][0]["variants"]["v1"]["assertions"]["details"].as_array().unwrap().clone();
    assert_eq!(details.len(), called.len());
    assert!(details.iter().all(|detail| detail["layer"] == "behavior"));
    details
}

#[test]
fn g4_custom_scripts_decide_in_the_embedded_engine() {
    let details = scripts(
        &[
            ("sync.mjs", "export default (output) => output === 'plain'"),
            ("async.mjs", "export default async (output) => ({ pass: output === 'better', message: '异步', score: 0.5 })"),
            (
                "given.mjs",
                "export default (output, { sample, assertion }) =>
                    ({ pass: sample.sample_id === 's001' && sample.prompt === 'question 1' && assertion.value === 'SQL', message: 'seen' })",
            ),
            ("imports.mjs", "import { least } from './lib/least.mjs'; export default (output) => output.length >= least"),
            ("lib/least.mjs", "export const least = 5;"),
            ("throws.mjs", "export default () => { throw new Error('kaputt') }"),
            ("reads.mjs", "export default async () => (await import('node:fs')).existsSync('/')"),
            ("fetches.mjs", "export default () => fetch('http://127.0.0.1')"),
            ("exits.mjs", "export default () => process.exit(0)"),
            ("requires.mjs", "export default () => require('child_process')"),
            ("improper.mjs", "export default () => 'yes'"),
            ("deep.mjs", "export default () => { const f = () => 1 + f(); return f() }"),
            ("big.mjs", "export default () => { const all = []; for (;;) all.push(new Uint8Array(1 << 24).fill(1)) }"),
            ("never.mjs", "export default () => new Promise(() => {})"),
        ],
        &[],
    );
    let of = |i: usize| (details[i]["passed"].as_bool(), details[i]["message"].as_str().unwrap_or_default().to_owned());
    assert_eq!(of(0), (Some(true), String::new()));
    assert_eq!(of(1), (Some(false), "异步".to_owned()));
    assert_eq!(details[1]["actual"], json!({"pass": false, "score": 0.5}));
    assert_eq!(of(2), (Some(true), "seen".to_owned()));
    assert_eq!(of(3), (Some(true), String::new()));
    // what breaks says nothing about the answer
    for (i, why) in [
        (4, "`throws.mjs` failed: kaputt"),
        (5, "only relative imports"),
        (6, "fetch is not defined"),
        (7, "process is not defined"),
        (8, "require is not defined"),
        (9, "it returned `\"yes\"`"),
        (10, "`deep.mjs` failed"),
        (11, "needs more than 256 MiB"),
        (12, "never settles"),
    ] {
        let (passed, message) = of(i);
        assert_eq!(passed, None, "{}", details[i]);
        assert_eq!(details[i]["status"], "unavailable");
        assert!(message.contains(why), "{message} lacks {why}");
    }
}

#[test]
fn g4_a_script_that_cannot_be_loaded_is_an_input_error() {
    let outside = TestContext::new();
    let file = outside.write("outside.mjs", "export default () => true");
    for (source, name, why) in [
        ("export default (", "check.mjs", "check.mjs"),
        ("export const x = 1", "check.mjs", "no default export that is a function"),
        ("throw new Error('at load')", "check.mjs", "at load"),
        ("import './gone.mjs'; export default () => true", "check.mjs", "gone.mjs"),
        ("export default () => true", file.to_str().unwrap(), "is not a file in the folder"),
    ] {
        let context = TestContext::with_agent();
        context.write("check.mjs", source);
        context.samples(1, &json!([{ "type": "custom", "fn": name }]));
        let done = context.run(&["eval", "--control", "v1", "--executor", "./agent"]).expect(2);
        assert!(done.stderr.contains(why) && done.stderr.contains("eval-samples.json:"), "{source}: {}", done.stderr);
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that could not run says so")]
fn g4_node_runs_scripts_that_import_packages() {
    let node = Command::new("node").arg("--version").output().ok().filter(|output| output.status.success());
    let Some(node) = node else {
        eprintln!("not run: there is no `node` on the PATH");
        return;
    };
    let source = "import { sep } from 'node:path'; import { is } from './lib/is.mjs';
        export default async (output) => ({ pass: is(output) && sep.length === 1, message: 'in node' })";
    let files = [("check.mjs", source), ("lib/is.mjs", "export const is = (text) => text === 'plain'")];
    let details = scripts(&files, &["--custom-runtime", "node"]);
    assert_eq!((&details[0]["passed"], &details[0]["message"]), (&json!(true), &json!("in node")));
    let context = TestContext::with_agent();
    context.write("check.mjs", "export default () => true");
    context.samples(1, &json!([{"type": "custom", "fn": "check.mjs"}]));
    let run = |flags: &[&str]| {
        let arguments = ["eval", "--control", "v1", "--executor", "./agent", "--output-dir", "out"];
        let _ = std::fs::remove_dir_all(context.path("out"));
        context.run(&[&arguments, flags].concat()).expect(0);
        let path = crate::fixtures::context::files(Path::new(&context.path("out"))).remove(0);
        serde_json::from_slice::<Value>(&std::fs::read(path).unwrap()).unwrap()["meta"]["nodeVersion"].clone()
    };
    assert_eq!(run(&[]), Value::Null, "null unless Node ran something");
    assert_eq!(run(&["--custom-runtime", "node"]), json!(String::from_utf8(node.stdout).unwrap().trim()));
}
