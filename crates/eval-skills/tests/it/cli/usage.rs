//! Flags, help and usage errors.

use serde_json::json;

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{ids, skill, tasks};

#[test]
fn numbers_out_of_range_get_an_error_with_the_range() {
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
fn help_is_a_command() {
    let context = TestContext::new();
    assert_eq!(context.run(&["help"]).expect(0).stdout, context.run(&["--help"]).expect(0).stdout);
    let of_eval = context.run(&["help", "eval"]).expect(0).stdout;
    assert_eq!(of_eval, context.run(&["eval", "--help"]).expect(0).stdout);
    assert!(of_eval.contains("--dry-run"), "{of_eval}");
    context.run(&["help", "nothing"]).expect(2).says(&["nothing"]);
}

#[test]
fn hints_name_only_existing_flags() {
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
fn named_configuration_must_exist_for_every_command() {
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
    // `set` creates the file.
    context.run(&["-c", "new.yaml", "config", "set", "runs", "3"]).expect(0);
    context.run(&["-c", "new.yaml", "find"]).expect(0);
}

#[test]
fn global_flags_are_accepted_before_and_after_the_subcommand() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    context.write("other.yaml", "concurrency: 7\n");

    let after = context.run(&["find", "--json"]).expect(0).json();
    assert_eq!(context.run(&["--json", "find"]).expect(0).json(), after);
    assert_eq!(ids(&after["skills"]), ["one"]);

    for arguments in [
        ["-c", "other.yaml", "config", "get", "concurrency"],
        ["config", "--config", "other.yaml", "get", "concurrency"],
        ["config", "get", "concurrency", "-c", "other.yaml"],
    ] {
        assert_eq!(context.run(&arguments).expect(0).stdout, "7\n", "{arguments:?}");
    }

    let version = format!("eval-skills {}\n", env!("CARGO_PKG_VERSION"));
    for arguments in [&["--version"][..], &["eval", "--version"], &["--version", "eval"]] {
        assert_eq!(context.run(arguments).expect(0).stdout, version);
    }
    for arguments in [&["-h"][..], &["--help"], &["eval", "-h"], &["report", "diff", "--help"]] {
        let help = context.run(arguments).expect(0);
        assert!(help.stdout.contains("--no-color") && help.stderr.is_empty(), "{help:#?}");
        assert!(help.stdout.lines().all(|line| line.chars().count() <= 100), "{help:#?}");
    }

    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json"];
    let is_verbose = |arguments: &[&str]| context.run(arguments).expect(0).stderr.contains("one/t1 (run 1): pass");
    assert!(is_verbose(&[&["-v"][..], &eval].concat()) && is_verbose(&[&eval[..], &["--verbose"]].concat()));
    assert!(!is_verbose(&eval));
    for arguments in [[&["--no-color"][..], &eval].concat(), [&eval[..], &["--no-color"]].concat()] {
        let plain = context.run_with(&arguments, &[("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1")]).expect(0);
        assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'), "{plain:#?}");
    }
}

#[test]
fn lists_with_commas_and_words_without_an_option_are_explained() {
    let context = TestContext::new();
    let list = context.run(&["eval", "--format", "json,html"]).expect(2);
    assert!(list.stderr.contains("by spaces") && !list.stderr.contains("did you mean"), "{list:#?}");
    context.run(&["find", "adder"]).expect(2).says(&["`adder`", "behind its option"]);
    context.run(&["find", "--adder"]).expect(2).says(&["unknown argument `--adder`"]);
}
