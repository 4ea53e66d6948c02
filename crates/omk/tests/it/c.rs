//! C: the command line.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::context::{Finished, TestContext, files, tree};

const AGENT: [&str; 2] = ["--executor", "./agent"];

/// Only the answer of `v2` passes.
fn only_better() -> Value {
    json!([{"type": "contains", "value": "better"}])
}

/// Both answers pass.
fn either() -> Value {
    json!([{"type": "contains_any", "values": ["plain", "better"]}])
}

/// `n` samples: `v2` passes all, `v1` every second.
fn project(n: usize) -> TestContext {
    let context = TestContext::with_agent();
    context.sample_each((0..n).map(|i| if i % 2 == 0 { only_better() } else { either() }));
    context
}

fn eval(context: &TestContext, more: &[&str]) -> Finished {
    let arguments =
        [&["eval", "--control", "v1", "--treatment", "v2", "--concurrency", "8"], &AGENT[..], more].concat();
    context.run(&arguments)
}

/// Lines of `text` with English words in them and no Chinese beside them; commands to type are no text.
fn english(text: &str) -> Vec<&str> {
    let is_chinese = |line: &str| line.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let is_word = |word: &&str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
    let is_command = |line: &str| line.trim_start().starts_with("omk ");
    let is_english =
        |line: &&str| !is_chinese(line) && !is_command(line) && line.split(' ').filter(is_word).count() > 1;
    text.lines().filter(is_english).collect()
}

/// Columns of a terminal that a line takes.
fn width(line: &str) -> usize {
    line.chars().map(|c| if ('\u{2e80}'..='\u{ffef}').contains(&c) { 2 } else { 1 }).sum()
}

/// What the parser and the drawing say in English.
const ENGLISH: &[&str] = &[
    "Usage",
    "Options",
    "Arguments",
    "Commands",
    "[OPTIONS]",
    "<COMMAND>",
    "possible",
    "alias",
    "default:",
    "Print",
    "error",
    "hint",
    "help:",
    "warning",
    "expected",
    "required",
    "invalid",
    "found",
    "similar",
    "tip:",
];

#[track_caller]
fn assert_chinese(text: &str) {
    for word in ENGLISH {
        assert!(!text.contains(word), "`{word}` in\n{text}");
    }
    assert_eq!(english(text), [""; 0], "in\n{text}");
}

// C1

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

// C2

#[test]
fn c2_human_text_goes_to_stdout_and_progress_to_stderr() {
    let context = project(4);
    let run = eval(&context, &["--report-only"]).expect(0);
    assert!(run.stdout.starts_with("UNDERPOWERED"), "{run:?}");
    assert!(run.stderr.contains("8/8 done") && !run.stdout.contains("/8 done"), "{run:?}");
    let help = context.run(&["--help"]).expect(0);
    assert!(help.stdout.contains("Usage: omk") && help.stderr.is_empty());
    let version = context.run(&["--version"]).expect(0);
    assert_eq!((version.stdout.as_str(), version.stderr.as_str()), ("omk 0.1.0\n", ""));
    let wrong = context.run(&["eval", "--samples", "none.yaml"]).expect(2);
    assert!(wrong.stdout.is_empty() && wrong.stderr.contains("none.yaml"), "{wrong:?}");
    let usage = context.run(&["evall"]).expect(2);
    assert!(usage.stdout.is_empty() && usage.stderr.contains("evall"), "{usage:?}");
}

#[test]
fn c2_json_is_one_document_and_nothing_else() {
    let context = project(4);
    let report = eval(&context, &["--json", "--report-only"]).expect(0);
    assert_eq!(report.json(), context.report());
    assert!(report.stderr.contains("8/8 done"), "progress stays: {report:?}");
    let plan = eval(&context, &["--json", "--dry-run"]).expect(0).json();
    assert_eq!((&plan["calls"], &plan["cached"]), (&json!(8), &json!(8)));
    let explained =
        context.run(&["cache", "explain", "s001", "--variants", "v1,v2", "--executor", "./agent", "--json"]);
    let explained = explained.expect(0).json();
    let cells: Vec<_> = explained.as_array().unwrap().iter().map(|one| one["cell"].as_str().unwrap()).collect();
    assert_eq!(cells.len(), 2, "{explained:#}");
    assert!(cells.contains(&"s001/v1/0") && cells.contains(&"s001/v2/0"));
    let files = context.run(&["init", "p", "--json"]).expect(0).json();
    assert_eq!(files["files"][0], json!({"path": "p/eval.yaml", "created": true}));
    // What is wrong goes to stderr, as always, and is the document.
    let wrong = eval(&context, &["--json", "--threshold", "9"]).expect(2);
    let said = wrong.json()["diagnostics"][0]["message"].clone();
    assert!(said.as_str().unwrap().contains("--threshold") && wrong.stderr.contains("--threshold"), "{wrong:?}");
    let ci = context.run(&["bench", "ci", "--json", "--executor", "./agent"]).expect(1);
    assert!(ci.json()["verdict"].is_object());
}

#[test]
fn c2_colour_is_off_on_request() {
    let context = project(4);
    let commands: [&[&str]; 4] = [
        &["eval", "--report-only", "--executor", "./agent"],
        &["eval", "--samples", "none.yaml"],
        &["--help"],
        &["evall"],
    ];
    let printed = |env: &[(&str, &str)], arguments: &[&str]| {
        let output = context.command(arguments).envs(env.iter().copied()).output().unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    for arguments in commands {
        let forced = [("CLICOLOR_FORCE", "1")];
        assert!(printed(&forced, arguments).contains('\u{1b}'), "no colour to switch off in {arguments:?}");
        assert!(!printed(&[], arguments).contains('\u{1b}'), "no terminal: {arguments:?}");
        let no_color = [&["--no-color"], arguments].concat();
        assert!(!printed(&forced, &no_color).contains('\u{1b}'), "{no_color:?}");
        assert!(!printed(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], arguments).contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn c2_one_plain_line_per_tenth_without_a_terminal() {
    let mut context = TestContext::with_agent();
    context.sample_each((0..20).map(|_| either()));
    context.env("CI", "true");
    let run = eval(&context, &["--report-only"]).expect(0);
    let lines: Vec<&str> = run.stderr.lines().filter(|line| line.contains(" done, ")).collect();
    let expected: Vec<String> = (1..=10).map(|tenth| format!("{}/40 done, 0 failed", tenth * 4)).collect();
    assert_eq!(lines, expected);
    assert!(!run.stderr.contains(['\r', '\u{1b}']), "{run:?}");
}

#[test]
fn c2_a_thousand_failures_are_not_a_thousand_lines() {
    let context = TestContext::with_agent();
    context.sample_each((0..20).map(|_| either()));
    let run = context.run(&["eval", "--variants", "v1,v2", "--executor", "false", "--retry", "0"]).expect(3);
    assert_eq!(run.stderr.lines().filter(|line| line.contains(" failed: ")).count(), 5, "{run:?}");
    assert!(run.stderr.contains("40/40 done, 40 failed"), "{run:?}");
}

#[test]
fn c2_a_reader_that_goes_away_is_no_failure() {
    let context = project(4);
    let mut command = context.command(&["bench", "run", "--executor", "./agent"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

// C3

#[test]
fn c3_language_by_flag_then_variable_then_locale() {
    let context = TestContext::new();
    let chinese = |env: &[(&str, &str)], arguments: &[&str]| {
        let mut command = context.command(arguments);
        command.env_remove("OMK_LANG").envs(env.iter().copied());
        String::from_utf8(command.output().unwrap().stdout).unwrap().contains("知识")
    };
    let help = ["--help"];
    assert!(!chinese(&[], &help), "English is the default");
    for (name, tag, expected) in [
        ("OMK_LANG", "zh", true),
        ("LANG", "zh_CN.UTF-8", true),
        ("LC_ALL", "zh_TW.UTF-8", true),
        ("LC_MESSAGES", "zh_CN", true),
        ("LANG", "de_DE.UTF-8", false),
        ("LANG", "C.UTF-8", false),
        ("LANG", "", false),
    ] {
        assert_eq!(chinese(&[(name, tag)], &help), expected, "{name}={tag}");
    }
    assert!(!chinese(&[("OMK_LANG", "en"), ("LANG", "zh_CN.UTF-8")], &help), "OMK_LANG wins over the locale");
    assert!(!chinese(&[("LC_ALL", "C"), ("LANG", "zh_CN.UTF-8")], &help), "LC_ALL wins over LANG");
    assert!(chinese(&[("OMK_LANG", "en")], &["--lang", "zh", "--help"]), "the flag wins");
    assert!(!chinese(&[("OMK_LANG", "zh")], &["--lang=en", "--help"]), "the flag wins");
    assert!(chinese(&[("OMK_LANG", "xx"), ("LANG", "zh_CN.UTF-8")], &help), "a language we don't have is passed over");
}

/// Every command of the program, found by asking it.
fn commands(context: &TestContext, path: &[&str], found: &mut Vec<Vec<String>>) {
    let help = context.run(&[path, &["--lang", "en", "--help"]].concat()).expect(0).stdout;
    found.push(path.iter().map(|&word| word.to_owned()).collect());
    let listed = help.split_once("\nCommands:\n").map(|(_, rest)| rest.split("\n\n").next().unwrap()).unwrap_or("");
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    for name in listed.lines().filter(is_name).map(|line| line.split_whitespace().next().unwrap()) {
        commands(context, &[path, &[name]].concat(), found);
    }
}

#[test]
fn c3_help_of_every_command_is_in_both_languages_and_fits() {
    let mut context = TestContext::new();
    context.env("COLUMNS", "80");
    let mut found = Vec::new();
    commands(&context, &[], &mut found);
    assert!(found.len() >= 11, "{found:?}");
    for path in found {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        for lang in ["en", "zh"] {
            let help = context.run(&[&path[..], &["--lang", lang, "--help"]].concat()).expect(0).stdout;
            if lang == "zh" {
                assert_chinese(&help);
                assert!(help.contains("用法：omk"), "{help}");
            }
            let long: Vec<&str> = help.lines().filter(|line| width(line) > 80).collect();
            assert!(long.is_empty(), "{path:?} {lang}: {long:#?}");
        }
    }
}

#[test]
fn c3_usage_errors_are_in_chinese() {
    let mut context = TestContext::new();
    context.env("OMK_LANG", "zh");
    for (arguments, expected) in [
        (&["evl"][..], &["未知命令 `evl`", "`eval`"][..]),
        (&["eval", "--modle", "x"], &["未知参数 `--modle`", "`--model`"]),
        (&["eval", "--repeat", "0"], &["`0`", "`--repeat <N>`", "1 到 10000"]),
        (&["eval", "--repeat", "many"], &["`many`", "数字"]),
        (&["eval", "--rpm", "0"], &["`0`", "至少应为 1"]),
        (&["eval", "--temperature", "warm"], &["`warm`", "数字"]),
        (&["eval", "--ci", "bayes"], &["`bayes`", "expanded, percentile, bca, t"]),
        (&["eval", "--resume", "x", "--dry-run"], &["不能同时使用"]),
        (&["eval", "--model"], &["需要一个值"]),
        (&["eval", "--blind=yes"], &["`--blind`"]),
        (&["eval", "--model", "a", "--model", "b"], &["`--model <MODEL>` 只能出现一次"]),
        (&["completions"], &["缺少必需的 `<SHELL>`"]),
        (&["completions", "zsg"], &["bash", "`zsh`"]),
        (&["--lang", "zz"], &["en, zh"]),
        (&["eval", "a", "b"], &["未知参数 `b`"]),
        (&[], &["用法："]),
        (&["bench"], &["用法："]),
        (&["cache", "explain"], &["`<SAMPLE>`"]),
    ] {
        let run = context.run(arguments).expect(2);
        assert!(run.stdout.is_empty(), "{run:?}");
        for part in expected {
            assert!(run.stderr.contains(part), "no `{part}`: {run:?}");
        }
        assert_chinese(&run.stderr);
    }
}

#[test]
fn c3_errors_and_results_are_in_chinese() {
    let mut context = project(4);
    context.env("OMK_LANG", "zh");
    context.write(
        "bad.yaml",
        "- sample_id: s1\n  promt: x\n  assertions: [{type: contian, value: x}]\n- sample_id: s1\n  prompt: 3\n",
    );
    let wrong = eval(&context, &["--samples", "bad.yaml"]).expect(2);
    assert!(
        wrong.stderr.contains("未知的键 `promt`") && wrong.stderr.contains("提示：是不是想写 `prompt`"),
        "{wrong:?}"
    );
    assert_chinese(&wrong.stderr);
    for arguments in [
        &["eval", "--treatment", "v9", "--executor", "./agent"][..],
        &["eval", "--executor", "./nobody"],
        &["eval", "--executor", "nobody"],
        &["eval", "--samples", "none.yaml"],
        &["eval", "nowhere"],
        &["eval", "--threshold", "9"],
        &["eval", "--resume", "latest"],
        &["eval", "--executor", "openai-api"],
        &["cache", "explain", "s9", "--executor", "./agent"],
    ] {
        assert_chinese(&context.run(arguments).expect(2).stderr);
    }
    let run = eval(&context, &["--report-only"]).expect(0);
    assert_chinese(&run.stderr);
    assert_chinese(&run.stdout);
    let failed = context.run(&["eval", "--variants", "v1,v2", "--executor", "false", "--retry", "0"]).expect(3);
    assert_chinese(&failed.stderr);
    assert_chinese(&failed.stdout);
    assert_chinese(&eval(&context, &["--dry-run"]).expect(0).stdout);
    assert_chinese(&context.run(&["init", "p"]).expect(0).stdout);
    assert_chinese(&context.run(&["bench", "ci", "--executor", "./agent"]).expect(1).stdout);
}

// C4

fn tier(context: &TestContext) -> String {
    context.report()["verdict"]["tier"].as_str().unwrap().to_owned()
}

/// Neither answer passes.
fn neither() -> Value {
    json!([{"type": "contains", "value": "neither"}])
}

/// `n` samples that take turns in their assertions.
fn turns<const N: usize>(n: usize, assertions: [fn() -> Value; N]) -> Vec<Value> {
    (0..n).map(|i| assertions[i % N]()).collect()
}

#[test]
fn c4_exit_codes_of_verdicts() {
    const FORTH: &[&str] = &["--control", "v1", "--treatment", "v2"];
    const BACK: &[&str] = &["--control", "v2", "--treatment", "v1"];
    let check = |what: &str, samples: Vec<Value>, flags: &[&[&str]], expected: &str, code: i32| {
        let context = TestContext::with_agent();
        context.sample_each(samples);
        let run = context.run(&[&["eval", "--concurrency", "8"], &AGENT[..], &flags.concat()].concat());
        assert_eq!((tier(&context).as_str(), run.code), (expected, code), "{what}: {run:#?}");
        assert_eq!(context.report()["verdict"]["exitCode"], code, "{what}");
    };
    check("better", turns(24, [only_better, either]), &[FORTH], "PROGRESS", 0);
    check("better by the same everywhere", turns(24, [only_better]), &[FORTH], "PROGRESS", 0);
    check("better in few samples", turns(12, [only_better, either]), &[FORTH], "CAUTIOUS", 1);
    check("better, under the gate", turns(24, [only_better, neither]), &[FORTH], "CAUTIOUS", 1);
    check("a lower gate", turns(24, [only_better, neither]), &[FORTH, &["--threshold", "2.5"]], "PROGRESS", 0);
    check("the same", turns(24, [either]), &[FORTH], "NOISE", 1);
    check("very few", turns(4, [only_better]), &[FORTH], "UNDERPOWERED", 1);
    check("worse", turns(24, [only_better]), &[BACK], "REGRESS", 1);
    check("worse, only reported", turns(24, [only_better]), &[BACK, &["--report-only"]], "REGRESS", 0);
}

#[test]
fn c4_exit_codes_of_a_single_variant() {
    let context = project(24);
    // v1 has a mean of 3.00
    for (threshold, code) in [("3", 0), ("3.1", 1)] {
        let run = context.run(&["eval", "--control", "v1", "--executor", "./agent", "--threshold", threshold]);
        assert_eq!((tier(&context).as_str(), run.code), ("SOLO", code), "{run:#?}");
    }
}

#[test]
fn c4_exit_code_2_and_nothing_was_executed() {
    let context = project(4);
    context.script("agent", "touch called\necho better\n");
    context.write("bad.yaml", "- sample_id: s1\n  promt: x\n");
    context.write("bad/eval.yaml", "contrl: v1\n");
    context.write("judged.yaml", "- sample_id: s1\n  prompt: x\n  rubric: good?\n");
    for flags in [
        &["--samples", "bad.yaml"][..],
        &["--samples", "none.yaml"],
        &["--samples", "judged.yaml"],
        &["--no-such-flag"],
        &["--threshold", "9"],
        &["--repeat", "0"],
        &["--treatment", "v9"],
        &["--executor", "./nobody"],
        &["--executor", "openai-api"],
        &["--budget-usd", "1"],
        &["--resume", "2020-01-01T00-00-00-v1-v2"],
        &["--treatment-cwd", "a,b"],
        &["bad"],
        &["nowhere"],
    ] {
        let run = context.run(&[&["eval"], &AGENT[..], flags].concat());
        let run = if run.code == 2 { run } else { context.run(&[&["eval"], flags].concat()) };
        assert_eq!(run.code, 2, "{flags:?}: {run:#?}");
        assert!(run.stdout.is_empty() && !run.stderr.is_empty(), "{flags:?}: {run:#?}");
        assert!(!context.path("called").exists(), "{flags:?} called the executor");
    }
    assert!(!context.home().join("journal").exists(), "no run began");
    // The same agent is called when all is well.
    context.run(&[&["eval"], &AGENT[..]].concat());
    assert!(context.path("called").exists());
}

/// A failing execution is no low score: the report is kept, and marked.
#[test]
fn c4_exit_code_3_when_too_much_failed() {
    let context = project(10);
    // 3 of 20 executions fail
    context.script(
        "agent",
        "input=$(cat)\ncase \"$input\" in *better*question\\ [123]\\\"*) exit 1 ;; esac\necho plain better\n",
    );
    let run = eval(&context, &["--retry", "0"]).expect(3);
    let report = context.report();
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("too-many-failures")));
    assert_eq!(report["verdict"]["valid"], false);
    assert_eq!(report["summary"]["v2"]["errorCount"], 3);
    assert_eq!(report["summary"]["v2"]["avgCompositeScore"], json!(5.0), "what failed is missing, not 1 or 0");
    assert!(run.stdout.contains("3 of 20 executions failed"), "{run:?}");
    // Allowed, it is a measurement.
    let allowed = eval(&context, &["--retry", "0", "--max-failure-rate", "0.2", "--no-cache"]);
    assert!(allowed.code < 2, "{allowed:?}");
    assert_eq!(context.report()["status"], "complete");
}

#[test]
fn c4_exit_code_3_when_the_budget_is_exhausted() {
    let context = project(4);
    context.script("agent", "echo '{\"output\": \"better\", \"costUSD\": 1.0}'\n");
    let flags = ["--budget-usd", "3", "--allow-unknown-cost", "--concurrency", "1"];
    let run = context.run(&[&["eval", "--variants", "v1,v2"], &AGENT[..], &flags].concat()).expect(3);
    let report = context.report();
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("budget-exhausted")));
    let spent = report["meta"]["knownCostUSD"].as_f64().unwrap();
    assert!((1.0..=3.0).contains(&spent), "{spent}");
    assert!(run.stderr.contains("omk eval --resume "), "{run:?}");
    assert_eq!(report["results"].as_array().unwrap().len(), 4, "every sample is listed");
}

#[test]
fn c4_exit_code_130_and_the_command_that_resumes() {
    let context = project(6);
    context.script("agent", "echo x >> calls\nsleep 0.2\necho better\n");
    let arguments = [&["eval", "--variants", "v1,v2", "--no-cache"], &AGENT[..]].concat();
    let child = context.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let calls = || std::fs::read_to_string(context.path("calls")).unwrap_or_default().lines().count();
    let begun = Instant::now();
    while calls() < 3 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(output.stdout.is_empty());
    assert_eq!(
        files(&context.home().join("journal"))
            .iter()
            .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
            .count(),
        1
    );
    let done = calls();
    assert!((3..12).contains(&done), "{done} calls before the interruption took hold");

    let resume = stderr.lines().find_map(|line| line.split_once("omk ").map(|(_, rest)| rest)).unwrap();
    let resumed = context.run(&resume.split(' ').collect::<Vec<_>>());
    assert!(resumed.code < 2, "{resumed:?}");
    assert_eq!(calls(), 12, "what was finished is not asked again");
    assert_eq!(context.report()["status"], "complete");
}

// C5

#[test]
fn c5_home_and_output_dir() {
    let context = project(4);
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let in_home = |home: &str, more: &[&str]| {
        let mut command = context.command(&[&arguments[..], more].concat());
        command.env_remove("OMK_HOME").env("HOME", context.path(home));
        assert_eq!(command.output().unwrap().status.code(), Some(0));
    };
    in_home("me", &[]);
    let ours = context.path("me/.oh-my-knowledge");
    let names: Vec<_> = files(&ours).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(names, ["cache", "journal", "reports"]);
    assert_eq!(files(&ours.join("reports")).len(), 1);

    context.run(&arguments).expect(0);
    assert_eq!(context.reports().len(), 1, "OMK_HOME moves it");
    let mut relative = context.command(&arguments);
    assert_eq!(relative.env("OMK_HOME", "here").output().unwrap().status.code(), Some(0));
    assert_eq!(files(&context.path("here/reports")).len(), 1);

    in_home("you", &["--output-dir", "out"]);
    assert!(!context.path("you/.oh-my-knowledge/reports").exists());
    let report = files(&context.path("out")).pop().unwrap();
    let id = report.file_stem().unwrap().to_str().unwrap().to_owned();
    let saved: Value = serde_json::from_str(&std::fs::read_to_string(&report).unwrap()).unwrap();
    assert_eq!(saved["id"], *id);
    assert!(context.path(&format!("you/.oh-my-knowledge/journal/{id}.jsonl")).is_file());
}

#[test]
fn c5_executor_and_model_from_the_environment() {
    let mut context = project(2);
    context.script("agent", "cat\n");
    let asked = |context: &TestContext, flags: &[&str]| {
        context.run(&[&["eval", "--variants", "v1,v2", "--report-only", "--no-cache"], flags].concat()).expect(0);
        context.report()["meta"]["model"].as_str().unwrap().to_owned()
    };
    context.env("OMK_EXECUTOR", "./agent");
    context.env("OMK_MODEL", "from-env");
    assert_eq!(asked(&context, &[]), "from-env");
    assert!(context.report()["results"][0]["variants"]["v1"]["fullOutput"].as_str().unwrap().contains("from-env"));
    assert_eq!(asked(&context, &["--model", "from-flag"]), "from-flag");
    context.write("eval.yaml", "model: from-file\n");
    assert_eq!(asked(&context, &[]), "from-file");
    // A model of another executor means nothing to this one.
    context.script("other", "cat\n");
    context.write("eval.yaml", "executor: ./other\n");
    assert_eq!(asked(&context, &[]), "");
}

// C6

#[test]
fn c6_errors_have_a_position_show_the_line_and_come_all_at_once() {
    let context = project(2);
    context.write(
        "sub/bad.yaml",
        "- sample_id: s1\n  promt: hello\n  assertions:\n    - type: contian\n      value: x\n    - type: regex\n      pattern: \"((\"\n    - type: min_length\n      value: ten\n- sample_id: s1\n  prompt: 3\n",
    );
    let run = eval(&context, &["--samples", "sub/bad.yaml"]).expect(2);
    for (position, line, hint) in [
        ("[sub/bad.yaml:2:3]", "2 │   promt: hello", "did you mean `prompt`?"),
        ("[sub/bad.yaml:4:13]", "4 │     - type: contian", "did you mean `contains`?"),
        ("[sub/bad.yaml:7:16]", "7 │       pattern: \"((\"", "the pattern does not compile"),
        ("[sub/bad.yaml:9:14]", "9 │       value: ten", "expected a whole number"),
        ("[sub/bad.yaml:10:14]", "10 │ - sample_id: s1", "sample `s1` is there twice"),
        ("[sub/bad.yaml:11:11]", "11 │   prompt: 3", "expected text, found the number `3`"),
    ] {
        for part in [position, line, hint] {
            assert!(run.stderr.contains(part), "no `{part}` in\n{}", run.stderr);
        }
    }
    assert!(!run.stderr.contains(context.root().to_str().unwrap()), "paths are relative\n{}", run.stderr);
    assert!(run.stderr.trim_end().ends_with("errors in the input; nothing was executed"), "{}", run.stderr);
}

#[test]
fn c6_errors_of_several_files_come_together() {
    let context = project(2);
    context.write("bad.json", "[{\"sample_id\": \"s1\", \"prompt\": \"\"}]");
    let run = context.run(&["eval", "--samples", "bad.json", "--variants", "v8,v9", "--executor", "./agent"]).expect(2);
    for part in ["[bad.json:1:32]", "no skill `v8`", "no skill `v9`", "3 errors"] {
        assert!(run.stderr.contains(part), "no `{part}` in\n{}", run.stderr);
    }
}

#[test]
fn c6_what_eval_yaml_names_and_is_not_there_has_a_position() {
    for (yaml, position, said) in [
        ("control: v1\nsamples: none.yaml\n", "[eval.yaml:2:10]", "there is no file `none.yaml`"),
        ("samples: skills\n", "[eval.yaml:1:10]", "is a directory"),
        ("executor: ./nobody -x\n", "[eval.yaml:1:11]", "./nobody"),
        ("executor: cluade\n", "[eval.yaml:1:11]", "no executor"),
        ("executor: replay\nrecordings: none\n", "[eval.yaml:2:13]", "none"),
        ("skillDir: none\n", "[eval.yaml:1:11]", "nothing to compare"),
        ("control: v8\ntreatments: [v2]\n", "[eval.yaml:1:10]", "no skill `v8`"),
        ("contrl: v1\n", "[eval.yaml:1:1]", "did you mean `control`?"),
        ("threshold: 9\n", "[eval.yaml:1:12]", "1 to 5"),
        ("minEffect: 0\n", "[eval.yaml:1:12]", "0.001 to 4"),
        ("control: {artifact: v1, cwd: none}\ntreatments: v2\n", "[eval.yaml:1:30]", "is not a directory"),
    ] {
        let context = project(2);
        context.write("eval.yaml", yaml);
        let executor: &[&str] = if yaml.contains("executor") { &[] } else { &AGENT };
        let run = context.run(&[&["eval"], executor].concat());
        assert_eq!(run.code, 2, "{yaml}: {run:#?}");
        for part in [position, said] {
            assert!(run.stderr.contains(part), "{yaml}: no `{part}` in\n{}", run.stderr);
        }
    }
}

#[test]
fn c6_did_you_mean_for_the_command_line_too() {
    let context = project(2);
    for (arguments, expected) in [
        (&["evl"][..], "did you mean `eval`?"),
        (&["eval", "--treatmnet", "v2"], "did you mean `--treatment`?"),
        (&["eval", "--ci", "percentil"], "did you mean `percentile`?"),
        (&["bench", "runn"], "did you mean `run`?"),
        (&["eval", "--repeat", "0"], "expected 1 to 10000"),
        (&["eval", "--seed", "-1"], "`-1` is no value for `--seed <N>`"),
        (&["eval", "--threshold", "9"], "expected 1 to 5"),
        (
            &["eval", "--treatment", "v3", "--executor", "./agent"],
            "did you mean `v1`? There are `v1`, `v2`, `baseline`",
        ),
        (&["cache", "explain", "s01", "--executor", "./agent"], "s001, s002"),
    ] {
        let run = context.run(arguments).expect(2);
        assert!(run.stderr.contains(expected), "{arguments:?}: no `{expected}` in\n{}", run.stderr);
    }
}

/// Columns count characters, in the last of a thousand samples on one line as well.
#[test]
fn c6_long_lines_are_cut_around_the_mark() {
    let context = project(2);
    let mut text = "[".to_owned();
    for i in 0..1000 {
        text += &format!("{{\"sample_id\": \"s{i}\", \"prompt\": \"审查\"}}, ");
    }
    text += "{\"sample_id\": \"s0\", \"promt\": \"审查\"}]";
    context.write("long.json", &text);
    let column = text.split("\"promt\"").next().unwrap().chars().count() + 1;
    let run = eval(&context, &["--samples", "long.json"]).expect(2);
    assert!(run.stderr.contains(&format!("[long.json:1:{column}]")), "no column {column} in\n{}", run.stderr);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 200), "{}", run.stderr);
    let mark = lines.iter().position(|line| line.contains("───────")).unwrap();
    let (before, _) = lines[mark].split_once('─').unwrap();
    let (text, _) = lines[mark - 1].split_once("\"promt\"").unwrap();
    assert_eq!(width(before), width(text), "the mark stands under the key\n{}", run.stderr);
    assert!(!run.stderr.contains("first here"), "what is far away is not marked here\n{}", run.stderr);
}

/// A sample file is hostile: what it holds must not steer the terminal.
#[test]
fn c6_what_is_shown_of_a_file_is_harmless() {
    let context = project(2);
    context.write("a.yaml", "- sample_id: s1\n  \u{1b}[31mpromt\u{202e}: x\n");
    context.write("a.json", "[{\"sample_id\": \"s1\", \"prompt\": \"x\", \"k\\u001b[31m\\u009b2J\\u202e\": 1}]");
    for file in ["a.yaml", "a.json"] {
        let run = eval(&context, &["--samples", file]).expect(2);
        assert!(!run.stderr.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{run:?}");
    }
}

#[test]
fn dry_run_writes_nothing_at_all() {
    let context = project(4);
    let quiet = |flags: &[&str]| {
        let before = tree(context.root());
        let commands: [&[&str]; 3] = [&["eval"], &["bench", "run"], &["bench", "ci"]];
        for command in commands {
            let run =
                context.run(&[command, &["--variants", "v1,v2", "--dry-run"], &AGENT[..], flags].concat()).expect(0);
            assert!(run.stdout.contains("8 calls"), "{run:?}");
        }
        assert!(tree(context.root()) == before, "{flags:?} changed something");
    };
    quiet(&[]);
    quiet(&["--record", "rec", "--output-dir", "out"]);
    assert!(!context.home().exists());
    // With a home that has journal, cache and reports.
    eval(&context, &["--report-only"]).expect(0);
    quiet(&[]);
}
