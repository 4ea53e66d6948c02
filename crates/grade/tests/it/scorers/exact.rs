//! Results, equality, keywords.

use eval_spec::callable::Scorer;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{check, score, why};

fn exact(value: Value, case_sensitive: bool) -> Scorer {
    Scorer::Exact { value, case_sensitive }
}

/// Every way round: expected and output are exchanged too.
fn are_equal(a: &Value, b: &Value) -> bool {
    let forth = score(exact(a.clone(), true), b) == Some((true, 1.0));
    // A result inside an object has no way back.
    if !a.is_object() && !b.is_object() {
        assert_eq!(forth, score(exact(b.clone(), true), a) == Some((true, 1.0)), "{a} and {b}");
    }
    forth
}

#[test]
fn a_right_answer_passes_however_the_skill_wraps_it() {
    let expected = json!("5");
    for output in [
        json!("5"),
        json!(5),
        json!(5.0),
        json!(" 5\n"),
        json!({"result": "5"}),
        json!({"result": 5}),
        json!({"output": 5.0}),
        json!({"answer": "5"}),
        json!({"answer": "6", "result": "5"}),
    ] {
        assert!(are_equal(&expected, &output), "{output}");
    }
    for output in [
        json!("6"),
        json!(true),
        json!(null),
        json!(["5"]),
        json!({"value": "5"}),
        json!({"result": {"result": "5"}}),
        json!({"result": "6", "answer": "5"}),
        json!("{\"result\": \"5\"}"),
        json!({}),
    ] {
        assert!(!are_equal(&expected, &output), "{output}");
    }
}

#[test]
fn a_number_is_equal_to_every_writing_of_it() {
    for written in
        [json!(25), json!(25.0), json!("25"), json!("25.0"), json!(" 25 "), json!("2.5e1"), json!("+25"), json!("25.")]
    {
        assert!(are_equal(&json!(25), &written) && are_equal(&json!(25.0), &written), "{written}");
    }
    for other in
        [json!("0x19"), json!("25 %"), json!("twenty-five"), json!("2 5"), json!("25,0"), json!(""), json!("NaN")]
    {
        assert!(!are_equal(&json!(25), &other), "{other}");
    }
    assert!(are_equal(&json!(0), &json!(-0.0)) && are_equal(&json!("-0"), &json!(0)));
    assert!(are_equal(&json!(0.1), &json!("0.1")) && !are_equal(&json!(0.3), &json!(0.1 + 0.2)));
}

#[test]
fn large_numbers_are_compared_exactly() {
    assert!(!are_equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
    assert!(!are_equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992.0)));
    assert!(!are_equal(&json!(9_007_199_254_740_993_i64), &json!("9007199254740992")));
    assert!(are_equal(&json!(9_007_199_254_740_993_i64), &json!("9007199254740993.0")));
    assert!(are_equal(&json!(u64::MAX), &json!(u64::MAX.to_string())));
    assert!(!are_equal(&json!(u64::MAX), &json!(-1)));
    assert!(are_equal(&json!(1e300), &json!("1e300")) && !are_equal(&json!(1e300), &json!("1e400")));
    assert!(are_equal(&json!("1e400"), &json!("1e400")), "as texts");
}

/// What a skill printed, digit by digit.
fn passes(expected: Value, output: &str) -> bool {
    check(exact(expected, true), output).outcome.passed().unwrap()
}

#[test]
fn what_no_float_holds_is_compared_digit_by_digit() {
    let factorial = "15511210043330985984000000";
    for (expected, output, equal) in [
        (json!(factorial), "15511210043330985984000000", true),
        (json!(factorial), "15511210043330985984000000.0", true),
        (json!(factorial), "{\"result\": 1.5511210043330985984e25}", true),
        (json!(factorial), "\"15511210043330985984000000\"", true),
        (json!([{"n": factorial}]), "[{\"n\": 15511210043330985984000000}]", true),
        (json!(factorial), "15511210043330985984000001", false),
        (json!(factorial), "1.5511210043330986e25", false),
        (json!(1.551_121_004_333_098_6e25), "15511210043330985984000000", false),
        (json!(1.551_121_004_333_098_6e25), "15511210043330986000000000", true),
        (json!("3.14159265358979323846"), "3.14159265358979323846", true),
        (json!("3.14159265358979323846"), "3.14159265358979323847", false),
        (json!("3.14159265358979323846"), "3.141592653589793", false),
        (json!(9_007_199_254_740_992_i64), "9007199254740993.0", false),
        (json!(0.1), "0.10000000000000001", true), // a float, as `%.17g` writes it
        (json!("0.10000000000000001"), "0.10000000000000001", true),
        (json!("1e999999999"), "10e999999998", true),
        (json!(1), "1e999999999", false),
        (json!(1), "1e400", false),
        (json!(0), "1e-400", false),
    ] {
        assert_eq!(passes(expected.clone(), output), equal, "{expected} {output}");
    }
    assert!(why(&check(exact(json!("6"), true), factorial)).contains(factorial));
    let gaia = |answer: &str| check(Scorer::Gaia { answer: answer.to_owned() }, factorial).outcome.passed();
    assert_eq!((gaia(factorial), gaia("15511210043330985984000001")), (Some(true), Some(false)));
    let calls = |n: &str| {
        let calls = json!([{"name": "f", "arguments": {"n": n}}]);
        let output = format!(r#"[{{"name": "f", "arguments": {{"n": {factorial}}}}}]"#);
        check(Scorer::ToolCalls { calls, any_order: false }, &output).outcome.passed()
    };
    assert_eq!((calls(factorial), calls("15511210043330985984000001")), (Some(true), Some(false)));
    let schema = Scorer::JsonSchema { schema: json!({"type": "integer", "minimum": 1}) };
    assert_eq!(check(schema, factorial).outcome.passed(), Some(true), "to a schema it is a number");
}

#[test]
fn texts_are_compared_as_texts() {
    assert!(are_equal(&json!("a"), &json!("\u{a0} a\t")), "trimmed, whatever the white space");
    assert!(!are_equal(&json!("1.10"), &json!("1.1")), "a version is no number");
    assert!(!are_equal(&json!("a b"), &json!("a  b")));
    assert!(!are_equal(&json!("A"), &json!("a")));
    assert!(!are_equal(&json!("é"), &json!("e\u{301}")), "code points are not normalised");
    assert!(!are_equal(&json!("true"), &json!(true)) && !are_equal(&json!("null"), &json!(null)));
    assert!(!are_equal(&json!(1), &json!(true)) && !are_equal(&json!(0), &json!(false)));
    for (expected, output) in [("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("Yes", " yes ")] {
        assert_eq!(score(exact(json!(expected), false), &json!(output)), Some((true, 1.0)), "{output}");
        assert_eq!(score(exact(json!(expected), true), &json!(output)), Some((false, 0.0)), "{output}");
    }
}

#[test]
fn objects_and_lists_are_equal_in_depth_and_never_to_a_text() {
    let expected = json!({"a": [1, {"b": " x "}], "c": null});
    for output in [json!({"c": null, "a": [1.0, {"b": "x"}]}), json!({"result": {"a": ["1", {"b": "x"}], "c": null}})] {
        assert!(are_equal(&expected, &output), "{output}");
    }
    for output in [
        json!({"a": [1, {"b": "x"}]}),
        json!({"a": [1, {"b": "x"}], "c": null, "d": 1}),
        json!({"a": [{"b": "x"}, 1], "c": null}),
        json!({"A": [1, {"b": "x"}], "c": null}),
        json!(expected.to_string()),
    ] {
        assert!(!are_equal(&expected, &output), "{output}");
    }
    assert!(are_equal(&json!({"result": "5"}), &json!({"result": 5})), "the whole output counts as well");
    assert!(!are_equal(&json!({}), &json!([])) && !are_equal(&json!([]), &json!("[]")));
    assert!(!are_equal(&json!([1, 2]), &json!("1,2")));
}

#[test]
fn the_reason_says_what_was_found() {
    assert_eq!(
        why(&check(exact(json!("5"), true), r#"{"result": "6"}"#)),
        "the result is `\"6\"`, expected was `\"5\"`"
    );
    assert_eq!(why(&check(exact(json!(5), true), "5.0")), "the result is `5`");
}

fn contains(keywords: &[&str], case_sensitive: bool) -> Scorer {
    Scorer::Contains { keywords: keywords.iter().map(|word| (*word).to_owned()).collect(), case_sensitive }
}

#[test]
fn keywords_are_found_in_values_never_in_keys() {
    let words = ["JavaScript", "Microsoft"];
    for (output, expected) in [
        (json!("TypeScript is a superset of javascript by MICROSOFT"), 1.0),
        (json!({"result": {"text": "JavaScript", "makers": [{"name": "Microsoft Corp."}]}}), 1.0),
        (json!([{"title": "JavaScript"}, {"title": "microsoft"}]), 1.0),
        (json!({"JavaScript": 1, "Microsoft": 2}), 0.0),
        (json!({"JavaScript": "Microsoft"}), 0.5),
        (json!({"result": "JavaScript", "query": "Microsoft"}), 0.5),
        (json!("JavaScript"), 0.5),
        (json!(["Java", "Script", "Micro", "soft"]), 0.0),
        (json!(null), 0.0),
        (json!(""), 0.0),
    ] {
        let passed = expected >= 1.0;
        assert_eq!(score(contains(&words, false), &output), Some((passed, expected)), "{output}");
    }
    assert_eq!(score(contains(&words, true), &json!("javascript Microsoft")), Some((false, 0.5)));
}

#[test]
fn numbers_are_searched_as_json_writes_them() {
    for (keyword, output, found) in [
        ("25", json!(25), true),
        ("25.5", json!({"result": [25.5]}), true),
        ("true", json!([true]), true),
        ("null", json!([null]), false),
        ("strasse", json!("Straße"), true),
        ("ΣΑΣ", json!("σας"), true),
    ] {
        assert_eq!(score(contains(&[keyword], false), &output), Some((found, f64::from(u8::from(found)))), "{keyword}");
    }
    assert!(
        why(&check(contains(&["a", "b", "c"], false), "\"a\"")).contains("1 of 3 keywords are there; `b` is missing")
    );
}

#[test]
fn no_keyword_is_an_input_error() {
    assert!(super::refusal(contains(&[], false)).contains("at least one keyword"));
    assert!(super::refusal(contains(&["a", " "], false)).contains("blank"));
}

fn any_value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-30_i64..30).prop_map(Value::from),
        (-30_i32..30).prop_map(|n| Value::from(f64::from(n))),
    ];
    let text = prop_oneof![
        any::<String>().prop_map(Value::from),
        "[ +-]?[0-9]{0,3}[.eE]?[0-9]{0,2} ?".prop_map(Value::from),
        number.clone().prop_map(|n| Value::from(n.to_string())),
    ];
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, text];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec(("[a-c]", inner), 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Both of its shortest writings are equally near to it; Rust and JSON choose another one each.
#[test]
fn number_with_two_shortest_writings_equals_both() {
    for written in ["-74101673949484.62", "-74101673949484.63"] {
        assert!(are_equal(&json!(-74_101_673_949_484.62), &json!(written)), "{written}");
    }
}

proptest! {
    #[test]
    fn exact_is_reflexive_and_symmetric(a in any_value(), b in any_value()) {
        let called = |value: &Value| json!([{"name": "f", "arguments": {"x": value}}]);
        let calls = |value: &Value| Scorer::ToolCalls { calls: called(value), any_order: false };
        for case_sensitive in [true, false] {
            let equal = |a: &Value, b: &Value| score(exact(a.clone(), case_sensitive), b);
            prop_assert_eq!(equal(&a, &a), Some((true, 1.0)));
            prop_assert_eq!(equal(&a, &b), equal(&b, &a));
        }
        prop_assert_eq!(score(calls(&a), &called(&a)), Some((true, 1.0)));
        prop_assert_eq!(score(calls(&a), &called(&b)), score(calls(&b), &called(&a)));
    }

    #[test]
    fn a_number_equals_its_own_writing(number in prop_oneof![any::<i64>().prop_map(Value::from), any::<f64>().prop_map(Value::from)]) {
        prop_assume!(number.is_number());
        let written = format!("  {number}\n");
        prop_assert!(are_equal(&number, &json!(written)));
    }

    #[test]
    fn neighbouring_integers_are_not_equal(number in any::<i64>()) {
        prop_assume!(number < i64::MAX);
        for next in [(number + 1).to_string(), format!("{}.0", number + 1)] {
            prop_assert!(!are_equal(&json!(number), &json!(next)));
        }
    }
}

/// The share of the keywords that `result` contains.
fn share(keywords: &[String], case_sensitive: bool, result: &Value) -> f64 {
    score(Scorer::Contains { keywords: keywords.to_vec(), case_sensitive }, result).unwrap().1
}

proptest! {
    #[test]
    fn contains_is_monotone_and_a_share(
        keywords in proptest::collection::vec("[a-cA-C]{1,3}", 1..5),
        texts in proptest::collection::vec("[a-cA-C]{0,6}", 0..5),
        more in any::<String>(),
        case_sensitive in any::<bool>(),
    ) {
        let before = share(&keywords, case_sensitive, &json!(texts));
        let after = share(&keywords, case_sensitive, &json!({"texts": texts, "more": more}));
        prop_assert!((0.0..=1.0).contains(&before) && before <= after && after <= 1.0);
        // Whatever matters of case, not minding it finds no less.
        prop_assert!(share(&keywords, true, &json!(texts)) <= share(&keywords, false, &json!(texts)));
    }

    #[test]
    fn a_text_contains_itself_whatever_its_case(text in "\\PC{1,20}") {
        prop_assume!(!text.trim().is_empty());
        for keyword in [text.clone(), text.to_uppercase(), text.to_lowercase()] {
            // Mapping the case of some characters back and forth gives another one, such as `ı` → `I` → `i`.
            let same = caseless(&keyword) == caseless(&text);
            let found = share(&[keyword], false, &json!([[{"deep": text}]])) >= 1.0;
            prop_assert!(!same || found);
        }
    }
}

/// The text under full Unicode case folding.
fn caseless(text: &str) -> String {
    icu_casemap::CaseMapper::new().fold_string(text).into_owned()
}
