//! Both languages have every text that the source asks for, with the same arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eval_message::{CATALOGUES, Lang, has, msg};

/// `{ $name }` and `{ $name ->` of each message.
fn arguments(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        if let (Some((key, _)), true) = (line.split_once('='), line.starts_with(|c: char| c.is_ascii_alphabetic())) {
            current = key.trim().to_owned();
            messages.entry(current.clone()).or_default();
        }
        let names = line
            .split('$')
            .skip(1)
            .map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>());
        messages.entry(current.clone()).or_default().extend(names);
    }
    messages
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_arguments() {
    // English help stands in the program's source, beside the flags.
    for (name, english, chinese) in CATALOGUES.iter().filter(|(name, ..)| *name != "help") {
        assert_eq!(arguments(english), arguments(chinese), "{name}.ftl");
    }
}

#[test]
fn every_key_in_the_source_is_in_the_catalogues() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut keys = BTreeSet::new();
    sources(crates).iter().for_each(|path| keys.extend(keys_in(&std::fs::read_to_string(path).unwrap())));
    assert!(keys.len() > 100, "only {} keys found: is this looking in the right place?", keys.len());
    let missing: Vec<_> = keys.iter().filter(|key| !has(Lang::En, key) || !has(Lang::Zh, key)).collect();
    assert!(missing.is_empty(), "missing in a catalogue: {missing:?}");
}

fn sources(crates: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories: Vec<PathBuf> =
        std::fs::read_dir(crates).unwrap().map(|e| e.unwrap().path().join("src")).collect();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => directories.push(path),
                false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
                false => {}
            }
        }
    }
    found
}

/// The literals behind `msg!(`; a comment may show how to write one.
fn keys_in(source: &str) -> Vec<String> {
    let code: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let behind = code.split("msg!(").skip(1).filter_map(|rest| rest.trim_start().strip_prefix('"'));
    behind.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[test]
fn a_message_inside_a_message_gets_its_arguments() {
    let message = msg!("load-expected", expected = "flag", kind = "number", written = "1");
    assert_eq!(message.text(Lang::En), "expected `true` or `false`, found the number `1`");
    assert_eq!(message.text(Lang::Zh), "这里需要 `true` 或 `false`\u{ff0c}实际是数字 `1`");
}
