//! The graph of crate dependencies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The workspace crates that each crate may use, outside its tests.
const ALLOWED: &[(&str, &[&str])] = &[
    ("eval-spec", &[]),
    ("eval-stats", &[]),
    ("eval-trace", &["eval-spec"]),
    ("eval-grade", &["eval-spec"]),
    ("eval-run", &["eval-spec"]),
    ("eval-exec", &["eval-spec", "eval-trace"]),
    ("eval-report", &["eval-spec", "eval-stats", "eval-trace"]),
    ("eval-serve", &["eval-spec", "eval-report"]),
    ("eval-cli", &["eval-spec", "eval-grade", "eval-run", "eval-exec", "eval-report"]),
    (
        "omk",
        &["eval-spec", "eval-cli", "eval-stats", "eval-trace", "eval-grade", "eval-run", "eval-exec", "eval-report"],
    ),
    (
        "eval-skills",
        &[
            "eval-spec",
            "eval-cli",
            "eval-stats",
            "eval-trace",
            "eval-grade",
            "eval-run",
            "eval-exec",
            "eval-report",
            "eval-serve",
        ],
    ),
    ("testkit", &[]),
];

#[test]
fn crates_depend_only_downwards() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let ours = |name: &str| allowed.contains_key(name);
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let may = allowed.get(name).unwrap_or_else(|| panic!("`{name}` is not in the table of crates"));
        for dependency in package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"].is_null()) {
            let used = dependency["name"].as_str().unwrap();
            assert!(!ours(used) || may.contains(&used), "`{name}` may not depend on `{used}`");
        }
    }
}

/// An unused dependency costs compile time and adds a licence.
#[test]
fn declared_dependencies_are_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    for folder in folders.filter(|folder| folder.join("Cargo.toml").is_file()) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let source = sources(&folder.join("src"));
        let (normal, _) = manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
        let declared = normal.split_once("[dependencies]").map_or("", |(_, rest)| rest);
        for name in declared.lines().filter_map(|line| line.strip_suffix(".workspace = true")) {
            let path = format!("{}::", name.replace('-', "_"));
            assert!(source.contains(&path), "`{}` declares `{name}` and doesn't use it", folder.display());
        }
    }
}

fn sources(folder: &Path) -> String {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap() }).collect()
}
