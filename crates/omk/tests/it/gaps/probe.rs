//! `omk sample --probe`: a real HTTP server in the model's place.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript};

use crate::fixtures::context::TestContext;

const PROBE: [&str; 5] = ["sample", "--probe", "--kb", "docs", "--judge-model"];
const MODEL: &str = "openai-api:gpt-4o-mini";

/// A knowledge base, and a model that proposes these questions.
fn with_model(questions: Value) -> (TestContext, FakeApi) {
    let mut context = TestContext::new();
    context.write("docs/billing.md", "# Billing\n\n## Refunds\n\nText.\n\n```sh\n# no heading\n```\n");
    context.write("docs/CLAUDE.md", "Answer for merchants only.\n");
    context.write("docs/logo.bin", "\u{0}");
    let api = FakeApi::start(ReplyScript::with(move |request| {
        let prompt = request.prompt();
        let id = prompt.split("<<<").nth(1).unwrap().lines().next().unwrap().to_owned();
        let reply = json!({"id": id, "reasoning": "billing is in scope", "questions": questions});
        FakeReply::text(reply.to_string())
    }));
    context.env("OPENAI_API_KEY", "sk-probe-0123456789abcdef");
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    (context, api)
}

fn question(text: &str, scope: &str) -> Value {
    json!({"question": text, "scope": scope})
}

#[test]
fn questions_in_scope_are_drafted_and_kept_apart() {
    let (context, api) = with_model(json!([
        question("How long does a refund to a foreign card take?", "## Refunds"),
        question("how long does the refund to a foreign card take", "docs/billing.md"),
        question("Who won the cup?", "## Sports"),
    ]));
    let run = context.run(&[&PROBE[..], &[MODEL]].concat()).expect(0);
    let text = fs::read_to_string(context.path("eval-samples.probe.yaml")).unwrap();
    assert_eq!(text.matches("sample_id").count(), 1, "one asks the same, one is out of scope: {text}");
    for part in ["foreign card", "llm-generated", "Keep this file apart", MODEL] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(run.stderr.contains("for questions about 3 files"), "{}", run.stderr);
    let prompt = api.requests()[0].prompt().to_owned();
    for part in ["docs/billing.md", "## Refunds", "Answer for merchants only.", "docs/logo.bin"] {
        assert!(prompt.contains(part), "{part}\n{prompt}");
    }
    assert!(!prompt.contains("no heading") && !prompt.contains("Text."), "only the structure is sent: {prompt}");
    context.write("skills/v1.md", "one");
    context.run(&["eval", "--samples", "eval-samples.probe.yaml", "--control", "v1", "--dry-run"]).expect(0);
}

#[test]
fn answers_are_paid_for_once_and_files_are_kept() {
    let (context, api) = with_model(json!([question("How long does a refund take?", "## Refunds")]));
    context.run(&[&PROBE[..], &[MODEL]].concat()).expect(0);
    let again = context.run(&[&PROBE[..], &[MODEL]].concat()).expect(2);
    assert!(again.stderr.contains("exists, and is kept"), "{}", again.stderr);
    context.run(&[&PROBE[..], &[MODEL, "--output", "more.yaml"]].concat()).expect(0);
    assert_eq!(api.requests().len(), 1);
}

#[test]
fn what_a_model_replies_instead_is_no_draft() {
    let (context, api) = with_model(json!([question("", "## Refunds")]));
    let run = context.run(&[&PROBE[..], &[MODEL]].concat()).expect(3);
    assert!(run.stderr.contains("no questions came"), "{}", run.stderr);
    assert_eq!(api.requests().len(), 3, "an unusable reply is asked for again, twice");
    assert!(!context.path("eval-samples.probe.yaml").exists());
    let (context, _api) = with_model(json!([question("Who won?", "## Sports")]));
    let run = context.run(&[&PROBE[..], &[MODEL]].concat()).expect(3);
    assert!(run.stderr.contains("nothing was written"), "{}", run.stderr);
}

#[test]
fn nothing_is_asked_without_a_knowledge_base() {
    let (context, api) = with_model(json!([]));
    let run = context.run(&["sample", "--probe", "--judge-model", MODEL]).expect(2);
    assert!(run.stderr.contains("there is no knowledge base"), "{}", run.stderr);
    let run = context.run(&["sample", "--probe", "--kb", "nowhere", "--judge-model", MODEL]).expect(2);
    assert!(run.stderr.contains("nowhere"), "{}", run.stderr);
    context.run(&["sample"]).expect(2);
    assert!(api.requests().is_empty());
}
