//! `omk init`, in empty directories and over existing files.

use serde_json::{Value, json};

use crate::fixtures::context::{TestContext, tree};

/// Runs `omk init`; gives its text and the plan that `omk eval` makes afterwards.
fn init_then_plan(context: &TestContext) -> (String, serde_json::Value) {
    let printed = context.run(&["init"]).expect(0).stdout;
    (printed, context.run(&["eval", "--dry-run", "--json"]).expect(0).json())
}

#[test]
fn init_creates_no_second_file_for_an_existing_skill() {
    let context = TestContext::new();
    context.write("skills/v2.md", "mine\n");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: Mine.\n---\nmine\n");
    let (printed, plan) = init_then_plan(&context);
    assert!(printed.contains("kept    skills/v2.md") && printed.contains("kept    skills/v1/SKILL.md"), "{printed}");
    assert!(!context.path("skills/v2").exists() && !context.path("skills/v1.md").exists());
    assert_eq!(plan["variants"].as_array().unwrap().len(), 2);
}

#[test]
fn init_uses_existing_samples_of_any_extension() {
    for ending in ["json", "yml"] {
        let context = TestContext::new();
        let name = format!("eval-samples.{ending}");
        context.write(
            &name,
            &json!([{"sample_id": "mine", "prompt": "p", "assertions": [{"type": "contains", "value": "x"}]}])
                .to_string(),
        );
        let (printed, plan) = init_then_plan(&context);
        assert!(printed.contains(&format!("kept    {name}")), "{printed}");
        assert!(!context.path("eval-samples.yaml").exists());
        assert_eq!(plan["samples"], 1, "{plan:#}");
    }
}

#[test]
fn init_uses_an_existing_eval_yml() {
    let context = TestContext::new();
    context.write("eval.yml", "control: v1\ntreatments: [v2]\n");
    context.run(&["init"]).expect(0);
    assert!(!context.path("eval.yaml").exists());
}

#[test]
fn recordings_are_created_only_with_their_own_samples_and_skills() {
    for own in ["eval.yaml", "eval-samples.yaml", "eval-samples.json", "skills/v1.md", "skills/v2.md"] {
        let context = TestContext::new();
        context.write(own, "# mine\n");
        let printed = context.run(&["init"]).expect(0).stdout;
        assert!(!printed.contains("replay") && printed.contains("omk eval --dry-run"), "{own}: {printed}");
        assert!(!context.path("recordings").exists(), "{own}");
    }
    // Files left by an interrupted `omk init` do not count as the user's own.
    let context = TestContext::new();
    context.run(&["init"]).expect(0);
    std::fs::remove_dir_all(context.path("recordings")).unwrap();
    let again = context.run(&["init"]).expect(0).stdout;
    assert!(again.contains("created recordings/executions.jsonl") && again.contains("--executor replay"), "{again}");
}

#[test]
fn init_creates_a_project_and_overwrites_nothing() {
    let context = TestContext::new();
    context.write("p/eval.yaml", "# mine\n");
    let first = context.run(&["init", "p"]).expect(0);
    assert!(first.stdout.contains("kept    p/eval.yaml") && first.stdout.contains("created p/eval-samples.yaml"));
    assert_eq!(std::fs::read_to_string(context.path("p/eval.yaml")).unwrap(), "# mine\n");

    context.write("p/skills/v1.md", "mine too\n");
    std::fs::remove_file(context.path("p/eval.yaml")).unwrap();
    let before = tree(&context.path("p"));
    let second = context.run(&["init", "p", "--json"]).expect(0).json();
    let created: Vec<&Value> = second["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|file| file["created"] == true)
        .map(|file| &file["path"])
        .collect();
    assert_eq!(created, ["p/eval.yaml"]);
    let after: Vec<_> = tree(&context.path("p")).into_iter().filter(|(path, _)| !path.ends_with("eval.yaml")).collect();
    assert_eq!(after, before);

    let third = context.run(&["init", "p"]).expect(0);
    assert!(!third.stdout.contains("created"), "{third:?}");
    assert_eq!(third.stdout.matches("kept ").count(), second["files"].as_array().unwrap().len());
}

#[test]
fn created_project_can_be_planned() {
    let context = TestContext::new();
    context.run(&["init", "p"]).expect(0);
    let plan = context.run(&["eval", "p", "--dry-run", "--json"]).expect(0).json();
    assert!(plan["samples"].as_u64().unwrap() >= 12, "{plan:#}");
    assert_eq!(plan["variants"].as_array().unwrap().len(), 2);
}

#[test]
fn scaffold_without_an_executor_is_pointed_to_its_recordings() {
    let context = TestContext::new();
    context.run(&["init"]).expect(0);
    let refused = context.run_with(&["eval"], &[("PATH", "")]).expect(2).stderr;
    assert_eq!(refused.matches("`--executor replay`").count(), 1, "{refused}");
    std::fs::remove_dir_all(context.path("recordings")).unwrap();
    let refused = context.run_with(&["eval"], &[("PATH", "")]).expect(2).stderr;
    assert!(!refused.contains("--executor replay"), "there is nothing to replay: {refused}");
}

#[test]
fn scaffold_ends_in_a_verdict_in_either_language() {
    // What came out when the answers were recorded: the samples and skills had been written before.
    for (lang, word, tier, code) in [("en", "mail", "PROGRESS", 0), ("zh", "来信", "CAUTIOUS", 1)] {
        let context = TestContext::new();
        context.run(&["--lang", lang, "init"]).expect(0);
        for file in ["eval-samples.yaml", "skills/v1.md", "skills/v2/SKILL.md"] {
            assert!(context.read(file).contains(word), "{lang}: {file}");
        }
        let report = context.run(&["eval", "--executor", "replay", "--json"]).expect(code).json();
        assert_eq!((&report["verdict"]["tier"], &report["meta"]["sampleCount"]), (&json!(tier), &json!(48)));
    }
}
