//! `grading.json` of single runs: what is known, what is not, and what must not look like a failure.

use eval_format::VariantResult;
use eval_message::Lang;
use eval_render::agent_skills::{grading, timing};
use serde_json::{Value, json};

fn run(outcome: &str, answer: Option<&str>, details: &[Value]) -> VariantResult {
    serde_json::from_value(json!({
        "ok": outcome == "answered", "outcome": outcome, "layeredScores": {},
        "assertions": {"passed": 0, "total": details.len(), "score": null, "details": details},
        "durationMs": 1500, "totalTokens": 17, "turns": 3, "outputPreview": "", "fullOutput": answer,
        "toolCalls": [
            {"id": "a", "name": "Read", "input": {}, "output": null},
            {"id": "b", "name": "Read", "input": {}, "output": null}
        ],
        "missing": [], "attempts": 1, "cached": false, "startedAt": "2026-01-02T03:04:05Z"
    }))
    .unwrap()
}

fn expectation(text: &str, passed: Option<bool>, opinions: &Value) -> Value {
    json!({
        "type": "expectation", "value": text, "weight": 1.0, "not": false, "passed": passed,
        "judged": {"lang": "en", "score": passed.map(|passed| if passed { 5.0 } else { 1.0 }), "opinions": opinions}
    })
}

fn opinion(reasoning: &str) -> Value {
    json!([{"judge": "j", "score": 5.0, "reasoning": reasoning, "requests": 1, "costUsd": null}])
}

#[test]
fn evidence_is_what_the_judge_said_also_where_the_same_is_expected_twice() {
    let details = [expectation("a", Some(true), &opinion("seen")), expectation("a", Some(true), &json!([]))];
    let run = run("answered", Some("héllo"), &details);
    let grading = grading(&run, Lang::En);
    let said: Vec<&str> = grading.expectations.iter().map(|one| one.evidence.as_str()).collect();
    assert_eq!(said, ["seen", "seen"]);
    let written = serde_json::to_value(&grading).unwrap();
    assert_eq!(written["summary"], json!({"passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0}));
    assert_eq!(
        written["execution_metrics"],
        json!({"tool_calls": {"Read": 2}, "total_tool_calls": 2, "total_steps": 3, "errors_encountered": 0, "output_chars": 5})
    );
    assert_eq!(written["timing"]["executor_duration_seconds"], json!(1.5));
    let timing = serde_json::to_value(timing(&run)).unwrap();
    assert_eq!((&timing["total_tokens"], &timing["duration_ms"]), (&json!(17), &json!(1500)));
    assert_eq!(timing["executor_start"], json!("2026-01-02T03:04:05Z"));
}

#[test]
fn an_open_verdict_leaves_no_pass_rate() {
    let mut open = expectation("b", None, &json!([]));
    open["messageKey"] = json!({"id": "grade-reply-empty"});
    let run = run("answered", Some("x"), &[expectation("a", Some(true), &opinion("seen")), open]);
    let grading = grading(&run, Lang::En);
    assert_eq!((grading.summary.passed, grading.summary.failed, grading.summary.unscored), (1, 0, 1));
    assert_eq!((grading.summary.total, grading.summary.pass_rate), (1, None));
    assert_eq!(grading.unscored[0].text, "b");
}

#[test]
fn a_run_without_an_answer_fails_nothing() {
    for outcome in ["not-run", "refused", "truncated", "empty", "failed"] {
        let of = grading(&run(outcome, None, &[expectation("a", None, &json!([]))]), Lang::En);
        assert_eq!((of.summary.failed, of.summary.total, of.summary.pass_rate), (0, 0, None), "{outcome}");
        assert!(!of.unscored[0].why.is_empty(), "{outcome}");
    }
}
