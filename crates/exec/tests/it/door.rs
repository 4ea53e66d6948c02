//! The table of executors, isolation, and the catalogues.

use eval_exec::{EXECUTORS, isolation};
use eval_message::{CATALOGUES, Lang, has};
use eval_spec::vendor::{self, VENDORS};

use crate::settings;

#[test]
fn the_table_is_what_help_can_print() {
    let names: Vec<&str> = EXECUTORS.iter().map(|executor| executor.name).collect();
    assert_eq!(names, ["claude", "anthropic-api", "openai-api", "replay"]);
    for executor in EXECUTORS {
        assert!(has(Lang::En, executor.summary) && has(Lang::Zh, executor.summary), "{}", executor.summary);
    }
}

#[test]
fn the_tables_of_executors_and_vendors_agree() {
    for executor in EXECUTORS {
        let is_known = executor.vendor().is_some() || executor.name == vendor::REPLAY;
        assert!(is_known, "no vendor of `{}` in `eval_spec::vendor`", executor.name);
        for prefix in executor.model_prefixes {
            assert_eq!(eval_exec::for_model(&format!("{prefix}x")).map(|known| known.name), Some(executor.name));
        }
    }
    let reserved = VENDORS.iter().flat_map(|vendor| vendor.executors).filter(|name| eval_exec::is_reserved(name));
    assert_eq!(reserved.collect::<Vec<_>>(), [&"codex", &"openai", &"gemini", &"gemini-api"]);
    assert!(eval_exec::named(eval_spec::suite::DEFAULT_EXECUTOR).is_some());
}

#[test]
fn channels_are_cut_unverified_or_none() {
    let strict = settings();
    let mut open = settings();
    open.strict_baseline = false;
    let of = |name: &str, channel: &str, settings| {
        isolation(name, settings).into_iter().find(|(known, _)| *known == channel).map(|(_, state)| state)
    };
    assert_eq!(of("claude", "skills", &strict), Some("cut"));
    assert_eq!(of("claude", "auto-memory", &strict), Some("unverified"));
    assert_eq!(of("claude", "skills", &open), Some("open"));
    assert_eq!(of("anthropic-api", "skills", &strict), Some("none"));
    assert_eq!(of("python3 model.py", "skills", &strict), Some("unverified"));
}

/// Every key that the sources of these two crates use is in both catalogues with the same arguments,
/// and no key is left over.
#[test]
fn every_message_is_in_both_languages() {
    let (_, english, chinese) = CATALOGUES.iter().find(|(name, _, _)| *name == "exec").unwrap();
    assert_eq!(keys(english), keys(chinese));
    let mut sources = String::new();
    for folder in ["src", "../trace/src"] {
        read_all(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut sources);
    }
    let used: std::collections::BTreeSet<&str> = sources.split('"').filter(|text| is_key(text)).collect();
    let known: std::collections::BTreeSet<String> = keys(english).into_keys().collect();
    assert_eq!(used, known.iter().map(String::as_str).collect());
}

fn is_key(text: &str) -> bool {
    text.starts_with("exec-") && text.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Keys with the names of their arguments.
fn keys(catalogue: &str) -> std::collections::BTreeMap<String, std::collections::BTreeSet<String>> {
    let mut keys = std::collections::BTreeMap::new();
    let mut current = String::new();
    for line in catalogue.lines() {
        if let Some((key, _)) = line.split_once(" =").filter(|(key, _)| is_key(key)) {
            current = key.to_owned();
        }
        if current.is_empty() || line.starts_with('#') {
            continue;
        }
        let arguments: &mut std::collections::BTreeSet<String> = keys.entry(current.clone()).or_default();
        let names = line.split('$').skip(1).filter_map(|rest| rest.split([' ', '}']).next());
        arguments.extend(names.map(str::to_owned));
    }
    keys
}

fn read_all(folder: &std::path::Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => read_all(&path, text),
            false => text.push_str(&std::fs::read_to_string(path).unwrap()),
        }
    }
}
