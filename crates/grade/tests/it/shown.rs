//! Values in messages of scorers.

use eval_grade::internals::shown;
use serde_json::json;

#[test]
fn a_long_value_is_shown_by_its_beginning() {
    assert_eq!(shown(&json!("5")), "\"5\"");
    assert_eq!(shown(&json!({"a": [1, 2]})), r#"{"a":[1,2]}"#);
    let long = shown(&json!(vec!["好"; 100_000]));
    assert!(long.ends_with('…') && long.chars().count() == 81, "{long}");
    assert!(shown(&json!("é".repeat(1_000_000))).starts_with("\"éé"));
}
