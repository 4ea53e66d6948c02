//! C1: `omk init` where something is already.

use serde_json::json;

use crate::fixtures::context::TestContext;

/// What `omk eval` makes of the project after `omk init` ran over it.
fn init_then_plan(context: &TestContext) -> (String, serde_json::Value) {
    let said = context.run(&["init"]).expect(0).stdout;
    (said, context.run(&["eval", "--dry-run", "--json"]).expect(0).json())
}

#[test]
fn c1_init_makes_no_second_form_of_a_skill_that_is_there() {
    let context = TestContext::new();
    context.write("skills/v2.md", "mine\n");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: Mine.\n---\nmine\n");
    let (said, plan) = init_then_plan(&context);
    assert!(said.contains("kept    skills/v2.md") && said.contains("kept    skills/v1/SKILL.md"), "{said}");
    assert!(!context.path("skills/v2").exists() && !context.path("skills/v1.md").exists());
    assert_eq!(plan["variants"].as_array().unwrap().len(), 2);
}

#[test]
fn c1_init_uses_the_samples_that_are_there_whatever_their_ending() {
    for ending in ["json", "yml"] {
        let context = TestContext::new();
        let name = format!("eval-samples.{ending}");
        context.write(&name, &json!([{"sample_id": "mine", "prompt": "p"}]).to_string());
        let (said, plan) = init_then_plan(&context);
        assert!(said.contains(&format!("kept    {name}")), "{said}");
        assert!(!context.path("eval-samples.yaml").exists());
        assert_eq!(plan["samples"], 1, "{plan:#}");
    }
}

#[test]
fn c1_init_keeps_an_eval_yml() {
    let context = TestContext::new();
    context.write("eval.yml", "control: v1\ntreatments: [v2]\n");
    context.run(&["init"]).expect(0);
    assert!(!context.path("eval.yaml").exists());
}

#[test]
fn c1_recorded_answers_come_only_with_the_samples_and_skills_that_they_answer() {
    for own in ["eval.yaml", "eval-samples.yaml", "eval-samples.json", "skills/v1.md", "skills/v2.md"] {
        let context = TestContext::new();
        context.write(own, "# mine\n");
        let said = context.run(&["init"]).expect(0).stdout;
        assert!(!said.contains("replay") && said.contains("omk eval --dry-run"), "{own}: {said}");
        assert!(!context.path("recordings").exists(), "{own}");
    }
    // What an interrupted `omk init` left is not somebody's own.
    let context = TestContext::new();
    context.run(&["init"]).expect(0);
    std::fs::remove_dir_all(context.path("recordings")).unwrap();
    let again = context.run(&["init"]).expect(0).stdout;
    assert!(again.contains("created recordings/executions.jsonl") && again.contains("--executor replay"), "{again}");
}
