//! Gold files.

use std::collections::BTreeMap;

use eval_load as load;
use eval_load::Loaded;
use eval_message::Lang;
use eval_spec::Diagnostics;
use eval_spec::gold::{Annotation, Gold, GoldQuestions, file_name};
use eval_spec::hash::sha256_hex;
use serde_json::json;

use crate::world::{World, lines};

fn questions() -> GoldQuestions {
    let of = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect());
    BTreeMap::from([
        ("s001".to_owned(), of(&["rubric"])),
        ("s002".to_owned(), of(&["security", "clarity"])),
        ("s003".to_owned(), of(&[])),
    ])
}

fn read(world: &World) -> Result<Loaded<Gold>, Diagnostics> {
    load::gold(&world.context, &world.path("gold"), Some(&questions()))
}

/// The only problem of the only file.
#[track_caller]
fn problem(name: &str, content: &str) -> String {
    let world = World::new();
    world.write(&format!("gold/{name}"), content);
    lines(read(&world))
}

#[test]
fn scores_belong_to_the_output_that_was_seen() {
    let world = World::new();
    let hash = sha256_hex(b"an answer");
    let file = json!({
        "version": 1, "sample_id": "s002", "prompt": "?", "criteria": {"security": "is it safe?"},
        "annotations": [
            {"annotator": " ann ", "variant": "v1", "repeat": 2, "outputSha256": hash.to_uppercase(), "output": "an answer",
             "scores": {"security": 4.5, "clarity": null}, "note": "hm", "source": "report page", "at": "2026-03-24T15:30:45Z"},
            {"annotator": "bob", "output": "an answer", "variant": null, "scores": {"clarity": 1}},
        ]
    });
    world.write("gold/s002.json", file.to_string());
    world.write("gold/README.md", "not gold");
    world.write("gold/.hidden.json", "not gold either");
    let gold = read(&world).unwrap().value;
    assert_eq!((gold.files, gold.directory.as_str()), (1, "gold"));
    let ann = Annotation {
        sample_id: "s002".to_owned(),
        annotator: "ann".to_owned(),
        variant: Some("v1".to_owned()),
        repeat: Some(2),
        output_sha256: Some(hash.clone()),
        scores: vec![("security".to_owned(), 4.5)],
        open: 1,
        source: Some("report page".to_owned()),
        settled: None,
    };
    let bob = Annotation {
        sample_id: "s002".to_owned(),
        annotator: "bob".to_owned(),
        output_sha256: Some(hash),
        scores: vec![("clarity".to_owned(), 1.0)],
        ..Annotation::default()
    };
    assert_eq!(gold.annotations, [ann, bob]);
}

#[test]
fn the_simplest_form_needs_a_person_and_scores() {
    let world = World::new();
    world.write("gold/s002.json", r#"{"annotator": "ann", "scores": {"security": 4}}"#);
    let gold = read(&world).unwrap().value;
    let expected = Annotation {
        sample_id: "s002".to_owned(),
        annotator: "ann".to_owned(),
        scores: vec![("security".to_owned(), 4.0)],
        ..Annotation::default()
    };
    assert_eq!(gold.annotations, [expected]);
}

#[test]
fn every_mistake_is_named_where_it_is() {
    let one = |scores: &str| format!("{{\"annotator\": \"ann\", \"scores\": {scores}}}");
    let table: &[(&str, String, &str)] = &[
        ("s001.json", String::new(), "1:1: this file has no scores"),
        ("s001.json", "[]".to_owned(), "1:1: expected an object, found an empty list"),
        ("s001.json", "{\"annotator\": \"ann\"".to_owned(), "the file ends"),
        ("s001.json", "{\"annotator\": \"ann\"}".to_owned(), "missing key `scores`"),
        ("s001.json", "{\"scores\": {\"rubric\": 4}}".to_owned(), "missing key `annotator`"),
        ("s001.json", "{\"annotator\": \"\", \"scores\": {\"rubric\": 4}}".to_owned(), "1:15: expected text"),
        ("s001.json", one("4"), "expected an object, found the number `4`"),
        ("s001.json", one("{\"rubric\": \"4\"}"), "1:43: expected a number, found the text `4`"),
        ("s001.json", one("{\"rubric\": true}"), "expected a number, found `true`"),
        ("s001.json", one("{\"rubric\": 5.5}"), "5.5 is out of range"),
        ("s001.json", one("{\"rubric\": 0}"), "0 is out of range"),
        ("s001.json", one("{\"rubric\": 3.7}"), "`3.7` is no score: 1 to 5 in steps of a half"),
        ("s001.json", one("{\"rubrik\": 3}"), "1:33: `rubrik` is no question of this sample"),
        ("s002.json", one("{\"rubric\": 3}"), "`rubric` is no question of this sample"),
        ("s003.json", one("{\"rubric\": 3}"), "`rubric` is no question of this sample"),
        ("s001.json", "{\"rater\": \"a\", \"scores\": {}}".to_owned(), "unknown key `rater`"),
        ("s001.json", "{\"version\": 2, \"annotations\": []}".to_owned(), "reads gold of version 1 only"),
        (
            "s001.json",
            "{\"sample_id\": \"s002\", \"annotations\": []}".to_owned(),
            "named like another sample than `s002`",
        ),
        ("s001.json", "{\"annotations\": {}}".to_owned(), "expected a list of annotations"),
        (
            "s001.json",
            "{\"annotator\": \"a\", \"outputSha256\": \"abc\", \"scores\": {}}".to_owned(),
            "`abc` is no SHA-256",
        ),
        (
            "s001.json",
            format!(
                "{{\"annotator\": \"a\", \"outputSha256\": \"{}\", \"output\": \"b\", \"scores\": {{}}}}",
                sha256_hex(b"a")
            ),
            "the `output` shown here is not the one",
        ),
        (
            "s001.json",
            "{\"annotations\": [{\"annotator\": \"a\", \"scores\": {}}, {\"annotator\": \"a\", \"scores\": {}}]}"
                .to_owned(),
            "`a` scored this output twice",
        ),
        ("s001.json", "[".repeat(200), "nested"),
    ];
    for (name, content, expected) in table {
        let found = problem(name, content);
        assert!(found.starts_with(&format!("gold/{name}:")) && found.contains(expected), "{content}: {found}");
    }
}

#[test]
fn a_misspelt_question_says_what_was_meant() {
    let world = World::new();
    world.write("gold/s002.json", r#"{"annotator": "ann", "scores": {"securty": 4, "zzz": 3}}"#);
    let Diagnostics(found) = read(&world).unwrap_err();
    let help: Vec<String> = found.iter().map(|d| d.help.as_ref().unwrap().text(Lang::En)).collect();
    assert_eq!(help, ["did you mean `security`?", "expected one of `security`, `clarity`"]);
}

#[test]
fn all_problems_of_all_files_come_at_once() {
    let world = World::new();
    world.write("gold/s001.json", r#"{"annotator": "ann", "scores": {"rubric": 9, "x": 3}}"#);
    world.write("gold/s002.json", "{");
    let found = lines(read(&world));
    assert_eq!(found.lines().count(), 3, "{found}");
    for i in 0..1000 {
        world.write(&format!("gold/t{i:03}.json"), "{");
    }
    let Diagnostics(found) = read(&world).unwrap_err();
    assert_eq!(found.len(), 101);
    assert_eq!(found[100].message.to_string(), "903 more problems in further gold files");
}

#[test]
fn a_sample_that_is_not_there_is_a_warning() {
    let world = World::new();
    world.write("gold/s01.json", r#"{"annotator": "ann", "scores": {"rubric": 4}}"#);
    let loaded = read(&world).unwrap();
    assert_eq!(loaded.value.annotations.len(), 1);
    assert!(loaded.warnings[0].message.to_string().contains("no sample `s01`"));
    assert!(loaded.warnings[0].help.is_some());
}

#[test]
fn what_is_no_file_of_the_directory_is_refused() {
    let world = World::new();
    assert_eq!(lines(read(&world)), "there is no directory `gold` with gold");
    world.write("gold", "a file");
    assert!(lines(read(&world)).contains("`gold`"));
    std::fs::remove_file(world.path("gold")).unwrap();
    world.write("elsewhere.json", r#"{"annotator": "ann", "scores": {"rubric": 4}}"#);
    std::fs::create_dir(world.path("gold")).unwrap();
    std::os::unix::fs::symlink(world.path("elsewhere.json"), world.path("gold/s001.json")).unwrap();
    assert_eq!(lines(read(&world)), "the link `gold/s001.json` leads out of the gold directory");
    std::fs::remove_file(world.path("gold/s001.json")).unwrap();
    std::fs::create_dir(world.path("gold/s001.json")).unwrap();
    assert!(lines(read(&world)).contains("directory"));
}

#[test]
fn a_huge_file_is_refused_unread() {
    let world = World::new();
    let path = world.write("gold/s001.json", "");
    std::fs::File::options().write(true).open(path).unwrap().set_len(1 << 36).unwrap();
    assert!(lines(read(&world)).contains("larger than 64 MiB"));
}

#[test]
fn ten_thousand_files_are_read() {
    let world = World::new();
    let questions: GoldQuestions = (0..10_000).map(|i| (format!("s{i}"), Some(vec!["rubric".to_owned()]))).collect();
    for id in questions.keys() {
        world.write(&format!("gold/{id}.json"), r#"{"annotator": "ann", "scores": {"rubric": 4}}"#);
    }
    let gold = load::gold(&world.context, &world.path("gold"), Some(&questions)).unwrap().value;
    assert_eq!((gold.files, gold.annotations.len()), (10_000, 10_000));
}

#[test]
fn no_id_leads_out_of_the_directory_and_no_two_meet() {
    assert_eq!(file_name("s001"), "s001.json");
    let ids = ["../../etc/passwd", "a/b", "a_b", ".hidden", "a\\b", "名字", &"x".repeat(300), &"x".repeat(301)];
    let names: Vec<String> = ids.iter().map(|id| file_name(id)).collect();
    for name in &names {
        assert!(!name.contains(['/', '\\']) && !name.starts_with('.') && name.len() < 200, "{name}");
    }
    let mut unique = names.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), names.len(), "{names:?}");
    let world = World::new();
    world.write(
        &format!("gold/{}", file_name("a/b")),
        r#"{"sample_id": "a/b", "annotator": "x", "scores": {"rubric": 1}}"#,
    );
    let questions = BTreeMap::from([("a/b".to_owned(), None)]);
    let gold = load::gold(&world.context, &world.path("gold"), Some(&questions)).unwrap();
    assert_eq!((gold.value.annotations[0].sample_id.as_str(), gold.warnings.len()), ("a/b", 0));
}

/// Run with `UPDATE_SCHEMAS=1` to write the file anew.
#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/gold.schema.json");
    let generated = format!("{:#}\n", eval_spec::gold::schema());
    if std::env::var_os("UPDATE_SCHEMAS").is_some() {
        std::fs::write(&path, &generated).unwrap();
    }
    let is_current = std::fs::read_to_string(&path).unwrap() == generated;
    assert!(is_current, "schemas/gold.schema.json is stale: run the tests with UPDATE_SCHEMAS=1");
}
