//! Outputs that want to hurt: long, deep, broken. Each scorer comes to an end without a panic.

use eval_spec::CheckOutcome;
use eval_spec::callable::{QualityCheck, Scorer};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{check, verdict, why};

fn scorers() -> Vec<Scorer> {
    vec![
        Scorer::Exact { value: json!({"a": ["x", 1]}), case_sensitive: false },
        Scorer::Exact { value: json!("x"), case_sensitive: true },
        Scorer::Contains { keywords: vec!["needle".to_owned(), "ß".to_owned()], case_sensitive: false },
        Scorer::JsonSchema { schema: json!({"type": ["string", "object", "array"], "items": {"type": "number"}}) },
        Scorer::Regex { patterns: vec!["needle|^x".to_owned()], flags: "i".to_owned() },
        Scorer::Gaia { answer: "a, b".to_owned() },
        Scorer::ToolCalls { calls: json!([{"name": "f", "arguments": {}}]), any_order: true },
        Scorer::SkillQuality { check: QualityCheck::Structure },
    ]
}

fn ends(json: &str) {
    for scorer in scorers() {
        let kind = scorer.kind();
        let checked = check(scorer, json);
        assert_eq!(checked.kind, kind.name());
        assert!(!why(&checked).contains("broke"), "{}", why(&checked));
        assert!(why(&checked).chars().count() < 2_000, "a reason is short");
        if let Some((passed, score)) = verdict(&checked) {
            assert!((0.0..=1.0).contains(&score) && (!passed || score > 0.0));
        }
    }
}

#[test]
fn ten_megabytes_are_scored() {
    ends(&json!("x".repeat(10 << 20)).to_string());
    ends(&json!(vec!["needle"; 1 << 16]).to_string());
    ends(&json!({"result": "e\u{301}".repeat(1 << 16)}).to_string());
}

#[test]
fn nesting_of_any_depth_is_unscored_not_a_crash() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{}1{}", open.repeat(10_000), close.repeat(10_000));
        ends(&deep);
        let exact = check(Scorer::Exact { value: json!(1), case_sensitive: true }, &deep);
        assert!(matches!(exact.outcome, CheckOutcome::Unscored { .. }), "{}", why(&exact));
    }
    let held = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(
        verdict(&check(Scorer::Contains { keywords: vec!["1".to_owned()], case_sensitive: false }, &held)),
        Some((true, 1.0))
    );
}

#[test]
fn what_is_no_json_is_unscored() {
    for broken in ["", "{", "not json", "[1,]", "NaN"] {
        let checked = check(Scorer::Exact { value: json!(1), case_sensitive: true }, broken);
        assert!(checked.outcome.is_unscored(), "{broken}");
        ends(broken);
    }
}

#[test]
fn a_schema_that_explodes_is_stopped() {
    // Twenty doublings of references.
    let mut definitions = serde_json::Map::new();
    for n in 0..30 {
        let next = json!({"$ref": format!("#/definitions/d{}", n + 1)});
        definitions.insert(format!("d{n}"), json!({"allOf": [next, next]}));
    }
    definitions.insert("d30".to_owned(), json!({"type": "number"}));
    let schema = json!({"$ref": "#/definitions/d0", "definitions": definitions});
    let checked = check(Scorer::JsonSchema { schema }, "1");
    assert!(checked.outcome.is_unscored(), "{}", why(&checked));
}

#[test]
fn calls_by_the_million_are_not_compared() {
    let calls = json!(vec![json!({"name": "f"}); 20_000]);
    let checked = check(Scorer::ToolCalls { calls: json!([{"name": "f"}]), any_order: false }, &calls.to_string());
    assert!(checked.outcome.is_unscored(), "{}", why(&checked));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let key = prop_oneof![any::<String>(), "result|output|answer|name|content|tool_calls|arguments|function|type"];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_output_gets_a_score_in_0_to_1(output in value()) {
        ends(&output.to_string());
    }
}
