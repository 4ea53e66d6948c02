//! Fingerprints and keys of cells.

use eval_spec::CellKey;
use eval_spec::hash::{canonical_json, sha256_hex};
use serde_json::json;

#[test]
fn the_empty_string_has_its_published_digest() {
    assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn key_order_does_not_change_the_canonical_form() {
    assert_eq!(canonical_json(&json!({"b": [1, {"d": 2, "c": 3}], "a": "x"})), r#"{"a":"x","b":[1,{"c":3,"d":2}]}"#);
}

#[test]
fn a_key_with_slashes_and_percents_reads_back() {
    let key = CellKey { sample: "a/b%2F".into(), subject: "v%1".into(), repeat: 3 };
    assert_eq!(key.to_string().parse(), Ok(key));
}
