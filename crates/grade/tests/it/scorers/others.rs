//! Schemas, patterns, scripts, GAIA's match and tool calls, and what is refused before anything runs.

use std::sync::Arc;
use std::time::Duration;

use eval_grade::GradingLimits;
use eval_grade::scorer::{Scoring, ScoringSetup};
use eval_spec::callable::{Scorer, Task, score_check};
use eval_spec::source::{Place, SourceFile, Span};
use serde_json::{Value, json};

use super::{check, grade_with, refusal, score, skill, task, verdict, why};

fn schema(schema: Value) -> Scorer {
    Scorer::JsonSchema { schema }
}

#[test]
fn a_schema_sees_the_whole_output() {
    let wanted = json!({"type": "object", "required": ["result"], "properties": {"result": {"type": "string"}}});
    assert_eq!(score(schema(wanted.clone()), &json!({"result": "5"})), Some((true, 1.0)));
    assert_eq!(score(schema(wanted.clone()), &json!({"result": 5})), Some((false, 0.0)));
    assert_eq!(score(schema(wanted.clone()), &json!("5")), Some((false, 0.0)));
    assert!(why(&check(schema(wanted), r#"{"result": 5}"#)).contains("/result"));
    // draft 7 unless `$schema` says otherwise: there a list of `items` is one schema each.
    let draft7 = json!({"items": [{"type": "string"}]});
    assert_eq!(score(schema(draft7), &json!([1])), Some((false, 0.0)));
    let newer = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "string"}]});
    assert_eq!(score(schema(newer), &json!([1])), Some((false, 0.0)));
    assert_eq!(score(schema(json!(true)), &json!(null)), Some((true, 1.0)));
}

fn regex(pattern: &str, flags: &str) -> Scorer {
    Scorer::Regex { patterns: vec![pattern.to_owned()], flags: flags.to_owned() }
}

#[test]
fn a_pattern_is_searched_in_the_results_text() {
    for (pattern, flags, output, found) in [
        (r"^\d+$", "", json!({"result": "42"}), true),
        (r"^\d+$", "", json!({"result": 42}), true),
        (r"^\d+$", "", json!("42 "), false),
        ("(?<=a)b", "", json!("ab"), true),
        ("AB", "", json!("ab"), false),
        ("AB", "i", json!("ab"), true),
        ("query", "", json!({"query": 1, "result": "x"}), false),
        (r#"^\{"a":1\}$"#, "", json!({"result": {"a": 1}}), true),
    ] {
        assert_eq!(
            score(regex(pattern, flags), &output),
            Some((found, f64::from(u8::from(found)))),
            "{pattern} {output}"
        );
    }
}

#[test]
fn a_pattern_that_never_ends_is_unscored() {
    let limits = GradingLimits { regex_time: Duration::from_millis(50), ..GradingLimits::default() };
    let setup = ScoringSetup { limits, ..ScoringSetup::default() };
    let output = json!("a".repeat(5000) + "!").to_string();
    let grade = grade_with(task(regex("(a+)+$", "")), skill(), setup, &output).unwrap();
    assert!(score_check(&grade).unwrap().outcome.is_unscored());
}

fn custom(name: &str, source: &str) -> (tempfile::TempDir, Scorer) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, source).unwrap();
    (folder, Scorer::Custom { path })
}

#[test]
fn a_script_gets_output_task_and_skill() {
    let source = "
        import { unit } from './unit.mjs';
        export default async function (output, task, skill) {
            const right = output.result === 5 && task.id === 't1' && task.inputData.expression === '2+3'
                && task.expectedOutput.value === '5' && task.tags[0] === 'math' && skill.id === 'calc'
                && skill.version === '1.0.0' && arguments.length === 3;
            return { score: right ? 0.75 * unit : 0, reason: `for ${skill.name}` };
        }";
    let (folder, scorer) = custom("score.mjs", source);
    std::fs::write(folder.path().join("unit.mjs"), "export const unit = 1;").unwrap();
    let checked = check(scorer.clone(), r#"{"result": 5}"#);
    assert_eq!((verdict(&checked), why(&checked)), (Some((true, 0.75)), "for Calc".to_owned()));
    let scoring = Scoring::new(&[task(scorer)], &[skill()], ScoringSetup::default()).unwrap();
    let names: Vec<String> =
        scoring.script_hashes().keys().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, ["score.mjs", "unit.mjs"]);
}

#[test]
fn a_scripts_score_is_clamped_and_its_troubles_are_unscored() {
    for (body, expected) in [
        ("return 7", Some((true, 1.0))),
        ("return -1", Some((false, 0.0))),
        ("return 0.5", Some((true, 0.5))),
        ("return output === 'x'", Some((true, 1.0))),
        ("return { score: 0.4, passed: true }", Some((true, 0.4))),
        ("return NaN", None),
        ("return 1 / 0", None),
        ("return 'yes'", None),
        ("throw new Error('no')", None),
        ("return new Promise(() => {})", None),
        ("for (;;) {}", None),
    ] {
        let (_folder, scorer) = custom("s.mjs", &format!("export default function (output) {{ {body}; }}"));
        let limits = GradingLimits { custom_time: Duration::from_millis(300), ..GradingLimits::default() };
        let setup = ScoringSetup { limits, ..ScoringSetup::default() };
        let grade = grade_with(task(scorer), skill(), setup, "\"x\"").unwrap();
        let checked = score_check(&grade).unwrap();
        assert_eq!(verdict(checked), expected, "{body}: {}", why(checked));
    }
}

#[test]
fn gaia_and_tool_calls_score_through_the_door() {
    let gaia = |answer: &str| Scorer::Gaia { answer: answer.to_owned() };
    assert_eq!(score(gaia("1,000"), &json!({"answer": "1, 000"})), Some((true, 1.0)));
    assert_eq!(score(gaia("17"), &json!({"result": "$17.00"})), Some((true, 1.0)));
    assert_eq!(score(gaia("Right"), &json!("the right")), Some((false, 0.0)));
    let calls = |any_order| Scorer::ToolCalls {
        calls: json!([{"name": "f", "arguments": {"a": 1}}, {"name": "g"}]),
        any_order,
    };
    let output = json!({"tool_calls": [{"function": {"name": "g", "arguments": "{}"}}, {"function": {"name": "f", "arguments": "{\"a\": 1}"}}]});
    assert_eq!(score(calls(false), &output), Some((false, 0.5)));
    assert_eq!(score(calls(true), &output), Some((true, 1.0)));
}

#[test]
fn a_script_returns_a_number_a_boolean_or_an_object_with_one_of_them() {
    for (returned, expected) in [
        ("true", Some((true, 1.0))),
        ("false", Some((false, 0.0))),
        ("0.5", Some((true, 0.5))),
        ("0.49", Some((false, 0.49))),
        ("7", Some((true, 1.0))),
        ("-3", Some((false, 0.0))),
        (r#"{"score": 0.9}"#, Some((true, 0.9))),
        (r#"{"score": 0.2, "passed": true}"#, Some((true, 0.2))),
        (r#"{"score": 0.9, "passed": false, "reason": "late"}"#, Some((false, 0.9))),
        (r#"{"passed": true}"#, Some((true, 1.0))),
        (r#"{"pass": false}"#, Some((false, 0.0))),
        (r#"{"score": 1e308}"#, Some((true, 1.0))),
        (r#"{"score": "1"}"#, None),
        (r#"{"score": null}"#, None),
        (r#"{"passed": "yes"}"#, None),
        ("{}", None),
        ("null", None),
        ("\"pass\"", None),
        ("[1]", None),
        ("undefined", None),
    ] {
        let (_folder, scorer) = custom("s.mjs", &format!("export default () => ({returned});"));
        assert_eq!(score(scorer, &json!(null)), expected, "{returned}");
    }
}

/// The text that patterns are searched in: the evidence of a pattern that matches everything, up to 200 characters.
fn result_text(output: &Value) -> String {
    let actual = check(regex(".*", ""), &output.to_string()).actual.unwrap();
    actual["text"].as_str().unwrap().to_owned()
}

#[test]
fn the_result_is_the_output_or_one_of_three_members() {
    let cases = [
        (json!("x"), json!("x")),
        (json!(5), json!(5)),
        (json!([1]), json!([1])),
        (Value::Null, Value::Null),
        (json!({"result": "r"}), json!("r")),
        (json!({"output": "o"}), json!("o")),
        (json!({"answer": "a"}), json!("a")),
        (json!({"answer": "a", "output": "o", "result": "r"}), json!("r")),
        (json!({"answer": "a", "output": "o"}), json!("o")),
        (json!({"result": null, "answer": "a"}), json!("a")),
        (json!({"result": null}), Value::Null),
        (json!({"result": {"result": 1}}), json!({"result": 1})),
        (json!({"result": false, "answer": true}), json!(false)),
        (json!({"Result": 1, "value": 2}), json!({"Result": 1, "value": 2})),
        (json!({}), json!({})),
    ];
    for (output, expected) in cases {
        assert_eq!(
            result_text(&output),
            expected.as_str().map_or_else(|| expected.to_string(), str::to_owned),
            "{output}"
        );
    }
    assert_eq!(result_text(&json!({"result": {"b": 1, "a": "é"}})), r#"{"b":1,"a":"é"}"#);
    assert_eq!(result_text(&json!({"answer": "\"quoted\""})), "\"quoted\"");
}

#[test]
fn all_errors_of_scorers_are_reported_at_once_at_their_places() {
    let file = Arc::new(SourceFile { name: "b.json".to_owned(), text: "one\ntwo\nthree\n".to_owned() });
    let at = |scorer, start| Task {
        place: Some(Place { file: Arc::clone(&file), span: Span { start, len: 1 } }),
        ..task(scorer)
    };
    let tasks = [
        at(schema(json!({"type": "strin"})), 0),
        at(Scorer::Exact { value: json!(1), case_sensitive: true }, 0),
        at(regex("(", ""), 4),
        at(Scorer::LlmJudge { rubric: "good".to_owned() }, 8),
    ];
    let refused = Scoring::new(&tasks, &[skill()], ScoringSetup::default()).err().unwrap();
    let lines: Vec<String> = refused.to_string().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 3, "{refused}");
    for (line, beginning) in lines.iter().zip(["b.json:1:1: ", "b.json:2:1: ", "b.json:3:1: "]) {
        assert!(line.starts_with(beginning), "{line}");
    }
    for (scorer, said) in [
        (regex("a", "q"), "`q` is not a flag"),
        (schema(json!("x")), "must be an object or a boolean"),
        (schema(json!({"$ref": "https://example.com/s.json"})), "does not compile"),
        (Scorer::Custom { path: "/nonexistent/s.mjs".into() }, "can't be read"),
        (Scorer::Gaia { answer: "?".to_owned() }, "no answer"),
        (Scorer::ToolCalls { calls: json!({"name": "f"}), any_order: false }, "not a list of calls"),
        (Scorer::ToolCalls { calls: json!([{"x": 1}]), any_order: false }, "not an object with a `name`"),
        (Scorer::LlmJudge { rubric: "good".to_owned() }, "--judge-executor"),
    ] {
        let refused = refusal(scorer);
        assert!(refused.contains(said), "{refused} should say {said}");
    }
    let (_folder, broken) = custom("s.mjs", "export const x = 1;");
    assert!(refusal(broken).contains("no default export"));
}
