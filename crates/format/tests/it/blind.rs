//! The file beside a report that is read blind.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::thread;

use eval_format::{
    BlindFile, HiddenVariant, Settled, add_feedback, draw_labels, hide_names, reveal_report, seal_report,
    settle_feedback,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::feedback::opinion;

fn report(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("r.json");
    std::fs::write(&path, r#"{"schemaVersion": 1, "results": []}"#).unwrap();
    path
}

fn feedback(path: &PathBuf) -> Vec<Value> {
    let report: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    report["feedback"].as_array().unwrap().clone()
}

fn hidden(label: &str, name: &str) -> HiddenVariant {
    HiddenVariant {
        label: label.to_owned(),
        name: name.to_owned(),
        skill_hash: "0123456789ab".to_owned(),
        text_hash: "ba9876543210".to_owned(),
    }
}

#[test]
fn the_first_of_many_reveals_counts_and_no_opinion_is_lost() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let first = seal_report(&path, "2026-01-01T00:00:00Z").unwrap();
    assert_eq!(seal_report(&path, "2026-01-02T00:00:00Z").unwrap(), first, "it is closed already");
    let reveals: usize = thread::scope(|scope| {
        let path = &path;
        let all: Vec<_> = (0..20)
            .map(|at| {
                scope.spawn(move || {
                    let added = add_feedback(path, vec![opinion("a", &format!("p{at}"), 3)], None).unwrap();
                    assert_eq!(added.len(), 1);
                    usize::from(at >= 10 && reveal_report(path, &format!("2026-01-03T00:00:{at}Z"), None).unwrap())
                })
            })
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!((reveals, feedback(&path).len()), (1, 20));
    let beside = BlindFile::beside(&path).unwrap().unwrap();
    assert!(beside.seal().is_none() && beside.revealed_at().unwrap().starts_with("2026-01-03"));
    let again = seal_report(&path, "2026-01-04T00:00:00Z").unwrap();
    assert!(again.key != first.key && again.key.len() == 32, "sides are drawn anew");
    let beside = BlindFile::beside(&path).unwrap().unwrap();
    assert_eq!([&first, &again].map(|seal| beside.seal_of(&seal.round()).is_some()), [true; 2]);
}

#[test]
fn opinions_are_stored_by_label_whatever_name_they_came_with() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let hidden = [hidden("Variant A", "v1")];
    hide_names(&path, &hidden, "2026-01-01T00:00:00Z").unwrap();
    let round = BlindFile::beside(&path).unwrap().unwrap().seal().unwrap().round();
    add_feedback(&path, vec![opinion("a", "p", 2)], Some(&round)).unwrap();
    let hidden_rating = settle_feedback(&path, ("a", "v1"), Some("p"), Settled::GoldWrong, "2026-01-01T00:00:00Z");
    assert_eq!(hidden_rating.unwrap(), 0, "nothing is found by a name that is hidden");
    reveal_report(&path, "2026-01-02T00:00:00Z", None).unwrap();
    add_feedback(&path, vec![opinion("a", "q", 4)], Some(&round)).unwrap();
    let settled = settle_feedback(&path, ("a", "v1"), Some("p"), Settled::GoldWrong, "2026-01-03T00:00:00Z").unwrap();
    assert_eq!(settled, 1);
    let all = feedback(&path);
    assert!(all.iter().all(|of| of["variant"] == "Variant A"), "{all:#?}");
    let told = |at: usize| (all[at].get("blind").cloned(), all[at]["rating"].clone(), all[at].get("settled").cloned());
    assert_eq!(told(0), (Some(json!(true)), json!(2), None));
    assert_eq!(told(1), (None, json!(4), None));
    assert_eq!(told(2), (Some(json!(true)), json!(2), Some(json!("gold-wrong"))), "a settled rating stays blind");
    // a report that is made again stays revealed
    hide_names(&path, &hidden, "2026-01-04T00:00:00Z").unwrap();
    assert!(BlindFile::beside(&path).unwrap().unwrap().seal().is_none());
}

#[test]
fn only_what_carries_the_open_round_is_blind_whatever_many_writers_do() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let seal = || seal_report(&path, "2026-01-01T00:00:00Z").unwrap().round();
    let old = seal();
    reveal_report(&path, "2026-01-02T00:00:00Z", Some("0123456789ab")).unwrap();
    assert!(BlindFile::beside(&path).unwrap().unwrap().seal().is_some(), "a page reveals its own round only");
    assert!(reveal_report(&path, "2026-01-02T00:00:00Z", Some(&old)).unwrap());
    let open = seal();
    assert!(!reveal_report(&path, "2026-01-02T00:00:00Z", Some(&old)).unwrap());
    let rounds = [None, Some(&*old), Some(&*open)];
    thread::scope(|scope| {
        for (at, round) in (0..30).zip(rounds.iter().cycle()) {
            let path = &path;
            scope.spawn(move || add_feedback(path, vec![opinion("a", &format!("p{}", at % 3), 3)], *round).unwrap());
        }
    });
    let all = feedback(&path);
    let is_marked = |of: &Value| (of["by"] == "p2") == (of["blind"] == true);
    assert!(all.len() == 30 && all.iter().all(is_marked), "{all:#?}");
}

#[test]
fn labels_are_drawn_by_chance_once_and_are_no_variants_names() {
    let names = ["Variant B", "v1", "Variant A"].map(str::to_owned);
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let drawn: BTreeSet<Vec<String>> = (0..200).map(|_| draw_labels(&path, &names)).collect();
    assert_eq!(drawn.len(), 6, "every order comes: {drawn:?}");
    let one = drawn.first().unwrap();
    assert_eq!(one.iter().map(String::as_str).collect::<BTreeSet<_>>(), ["Variant C", "Variant D", "Variant E"].into());
    // once they are stored, they stay
    let hide: Vec<_> = one.iter().zip(&names).map(|(label, name)| hidden(label, name)).collect();
    hide_names(&path, &hide, "2026-01-01T00:00:00Z").unwrap();
    assert!((0..20).all(|_| draw_labels(&path, &names) == *one));
    // opinions by labels whose names are lost get no other variant's
    add_feedback(&path, vec![eval_format::Feedback { variant: "Variant C".to_owned(), ..opinion("a", "p", 2) }], None)
        .unwrap();
    std::fs::remove_file(path.with_extension("blind")).unwrap();
    assert!((0..20).all(|_| !draw_labels(&path, &names).contains(&"Variant C".to_owned())));
}

#[test]
fn link_to_a_report_is_as_closed_as_what_it_leads_to() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let elsewhere = TempDir::new().unwrap();
    let link = elsewhere.path().join("link.json");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let seal = seal_report(&link, "2026-01-01T00:00:00Z").unwrap();
    assert_eq!(BlindFile::beside(&path).unwrap().unwrap().seal(), Some(&seal));
    assert!(reveal_report(&path, "2026-01-02T00:00:00Z", None).unwrap());
    assert_eq!(BlindFile::beside(&link).unwrap().unwrap().seal(), None);
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
fn damaged_file_of_the_names_says_what_to_do() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let seal = |more: &str| {
        let key = "0123456789abcdef".repeat(2);
        format!(r#"{{"version": 1, "seals": [{{"at": "2026-01-01T00:00:00Z", "key": "{key}"{more}}}]}}"#)
    };
    let sound = seal(r#", "revealedAt": "2026-01-02T00:00:00Z""#);
    std::fs::write(path.with_extension("blind"), &sound).unwrap();
    assert!(BlindFile::beside(&path).unwrap().unwrap().seal().is_none());
    let bogus = seal(r#", "revealedAt": "bogus""#);
    let empty = seal(r#", "revealedAt": """#);
    let no_labels = sound.replacen('{', r#"{"labels": {}, "#, 1);
    let one_name = sound.replacen('{', r#"{"labels": {"Variant A": "v1", "Variant B": "v1"}, "#, 1);
    let closed_before = sound.replace("}]", "}, {\"at\": \"2026-01-01T00:00:00Z\", \"key\": \"k\"}]");
    let no_version = sound.replace("\"version\": 1, ", "");
    let unnamed = sound.replacen('{', r#"{"labels": {"Variant A": "v1", "Variant B": " "}, "#, 1);
    let of_labels = sound.replacen('{', r#"{"labels": {"Variant A": "Variant B", "Variant B": "Variant A"}, "#, 1);
    let opened_before = seal(r#", "revealedAt": "2025-12-30T00:00:00Z""#);
    let opened_later = seal(r#", "revealedAt": "2999-01-01T00:00:00Z""#);
    let reopened_before = sound.replace("}]", "}, {\"at\": \"2025-12-25T00:00:00Z\", \"key\": \"K\"}]");
    let reopened_before = reopened_before.replace("\"K\"", &format!("\"{}\"", "0123456789abcdef".repeat(2)));
    let damaged = ["", "{", "[]", r#"{"version": 1, "seals": []}"#, "\u{0}"].map(str::to_owned);
    let edited = [bogus, empty, no_labels, one_name, closed_before, no_version];
    let times = [opened_before, opened_later, reopened_before];
    for text in damaged.iter().chain(&edited).chain(&times).chain(&[unnamed, of_labels]) {
        std::fs::write(path.with_extension("blind"), text).unwrap();
        let why = BlindFile::beside(&path).unwrap_err().message().to_string();
        assert!(why.contains("r.blind") && why.contains("copy") && why.contains("--regrade r`"), "{text}: {why}");
        assert!(seal_report(&path, "2026-01-01T00:00:00Z").is_err() && reveal_report(&path, "", None).is_err());
    }
    for version in [0, 2] {
        let other = sound.replace("\"version\": 1", &format!("\"version\": {version}"));
        std::fs::write(path.with_extension("blind"), other).unwrap();
        let why = BlindFile::beside(&path).unwrap_err().message().to_string();
        assert!(why.contains(&format!("has format version {version}, and this program reads version 1")), "{why}");
    }
    std::fs::remove_file(path.with_extension("blind")).unwrap();
    std::fs::create_dir(path.with_extension("blind")).unwrap();
    let why = BlindFile::beside(&path).unwrap_err().message().to_string();
    assert!(why.contains("r.blind") && why.contains("remove it") && why.contains("--regrade r`"), "{why}");
}

#[test]
fn names_are_not_written_to_a_file_that_is_too_large_to_be_read() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    seal_report(&path, "2026-01-01T00:00:00Z").unwrap();
    assert!(reveal_report(&path, "2026-01-01T00:00:00Z", None).unwrap());
    let names = path.with_extension("blind");
    let mut file: Value = serde_json::from_slice(&std::fs::read(&names).unwrap()).unwrap();
    // below 16 MiB with one seal, above with two
    file["textHashes"] = json!({"a": "x".repeat((16 << 20) - 200)});
    std::fs::write(&names, file.to_string()).unwrap();
    assert!(BlindFile::beside(&path).unwrap().is_some(), "{}", names.metadata().unwrap().len());
    let error = seal_report(&path, "2026-01-02T00:00:00Z").unwrap_err().message().to_string();
    assert!(error.contains("16 MiB, which no command reads"), "{error}");
    assert!(BlindFile::beside(&path).unwrap().is_some(), "the file stays as it was");
}
