//! Evaluations on disk: written whole or not at all, valid, read again, and nothing else taken for one.

use std::fs;
use std::path::Path;

use eval_analysis::skills::read;
use eval_format::skills::{EvaluationStatus, FileError};
use eval_format::{evaluation_id, skill_result_schema, write_new, write_whole};
use eval_message::Lang;
use eval_render::skills::{is_written, left_as_they_are, write};
use serde_json::{Value, json};

use super::convert::format;
use super::made::{Made, PASS, UNSCORED, eventful, one};
use crate::world::root;

fn written(dir: &Path, formats: &[&str]) -> Vec<std::path::PathBuf> {
    let formats: Vec<_> = formats.iter().map(|name| format(name)).collect();
    let written = write(&eventful().evaluation(), dir, &formats, Lang::En).unwrap();
    written.into_iter().map(|one| one.path).collect()
}

/// Run with `UPDATE_SCHEMAS=1` to write the file anew.
#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = root().join("schemas/skill-result.schema.json");
    let generated = format!("{:#}\n", skill_result_schema());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    let is_current = fs::read_to_string(&path).unwrap_or_default() == generated;
    assert!(is_current, "schemas/skill-result.schema.json is stale: run the tests with UPDATE_SCHEMAS=1");
}

#[test]
fn every_result_is_valid_against_the_schema_and_what_is_none_is_not() {
    let validator = jsonschema::validator_for(&skill_result_schema()).unwrap();
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
fn what_is_written_is_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let reports = dir.path().join("new/reports");
    let paths = written(&reports, &["json", "markdown", "html", "csv", "junit"]);
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
    written(dir.path(), &["json"]);
    let mut other = one(vec![PASS]);
    other.started_at = "2026-03-01T12:00:00.7Z".to_owned();
    let refused = write(&other, dir.path(), &[format("json"), format("html")], Lang::En);
    assert!(matches!(refused, Err(FileError::Taken { .. })));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
    // the same evaluation, resumed
    written(dir.path(), &["json"]);
}

#[test]
fn a_file_of_another_version_is_neither_read_nor_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let path = written(dir.path(), &["json"]).remove(0);
    let whole: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    for (number, skills) in [(0, whole["skills"].clone()), (99, whole["skills"].clone()), (99, json!("another shape"))] {
        let mut other = whole.clone();
        (other["schemaVersion"], other["skills"]) = (json!(number), skills);
        fs::write(&path, other.to_string()).unwrap();
        let refused = read(&path).unwrap_err();
        let said = format!("has format version {number}, and this program reads version 1");
        assert!(refused.to_string().contains(&said) && refused.help().is_some(), "{refused}");
        let again = write(&eventful().evaluation(), dir.path(), &[format("json")], Lang::En);
        assert!(matches!(again, Err(FileError::OtherVersion { .. })));
    }
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
fn what_a_file_is_is_told_in_the_reader_s_language() {
    let dir = tempfile::tempdir().unwrap();
    let text = |path: &Path| read(path).unwrap_err().message().text(Lang::Zh);
    assert!(text(dir.path()).ends_with("它是目录"), "{}", text(dir.path()));
    fs::write(dir.path().join("r.json"), "[]").unwrap();
    assert!(text(&dir.path().join("r.json")).ends_with("它是JSON 列表"), "{}", text(&dir.path().join("r.json")));
}

/// Every number that is no task result follows from them, or the file is refused with the skill's and the field's name.
#[test]
fn numbers_that_do_not_follow_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    let whole = serde_json::to_value(eventful().evaluation()).unwrap();
    let told = |pointer: &str, value: Value| {
        let mut edited = whole.clone();
        *edited.pointer_mut(pointer).unwrap() = value;
        fs::write(&path, edited.to_string()).unwrap();
        read(&path).map_err(|error| error.message().to_string().replace(&path.display().to_string(), "r")).unwrap_err()
    };
    let most = json!(u64::MAX);
    for (pointer, value, said) in [
        (
            "/skills/0/counts/pass",
            most.clone(),
            "`r` contradicts itself: of `weather_v1` `counts.pass` is 1.8446744073709552e19, and its task results come to 56",
        ),
        ("/skills/0/counts/total", json!(61), "`counts.total` is 61, and its task results come to 60"),
        ("/skills/0/runs/1/counts/error", json!(1), "`runs[1].counts.error`"),
        ("/skills/1/summary/completionRate", json!(1e300), "`summary.completionRate` is 1e300, and"),
        ("/skills/1/summary/completionRate", json!(0.99), "of `weather_v2` `summary.completionRate` is 0.99"),
        ("/skills/1/summary/completionRate", Value::Null, "`summary.completionRate` is null"),
        ("/skills/1/summary/compositeScore", json!(0.99), "`summary.compositeScore` is 0.99"),
        ("/skills/1/summary/p95LatencyMs", json!(1), "`summary.p95LatencyMs` is 1.0"),
        (
            "/skills/1/summary/completionInterval/low",
            json!(-1),
            "`summary.completionInterval.low` is -1.0, which can't be",
        ),
        ("/skills/1/tagResults/math/tasks", json!(1), "`tagResults.math.tasks` is 1"),
        ("/skills/1/taskResults/0/latencyMs", json!(-5), "`taskResults[0].latencyMs` is -5.0, which can't be"),
        ("/skills/1/taskResults/0/score", json!(2), "`taskResults[0].score` is 2.0, which can't be"),
        ("/skills/1/taskResults/0/status", json!("pass"), "of `weather_v2` `"),
        ("/skills/1/taskResults/0/run", json!(2), "`taskResults[1].run` is 2, which can't be"),
        ("/settings/runs", json!(u32::MAX), "`runs` is 3, and its task results come to 4294967295"),
        ("/benchmark/tasks", json!(2), "`benchmark.tasks` is 2, and its task results come to 20"),
        ("/benchmark/tasks", most, "`counts.total` is 60"),
        ("/gate/passed", json!(true), "`r` contradicts itself: `gate.passed` is true"),
        ("/gate/minCompletion", json!(7), "`gate.minCompletion` is 7.0, which can't be"),
    ] {
        let text = told(pointer, value);
        assert!(text.contains(said), "{pointer}: {text}");
    }
}

/// A part of an evaluation is none of the whole, and its gate is shut.
#[test]
fn a_part_is_not_complete_and_passes_no_gate() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.json");
    let told = |of: &Value| {
        fs::write(&path, of.to_string()).unwrap();
        read(&path).map_err(|error| error.message().to_string())
    };
    let mut part = Made::of(vec![("good", vec![vec![PASS; 4]]), ("part", vec![vec![PASS; 3]])]);
    (part.gate, part.status) = (Some(0.5), EvaluationStatus::Interrupted);
    let mut unsound = Made::of(vec![("good", vec![vec![PASS, PASS, UNSCORED]])]);
    unsound.gate = Some(0.5);
    let (part, unsound) = (json!(part.evaluation()), json!(unsound.evaluation()));
    let mut edited = part.clone();
    edited["status"] = json!("complete");
    let error = told(&edited).unwrap_err();
    let said = r#"of `part` `status` is "complete", and its task results come to "interrupted""#;
    assert!(error.contains(said), "{error}");
    for whole in [part, unsound] {
        assert!(!told(&whole).unwrap().gate.unwrap().passed);
        let mut edited = whole.clone();
        edited["gate"]["passed"] = json!(true);
        let error = told(&edited).unwrap_err();
        assert!(error.contains("`gate.passed` is true, and its task results come to false"), "{error}");
        edited["gate"] = json!({ "minCompletion": 0.5, "passed": true, "failing": [] });
        assert!(told(&edited).unwrap_err().contains("`gate.failing`"));
    }
    for complete in [Made::of(Vec::new()), Made::of(vec![("a", vec![vec![UNSCORED]])]), eventful()] {
        told(&json!(complete.evaluation())).unwrap();
    }
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
        let refused = write(&evaluation, dir.path(), &[format("json")], Lang::En);
        assert!(matches!(refused, Err(FileError::BadId { .. })), "{id:?}");
    }
}

#[test]
fn the_copy_without_an_id_is_of_the_evaluation_that_began_last() {
    let dir = tempfile::tempdir().unwrap();
    let formats = [format("json"), format("markdown")];
    let began = |id: &str, started_at: &str| {
        let mut of = one(vec![PASS]);
        (of.id, of.started_at) = (id.to_owned(), started_at.to_owned());
        of
    };
    let old = began("20260301-120000", "2026-03-01T12:00:00Z");
    let new = began("20260301-120000-10", "2026-03-01T12:00:00.5Z");
    let copy = |extension: &str| fs::read_to_string(dir.path().join(format!("eval-result.{extension}"))).unwrap();
    write(&old, dir.path(), &formats, Lang::En).unwrap();
    write(&new, dir.path(), &formats, Lang::En).unwrap();
    // the older one is resumed
    let written = write(&old, dir.path(), &formats, Lang::En).unwrap();
    assert!(written.iter().all(|one| one.newest.is_none()));
    assert!(copy("json").contains(&new.id) && copy("md").contains(&new.id));
    // only one of the two is in HTML
    let written = write(&old, dir.path(), &[format("html")], Lang::En).unwrap();
    assert_eq!(written[0].newest.as_deref(), Some(&*dir.path().join("eval-result.html")));
    let left = left_as_they_are(dir.path(), &[format("html")]);
    assert_eq!(left, ["eval-result.json", "eval-result.md"].map(|name| dir.path().join(name)));
}

#[cfg(unix)]
#[test]
fn a_link_stays_one_and_a_file_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let put = |name: &str, text: &str| write_whole(&path(name), |file| file.write_all(text.as_bytes()));
    put("below/new", "a").unwrap();
    assert_eq!(mode("below/new") & !0o644, 0);
    fs::set_permissions(path("below/new"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("below/new", path("link")).unwrap();
    symlink("later", path("dangling")).unwrap();
    put("link", "b").unwrap();
    put("dangling", "c").unwrap();
    assert!(path("link").is_symlink() && path("dangling").is_symlink());
    assert_eq!(
        (fs::read(path("below/new")).unwrap(), fs::read(path("later")).unwrap()),
        (b"b".to_vec(), b"c".to_vec())
    );
    assert_eq!(mode("below/new"), 0o600);
    put("below", "d").unwrap_err();
    assert!(!write_new(&path("link"), |file| file.write_all(b"e")).unwrap());
    let failed = write_whole(&path("link"), |file| file.write_all(b"half").and(Err(std::io::ErrorKind::Other.into())));
    failed.unwrap_err();
    assert_eq!(fs::read(path("below/new")).unwrap(), b"b");
    assert_eq!(fs::read_dir(path("below")).unwrap().count(), 1, "no temporary file stays");
}
