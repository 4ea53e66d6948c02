//! Fingerprints: SHA-256 over canonical JSON.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// SHA-256 of `bytes`, as 64 lower-case hex digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The first `digits` hex digits of [`sha256_hex`].
#[must_use]
pub fn short_hash(bytes: &[u8], digits: usize) -> String {
    let mut full = sha256_hex(bytes);
    full.truncate(digits);
    full
}

/// JSON with sorted object keys and no white space: equal values give equal bytes.
///
/// Numbers are printed as `serde_json` prints them, so `1` and `1.0` differ, as they do in the file.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_unstable();
            text.push('{');
            for (i, key) in keys.into_iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_canonical(&map[key], text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [DIGITS[usize::from(b >> 4)] as char, DIGITS[usize::from(b & 15)] as char]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_empty_string_has_its_published_digest() {
        assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn key_order_does_not_change_the_canonical_form() {
        assert_eq!(
            canonical_json(&json!({"b": [1, {"d": 2, "c": 3}], "a": "x"})),
            r#"{"a":"x","b":[1,{"c":3,"d":2}]}"#
        );
    }
}
