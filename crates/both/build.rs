//! Links the program to a fixed address on Linux. Elsewhere in memory each start would relocate 200 pages of constants,
//! which takes longer than all else that `--version` does. Libraries, heap and stack are at random addresses all the same.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |variable: &str, value: &str| std::env::var(variable).is_ok_and(|of| of == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
