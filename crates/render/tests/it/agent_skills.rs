//! `grading.json` of single runs: what is known, what is not, and what must not look like a failure.

use eval_message::Lang;
use eval_render::agent_skills::{Configuration, EvalRun, Finding, grading, timing};
use eval_spec::record::{Execution, Record};
use serde_json::{Value, json};

fn record(result: &Value, checks: Option<Value>) -> Record {
    let execution = json!({
        "key": "1/with_skill/0",
        "fingerprint": "f",
        "startedAt": "2026-01-02T03:04:05Z",
        "finishedAt": "2026-01-02T03:04:07Z",
        "result": result
    });
    let execution: Execution = serde_json::from_value(execution).unwrap();
    Record { execution, grade: checks.map(|checks| serde_json::from_value(json!({"checks": checks})).unwrap()) }
}

fn answer() -> Value {
    json!({"output": {
        "outcome": "answered", "text": "héllo", "latencyMs": 1500, "cost": null,
        "usage": {"inputTokens": 10, "outputTokens": 5, "cacheReadTokens": 2},
        "trace": {"turns": 3, "steps": [
            {"tool": {"id": "a", "name": "Read", "input": {}, "output": null}},
            {"tool": {"id": "b", "name": "Read", "input": {}, "output": null}}
        ]}
    }})
}

fn check(outcome: &Value, opinions: &Value) -> Value {
    let score = if outcome == "passed" { json!(5.0) } else { Value::Null };
    json!({
        "type": "expectation", "layer": "fact", "weight": 1.0, "outcome": outcome,
        "judged": {"lang": "en", "score": score, "opinions": opinions}
    })
}

fn opinion(reasoning: &str) -> Value {
    json!([{"judge": "j", "score": 5.0, "reasoning": reasoning, "requests": 1, "costUsd": null}])
}

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn evidence_is_what_the_judge_said_also_where_the_same_is_expected_twice() {
    let checks = json!([check(&json!("passed"), &opinion("seen")), check(&json!("passed"), &json!([]))]);
    let record = record(&answer(), Some(checks));
    let grading = grading(&texts(&["a", "a"]), Some(&record), Lang::En);
    let said: Vec<&str> = grading.expectations.iter().map(|one| one.evidence.as_str()).collect();
    assert_eq!(said, ["seen", "seen"]);
    let written = serde_json::to_value(&grading).unwrap();
    assert_eq!(written["summary"], json!({"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}));
    assert_eq!(
        written["execution_metrics"],
        json!({"tool_calls": {"Read": 2}, "total_tool_calls": 2, "total_steps": 3, "errors_encountered": 0, "output_chars": 5})
    );
    assert_eq!(written["timing"]["executor_duration_seconds"], json!(1.5));
    let timing = serde_json::to_value(timing(&record)).unwrap();
    assert_eq!((&timing["total_tokens"], &timing["duration_ms"]), (&json!(17), &json!(1500)));
    assert_eq!(timing["executor_end"], json!("2026-01-02T03:04:07Z"));
}

#[test]
fn an_open_verdict_leaves_no_pass_rate() {
    let why = json!({"unscored": {"why": {"id": "grade-reply-empty"}}});
    let checks = json!([check(&json!("passed"), &opinion("seen")), check(&why, &json!([]))]);
    let grading = grading(&texts(&["a", "b"]), Some(&record(&answer(), Some(checks))), Lang::En);
    assert_eq!((grading.summary.passed, grading.summary.failed, grading.summary.unscored), (1, 0, 1));
    assert_eq!((grading.summary.total, grading.summary.pass_rate), (1, None));
    assert_eq!(grading.unscored[0].text, "b");
}

#[test]
fn a_run_without_an_answer_fails_nothing() {
    let refused =
        json!({"output": {"outcome": "refused", "text": "no", "latencyMs": null, "usage": null, "cost": null}});
    let expectations = texts(&["a"]);
    for record in [None, Some(record(&refused, None))] {
        let run = EvalRun {
            id: &json!(1),
            name: None,
            expectations: &expectations,
            configuration: Configuration::WithSkill,
            number: 1,
            record: record.as_ref(),
        };
        let finding = Finding::of(&run, Lang::En);
        assert!(!finding.is_answered());
        let summary = finding.grading().summary;
        assert_eq!((summary.failed, summary.total, summary.pass_rate), (0, 0, None));
        assert!(!finding.grading().unscored[0].why.is_empty());
    }
}
