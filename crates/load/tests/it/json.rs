//! The reader of JSON against `serde_json`: both accept the same texts and read the same values.

use eval_load as load;
use proptest::prelude::*;
use serde_json::Value;

use crate::world::World;

/// The value of a file with this text, if nothing is wrong.
fn read(text: &str) -> Result<Value, String> {
    thread_local! {
        static WORLD: World = World::new();
    }
    WORLD.with(|world| {
        let path = world.write("value.json", text);
        load::data_file(&world.context, &path).map(|loaded| loaded.value).map_err(|errors| errors.to_string())
    })
}

/// `serde_json` takes the last of equal keys; we report them.
fn agree(text: &str) {
    match (read(text), serde_json::from_str::<Value>(text)) {
        (Ok(ours), theirs) => assert!(same(&ours, theirs.as_ref().unwrap()), "{text}: {ours} {theirs:?}"),
        (Err(ours), Ok(_)) => assert!(ours.contains("there twice"), "{text}: {ours}"),
        (Err(_), Err(_)) => {}
    }
}

/// Equal, but for the last digit of a float.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            a == b || ((a - b) / a).abs() < 1e-15
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => ours == theirs,
    }
}

#[test]
fn corner_cases_agree_with_serde_json() {
    let cases = [
        "",
        " ",
        "null",
        "nul",
        "nullx",
        "-0",
        "0",
        "-",
        "1.",
        ".5",
        "01",
        "1e5",
        "1E+5",
        "1e",
        "1e400",
        "-1e-400",
        "18446744073709551616",
        "9223372036854775808",
        "-9223372036854775809",
        "1.0",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[]]",
        "{\"a\":1,}",
        "{a:1}",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":1 \"b\":2}",
        "[\"\\ud83d\\ude00\"]",
        "[\"\\ud83d\"]",
        "[\"\\ude00\"]",
        "[\"\\ud83d\\u0041\"]",
        "[\"\\u00e9\\/\\b\\f\"]",
        "[\"\\x\"]",
        "[\"\\",
        "[\"\\u12",
        "[\"a\nb\"]",
        "[\"\u{7f}\u{2028}\"]",
        "[1]//x",
        "/*x*/[1]",
        "'a'",
        "True",
        "[\"a\tb\"]",
        "\"\\é\"",
        "[\"\\u00é9\"]",
    ];
    cases.iter().for_each(|case| agree(case));
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_serde_json_writes_reads_back(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        prop_assert_eq!(read(&text).unwrap().to_string(), value.to_string());
    }

    #[test]
    fn damaged_json_is_refused_where_serde_json_refuses_it(
        value in json(),
        at in any::<prop::sample::Index>(),
        put in "[\\[\\]{}\",:0-9a-z\\\\ \n]{0,3}",
        drop in 0usize..4,
    ) {
        let text = serde_json::to_string(&value).unwrap();
        let start = text.floor_char_boundary(at.index(text.len() + 1).min(text.len()));
        let end = text.ceil_char_boundary((start + drop).min(text.len()));
        agree(&format!("{}{put}{}", &text[..start], &text[end..]));
    }

    #[test]
    fn any_text_agrees(text in "\\PC{0,40}") {
        agree(&text);
    }
}
