//! Judges that fail: no failure raises a score, and the verdict names it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeReply, FakeStop};

use super::MakeReply;
use crate::fixtures::judged::{JUDGE, JudgedProject, opinion};

/// Replies that must not be accepted, and the reason that the report gives.
const UNUSABLE: &[(&str, &str, MakeReply)] = &[
    ("prose around it", "grade-reply-not-json", |c| {
        FakeReply::text(format!("Sure! {{\"id\":\"{}\",\"reasoning\":\"r\",\"score\":5}}", c.id))
    }),
    ("two objects", "grade-reply-not-json", |c| {
        FakeReply::text(format!(
            "{{\"id\":\"{0}\",\"reasoning\":\"r\",\"score\":5}} {{\"id\":\"{0}\",\"reasoning\":\"r\",\"score\":1}}",
            c.id
        ))
    }),
    ("a fraction", "grade-reply-score", |c| {
        FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": 4.5}).to_string())
    }),
    ("quoted", "grade-reply-score", |c| {
        FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": "4"}).to_string())
    }),
    ("zero", "grade-reply-score", |c| FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": 0}).to_string())),
    ("six", "grade-reply-score", |c| FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": 6}).to_string())),
    ("negative", "grade-reply-score", |c| {
        FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": -5}).to_string())
    }),
    ("huge", "grade-reply-score", |c| {
        FakeReply::text(
            format!("{{\"id\":\"{}\",\"reasoning\":\"r\",\"score\":1e400}}", c.id)
                .replace("1e400", "99999999999999999999"),
        )
    }),
    ("null", "grade-reply-score", |c| {
        FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": null}).to_string())
    }),
    ("score first", "grade-reply-score-first", |c| {
        FakeReply::text(format!("{{\"id\":\"{}\",\"score\":5,\"reasoning\":\"r\"}}", c.id))
    }),
    ("a field twice", "grade-reply-not-json", |c| {
        FakeReply::text(format!("{{\"id\":\"{}\",\"reasoning\":\"r\",\"score\":1,\"score\":5}}", c.id))
    }),
    ("another id", "grade-reply-wrong-id", |_| FakeReply::text(r#"{"id":"000000000000","reasoning":"r","score":5}"#)),
    ("no id", "grade-reply-wrong-id", |_| FakeReply::text(r#"{"reasoning":"r","score":5}"#)),
    ("no reasons", "grade-reply-no-reasoning", |c| {
        FakeReply::text(json!({"id": c.id, "reasoning": " ", "score": 5}).to_string())
    }),
    ("no score", "grade-reply-no-field", |c| FakeReply::text(json!({"id": c.id, "reasoning": "r"}).to_string())),
    ("a list", "grade-reply-not-json", |c| FakeReply::text(json!([c.id, "r", 5]).to_string())),
    ("a number", "grade-reply-not-json", |_| FakeReply::text("5")),
    ("deep", "grade-reply-not-json", |_| FakeReply::text("[".repeat(100_000))),
    ("a thought that never ends", "grade-reply-not-json", |c| {
        FakeReply::text(format!("<think>{{\"id\":\"{}\",\"reasoning\":\"r\",\"score\":5}}", c.id))
    }),
    ("cut", "grade-reply-truncated", |c| {
        let text = json!({"id": c.id, "reasoning": "r", "score": 5}).to_string();
        FakeReply::answer(FakeAnswer { text: Some(text), stop: FakeStop::Length, ..FakeAnswer::default() })
    }),
    ("refused", "grade-reply-refused", |_| {
        FakeReply::answer(FakeAnswer {
            text: Some("I can't".to_owned()),
            stop: FakeStop::Refusal,
            ..FakeAnswer::default()
        })
    }),
    ("nothing", "grade-reply-empty", |_| FakeReply::text("  ")),
];

#[test]
fn unusable_reply_is_requested_twice_more_and_then_missing() {
    for (name, why, reply) in UNUSABLE {
        let project = JudgedProject::judged_by(1, *reply);
        assert_eq!(project.run(&[]).code, 3, "{name}");
        for variant in ["v1", "v2"] {
            let result = project.result(0, variant);
            let opinion = opinion(&result);
            assert_eq!((&opinion["score"], &opinion["why"]["id"]), (&Value::Null, &json!(why)), "{name}: {opinion}");
            assert_eq!(opinion["requests"], 3, "{name}");
            let shown = opinion["reply"].as_str().map_or(0, |reply| reply.chars().count());
            assert!((shown == 0) == (*name == "nothing") && shown <= 201, "{name}: {opinion}");
            assert_eq!((&result["llmScore"], &result["compositeScore"]), (&Value::Null, &Value::Null), "{name}");
            assert!(result["missing"].as_array().unwrap().iter().any(|m| m["what"] == "judge"), "{name}: {result}");
        }
        assert_eq!(project.judge_requests(), 6, "{name}");
    }
}

#[test]
fn judge_failing_on_bad_answers_never_yields_progress_and_is_named() {
    // The treatment is worse: half of its answers are bad. The judge fails on exactly those, so that the remaining
    // answers of the treatment score higher than the control.
    let project = JudgedProject::new(
        40,
        |system, prompt| match (system, prompt.rsplit(' ').next().unwrap().parse::<u32>().unwrap() % 2) {
            ("better", 0) => "bad".to_owned(),
            ("better", _) => "good".to_owned(),
            _ => "fair".to_owned(),
        },
        |case| match case.answer.as_str() {
            "bad" => FakeReply::text("I would rather not say"),
            "good" => case.scores(5),
            _ => case.scores(4),
        },
    );
    let finished = project.run(&["--concurrency", "8", "--details"]);
    assert_ne!(finished.code, 0);
    let report = project.context.report();
    assert_ne!(report["verdict"]["tier"], "PROGRESS");
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].to_string();
    assert!(reasons.contains("missing"), "{reasons}");
    assert!(finished.stdout.contains("not one JSON object"), "{}", finished.stdout);
    assert_eq!(project.result(1, "v2")["compositeScore"], Value::Null);
}

#[test]
fn failed_opinion_never_raises_the_ensemble_score() {
    // The strict judge fails on the treatment: the mean of the other judges would be higher.
    let project = JudgedProject::new(
        2,
        |system, _| system.to_owned(),
        |case| match (case.request.body["model"].as_str().unwrap(), case.answer.as_str()) {
            ("judge-strict", "better") => FakeReply::text("no"),
            ("judge-strict", _) => case.scores(1),
            _ => case.scores(5),
        },
    );
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--judge-models"];
    project.context.run(&[&flags, ["judge-kind,openai-api:judge-strict"].as_slice()].concat());
    assert_eq!(project.result(0, "v1")["llmScore"], json!(3.0), "the mean of 5 and 1");
    assert_eq!(project.result(0, "v2")["llmScore"], Value::Null);
    let opinions = project.result(0, "v2")["judged"][0]["opinions"].clone();
    assert_eq!((&opinions[0]["score"], &opinions[1]["score"]), (&json!(5.0), &Value::Null));
}

#[test]
fn busy_judge_is_retried_and_silent_judge_is_missing() {
    // The first request of each question gets status 429 and is repeated.
    let seen = Arc::new(std::sync::Mutex::new(std::collections::BTreeSet::new()));
    let project = JudgedProject::judged_by(2, move |case| match seen.lock().unwrap().insert(case.id.clone()) {
        true => FakeReply::error(429, "rate_limit", "slow down").header("retry-after", "0"),
        false => case.scores(4).after(Duration::from_millis(100)),
    });
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only"];
    project.context.run(&[flags.as_slice(), &["--judge-model", JUDGE]].concat()).expect(0);
    assert_eq!(project.result(0, "v1")["llmScore"], json!(4.0));
    assert_eq!(project.judge_requests(), 8);

    let project = JudgedProject::judged_by(1, |case| case.scores(5).behaving(testkit::Behaviour::Silence));
    project.run(&["--timeout", "0.3"]).expect(3);
    let result = project.result(0, "v1");
    assert_eq!((&result["llmScore"], &opinion(&result)["requests"]), (&Value::Null, &json!(1)));
    assert!(opinion(&result)["why"].is_object());
}

#[test]
fn silent_judge_inside_a_set_leaves_the_layer_unscored() {
    let project = JudgedProject::judged_by(1, |_| FakeReply::text("I'd rather not say"));
    let samples = json!([{"sample_id": "s", "prompt": "p", "context": "the facts", "assertions": [
        {"type": "contains", "value": "answer"},
        {"type": "assert-set", "mode": "all", "children": [
            {"type": "assert-set", "mode": "any", "children": [{"type": "faithfulness"}]}
        ]}
    ]}]);
    project.context.write("eval-samples.json", &samples.to_string());
    project.run(&["--report-only"]).expect(3);
    let result = project.result(0, "v1");
    assert_eq!(result["layeredScores"]["factScore"], Value::Null, "{result}");
    assert_eq!(result["compositeScore"], Value::Null, "what passed beside it would be a 5");
}
