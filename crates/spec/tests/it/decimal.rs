//! Numbers by their value.

use eval_spec::callable::{Decimal, compact, read_exactly};
use proptest::prelude::*;
use serde_json::{Value, json};

/// `value` with `null` for each number and each text that spells one.
fn without_numbers(value: Value) -> Value {
    match value {
        Value::Number(_) => Value::Null,
        Value::String(text) if Decimal::read(&text).is_some() => Value::Null,
        Value::Array(items) => items.into_iter().map(without_numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, without_numbers(value))).collect(),
        other => other,
    }
}

fn same(a: &str, b: &str) -> bool {
    Decimal::read(a).unwrap() == Decimal::read(b).unwrap()
}

#[test]
fn numbers_are_equal_by_value() {
    for (a, b) in [
        ("25", "25.0"),
        ("25", "2.5e1"),
        ("25", "+0025."),
        ("25", "250e-1"),
        ("0.05", "5e-2"),
        (".5", "0.50"),
        ("-0", "0.0e7"),
        ("15511210043330985984000000", "1.5511210043330985984e25"),
        ("1e999999999", "10e999999998"),
    ] {
        assert!(same(a, b), "{a} {b}");
    }
    for (a, b) in [
        ("15511210043330985984000000", "15511210043330985984000001"),
        ("3.14159265358979323846", "3.14159265358979323847"),
        ("1", "-1"),
        ("1e999999999", "1e999999998"),
        ("0.3", "0.30000000000000004"),
    ] {
        assert!(!same(a, b), "{a} {b}");
    }
    for none in ["", ".", "e5", "1e", "1e+", "1e+-5", "--1", "0x10", "1_000", "1,000", "NaN", "inf", "٢٥", "5 %"] {
        assert_eq!(Decimal::read(none), None, "{none}");
    }
    assert_eq!(Decimal::read("1e99999999999999999999"), None);
}

#[test]
fn numbers_beyond_floats_are_read_as_texts() {
    let read = |json: &str| read_exactly(json).unwrap();
    assert_eq!(read("15511210043330985984000001"), json!("15511210043330985984000001"));
    assert_eq!(read(r#"{"a": [1, 25.0, -9007199254740993.0]}"#), json!({"a": [1, 25.0, "-9007199254740993.0"]}));
    assert_eq!(read("[1e400, 1e-400]"), json!(["1e400", "1e-400"]));
    assert_eq!(read("18446744073709551615"), json!(u64::MAX));
    assert_eq!(read("[1e25, 0.1, 0.10000000000000001, 0.30000000000000004]"), json!([1e25, 0.1, 0.1, 0.1 + 0.2]));
    assert_eq!(read(r#""\" 15511210043330985984000001""#), json!("\" 15511210043330985984000001"));
    assert!(read_exactly("00000000000000000000000001").is_err() && read_exactly("{\"").is_err());
    assert_eq!(compact("{ \"a b\" : 1e400 ,\n \"c\": 1.0}").as_deref(), Some(r#"{"a b":1e400,"c":1.0}"#));
    assert_eq!(compact("{ \"a\" : 1.50 }").as_deref(), Some(r#"{"a":1.5}"#));
}

proptest! {
    #[test]
    fn a_number_fits_as_it_is_written(float in any::<f64>(), whole in any::<i64>()) {
        prop_assume!(float.is_finite());
        let long = Some(format!("{float:.16e}")).filter(|_| float.fract() != 0.0);
        for written in [format!("{float:e}"), format!("{float:?}"), whole.to_string()].into_iter().chain(long) {
            prop_assert!(Decimal::read(&written).unwrap().fits(&written), "{}", written);
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "[-+0-9.eE \"\\\\é{}\\[\\],:]{0,60}") {
        if let (Ok(plain), Ok(exact)) = (serde_json::from_str::<Value>(&text), read_exactly(&text)) {
            prop_assert_eq!(without_numbers(plain), without_numbers(exact));
        }
        let _ = compact(&text);
    }
}
