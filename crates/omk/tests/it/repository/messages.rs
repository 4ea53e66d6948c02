//! The message catalogues: the same keys and arguments in both languages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use eval_message as message;
use eval_message::{CATALOGUES, Lang};

/// Names used as `{ $name }` per key of a catalogue.
fn arguments(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut keys: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut key = String::new();
    for line in source.lines() {
        if let Some((name, _)) = line.split_once(" =")
            && !line.starts_with([' ', '#', '*', '['])
        {
            key = name.trim().to_owned();
            assert!(!keys.contains_key(&key), "`{key}` is there twice");
        }
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let names = keys.entry(key.clone()).or_default();
        for part in line.split("{ $").skip(1) {
            names.insert(part.chars().take_while(|c| c.is_alphanumeric() || "-_".contains(*c)).collect());
        }
    }
    keys
}

/// The Rust sources of all crates.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.file_name().unwrap() != "tests" => sources(&path, found),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            _ => {}
        }
    }
}

/// The names of every `.with("name", …)` in `text`: arguments added after `msg!`.
fn added(text: &str) -> BTreeSet<String> {
    text.split(".with(\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// The keys and argument names of every `msg!("…", name = …)` in `text`.
fn uses(text: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for call in text.split("msg!(").skip(1) {
        let Some(rest) = call.trim_start().strip_prefix('"') else { continue };
        let Some((key, rest)) = rest.split_once('"') else { continue };
        let mut depth = 1;
        let mut names = BTreeSet::new();
        let mut word = String::new();
        let mut in_text = false;
        let mut previous = ' ';
        for (i, c) in rest.char_indices() {
            match c {
                '"' if previous != '\\' => in_text = !in_text,
                _ if in_text => {}
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '=' if depth == 1 && previous != '=' && !"=>".contains(rest[i + 1..].chars().next().unwrap_or(' ')) => {
                    names.insert(std::mem::take(&mut word));
                }
                ',' => word.clear(),
                _ if c.is_alphanumeric() || c == '_' => word.push(c),
                _ => {}
            }
            if depth == 0 {
                break;
            }
            previous = c;
        }
        found.push((key.to_owned(), names));
    }
    found
}

#[test]
fn both_catalogues_have_the_same_keys_and_arguments() {
    for (name, english, chinese) in CATALOGUES.iter().filter(|(name, ..)| *name != "help") {
        assert_eq!(arguments(english), arguments(chinese), "{name}.ftl");
    }
}

#[test]
fn messages_in_the_code_are_in_the_catalogues() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."), &mut files);
    let known: BTreeMap<_, _> = CATALOGUES.iter().flat_map(|(_, english, _)| arguments(english)).collect();
    let mut problems = Vec::new();
    let mut count = 0;
    for file in files.iter().filter(|file| !file.ends_with("message.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let added = added(&text);
        for (key, mut names) in uses(&text) {
            count += 1;
            names.extend(added.iter().cloned());
            match known.get(&key) {
                None => problems.push(format!("{}: `{key}` is in no catalogue", file.display())),
                Some(expected) if !expected.is_subset(&names) => {
                    problems.push(format!("{}: `{key}` needs {expected:?}, gets {names:?}", file.display()));
                }
                Some(_) => {}
            }
        }
    }
    assert!(count > 50, "the search found only {count} messages");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn keys_in_tables_are_in_both_catalogues() {
    let assertions = eval_grade::type_specs().into_iter().map(|spec| spec.summary);
    let executors = eval_exec::EXECUTORS.iter().map(|executor| executor.summary);
    for key in assertions.chain(executors) {
        assert!(message::has(Lang::En, key) && message::has(Lang::Zh, key), "`{key}`");
    }
}

/// Chinese text uses full-width punctuation; text in backticks is code.
#[test]
fn chinese_texts_use_full_width_punctuation() {
    let is_han = |c: &char| ('\u{4e00}'..='\u{9fff}').contains(c);
    let narrow = |c: &char| ",;:()!?".contains(*c);
    let mut wrong = Vec::new();
    for (name, _, chinese) in CATALOGUES {
        for line in chinese.lines().filter(|line| !line.starts_with('#')) {
            let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
            let chars: Vec<char> = prose.chars().collect();
            if chars.windows(2).any(|pair| is_han(&pair[0]) && narrow(&pair[1]) || narrow(&pair[0]) && is_han(&pair[1]))
            {
                wrong.push(format!("{name}.ftl: {line}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
