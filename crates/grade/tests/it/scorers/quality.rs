//! The tool's own look at a skill's files.

use std::path::Path;

use eval_grade::scorer::ScoringSetup;
use eval_spec::callable::{AdapterType, CallableSkill, QualityCheck, Scorer, score_check};
use eval_spec::{Check, CheckOutcome};
use serde_json::json;

use super::{grade_with, skill, task, verdict};

fn look(check: QualityCheck, skill: CallableSkill) -> Check {
    let grade = grade_with(task(Scorer::SkillQuality { check }), skill, ScoringSetup::default(), "null").unwrap();
    score_check(&grade).unwrap().clone()
}

fn missing(check: &Check) -> Vec<&str> {
    check
        .children
        .iter()
        .filter(|point| point.outcome == CheckOutcome::Failed)
        .map(|point| point.kind.as_str())
        .collect()
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// A skill without a blemish.
fn good(folder: &Path) -> CallableSkill {
    write(folder, "skill.py", "print(1)");
    write(folder, "README.md", "# Calc");
    let tasks = [1, 2, 3].map(|n| json!({"id": n, "inputData": {"expression": "1"}}));
    write(folder, "tests/basic.eval.json", &json!({"id": "basic", "tasks": tasks}).to_string());
    let metadata = json!({"author": "A. Person", "license": "MIT"});
    CallableSkill {
        metadata: metadata.as_object().unwrap().clone(),
        input_schema: Some(json!({
            "type": "object",
            "properties": {"expression": {"type": "string", "description": "what to evaluate"}},
            "required": ["expression"],
        })),
        output_schema: Some(
            json!({"type": "object", "properties": {"result": {"type": "number", "description": "its value"}}}),
        ),
        directory: folder.to_owned(),
        ..skill()
    }
}

const ALL: [QualityCheck; 5] = [
    QualityCheck::Metadata,
    QualityCheck::Description,
    QualityCheck::Schemas,
    QualityCheck::Tests,
    QualityCheck::Structure,
];

#[test]
fn a_good_skill_has_every_point() {
    let folder = tempfile::tempdir().unwrap();
    for check in ALL {
        let checked = look(check, good(folder.path()));
        assert_eq!(verdict(&checked), Some((true, 1.0)), "{check:?}: {:?}", missing(&checked));
        assert!(checked.children.len() >= 3);
    }
}

#[test]
fn each_flaw_costs_its_point_and_is_named() {
    type Spoil = fn(&Path, &mut CallableSkill);
    let cases: &[(QualityCheck, &str, Spoil)] = &[
        (QualityCheck::Metadata, "metadata.author", |_, skill| drop(skill.metadata.remove("author"))),
        (QualityCheck::Metadata, "metadata.author", |_, skill| {
            skill.metadata.insert("author".to_owned(), json!("Your Name"));
        }),
        (QualityCheck::Metadata, "metadata.license", |_, skill| {
            skill.metadata.insert("license".to_owned(), json!(" "));
        }),
        (QualityCheck::Metadata, "tags", |_, skill| skill.tags = vec!["math".to_owned(), "Math ".to_owned()]),
        (QualityCheck::Metadata, "tags", |_, skill| skill.tags.clear()),
        (QualityCheck::Description, "length", |_, skill| skill.description = "Evaluates sums quickly".to_owned()),
        (QualityCheck::Description, "own-words", |_, skill| {
            skill.description = "TODO: describe it in a sentence or two, please".to_owned();
        }),
        (QualityCheck::Description, "inputs", |_, skill| {
            skill.input_schema = Some(json!({"properties": {"x": {"type": "string"}}}));
        }),
        (QualityCheck::Description, "outputs", |_, skill| skill.output_schema = None),
        (QualityCheck::Schemas, "inputs", |_, skill| skill.input_schema = Some(json!({"properties": {"x": {}}}))),
        (QualityCheck::Schemas, "required", |_, skill| {
            skill.input_schema = Some(json!({"properties": {"x": {"type": "string"}}, "required": ["y"]}));
        }),
        (QualityCheck::Schemas, "outputs", |_, skill| skill.output_schema = Some(json!({}))),
        (QualityCheck::Tests, "three", |folder, _| {
            write(folder, "tests/basic.eval.json", r#"{"tasks": [{"inputData": {"expression": "1"}}]}"#);
        }),
        (QualityCheck::Tests, "fit", |folder, _| {
            write(folder, "evals/more.json", r#"{"tasks": [{"inputData": {"query": "1"}}]}"#);
        }),
        (QualityCheck::Structure, "entrypoint", |_, skill| skill.entrypoint = "python3 other.py".to_owned()),
        (QualityCheck::Structure, "entrypoint", |_, skill| skill.entrypoint = "./run --fast".to_owned()),
        (QualityCheck::Structure, "entrypoint", |_, skill| {
            (skill.adapter, skill.entrypoint) = (AdapterType::Http, "/path".to_owned());
        }),
        (QualityCheck::Structure, "documentation", |folder, _| write(folder, "README.md", " \n")),
        (QualityCheck::Structure, "clutter", |folder, _| write(folder, "lib/skill.py.orig", "")),
        (QualityCheck::Structure, "secrets", |folder, _| write(folder, ".env", "KEY=1")),
    ];
    for (check, point, spoil) in cases {
        let folder = tempfile::tempdir().unwrap();
        let mut skill = good(folder.path());
        spoil(folder.path(), &mut skill);
        let checked = look(*check, skill);
        assert_eq!(missing(&checked), [*point], "{check:?}");
        let total = checked.children.len() as f64;
        let (passed, score) = verdict(&checked).unwrap();
        assert!(!passed && (score - (total - 1.0) / total).abs() < 1e-9, "{score}");
        let reason = checked.message.unwrap().to_string();
        assert!(reason.contains(point), "{reason}");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_out_are_found_and_not_followed() {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let skill = good(folder.path());
    write(outside.path(), "tests/x.orig", "");
    std::os::unix::fs::symlink("skill.py", folder.path().join("inside.py")).unwrap();
    assert_eq!(verdict(&look(QualityCheck::Structure, skill.clone())), Some((true, 1.0)));
    std::os::unix::fs::symlink(outside.path(), folder.path().join("out")).unwrap();
    assert_eq!(missing(&look(QualityCheck::Structure, skill)), ["links"]);
}

#[test]
fn a_skill_without_anything_has_no_points_and_no_crash() {
    let empty = CallableSkill { description: String::new(), tags: Vec::new(), entrypoint: "\"".to_owned(), ..skill() };
    for check in ALL {
        let checked = look(check, empty.clone());
        let (passed, score) = verdict(&checked).unwrap();
        assert!(!passed && score < 0.7, "{check:?}: {score}");
    }
}
