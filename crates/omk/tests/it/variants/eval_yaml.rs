//! Evaluation as code: `eval.yaml`, and what it shares with the flags.

use std::collections::BTreeSet;
use std::fs;

use eval_load::{SETTING_KEYS, SettingShape};
use serde_json::{Value, json};

use super::{echoing, injected, run};
use crate::fixtures::context::{TestContext, files};

/// Every flag of `eval` that describes a project, its key in `eval.yaml`, a value that is not the default, and another
/// one.
const EVERY: &[(&str, &str, &str, &str, &str)] = &[
    ("--samples", "samples.yaml", "samples", "samples.yaml", "eval-samples.json"),
    ("--skill-dir", "other", "skillDir", "other", "skills"),
    ("--control", "a", "control", "{ artifact: a, cwd: wa }", "v1"),
    ("--treatment", "b,c", "treatments", "[{ artifact: b, cwd: wb }, c]", "[v2]"),
    ("--delivery", "system-prompt", "delivery", "system-prompt", "system-prompt"),
    ("--varies", "artifact,cwd", "varies", "[artifact, cwd]", "[artifact, delivery, cwd]"),
    ("--executor", "./agent", "executor", "./agent", "./nobody"),
    ("--model", "m", "model", "m", "n"),
    ("--effort", "high", "effort", "high", "low"),
    ("--temperature", "0.5", "temperature", "0.5", "1"),
    ("--max-tokens", "100", "maxTokens", "100", "200"),
    ("--max-turns", "3", "maxTurns", "3", "4"),
    ("--allowed-tools", ",", "allowedTools", "[]", "[Write]"),
    ("--permissions", "default", "permissions", "default", "default"),
    ("--no-sandbox", "", "sandbox", "false", "true"),
    ("--network", "open", "network", "open", "open"),
    ("--recordings", "from", "recordings", "from", "from2"),
    ("--record", "to", "record", "to", "to2"),
    ("--no-judge", "", "judge", "false", "true"),
    ("--judge-models", "m,n:o", "judgeModels", "[m, 'n:o']", "[p]"),
    ("--judge-executor", "./agent", "judgeExecutor", "./agent", "./nobody"),
    ("--judge-repeat", "2", "judgeRepeat", "2", "3"),
    ("--no-debias-length", "", "debiasLength", "false", "true"),
    ("--gold-dir", "gold", "goldDir", "gold", "gold2"),
    ("--concurrency", "3", "concurrency", "3", "4"),
    ("--repeat", "2", "repeat", "2", "3"),
    ("--timeout", "30.5", "timeout", "30.5", "40"),
    ("--retry", "1", "retry", "1", "0"),
    ("--rpm", "100000", "rpm", "100000", "200000"),
    ("--tpm", "1000000000", "tpm", "1000000000", "2000000000"),
    ("--no-url-fetch", "", "urlFetch", "false", "true"),
    ("--allow-missing-urls", "", "allowMissingUrls", "true", "false"),
    ("--allow-private-urls", "", "allowPrivateUrls", "true", "false"),
    ("--mcp-config", "servers.json", "mcpConfig", "servers.json", "servers2.json"),
    ("--no-cache", "", "cache", "false", "true"),
    ("--budget-usd", "100", "budgetUsd", "100", "200"),
    ("--budget-per-sample-usd", "50", "budgetPerSampleUsd", "50", "60"),
    ("--budget-per-sample-ms", "100000", "budgetPerSampleMs", "100000", "200000"),
    ("--allow-unknown-cost", "", "allowUnknownCost", "true", "false"),
    ("--seed", "7", "seed", "7", "8"),
    ("--bootstrap-samples", "2000", "bootstrapSamples", "2000", "3000"),
    ("--ci", "t", "ci", "t", "bca"),
    ("--min-effect", "0.3", "minEffect", "0.3", "0.4"),
    ("--min-preference", "0.15", "minPreference", "0.15", "0.2"),
    ("--trivial-diff", "0.05", "trivialDiff", "0.05", "0.06"),
    ("--threshold", "2", "threshold", "2", "3"),
    ("--looks", "3", "looks", "3", "4"),
    ("--max-samples", "30", "maxSamples", "30", "40"),
    ("--stop-when-decided", "", "stopWhenDecided", "true", "false"),
    ("--holdout", "0.25", "holdout", "0.25", "0.5"),
    ("--gate", "cautious", "gate", "cautious", "progress"),
    ("--goal", "better", "goal", "better", "not-worse"),
    ("--margin", "0.3", "margin", "0.3", "0.4"),
    ("--report-only", "", "reportOnly", "true", "false"),
    ("--max-failure-rate", "0.5", "maxFailureRate", "0.5", "0.6"),
    ("--kb", "wa", "kb", "wa", "wb"),
    ("--max-gap-rate", "0.5", "maxGapRate", "0.5", "0.6"),
    ("--gap-rate-regression", "0.5", "gapRateRegression", "0.5", "0.6"),
    ("--output-dir", "out", "outputDir", "out", "out2"),
    ("--blind", "", "blind", "true", "false"),
    ("--no-texts", "", "texts", "false", "true"),
    ("--no-strict-baseline", "", "strictBaseline", "false", "true"),
    ("--custom-runtime", "node", "customRuntime", "node", "embedded"),
];

/// The same of runs of triggers, which have tests of their own.
const OF_TRIGGERS: &[(&str, &str)] = &[
    ("--triggers", "triggers"),
    ("--with", "triggers"),
    ("--min-recall", "minRecall"),
    ("--min-precision", "minPrecision"),
];

/// Flags that are about one call only, or that are another way to write a listed one.
const NOT_IN_A_FILE: &[&str] = &[
    "--export",
    "--by",
    "--aa",
    "--json",
    "--lang",
    "--no-color",
    "--help",
    "--dry-run",
    "--details",
    "--strict-baseline",
    "--resume",
    "--retry-failed",
    "--since",
    "--strict-journal",
    "--accept-changes",
    "--trust-mcp",
    "--strict-baseline",
    "--regrade",
    "--variants",
    "--judge-model",
    "--judge-mode",
    "--control-cwd",
    "--treatment-cwd",
];

fn with_two_projects() -> TestContext {
    let context = echoing();
    context.write("samples.yaml", "- { sample_id: x, prompt: other }\n");
    for name in ["other/a.md", "other/b.md", "other/c.md", "skills/v1.md", "skills/v2.md"] {
        context.write(name, name);
    }
    for name in ["gold", "gold2"] {
        fs::create_dir(context.path(name)).unwrap();
    }
    for name in ["wa", "wb"] {
        fs::create_dir(context.path(name)).unwrap();
        context.script(&format!("{name}/agent"), "cat\n");
    }
    context
}

/// The settings of a run with these arguments, from its journal.
#[track_caller]
fn settings(context: &TestContext, arguments: &[&str]) -> Value {
    let journals = || {
        files(&context.home().join("journal")).into_iter().filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
    };
    let before: BTreeSet<_> = journals().collect();
    context.run(&[&["eval"], arguments].concat()).expect(0);
    let journal = journals().find(|path| !before.contains(path)).unwrap();
    let text = fs::read_to_string(journal).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let mut settings = header["header"]["settings"].clone();
    // Where they come from is none of them.
    settings.as_object_mut().unwrap().remove("evalFile");
    settings
}

fn as_flags() -> Vec<&'static str> {
    let flags = EVERY.iter().flat_map(|(flag, value, ..)| [*flag, *value]).filter(|word| !word.is_empty());
    flags.chain(["--control-cwd", "wa", "--treatment-cwd", "wb"]).collect()
}

#[test]
fn eval_yaml_supports_every_flag() {
    let context = with_two_projects();
    let from_flags = settings(&context, &as_flags());
    let file: String = EVERY.iter().map(|(_, _, key, value, _)| format!("{key}: {value}\n")).collect();
    context.write("eval.yaml", &file);
    let from_file = settings(&context, &[]);
    assert_eq!(from_file, from_flags);
    assert_eq!(settings(&context, &["eval.yaml"]), from_flags, "named");
    assert_eq!(settings(&context, &["."]), from_flags, "its directory named");
    assert_eq!(from_file["timeoutMs"], 30_500);
    assert_eq!(from_file["treatments"][0]["artifact"], "b");
}

#[test]
fn flags_override_eval_yaml() {
    let context = with_two_projects();
    let from_flags = settings(&context, &as_flags());
    let file: String = EVERY.iter().map(|(_, _, key, _, other)| format!("{key}: {other}\n")).collect();
    context.write("eval.yaml", &file);
    assert_eq!(settings(&context, &as_flags()), from_flags);
    // One flag changes one setting.
    let mut context = context;
    let file = file.replace("./nobody", "./agent").replace("judge: true", "judge: false");
    // planned looks decide nothing of that goal
    let file = file.replace("goal: not-worse", "goal: better");
    context.write("eval.yaml", &file.replace("allowUnknownCost: false", "allowUnknownCost: true"));
    context.env("OMK_MODEL", "not asked");
    let (plain, one) = (settings(&context, &["--report-only"]), settings(&context, &["--report-only", "--seed", "99"]));
    let mut expected = plain.clone();
    expected["seed"] = json!(99);
    assert_eq!(one, expected);
    assert_eq!((&plain["seed"], &plain["model"]), (&json!(8), &json!("n")));
}

#[test]
fn table_of_this_test_lists_every_flag_and_key() {
    let context = TestContext::new();
    let help = context.run(&["eval", "--help"]).expect(0).stdout;
    let flags: BTreeSet<&str> = help
        .lines()
        .filter(|line| line.starts_with("  ") && line.trim_start().starts_with('-'))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .collect();
    let known: BTreeSet<&str> = EVERY
        .iter()
        .map(|row| row.0)
        .chain(NOT_IN_A_FILE.iter().copied())
        .chain(OF_TRIGGERS.iter().map(|row| row.0))
        .collect();
    assert_eq!(flags, known);
    let keys: BTreeSet<&str> = SETTING_KEYS.iter().map(|key| key.name).collect();
    // A mark may hold any sign, a comma too: marks are in the file only, and so is what has several parts.
    let without_flag = ["judgeModel", "gap", "hedgingClassifier"];
    let triggers = OF_TRIGGERS.iter().map(|row| row.1);
    assert_eq!(keys, EVERY.iter().map(|row| row.2).chain(without_flag).chain(triggers).collect());
}

/// A number is in range for a flag exactly if it is for the file.
#[test]
fn flags_and_eval_yaml_accept_the_same_ranges() {
    let context = TestContext::new();
    let accepts = |arguments: &[&str]| {
        // Without samples nothing runs; what counts is whether the number is an error.
        let run = context.run(&[&["eval"], arguments].concat()).expect(2);
        run.stderr.contains("no sample file")
    };
    for key in SETTING_KEYS {
        let Some((flag, ..)) = EVERY.iter().find(|row| row.2 == key.name) else { continue };
        let values: Vec<String> = match key.shape {
            SettingShape::Whole(low, high, _) => {
                let outside = [low.checked_sub(1), high.checked_add(1)];
                [Some(low), Some(high)].into_iter().chain(outside).flatten().map(|n| n.to_string()).collect()
            }
            _ => continue,
        };
        for value in values {
            let flag = accepts(&[&format!("{flag}={value}")]);
            context.write("eval.yaml", &format!("{}: {value}\n", key.name));
            assert_eq!(flag, accepts(&[]), "{} = {value}", key.name);
            fs::remove_file(context.path("eval.yaml")).unwrap();
        }
    }
}

#[test]
fn skills_are_discovered_without_arguments() {
    let mut context = echoing();
    context.env("OMK_EXECUTOR", "./agent");
    let none = context.run(&["eval"]).expect(2);
    assert!(none.stderr.contains("no skill was found in `skills`"), "{none:?}");
    for name in ["b.md", "a/SKILL.md", "README.md", "notes.txt", "baseline.md", ".hidden.md"] {
        context.write(&format!("skills/{name}"), name);
    }
    context.run(&["eval", "--report-only"]).expect(0);
    assert_eq!(context.report()["meta"]["variants"], json!(["baseline", "a", "b"]));
    assert_eq!(injected(&context)["baseline"], "");
    // `eval.yaml` comes first, and a treatment without a control is compared with the baseline.
    context.write("eval.yml", "treatments: [b]\nreportOnly: true\n");
    context.run(&["eval"]).expect(0);
    assert_eq!(context.report()["meta"]["variants"], json!(["baseline", "b"]));
    // A single named variant runs alone.
    context.write("eval.yml", "control: baseline\ntreatments: [a]\nreportOnly: true\n");
    context.run(&["eval", "--variants", "b"]).expect(0);
    assert_eq!(context.report()["meta"]["variants"], json!(["b"]));
}

#[test]
fn paths_in_eval_yaml_are_relative_to_it() {
    let context = echoing();
    fs::create_dir(context.path("p")).unwrap();
    fs::rename(context.path("eval-samples.json"), context.path("p/my.json")).unwrap();
    context.write("p/artifacts/x.md", "X\n");
    context.write("p/y.md", "Y\n");
    context.write(
        "p/eval.yaml",
        "samples: my.json\nskillDir: artifacts\ncontrol: x\ntreatments: ./y.md\noutputDir: out\n",
    );
    run(&context, &["p"]).expect(0);
    assert_eq!(files(&context.path("p/out")).len(), 1);
    run(&context, &["p/eval.yaml", "--output-dir", "here"]).expect(0);
    assert_eq!(files(&context.path("here")).len(), 1, "a flag's path is read against the working directory");
}
