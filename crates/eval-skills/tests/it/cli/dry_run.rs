//! `--dry-run`: what it checks, and that it writes nothing.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{benchmark, evaluated, ids, skill};

#[test]
fn dry_run_checks_everything_and_writes_nothing() {
    let context = TestContext::new();
    skill(&context, "skills/one", 3, 3);
    skill(&context, "skills/two", 3, 3);
    benchmark(&context, 3);
    let before = context.tree();
    let dry = ["eval", "--skills", "skills", "--dry-run", "--benchmark"];
    let plan = context.run(&[&dry[..], &["./b.json", "--runs", "2", "--json"]].concat()).expect(0).json();
    assert_eq!((&plan["executions"], &plan["runs"], &plan["benchmark"]["tasks"]), (&json!(12), &json!(2), &json!(3)));
    assert_eq!(plan["benchmark"]["scorers"], json!({"exact_match": 3}));
    assert_eq!(ids(&plan["skills"]), ["one", "two"]);
    let shown = context.run(&[&dry[..], &["./b.json", "--runs", "2"]].concat()).expect(0).stdout;
    for words in ["2 skills × 3 tasks × 2 runs = 12 executions", "exact_match 3", "nothing was run"] {
        assert!(shown.contains(words), "no `{words}` in {shown}");
    }
    context.run(&["run", "--benchmark", "coding-easy", "--dry-run"]).expect(0);
    assert_eq!(context.tree(), before);

    let broken = |expected: Value, words: &[&str]| {
        let task = json!({"id": "t", "inputData": {}, "expectedOutput": expected});
        context.write_json("broken.json", &json!([task]));
        let before = context.tree();
        context.run(&["eval", "--skills", "skills", "--dry-run", "--tasks", "broken.json"]).expect(2).says(words);
        assert_eq!(context.tree(), before);
    };
    broken(json!({"type": "regex", "pattern": "("}), &["does not compile", "broken.json"]);
    broken(json!({"type": "regex", "pattern": r"\Ax"}), &[r"`\A`", "write `^`", "broken.json"]);
    broken(json!({"type": "schema", "schema": {"type": "strnig"}}), &["strnig"]);
    broken(json!({"type": "llm_judge", "rubric": "good"}), &["llm_judge", "--judge-executor"]);
    broken(json!({"type": "exact"}), &["value"]);
    context.write("scorer.mjs", "export default (\n");
    broken(json!({"type": "custom", "customScorerPath": "scorer.mjs"}), &["scorer.mjs"]);
    context.write_json("skills/one/adapter.config.json", &json!({"comand": "x"}));
    context.run(&[&dry[..], &["./b.json"]].concat()).expect(2).says(&["comand"]);
}

#[test]
fn dry_run_shows_the_number_of_connection_retries() {
    let context = TestContext::new();
    evaluated(&context, "one", 3, &[]);
    let dry = |more: &[&str]| {
        context.run(&[&["eval", "--skills", "skills", "--tasks", "tasks.json", "--dry-run"], more].concat()).expect(0)
    };
    assert_eq!(dry(&["--json"]).json()["transportRetries"], 2);
    assert_eq!(dry(&["--json", "--retries", "1"]).json()["transportRetries"], 1);
    assert!(dry(&[]).stdout.contains("0 retries (2 where the connection fails), sandbox"));
    assert!(dry(&["--retries", "1"]).stdout.contains("1 retry, sandbox"));
}
