use eval_format::write_document;
use proptest::prelude::*;
use serde_json::{Value, json};

fn written(value: &Value) -> String {
    let mut bytes = Vec::new();
    write_document(&mut bytes, value).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn passwords_and_keys_of_addresses_are_in_no_text() {
    let said = "see\thttps://h/?api_key=k\"1 or {\"url\": \"https:\\/\\/u:p@h\\/x\"}\u{1}";
    let report = json!({"results": [{"texts": {"prompt": said, "https://u:p@h": ["ftp://me@h \\ \u{8}\u{c}\r\n é"]}}]});
    let read: Value = serde_json::from_str(&written(&report)).unwrap();
    let texts = &read["results"][0]["texts"];
    assert_eq!(texts["prompt"], "see\thttps://h/?api_key=*\"1 or {\"url\": \"https:\\/\\/***@h\\/x\"}\u{1}");
    assert_eq!(texts["https://***@h"][0], "ftp://**@h \\ \u{8}\u{c}\r\n é");
    let line = eval_format::masked_line(&report["results"][0]).unwrap();
    assert_eq!(line.get(), serde_json::to_string(&read["results"][0]).unwrap());
    assert_eq!(eval_format::masked_value(&report).unwrap()["results"][0]["texts"]["prompt"], texts["prompt"]);
}

/// Keys of JSON are texts, also where they are numbers in the program.
#[test]
fn keys_that_are_numbers_are_quoted() {
    let keys = std::collections::BTreeMap::from([(-3_i64, true), (12, false)]);
    let mut bytes = Vec::new();
    write_document(&mut bytes, &std::collections::BTreeMap::from([(true, keys)])).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), json!({"true": {"-3": true, "12": false}}));
}

#[test]
fn each_result_is_a_line_and_everything_else_is_indented() {
    let report = json!({
        "status": "results",
        "results": [{"id": "a\nb", "results": [1, {}], "empty": []}, {"id": "results"}],
        "comparisons": [{"results": [1]}],
        "results of others": [[2]],
    });
    let expected = r#"{
  "status": "results",
  "results": [
    {"id":"a\nb","results":[1,{}],"empty":[]},
    {"id":"results"}
  ],
  "comparisons": [
    {
      "results": [
        1
      ]
    }
  ],
  "results of others": [
    [
      2
    ]
  ]
}"#;
    assert_eq!(written(&report), expected);
    assert_eq!(written(&json!({"results": []})), "{\n  \"results\": []\n}");
}

fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![Just("results".to_owned()), ".{0,4}"];
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), any::<i64>().prop_map(Value::from)];
    prop_oneof![leaf, text.clone().prop_map(Value::from)].prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..4).prop_map(|of| Value::Object(of.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_document_is_read_back(value in any_value()) {
        prop_assert_eq!(serde_json::from_str::<Value>(&written(&value)).unwrap(), value);
    }
}
