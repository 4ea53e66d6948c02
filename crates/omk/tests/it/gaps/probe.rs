//! `omk sample --probe`: a real HTTP server in the model's place.

use std::fs;

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::{eval, project, said};
use crate::fixtures::context::TestContext;
use crate::run::{pages, valid};

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

/// Each rate has its own test set, whichever of the two runs last; none of the two enters the other.
#[test]
fn rate_on_probes_and_rate_on_the_samples_of_people_stand_beside_each_other() {
    let context = project();
    context.write(
        "eval-samples.probe.yaml",
        "- sample_id: probe-1\n  prompt: the table\n  provenance: llm-generated\n  assertions: [{type: contains, value: two}]\n",
    );
    let flags = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--details"];
    let probe = [&flags[..], &["--samples", "eval-samples.probe.yaml"]].concat();
    let people = eval(&context);
    let gap = |context: &TestContext| valid(context.report())["analysis"]["gap"]["v1"].clone();
    let human = context.report();
    assert_eq!(gap(&context).get("beside"), None);
    assert!(!said(&people).contains("beside it"), "{}", people.stdout);
    let run = context.run(&probe);
    let of = gap(&context);
    assert_eq!((&of["gapRate"], &of["testSet"]["llmGenerated"]), (&json!(1.0), &json!(true)));
    assert_eq!(of["beside"], json!({"report": human["id"], "testSet": human["meta"]["testSet"], "gapRate": 0.5}));
    let set = human["meta"]["testSet"]["id"].as_str().unwrap();
    let beside =
        format!("beside it, on the 2 samples of {set} (eval-samples.json), which people designed: gap rate 50.0 %");
    for text in ["a model proposed the samples of eval-samples.probe.yaml@", &beside] {
        assert!(said(&run).contains(text), "{text}\n{}", run.stdout);
        assert!(pages(&context).iter().all(|page| page.contains(text)), "{text}\n{:?}", pages(&context));
    }
    context.run(&["report", "verdict", "latest"]).expect(0);
    let again = context.run(&[&flags[..], &["--gap-rate-regression", "0"]].concat()).expect(0);
    assert!(
        said(&again).contains("(eval-samples.probe.yaml), which a model proposed: gap rate 100.0 %"),
        "{}",
        again.stdout
    );
    let series = context.run(&["trend", "--json"]).expect(0).json()["series"].clone();
    let sizes =
        |of: &Value| of.as_array().unwrap().iter().map(|of| of["points"].as_array().unwrap().len()).collect::<Vec<_>>();
    assert_eq!(sizes(&series), [2, 1]);
}
