//! Benchmarks as `eval-skills` 0.1 had them: they load, and score as their authors meant.

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;
use crate::fixtures::results::{result, statuses};

/// A skill that gives these outputs for the inputs `{"n": 0}`, `{"n": 1}`….
fn answering(context: &TestContext, outputs: &[Value]) {
    let answers: Vec<(Value, Value)> =
        outputs.iter().enumerate().map(|(n, of)| (json!({"n": n}), of.clone())).collect();
    skills::lookup(&context.path("skills/one"), &answers);
}

fn benchmark(method: &str, tasks: &[Value]) -> Value {
    let tasks: Vec<Value> = tasks
        .iter()
        .enumerate()
        .map(|(n, own)| {
            let mut task = json!({"id": format!("task_{n:03}"), "description": "d", "inputData": {"n": n}});
            own.as_object().unwrap().iter().for_each(|(key, value)| task[key] = value.clone());
            task
        })
        .collect();
    json!({
        "id": "earlier", "name": "Earlier", "version": "1.0.0", "domain": "web", "scoringMethod": method,
        "metadata": {"source": "internal", "lastUpdated": "2026-01-01"}, "tasks": tasks,
    })
}

fn evaluated(context: &TestContext) -> Value {
    let report = context.evaluate(&["--skills", "skills", "--benchmark", "./b.json"], 0);
    // What is stored is read again, and its numbers follow.
    context.run(&["report", "convert", "--input", "reports/eval-result.json", "--format", "csv"]).expect(0);
    report["skills"][0].clone()
}

#[test]
fn weighted_mean_weighs_the_scores_of_tasks() {
    let context = TestContext::new();
    answering(&context, &[json!(123), json!("no"), json!("a b")]);
    let tasks = [
        json!({"expectedOutput": {"type": "exact_match", "value": 123}, "weight": 1}),
        json!({"expectedOutput": {"type": "exact_match", "value": true}, "weight": 2}),
        json!({"expectedOutput": {"type": "contains", "keywords": ["a", "c"]}, "evaluator": {"type": "contains"}}),
    ];
    context.write_json("b.json", &benchmark("weighted_mean", &tasks));
    let summary = &evaluated(&context)["summary"];
    // (1·1 + 2·0 + 1·½) / 4; the rate of completed tasks has no weights.
    assert!((summary["partialScore"].as_f64().unwrap() - 1.5 / 4.0).abs() < 1e-12, "{summary}");
    assert!((summary["completionRate"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12, "{summary}");

    // Another weight is another benchmark; without the method it is none, and that is said.
    let hash = |context: &TestContext| {
        let list = context.run(&["benchmark", "list", "--benchmarks-dir", "dir", "--json"]).expect(0).json();
        list.as_array().unwrap().iter().find(|of| of["id"] == "earlier").unwrap()["hash"].clone()
    };
    context.write_json("dir/b.json", &benchmark("weighted_mean", &tasks));
    let first = hash(&context);
    let mut heavier = tasks.clone();
    heavier[0]["weight"] = json!(5);
    context.write_json("dir/b.json", &benchmark("weighted_mean", &heavier));
    assert_ne!(first, hash(&context));
    context.write_json("b.json", &benchmark("mean", &tasks));
    let dry = context.run(&["eval", "--skills", "skills", "--benchmark", "./b.json", "--dry-run"]).expect(0);
    dry.says(&["weights of tasks do not count", "weighted_mean", "b.json"]);

    let weightless = json!({"expectedOutput": {"type": "exact", "value": 1}, "weight": 0});
    context.write_json("b.json", &benchmark("weighted_mean", &[weightless]));
    let refused = context.run(&["eval", "--skills", "skills", "--benchmark", "./b.json"]).expect(2);
    refused.says(&["every task has weight 0", "b.json"]);
    let negative = json!({"expectedOutput": {"type": "exact", "value": 1}, "weight": -1});
    context.write_json("b.json", &benchmark("weighted_mean", &[negative]));
    context.run(&["eval", "--skills", "skills", "--benchmark", "./b.json"]).expect(2).says(&["-1", "b.json"]);
}

#[test]
fn pass_at_k_counts_what_passed_and_no_part_of_it() {
    let context = TestContext::new();
    answering(&context, &[json!("right"), json!("a b")]);
    let tasks = [
        json!({"expectedOutput": {"type": "exact", "value": "right"}}),
        json!({"expectedOutput": {"type": "contains", "keywords": ["a", "c"]}}),
    ];
    for (method, expected) in [("mean", 0.75), ("pass_at_k", 0.5)] {
        context.write_json("b.json", &benchmark(method, &tasks));
        let report = evaluated(&context);
        assert_eq!(report["summary"]["partialScore"], json!(expected), "{method}");
    }
    context.write_json("b.json", &benchmark("median", &tasks));
    let refused = context.run(&["eval", "--skills", "skills", "--benchmark", "./b.json"]).expect(2);
    refused.says(&["median", "weighted_mean", "pass_at_k"]);
}

#[test]
fn patterns_score_the_share_that_matches() {
    let context = TestContext::new();
    answering(&context, &[json!("Hello world"), json!({"result": "Hello world"}), json!("hello"), json!("hello")]);
    let regex = |patterns: Value| json!({"expectedOutput": {"type": "regex", "patterns": patterns}});
    let tasks = [
        regex(json!(["Hello", "wor(ld)?$"])),
        regex(json!(["Hello", "foo"])),
        regex(json!(["foo", "bar"])),
        json!({"expectedOutput": {"type": "regex", "patterns": ["HELLO"], "flags": "i"}, "evaluator": {"type": "regex"}}),
    ];
    context.write_json("b.json", &benchmark("mean", &tasks));
    let report = evaluated(&context);
    assert_eq!(statuses(&report), ["pass", "fail", "fail", "pass"]);
    let scores: Vec<f64> =
        report["taskResults"].as_array().unwrap().iter().map(|of| of["score"].as_f64().unwrap()).collect();
    assert_eq!(scores, [1.0, 0.5, 0.0, 1.0]);
    assert!(result(&report, "task_001")["reason"].as_str().unwrap().contains("foo"));

    for (own, said) in [
        (json!({"type": "regex", "patterns": []}), "no patterns"),
        (json!({"type": "regex", "patterns": ["a"], "pattern": "b"}), "`patterns`"),
        (json!({"type": "regex", "patterns": ["a", "("]}), "does not compile"),
        (json!({"type": "regex", "patterns": ["a", 3]}), "3"),
    ] {
        context.write_json("b.json", &benchmark("mean", &[json!({ "expectedOutput": own })]));
        let refused = context.run(&["eval", "--skills", "skills", "--benchmark", "./b.json"]).expect(2);
        refused.says(&[said, "b.json"]);
    }
}

/// Keeps what it is asked, and gives no reply of use.
const JUDGE: &str = r#"
import json, sys
with open("ASKED", "a") as file:
    file.write(json.load(sys.stdin)["prompt"])
print("no reply")
"#;

#[test]
fn judge_prompt_and_reference_reach_the_judge() {
    let context = TestContext::new();
    answering(&context, &[json!("Paris"), json!("x")]);
    context.write("judge.py", &JUDGE.replace("ASKED", context.path("asked.txt").to_str().unwrap()));
    let judged = json!({"type": "llm_judge", "judgePrompt": "Rate the search result", "value": "Paris, France"});
    let criteria = json!({"type": "llm_judge", "criteria": "Uses the weather tool"});
    let tasks = [
        json!({"expectedOutput": judged, "evaluator": {"type": "llm_judge"}}),
        json!({"expectedOutput": criteria, "evaluator": {"type": "llm_judge"}}),
    ];
    context.write_json("b.json", &benchmark("mean", &tasks));
    let judge = ["--judge-executor", "python3 ./judge.py", "--judge-model", "m", "--retries", "0"];
    let report = context.evaluate(&[&["--skills", "skills", "--benchmark", "./b.json"], judge.as_slice()].concat(), 3);
    assert_eq!(statuses(&report["skills"][0]), ["unscored", "unscored"]);
    let asked = context.read("asked.txt");
    for words in ["Rate the search result", "Reference answer: Paris, France", "Uses the weather tool"] {
        assert!(asked.contains(words), "{words} in {asked}");
    }
}

#[test]
fn prompt_describes_a_task_or_is_its_input() {
    let context = TestContext::new();
    let echo = "import json, sys\nfor line in sys.stdin:\n    of = json.loads(line)\n    \
                print(json.dumps({'jsonrpc': '2.0', 'id': of['id'], 'result': of['params']}))\n";
    context.skill("skills/one", &json!({}));
    context.write("skills/one/skill.py", echo);
    let value = |value: Value| json!({"type": "exact_match", "value": value});
    let tasks = json!([
        {"id": "a", "prompt": "What is 0 + 0?", "expectedOutput": value(json!({"prompt": "What is 0 + 0?"}))},
        {"id": "b", "prompt": "Sorts.", "inputData": {"numbers": [2, 1]}, "expectedOutput": value(json!({"numbers": [2, 1]}))},
    ]);
    context.write_json("b.json", &json!({"id": "b", "version": "1.0.0", "tasks": tasks}));
    let report = evaluated(&context);
    assert_eq!(statuses(&report), ["pass", "pass"], "{report:#}");
    assert_eq!(result(&report, "b")["description"], "Sorts.");
}

#[test]
fn operations_with_their_input_reach_the_skill() {
    let context = TestContext::new();
    context.skill("skills/calculator", &json!({}));
    context.write(
        "skills/calculator/skill.py",
        "import json, sys\nof = json.load(sys.stdin)\nasked = of['params']\ntext = asked['input']\n\
         found = text[::-1] if asked['operation'] == 'reverse' else str(text == text[::-1]).lower()\n\
         print(json.dumps({'jsonrpc': '2.0', 'id': of['id'], 'result': {'result': found}}))\n",
    );
    let task = |id: &str, operation: &str, input: &str, value: &str| {
        json!({
            "id": id, "description": "d", "inputData": {"operation": operation, "input": input},
            "expectedOutput": {"type": "exact", "value": value}, "evaluator": {"type": "exact"},
            "timeoutMs": 10000, "tags": ["string"],
        })
    };
    let tasks = [
        task("coding_004", "reverse", "hello", "olleh"),
        task("coding_005", "is_palindrome", "racecar", "true"),
        task("coding_013", "is_palindrome", "hello", "false"),
        task("coding_014", "is_palindrome", "hello", "true"),
    ];
    context.write_json("b.json", &json!({"id": "b", "version": "1.1.0", "scoringMethod": "mean", "tasks": tasks}));
    assert_eq!(statuses(&evaluated(&context)), ["pass", "pass", "pass", "fail"]);
}

#[test]
fn benchmark_in_a_folder_of_its_own_is_found() {
    let context = TestContext::new();
    answering(&context, &[json!(1)]);
    let own = benchmark("mean", &[json!({"expectedOutput": {"value": 1}})]);
    context.write_json("benchmarks/complex-bench/benchmark.json", &own);
    context.write("benchmarks/complex-bench/README.md", "About it.");
    context.write("benchmarks/broken-bench/benchmark.json", "{");
    for reference in ["earlier", "./benchmarks/complex-bench", "benchmarks/complex-bench/benchmark.json"] {
        let dry = context.run(&["eval", "--skills", "skills", "--benchmark", reference, "--dry-run"]).expect(0);
        assert!(dry.stdout.contains("earlier 1.0.0"), "{reference}: {dry:#?}");
    }
    let refused = context.run(&["eval", "--skills", "skills", "--benchmark", "broken-bench", "--dry-run"]).expect(2);
    refused.says(&["benchmarks/broken-bench/benchmark.json"]);
}
