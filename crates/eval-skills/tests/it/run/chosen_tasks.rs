//! `--tag` and `--task`: a part of a benchmark.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

fn prepare() -> TestContext {
    let context = TestContext::new();
    let task = |id: &str, tags: &[&str]| json!({"id": id, "inputData": {"n": id}, "expectedOutput": {"value": id}, "tags": tags});
    let tasks = json!([task("a", &["Math", "easy"]), task("b", &["math", "hard"]), task("c", &["text", "easy"])]);
    let answers: Vec<(Value, Value)> = ["a", "b", "c"].map(|id| (json!({"n": id}), json!(id))).to_vec();
    testkit::skills::lookup(&context.path("skills/one"), &answers);
    context.write_json("tasks.json", &tasks);
    context
}

const EVAL: [&str; 6] = ["eval", "--json", "--skills", "skills/one", "--tasks", "tasks.json"];

fn ran(report: &Value) -> Vec<&str> {
    let results = report["skills"][0]["taskResults"].as_array().unwrap();
    results.iter().map(|of| of["taskId"].as_str().unwrap()).collect()
}

#[test]
fn only_chosen_tasks_run() {
    let context = prepare();
    let whole = context.run(&EVAL).expect(0).json();
    assert_eq!((ran(&whole), &whole["notes"]), (vec!["a", "b", "c"], &Value::Null));
    for (flags, chosen) in [
        (&["--tag", "MATH"][..], &["a", "b"][..]),
        (&["--tag", "math", "easy"], &["a"]),
        (&["--task", "c", "a"], &["a", "c"]),
        (&["--task", "a", "c", "--tag", "text"], &["c"]),
    ] {
        let part = context.run(&[&EVAL[..], flags].concat()).expect(0).json();
        assert_eq!(ran(&part), chosen, "{flags:?}");
        assert_ne!(part["benchmark"]["hash"], whole["benchmark"]["hash"]);
        assert!(part["notes"][0].as_str().unwrap().contains(&format!("{} of the 3 tasks", chosen.len())), "{part}");
        let again = context.run(&["eval", "--json", "--resume", "latest"]).expect(0).json();
        assert_eq!((ran(&again), &again["benchmark"]), (chosen.to_vec(), &part["benchmark"]));
        let plan = context.run(&[&EVAL[..], flags, &["--dry-run"]].concat()).expect(0).json();
        assert_eq!(plan["benchmark"]["tasks"], chosen.len());
    }
    // All tasks are the whole.
    let all = context.run(&[&EVAL[..], &["--task", "a", "b", "c"]].concat()).expect(0).json();
    assert_eq!((&all["benchmark"], &all["notes"]), (&whole["benchmark"], &Value::Null));
}

#[test]
fn names_that_choose_nothing_are_refused() {
    let context = prepare();
    let refused = |flags: &[&str], words: &[&str]| {
        context.run(&[&EVAL[..], flags].concat()).expect(2).says(words);
    };
    refused(&["--tag", "maths"], &["maths", "math"]);
    refused(&["--task", "d"], &["no task `d`", "a, b, c"]);
    refused(&["--tag", "math", "text"], &["no task has all"]);
    context.run(&["eval", "--resume", "latest", "--task", "a"]).expect(2).says(&["--resume"]);
    assert!(!context.path("reports").exists());
}
