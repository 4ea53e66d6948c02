//! Fingerprints: SHA-256 over canonical JSON.

use ring::digest::{Context, SHA256};
use serde_json::Value;

/// SHA-256 of bytes that come in parts.
#[derive(Clone)]
pub struct Sha256(Context);

impl Default for Sha256 {
    fn default() -> Sha256 {
        Sha256(Context::new(&SHA256))
    }
}

impl Sha256 {
    /// Adds bytes at the end.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes.as_ref());
    }

    /// The hash of all bytes, as 64 lower-case hex digits.
    #[must_use]
    pub fn hex(self) -> String {
        hex(self.0.finish().as_ref())
    }

    /// The first 128 bits of the hash of all bytes.
    #[must_use]
    pub fn number(self) -> u128 {
        let digest = self.0.finish();
        digest.as_ref().iter().take(16).fold(0, |number, &byte| (number << 8) | u128::from(byte))
    }
}

/// SHA-256 of `bytes`, as 64 lower-case hex digits.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(ring::digest::digest(&SHA256, bytes).as_ref())
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
