//! One table per type: assertion, output, what must come of it, what is measured.

use eval_grade::{GraderSetup, Grading};
use eval_spec::{Layer, Output};
use serde_json::{Value, json};

use crate::make::{assertion, check, check_in, check_output, message, priced, refusal, sample, verdict, why};

fn table(rows: &[(Value, &str, bool, Value)]) {
    for (written, text, passes, actual) in rows {
        let check = check(written.clone(), text);
        assert_eq!(verdict(&check), Some(*passes), "{written} on {text:?}: {check:?}");
        assert_eq!(check.actual.unwrap_or_default(), *actual, "{written} on {text:?}");
    }
}

#[test]
fn substrings_ignore_case() {
    let sql = json!({"type": "contains", "value": "sql 注入"});
    let ok = json!({"type": "not_contains", "value": "没有问题"});
    table(&[
        (sql.clone(), "存在 SQL 注入", true, json!({"found": true, "at": 3, "text": "SQL 注入"})),
        (sql, "存在 SQL注入", false, json!({"found": false})),
        (ok.clone(), "有问题", true, json!({"found": false})),
        (ok, "代码没有问题", false, json!({"found": true, "at": 2, "text": "没有问题"})),
        (json!({"type": "contains", "value": "ΟΔΟΣ"}), "οδος", true, json!({"found": true, "at": 0, "text": "οδος"})),
        (json!({"type": "contains", "value": "strasse"}), "Straße", false, json!({"found": false})),
        (json!({"type": "contains", "value": "istanbul"}), "İstanbul", false, json!({"found": false})),
    ]);
}

#[test]
fn several_substrings() {
    let all = json!({"type": "contains_all", "values": ["参数化", "Prepared"]});
    let any = json!({"type": "contains_any", "values": ["参数化", "Prepared"]});
    table(&[
        (all.clone(), "参数化 prepared", true, json!({"found": ["参数化", "Prepared"], "missing": []})),
        (all, "参数化", false, json!({"found": ["参数化"], "missing": ["Prepared"]})),
        (any.clone(), "PREPARED", true, json!({"found": ["Prepared"], "missing": ["参数化"]})),
        (any, "拼接", false, json!({"found": [], "missing": ["参数化", "Prepared"]})),
    ]);
}

#[test]
fn regex_is_ecmascript() {
    let regex = |pattern: &str| json!({"type": "regex", "pattern": pattern});
    let flags = |pattern: &str, flags: &str| json!({"type": "regex", "pattern": pattern, "flags": flags});
    let hit = |at: usize, text: &str| json!({"found": true, "at": at, "text": text});
    let miss = json!({"found": false});
    table(&[
        (regex(r"bind\(.*\?"), "😀 BIND(a, ?)", true, hit(2, "BIND(a, ?")),
        (regex("^b$"), "a\nb", false, miss.clone()),
        (flags("^b$", "m"), "a\nb", true, hit(2, "b")),
        (flags("B", ""), "b", false, miss.clone()),
        (regex(r"\d"), "٣", false, miss.clone()),
        (regex(r"\s"), "\u{FEFF}", true, hit(0, "\u{FEFF}")),
        (regex("^.$"), "😀", false, miss.clone()),
        (flags("^.$", "u"), "😀", true, hit(0, "😀")),
        (regex("[^]"), "\n", true, hit(0, "\n")),
        (flags(r"\p{Script=Han}+", "u"), "用 SQL 注入", true, hit(0, "用")),
        (regex("(?<=参数)化"), "参数化", true, hit(2, "化")),
        (regex("x*"), "abc", true, hit(0, "")),
        (flags("b", "y"), "ab", false, miss.clone()),
        (flags("b", "g"), "ab", true, hit(1, "b")),
        (regex("a\u{0}b"), "a\u{0}b", true, hit(0, "a\u{0}b")),
    ]);
    let broken = refusal(&regex("a(")).unwrap();
    assert!(broken.contains("the pattern does not compile"), "{broken}");
    for flags in ["x", "ii", "uv", "I"] {
        assert!(refusal(&json!({"type": "regex", "pattern": "a", "flags": flags})).is_some(), "{flags}");
    }
}

#[test]
fn a_regex_with_g_finds_the_same_every_time() {
    let grading = eval_grade::Grading::new(
        &[sample(vec![assertion(&json!({"type": "regex", "pattern": "b", "flags": "g"}))])],
        eval_grade::GraderSetup::default(),
    )
    .unwrap();
    let output = Output::text("ab");
    let first = grading.grade_now(0, &output);
    assert_eq!(grading.grade_now(0, &output), first);
    assert_eq!(verdict(&first.checks[0]), Some(true));
}

#[test]
fn equality_is_trimmed_and_minds_case() {
    table(&[
        (json!({"type": "equals", "value": "Yes\n"}), "  Yes\r\n", true, json!("Yes")),
        (json!({"type": "equals", "value": "yes"}), "Yes", false, json!("Yes")),
        (json!({"type": "equals", "value": 42}), "42\n", true, json!("42")),
        (json!({"type": "equals", "value": 4.5}), "4.5", true, json!("4.5")),
        (json!({"type": "equals", "value": true}), "true", true, json!("true")),
        (json!({"type": "not_equals", "value": "是"}), "否", true, json!("否")),
        (json!({"type": "not_equals", "value": "是"}), "是 ", false, json!("是")),
    ]);
}

#[test]
fn a_number_whose_text_would_change_must_be_quoted() {
    use eval_spec::source::{Place, SourceFile, Span};
    let file = std::sync::Arc::new(SourceFile { name: "a.yaml".into(), text: "value: 3.10".into() });
    let mut equals = assertion(&json!({"type": "equals", "value": 3.1}));
    equals.field_places.insert("value".into(), Place { file, span: Span { start: 7, len: 4 } });
    let problems = eval_grade::Grading::new(&[sample(vec![equals])], eval_grade::GraderSetup::default()).err().unwrap();
    let text = problems.to_string();
    assert_eq!(
        text,
        "a.yaml:1:8: `3.10` is a number and reads as `3.1`; put quotes around it to compare with what is written"
    );
}

#[test]
fn beginnings_and_ends() {
    table(&[
        (json!({"type": "starts_with", "value": "## SQL"}), "\n## sql 注入", true, json!("## sql")),
        (json!({"type": "starts_with", "value": "SQL"}), "## SQL", false, json!("## ")),
        (json!({"type": "starts_with", "value": "\n#"}), "\n# x", true, json!("# ")),
        (json!({"type": "ends_with", "value": "完毕。"}), "审查完毕。\n\n", true, json!("完毕。")),
        (json!({"type": "ends_with", "value": "DONE"}), "done!", false, json!("one!")),
        (json!({"type": "ends_with", "value": "done"}), "x", false, json!("x")),
    ]);
}

#[test]
fn lengths_are_unicode_scalar_values() {
    table(&[
        (json!({"type": "min_length", "value": 4}), "审查😀!", true, json!(4)),
        (json!({"type": "min_length", "value": 5}), "审查😀!", false, json!(4)),
        (json!({"type": "max_length", "value": 4}), "审查😀!", true, json!(4)),
        (json!({"type": "max_length", "value": 3}), "审查😀!", false, json!(4)),
    ]);
}

#[test]
fn words() {
    table(&[
        (json!({"type": "word_count_min", "value": 6}), "应识别 SQL 注入", true, json!(6)),
        (json!({"type": "word_count_min", "value": 7}), "应识别 SQL 注入", false, json!(6)),
        (json!({"type": "word_count_max", "value": 3}), "don't stop now!", true, json!(3)),
        (json!({"type": "word_count_max", "value": 2.0}), "don't stop now!", false, json!(3)),
    ]);
}

#[test]
fn json_valid_reads_the_whole_output() {
    let strict = json!({"type": "json_valid"});
    let fenced = json!({"type": "json_valid", "extract": "fenced"});
    table(&[
        (strict.clone(), " {\"a\": [1e999, \"\\ud800\"]}\n", true, json!({"valid": true})),
        (fenced.clone(), "Sure:\n```json\n[1]\n```", true, json!({"valid": true})),
        (fenced.clone(), "no block", false, json!({"valid": false, "blocks": 0})),
        (fenced, "```json\n1\n```\n```json\n2\n```", false, json!({"valid": false, "blocks": 2})),
    ]);
    for invalid in ["", "{'a': 1}", "{\"a\": 1,}", "NaN", "01", "{} x", "\u{FEFF}{}", "[1] // c"] {
        assert_eq!(verdict(&check(strict.clone(), invalid)), Some(false), "{invalid}");
    }
    let hinted = check(strict.clone(), "Sure:\n```json\n[1]\n```");
    assert_eq!(verdict(&hinted), Some(false));
    assert!(message(&hinted).contains("set `extract: fenced`"), "{}", message(&hinted));
    let unhinted = check(strict, "Sure:\n```json\n[1\n```");
    assert!(!message(&unhinted).contains("extract"), "{}", message(&unhinted));
}

#[test]
fn json_schema() {
    let schema = json!({
        "type": "object",
        "required": ["risk"],
        "properties": { "risk": { "enum": ["high", "low"] }, "mail": { "type": "string", "format": "email" } }
    });
    let strict = json!({"type": "json_schema", "schema": schema});
    let fenced = json!({"type": "json_schema", "schema": schema, "extract": "fenced"});
    for (written, text, passes) in [
        (&strict, r#"{"risk": "high"}"#, true),
        (&strict, r#"{"risk": "none"}"#, false),
        (&strict, r#"{"risk": "low", "mail": "nobody"}"#, false),
        (&strict, "```json\n{\"risk\": \"high\"}\n```", false),
        (&fenced, "```json\n{\"risk\": \"high\"}\n```", true),
        (&fenced, r#"{"risk": "high"}"#, false),
    ] {
        assert_eq!(verdict(&check(written.clone(), text)), Some(passes), "{written} on {text}");
    }
    let hinted = message(&check(strict.clone(), "```json\n{\"risk\": \"high\"}\n```"));
    assert!(hinted.contains("set `extract: fenced`"), "{hinted}");
    let unhinted = message(&check(strict.clone(), "```json\n{\"risk\": 1}\n```"));
    assert!(!unhinted.contains("extract"), "{unhinted}");
    let rejected = check(strict, r#"{"risk": "none"}"#);
    assert_eq!(rejected.actual.unwrap()["errors"][0]["at"], "/risk");
}

#[test]
fn the_draft_is_7_unless_schema_or_its_keywords_say_otherwise() {
    let passes =
        |schema: Value, output: &str| verdict(&check(json!({"type": "json_schema", "schema": schema}), output));
    let pair = json!({"type": "number"});
    // each of these came after draft 7, which passes over it
    for (schema, wrong, right) in [
        (json!({"dependentRequired": {"a": ["b"]}}), r#"{"a": 1}"#, r#"{"a": 1, "b": 1}"#),
        (json!({"prefixItems": [pair, pair]}), r#"["far", 1]"#, "[1, 2]"),
        (json!({"properties": {"a": {}}, "unevaluatedProperties": false}), r#"{"b": 1}"#, r#"{"a": 1}"#),
        (json!({"contains": {"const": 1}, "minContains": 2}), "[1, 2]", "[1, 1]"),
        (json!({"$defs": {"t": {"type": "string"}}, "$ref": "#/$defs/t", "minLength": 3}), r#""ab""#, r#""abc""#),
        (json!({"properties": {"p": {"items": {"prefixItems": [pair]}}}}), r#"{"p": [["x"]]}"#, r#"{"p": [[1]]}"#),
    ] {
        assert_eq!(
            [passes(schema.clone(), wrong), passes(schema.clone(), right)],
            [Some(false), Some(true)],
            "{schema}"
        );
        let mut named = schema.clone();
        named["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        assert_eq!(passes(named.clone(), wrong), Some(false), "{named}");
        named["$schema"] = json!("http://json-schema.org/draft-07/schema#");
        let refused = refusal(&json!({"type": "json_schema", "schema": named})).unwrap();
        assert!(refused.contains("checks nothing in draft 7"), "{refused}");
    }
    // and these are of draft 7
    assert_eq!(passes(json!({"items": [pair], "additionalItems": false}), "[1, 2]"), Some(false));
    assert_eq!(passes(json!({"dependencies": {"a": ["b"]}}), r#"{"a": 1}"#), Some(false));
    // a property may have the name of any keyword
    assert_eq!(passes(json!({"properties": {"prefixItems": {"type": "string"}}, "items": [pair]}), "[1]"), Some(true));
    assert_eq!(passes(json!({"enum": [{"unevaluatedProperties": 1}], "items": [pair]}), "1"), Some(false));
    let both = json!({"items": [pair], "dependentRequired": {"a": ["b"]}});
    let refused = refusal(&json!({"type": "json_schema", "schema": both})).unwrap();
    assert!(refused.contains("`dependentRequired`") && refused.contains("`items`"), "{refused}");
    // In draft 4 `exclusiveMaximum` is a boolean.
    let schema = json!({"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 3, "exclusiveMaximum": true});
    assert_eq!(verdict(&check(json!({"type": "json_schema", "schema": schema}), "3")), Some(false));
    assert!(refusal(&json!({"type": "json_schema", "schema": {"maximum": 3, "exclusiveMaximum": true}})).is_some());
}

/// A misspelt keyword checks nothing; notes of other tools aren't meant to.
#[test]
fn a_misspelt_keyword_of_a_schema_is_named() {
    let refused = |schema: Value| refusal(&json!({"type": "json_schema", "schema": schema}));
    for (written, meant) in [
        ("additionalproperties", "additionalProperties"),
        ("additional_properties", "additionalProperties"),
        ("require", "required"),
        ("minLenght", "minLength"),
        ("propertis", "properties"),
    ] {
        let why = refused(json!({"anyOf": [{"properties": {"a": {written: {}}}}]})).unwrap_or_default();
        assert!(why.contains(&format!("`{written}`")) && why.contains(&format!("did you mean `{meant}`")), "{why}");
    }
    let notes =
        ["nullable", "example", "x-order", "markdownDescription", "enumNames", "errorMessage", "label", "order"];
    for note in notes {
        assert_eq!(refused(json!({"properties": {"a": {note: "1", "type": "string"}}})), None, "{note}");
    }
    let names =
        json!({"properties": {"require": {}, "item": {}}, "enum": [{"require": 1}], "default": {"maxlength": 1}});
    assert_eq!(refused(names), None, "names of properties and values are no keywords");
}

/// A block of YAML ends with a line end that nobody sees.
#[test]
fn line_ends_behind_a_text_do_not_count() {
    let text = "hello, this is internal use only.";
    for (written, passes) in [
        (json!({"type": "contains", "value": "hello\n"}), true),
        (json!({"type": "not_contains", "value": "internal use only\n"}), false),
        (json!({"type": "contains_any", "values": ["nobody\n", "hello\r\n"]}), true),
        (json!({"type": "contains_all", "values": ["hello\n", "internal\n\n"]}), true),
        (json!({"type": "starts_with", "value": "Hello\n"}), true),
        (json!({"type": "ends_with", "value": "only.\n"}), true),
        (json!({"type": "equals", "value": "hello, this is internal use only.\n"}), true),
        (json!({"type": "regex", "pattern": "^hello.*only\\.$\n"}), true),
        (json!({"type": "levenshtein_max", "reference": "hello, this is internal use only.\n", "value": 0}), true),
        // what is only a line end is meant
        (json!({"type": "contains", "value": "\n"}), false),
    ] {
        assert_eq!(verdict(&check(written.clone(), text)), Some(passes), "{written}");
    }
}

#[test]
fn the_same_number_in_schema_and_output_is_the_same() {
    for number in ["51.248178375505404", "0.30000000000000004", "1e23", "2.2250738585072011e-308"] {
        let schema = json!({"const": number.parse::<f64>().unwrap()});
        let check = check(json!({"type": "json_schema", "schema": schema.clone()}), number);
        assert_eq!(verdict(&check), Some(true), "{number} against {schema}");
    }
}

#[test]
fn a_schema_that_does_not_compile_is_an_input_error() {
    for schema in [
        json!({"type": "strin"}),
        json!({"pattern": "("}),
        json!({"$ref": "https://example.com/schema.json"}),
        json!({"$ref": "#/definitions/none"}),
        json!({"$ref": "file:///etc/passwd"}),
        json!({"$schema": "https://example.com/none"}),
        json!("object"),
    ] {
        let written = json!({"type": "json_schema", "schema": schema});
        assert!(refusal(&written).is_some(), "{written}");
    }
}

#[test]
fn cost_and_latency_unknown_are_unscored() {
    let cost = json!({"type": "cost_max", "value": 0.01});
    assert_eq!(verdict(&check_output(cost.clone(), &priced(0.01))), Some(true));
    assert_eq!(verdict(&check_output(cost.clone(), &priced(0.011))), Some(false));
    assert_eq!(why(&check_output(cost.clone(), &Output::text("x"))), "the cost is unknown");
    assert_eq!(why(&check_output(cost, &priced(f64::NAN))), "the cost is unknown");

    let latency = json!({"type": "latency_max", "value": 1500, "not": true});
    let took = |ms| Output { latency_ms: Some(ms), ..Output::text("x") };
    assert_eq!(verdict(&check_output(latency.clone(), &took(1500))), Some(false));
    assert_eq!(verdict(&check_output(latency.clone(), &took(1501))), Some(true));
    assert_eq!(why(&check_output(latency, &Output::text("x"))), "the latency is unknown");
}

#[test]
fn similarity() {
    table(&[
        (json!({"type": "rouge_n_min", "reference": "a b c d"}), "a b", true, json!(0.5)),
        (json!({"type": "rouge_n_min", "reference": "a b c d", "threshold": 0.6}), "a b", false, json!(0.5)),
        (json!({"type": "rouge_n_min", "reference": "a b c d", "n": 3}), "b c d", true, json!(0.5)),
        (json!({"type": "rouge_n_min", "reference": "参数化查询"}), "使用参数化", true, json!(0.6)),
        (json!({"type": "bleu_min", "reference": "a b c d e"}), "a b c d e", true, json!(1.0)),
        (json!({"type": "bleu_min", "reference": "a b c d"}), "a b c", false, json!(0.0)),
        (json!({"type": "levenshtein_max", "reference": "kitten", "value": 3}), "sitting\n", true, json!(3)),
        (json!({"type": "levenshtein_max", "reference": "参数化", "value": 0}), "参数化查", false, json!(1)),
    ]);
    assert!(refusal(&json!({"type": "rouge_n_min", "reference": "a b", "n": 3})).is_some());
    assert!(refusal(&json!({"type": "rouge_n_min", "reference": "…"})).is_some());
}

#[test]
fn a_distance_far_over_the_limit_is_not_sought_to_the_end() {
    let reference = "x".repeat(40_000);
    let written = json!({"type": "levenshtein_max", "reference": reference, "value": 10});
    let far = check(written.clone(), &"y".repeat(40_000));
    assert_eq!((verdict(&far), far.actual.unwrap()), (Some(false), json!({"over": 10})));
    let near = check(written, &format!("{}yy", "x".repeat(39_999)));
    assert_eq!((verdict(&near), near.actual.unwrap()), (Some(true), json!(2)));
}

#[test]
fn not_inverts_what_was_evaluated_and_says_why() {
    let todo = json!({"type": "regex", "pattern": "TODO|FIXME", "not": true});
    assert_eq!(verdict(&check(todo.clone(), "all done")), Some(true));
    let failed = check(todo, "x // todo");
    assert_eq!(verdict(&failed), Some(false));
    assert!(failed.not);
    assert_eq!(message(&failed), "`TODO|FIXME` matches `todo`, after 5 characters");
    assert_eq!(verdict(&check(json!({"type": "cost_max", "value": 1, "not": true}), "x")), None);
}

#[test]
fn judged_types_are_unscored_while_judging_is_off() {
    for written in [
        json!({"type": "semantic_similarity", "reference": "参数化查询", "threshold": 4}),
        json!({"type": "faithfulness"}),
        json!({"type": "answer_relevancy", "not": true}),
        json!({"type": "context_recall", "reference": "x"}),
    ] {
        let judged = check(written.clone(), "x");
        assert_eq!((why(&judged).as_str(), judged.layer), ("judging is off", Layer::Fact));
    }
    // With judges, what they need must be there.
    let on = || eval_grade::GraderSetup { judging: true, ..eval_grade::GraderSetup::default() };
    for (kind, needs) in [("faithfulness", "grade-needs-context"), ("context_recall", "grade-needs-facts")] {
        let refused = check_in(sample(vec![assertion(&json!({"type": kind}))]), on(), &Output::text("x")).unwrap_err();
        assert_eq!(refused.0[0].message.id, needs);
    }
    assert!(refusal(&json!({"type": "faithfulness", "threshold": 0.5})).is_some());
    assert!(refusal(&json!({"type": "semantic_similarity"})).is_some());
}

#[test]
fn wrong_assertions_are_all_reported_at_once() {
    let wrong = [
        json!({"type": "contians", "value": "x"}),
        json!({"type": "contains", "value": ""}),
        json!({"type": "contains_any", "values": []}),
        json!({"type": "min_length", "value": -1}),
        json!({"type": "max_length", "value": 1.5}),
        json!({"type": "cost_max"}),
        json!({"type": "cost_max", "value": "0.1"}),
        json!({"type": "equals", "value": ["x"]}),
        json!({"type": "contains", "value": "x", "weight": 0}),
        json!({"type": "tools_called"}),
        json!({"type": "tool_sequence", "values": []}),
        json!({"type": "tool_sequence", "values": ["Read", 3]}),
        json!({"type": "tool_sequence", "values": [{"tool": "Read", "input": "x"}]}),
        json!({"type": "tool_sequence", "values": [{"input_contains": "x"}]}),
        json!({"type": "tool_sequence", "values": ["Read"], "mode": "exact"}),
        json!({"type": "tool_call_f1", "values": ["Read"], "threshold": 2}),
        json!({"type": "json_valid", "extract": "inline"}),
        json!({"type": "bleu_min", "reference": "x y z v", "threshold": 2}),
        json!({"type": "bleu_min", "reference": "a b c"}),
    ];
    let count = wrong.len();
    let problems = eval_grade::Grading::new(
        &[
            sample(wrong.iter().map(assertion).collect()),
            sample(vec![assertion(&json!({"type": "regex", "pattern": "("}))]),
        ],
        eval_grade::GraderSetup::default(),
    )
    .err()
    .unwrap();
    assert_eq!(problems.0.len(), count + 1, "{problems}");
}

fn set(mode: &str, children: &[Value]) -> Value {
    json!({"type": "assert-set", "mode": mode, "children": children})
}

/// A check that passes or fails whatever is answered is found before anything is asked.
#[test]
fn checks_that_do_not_depend_on_the_answer_are_named() {
    let found = |written: &Value| {
        let sample = sample(vec![assertion(written)]);
        let grading = Grading::new(std::slice::from_ref(&sample), GraderSetup::default()).unwrap();
        eval_spec::Diagnostics(grading.idle_checks(&[sample])).to_string()
    };
    for (written, says) in [
        (json!({"type": "regex", "pattern": "x?"}), "passes"),
        (json!({"type": "regex", "pattern": "[\\s\\S]*", "not": true}), "fails"),
        (json!({"type": "rouge_n_min", "reference": "a b c", "threshold": 0}), "passes"),
        (json!({"type": "bleu_min", "reference": "a b c d", "threshold": 0}), "passes"),
        (json!({"type": "levenshtein_max", "reference": "a", "value": 100_000}), "passes"),
        (json!({"type": "levenshtein_max", "reference": "a", "value": 100_000, "not": true}), "fails"),
        (json!({"type": "min_length", "value": 0}), "passes"),
        (
            set("any", &[json!({"type": "regex", "pattern": "^nobody$"}), json!({"type": "min_length", "value": 0})]),
            "passes",
        ),
        (
            set("any", &[json!({"type": "contains", "value": "a"}), json!({"type": "not_contains", "value": "a"})]),
            "passes",
        ),
        (
            set(
                "all",
                &[set(
                    "any",
                    &[json!({"type": "not_equals", "value": "a"}), json!({"type": "not_equals", "value": "b"})],
                )],
            ),
            "passes",
        ),
    ] {
        let said = found(&written);
        assert!(said.contains(&format!("{says} whatever is answered")), "{written}: {said}");
    }
    for written in [
        json!({"type": "regex", "pattern": "^nobody$"}),
        json!({"type": "regex", "pattern": "secret", "not": true}),
        json!({"type": "contains", "value": "审查"}),
        json!({"type": "not_contains", "value": "nobody"}),
        json!({"type": "contains_any", "values": ["a", "b"]}),
        json!({"type": "equals", "value": 42}),
        json!({"type": "levenshtein_max", "reference": "a", "value": 5}),
        json!({"type": "max_length", "value": 100_000}),
        json!({"type": "json_schema", "schema": {"type": "array", "minItems": 9}}),
        json!({"type": "cost_max", "value": 1}),
        set("all", &[json!({"type": "not_contains", "value": "a"}), json!({"type": "not_contains", "value": "b"})]),
        set("any", &[json!({"type": "not_contains", "value": "a"}), json!({"type": "not_contains", "value": "b"})]),
        set("all", &[json!({"type": "regex", "pattern": "secret", "not": true})]),
        set("all", &[json!({"type": "regex", "pattern": "^nobody$"})]),
        set(
            "any",
            &[
                json!({"type": "ends_with", "value": "a", "not": true}),
                json!({"type": "starts_with", "value": "b", "not": true}),
            ],
        ),
        set("any", &[json!({"type": "cost_max", "value": 1}), json!({"type": "min_length", "value": 0})]),
    ] {
        assert_eq!(found(&written), "", "{written}");
    }
}
