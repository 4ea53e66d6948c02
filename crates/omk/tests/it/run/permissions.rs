//! What agents may do without asking.

use std::fs;

use serde_json::json;
use testkit::{FakeAnswer, FakeReply, Request};

use super::installed_agents::each;
use super::sandbox::{has_result, tried};
use super::{answer, eval_with, says, says_better, valid};
use crate::fixtures::context::TestContext;

/// A project whose agent of this name logs its arguments and says `better` in the words of `stream`.
fn logging(name: &str, stream: &str) -> TestContext {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script(
        &format!("bin/{name}"),
        &format!("[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\ncat > /dev/null; printf '<%s>' \"$@\" >&2; printf '<IS_SANDBOX=%s>' \"$IS_SANDBOX\" >&2\necho '{stream}'; exit 7"),
    );
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"] {
        context.env(key, "sk-permissions-0123456789");
    }
    context
}

/// The arguments that a run of this agent was started with: it fails, and the report has the end of its standard error.
fn arguments(name: &str, more: &[&str]) -> String {
    let context = logging(name, "");
    let more = [&["--report-only", "--no-cache", "--retry", "0"], more].concat();
    context.run(&eval_with(name, &more));
    context.report()["results"][0]["variants"]["v2"]["error"].to_string()
}

#[test]
fn each_mode_is_asked_for_in_the_words_of_the_agent() {
    let expected = [
        ("claude", "edits", "<--permission-mode><acceptEdits>"),
        ("claude", "bypass", "<--permission-mode><bypassPermissions>"),
        ("claude", "bypass", "<IS_SANDBOX=1>"),
        ("claude", "default", "<IS_SANDBOX=>"),
        ("gemini", "default", "<--approval-mode><default>"),
        ("gemini", "edits", "<--approval-mode><auto_edit>"),
        ("gemini", "bypass", "<--approval-mode><yolo>"),
    ];
    for (agent, mode, words) in expected {
        let found = arguments(agent, &["--permissions", mode]);
        assert!(found.contains(words), "{agent} {mode}: {found}");
    }
    assert!(!arguments("claude", &[]).contains("--permission-mode"));
    // Where ours is off, its own sandbox.
    let edits = arguments("codex", &["--permissions", "edits", "--no-sandbox"]);
    assert!(edits.contains("<-s><workspace-write>"), "{edits}");
}

#[test]
fn more_than_the_default_is_refused_without_a_copy_and_every_tool_without_a_sandbox() {
    let context = logging("claude", "");
    let refused = |more: &[&str], what: &str, remedy: &str| {
        let finished = context.run(&eval_with("claude", more)).expect(2);
        assert!(says(&finished, what) && says(&finished, remedy), "{finished:#?}");
        assert!(context.reports().is_empty());
    };
    for mode in ["edits", "bypass"] {
        let open = ["--permissions", mode, "--no-strict-baseline"];
        refused(&open, &format!("`{mode}` is for an agent in a throwaway copy"), "leave `--no-strict-baseline` out");
    }
    let unsafe_bypass = ["--permissions", "bypass", "--no-sandbox"];
    refused(&unsafe_bypass, "only run in a sandbox", "leave `--no-sandbox` out");
    context
        .write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: claude\npermissions: bypass\nsandbox: false\n");
    let finished = context.run(&["eval"]).expect(2);
    assert!(says(&finished, "only run in a sandbox") && says(&finished, "`sandbox: false`"), "{finished:#?}");
    assert!(!finished.stderr.contains("control: v1"), "{finished:#?}");
}

#[test]
fn executor_without_tools_refuses_a_mode_by_its_name() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    for executor in ["./agent", "anthropic-api"] {
        let finished = context.run(&eval_with(executor, &["--permissions", "edits"])).expect(2);
        assert!(says(&finished, &format!("`{executor}` has no permission mode `edits`")), "{finished:#?}");
    }
}

#[test]
fn arms_with_different_modes_differ_and_the_report_says_so() {
    let context =
        logging("claude", r#"{"type": "result", "subtype": "success", "is_error": false, "result": "better"}"#);
    let script = fs::read_to_string(context.path("bin/claude")).unwrap();
    context.script("bin/claude", script.trim_start_matches("#!/bin/sh\n").trim_end_matches("; exit 7"));
    let file = |varies: &str| {
        format!(
            "control: v1\ntreatments:\n  - {{artifact: v2, permissions: bypass}}\nexecutor: claude\nvaries: [{varies}]\n"
        )
    };
    context.write("eval.yaml", &file("artifact"));
    let finished = context.run(&["eval", "--report-only"]).expect(2);
    assert!(says(&finished, "`v2` has other permissions than that of the control"), "{finished:#?}");
    context.write("eval.yaml", &file("artifact, permissions"));
    let plan = context.run(&["eval", "--dry-run"]).expect(0);
    assert!(plan.stdout.contains("v1 default, v2 bypass"), "{plan:#?}");
    let checked = context.run(&["doctor"]);
    let shown = checked.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("with the permissions `bypass, default`"), "{checked:#?}");
    let finished = context.run(&["eval", "--report-only"]).expect(0);
    let shown = finished.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("v1 default, v2 bypass; each worked in a throwaway copy"), "{finished:#?}");
    let report = valid(context.report());
    assert_eq!(report["meta"]["permissions"], json!({"v1": "default", "v2": "bypass"}));
    // The mode is part of what the cache knows an answer by: the control alone is answered from it.
    context.write("eval.yaml", "control: v1\ntreatments: [v2]\nexecutor: claude\n");
    context.run(&["eval", "--report-only"]).expect(0);
    let report = valid(context.report());
    assert_eq!(report["meta"].get("permissions"), None);
    let cached = |variant: &str| report["summary"][variant]["cached"].clone();
    assert_eq!((cached("v1"), cached("v2")), (json!(1), json!(0)));
}

#[test]
fn judge_gets_no_mode() {
    let context = logging("claude", "");
    // A question to a judge has the sample's question and its own.
    let stream = r#"{"type": "result", "subtype": "success", "is_error": false, "result": "better"}"#;
    context.script(
        "bin/claude",
        &format!("[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\nq=$(cat); printf '<%s>' \"$@\" >&2\ncase \"$q\" in *question*question*) exit 7 ;; esac\necho '{stream}'"),
    );
    let sample = json!([{"sample_id": "a", "prompt": "question", "rubric": "question: says better"}]);
    context.write("eval-samples.json", &sample.to_string());
    context.run(&eval_with("claude", &["--permissions", "bypass", "--report-only", "--no-cache", "--retry", "0"]));
    let journal = super::journal(&context.home());
    let judged = journal.iter().find(|line| line["judgement"]["result"].is_object()).unwrap()["judgement"].to_string();
    assert!(judged.contains("<stream-json>") && !judged.contains("--permission-mode"), "{judged}");
}

/// Claude and gemini write files by tools that need permission.
#[test]
fn agent_that_may_edit_writes_files_in_its_copy_and_by_default_it_does_not() {
    let script = |request: &Request| {
        let tool = match request.path.contains("GenerateContent") {
            true => ("write_file".to_owned(), json!({"file_path": "new.txt", "content": "written"})),
            false => ("Write".to_owned(), json!({"file_path": "new.txt", "content": "written"})),
        };
        match has_result(request) {
            false => FakeReply::answer(FakeAnswer { tool: Some(tool), ..answer("let me write") }),
            true => FakeReply::answer(answer("better")),
        }
    };
    for agent in each(script).into_iter().filter(|agent| agent.name != "codex") {
        for (mode, status) in [("default", "failed"), ("edits", "ok"), ("bypass", "ok")] {
            let (report, text) = tried(&agent, &["--permissions", mode]);
            let call = super::results(&report)["s001/v2"]["toolCalls"][0].clone();
            let found = if call["status"] == "ok" { "ok" } else { "failed" };
            assert_eq!(found, status, "{} {mode}: {text} {call}", agent.name);
        }
        assert!(!agent.context.path("new.txt").exists());
    }
}
