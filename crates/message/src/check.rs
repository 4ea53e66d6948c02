//! What [`msg!`](crate::msg) and [`key!`](crate::key) evaluate at compile time.

/// Of each message the key, its arguments' names, and how to write it; sorted by key.
static SIGNATURES: &[(&str, &[&str], &str)] = include!(concat!(env!("OUT_DIR"), "/signatures.rs"));

/// Stops the compilation unless the catalogues have the message `key` and it takes `arguments`, in any order.
pub const fn message(key: &str, arguments: &[&str]) {
    let (_, names, usage) = SIGNATURES[place(key)];
    if arguments.len() != names.len() || !all_in(names, arguments) || !all_in(arguments, names) {
        panic!("{}", usage);
    }
}

const fn place(key: &str) -> usize {
    let (mut low, mut high) = (0, SIGNATURES.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        match order(SIGNATURES[middle].0.as_bytes(), key.as_bytes()) {
            0 => return middle,
            -1 => low = middle + 1,
            _ => high = middle,
        }
    }
    panic!("no catalogue has this key: correct it, or add a line to crates/message/messages/en/*.ftl and zh/*.ftl")
}

const fn all_in(names: &[&str], others: &[&str]) -> bool {
    let mut at = 0;
    while at < names.len() {
        if !is_in(names[at], others) {
            return false;
        }
        at += 1;
    }
    true
}

const fn is_in(name: &str, others: &[&str]) -> bool {
    let mut at = 0;
    while at < others.len() {
        if order(name.as_bytes(), others[at].as_bytes()) == 0 {
            return true;
        }
        at += 1;
    }
    false
}

/// -1, 0 or 1: whether `a` lies before `b`, is `b`, or lies behind it.
const fn order(a: &[u8], b: &[u8]) -> i8 {
    let mut at = 0;
    loop {
        match (at < a.len(), at < b.len()) {
            (false, false) => return 0,
            (false, true) => return -1,
            (true, false) => return 1,
            (true, true) if a[at] < b[at] => return -1,
            (true, true) if a[at] > b[at] => return 1,
            (true, true) => at += 1,
        }
    }
}
