//! Every text of this crate, in both languages, with the same arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use eval_spec::Lang;
use eval_spec::message::{CATALOGUES, has};

use crate::world::root;

#[test]
fn every_key_that_is_used_is_in_both_catalogues() {
    let used = keys_in(&root().join("crates/report/src"));
    assert!(used.len() > 100);
    for key in &used {
        assert!(has(Lang::En, key), "{key} is missing in English");
        assert!(has(Lang::Zh, key), "{key} is missing in Chinese");
    }
    let (_, english, chinese) = CATALOGUES.iter().find(|(name, ..)| *name == "report").unwrap();
    let (english, chinese) = (arguments(english), arguments(chinese));
    assert_eq!(english.keys().collect::<Vec<_>>(), chinese.keys().collect::<Vec<_>>());
    for (key, arguments) in &english {
        assert_eq!(arguments, &chinese[key], "{key}");
        assert!(used.contains(key), "{key} is never used");
    }
}

fn keys_in(dir: &Path) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            keys.extend(keys_in(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap();
            let literals = text.split('"').skip(1).step_by(2);
            // prefixes that reasons are recognised by end in `-`
            keys.extend(literals.filter(|key| key.starts_with("report-") && !key.ends_with('-')).map(str::to_owned));
        }
    }
    keys.remove("report-id");
    keys
}

/// The arguments of every message.
fn arguments(catalogue: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut current = String::new();
    for line in catalogue.lines() {
        if let Some((key, _)) = line.split_once(" = ").filter(|(key, _)| key.starts_with("report-")) {
            current = key.to_owned();
            assert!(all.insert(current.clone(), BTreeSet::new()).is_none(), "{current} stands twice");
        }
        for piece in line.split('$').skip(1) {
            let name: String = piece.chars().take_while(char::is_ascii_alphanumeric).collect();
            all.get_mut(&current).unwrap().insert(name);
        }
    }
    all
}
