//! C1: commands, what `init` makes, completions and manual pages.

use std::process::Command;

use serde_json::{Value, json};

use crate::cli::languages::commands;
use crate::cli::{AGENT, project};
use crate::fixtures::context::{TestContext, files, tree};

#[test]
fn c1_bench_run_prints_the_report_and_nothing_else() {
    let context = project(8);
    context.write("eval.yaml", "control: nobody\nexecutor: nothing\n");
    let run = context.run(&["bench", "run", "--executor", "./agent"]).expect(0);
    let saved = std::fs::read_to_string(&context.reports()[0]).unwrap();
    assert_eq!(run.json(), serde_json::from_str::<Value>(&saved).unwrap());
    assert_eq!(run.json()["meta"]["variants"], json!(["v1", "v2"]), "the default of `--variants`");
    assert_eq!(run.json()["summary"]["v1"]["avgCompositeScore"], json!(3.0));
    assert_eq!(run.json()["summary"]["v2"]["avgCompositeScore"], json!(5.0));
    assert!(run.stderr.contains(context.reports()[0].file_name().unwrap().to_str().unwrap()), "{run:?}");
}

#[test]
fn c1_bench_run_says_on_standard_output_why_there_is_no_report() {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    let failed = context.run(&["bench", "run", "--executor", "./nobody"]).expect(2);
    assert_eq!(failed.json()["diagnostics"][0]["severity"], "error", "{failed:?}");
    assert!(failed.stderr.contains("nobody"), "{failed:?}");
}

#[test]
fn c1_bench_run_has_the_flags_and_defaults_of_the_first_version() {
    let context = project(2);
    let plan = context.run(&["bench", "run", "--dry-run", "--json"]).expect(0).json();
    let expected =
        [("executor", json!("claude")), ("model", json!("sonnet")), ("concurrency", json!(1)), ("repeat", json!(1))];
    for (name, value) in expected {
        assert_eq!(plan[name], value, "{name} of {plan:#}");
    }
    context.write("s.json", &std::fs::read_to_string(context.path("eval-samples.json")).unwrap());
    context.write("other/a.md", "ANSWER plain\n");
    let all = "bench run --samples s.json --skill-dir other --variants a --model m --judge-model haiku --output-dir out \
               --no-judge --blind --concurrency 2 --repeat 2 --executor ./agent";
    let report = context.run(&all.split_whitespace().collect::<Vec<_>>()).expect(0).json();
    assert_eq!(report["meta"]["model"], "m");
    assert_eq!(report["meta"]["taskCount"], 4);
    assert_eq!(report["meta"]["variants"], json!(["Variant A"]));
    assert_eq!(files(&context.path("out")).len(), 1);
}

#[test]
fn c1_bench_takes_the_first_variant_as_control() {
    let context = project(2);
    context.write("skills/v3.md", "ANSWER better too\n");
    let report = context.run(&["bench", "run", "--variants", "v3,v1,v2", "--executor", "./agent"]).expect(0).json();
    let pairs: Vec<_> =
        report["comparisons"].as_array().unwrap().iter().map(|c| (&c["control"], &c["treatment"])).collect();
    assert_eq!(pairs, [(&json!("v3"), &json!("v1")), (&json!("v3"), &json!("v2"))]);
}

#[test]
fn c1_bench_ci_holds_every_variant_against_the_threshold() {
    let context = project(4);
    // v1 has 3.00, v2 5.00; the default is 3.5
    for (threshold, code) in [(None, 1), (Some("3"), 0), (Some("3.01"), 1), (Some("1"), 0)] {
        let flags = threshold.map(|value| vec!["--threshold", value]).unwrap_or_default();
        let run = context.run(&[&["bench", "ci", "--variants", "v1,v2"], &AGENT[..], &flags].concat()).expect(code);
        assert_eq!(run.stdout.contains("`v1` is below the threshold"), code == 1, "{run:?}");
        assert!(!run.stdout.contains("`v2` is below"), "{run:?}");
    }
    context.run(&["bench", "ci", "--variants", "v2", "--executor", "./agent"]).expect(0);
    context.run(&["bench", "ci", "--variants", "v2", "--executor", "false", "--retry", "0"]).expect(3);
}

#[test]
fn c1_bench_init_is_init() {
    let (a, b) = (TestContext::new(), TestContext::new());
    let (bench, init) = (a.run(&["bench", "init", "p"]).expect(0), b.run(&["init", "p"]).expect(0));
    assert_eq!(bench.stdout, init.stdout);
    assert_eq!(tree(&a.path("p")), tree(&b.path("p")));
}

#[test]
fn c1_init_makes_a_project_and_never_overwrites() {
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
fn c1_what_init_makes_can_be_planned_at_once() {
    let context = TestContext::new();
    context.run(&["init", "p"]).expect(0);
    let plan = context.run(&["eval", "p", "--dry-run", "--json"]).expect(0).json();
    assert!(plan["samples"].as_u64().unwrap() >= 12, "{plan:#}");
    assert_eq!(plan["variants"].as_array().unwrap().len(), 2);
}

#[test]
fn c1_completions_are_scripts_that_know_the_commands() {
    let context = TestContext::new();
    for (shell, mark) in [("bash", "complete -F _omk"), ("zsh", "#compdef omk"), ("fish", "complete -c omk")] {
        let script = context.run(&["completions", shell]).expect(0).stdout;
        for word in [mark, "eval", "bench", "treatment", "dry-run", "max-failure-rate"] {
            assert!(script.contains(word), "{shell}: no `{word}`");
        }
    }
    let script = context.write("omk.bash", &context.run(&["completions", "bash"]).expect(0).stdout);
    let complete =
        "source omk.bash; COMP_WORDS=(omk eval --treat); COMP_CWORD=2; _omk omk --treat eval; echo \"${COMPREPLY[*]}\"";
    let bash = Command::new("bash").arg("-c").arg(complete).current_dir(script.parent().unwrap()).output().unwrap();
    let reply = String::from_utf8(bash.stdout).unwrap();
    assert!(reply.split_whitespace().any(|word| word == "--treatment"), "{reply} {:?}", String::from_utf8(bash.stderr));
}

#[test]
fn c1_manual_pages_render_for_every_command() {
    let mut context = TestContext::new();
    let root = context.run(&["man"]).expect(0).stdout;
    assert!(root.contains(".TH omk 1") && root.contains(".SH SYNOPSIS"), "{root}");
    context.run(&["man", "--output-dir", "man"]).expect(0);
    let names: Vec<_> =
        files(&context.path("man")).iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let mut paths = Vec::new();
    commands(&context, &[], &mut paths);
    let page_of = |path: Vec<String>| ["omk".to_owned()].into_iter().chain(path).collect::<Vec<_>>().join("-") + ".1";
    let mut expected: Vec<String> = paths.into_iter().map(page_of).collect();
    expected.sort();
    assert!(expected.contains(&"omk-cache-explain.1".to_owned()), "{expected:?}");
    assert_eq!(names, expected);
    let page = std::fs::read_to_string(context.path("man/omk-eval.1")).unwrap();
    for word in ["treatment", "max\\-failure\\-rate", "Exit codes", "omk eval \\-\\-control v1"] {
        assert!(page.contains(word), "no `{word}` in\n{page}");
    }
    // A line that begins with a space is a line of its own, not part of a paragraph.
    assert!(page.contains(".SH EXAMPLES\n") && page.contains("\n      omk eval\n"), "{page}");
    context.env("OMK_LANG", "zh");
    let page = context.run(&["man"]).expect(0).stdout;
    assert!(page.contains(".SH 概要") && !page.contains(".SH SY") && page.contains("这份知识资产"), "{page}");
}
