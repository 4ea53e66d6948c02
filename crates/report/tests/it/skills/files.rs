//! Evaluations on disk (M7): written whole or not at all, valid, read again, and nothing else taken for one.

use std::fs;
use std::path::Path;

use eval_report::skills::{FileError, Format, evaluation_id, is_written, read, schema, write};
use eval_spec::Lang;
use serde_json::{Value, json};

use super::made::{Made, PASS, eventful, one};
use crate::world::root;

fn written(dir: &Path, formats: &[Format]) -> Vec<std::path::PathBuf> {
    let written = write(&eventful().evaluation(), dir, formats, Lang::En).unwrap();
    written.into_iter().map(|one| one.path).collect()
}

/// Run with `UPDATE_SCHEMAS=1` to write the file anew.
#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = root().join("schemas/skill-result.schema.json");
    let generated = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let is_current = fs::read_to_string(&path).unwrap_or_default() == generated;
    assert!(is_current, "schemas/skill-result.schema.json is stale: run the tests with UPDATE_SCHEMAS=1");
}

#[test]
fn every_result_is_valid_against_the_schema_and_what_is_none_is_not() {
    let validator = jsonschema::validator_for(&schema()).unwrap();
    for made in [eventful(), Made::of(vec![("a", vec![vec![PASS]])]), Made::of(Vec::new())] {
        let value = serde_json::to_value(made.evaluation()).unwrap();
        let errors: Vec<String> =
            validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let whole = serde_json::to_value(eventful().evaluation()).unwrap();
    for path in ["/kind", "/skills/0/summary/completionRate", "/skills/0/taskResults/0/status", "/benchmark/hash"] {
        let mut broken = whole.clone();
        *broken.pointer_mut(path).unwrap() = json!({});
        assert!(!validator.is_valid(&broken), "{path}");
    }
}

#[test]
fn m7_what_is_written_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let reports = dir.path().join("new/reports");
    let paths = written(&reports, &Format::ALL);
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let id = "eval-result-20260301-120000";
    assert_eq!(names, ["json", "md", "html", "csv", "xml"].map(|extension| format!("{id}.{extension}")));
    assert_eq!(read(&paths[0]).unwrap(), eventful().evaluation());
    assert_eq!(fs::read(reports.join("eval-result.json")).unwrap(), fs::read(&paths[0]).unwrap());
    assert_eq!(fs::read_dir(&reports).unwrap().count(), 10, "no temporary file stays");
    assert!(is_written(&reports, "20260301-120000") && !is_written(&reports, "20260301-120001"));
}

#[test]
fn two_evaluations_in_one_second_have_their_own_files() {
    let second = "2026-03-01T12:00:00.5Z".parse().unwrap();
    assert_eq!(evaluation_id(second, |_| false), "20260301-120000");
    assert_eq!(evaluation_id(second, |id| id == "20260301-120000"), "20260301-120000-2");
    let dir = tempfile::tempdir().unwrap();
    written(dir.path(), &[Format::Json]);
    let mut other = one(vec![PASS]);
    other.started_at = "2026-03-01T12:00:00.7Z".to_owned();
    let refused = write(&other, dir.path(), &[Format::Json, Format::Html], Lang::En);
    assert!(matches!(refused, Err(FileError::Taken { .. })));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    // the same evaluation, resumed
    written(dir.path(), &[Format::Json]);
}

#[test]
fn a_newer_program_s_file_is_read_if_it_can_be_and_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), &[Format::Json]).remove(0);
    let mut newer: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    newer["schemaVersion"] = json!(99);
    newer["brandNew"] = json!(true);
    fs::write(&path, newer.to_string()).unwrap();
    assert_eq!(read(&path).unwrap().schema_version, 99);
    let again = write(&eventful().evaluation(), dir.path(), &[Format::Json], Lang::En);
    assert!(matches!(again, Err(FileError::Newer { version: 99, .. })));
    newer["skills"] = json!("another shape");
    fs::write(&path, newer.to_string()).unwrap();
    assert!(matches!(read(&path), Err(FileError::Newer { version: 99, .. })));
}

#[test]
fn what_is_something_else_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    for (text, instead) in [
        (r#"{"id": "a", "adapterType": "http"}"#, "it is a `skill.json`"),
        (r#"{"id": "b", "tasks": []}"#, "it is a benchmark"),
        (r#"{"schemaVersion": 3, "verdict": {}}"#, "it is a report of `omk`"),
        (r#"{"kind": "eval-skills-selection"}"#, "it is a selection of skills"),
        ("[]", "it is a JSON list"),
        ("7", "it is other JSON"),
        ("", "it is no JSON"),
        ("<html>", "it is no JSON"),
    ] {
        fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err();
        assert!(error.to_string().contains(instead), "{text}: {error}");
        assert!(error.help().is_some());
    }
    assert!(matches!(read(dir.path()), Err(FileError::NotAResult { .. })));
    assert!(matches!(read(&dir.path().join("none")), Err(FileError::File { .. })));
}

#[test]
fn hostile_json_is_refused_and_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    let whole = serde_json::to_string(&eventful().evaluation()).unwrap();
    let deep = format!(r#"{{"kind": "eval-skills-result", "skills": {}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    for text in [&whole[..whole.len() / 2], r#"{"kind": "eval-skills-result"}"#, &deep] {
        fs::write(&path, text).unwrap();
        assert!(read(&path).is_err());
    }
    for id in ["", "../evil", "a/b", "a\0b", "a b", &"x".repeat(300)] {
        let mut evaluation = one(vec![PASS]);
        evaluation.id = id.to_owned();
        let refused = write(&evaluation, dir.path(), &[Format::Json], Lang::En);
        assert!(matches!(refused, Err(FileError::BadId { .. })), "{id:?}");
    }
}
