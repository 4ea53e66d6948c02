use eval_format::write_document;
use proptest::prelude::*;
use serde_json::{Value, json};

fn written(value: &Value) -> String {
    let mut bytes = Vec::new();
    write_document(&mut bytes, value).unwrap();
    String::from_utf8(bytes).unwrap()
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
