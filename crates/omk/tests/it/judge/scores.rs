//! Scores of judges: rubrics, dimensions, judged assertions, repeats.

use serde_json::{Value, json};
use testkit::FakeReply;

use super::MakeReply;
use crate::fixtures::judged::{JUDGE, JudgedProject, opinion};

#[test]
fn rubrics_and_dimensions_are_scored_with_reasons() {
    let project = JudgedProject::judged_by(2, |case| {
        assert!(case.system.contains("Length is not a quality signal"));
        match case.prompt.contains("is polite") {
            true => FakeReply::text(json!({"id": case.id, "reasoning": "rude", "score": 2}).to_string()),
            false => FakeReply::text(json!({"id": case.id, "reasoning": "right", "score": 5}).to_string()),
        }
    });
    let dimensions = json!([
        {"sample_id": "one", "prompt": "p", "rubric": "names the cause", "capability": ["secret capability"]},
        {"sample_id": "two", "prompt": "p", "rubric": "ignored", "dimensions": {"tone": "is polite", "truth": "is right"},
         "assertions": [{"type": "contains", "value": "answer"}]}
    ]);
    project.context.write("eval-samples.json", &dimensions.to_string());
    project.run(&["--report-only"]).expect(0);
    let one = project.result(0, "v1");
    assert_eq!(
        (&one["llmScore"], &one["llmReason"], &one["compositeScore"]),
        (&json!(5.0), &json!("right"), &json!(5.0))
    );
    let two = project.result(1, "v2");
    assert_eq!(two["llmScore"], json!(3.5), "the mean of 2 and 5");
    assert_eq!(two["llmReason"], "tone: rude\ntruth: right");
    assert_eq!(two["compositeScore"], json!(4.25), "the mean of the fact layer, 5, and the judge layer");
    assert_eq!(two["judged"][0]["dimension"], "tone");
    assert_eq!((&opinion(&two)["judge"], &opinion(&two)["requests"]), (&json!("openai-api:judge-1"), &json!(1)));
    let meta = &project.context.report()["meta"];
    assert_eq!((&meta["judgeModel"], &meta["judgeTemplate"]), (&json!("openai-api:judge-1"), &json!("v3-cot-length")));
    assert_eq!(project.judge_requests(), 6);
    // Not sent to the judge.
    for request in project.api.requests().iter().filter(|request| request.body["model"] == JUDGE) {
        let whole = request.body.to_string();
        for secret in ["secret capability", "v1", "v2", "plain\"", "better\"", "ignored", "s001"] {
            assert!(!whole.contains(secret), "{secret}: {whole}");
        }
    }
}

#[test]
fn length_debiasing_is_optional_and_chinese_samples_get_a_chinese_prompt() {
    let project = JudgedProject::judged_by(1, |case| {
        assert!(!case.system.contains("Length") && !case.system.contains("长度"));
        assert!(case.system.contains("评分"), "{}", case.system);
        case.scores(4)
    });
    let sample = json!([{"sample_id": "一", "prompt": "什么是 SQL 注入？", "rubric": "说明恶意 SQL 被拼进查询"}]);
    project.context.write("eval-samples.json", &sample.to_string());
    project.run(&["--report-only", "--no-debias-length"]).expect(0);
    let report = project.context.report();
    assert_eq!(report["meta"]["judgeTemplate"], "v2-cot");
    assert_eq!(project.result(0, "v1")["judged"][0]["lang"], "zh");
}

#[test]
fn reply_may_be_fenced_and_preceded_by_thoughts() {
    const USABLE: &[MakeReply] = &[
        |c| FakeReply::text(format!("```json\n{}\n```", json!({"id": c.id, "reasoning": "r", "score": 2}))),
        |c| {
            FakeReply::text(format!(
                "<think>it quotes </think>{{\"score\":5}} hm</think>\n{}",
                json!({"id": c.id, "reasoning": "r", "score": 2})
            ))
        },
        |c| FakeReply::text(json!({"id": c.id, "reasoning": "r", "score": 2, "confidence": 0.9}).to_string()),
    ];
    for reply in USABLE {
        let project = JudgedProject::judged_by(1, *reply);
        project.run(&["--report-only"]).expect(0);
        assert_eq!(project.result(0, "v1")["llmScore"], json!(2.0));
    }
}

#[test]
fn repeats_of_a_judge_are_averaged_before_judges() {
    let project = JudgedProject::judged_by(1, |case| match case.request.body["model"].as_str().unwrap() {
        "judge-a" => case.scores(1),
        _ => case.scores(5),
    });
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only"];
    let judges = ["--judge-models", "judge-a,judge-b", "--judge-repeat", "3"];
    project.context.run(&[flags.as_slice(), &judges].concat()).expect(0);
    assert_eq!(project.judge_requests(), 2 * 2 * 3);
    assert_eq!(project.result(0, "v1")["llmScore"], json!(3.0));
    assert_eq!(project.result(0, "v1")["judged"][0]["opinions"].as_array().unwrap().len(), 6);
    // No two requests are the same: each opinion is independent.
    let asked: std::collections::BTreeSet<String> = project.api.requests().iter().map(|r| r.body.to_string()).collect();
    assert_eq!(asked.len(), project.api.count());
}

#[test]
fn judged_assertions_pass_at_their_threshold_in_sets_and_inverted() {
    let project = JudgedProject::new(
        1,
        |_, _| "Paris, since 1900".to_owned(),
        |case| {
            if case.system.contains("\"claims\"") {
                let claims =
                    json!([{"claim": "Paris", "supported": true}, {"claim": "since 1900", "supported": false}]);
                return FakeReply::text(json!({"id": case.id, "reasoning": "r", "claims": claims}).to_string());
            }
            // Similarity 3, relevancy 2, recall 5, faithfulness 1.
            let score = [
                ("in meaning", 3),
                ("respond to the task", 2),
                ("key facts below", 5),
                ("supported by the context", 1),
            ]
            .iter()
            .find(|(text, _)| case.system.contains(text))
            .map_or(9, |(_, score)| *score);
            case.scores(score)
        },
    );
    let assertions = json!([
        {"type": "semantic_similarity", "reference": "Paris"},
        {"type": "semantic_similarity", "reference": "Paris", "threshold": 4},
        {"type": "answer_relevancy", "not": true},
        {"type": "context_recall"},
        {"type": "faithfulness"},
        {"type": "faithfulness", "mode": "claims"},
        {"type": "assert-set", "mode": "any", "children": [
            {"type": "answer_relevancy"}, {"type": "context_recall", "reference": "Paris is the capital"}]},
    ]);
    let sample = json!([{"sample_id": "s", "prompt": "The capital?", "context": "Paris is the capital.", "assertions": assertions}]);
    project.context.write("eval-samples.json", &sample.to_string());
    project.run(&["--report-only"]).expect(0);
    let details = project.result(0, "v1")["assertions"]["details"].clone();
    let passed: Vec<&Value> = details.as_array().unwrap().iter().map(|detail| &detail["passed"]).collect();
    assert_eq!(
        passed,
        [true, false, true, true, false, true, true]
            .iter()
            .map(|b| json!(b))
            .collect::<Vec<_>>()
            .iter()
            .collect::<Vec<_>>()
    );
    // 1 + 4 × 1/2, and the failed statement is in the report.
    let claims = &details[5];
    assert_eq!(claims["actual"], json!(3.0));
    assert_eq!(claims["judged"]["opinions"][0]["claims"][1], json!({"claim": "since 1900", "supported": false}));
    assert_eq!(details[0]["layer"], "fact");
    assert_eq!(project.result(0, "v1")["llmScore"], Value::Null, "no rubric, no judge layer");
}

#[test]
fn shared_question_is_asked_and_counted_once() {
    let faithful = |threshold| json!({"type": "faithfulness", "threshold": threshold});
    let run = |assertions: Value| {
        let project = JudgedProject::judged_by(4, |case| case.scores(2 + u8::from(case.answer.contains("better"))));
        let sample = |i| json!({"sample_id": i, "prompt": format!("q {i}"), "context": "c", "assertions": assertions});
        project
            .context
            .write("eval-samples.json", &["a", "b", "c", "d"].map(sample).into_iter().collect::<Value>().to_string());
        let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only"];
        let judges = ["--judge-models", "judge-a,judge-b", "--judge-repeat", "2"];
        project.context.run(&[flags.as_slice(), &judges].concat()).expect(0);
        project
    };
    let (once, thrice) = (
        run(json!([faithful(3)])),
        run(
            json!([faithful(3), faithful(1), {"type": "assert-set", "mode": "all", "children": [faithful(5), {"type": "turns_min", "value": 1}]}]),
        ),
    );
    assert_eq!((once.judge_requests(), thrice.judge_requests()), (4 * 2 * 2 * 2, 4 * 2 * 2 * 2));
    let judging = |project: &JudgedProject| project.context.report()["judging"].clone();
    for part in ["judges", "agreement", "repeatability"] {
        assert_eq!(judging(&once)[part], judging(&thrice)[part], "{part}");
    }
    let details = thrice.result(0, "v1")["assertions"]["details"].clone();
    let passed = [&details[0], &details[1], &details[2]["children"][0]].map(|detail| detail["passed"].clone());
    assert_eq!(passed, [json!(false), json!(true), json!(false)], "{details}");
    assert_eq!(details[0]["judged"]["opinions"].as_array().unwrap().len(), 4);
    assert_eq!(details[1]["judged"], json!({"lang": "en", "score": 2.0, "opinions": []}));

    // Where the judge fails, every layer with that question is unscored.
    let project = JudgedProject::judged_by(1, |_| FakeReply::text("no"));
    let behavior = json!([{"type": "faithfulness"}, {"type": "turns_min", "value": 1},
        {"type": "assert-set", "mode": "all", "children": [{"type": "faithfulness"}, {"type": "turns_min", "value": 1}]}]);
    let sample = json!([{"sample_id": "s", "prompt": "p", "context": "c", "assertions": behavior}]);
    project.context.write("eval-samples.json", &sample.to_string());
    project.run(&[]).expect(3);
    let layers = project.result(0, "v1")["layeredScores"].clone();
    assert_eq!((&layers["factScore"], &layers["behaviorScore"]), (&Value::Null, &Value::Null), "{layers}");
    assert_eq!(project.judge_requests(), 6);
}

#[test]
fn judged_assertion_without_a_score_leaves_its_layer_unscored() {
    let project = JudgedProject::judged_by(1, |_| FakeReply::text("no"));
    let assertions = json!([{"type": "contains", "value": "answer"}, {"type": "answer_relevancy"}]);
    project
        .context
        .write("eval-samples.json", &json!([{"sample_id": "s", "prompt": "p", "assertions": assertions}]).to_string());
    project.run(&[]).expect(3);
    let result = project.result(0, "v1");
    // `contains` passed: without the failed question the layer would have the best score.
    assert_eq!(result["layeredScores"]["factScore"], Value::Null);
    assert_eq!(result["assertions"]["details"][1]["passed"], Value::Null);
}
