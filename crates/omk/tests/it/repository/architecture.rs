//! The graph of crate dependencies.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// The workspace crates that each crate may use, outside its tests.
const ALLOWED: &[(&str, &[&str])] = &[
    ("eval-message", &[]),
    ("eval-spec", &["eval-message"]),
    ("eval-stats", &[]),
    ("eval-stats-tests", &[]),
    ("eval-load", &["eval-message", "eval-spec"]),
    ("eval-trace", &["eval-message", "eval-spec"]),
    ("eval-gaps", &["eval-spec"]),
    ("eval-observe", &["eval-format", "eval-gaps", "eval-spec", "eval-stats", "eval-trace"]),
    ("eval-process", &["eval-spec"]),
    ("eval-exec", &["eval-message", "eval-process", "eval-spec", "eval-trace"]),
    ("eval-callable", &["eval-exec", "eval-message", "eval-process", "eval-spec"]),
    ("eval-fetch", &["eval-callable", "eval-exec", "eval-message", "eval-process", "eval-spec"]),
    ("eval-grade", &["eval-message", "eval-process", "eval-spec"]),
    ("eval-run", &["eval-format", "eval-message", "eval-spec"]),
    ("eval-format", &["eval-message", "eval-spec"]),
    ("eval-results", &["eval-format", "eval-message", "eval-spec"]),
    ("eval-verdict", &["eval-format", "eval-message", "eval-spec"]),
    ("eval-analysis", &["eval-format", "eval-gaps", "eval-message", "eval-spec", "eval-stats", "eval-verdict"]),
    ("eval-history", &["eval-analysis", "eval-format", "eval-message", "eval-spec", "eval-stats", "eval-verdict"]),
    ("eval-render", &["eval-analysis", "eval-format", "eval-history", "eval-message", "eval-spec", "eval-verdict"]),
    (
        "eval-serve",
        &[
            "eval-analysis",
            "eval-format",
            "eval-history",
            "eval-message",
            "eval-render",
            "eval-run",
            "eval-spec",
            "eval-verdict",
        ],
    ),
    (
        "eval-cli",
        &[
            "eval-analysis",
            "eval-exec",
            "eval-format",
            "eval-grade",
            "eval-load",
            "eval-message",
            "eval-process",
            "eval-render",
            "eval-run",
            "eval-serve",
            "eval-spec",
            "eval-verdict",
        ],
    ),
    ("testkit", &["eval-message", "eval-spec"]),
    ("omk-both", &["eval-skills", "omk"]),
];

/// The programs may use every crate but each other.
const PROGRAMS: [&str; 2] = ["omk", "eval-skills"];

#[test]
fn crates_depend_only_downwards() {
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    let ours = |name: &str| allowed.contains_key(name) || PROGRAMS.contains(&name);
    for package in packages() {
        let name = package["name"].as_str().unwrap();
        let is_program = PROGRAMS.contains(&name);
        let may = allowed.get(name).copied().unwrap_or_default();
        assert!(is_program || allowed.contains_key(name), "`{name}` is not in the table of crates");
        for dependency in package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"].is_null()) {
            let used = dependency["name"].as_str().unwrap();
            let is_allowed = may.contains(&used) || (is_program && !PROGRAMS.contains(&used));
            assert!(!ours(used) || is_allowed, "`{name}` may not depend on `{used}`");
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
        let declared =
            normal.split_once("\n[dependencies]\n").map_or("", |(_, rest)| rest.split("\n[").next().unwrap());
        for name in declared.lines().filter_map(|line| line.strip_suffix(".workspace = true")) {
            let path = format!("{}::", name.replace('-', "_"));
            assert!(source.contains(&path), "`{}` declares `{name}` and doesn't use it", folder.display());
        }
    }
}

/// A target that Cargo compiles a second time for unit tests costs as much as the first time; tests lie in `tests/it`.
#[test]
fn libraries_and_programs_have_no_unit_tests_and_no_doctests() {
    for package in packages() {
        if package["name"] == "eval-exec" {
            continue; // Its tests are of the agents' parts that no other crate sees.
        }
        let targets = package["targets"].as_array().unwrap().iter();
        for target in targets.filter(|target| ["lib", "bin"].iter().any(|kind| target["kind"] == json!([kind]))) {
            let name = &target["name"];
            assert_eq!(target["test"], false, "{name}: set `test = false` in its Cargo.toml");
            // Only a doctest shows that something doesn't compile: `msg!` with a wrong key.
            let has_doctests = package["name"] == "eval-message";
            assert_eq!(target["doctest"], has_doctests, "{name}: set `doctest = false` in its Cargo.toml");
        }
        let source = sources(&Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src"));
        assert!(
            !source.contains("#[test]") && !source.contains("cfg(test)"),
            "{}: tests that never run",
            package["name"]
        );
    }
}

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The text of all files in a folder, which a package of tests hasn't.
fn sources(folder: &Path) -> String {
    let paths = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    paths.map(|path| if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap() }).collect()
}
