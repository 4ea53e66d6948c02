//! Outputs and samples that mean harm: nothing panics, hangs, or becomes a score it is not.

use std::time::Duration;

use eval_grade::{GraderSetup, Grading, GradingLimits, TYPES};
use eval_spec::{CheckOutcome, Grader, Output};
use proptest::prelude::*;
use serde_json::{Value, json};
use testkit::before_deadline;

use crate::make::{assertion, call, check, check_in, refusal, sample, verdict, why};

#[test]
fn a_catastrophic_pattern_is_unscored_after_its_limit() {
    let limits = GradingLimits { regex_time: Duration::from_millis(200), ..GradingLimits::default() };
    let setup = GraderSetup { limits, ..GraderSetup::default() };
    let evil = sample(vec![assertion(&json!({"type": "regex", "pattern": "^(a+)+$", "not": true}))]);
    let check = check_in(evil, setup, &Output::text("a".repeat(60) + "!")).unwrap();
    assert_eq!(why(&check), "matching `^(a+)+$` took more than 0.2 s");
    // The thread's engine goes on with the next pattern.
    assert_eq!(verdict(&crate::make::check(json!({"type": "regex", "pattern": "A"}), "a")), Some(true));
}

#[test]
fn a_pattern_that_eats_memory_is_refused_or_unscored() {
    let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(refusal(&json!({"type": "regex", "pattern": deep})).is_some());
    let wide = json!({"type": "regex", "pattern": "(?:(?:(?:a{1000}){1000}){1000})"});
    assert!(refusal(&wide).is_some() || verdict(&check(wide, "a")).is_none_or(|matches| !matches));
}

#[test]
fn deep_json_neither_overflows_nor_lies() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert_eq!(verdict(&check(json!({"type": "json_valid"}), &deep)), Some(true));
    assert_eq!(verdict(&check(json!({"type": "json_valid"}), &deep[1..])), Some(false));
    let schema = json!({"type": "json_schema", "schema": {"type": "array"}});
    assert!(why(&check(schema.clone(), &deep)).contains("recursion limit"));
    assert_eq!(verdict(&check(schema, &deep[1..])), Some(false));
}

#[test]
fn large_json_is_checked() {
    let large = serde_json::to_string(&vec![json!({"a": "x".repeat(50)}); 50_000]).unwrap();
    let schema = json!({"type": "array", "uniqueItems": true, "items": {"required": ["a"]}});
    let check = check(json!({"type": "json_schema", "schema": schema}), &large);
    assert_eq!(verdict(&check), Some(false));
    assert!(check.actual.unwrap().to_string().len() < 2_000, "evidence is bounded");
}

#[test]
fn a_schema_pattern_that_backtracks_for_ever_is_unscored() {
    let evil = json!("a".repeat(40) + "!").to_string();
    let pattern = "^(a|a)*\\1b";
    for schema in [
        json!({ "pattern": pattern }),
        json!({"not": { "pattern": pattern }}),
        json!({"oneOf": [{ "pattern": pattern }, {"type": "number"}]}),
        json!({"anyOf": [{ "pattern": pattern }, {"type": "number"}]}),
    ] {
        let check = check(json!({"type": "json_schema", "schema": schema.clone()}), &evil);
        assert_eq!(why(&check), "a pattern of the schema took too many steps on this output");
    }
    let plain = check(
        json!({"type": "json_schema", "schema": {"pattern": "^(a+)+$"}}),
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"",
    );
    assert_eq!(verdict(&plain), Some(false), "a plain pattern takes linear time");
}

#[test]
fn a_schema_that_only_refers_to_itself_ends() {
    for schema in [
        json!({"pattern": "^(a|a)*\\1b"}),
        json!({"not": {"pattern": "^(a|a)*\\1b"}}),
        json!({"oneOf": [{"pattern": "^(a|a)*\\1b"}, {"type": "number"}]}),
        json!({"anyOf": [{"pattern": "^(a|a)*\\1b"}, {"type": "number"}]}),
    ] {
        let written = json!({"type": "json_schema", "schema": schema});
        if refusal(&written).is_none() {
            check(written, "{}");
        }
    }
}

// Each definition refers to the next one three times: 3^n steps, and errors that hold errors.
fn doubling(n: usize, draft: &str, key: &str, last: Value) -> Value {
    let mut definitions = serde_json::Map::new();
    for i in 0..n {
        let next = json!({"$ref": format!("#/{key}/a{}", i + 1)});
        definitions.insert(format!("a{i}"), json!({"anyOf": [{"allOf": [next, next]}, next]}));
    }
    definitions.insert(format!("a{n}"), last);
    json!({"$schema": draft, "$ref": format!("#/{key}/a0"), key: definitions})
}

#[test]
fn a_schema_that_doubles_at_every_step_is_bounded() {
    let drafts = [
        ("http://json-schema.org/draft-07/schema#", "definitions"),
        ("https://json-schema.org/draft/2020-12/schema", "$defs"),
    ];
    for (draft, key) in drafts {
        let written = |n, last| json!({"type": "json_schema", "schema": doubling(n, draft, key, last)});
        let small = check(written(3, json!({"type": "integer"})), "{\"a\":1}");
        assert_eq!(verdict(&small), Some(false));
        assert!(small.actual.unwrap()["errors"][0]["at"].is_string());
        let medium = before_deadline(|| check(written(12, json!({"type": "integer"})), "{\"a\":1}"));
        assert_eq!(verdict(&medium), Some(false), "told, but not in detail");
        assert_eq!(medium.actual.unwrap(), json!({"valid": false}));
        let accepted = before_deadline(|| check(written(12, json!({"type": "object"})), "{\"a\":1}"));
        assert_eq!(verdict(&accepted), Some(true));
    }
}

#[test]
fn a_schema_that_never_ends_is_unscored() {
    let schema = doubling(40, "http://json-schema.org/draft-07/schema#", "definitions", json!({"type": "integer"}));
    let check = check(json!({"type": "json_schema", "schema": schema}), "{\"a\":1}");
    assert_eq!(why(&check), "following the references of the schema took too long on this output");
}

#[test]
fn references_of_every_kind_still_mean_what_they_say() {
    let schemas = [
        json!({"definitions": {"n": {"type": "object", "required": ["v"], "properties": {"next": {"$ref": "#/definitions/n"}}}},
            "$ref": "#/definitions/n"}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": ["v"],
            "properties": {"next": {"$ref": "#", "unevaluatedProperties": false}, "v": true}}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "$dynamicAnchor": "n", "required": ["v"],
            "properties": {"next": {"$dynamicRef": "#n"}}}),
        json!({"required": ["v"], "properties": {"next": {"$ref": "#"}, "$ref": {"const": {"$ref": "#"}}}}),
    ];
    for schema in schemas {
        let written = json!({"type": "json_schema", "schema": schema});
        for (text, expected) in [
            (json!({"v": 1, "next": {"v": 2, "next": {"v": 3}}}), true),
            (json!({"v": 1, "next": {"v": 2, "next": {"w": 3}}}), false),
            (json!({"v": 1, "$ref": {"$ref": "#"}}), true),
        ] {
            assert_eq!(verdict(&check(written.clone(), &text.to_string())), Some(expected), "{schema} {text}");
        }
    }
}

#[test]
fn a_large_wrong_output_is_rejected_without_listing_what_is_wrong() {
    let large = format!("[{}0]", "0,".repeat(300_000));
    for schema in [json!({"items": {"type": "string"}}), json!({"anyOf": [{"items": {"type": "string"}}, false]})] {
        let check = check(json!({"type": "json_schema", "schema": schema}), &large);
        assert_eq!(verdict(&check), Some(false));
    }
}

#[test]
fn the_largest_output_is_compared_with_a_short_reference() {
    let large = "word and more, ".repeat((8 << 20) / 15);
    let distance = check(json!({"type": "levenshtein_max", "reference": "decline", "value": 3}), &large);
    assert_eq!(verdict(&distance), Some(false));
    assert_eq!(distance.actual.unwrap(), json!({"over": 3}));
    let long = json!({"type": "levenshtein_max", "reference": &large[1..], "value": 10_000_000});
    assert!(why(&check(long, &large)).contains("too long"));
    let same = json!({"type": "levenshtein_max", "reference": large, "value": 0});
    assert_eq!(verdict(&check(same, &large)), Some(true));
}

#[test]
fn evidence_is_bounded() {
    let long = "长".repeat(20_000);
    let output = Output {
        trace: eval_spec::call::Trace {
            cwd: None,
            turns: Some(1),
            steps: (0..60).map(|i| call(&format!("{long}{i}"), json!({"x": long}), Some(&long), None)).collect(),
        },
        ..Output::text(&long)
    };
    for written in [
        json!({"type": "contains", "value": long}),
        json!({"type": "not_contains", "value": long}),
        json!({"type": "contains_all", "values": vec![format!("{long}x"); 100]}),
        json!({"type": "equals", "value": "x"}),
        json!({"type": "starts_with", "value": long}),
        json!({"type": "regex", "pattern": "长+"}),
        json!({"type": "json_valid"}),
        json!({"type": "tools_called", "value": "x"}),
        json!({"type": "tool_sequence", "values": ["x"]}),
        json!({"type": "tool_sequence", "values": [{"tool": "x", "input_contains": "长"}], "mode": "subset"}),
        json!({"type": "tool_call_f1", "values": ["x"]}),
        json!({"type": "tool_input_contains", "value": "长"}),
    ] {
        let kept = serde_json::to_string(&crate::make::check_output(written.clone(), &output)).unwrap();
        assert!(kept.len() < 60_000, "{}: {}", written["type"], kept.len());
    }
}

#[test]
fn the_async_door_gives_the_same_as_the_sync_one() {
    let assertions = [
        json!({"type": "contains", "value": "x"}),
        json!({"type": "regex", "pattern": "y"}),
        json!({"type": "cost_max", "value": 1}),
    ];
    let grading = Grading::new(&[sample(assertions.iter().map(assertion).collect())], GraderSetup::default()).unwrap();
    let output = Output::text("x");
    let cell = eval_spec::Cell { key: "s001/v1/0".parse().unwrap(), sample: 0, subject: 0, fingerprint: "f".into() };
    let expected = grading.grade_now(0, &output);
    for runtime in [
        tokio::runtime::Builder::new_current_thread().build().unwrap(),
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap(),
    ] {
        assert_eq!(runtime.block_on(grading.grade(&cell, &output)), expected);
    }
    assert_eq!(futures::executor::block_on(grading.grade(&cell, &output)), expected);
    assert_eq!(expected.checks.iter().map(verdict).collect::<Vec<_>>(), [Some(true), Some(false), None]);
    assert!(grading.grade_now(7, &output).checks.is_empty());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("Bash:1")),
        Just(json!("any")),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-z$]{1,8}", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn any_assertion() -> impl Strategy<Value = Value> {
    const FIELDS: [&str; 11] =
        ["value", "values", "pattern", "flags", "schema", "reference", "threshold", "n", "tool", "extract", "mode"];
    let kind = (0..TYPES.len()).prop_map(|index| TYPES[index].spec.name);
    (kind, proptest::collection::vec((proptest::sample::select(&FIELDS[..]), any_value()), 0..4), any::<bool>())
        .prop_map(|(kind, fields, not)| {
            let mut written = json!({"type": kind, "not": not});
            for (name, value) in fields {
                written[name] = value;
            }
            written
        })
}

fn likely_assertion() -> impl Strategy<Value = Value> {
    let text = "[a-cA-C中文 ]{1,4}";
    prop_oneof![
        text.prop_map(|value| json!({"type": "contains", "value": value})),
        text.prop_map(|value| json!({"type": "ends_with", "value": value})),
        text.prop_map(|value| json!({"type": "equals", "value": value})),
        text.prop_map(|value| json!({"type": "regex", "pattern": value})),
        (0u64..9).prop_map(|value| json!({"type": "max_length", "value": value})),
        (0u64..9).prop_map(|value| json!({"type": "cost_max", "value": value})),
        (text, 0u64..9).prop_map(|(text, value)| json!({"type": "levenshtein_max", "reference": text, "value": value})),
        Just(json!({"type": "json_valid"})),
        Just(json!({"type": "faithfulness"})),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_on_any_fields_and_any_output(written in any_assertion(), text in "\\PC{0,200}") {
        if let Ok(grading) = Grading::new(&[sample(vec![assertion(&written)])], GraderSetup::default()) {
            let grade = grading.grade_now(0, &Output::text(text));
            let json = serde_json::to_string(&grade).unwrap();
            prop_assert_eq!(serde_json::from_str::<eval_spec::Grade>(&json).unwrap(), grade, "reads back from the journal");
        }
    }

    #[test]
    fn not_inverts_and_inverts_back(mut written in likely_assertion(), text in "[a-cA-C中文 ]{0,8}") {
        let plain = check(written.clone(), &text);
        written["not"] = json!(true);
        let inverted = check(written.clone(), &text);
        prop_assert_eq!(verdict(&inverted), verdict(&plain).map(|passed| !passed));
        let twice = check(json!({"type": "assert-set", "mode": "all", "not": true, "children": [written]}), &text);
        prop_assert_eq!(verdict(&twice), verdict(&plain));
        let unscored = matches!(plain.outcome, CheckOutcome::Unscored { .. });
        prop_assert_eq!(unscored, matches!(twice.outcome, CheckOutcome::Unscored { .. }));
    }

    #[test]
    fn contains_finds_exactly_what_lower_case_finds(text in "[a-zA-Z 0-9]{0,40}", value in "[a-zA-Z 0-9]{1,3}") {
        let expected = text.to_lowercase().find(&value.to_lowercase());
        let check = check(json!({"type": "contains", "value": value}), &text);
        let at = check.actual.unwrap()["at"].as_u64();
        prop_assert_eq!(at, expected.map(|byte| byte as u64));
    }
}
