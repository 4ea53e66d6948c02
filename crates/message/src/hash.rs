//! Hashes of keys and names, the same in the build script and at compile time.

/// A prime just below 2^52, so that no product below overflows.
const MODULUS: u64 = 4_503_599_627_370_449;

/// Of a key, or of an argument's name.
///
/// The compiler interprets this for each message: it costs a fraction of a search that compares texts.
pub(crate) const fn of(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut hash, mut at) = (1, 0);
    while at < bytes.len() {
        hash = (hash * 257 + bytes[at] as u64) % MODULUS;
        at += 1;
    }
    hash
}

/// Of arguments' names, in any order.
pub(crate) const fn of_all(names: &[&str]) -> u64 {
    let (mut sum, mut at) = (0, 0);
    while at < names.len() {
        sum += of(names[at]);
        at += 1;
    }
    sum
}
