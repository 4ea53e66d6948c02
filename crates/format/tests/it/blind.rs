//! The file beside a report that is read blind.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread;

use eval_format::{BlindFile, Settled, add_feedback, hide_names, reveal_report, seal_report, settle_feedback};
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
                    let added = add_feedback(path, vec![opinion("a", &format!("p{at}"), 3)]).unwrap();
                    assert_eq!(added.len(), 1);
                    usize::from(at >= 10 && reveal_report(path, &format!("2026-01-03T00:00:{at}Z")).unwrap())
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
    assert_eq!(BlindFile::beside(&path).unwrap().unwrap().seals().len(), 2);
}

#[test]
fn opinions_are_stored_by_label_whatever_name_they_came_with() {
    let folder = TempDir::new().unwrap();
    let path = report(&folder);
    let labels = BTreeMap::from([("Variant A".to_owned(), "v1".to_owned())]);
    hide_names(&path, &labels, "2026-01-01T00:00:00Z").unwrap();
    add_feedback(&path, vec![opinion("a", "p", 2)]).unwrap();
    reveal_report(&path, "2026-01-02T00:00:00Z").unwrap();
    add_feedback(&path, vec![opinion("a", "q", 4)]).unwrap();
    let settled = settle_feedback(&path, ("a", "v1"), Some("p"), Settled::GoldWrong, "2026-01-03T00:00:00Z").unwrap();
    assert_eq!(settled, 1);
    let all = feedback(&path);
    assert!(all.iter().all(|of| of["variant"] == "Variant A"), "{all:#?}");
    let told = |at: usize| (all[at].get("blind").cloned(), all[at]["rating"].clone(), all[at].get("settled").cloned());
    assert_eq!(told(0), (Some(json!(true)), json!(2), None));
    assert_eq!(told(1), (None, json!(4), None));
    assert_eq!(told(2), (Some(json!(true)), json!(2), Some(json!("gold-wrong"))), "a settled rating stays blind");
    // a report that is made again stays revealed
    hide_names(&path, &labels, "2026-01-04T00:00:00Z").unwrap();
    assert!(BlindFile::beside(&path).unwrap().unwrap().seal().is_none());
}
