//! Stored evaluations of callable skills.

use eval_format::skills::is_evaluation;

/// Comparisons are large: the text after their `meta` is not read as JSON.
#[test]
fn kind_is_in_the_beginning_of_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("document.json");
    for (text, is_of_skills) in [
        (r#"{"schemaVersion": 1, "kind": "eval-skills-result", "#, true),
        (r#"{"schemaVersion": 1, "kind": "eval-skills-result", no JSON"#, true),
        (r#"{"kind": "eval-skills-selection"}"#, false),
        (r#"{"id": "x", "status": {"kind": "eval-skills-result"}}"#, false),
        (r#"{"id": "x", "meta": {}, "kind": "eval-skills-result"}"#, false),
        ("", false),
        ("[]", false),
        ("{", false),
        (r#"{"kind": 3}"#, false),
        (r#"{"id": "x"}"#, false),
    ] {
        std::fs::write(&path, text).unwrap();
        assert_eq!(is_evaluation(&path), is_of_skills, "{text}");
    }
}
