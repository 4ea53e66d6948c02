//! Every text of this crate, in both languages, with the same arguments.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use eval_message::{CATALOGUES, Lang, has, msg};
use eval_spec::Layer;

use crate::world::{Came, World, root};

#[test]
fn every_key_that_is_used_is_in_both_catalogues() {
    let folders = ["analysis", "format", "history", "render", "verdict", "message"];
    let used: BTreeSet<String> =
        folders.iter().flat_map(|folder| keys_in(&root().join("crates").join(folder).join("src"))).collect();
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

#[test]
fn what_fell_fell_by_so_much_and_not_by_less_than_nothing() {
    let world = World::new(24, &["v1", "v2"], 1, |at| {
        let kept = at.variant == 0 || at.sample % 3 > 0;
        Came::To(vec![(Layer::Fact, 1.0, Some(kept)), (Layer::Behavior, 1.0, Some(at.variant == 1))])
    });
    let report = world.report();
    let why = &report.verdict.per_treatment[0].reasons[0].message;
    let fell = "the `fact` layer fell by 1.33, and its mean 3.67 is under the threshold of 4.00";
    assert_ne!(why, fell, "3.67 reaches the threshold of 3.5");
    let mut strict = world;
    strict.suite.settings.threshold = 4.0;
    let report = strict.report();
    assert_eq!(report.verdict.per_treatment[0].reasons[0].message, fell);
}

#[test]
fn one_is_one() {
    for (message, text) in [
        (msg!("report-plan-cached", cached = 1, calls = 1), "1 of 1 call would be answered from the cache"),
        (
            msg!("report-next-first-samples", treatment = "t", n = 1, needed = 20),
            "add samples: `t` has 1 pair, and progress can be seen from 20 on",
        ),
        (
            msg!("report-alarm-missing", variant = "v", missing = 1, planned = 1, limit = 10),
            "`v` has no score for 1 of 1 execution, more than 10 %",
        ),
        (
            msg!("report-invalid-failures", failed = 1, ran = 1, limit = "10 %"),
            "1 of 1 execution failed, more than the 10 % that may",
        ),
        (msg!("report-alarm-budget", variant = "v", count = 1), "the budget kept 1 execution of `v` from running"),
    ] {
        assert_eq!(message.text(Lang::En), text);
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
