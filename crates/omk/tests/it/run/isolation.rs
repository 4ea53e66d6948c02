//! Isolation of the variants: which channels are cut, and which are `unverified`.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeApi, ReplyScript};

use super::{eval_with, says_better, valid, with_agent};
use crate::fixtures::context::TestContext;

const CHANNELS: [&str; 7] =
    ["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"];

/// The report's state of each channel, which must be the same for both variants.
fn isolation(context: &TestContext) -> Value {
    let report = valid(context.report());
    let isolation = &report["meta"]["skillIsolation"];
    assert_eq!(isolation["v1"], isolation["v2"]);
    assert_eq!(isolation["v1"].as_object().unwrap().len(), CHANNELS.len());
    isolation["v1"].clone()
}

fn all(state: &str) -> Value {
    CHANNELS.iter().map(|channel| ((*channel).to_owned(), json!(state))).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn command_isolation_is_unverified_and_api_isolation_is_complete() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.run(&with_agent(&["--report-only"])).expect(0);
    assert_eq!(isolation(&context), all("unverified"));
    fs::remove_dir_all(context.home()).unwrap();
    let api = FakeApi::start(ReplyScript::happy());
    context.env("ANTHROPIC_BASE_URL", &api.url);
    context.run(&eval_with("anthropic-api", &["--report-only"])).expect(0);
    assert_eq!(isolation(&context), all("cut"));
}

#[test]
fn claude_is_started_with_isolation_flags() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    let stream = json!({"type": "result", "subtype": "success", "is_error": false, "result": "better"});
    context.script(
        "bin/claude",
        &format!("[ \"$1\" = --version ] && {{ echo 2.1.330; exit; }}\ncat > /dev/null; printf '<%s>' \"$@\" > args; echo '{stream}'"),
    );
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    context.run(&eval_with("claude", &["--report-only", "--no-cache"])).expect(0);
    let arguments = fs::read_to_string(context.path("args")).unwrap();
    assert!(arguments.contains("<--setting-sources><><--strict-mcp-config><--disable-slash-commands>"), "{arguments}");
    let mut expected = all("cut");
    expected["auto-memory"] = json!("unverified");
    expected["working-directory"] = json!("unverified");
    assert_eq!(isolation(&context), expected);

    fs::remove_dir_all(context.home()).unwrap();
    context.run(&eval_with("claude", &["--report-only", "--no-cache", "--no-strict-baseline"])).expect(0);
    let arguments = fs::read_to_string(context.path("args")).unwrap();
    assert!(!arguments.contains("--strict-mcp-config"), "{arguments}");
    let mut expected = all("open");
    expected["auto-memory"] = json!("unverified");
    expected["working-directory"] = json!("unverified");
    assert_eq!(isolation(&context), expected);
}

#[test]
fn requests_of_the_variants_differ_only_in_the_artifact() {
    let api = FakeApi::start(ReplyScript::happy());
    let mut context = TestContext::with_agent();
    context.samples(2, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    context
        .run(&["eval", "--control", "baseline", "--treatment", "v2", "--executor", "openai-api", "--report-only"])
        .expect(0);
    let bodies: Vec<Value> = api.requests().into_iter().map(|request| request.body).collect();
    let (with, without): (Vec<&Value>, Vec<&Value>) =
        bodies.iter().partition(|body| body.to_string().contains("ANSWER"));
    assert_eq!((with.len(), without.len()), (2, 2));
    for (treated, bare) in with.iter().zip(&without) {
        let mut stripped = (*treated).clone();
        stripped["messages"].as_array_mut().unwrap().retain(|message| message["role"] != "system");
        let same_sample = without.iter().any(|bare| **bare == stripped);
        assert!(same_sample && bare["messages"].as_array().unwrap().len() == 1, "{treated} beside {bare}");
    }
}
