//! Hashes of keys and names, the same in the build script and at compile time.

/// A prime just below 2^52, so that no product below overflows.
const MODULUS: u64 = 4_503_599_627_370_449;

/// Hashes a key or an argument's name.
///
/// The compiler interprets this for each message: it costs a fraction of a search that compares texts.
pub(crate) const fn text(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut hash, mut i) = (1, 0);
    while i < bytes.len() {
        hash = (hash * 257 + bytes[i] as u64) % MODULUS;
        i += 1;
    }
    hash
}

/// Hashes arguments' names, in any order.
pub(crate) const fn texts(names: &[&str]) -> u64 {
    let (mut sum, mut i) = (0, 0);
    while i < names.len() {
        sum += text(names[i]);
        i += 1;
    }
    sum
}
