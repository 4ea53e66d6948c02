//! Licences, sources and bans of all crates that `Cargo.lock` names, those of other platforms among them.

use std::process::Command;

use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

/// Licences that go with MIT.
const LICENCES: &[&str] = &[
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "BSL-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that need C++, CMake or the system's OpenSSL: a Rust toolchain and `cc` are enough to build.
const BANNED: &[&str] = &["aws-lc-sys", "cmake", "native-tls", "openssl-sys"];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Returns what is wrong with a package of `cargo metadata`.
fn faults(package: &Value) -> Vec<String> {
    let text = |field: &str| package[field].as_str().unwrap_or_default();
    let mut faults = Vec::new();
    if text("source") != REGISTRY {
        faults.push(format!("comes from `{}`", text("source")));
    }
    if BANNED.contains(&text("name")) {
        faults.push("is banned".to_owned());
    }
    let is_allowed = |licence: &LicenseReq| LICENCES.contains(&licence.to_string().as_str());
    match Expression::parse_mode(text("license"), ParseMode::LAX) {
        Ok(expression) if expression.evaluate(is_allowed) => {}
        Ok(_) => faults.push(format!("has the licence `{}`", text("license"))),
        Err(error) => faults.push(format!("has no licence that can be read: {error}")),
    }
    faults.into_iter().map(|fault| format!("`{} {}` {fault}", text("name"), text("version"))).collect()
}

#[test]
fn crates_come_from_the_registry_under_licences_that_go_with_ours() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--offline", "--all-features"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("--offline") {
        return testkit::tools::skip("crates of other platforms, by `cargo fetch`");
    }
    assert!(output.status.success(), "{said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let members = metadata["workspace_members"].as_array().unwrap();
    let foreign: Vec<_> = packages.iter().filter(|package| !members.contains(&package["id"])).collect();
    assert!(foreign.len() > 100, "{} packages", foreign.len());
    let faults: Vec<String> = foreign.into_iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn crates_of_other_sources_licences_or_build_tools_are_refused() {
    let package = |name: &str, source: &str, licence: &str| {
        faults(&serde_json::json!({"name": name, "version": "1.0.0", "source": source, "license": licence})).len()
    };
    for licence in ["MIT", "MIT/Apache-2.0", "GPL-2.0-only OR ISC", "Apache-2.0 WITH LLVM-exception", "MIT AND ISC"] {
        assert_eq!(package("a", REGISTRY, licence), 0, "{licence}");
    }
    for licence in ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "MPL-2.0", "MIT OR", "Apache-2.0 WITH Nothing"] {
        assert_eq!(package("a", REGISTRY, licence), 1, "{licence}");
    }
    assert_eq!(package("openssl-sys", REGISTRY, "MIT"), 1);
    assert_eq!(package("a", "git+https://example.org/a", "MIT"), 1);
}
