//! Reports as `eval-skills` 0.1 wrote them: a JSON list, one report for each skill.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// One skill's report with these results, and the numbers that its tool wrote of them.
fn report(skill: &str, results: &[(&str, f64)], [completion, partial, error]: [f64; 3]) -> Value {
    let results: Vec<Value> = (1..)
        .zip(results)
        .map(|(n, (status, score))| {
            json!({
                "taskId": format!("task_{n:03}"), "skillId": skill, "status": status, "score": score,
                "latencyMs": 10 * n, "output": {"result": n}, "scorerType": "exact_match", "runId": 1,
                "usage": {"promptTokens": 3, "completionTokens": 4, "totalTokens": 7},
            })
        })
        .collect();
    json!({
        "skillId": skill, "skillVersion": "1.0.0", "benchmarkId": "coding-easy", "timestamp": "2026-03-01T12:00:00.000Z",
        "summary": {
            "completionRate": completion, "partialScore": partial, "errorRate": error, "consistencyScore": 1,
            "compositeScore": 0.9,
        },
        "latency": {"p50Ms": 20, "p95Ms": 30, "p99Ms": 30}, "taskResults": results, "evaluatorMetadata": {},
    })
}

fn before() -> Value {
    let calc = report("calc", &[("pass", 1.0), ("fail", 0.5), ("error", 0.0)], [0.3333, 0.5, 0.3333]);
    let other = report("other", &[("pass", 1.0), ("pass", 1.0), ("fail", 0.0)], [0.6667, 0.6667, 0.0]);
    json!([calc, other])
}

fn after() -> Value {
    let calc = report("calc", &[("pass", 1.0), ("pass", 1.0), ("timeout", 0.0)], [0.6667, 0.6667, 0.3333]);
    json!([calc])
}

#[test]
fn lists_of_reports_are_converted_compared_and_selected_from() {
    let context = TestContext::new();
    for skill in ["calc", "other"] {
        context.skill(&format!("skills/{skill}"), &json!({}));
    }
    context.write_json("reports/eval-result-2026-03-01T12-00-00-000Z.json", &before());
    context.write_json("after.json", &after());
    let file = "reports/eval-result-2026-03-01T12-00-00-000Z.json";
    for format in ["markdown", "html", "csv", "junit"] {
        let convert = ["report", "convert", "--input", file, "--format", format, "--output", "out"];
        context.run(&convert).expect(0).says(&["eval-skills 0.1", "30000"]);
        let text = context.read("out");
        assert!(text.contains("calc") && text.contains("coding-easy"), "{format}: {text}");
        std::fs::remove_file(context.path("out")).unwrap();
    }

    let diff = context.run(&["report", "diff", file, "after.json", "--json"]).expect(0).json();
    let calc = &diff["skills"][0];
    assert_eq!((diff["sameBenchmark"].as_bool(), calc["sameFiles"].is_null()), (Some(true), true), "{diff:#}");
    let rate = |side: &str| calc["completionRate"][side].as_f64().unwrap();
    assert!((rate("a") - 1.0 / 3.0).abs() < 1e-12 && (rate("b") - 2.0 / 3.0).abs() < 1e-12, "{calc:#}");
    assert_eq!(calc["newlyPassing"][0]["task"], "task_002");
    assert_eq!(diff["onlyA"], json!(["other"]));
    // The later one lacks a skill of the earlier one.
    context.run(&["report", "diff", file, "after.json", "--fail-on-regression"]).expect(3).says(&["other"]);

    let selection = context.run(&["select", "--from", "skills", "--reports", file, "--top-k", "1", "--json"]);
    let selection = selection.expect(0).json();
    assert_eq!(selection["skills"][0]["id"], "other");
    assert!(selection["skills"][0]["stale"].is_null(), "{selection:#}");
    let tokens = selection["skills"][0]["report"]["summary"]["tokenCost"].as_f64();
    assert_eq!(tokens, Some(7.0));
}

#[test]
fn weights_of_a_list_tell_its_scoring_method() {
    let context = TestContext::new();
    context.skill("skills/calc", &json!({}));
    let mut list = json!([report("calc", &[("pass", 1.0), ("fail", 0.5)], [0.5, 0.875, 0.0])]);
    list[0]["taskResults"][0]["weight"] = json!(3);
    context.write_json("list.json", &list);
    let selection = context.run(&["select", "--from", "skills", "--reports", "list.json", "--json"]).expect(0).json();
    assert_eq!(selection["skills"][0]["report"]["benchmark"]["scoringMethod"], "weighted_mean");
    assert_eq!(selection["skills"][0]["report"]["summary"]["partialScore"], 0.875);
}

#[test]
fn list_whose_numbers_do_not_follow_is_refused() {
    let context = TestContext::new();
    for (change, said) in [
        ((|of: &mut Value| of[0]["summary"]["completionRate"] = json!(0.9)) as fn(&mut Value), "completionRate"),
        (|of| of[0]["summary"]["partialScore"] = json!(0.9), "partialScore"),
        (|of| of[0]["taskResults"][0]["score"] = json!(7), "score"),
        (|of| of[0]["taskResults"][1]["taskId"] = json!("task_001"), "taskId"),
        (|of| of[0]["taskResults"][0]["scorerType"] = json!("gut-feeling"), "gut-feeling"),
        (|of| of[1]["benchmarkId"] = json!("gaia-v1"), "gaia-v1"),
        (|of| of[1]["skillId"] = json!("calc"), "skillId"),
        (|of| of[0]["timestamp"] = json!("yesterday"), "list.json"),
        (|of| of[0]["taskResults"] = json!(3), "list.json"),
    ] {
        let mut list = before();
        change(&mut list);
        context.write_json("list.json", &list);
        let refused = context.run(&["report", "convert", "--input", "list.json", "--format", "csv"]).expect(2);
        refused.says(&[said]);
    }
    for other in ["[]", "[1]", "[{\"skillId\": \"x\"}]"] {
        context.write("list.json", other);
        context.run(&["report", "convert", "--input", "list.json", "--format", "csv"]).expect(2);
    }
}
