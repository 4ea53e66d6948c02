//! Languages of help, errors and results.

use crate::cli::{assert_chinese, eval, project, width};
use crate::fixtures::context::TestContext;

#[test]
fn language_is_chosen_by_flag_then_variable_then_locale() {
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

#[test]
fn names_of_locales_are_languages_and_a_wrong_variable_is_named_once() {
    let mut context = TestContext::new();
    assert!(context.run(&["--lang", "zh_CN", "--help"]).expect(0).stdout.contains("用法"));
    assert!(context.run(&["eval", "--lang", "en-GB", "--help"]).expect(0).stdout.contains("Usage"));
    context.env("OMK_LANG", "klingon");
    let warned = context.run(&["power", "--sd", "1", "--correlation", "0.5"]).stderr;
    assert_eq!(warned.matches("klingon").count(), 1, "{warned}");
}

#[test]
fn help_is_a_command_too() {
    let context = TestContext::new();
    let said = |arguments: &[&str]| context.run(arguments).expect(0).stdout;
    assert_eq!(said(&["help"]), said(&["--help"]));
    assert_eq!(said(&["help", "report", "verdict"]), said(&["report", "verdict", "--help"]));
    assert_eq!(said(&["--lang", "zh", "help", "eval"]), said(&["--lang", "zh", "eval", "--help"]));
    let unknown = context.run(&["help", "evl"]).expect(2).stderr;
    assert!(unknown.contains("unknown command `evl`") && unknown.contains("did you mean `eval`?"), "{unknown}");
    let misspelt = context.run(&["evla"]).expect(2).stderr;
    assert!(misspelt.contains("did you mean `eval --dry-run`?"), "{misspelt}");
    // a project may have that name
    assert!(context.run(&["eval", "help"]).expect(2).stderr.contains("help"));
}

/// Every command of the program, read from its help.
pub(crate) fn commands(context: &TestContext, path: &[&str], found: &mut Vec<Vec<String>>) {
    let help = context.run(&[path, &["--lang", "en", "--help"]].concat()).expect(0).stdout;
    found.push(path.iter().map(|&word| word.to_owned()).collect());
    let listed = help.split_once("\nCommands:\n").map(|(_, rest)| rest.split("\n\n").next().unwrap()).unwrap_or("");
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    for name in listed.lines().filter(is_name).map(|line| line.split_whitespace().next().unwrap()) {
        commands(context, &[path, &[name]].concat(), found);
    }
}

#[test]
fn help_of_every_command_is_translated_and_fits_80_columns() {
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
fn usage_errors_are_translated() {
    let mut context = TestContext::new();
    context.env("OMK_LANG", "zh");
    for (arguments, expected) in [
        (&["evl"][..], &["未知命令 `evl`", "`eval --dry-run`"][..]),
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
fn errors_and_results_are_translated() {
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
