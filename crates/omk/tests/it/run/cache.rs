//! The cache of answers.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::{eval_with, logging, results, says, says_better, starts, sum, valid, with_agent};
use crate::fixtures::context::TestContext;

/// Runs the project's agent and gives the number of calls.
#[track_caller]
fn calls(context: &TestContext, more: &[&str]) -> usize {
    let log = context.path("starts");
    let _ = fs::remove_file(&log);
    context.run(&with_agent(&[&["--report-only"], more].concat())).expect(0);
    starts(&log).len()
}

fn project() -> TestContext {
    let context = logging(r#"echo "{\"output\":\"$a\",\"costUSD\":0.25}""#);
    context.samples(3, &says_better());
    context
}

#[test]
fn second_run_is_answered_from_the_cache() {
    let context = project();
    assert_eq!(calls(&context, &[]), 6);
    let first = context.report();
    assert_eq!(calls(&context, &["--concurrency", "4", "--timeout", "5", "--retry", "0", "--seed", "9"]), 0);
    let second = valid(context.report());
    assert_eq!((sum(&first, "/cached"), sum(&second, "/cached")), (0, 6));
    assert!(results(&first).values().all(|result| result["cached"] == false && result["attempts"] == 1));
    assert!(results(&second).values().all(|result| result["cached"] == true && result["attempts"] == 0));
    // Nothing is paid now; the answers keep their original price.
    assert_eq!((&first["meta"]["totalCostUSD"], &second["meta"]["totalCostUSD"]), (&json!(1.5), &json!(0.0)));
    assert_eq!(second["summary"]["v1"]["avgCostUSD"], 0.25);
    for field in ["fullOutput", "compositeScore", "durationMs", "costUSD"] {
        assert_eq!(results(&first)["s002/v2"][field], results(&second)["s002/v2"][field], "{field}");
    }
}

#[test]
fn repeats_have_separate_cache_entries() {
    let context = project();
    assert_eq!(calls(&context, &["--repeat", "3"]), 18);
    let report = valid(context.report());
    let runs = results(&report)["s001/v1"]["runs"].as_array().unwrap();
    assert!(runs.len() == 3 && runs.iter().all(|run| run["cached"] == false), "{runs:?}");
    assert_eq!(calls(&context, &["--repeat", "3"]), 0);
    assert_eq!(calls(&context, &["--repeat", "4"]), 6, "only the fourth is new");
    let report = valid(context.report());
    let cached: Vec<&Value> =
        results(&report)["s001/v1"]["runs"].as_array().unwrap().iter().map(|run| &run["cached"]).collect();
    assert_eq!(cached, [true, true, true, false]);
}

#[test]
fn variants_with_the_same_artifact_have_separate_cache_entries() {
    let context = project();
    context.write("skills/v2.md", "ANSWER plain\n");
    assert_eq!(calls(&context, &[]), 6);
    assert_eq!(sum(&context.report(), "/cached"), 0);
    assert_eq!(calls(&context, &[]), 0);
}

#[test]
fn no_cache_neither_reads_nor_writes_entries() {
    let context = project();
    assert_eq!(calls(&context, &["--no-cache"]), 6);
    assert!(!context.home().join("cache").exists());
    assert_eq!(calls(&context, &[]), 6);
    assert_eq!(calls(&context, &["--no-cache"]), 6);
    assert_eq!(calls(&context, &[]), 0);
}

#[test]
fn cache_key_covers_everything_that_decides_the_answer() {
    let mut context = project();
    assert_eq!(calls(&context, &[]), 6);
    let samples = fs::read_to_string(context.path("eval-samples.json")).unwrap();
    context.write("eval-samples.json", &samples.replace("question 2", "question 22"));
    assert_eq!(calls(&context, &[]), 2, "a changed prompt");
    context.write("eval-samples.json", &samples.replace("\"better\"", "\"best\""));
    assert_eq!(calls(&context, &[]), 0, "an assertion does not change the answer");
    context.write("eval-samples.json", &samples);
    context.write("skills/v2.md", "ANSWER better\nand more\n");
    assert_eq!(calls(&context, &[]), 3, "a changed artifact");
    assert_eq!(calls(&context, &["--model", "other"]), 6, "another model");
    assert_eq!(calls(&context, &["--model", "other", "--max-tokens", "9"]), 6, "another limit");
    assert_eq!(calls(&context, &["--model", "other", "--max-tokens", "9", "--effort", "low"]), 6, "another effort");
    let agent = fs::read_to_string(context.path("agent")).unwrap();
    context.script("agent", &format!("{agent}# edited\n"));
    assert_eq!(calls(&context, &[]), 6, "another program");
    assert_eq!(calls(&context, &[]), 0);
    context.env("UNRELATED", "1");
    assert_eq!(calls(&context, &[]), 0);
}

#[test]
fn executor_version_is_part_of_the_cache_key() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    // Agents work in a copy of the project.
    let ran = context.path("ran").display().to_string();
    let claude = |version: &str| {
        let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
        format!(
            "[ \"$1\" = --version ] && {{ echo '{version} (Claude Code)'; exit; }}\ncat > /dev/null; echo >> '{ran}'; echo '{stream}'"
        )
    };
    context.script("bin/claude", &claude("2.1.330"));
    context.env("ANTHROPIC_API_KEY", "sk-ant-cache-0123456789");
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    let ran = |context: &TestContext| {
        context.run(&eval_with("claude", &["--report-only", "--no-sandbox"])).expect(0);
        fs::read_to_string(context.path("ran")).unwrap().lines().count()
    };
    assert_eq!((ran(&context), ran(&context)), (2, 2));
    context.script("bin/claude", &claude("2.1.331"));
    assert_eq!(ran(&context), 4);
}

#[test]
fn server_address_is_part_of_the_cache_key() {
    let serve = || FakeApi::start(ReplyScript::happy());
    let (one, other) = (serve(), serve());
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    let ask = |api: &FakeApi| {
        let mut command = context.command(&eval_with("openai-api", &["--report-only"]));
        command.env("OPENAI_BASE_URL", format!("{}/v1", api.url));
        super::Running::spawn(command).finish().expect(0);
    };
    ask(&one);
    ask(&other);
    ask(&one);
    assert_eq!((one.count(), other.count()), (2, 2));
}

#[test]
fn failures_are_not_cached() {
    let context = logging(r#"[ -e broken ] && exit 3; echo $a"#);
    context.samples(2, &says_better());
    context.write("broken", "");
    context.run(&with_agent(&["--retry", "0"])).expect(3);
    fs::remove_file(context.path("broken")).unwrap();
    assert_eq!(calls(&context, &[]), 4);
    assert_eq!(sum(&context.report(), "/outcomes/answered"), 4);
    // Half a response is not cached either.
    let api = FakeApi::start(ReplyScript::with(|request| match request.number {
        0..2 => FakeReply::text("better").behaving(testkit::Behaviour::HalfBody),
        _ => FakeReply::text("better"),
    }));
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    context.run(&eval_with("openai-api", &["--retry", "0"])).expect(3);
    context.run(&eval_with("openai-api", &["--report-only"])).expect(0);
    context.run(&eval_with("openai-api", &["--report-only"])).expect(0);
    assert_eq!(api.count(), 4);
}

#[test]
fn damaged_cache_entry_is_a_miss() {
    let context = project();
    assert_eq!(calls(&context, &[]), 6);
    let entries: Vec<_> = super::all_files(&context.home().join("cache"))
        .into_iter()
        .filter(|(name, _)| name.ends_with(".json"))
        .collect();
    assert_eq!(entries.len(), 6);
    fs::write(&entries[0].0, &entries[0].1[..entries[0].1.len() / 2]).unwrap();
    fs::write(&entries[1].0, "").unwrap();
    // An entry stored under the name of another: its own key does not match.
    fs::write(&entries[2].0, &entries[3].1).unwrap();
    assert_eq!(calls(&context, &[]), 3);
    assert_eq!(calls(&context, &[]), 0);
}

/// The cells of a sample from `omk cache explain --json`.
#[track_caller]
fn explained(context: &TestContext, sample: &str, more: &[&str]) -> Vec<Value> {
    let arguments =
        ["cache", "explain", sample, "--json", "--control", "v1", "--treatment", "v2", "--executor", "./agent"];
    let document = context.run(&[&arguments, more].concat()).expect(0).json();
    document.as_array().unwrap().clone()
}

#[test]
fn cache_explain_shows_the_key_parts_and_the_differences() {
    let context = project();
    let before = explained(&context, "s002", &[]);
    assert_eq!(before.len(), 2);
    assert!(before.iter().all(|cell| cell["storedAt"].is_null() && cell["nearest"].is_null()), "{before:?}");
    assert_eq!(calls(&context, &[]), 6);
    let hit = explained(&context, "s002", &[]);
    assert!(hit.iter().all(|cell| cell["storedAt"].is_string() && cell["nearest"].is_null()), "{hit:?}");
    assert_eq!(hit[0]["key"], before[0]["key"]);
    for part in ["executor", "executorVersion", "model", "effort", "system", "prompt", "cwd", "tools", "repeat"] {
        assert!(hit[0]["parts"].as_object().unwrap().contains_key(part), "{part}: {}", hit[0]);
    }

    context.write("skills/v2.md", "ANSWER best\n");
    let of_variant = |cells: &[Value], variant: &str| {
        cells.iter().find(|cell| cell["cell"].as_str().unwrap().contains(variant)).unwrap().clone()
    };
    let cells = explained(&context, "s002", &[]);
    assert!(of_variant(&cells, "v1")["storedAt"].is_string());
    let missed = of_variant(&cells, "v2");
    let differences = missed["nearest"]["differences"].as_array().unwrap();
    assert_eq!(differences.iter().map(|d| &d["part"]).collect::<Vec<_>>(), ["system"], "{missed}");

    let arguments = with_agent(&["--model", "other"]);
    let text = context.run(&[&["cache", "explain", "s002"], &arguments[1..]].concat()).expect(0).stdout;
    for expected in ["s002/v1/0: not in the cache", "prompt = ", r#"differs in `model`: "" there, "other" here"#] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(starts(&context.path("starts")).len(), 6, "explaining makes no call");
}

#[test]
fn cache_explain_separates_variants_with_the_same_artifact() {
    let context = project();
    context.write("skills/v2.md", "ANSWER plain\n");
    assert_eq!(calls(&context, &[]), 6);
    let cells = explained(&context, "s001", &[]);
    assert!(cells.iter().all(|cell| cell["storedAt"].is_string()), "{cells:?}");
    assert_ne!(cells[0]["key"], cells[1]["key"]);
    let preview = context.run(&with_agent(&["--dry-run", "--json"])).expect(0).json();
    assert!(preview.to_string().contains(r#""cached":6"#), "{preview}");
}

#[test]
fn cache_explain_of_an_unknown_sample_lists_the_samples() {
    let context = project();
    let arguments = with_agent(&[]);
    let finished = context.run(&[&["cache", "explain", "s999"], &arguments[1..]].concat()).expect(2);
    assert!(says(&finished, "there is no sample `s999`") && says(&finished, "s001, s002, s003"), "{finished:#?}");
    assert!(!context.home().exists(), "explaining writes nothing");
}

#[test]
fn explaining_refuses_the_flags_of_a_run() {
    let context = TestContext::with_agent();
    for flag in ["--export", "--resume", "--regrade"] {
        context.run(&["cache", "explain", "s001", flag, "x"]).expect(2).says(&["unknown"]);
    }
}
