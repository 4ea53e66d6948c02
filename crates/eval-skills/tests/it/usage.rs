//! What is typed wrongly is told in words that help.

use serde_json::json;

use crate::context::TestContext;

#[test]
fn numbers_out_of_range_are_told_their_range() {
    let context = TestContext::new();
    for (arguments, range) in [
        (&["eval", "--skills", "x", "--retries", "-1"][..], "0 to 100"),
        (&["eval", "--skills", "x", "--timeout", "99999999999999999999"], "1 to 86400000"),
        (&["run", "--runs", "-3"], "1 to 1000"),
        (&["find", "--limit", "-1"], "1 to 1000000"),
        (&["select", "--from", "x", "--top-k", "0"], "1 to 1000000"),
        (&["benchmark", "import", "gaia", "x", "--level", "-4"], "1 to 3"),
    ] {
        let value = arguments.last().unwrap();
        context.run(arguments).expect(2).says(&[&format!("`{value}` is no value for"), range]);
    }
    context.run(&["eval", "--skills", "x", "--runs", "many"]).expect(2).says(&["expected a number"]);
}

#[test]
fn help_is_a_command_too() {
    let context = TestContext::new();
    assert_eq!(context.run(&["help"]).expect(0).stdout, context.run(&["--help"]).expect(0).stdout);
    let of_eval = context.run(&["help", "eval"]).expect(0).stdout;
    assert_eq!(of_eval, context.run(&["eval", "--help"]).expect(0).stdout);
    assert!(of_eval.contains("--dry-run"), "{of_eval}");
    context.run(&["help", "nothing"]).expect(2).says(&["nothing"]);
}

#[test]
fn no_hint_names_a_flag_that_there_is_not() {
    let context = TestContext::new();
    context.skill("skills/a", &json!({}));
    let task = json!({"id": "t", "inputData": {}, "expectedOutput": {"type": "llm_judge", "rubric": "is it good?"}});
    context.write_json("tasks.json", &json!([task]));
    context.write("skills/a/skill.py", "");
    let refused =
        context.run(&["eval", "--skills", "skills/a", "--tasks", "tasks.json", "--judge-executor", "openai-api"]);
    let refused = refused.expect(2).says(&["--judge-executor"]);
    assert!(!refused.stderr.contains("--no-judge"), "{refused:?}");
}

#[test]
fn a_named_configuration_must_be_there_for_every_command() {
    let context = TestContext::new();
    context.skill("skills/a", &json!({}));
    context.write("skills/a/skill.py", "");
    for arguments in [
        &["benchmark", "list"][..],
        &["benchmark", "show", "coding-easy"],
        &["init"],
        &["report", "convert", "--input", "x.json", "--format", "csv"],
        &["report", "diff", "a.json", "b.json"],
        &["lint", "skills/a"],
        &["create", "--name", "x", "--output-dir", "out"],
        &["find"],
        &["config", "list"],
    ] {
        context.run(&[&["-c", "nope.yaml"], arguments].concat()).expect(2).says(&["nope.yaml"]);
    }
    assert_eq!(context.names("."), ["skills"]);
    // A file is begun by what is set in it.
    context.run(&["-c", "new.yaml", "config", "set", "runs", "3"]).expect(0);
    context.run(&["-c", "new.yaml", "find"]).expect(0);
}
