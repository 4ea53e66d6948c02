//! Fingerprints: SHA-256 over canonical JSON.

use ring::digest::{Context, SHA256};
use serde::Serialize;
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
    let digest = ring::digest::digest(&SHA256, bytes);
    let mut short = hex(&digest.as_ref()[..digits.div_ceil(2).min(32)]);
    short.truncate(digits);
    short
}

/// JSON with sorted object keys and no white space: equal values give equal bytes.
///
/// Numbers are printed as `serde_json` prints them, so `1` and `1.0` differ, as they do in the file.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    let mut text = Vec::new();
    write_canonical(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

fn write_canonical(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Object(map) => {
            let mut members: Vec<(&String, &Value)> = map.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            text.push(b'{');
            for (i, (key, value)) in members.into_iter().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                write_scalar(key, text);
                text.push(b':');
                write_canonical(value, text);
            }
            text.push(b'}');
        }
        Value::Array(items) => {
            text.push(b'[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                write_canonical(item, text);
            }
            text.push(b']');
        }
        scalar => write_scalar(scalar, text),
    }
}

/// Appends the JSON of a text or a number. Writing to memory can't fail.
fn write_scalar(scalar: &impl Serialize, text: &mut Vec<u8>) {
    let _ = serde_json::to_writer(text, scalar);
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = Vec::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
    }
    String::from_utf8(text).unwrap_or_default()
}
