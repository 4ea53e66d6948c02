//! Compile-time checks of [`msg!`](crate::msg) and [`key!`](crate::key).

use crate::hash;

/// `(hash of the key, hash of its arguments' names, correct call)`, sorted. The build script makes sure that no two
/// keys have the same hash.
static SIGNATURES: &[(u64, u64, &str)] = include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

/// Stops the compilation unless the catalogues have the message `key` and it takes `arguments`, in any order.
pub const fn message(key: &str, arguments: &[&str]) {
    let (_, names, usage) = SIGNATURES[index_of(hash::text(key))];
    if hash::texts(arguments) != names {
        panic!("{}", usage);
    }
}

const fn index_of(key: u64) -> usize {
    let (mut low, mut high) = (0, SIGNATURES.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let here = SIGNATURES[middle].0;
        if here == key {
            return middle;
        }
        if here < key {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    panic!("no catalogue has this key: correct it, or add a line to crates/message/messages/en/*.ftl and zh/*.ftl")
}
