//! Message keys are words: only one table compares them.

use std::fs;
use std::path::Path;

/// The table of stored messages that a reader acts on.
const TABLE: &str = "format/src/report/known.rs";

/// How a program branches on the key of a message.
const BRANCHES: [&str; 7] =
    ["key.id ==", "key.id !=", ".id == \"", ".id != \"", ".id.starts_with(", "match &*message.id", "id.as_ref() {"];

fn branches(line: &str) -> bool {
    !line.trim_start().starts_with("//") && BRANCHES.iter().any(|branch| line.contains(branch))
}

/// Every line of the crates' sources that branches on a key, with its file.
fn found(folder: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found(&path, all);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with(TABLE) {
            let text = fs::read_to_string(&path).unwrap();
            all.extend(text.lines().filter(|line| branches(line)).map(|line| format!("{}: {line}", path.display())));
        }
    }
}

#[test]
fn no_source_file_but_the_table_compares_keys_of_messages() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut all = Vec::new();
    let mut read = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        if source.is_dir() {
            found(&source, &mut all);
            read += 1;
        }
    }
    assert!(read > 10 && crates.join(TABLE).is_file(), "the sources are where they were");
    assert!(all.is_empty(), "match on a typed reason instead:\n{}", all.join("\n"));
}

#[test]
fn comparing_a_key_is_noticed() {
    for line in [
        "reasons.iter().any(|why| why.message_key.id == \"report-solo-reached\")",
        "let is_alarm = why.id.starts_with(\"report-alarm-\");",
        "if doubt.id != \"skills-report-interrupted\" {",
        "match why.id.as_ref() {",
    ] {
        assert!(branches(line), "{line}");
    }
    for line in ["if benchmark.id == id {", "// `key.id == other`", "msg!(\"report-solo-reached\", variant = name)"] {
        assert!(!branches(line), "{line}");
    }
}
