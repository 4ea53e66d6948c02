//! Links the program to a fixed address on Linux. At a random one, each start would relocate 200 pages of constants, which
//! takes longer than all else that `--version` does. Libraries, heap and stack are at random addresses all the same.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let read = |variable: &str| var(variable).unwrap_or_default();
    let is_static = read("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if read("CARGO_CFG_TARGET_OS") == "linux" && read("CARGO_CFG_TARGET_ENV") == "gnu" && !is_static {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
