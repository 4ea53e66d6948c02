//! Settings of judges: validation, cost, concurrency, working directory.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::judged::{JUDGE, JudgedProject};

#[test]
fn judge_requirements_are_checked_before_the_first_call() {
    let project = JudgedProject::judged_by(1, |case| case.scores(3));
    for (assertion, says) in [
        (json!({"type": "faithfulness"}), "needs the sample's `context`"),
        (json!({"type": "context_recall"}), "a `reference` that lists the facts"),
        (json!({"type": "semantic_similarity", "reference": "x", "threshold": 6}), "threshold"),
        (json!({"type": "faithfulness", "mode": "both"}), "claims"),
    ] {
        let sample = json!([{"sample_id": "s", "prompt": "p", "assertions": [assertion]}]);
        project.context.write("eval-samples.json", &sample.to_string());
        let refused = project.run(&[]).expect(2);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
        assert!(refused.stderr.contains("eval-samples.json:1:"), "{}", refused.stderr);
    }
    let rubric = json!([{"sample_id": "s", "prompt": "p", "rubric": "r"}]);
    project.context.write("eval-samples.json", &rubric.to_string());
    let refused = project.run(&["--judge-executor", "nobody"]).expect(2);
    assert!(refused.stderr.contains("`--no-judge`"), "{}", refused.stderr);
    assert_eq!(project.api.count(), 0);
}

#[test]
fn judge_calls_count_towards_budget_and_total_cost() {
    let project = JudgedProject::judged_by(4, |case| case.scores(4));
    // Prices in US dollars per million tokens: 10 in and 5 out cost 20 dollars.
    let price = json!({"input": 1_000_000.0, "output": 2_000_000.0});
    let prices = json!({"m": price, JUDGE: price});
    fs::create_dir_all(project.context.home()).unwrap();
    fs::write(project.context.home().join("prices.json"), json!({"version": 1, "models": prices}).to_string()).unwrap();
    project.run(&["--report-only", "--no-cache"]).expect(0);
    let report = project.context.report();
    assert_eq!(report["meta"]["totalCostUSD"], json!(16.0 * 20.0), "8 answers and 8 opinions");
    let summary: BTreeMap<String, Value> = serde_json::from_value(report["summary"].clone()).unwrap();
    assert_eq!(summary["v1"]["totalCostUSD"], json!(80.0), "a variant costs what its answers cost");
    let judge_requests = project.judge_requests();
    assert_eq!(judge_requests, 8);
    project.run(&["--no-cache", "--budget-usd", "100"]).expect(3);
    assert!(project.api.count() - 16 <= 5, "{}", project.api.count());
    assert_eq!(project.context.report()["incompleteReason"], "budget-exhausted");
}

#[test]
fn concurrency_limit_covers_answers_and_judges() {
    let project = JudgedProject::judged_by(4, |case| case.scores(4).after(Duration::from_millis(30)));
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only"];
    let judges = ["--judge-models", "judge-a,judge-b,judge-c", "--judge-repeat", "2", "--concurrency", "3"];
    project.context.run(&[flags.as_slice(), &judges].concat()).expect(0);
    assert_eq!(project.judge_requests(), 48);
    assert!(project.api.most_at_once() <= 3, "{}", project.api.most_at_once());
}

#[test]
fn budget_with_an_unpriced_judge_is_refused_before_the_first_call() {
    let project = JudgedProject::judged_by(1, |case| case.scores(4));
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "gpt-4o", "--budget-usd", "5"];
    let refused = project.context.run(&[&flags[..], &["--judge-model", JUDGE]].concat()).expect(2);
    assert!(refused.stderr.contains("`judge-1`"), "{}", refused.stderr);
    assert!(project.api.requests().is_empty());
    project.run(&["--report-only"]).expect(0);
    let priced = ["eval", "--regrade", "latest", "--judge-model", "gpt-4o", "--budget-usd", "5", "--report-only"];
    let regraded = project.context.run(&priced);
    assert!(!regraded.stderr.contains("is unknown"), "only the judge is paid: {}", regraded.stderr);
}

#[test]
fn invalid_judges_are_refused() {
    let project = JudgedProject::judged_by(1, |case| case.scores(3));
    let flags = ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m"];
    for (judges, says) in [
        (["--judge-models", "j,openai-api:j"], "is named twice"),
        (["--judge-models", "j,j"], "`--judge-repeat`"),
        (["--judge-model", "openai-api:"], "needs a model"),
        (["--judge-model", "openapi:gpt-4o"], "did you mean `openai-api`?"),
        (["--judge-model", "claud:haiku"], "did you mean `claude`?"),
        (["--judge-models", "j,Claude:haiku"], "did you mean `claude`?"),
        (["--judge-model", "openapi:gpt-4o"], "write `openai-api:openapi:gpt-4o`"),
        (["--judge-model", "openai:gpt-4o"], "use `openai-api`"),
    ] {
        let refused = project.context.run(&[flags.as_slice(), &judges].concat()).expect(2);
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
        let is_listed = refused.stderr.contains("the executors, and what is ready here");
        assert_eq!(is_listed, says.contains("did you mean") || says.contains("openai"), "{}", refused.stderr);
    }
    let many = (0..201).map(|at| format!("j{at}")).collect::<Vec<_>>().join(",");
    let refused = project.context.run(&[flags.as_slice(), &["--judge-models", &many]].concat()).expect(2);
    assert!(refused.stderr.contains("there are 201 judges; a run asks at most 200"), "{}", refused.stderr);
    assert_eq!(project.api.count(), 0);
    // Model names may contain colons.
    for model in [
        "qwen2.5:7b",
        "gemma3:4b",
        "codeup:13b",
        "llama3.2:latest",
        "ft:gpt-4o:acme::id",
        "nosuch:x",
        "openai-api:openapi:x",
    ] {
        let planned =
            project.context.run(&[flags.as_slice(), &["--judge-model", model, "--dry-run"]].concat()).expect(0);
        assert!(!planned.stderr.contains("executor") && !planned.stderr.contains("did you mean"), "{}", planned.stderr);
    }
    project.context.run(&[flags.as_slice(), &["--judge-model", "judge2.5:7b", "--report-only"]].concat()).expect(0);
    assert_eq!(project.context.report()["meta"]["judgeModel"], "openai-api:judge2.5:7b");
}

#[test]
fn judge_command_runs_in_the_project_directory() {
    let context = TestContext::with_agent();
    context.script(
        "judge.sh",
        r#"id=$(sed -n 's/.*<<<\([0-9a-f]*\).*/\1/p' | head -c 12)
printf '{"id":"%s","reasoning":"a program","score":4}' "$id"
"#,
    );
    context.write("eval-samples.json", r#"[{"sample_id": "s", "prompt": "p", "rubric": "r"}]"#);
    let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--judge-executor", "sh ./judge.sh"];
    context.run(&[flags.as_slice(), &["--report-only"]].concat()).expect(0);
    let result = context.report()["results"][0]["variants"]["v1"].clone();
    assert_eq!(result["llmScore"], json!(4.0), "{}", result["judged"]);
}

#[test]
fn key_in_the_judge_command_line_is_stored_nowhere() {
    const KEY: &str = "sk-judge-key-0123456789abcdef";
    let mut context = TestContext::with_agent();
    // As a shell expands `$JUDGE_API_KEY` into the command line.
    context.env("JUDGE_API_KEY", KEY);
    context.script("judge.sh", "id=$(sed -n 's/.*<<<\\([0-9a-f]*\\).*/\\1/p' | head -c 12)\nprintf '{\"id\":\"%s\",\"reasoning\":\"r\",\"score\":4}' \"$id\"\n");
    context.write("eval-samples.json", r#"[{"sample_id": "s", "prompt": "p", "rubric": "r"}]"#);
    let judge = format!("./judge.sh --api-key {KEY}");
    let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--judge-executor", &judge, "--report-only"];
    let finished = context.run(&flags).expect(0);
    assert_eq!(context.report()["results"][0]["variants"]["v1"]["llmScore"], json!(4.0));
    for (path, bytes) in crate::fixtures::context::tree(&context.home()) {
        let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        assert!(!text.contains(KEY), "{}", path.display());
    }
    assert!(!finished.stdout.contains(KEY) && !finished.stderr.contains(KEY));
    // Errors do not print it either.
    let twice = context.run(&[&flags[..], &["--judge-models", "a,a"]].concat()).expect(2);
    assert!(twice.stderr.contains("is named twice") && !twice.stderr.contains(KEY), "{}", twice.stderr);
    // A secret that is not stored has to be given again.
    for again in ["--resume", "--regrade"] {
        let refused = context.run(&["eval", again, "latest"]).expect(2);
        assert!(refused.stderr.contains("--judge-executor"), "{}", refused.stderr);
    }
    context.run(&["eval", "--regrade", "latest", "--judge-executor", &judge, "--report-only"]).expect(0);
}
