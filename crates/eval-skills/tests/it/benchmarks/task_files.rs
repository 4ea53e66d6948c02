//! Benchmarks and task files, through `eval --dry-run`.

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};

fn project() -> TestContext {
    let context = TestContext::new();
    context.skill("skills/calc", &json!({}));
    context
}

fn dry(context: &TestContext, arguments: &[&str]) -> Finished {
    context.run(&[&["eval", "--skills", "skills", "--dry-run"], arguments].concat())
}

fn task(other: &Value) -> Value {
    let mut task = json!({"id": "t1", "inputData": {}, "expectedOutput": {"value": "5"}});
    for (key, value) in other.as_object().unwrap() {
        match value {
            Value::Null => drop(task.as_object_mut().unwrap().remove(key)),
            value => task[key] = value.clone(),
        }
    }
    task
}

#[test]
fn built_in_benchmarks_work_in_an_empty_directory() {
    let context = project();
    for id in ["coding-easy", "skill-quality", "web-search-basic"] {
        let plan = dry(&context, &["--benchmark", id]);
        assert!(!plan.stderr.contains("no benchmark"), "{plan:#?}");
    }
    dry(&context, &["--benchmark", "coding-easy"]).expect(0);
    dry(&context, &["--benchmark", "coding-eazy"]).expect(2).says(&["no benchmark `coding-eazy`", "`coding-easy`"]);
    dry(&context, &["--benchmark", "gaia-v1"]).expect(2).says(&["data is not included", "benchmark import"]);
}

#[test]
fn directory_overrides_built_in_benchmarks_and_a_broken_file_hides_none() {
    let context = project();
    context.write_json(
        "benchmarks/mine.json",
        &json!({"id": "coding-easy", "version": "9.9.9", "tasks": [task(&json!({}))]}),
    );
    context.write("benchmarks/broken.json", "{ \"id\": \"other\", ");
    let plan = dry(&context, &["--benchmark", "coding-easy"]).expect(0);
    assert!(plan.stdout.contains("9.9.9"), "{plan:#?}");
    plan.says(&["`benchmarks/broken.json` is left out"]);
    // The broken file is an error when it is requested.
    let plan = dry(&context, &["--benchmark", "broken"]).expect(2);
    assert!(!plan.stderr.contains("no benchmark"), "{plan:#?}");
    dry(&context, &["--benchmarks-dir", "nowhere"]).expect(2).says(&["nowhere"]);
}

#[test]
fn task_needs_a_unique_id() {
    let context = project();
    for (tasks, wrong) in [
        (json!([task(&json!({"id": null}))]), "missing key `id`"),
        (json!([task(&json!({})), task(&json!({}))]), "another task has the id `t1`"),
        (json!([task(&json!({"id": ""}))]), "empty text"),
        (json!([task(&json!({"id": "a\nb"}))]), "can't be an id"),
        (json!([]), "no tasks"),
    ] {
        context.write_json("tasks.json", &tasks);
        dry(&context, &["--tasks", "tasks.json"]).expect(2).says(&[wrong, "tasks.json"]);
        context.write_json("tasks.json", &json!({"tasks": tasks}));
        dry(&context, &["--tasks", "tasks.json"]).expect(2).says(&[wrong]);
    }
    context.write_json("tasks.json", &json!([task(&json!({})), task(&json!({"id": 2}))]));
    dry(&context, &["--tasks", "tasks.json"]).expect(0);
}

#[test]
fn scorers_require_their_fields() {
    let context = project();
    context.write("scorer.mjs", "export default () => ({ score: 1 });\n");
    context.write("sub/ok.txt", "");
    let good = [
        json!({"expectedOutput": {"type": "exact", "value": null}}),
        json!({"expectedOutput": {"type": "exact", "keywords": ["a"]}, "evaluator": {"type": "contains", "caseSensitive": true}}),
        json!({"expectedOutput": {"type": "schema", "schema": {"type": "string"}}}),
        json!({"expectedOutput": {"type": "regex", "pattern": "^a", "flags": "i"}}),
        json!({"expectedOutput": {"type": "custom", "customScorerPath": "./scorer.mjs"}}),
    ];
    for other in good {
        context.write_json("tasks.json", &json!([task(&other)]));
        dry(&context, &["--tasks", "tasks.json"]).expect(0);
    }
    for (other, wrong) in [
        (json!({"expectedOutput": {"type": "exact"}}), "`exact_match` needs `value`"),
        (json!({"expectedOutput": null}), "`exact_match` needs `value`"),
        (json!({"expectedOutput": {"type": "contains"}}), "`contains` needs `keywords`"),
        (json!({"expectedOutput": {"type": "contains", "keywords": []}}), "no keywords"),
        (json!({"expectedOutput": {"type": "schema"}}), "`json_schema` needs `schema`"),
        (json!({"expectedOutput": {"type": "regex"}}), "`regex` needs `pattern`"),
        (json!({"expectedOutput": {"type": "llm_judge"}}), "`llm_judge` needs `rubric`"),
        (json!({"expectedOutput": {"type": "custom"}}), "`custom` needs `customScorerPath`"),
        (json!({"expectedOutput": {"type": "custom", "customScorerPath": "no.mjs"}}), "no.mjs"),
        (
            json!({"expectedOutput": {"type": "custom", "customScorerPath": "/etc/passwd"}}),
            "not in the benchmark's folder",
        ),
        (json!({"evaluator": {"type": "exakt"}}), "did you mean `exact`"),
        (json!({"evaluator": {"caseSensitve": true}}), "did you mean `caseSensitive`"),
        (json!({"inputData": null}), "missing key `inputData`"),
        (json!({"timeoutMs": 0}), "0 is out of range"),
        (json!({"inputDate": {}}), "did you mean `inputData`"),
    ] {
        context.write_json("tasks.json", &json!([task(&other)]));
        dry(&context, &["--tasks", "tasks.json"]).expect(2).says(&[wrong, "tasks.json"]);
    }
    context.write_json("tasks.json", &json!([task(&json!({"expectedOutput": {"keywords": ["a"]}}))]));
    dry(&context, &["--tasks", "tasks.json", "--evaluator", "contains"]).expect(0);
}

#[test]
fn documented_custom_benchmark_is_accepted() {
    let context = project();
    let benchmark = r#"{
  "id": "my-benchmark", "name": "My Custom Benchmark", "version": "1.0.0", "domain": "general",
  "scoringMethod": "mean", "maxLatencyMs": 30000,
  "metadata": { "source": "internal", "lastUpdated": "2026-02-28" },
  "tasks": [
    { "id": "task_001", "description": "Test basic addition", "inputData": { "expression": "2+3" },
      "expectedOutput": { "type": "exact", "value": "5" }, "evaluator": { "type": "exact" },
      "timeoutMs": 10000, "tags": ["math"] },
    { "id": "task_002", "description": "Test keyword presence", "inputData": { "query": "TypeScript" },
      "expectedOutput": { "type": "contains", "keywords": ["JavaScript", "Microsoft"] },
      "evaluator": { "type": "contains", "caseSensitive": false }, "timeoutMs": 15000, "tags": ["search"] }
  ]
}"#;
    context.write("my-benchmark.json", benchmark);
    let plan = dry(&context, &["--benchmark", "./my-benchmark.json"]).expect(0);
    assert!(plan.stdout.contains("my-benchmark") && plan.stderr.is_empty(), "{plan:#?}");
}

#[test]
fn benchmark_without_data_is_shown_in_every_project() {
    let context = TestContext::new();
    let shown = context.run(&["benchmark", "show", "gaia-v1"]).expect(0).json();
    context.run(&["init"]).expect(0);
    assert_eq!(context.run(&["benchmark", "show", "gaia-v1"]).expect(0).json(), shown);
    context.write("benchmarks/gaia-v1.json", "{");
    context.run(&["benchmark", "show", "gaia-v1"]).expect(2).says(&["benchmarks/gaia-v1.json"]);
    context.run(&["benchmark", "show", "nothing"]).expect(2).says(&["nothing"]);
}

#[test]
fn import_directory_is_configurable() {
    let context = TestContext::new();
    context.write("eval-skills.config.yaml", "benchmarksDir: ./mine\n");
    let line = json!({"task_id": "a", "Question": "What is 2 + 2?", "Level": 1, "Final answer": "4", "file_name": ""});
    context.write("metadata.jsonl", &format!("{line}\n"));
    let imported = context.run(&["benchmark", "import", "gaia", "metadata.jsonl"]).expect(0);
    assert!(
        imported.stdout.contains("1 task written to mine/gaia-v1.json; use it with `--benchmark gaia-v1`"),
        "{imported:?}"
    );
    assert_eq!(context.names("mine"), ["gaia-v1.json"]);
    context.run(&["benchmark", "show", "gaia-v1"]).expect(0);
}

#[test]
fn plan_is_translated() {
    let context = project();
    let plan = context.run_with(&["eval", "--skills", "skills", "--dry-run"], &[("OMK_LANG", "zh")]).expect(0).stdout;
    assert!(plan.contains("（内置）") && plan.contains("沙箱已开启"), "{plan}");
}
