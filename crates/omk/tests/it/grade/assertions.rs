//! Deterministic assertions, as reports show them.

use eval_spec::Output;
use eval_spec::call::{Step, ToolCall, ToolOutput, Trace};
use serde_json::{Value, json};

use super::{CHINESE, PLAIN, check, details, replies, row};
use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{RecordedProject, RecordedResult};

#[test]
#[rustfmt::skip]
fn deterministic_types_grade_english_text() {
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
        p(B, json!({"type": "tool_sequence", "values": ["Bash", "Read"], "mode": "superset"}), true, json!(["Bash", "Read", "Bash"])),
        p(B, json!({"type": "tool_sequence", "values": ["Bash", "Read"]}), false, json!(["Bash", "Read", "Bash"])),
        p(B, json!({"type": "tool_call_f1", "values": ["Bash", "Read"], "threshold": 0.8}), true, json!({"f1": 0.8, "recall": 1.0})),
        p(B, json!({"type": "tool_call_f1", "values": ["Bash", "Read", "Write"], "threshold": 0.67}), false, json!({"calls": 3, "expected": 3})),
        p(F, json!({"type": "tool_output_contains", "value": "LIB.rs", "tool": "Bash"}), true, json!({"found": true, "call": 1})),
        p(F, json!({"type": "tool_output_contains", "value": "key", "tool": "Bash"}), false, json!({"found": false, "searched": 2})),
        p(F, json!({"type": "tool_input_contains", "value": "cargo"}), true, json!({"found": true, "call": 3, "tool": "Bash"})),
        p(F, json!({"type": "tool_input_contains", "value": "rm -rf"}), false, json!({"found": false, "searched": 3})),
        p(F, json!({"type": "tool_input_not_contains", "value": "rm -rf"}), true, json!({"found": false, "searched": 3})),
        p(F, json!({"type": "tool_input_not_contains", "value": "CARGO"}), false, json!({"found": true, "call": 3})),
        // The, quick, red, fox: three of four words match; of its bigrams one of three.
        p(F, json!({"type": "rouge_n_min", "reference": "the quick red fox", "threshold": 0.75}), true, json!(0.75)),
        p(F, json!({"type": "rouge_n_min", "reference": "the quick red fox", "n": 2}), false, json!(1.0 / 3.0)),
        p(F, json!({"type": "bleu_min", "reference": PLAIN, "threshold": 1}), true, json!(1.0)),
        // 1- to 4-grams of nine words of which the last differs: 8/9, 7/8, 6/7, 5/6.
        p(F, json!({"type": "bleu_min", "reference": "The Quick brown fox jumps over the lazy cat", "threshold": 0.9}), false,
          json!((8.0_f64 / 9.0 * 7.0 / 8.0 * 6.0 / 7.0 * 5.0 / 6.0).powf(0.25))),
        p(F, json!({"type": "levenshtein_max", "reference": "The Quick brown fox jumps over the lazy cat", "value": 3}), true, json!(3)),
        p(F, json!({"type": "levenshtein_max", "reference": "The Quick brown fox jumps over the lazy cat", "value": 2}), false, json!(3)),
        // Both sides are trimmed before the comparison, but case matters.
        row("padded", F, json!({"type": "equals", "value": "yes"}), true, json!("yes")),
        row("padded", F, json!({"type": "equals", "value": "Yes"}), false, json!("yes")),
        row("padded", B, json!({"type": "min_length", "value": 7}), true, json!(7)),
        // An agent that reports no calls differs from one that reports nothing about calls.
        row("idle", B, json!({"type": "tools_not_called", "value": "Bash"}), true, json!({})),
        row("idle", B, json!({"type": "tools_count_min", "value": 1}), false, json!(0)),
        row("skilled", B, json!({"type": "skill_used", "value": "review"}), true, json!(true)),
        row("skilled", B, json!({"type": "skill_used", "value": "deploy"}), false, json!(false)),
        row("skilled", B, json!({"type": "skill_not_used", "value": "deploy"}), true, json!(false)),
        row("skilled", B, json!({"type": "skill_not_used", "value": "review"}), false, json!(true)),
    ];
    let context = TestContext::new();
    check(&rows, &details(&context, &replies(), &rows));
    // The table covers every type that needs no judge, clock or mocks, with both results.
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
fn deterministic_types_grade_chinese_text() {
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
        // Thirteen Han characters and one word.
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
fn json_is_read_strictly_unless_a_fence_is_extracted() {
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
        // `format` is asserted in every draft.
        of("json", schema(json!({"properties": {"mail": {"format": "email"}}})), false),
        of("json", schema(json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"mail": {"format": "email"}}})), false),
        // Draft 4: `exclusiveMinimum` is a boolean beside `minimum`.
        of("json", schema(json!({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"stars": {"minimum": 5, "exclusiveMinimum": true}}})), false),
        of("json", schema(json!({"$schema": "http://json-schema.org/draft-06/schema#", "properties": {"stars": {"exclusiveMinimum": 4}}})), true),
        // Without `$schema`, draft 7 applies, or 2020-12 where keywords are later ones (`dependentRequired`, 2019-09).
        of("json", schema(json!({"if": {"required": ["name"]}, "then": {"required": ["nope"]}})), false),
        of("json", schema(json!({"dependentRequired": {"name": ["nope"]}})), false),
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
fn unknown_values_are_unavailable_and_leave_the_denominator() {
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
        // A pattern that exceeds the time limit says nothing about the answer.
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
    // Fact 1/1, behaviour 1 of 4 evaluated weight; all assertions together 2 of 5.
    assert_eq!(zh["layeredScores"], json!({"factScore": 5.0, "behaviorScore": 2.0, "judgeScore": null}));
    assert_eq!(zh["assertions"]["score"], json!(2.6));
    assert_eq!(zh["compositeScore"], json!(3.5));
    assert_eq!(zh["missing"].as_array().unwrap().len(), 6, "each of them is listed with its reason: {}", zh["missing"]);
    assert_eq!(zh["missing"][0]["why"], "the cost is unknown");
    assert_eq!(result("evil")["compositeScore"], json!(5.0));
    assert_eq!(report["summary"]["v1"]["checks"], json!({"passed": 3, "failed": 1, "unscored": 7}));
}

/// A recorded execution whose second `Bash` mock answered twice, and one without latency.
#[test]
fn latency_and_mock_hits_come_from_the_execution() {
    let mocked = |name: &str, mock| {
        let output = Some(ToolOutput { text: "fake".to_owned(), is_error: false, ..ToolOutput::default() });
        let id = "call".to_owned();
        Step::Tool(ToolCall {
            id,
            name: name.to_owned(),
            input: json!({}),
            output,
            mock: Some(mock),
            ..ToolCall::default()
        })
    };
    let prepared = RecordedProject::with_samples(
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
                0 => Output {
                    latency_ms: Some(120),
                    trace: Trace { turns: Some(2), cwd: None, steps },
                    ..Output::text("done")
                },
                _ => Output::text("done"),
            };
            RecordedResult::Output(Box::new(output))
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
fn uncompilable_patterns_and_schemas_are_input_errors_with_a_position() {
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
    - type: tool_sequence
      values: Read
    - type: tool_call_f1
      values: [{tool: Read, input: x}]
    - type: tool_sequence
      values: [Read]
      mode: exact
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
        ("eval-samples.yaml:25:15", "write it as a list: [\"Read\"]"),
        ("eval-samples.yaml:27:15", "must be a list of calls"),
        ("eval-samples.yaml:30:13", "`in_order`"),
    ] {
        assert!(done.stderr.contains(line), "{line}: {}", done.stderr);
        assert!(done.stderr.contains(what), "{what}: {}", done.stderr);
    }
    assert_eq!(context.reports(), Vec::<std::path::PathBuf>::new());
    assert!(!context.home().join("journal").exists(), "nothing was run");
}

#[test]
fn patterns_of_other_regex_flavours_are_input_errors_with_the_ecmascript_form() {
    let context = TestContext::with_agent();
    let samples = r"- sample_id: s1
  prompt: hello
  assertions:
    - type: regex
      pattern: '\Ahello\Z'
    - type: regex
      pattern: '[[:alpha:]]+'
    - type: regex
      pattern: '\p{Han}'
    - type: regex
      pattern: /hello/i
    - type: assert-set
      mode: any
      children:
        - {type: regex, pattern: '(?i)hello', not: true}
        - {type: regex, pattern: '(?P<word>hello)'}
";
    context.write("eval-samples.yaml", samples);
    let done = context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent"]).expect(2);
    for (line, written, help) in [
        ("eval-samples.yaml:5:16", r"`\A`", "`^`"),
        ("eval-samples.yaml:7:16", "`[[:alpha:]]`", "`[A-Za-z]`"),
        ("eval-samples.yaml:9:16", r"`\p{Han}`", r"`\p{Script=Han}`"),
        ("eval-samples.yaml:11:16", "`/hello/i`", "write `hello`"),
        ("eval-samples.yaml:15:34", "`(?i)`", "leave out"),
        ("eval-samples.yaml:16:34", "`(?P<word>`", "`(?<word>`"),
    ] {
        for part in [line, written, help] {
            assert!(done.stderr.contains(part), "{part}: {}", done.stderr);
        }
    }
    assert!(!context.home().join("journal").exists(), "nothing was run");
}
