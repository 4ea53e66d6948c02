//! Inputs against `inputSchema` before anything runs, outputs against `outputSchema` beside the score.

use eval_grade::scorer::{OutputSchema, ScoringSetup, check_inputs};
use eval_spec::CheckOutcome;
use eval_spec::callable::{
    AdapterConfig, AdapterType, CallableSkill, HttpMethod, OUTPUT_SCHEMA_CHECK, Parameter, ParameterPlace,
    ParameterStyle, QualityCheck, RequestMapping, Scorer, Task, schema_mismatches, score_check,
};
use eval_spec::source::DiagnosticSeverity;
use serde_json::{Value, json};

use super::{grade_with, skill, task, verdict};

fn exact() -> Scorer {
    Scorer::Exact { value: json!("5"), case_sensitive: true }
}

fn with_output(schema: Value) -> CallableSkill {
    CallableSkill { output_schema: Some(schema), ..skill() }
}

fn texts() -> Value {
    json!({"type": "object", "required": ["result"], "properties": {"result": {"type": "string"}}})
}

#[test]
fn an_output_that_does_not_match_keeps_its_score() {
    let grade = grade_with(task(exact()), with_output(texts()), ScoringSetup::default(), r#"{"result": 5}"#).unwrap();
    assert_eq!(grade.checks.len(), 2);
    assert_eq!(verdict(score_check(&grade).unwrap()), Some((true, 1.0)));
    let mismatches = schema_mismatches(&grade).unwrap();
    assert!(mismatches.len() == 1 && mismatches[0].starts_with("/result: "), "{mismatches:?}");
    assert_eq!((grade.checks[1].kind.as_str(), grade.checks[1].weight), (OUTPUT_SCHEMA_CHECK, 0.0));
    // What journals keep says the same.
    let kept: eval_spec::Grade = serde_json::from_value(serde_json::to_value(&grade).unwrap()).unwrap();
    assert_eq!(schema_mismatches(&kept), Some(mismatches));
}

#[test]
fn an_output_that_matches_has_no_mismatch_and_no_schema_has_no_check() {
    let setup = ScoringSetup::default;
    let grade = grade_with(task(exact()), with_output(texts()), setup(), r#"{"result": "6"}"#).unwrap();
    assert_eq!((verdict(score_check(&grade).unwrap()), schema_mismatches(&grade)), (Some((false, 0.0)), Some(vec![])));
    let grade = grade_with(task(exact()), skill(), setup(), "5").unwrap();
    assert_eq!((grade.checks.len(), schema_mismatches(&grade)), (1, None));
    let broken = with_output(json!({"type": "strin"}));
    let grade = grade_with(task(exact()), broken, setup(), "5").unwrap();
    assert!(matches!(grade.checks[1].outcome, CheckOutcome::Unscored { .. }) && schema_mismatches(&grade).is_none());
    let files = Scorer::SkillQuality { check: QualityCheck::Metadata };
    let grade = grade_with(task(files), with_output(texts()), setup(), "null").unwrap();
    assert_eq!(grade.checks.len(), 1, "nothing was returned that could match");
}

#[test]
fn mismatches_are_listed() {
    let schema = OutputSchema::new(&json!({"items": {"type": "number"}, "maxItems": 2})).unwrap();
    assert_eq!(schema.mismatches(&json!([1, 2])), Vec::<String>::new());
    let listed = schema.mismatches(&json!(["a", 1, "b"]));
    assert!(listed.len() == 3 && listed.iter().any(|text| text.starts_with("/2: ")), "{listed:?}");
    assert!(OutputSchema::new(&json!("no schema")).is_err());
}

#[test]
fn inputs_that_do_not_fit_are_counted_once_a_skill() {
    let of = |id: &str, input: Value, scorer: Scorer| Task { id: id.into(), input, ..task(scorer) };
    let tasks = [
        of("fits", json!({"expression": "1"}), exact()),
        of("first", json!({"query": 1}), exact()),
        of("second", json!("1"), exact()),
        of("files", Value::Null, Scorer::SkillQuality { check: QualityCheck::Metadata }),
    ];
    let schema = json!({"type": "object", "required": ["expression"]});
    let picky = CallableSkill { input_schema: Some(schema), ..skill() };
    let broken = CallableSkill { input_schema: Some(json!(1)), ..with_output(json!([])) };
    let warnings = check_inputs(&tasks, &[skill(), picky, broken]);
    let said: Vec<String> = warnings.iter().map(|warning| warning.message.to_string()).collect();
    assert_eq!(warnings.len(), 3, "{said:?}");
    assert!(warnings.iter().all(|warning| warning.severity == DiagnosticSeverity::Warning));
    assert!(said[0].contains("2 of 3 inputs") && said[0].contains("`first`"), "{}", said[0]);
    assert!(said[1].contains("`inputSchema`") && said[2].contains("`outputSchema`"), "{said:?}");
}

#[test]
fn an_input_that_cannot_be_sent_is_an_error_before_the_run() {
    let parameter = |name: &str, place| Parameter {
        name: name.into(),
        place,
        field: name.into(),
        style: ParameterStyle::Simple,
        explode: true,
        allow_reserved: false,
    };
    let parameters = vec![parameter("id", ParameterPlace::Path), parameter("X-Trace", ParameterPlace::Header)];
    let request = Some(RequestMapping { method: HttpMethod::Get, parameters, body: None });
    let config = AdapterConfig { request, ..AdapterConfig::default() };
    let http = CallableSkill { adapter: AdapterType::Http, entrypoint: "http://h/{id}".into(), config, ..skill() };
    let mcp = CallableSkill { adapter: AdapterType::Mcp, ..skill() };
    let wrong = |skill: &CallableSkill, input: &Value| {
        let tasks = [
            Task { id: "odd".into(), input: input.clone(), ..task(exact()) },
            Task { input: Value::Null, ..task(Scorer::SkillQuality { check: QualityCheck::Metadata }) },
        ];
        let found = check_inputs(&tasks, std::slice::from_ref(skill));
        assert!(
            found.iter().all(|found| found.severity == DiagnosticSeverity::Error && found.help.is_some()),
            "{found:?}"
        );
        found.iter().map(|found| found.message.to_string()).collect::<String>()
    };
    for input in [json!({"id": 1}), json!({"id": "a/b", "X-Trace": "t", "more": "\r\n"})] {
        assert_eq!(wrong(&http, &input), "");
    }
    for (input, says) in [
        (json!({}), "lacks `id`"),
        (json!({"id": null}), "lacks `id`"),
        (json!({"id": ".."}), "`id` of the input is `..`"),
        (json!({"id": ""}), "another path"),
        (json!("text"), "lacks `id`"),
        (json!({"id": 1, "X-Trace": "a\r\nHost: b"}), "`X-Trace`"),
    ] {
        let said = wrong(&http, &input);
        assert!(said.contains("`odd`") && said.contains("`calc`") && said.contains(says), "{input}: {said}");
    }
    assert_eq!((wrong(&mcp, &json!({})), wrong(&mcp, &Value::Null)), (String::new(), String::new()));
    assert!(wrong(&mcp, &json!([1])).contains("object"));
    assert_eq!(wrong(&skill(), &json!("2+3")), "", "a program takes anything");
}
