//! V: variants, and evaluation as code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use eval_spec::load::{SETTING_KEYS, SettingShape};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::fixtures::context::{Finished, TestContext, files};

fn short_sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

const SKILL: &str = "---\nname: two\ndescription: The second skill.\n---\nTWO body\n";

/// A project with one sample, whose agent answers with its whole question.
fn echoing() -> TestContext {
    let context = TestContext::new();
    context.script("agent", "cat\n");
    context.samples(1, &json!([{"type": "min_length", "value": 1}]));
    context
}

/// … and skills of every kind, the old ones in the history of a repository.
fn with_skills() -> TestContext {
    let context = echoing();
    context.write("skills/one.md", "ONE as it was\n");
    context.write("skills/gone/SKILL.md", "---\nname: gone\ndescription: Was here.\n---\nGONE body\n");
    git(&context, &["init", "-q", "-b", "main"]);
    git(&context, &["add", "skills"]);
    git(&context, &["commit", "-q", "-m", "first"]);
    git(&context, &["tag", "first"]);
    context.write("skills/one.md", "ONE as committed\n");
    context.write("skills/two/SKILL.md", SKILL);
    context.write("skills/two/more/table.csv", "a,b\n");
    fs::remove_dir_all(context.path("skills/gone")).unwrap();
    git(&context, &["add", "-A", "skills"]);
    git(&context, &["commit", "-q", "-m", "second"]);
    context.write("skills/one.md", "ONE\n");
    context.write("docs/three.md", "---\ntitle: x\n---\nTHREE\n");
    context.write("docs/four/SKILL.md", "---\nname: four\ndescription: d\n---\nFOUR\n");
    context.write("docs/five.txt", "FIVE\n");
    context
}

fn git(context: &TestContext, arguments: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(context.root())
        .env("HOME", context.root())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn run(context: &TestContext, more: &[&str]) -> Finished {
    context.run(&[&["eval", "--executor", "./agent", "--report-only", "--no-cache"], more].concat())
}

/// What was injected, by variant.
fn injected(context: &TestContext) -> BTreeMap<String, String> {
    let report = context.report();
    let variants = report["results"][0]["variants"].as_object().unwrap();
    let system = |result: &Value| {
        let question: Value = serde_json::from_str(result["fullOutput"].as_str().unwrap()).unwrap();
        question["system"].as_str().unwrap().trim_end().to_owned()
    };
    variants.iter().map(|(name, result)| (name.clone(), system(result))).collect()
}

// V1

#[test]
fn v1_a_name_leads_to_no_file_outside_the_skill_directory() {
    use std::os::unix::fs::symlink;
    let context = echoing();
    context.write("skills/one.md", "ONE\n");
    context.write("elsewhere/secret.md", "SECRET\n");
    symlink(context.path("elsewhere/secret.md"), context.path("skills/out.md")).unwrap();
    symlink("one.md", context.path("skills/in.md")).unwrap();
    let refused = run(&context, &["--variants", "one,out"]).expect(2);
    assert!(refused.stderr.contains("the link `skills/out.md` leads out of the skill directory"), "{refused:?}");
    // A link that stays inside is the file; a path is somebody's own choice.
    run(&context, &["--variants", "one,in,./skills/out.md"]).expect(0);
    let injected = injected(&context);
    assert_eq!((injected["in"].as_str(), injected["out"].as_str()), ("ONE", "SECRET"));
    // The skill directory itself may be a link.
    symlink("skills", context.path("linked")).unwrap();
    run(&context, &["--skill-dir", "linked", "--variants", "one,in"]).expect(0);
}

#[test]
fn v1_every_kind_of_reference() {
    let context = with_skills();
    let references =
        "baseline,one,two,docs/three.md,docs/four,./docs/five.txt,git:one,git:first:one,git:HEAD~1:gone,git:main:two";
    run(&context, &["--variants", references]).expect(0);
    let expected = [
        ("baseline", ""),
        ("one", "ONE"),
        ("two", "TWO body"),
        ("three", "---\ntitle: x\n---\nTHREE"),
        ("four", "FOUR"),
        ("five", "FIVE"),
        ("git:one", "ONE as committed"),
        ("git:first:one", "ONE as it was"),
        ("git:HEAD~1:gone", "GONE body"),
        ("git:main:two", "TWO body"),
    ];
    let found = injected(&context);
    for (name, text) in expected {
        // Of a plain Markdown file, front matter may or may not be part of the text; the rest is.
        let system = found.get(name).unwrap_or_else(|| panic!("no `{name}` in {found:?}"));
        assert!(system == text || (name == "three" && system == "THREE"), "{name}: {system:?}");
    }
    assert_eq!(found.len(), expected.len());
}

#[test]
fn v1_a_skill_directory_elsewhere() {
    let context = echoing();
    context.write("mine/x.md", "X\n");
    run(&context, &["--variants", "baseline,x", "--skill-dir", "mine"]).expect(0);
    assert_eq!(injected(&context)["x"], "X");
}

#[test]
fn v1_anything_else_is_an_error_that_lists_what_exists() {
    let context = with_skills();
    context.write("skills/empty/README.md", "no skill\n");
    context.write("skills/twice.md", "x\n");
    context.write("skills/twice/SKILL.md", SKILL);
    for (reference, said) in [
        ("onee", &["no skill `onee` in `skills`", "did you mean `one`?", "`two`", "`baseline`"][..]),
        ("zzz", &["there are `one`, `twice`, `two`, `baseline`"]),
        ("empty", &["no `SKILL.md` in `skills/empty`"]),
        ("twice", &["both `skills/twice.md` and `skills/twice/SKILL.md`"]),
        ("docs/none.md", &["there is no file `docs/none.md`"]),
        ("git:three", &["at `HEAD` there is no skill `three`", "`one`, `two`"]),
        ("git:first:two", &["at `first` there is no skill `two`", "`gone`, `one`"]),
        ("git:nowhere:one", &["no commit `nowhere`"]),
        ("git:--help:one", &["`--help` cannot be a git reference"]),
        ("git:HEAD:../one", &["is not `git:name` or `git:REF:name`"]),
        ("../one", &["there is no file `../one`"]),
    ] {
        let wrong = run(&context, &["--control", "baseline", "--treatment", reference]).expect(2);
        for part in said {
            assert!(wrong.stderr.contains(part), "{reference}: no `{part}` in\n{}", wrong.stderr);
        }
    }
    let bare = echoing();
    bare.write("skills/one.md", "ONE\n");
    let wrong = run(&bare, &["--variants", "baseline,git:one"]).expect(2);
    assert!(wrong.stderr.contains("`skills` is in no git repository"), "{wrong:?}");
    let twice = run(&context, &["--variants", "one,one"]).expect(2);
    assert!(twice.stderr.contains("two variants are named `one`"), "{twice:?}");
}

#[test]
fn v1_front_matter_is_checked_and_only_warned_about() {
    let context = echoing();
    let long = "x".repeat(1025);
    context.write("skills/s/SKILL.md", &format!("---\nname: Bad_Name\ndescription: {long}\nversion: 1\n---\nBODY\n"));
    context.write("skills/t/SKILL.md", "no front matter\n");
    let ran = run(&context, &["--variants", "s,t"]).expect(0);
    for part in [
        "[skills/s/SKILL.md:2:7]",
        "the name `Bad_Name` should have only",
        "[skills/s/SKILL.md:3:14]",
        "`description` has 1,025 characters",
        "[skills/s/SKILL.md:4:1]",
        "[skills/t/SKILL.md:1:1]",
    ] {
        assert!(ran.stderr.replace("1025", "1,025").contains(part), "no `{part}` in\n{}", ran.stderr);
    }
    assert_eq!(injected(&context)["s"], "BODY");
    assert_eq!(injected(&context)["t"], "no front matter");
}

// V2

/// The directory each cell ran in, relative to the project, by `sample/variant`.
fn directories(context: &TestContext) -> BTreeMap<String, String> {
    let root = context.root().canonicalize().unwrap();
    let report = context.report();
    let mut found = BTreeMap::new();
    for sample in report["results"].as_array().unwrap() {
        for (name, result) in sample["variants"].as_object().unwrap() {
            let text = result["fullOutput"].as_str().unwrap().trim().to_owned();
            let relative = std::path::Path::new(&text).strip_prefix(&root).unwrap().display().to_string();
            found.insert(format!("{}/{name}", sample["sample_id"].as_str().unwrap()), relative);
        }
    }
    found
}

fn with_directories() -> TestContext {
    let context = TestContext::new();
    for name in ["a", "b", "c", "d"] {
        fs::create_dir(context.path(name)).unwrap();
        context.write(&format!("skills/v{name}.md"), name);
    }
    context.script("agent", "cat > /dev/null\npwd -P\n");
    let samples = json!([{"sample_id": "s1", "prompt": "x"}, {"sample_id": "s2", "prompt": "y", "cwd": "d"}]);
    context.write("eval-samples.json", &samples.to_string());
    context
}

fn eval_in(context: &TestContext, flags: &[&str]) -> BTreeMap<String, String> {
    let agent = context.path("agent");
    context
        .run(&[&["eval", "--executor", agent.to_str().unwrap(), "--report-only", "--no-cache"], flags].concat())
        .expect(0);
    directories(context)
}

fn expected(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(cell, directory)| ((*cell).to_owned(), (*directory).to_owned())).collect()
}

#[test]
fn v2_working_directories_by_flag_file_and_sample() {
    let context = with_directories();
    let all =
        expected(&[("s1/va", "a"), ("s1/vb", "b"), ("s1/vc", "c"), ("s2/va", "d"), ("s2/vb", "d"), ("s2/vc", "d")]);
    let variants = ["--control", "va", "--treatment", "vb,vc"];
    let flags = ["--control-cwd", "a", "--treatment-cwd", "b,c"];
    assert_eq!(eval_in(&context, &[&variants[..], &flags].concat()), all);

    let some = eval_in(&context, &[&variants[..], &["--treatment-cwd", "b"]].concat());
    assert_eq!((some["s1/va"].as_str(), some["s1/vb"].as_str(), some["s1/vc"].as_str()), ("", "b", ""));

    context.write(
        "eval.yaml",
        "control: { artifact: va, cwd: a }\ntreatments:\n  - { artifact: vb, cwd: b }\n  - { artifact: vc, cwd: c }\n",
    );
    assert_eq!(eval_in(&context, &[]), all);
    let moved = eval_in(&context, &["--control-cwd", "c", "--treatment-cwd", "a"]);
    assert_eq!((moved["s1/va"].as_str(), moved["s1/vb"].as_str(), moved["s1/vc"].as_str()), ("c", "a", "c"));
}

#[test]
fn v2_a_directory_for_nobody_is_an_error() {
    let context = with_directories();
    let run = |flags: &[&str]| run(&context, &[&["--control", "va"], flags].concat()).expect(2).stderr;
    assert!(run(&["--treatment", "vb", "--treatment-cwd", "b,c"]).contains("2 directories for 1 treatments"));
    assert!(run(&["--control-cwd", "none"]).contains("`none` is not a directory"));
    assert!(run(&["--treatment", "vb", "--treatment-cwd", "agent"]).contains("`agent` is not a directory"));
}

// V3

/// Every flag of `eval` that a project can be written with, and what `eval.yaml` calls it, with a
/// value that is not the default, and another one.
const EVERY: &[(&str, &str, &str, &str, &str)] = &[
    ("--samples", "samples.yaml", "samples", "samples.yaml", "eval-samples.json"),
    ("--skill-dir", "other", "skillDir", "other", "skills"),
    ("--control", "a", "control", "{ artifact: a, cwd: wa }", "v1"),
    ("--treatment", "b,c", "treatments", "[{ artifact: b, cwd: wb }, c]", "[v2]"),
    ("--executor", "./agent", "executor", "./agent", "./nobody"),
    ("--model", "m", "model", "m", "n"),
    ("--effort", "high", "effort", "high", "low"),
    ("--temperature", "0.5", "temperature", "0.5", "1"),
    ("--max-tokens", "100", "maxTokens", "100", "200"),
    ("--max-turns", "3", "maxTurns", "3", "4"),
    ("--allowed-tools", "Read,Bash", "allowedTools", "[Read, Bash]", "[Write]"),
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
    ("--no-cache", "", "cache", "false", "true"),
    ("--budget-usd", "100", "budgetUsd", "100", "200"),
    ("--budget-per-sample-usd", "50", "budgetPerSampleUsd", "50", "60"),
    ("--budget-per-sample-ms", "100000", "budgetPerSampleMs", "100000", "200000"),
    ("--allow-unknown-cost", "", "allowUnknownCost", "true", "false"),
    ("--seed", "7", "seed", "7", "8"),
    ("--bootstrap-samples", "2000", "bootstrapSamples", "2000", "3000"),
    ("--ci", "t", "ci", "t", "bca"),
    ("--min-effect", "0.3", "minEffect", "0.3", "0.4"),
    ("--trivial-diff", "0.05", "trivialDiff", "0.05", "0.06"),
    ("--threshold", "2", "threshold", "2", "3"),
    ("--stop-when-decided", "", "stopWhenDecided", "true", "false"),
    ("--holdout", "0.25", "holdout", "0.25", "0.5"),
    ("--report-only", "", "reportOnly", "true", "false"),
    ("--max-failure-rate", "0.5", "maxFailureRate", "0.5", "0.6"),
    ("--output-dir", "out", "outputDir", "out", "out2"),
    ("--blind", "", "blind", "true", "false"),
    ("--no-strict-baseline", "", "strictBaseline", "false", "true"),
    ("--custom-runtime", "node", "customRuntime", "node", "embedded"),
];

/// What is about this call and not about the project, or says the same in another way.
const NOT_IN_A_FILE: &[&str] = &[
    "--json",
    "--lang",
    "--no-color",
    "--help",
    "--dry-run",
    "--resume",
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

/// The settings the journal says the last run had.
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
    header["header"]["settings"].clone()
}

fn as_flags() -> Vec<&'static str> {
    let flags = EVERY.iter().flat_map(|(flag, value, ..)| [*flag, *value]).filter(|word| !word.is_empty());
    flags.chain(["--control-cwd", "wa", "--treatment-cwd", "wb"]).collect()
}

#[test]
fn v3_eval_yaml_holds_everything_that_flags_do() {
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
fn v3_flags_win() {
    let context = with_two_projects();
    let from_flags = settings(&context, &as_flags());
    let file: String = EVERY.iter().map(|(_, _, key, _, other)| format!("{key}: {other}\n")).collect();
    context.write("eval.yaml", &file);
    assert_eq!(settings(&context, &as_flags()), from_flags);
    // One flag changes one setting.
    let mut context = context;
    let file = file.replace("./nobody", "./agent").replace("judge: true", "judge: false");
    context.write("eval.yaml", &file.replace("allowUnknownCost: false", "allowUnknownCost: true"));
    context.env("OMK_MODEL", "not asked");
    let (plain, one) = (settings(&context, &["--report-only"]), settings(&context, &["--report-only", "--seed", "99"]));
    let mut expected = plain.clone();
    expected["seed"] = json!(99);
    assert_eq!(one, expected);
    assert_eq!((&plain["seed"], &plain["model"]), (&json!(8), &json!("n")));
}

#[test]
fn v3_nothing_is_left_out_of_the_table() {
    let context = TestContext::new();
    let help = context.run(&["eval", "--help"]).expect(0).stdout;
    let flags: BTreeSet<&str> = help
        .lines()
        .filter(|line| line.starts_with("  ") && line.trim_start().starts_with('-'))
        .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")))
        .collect();
    let known: BTreeSet<&str> = EVERY.iter().map(|row| row.0).chain(NOT_IN_A_FILE.iter().copied()).collect();
    assert_eq!(flags, known);
    let keys: BTreeSet<&str> = SETTING_KEYS.iter().map(|key| key.name).collect();
    let short = ["judgeModel"];
    assert_eq!(keys, EVERY.iter().map(|row| row.2).chain(short).collect());
}

/// A number is in range for a flag exactly when it is for the file.
#[test]
fn v3_flags_and_file_have_the_same_ranges() {
    let context = TestContext::new();
    let accepts = |arguments: &[&str]| {
        // Without samples nothing is ever run; what counts is whether the number is complained of.
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
fn v3_without_arguments_skills_are_discovered() {
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
    // `eval.yaml` comes first, and a treatment without a control is held against the baseline.
    context.write("eval.yml", "treatments: [b]\nreportOnly: true\n");
    context.run(&["eval"]).expect(0);
    assert_eq!(context.report()["meta"]["variants"], json!(["baseline", "b"]));
    // One variant that is named means that one.
    context.write("eval.yml", "control: baseline\ntreatments: [a]\nreportOnly: true\n");
    context.run(&["eval", "--variants", "b"]).expect(0);
    assert_eq!(context.report()["meta"]["variants"], json!(["b"]));
}

#[test]
fn v3_paths_in_eval_yaml_are_read_against_it() {
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

// V4

#[test]
fn v4_skill_hashes_agree_with_an_independent_computation() {
    let context = with_skills();
    context.write("skills/two/.dot", "");
    let hashes = |variants: &str| {
        run(&context, &["--variants", variants]).expect(0);
        context.report()["meta"]["skillHashes"].clone()
    };
    let skill = SKILL.len();
    let directory = format!(".dot\0{}\0SKILL.md\0{skill}\0{SKILL}more/table.csv\0{}\0a,b\n", 0, 4);
    let committed = format!("SKILL.md\0{skill}\0{SKILL}more/table.csv\0{}\0a,b\n", 4);
    assert_eq!(
        hashes("baseline,one,two,git:one,git:two"),
        json!({
            "baseline": short_sha256(b""),
            "one": short_sha256(b"ONE\n"),
            "two": short_sha256(directory.as_bytes()),
            "git:one": short_sha256(b"ONE as committed\n"),
            "git:two": short_sha256(committed.as_bytes()),
        })
    );
    // The full content counts: front matter, and every file.
    let before = hashes("two");
    context.write("skills/two/more/table.csv", "a,c\n");
    assert_ne!(hashes("two"), before);
    context.write("skills/two/more/table.csv", "a,b\n");
    assert_eq!(hashes("two"), before);
    context.write("skills/two/SKILL.md", &SKILL.replace("second", "last"));
    assert_ne!(hashes("two"), before);
}
