//! The report (R1): its contract, and how it is written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use eval_spec::call::{Cost, CostSource, Usage};
use eval_spec::units::Usd;
use eval_spec::{Failure, Layer, Outcome, Output};
use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext, files};
use crate::fixtures::recorded::{Came, Prepared, both, checked, ended, fact};

/// The type of the value at a path: `a.b`, `a[0]` for a list's first element.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "object",
    }
}

/// The value at a JSON pointer that has to be there.
#[track_caller]
fn at<'a>(report: &'a Value, pointer: &str) -> &'a Value {
    report.pointer(pointer).unwrap_or_else(|| panic!("there is no {pointer}"))
}

#[test]
fn r1_the_committed_schema_is_that_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/report.schema.json");
    let committed: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(committed, eval_report::schema(), "stale: run `UPDATE_SCHEMAS=1 cargo test -p eval-report`");
}

/// A project in which an agent does what the example of seed 000 does: prices, tokens, two variants, three samples.
fn example() -> TestContext {
    let context = TestContext::new();
    context.write("skills/v1.md", "ANSWER plain\n");
    context.write("skills/v2.md", "ANSWER better\n");
    context.script(
        "agent",
        r#"input=$(cat)
rest=${input#*ANSWER }
printf '{"output": "%s SQL injection", "inputTokens": 850, "outputTokens": 1200, "costUSD": 0.0038, "turns": 2, "toolCalls": [{"name": "Read", "input": {"path": "a"}, "output": "b"}]}' "${rest%%\\n*}"
"#,
    );
    context.samples(
        3,
        &json!([
            {"type": "contains", "value": "SQL injection", "weight": 1},
            {"type": "contains", "value": "better", "weight": 1}
        ]),
    );
    context
}

#[test]
fn r1_every_field_of_the_first_format_is_there_with_its_meaning() {
    let context = example();
    let done = context.run(&["bench", "run", "--executor", "./agent", "--model", "sonnet"]).expect(0);
    let report = done.json();
    assert_eq!(report, checked(&context.reports()[0]), "what is printed is what is stored");
    for (pointer, expected) in [
        ("/meta/variants", json!(["v1", "v2"])),
        ("/meta/model", json!("sonnet")),
        ("/meta/executor", json!("command")),
        ("/meta/sampleCount", json!(3)),
        ("/meta/taskCount", json!(6)),
        ("/meta/totalCostUSD", json!(0.0228)),
        ("/meta/nodeVersion", Value::Null),
        ("/meta/judgeModel", Value::Null),
        ("/meta/cliVersion", json!(env!("CARGO_PKG_VERSION"))),
        ("/summary/v1/totalSamples", json!(3)),
        ("/summary/v1/successCount", json!(3)),
        ("/summary/v1/errorCount", json!(0)),
        ("/summary/v1/avgCompositeScore", json!(3.0)),
        ("/summary/v2/avgCompositeScore", json!(5.0)),
        ("/summary/v1/avgAssertionScore", json!(3.0)),
        ("/summary/v1/avgLlmScore", Value::Null),
        ("/summary/v1/avgTotalTokens", json!(2050)),
        ("/summary/v1/totalCostUSD", json!(0.0114)),
        ("/results/0/sample_id", json!("s001")),
        ("/results/0/variants/v1/ok", json!(true)),
        ("/results/0/variants/v1/compositeScore", json!(3.0)),
        ("/results/0/variants/v1/assertions/passed", json!(1)),
        ("/results/0/variants/v1/assertions/total", json!(2)),
        ("/results/0/variants/v1/assertions/score", json!(3.0)),
        ("/results/0/variants/v1/assertions/details/0/type", json!("contains")),
        ("/results/0/variants/v1/assertions/details/0/value", json!("SQL injection")),
        ("/results/0/variants/v1/assertions/details/0/weight", json!(1.0)),
        ("/results/0/variants/v1/assertions/details/0/passed", json!(true)),
        ("/results/0/variants/v1/assertions/details/1/passed", json!(false)),
        ("/results/0/variants/v1/llmScore", Value::Null),
        ("/results/0/variants/v1/llmReason", Value::Null),
        ("/results/0/variants/v1/inputTokens", json!(850)),
        ("/results/0/variants/v1/outputTokens", json!(1200)),
        ("/results/0/variants/v1/totalTokens", json!(2050)),
        ("/results/0/variants/v1/costUSD", json!(0.0038)),
        ("/results/0/variants/v2/outputPreview", json!("better SQL injection")),
        ("/analysis/suggestions/0/type", json!("add_samples")),
        ("/analysis/insights/0/type", json!("low_discrimination")),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    for (pointer, expected) in [
        ("/meta/timestamp", "string"),
        ("/summary/v1/avgDurationMs", "number"),
        ("/results/0/variants/v1/durationMs", "number"),
        ("/analysis/insights/0/severity", "string"),
        ("/analysis/insights/0/message", "string"),
    ] {
        assert_eq!(kind(at(&report, pointer)), expected, "{pointer}");
    }
    // the id is the file's name and begins with the time: 2026-03-24T15-30-45-v1-v2
    let id = report["id"].as_str().unwrap();
    assert_eq!(context.reports()[0].file_stem().unwrap(), id);
    assert!(
        id.ends_with("-v1-v2") && id.as_bytes()[10] == b'T' && id.len() == "2026-03-24T15-30-45-v1-v2".len(),
        "{id}"
    );
    let stamp = report["meta"]["timestamp"].as_str().unwrap();
    assert_eq!(stamp[..19].replace(':', "-"), id[..19]);
}

#[test]
fn r1_the_additions_are_there_under_their_names() {
    let context = example();
    context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--repeat", "2"]).expect(1);
    let report = checked(&context.reports()[0]);
    for (pointer, expected) in [
        ("/schemaVersion", json!(1)),
        ("/status", json!("complete")),
        ("/incompleteReason", Value::Null),
        ("/meta/testSet/path", json!("eval-samples.json")),
        ("/meta/testSet/sampleCount", json!(3)),
        ("/meta/judgeModels", json!([])),
        ("/meta/judgePromptHash", Value::Null),
        ("/meta/judgeRuntime", Value::Null),
        ("/meta/executorRuntime/executor", json!("command")),
        ("/meta/gitInfo", Value::Null),
        ("/meta/totalCostUSD", json!(0.0456)),
        ("/meta/nodeVersion", Value::Null),
        ("/meta/repeat", json!(2)),
        ("/results/0/variants/v1/layeredScores", json!({"factScore": 3.0, "behaviorScore": null, "judgeScore": null})),
        ("/results/0/variants/v1/fullOutput", json!("plain SQL injection")),
        ("/results/0/variants/v1/turns", json!(2)),
        ("/results/0/variants/v1/toolCalls/0/name", json!("Read")),
        ("/results/0/variants/v1/missing", json!([])),
        ("/results/0/variants/v1/runs/1/cached", json!(false)),
        ("/results/0/variants/v1/runs/1/fullOutput", json!("plain SQL injection")),
        ("/results/0/variants/v1/runs/1/assertions/details/1/passed", json!(false)),
        ("/results/0/variants/v1/assertions/details/1/layer", json!("fact")),
        ("/results/0/variants/v1/assertions/details/1/not", json!(false)),
        ("/results/0/variants/v1/assertions/details/1/actual", json!({"found": false})),
        ("/results/0/variants/v1/assertions/details/1/message", json!("`better` is not in the output")),
        ("/comparisons/0/control", json!("v1")),
        ("/comparisons/0/treatment", json!("v2")),
        ("/comparisons/0/n", json!(3)),
        ("/comparisons/0/excluded", json!([])),
        ("/comparisons/0/diff/mean", json!(2.0)),
        ("/comparisons/0/diff/ci/level", json!(0.95)),
        ("/comparisons/0/diff/ci/method", json!("expanded")),
        ("/comparisons/0/diff/ci/low", json!(2.0)),
        ("/comparisons/0/diff/ci/high", json!(2.0)),
        ("/comparisons/0/diff/pValue", json!(0.25)),
        ("/comparisons/0/diff/effect/superiority/estimate", json!(1.0)),
        ("/comparisons/0/layers/fact/mean", json!(2.0)),
        ("/comparisons/0/layers/behavior", Value::Null),
        ("/comparisons/0/layers/judge", Value::Null),
        ("/verdict/tier", json!("UNDERPOWERED")),
        ("/verdict/perTreatment/0/treatment", json!("v2")),
        ("/verdict/perTreatment/0/tier", json!("UNDERPOWERED")),
        ("/verdict/exitCode", json!(1)),
        ("/verdict/inputs/control/name", json!("v1")),
        ("/variance/runs", json!(2)),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    let hex = |text: &str, digits| text.len() == digits && text.chars().all(|c| c.is_ascii_hexdigit());
    for name in ["v1", "v2"] {
        assert!(hex(at(&report, &format!("/meta/skillHashes/{name}")).as_str().unwrap(), 12));
        assert_eq!(kind(at(&report, &format!("/meta/skillIsolation/{name}"))), "object");
    }
    for id in ["s001", "s002", "s003"] {
        assert!(hex(at(&report, &format!("/meta/sampleHashes/{id}")).as_str().unwrap(), 12));
    }
    let (file, hash) = at(&report, "/meta/testSet/id").as_str().unwrap().split_once('@').unwrap();
    assert!(file == "eval-samples.json" && hex(hash, 8));
    for (pointer, expected) in [
        ("/meta/seed", "number"),
        ("/verdict/perTreatment/0/reasons/0/message", "string"),
        ("/analysis/insights/0/sampleIds", "list"),
    ] {
        assert_eq!(kind(at(&report, pointer)), expected, "{pointer}");
    }
}

#[test]
fn r1_git_info_is_that_of_the_project() {
    let context = example();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=trunk"])
            .args(arguments)
            .current_dir(context.path("."))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    git(&["init", "-q"]);
    git(&["add", "eval-samples.json", "skills", "agent"]);
    git(&["commit", "-q", "-m", "one"]);
    let commit = git(&["rev-parse", "HEAD"]);
    let info = || {
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"]).expect(0);
        context.report()["meta"]["gitInfo"].clone()
    };
    assert_eq!(info(), json!({"commit": commit, "branch": "trunk", "dirty": false}));
    context.write("skills/v2.md", "ANSWER best\n");
    assert_eq!(info()["dirty"], json!(true));
}

#[test]
fn r1_what_is_not_known_is_null_and_never_0() {
    let prepared = Prepared::new(6, &["v1", "v2"], 1, &[Layer::Fact], |at| match (at.variant, at.sample) {
        (0, 0) => ended(Outcome::Refused),
        // v1's price is known but for one answer; v2 tells neither price nor tokens nor time
        (0, sample) => {
            let Came::To(output) = fact(50) else { unreachable!() };
            let cost = (sample != 1).then_some(Cost { usd: Usd(0.5), source: CostSource::Reported });
            let usage = Some(Usage { input_tokens: 10, output_tokens: 5, ..Usage::default() });
            Came::To(Box::new(Output { cost, usage, ..*output }))
        }
        (_, 0) => Came::Failed(Failure::Crashed),
        _ => Came::To(Box::new(Output::text("answer alpha"))),
    });
    let report = prepared.report(1, &[]);
    for (pointer, expected) in [
        ("/meta/totalCostUSD", Value::Null),
        ("/meta/knownCostUSD", json!(2.0)),
        ("/summary/v1/totalCostUSD", Value::Null),
        ("/summary/v1/avgCostUSD", Value::Null),
        ("/summary/v2/totalCostUSD", Value::Null),
        ("/summary/v2/knownCostUSD", json!(0.0)),
        ("/summary/v1/avgTotalTokens", json!(15)),
        ("/summary/v2/avgTotalTokens", Value::Null),
        ("/summary/v2/avgDurationMs", Value::Null),
        ("/results/0/variants/v1/compositeScore", Value::Null),
        ("/results/0/variants/v1/ok", json!(false)),
        ("/results/0/variants/v1/outcome", json!("refused")),
        ("/results/0/variants/v1/assertions/score", Value::Null),
        ("/results/0/variants/v1/assertions/details/0/passed", Value::Null),
        ("/results/0/variants/v1/missing/0/why", json!("the model declined to answer")),
        ("/results/0/variants/v2/outcome", json!("failed")),
        ("/results/0/variants/v2/fullOutput", Value::Null),
        ("/results/0/variants/v2/durationMs", Value::Null),
        ("/results/0/variants/v2/error/failure", json!("crashed")),
        ("/results/1/variants/v1/costUSD", Value::Null),
        ("/results/1/variants/v2/inputTokens", Value::Null),
        ("/results/1/variants/v2/turns", Value::Null),
        ("/results/2/variants/v1/costUSD", json!(0.5)),
    ] {
        assert_eq!(at(&report, pointer), &expected, "{pointer}");
    }
    let text = prepared.eval(&[]).stdout;
    assert!(text.contains("cost: at least $2.00, the rest is unknown"), "{text}");
}

#[test]
fn r1_a_run_that_ended_early_says_so() {
    let context = example();
    context.samples(6, &json!([{"type": "contains", "value": "SQL"}]));
    // each answer costs 0.0038: the budget ends after a few of the twelve
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--budget-usd", "0.02"];
    let done = context.run(&[&arguments[..], &["--allow-unknown-cost"]].concat()).expect(3);
    assert!(done.stdout.contains("NO VERDICT"), "{}", done.stdout);
    let report = checked(&context.reports()[0]);
    assert_eq!((&report["status"], &report["incompleteReason"]), (&json!("incomplete"), &json!("budget-exhausted")));
    assert_eq!((&report["verdict"]["valid"], &report["verdict"]["exitCode"]), (&json!(false), &json!(3)));
    let summary = &report["summary"]["v1"];
    assert!(summary["successCount"].as_u64().unwrap() < 6, "{summary}");
    assert_eq!(summary["totalSamples"], json!(6));
    let not_run = report["results"].as_array().unwrap().iter().find(|r| r["variants"]["v1"]["ok"] == false).unwrap();
    assert_eq!(not_run["variants"]["v1"]["compositeScore"], Value::Null);
    assert!(report["meta"]["totalCostUSD"].as_f64().unwrap() <= 0.02 + 1e-9);
    // the report with the rest replaces it under the same id
    let arguments = ["eval", "--resume", "latest", "--budget-usd", "1"];
    context.run(&arguments).expect(1);
    let whole = checked(&context.reports()[0]);
    assert_eq!(context.reports().len(), 1);
    assert_eq!((&whole["id"], &whole["status"]), (&report["id"], &json!("complete")));
    assert_eq!(whole["meta"]["totalCostUSD"], json!(0.0456));
}

#[test]
fn r1_where_no_report_can_be_written_nothing_is_run() {
    let context = example();
    let calls = context.path("calls");
    context.script("counted", "echo x >> calls\nexec ./agent\n");
    let eval = |directory: &str| {
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./counted", "--output-dir", directory])
    };
    // a file stands where the directory should be
    context.write("out", "in the way");
    let done = eval("out").expect(2);
    assert!(done.stderr.contains("cannot write `out`"), "{}", done.stderr);
    assert_eq!(fs::read_to_string(context.path("out")).unwrap(), "in the way");
    // a directory that nobody may write to, but root
    let locked = context.path("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(locked.join("probe"), "").is_err() {
        let done = eval("locked/inside").expect(2);
        assert!(done.stderr.contains("cannot write `locked/inside`"), "{}", done.stderr);
        eval("locked").expect(2);
        assert_eq!(files(&locked), Vec::<PathBuf>::new());
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(!calls.exists(), "nothing was executed");
    assert!(!context.home().join("journal").exists());
}

#[test]
fn r1_what_was_paid_for_survives_a_report_that_could_not_be_written() {
    let context = example();
    // the directory turns into a file while the run goes on
    context.script("counted", "echo x >> calls\nrm -rf out\necho 'in the way' > out\nexec ./agent\n");
    let done =
        context.run(&["eval", "--variants", "v1,v2", "--executor", "./counted", "--output-dir", "out"]).expect(3);
    assert_eq!(fs::read_to_string(context.path("out")).unwrap(), "in the way\n");
    assert!(done.stderr.contains("out/") && done.stderr.contains("omk eval --resume "), "{}", done.stderr);
    context.run(&["eval", "--resume", "latest", "--output-dir", "elsewhere"]).expect(1);
    let calls = fs::read_to_string(context.path("calls")).unwrap();
    assert_eq!(calls.lines().count(), 6, "nothing was asked for twice");
    let [report] = <[PathBuf; 1]>::try_from(files(&context.path("elsewhere"))).expect("the report and nothing else");
    assert_eq!(checked(&report)["status"], "complete");
}

#[test]
fn r1_two_runs_in_one_second_keep_both_reports() {
    let mut context = example();
    context.env("OMK_FIXED_TIME", "2026-03-24T15:30:45Z");
    let mut children: Vec<_> = (0..4)
        .map(|_| {
            let mut command =
                context.command(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"]);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    let codes: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    assert_eq!(codes, [Some(0); 4]);
    let mut names: Vec<String> =
        context.reports().iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    let id = "2026-03-24T15-30-45-v1-v2";
    assert_eq!(names, [format!("{id}-2.json"), format!("{id}-3.json"), format!("{id}-4.json"), format!("{id}.json")]);
    for path in context.reports() {
        assert_eq!(checked(&path)["id"], path.file_stem().unwrap().to_str().unwrap());
    }
}

/// A run with everything that could depend on order: refusals, failures, repeats, three variants, two layers.
fn eventful() -> Prepared {
    Prepared::new(12, &["v1", "v2", "v3"], 2, &[Layer::Fact, Layer::Behavior], |at| {
        match (at.sample, at.variant, at.repeat) {
            (3, 1, _) => ended(Outcome::Refused),
            (4, 2, 0) => ended(Outcome::Truncated),
            (5, 0, 1) => Came::Failed(Failure::Timeout),
            (sample, variant, repeat) => {
                let score = u32::try_from(sample * 5 + variant * 7).unwrap() + repeat * 3;
                both(score.min(100), 100 - score.min(100))
            }
        }
    })
}

#[test]
fn r1_the_same_run_gives_the_same_bytes_whatever_the_concurrency() {
    let bytes = |prepared: &Prepared, flags: &[&str]| {
        let _ = fs::remove_dir_all(prepared.context.home());
        let _ = fs::remove_dir_all(prepared.context.path("out"));
        prepared.eval(&[&["--output-dir", "out"], flags].concat()).expect(1);
        let text = fs::read_to_string(&files(&prepared.context.path("out"))[0]).unwrap();
        assert!(text.contains("2026-03-24T15:30:45.000Z"), "the clock is pinned");
        text
    };
    let mut prepared = eventful();
    let first = bytes(&prepared, &[]);
    assert_eq!(bytes(&prepared, &[]), first, "twice the same");
    assert_eq!(bytes(&prepared, &["--concurrency", "16"]), first, "with 16 at once");
    assert_eq!(bytes(&eventful(), &["--concurrency", "3"]), first, "in another directory");
    prepared.context.env("RAYON_NUM_THREADS", "1");
    prepared.context.env("OMK_LANG", "zh");
    assert_eq!(bytes(&prepared, &[]), first, "on one thread, for a reader of Chinese");
    assert_ne!(bytes(&prepared, &["--seed", "1"]), first, "the seed is what differs");
}

/// What no terminal may get: escapes, control characters but the line feed, marks that turn text around.
#[track_caller]
fn assert_harmless(done: &Finished) {
    for text in [&done.stdout, &done.stderr] {
        let bad = |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
        let found: Vec<char> = text.chars().filter(bad).collect();
        assert!(found.is_empty(), "{found:?} in {text:?}");
    }
}

#[test]
fn r1_hostile_output_neither_breaks_the_report_nor_reaches_the_terminal() {
    let context = TestContext::new();
    let evil =
        "</script><script>alert(1)</script> \u{1b}[2J\u{1b}]0;owned\u{7} \u{9b}31m \u{202e}evil \u{0}\u{8}\r PROGRESS";
    context.write("skills/v1.md", "v1\n");
    context.write("skills/v2.md", "v2\n");
    context.write("evil", evil);
    context.script(
        "agent",
        r#"input=$(cat)
case "$input" in
  *ask-evil*) cat evil ;;
  *ask-bytes*) printf 'a\377\376b\300\200c' ;;
  *ask-large*) head -c 10485760 /dev/zero | tr '\0' 'x' ;;
  *ask-fail*) cat evil >&2; exit 1 ;;
  *ask-json*) printf '{"output": "\\u001b[31mred\\ud800 lone", "toolCalls": [{"name": "\\u001b[2J", "input": {"a": "\\u0000"}, "output": "\\u001b]0;x\\u0007"}]}' ;;
esac
"#,
    );
    let sample = |id: &str| {
        json!({"sample_id": id, "prompt": format!("ask-{id}"), "assertions": [
            {"type": "contains", "value": "\u{1b}[2J\u{202e}nothing"}, {"type": "equals", "value": "x"},
            {"type": "tools_not_called", "value": "Bash"}]})
    };
    let samples: Vec<Value> = ["evil", "bytes", "large", "fail", "json"].map(sample).into();
    context.write("eval-samples.json", &Value::from(samples).to_string());
    for lang in ["en", "zh"] {
        let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--lang", lang, "--retry", "0"];
        let done = context.run(&arguments);
        assert!(matches!(done.code, 1 | 3), "{done:#?}");
        assert_harmless(&done);
        assert!(done.stdout.len() < 100_000);
    }
    let report = checked(&context.report_path());
    let of = |id: &str| {
        let results = report["results"].as_array().unwrap();
        results.iter().find(|result| result["sample_id"] == id).unwrap()["variants"]["v1"].clone()
    };
    assert_eq!(of("evil")["fullOutput"], evil, "kept as it was");
    assert_eq!(of("bytes")["fullOutput"], "a\u{fffd}\u{fffd}b\u{fffd}\u{fffd}c");
    assert_eq!(of("large")["fullOutput"].as_str().unwrap().len(), 10 << 20);
    assert!(of("large")["outputPreview"].as_str().unwrap().len() < 300);
    assert_eq!(of("fail")["outcome"], "failed");
    // a report as JSON on a terminal is harmless as well: control characters are escaped in it
    let raw = fs::read(context.report_path()).unwrap();
    assert!(raw.iter().all(|&byte| byte >= 0x20 || byte == b'\n'), "raw control characters in the file");
}

#[test]
fn r1_blind_reports_hide_the_names_everywhere_in_the_summary() {
    let names = ["old-prompt", "new-prompt", "other-prompt"];
    let prepared = Prepared::new(24, &names, 1, &[Layer::Fact], |at| match (at.sample, at.variant) {
        (0, 1) => ended(Outcome::Refused),
        (1, 2) => Came::Failed(Failure::Crashed),
        (sample, variant) => fact(50 + u32::try_from(sample + variant * 9).unwrap()),
    });
    for lang in ["en", "zh"] {
        let done = prepared.eval(&["--blind", "--lang", lang]).expect(0);
        for name in names {
            assert!(!done.stdout.contains(name), "{name} is not hidden: {}", done.stdout);
            assert!(!done.stderr.contains(name), "{name} is not hidden: {}", done.stderr);
        }
        for label in ["Variant A", "Variant B", "Variant C"] {
            assert!(done.stdout.contains(label), "{label}: {}", done.stdout);
        }
    }
    let report = prepared.report(0, &["--blind"]);
    // the mapping is the one place that has the names
    let mapping = report["meta"]["blindMapping"].as_object().unwrap();
    let mut hidden: Vec<&str> = mapping.values().map(|name| name.as_str().unwrap()).collect();
    hidden.sort_unstable();
    assert_eq!(hidden, ["new-prompt", "old-prompt", "other-prompt"]);
    let mut rest = report.clone();
    rest["meta"].as_object_mut().unwrap().remove("blindMapping");
    for name in names {
        assert!(!rest.to_string().contains(name), "{name} stands elsewhere in the report");
    }
    // the numbers are those of the open report
    let open = prepared.report(0, &[]);
    for (label, name) in mapping {
        assert_eq!(rest["summary"][label], open["summary"][name.as_str().unwrap()]);
    }
    assert_eq!(rest["verdict"]["tier"], open["verdict"]["tier"]);
}
