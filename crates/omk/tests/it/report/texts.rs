//! What a reader needs beside the numbers: prompts, rubrics, artifacts, every pair's difference.

use serde_json::{Value, json};

use super::example;
use crate::fixtures::recorded::checked;

#[test]
fn report_has_what_was_sent_and_what_was_compared() {
    let context = example();
    let shown = context.run(&["bench", "run", "--executor", "./agent"]).expect(0).json();
    let asked = &shown["results"][0]["texts"]["prompt"];
    assert_eq!(asked, "question 1");
    let files = shown["meta"]["artifacts"]["v1"]["files"].as_array().unwrap();
    let text = std::fs::read_to_string(context.path("skills/v1.md")).unwrap();
    let file = json!({"path": files[0]["path"], "bytes": text.len(), "hash": files[0]["hash"], "text": text});
    assert_eq!(files, &[file]);
}

#[test]
fn every_pair_is_listed_and_follows_from_the_results() {
    let context = example();
    context.run(&["bench", "run", "--executor", "./agent"]).expect(0);
    let path = context.reports().remove(0);
    let mut report = checked(&path);
    let pairs = report["comparisons"][0]["pairs"].as_array().unwrap().clone();
    assert_eq!(pairs.len(), 3);
    for (pair, result) in pairs.iter().zip(report["results"].as_array().unwrap()) {
        let score = |variant: &str| result["variants"][variant]["compositeScore"].as_f64().unwrap();
        assert_eq!(pair["sample_id"], result["sample_id"]);
        assert_eq!(pair["diff"].as_f64().unwrap(), score("v2") - score("v1"));
    }
    report["comparisons"][0]["pairs"][1]["diff"] = json!(4.0);
    std::fs::write(&path, report.to_string()).unwrap();
    let told = context.run(&["report", "verdict", "latest", "--json"]).expect(3).json();
    assert_eq!(told["differences"][0]["path"], "/comparisons/0/pairs/1/diff", "{told}");
}

#[test]
fn texts_stay_at_home_on_request() {
    let context = example();
    let shown = context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--no-texts", "--json"]);
    let shown = shown.expect(1).json();
    assert!(shown["results"].as_array().unwrap().iter().all(|result| result.get("texts").is_none()));
    let file = &shown["meta"]["artifacts"]["v1"]["files"][0];
    assert!(file["hash"].is_string() && file.get("text").is_none(), "{file}");
}

#[test]
fn secrets_in_prompts_and_artifacts_are_masked() {
    let mut context = example();
    let secret = "sk-1234567890-abcdef";
    context.env("VENDOR_API_KEY", secret);
    let artifact = std::fs::read_to_string(context.path("skills/v1.md")).unwrap();
    context.write("skills/v1.md", &format!("{artifact}\nUse the key {secret}.\n"));
    context.write(
        "eval-samples.json",
        &json!([{"sample_id": "s", "prompt": format!("What is {secret}?"), "rubric": secret,
                 "assertions": [{"type": "min_length", "value": 1}]}])
        .to_string(),
    );
    context.run(&["bench", "run", "--executor", "./agent", "--no-judge"]).expect(0);
    let report: Value = checked(&context.reports()[0]);
    let text = report.to_string();
    assert!(!text.contains(secret) && text.contains("What is ***?") && text.contains("Use the key ***."), "{text}");
}
