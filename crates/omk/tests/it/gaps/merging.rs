//! Missing things that a model takes for one: in `omk gaps list` and in the inbox of `omk observe`.

use serde_json::{Value, json};
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::{eval, project, said, set_agent};
use crate::fixtures::context::TestContext;
use crate::observe::{observation, shown, with_sessions};

const MODEL: [&str; 2] = ["--judge-model", "openai-api:gpt-4o-mini"];
const SECRET: &str = "sk-merge-0123456789abcdef";

/// A server that answers with what `reply` makes of the request's id and the lines that it shows.
fn serve(context: &mut TestContext, reply: impl Fn(&str, &[&str]) -> FakeReply + Send + Sync + 'static) -> FakeApi {
    let api = FakeApi::start(ReplyScript::with(move |request| {
        let shown = request.prompt().split("<<<").nth(1).unwrap().to_owned();
        let (id, rest) = shown.split_once('\n').unwrap();
        let things: Vec<&str> = rest.split_once(&format!("\n{id}>>>")).unwrap().0.lines().collect();
        reply(id, &things)
    }));
    context.env("OPENAI_API_KEY", SECRET);
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    api
}

/// A reply that puts the things with one of these words into one group.
fn grouping(words: [&'static str; 2]) -> impl Fn(&str, &[&str]) -> FakeReply + Send + Sync {
    move |id, things| {
        let is_one = |thing: &str| words.iter().any(|word| thing.contains(word));
        let members: Vec<usize> = (1..).zip(things).filter(|(_, thing)| is_one(thing)).map(|(at, _)| at).collect();
        groups(id, &json!([{"members": members, "reason": "turnover is revenue", "confidence": 0.9}]))
    }
}

fn groups(id: &str, groups: &Value) -> FakeReply {
    FakeReply::text(json!({"id": id, "reasoning": "two words for one thing", "groups": groups}).to_string())
}

fn with_gaps() -> TestContext {
    let context = project();
    set_agent(&context, &["revenue_schema", "turnover_ledger", "customers", "password hunter2-of-kim@example.com"]);
    eval(&context);
    context
}

#[test]
fn gaps_that_a_model_takes_for_one_are_named_with_its_verdict_and_keep_their_ids() {
    let mut context = with_gaps();
    let api = serve(&mut context, grouping(["revenue", "turnover"]));
    let alone = context.run(&["gaps", "list", "--json"]).expect(0).json();
    assert_eq!((&alone["merged"], api.count()), (&json!([]), 0), "nobody is asked unasked");
    let list = [&["gaps", "list"][..], &MODEL].concat();
    let document = context.run(&[&list[..], &["--json"]].concat()).expect(0).json();
    let of = &document["merged"][0];
    let id = |subject: &str| {
        document["gaps"].as_array().unwrap().iter().find(|row| row["subject"] == subject).unwrap()["id"].clone()
    };
    let ids: Vec<Value> =
        of["subjects"].as_array().unwrap().iter().map(|subject| id(subject.as_str().unwrap())).collect();
    assert_eq!((of["ids"].as_array().unwrap(), ids.len(), &of["confidence"]), (&ids, 2, &json!(0.9)));
    assert_eq!(document["gaps"], alone["gaps"], "each keeps its row");
    let text = context.run(&list).expect(0);
    for part in
        ["one page would answer these", "revenue_schema (gap-", "turnover_ledger (gap-", "0.90: turnover is revenue"]
    {
        assert!(said(&text).contains(part), "{part}\n{}", text.stdout);
    }
    assert_eq!(api.count(), 1, "the second answer is from the cache");
    let sent = api.requests()[0].body.to_string();
    assert!(sent.contains("customers") && !sent.contains("kim@example.com"), "{sent}");
    // What was dismissed is no page to write.
    let dismissed = id("customers");
    context.run(&["gaps", "dismiss", dismissed.as_str().unwrap(), "--reason", "no"]).expect(0);
    context.run(&list).expect(0);
    assert!(!api.requests()[1].body.to_string().contains("customers"));
}

#[test]
fn what_a_model_replies_instead_merges_nothing() {
    for (case, reply) in [
        ("no object", None),
        ("a number that no thing has", Some(json!([{"members": [1, 99], "reason": "r", "confidence": 1}]))),
        ("zero", Some(json!([{"members": [0, 1], "reason": "r", "confidence": 1}]))),
        ("one thing", Some(json!([{"members": [1], "reason": "r", "confidence": 1}]))),
        ("the same twice", Some(json!([{"members": [1, 1], "reason": "r", "confidence": 1}]))),
        ("a confidence of 2", Some(json!([{"members": [1, 2], "reason": "r", "confidence": 2}]))),
        ("no reason", Some(json!([{"members": [1, 2], "reason": " ", "confidence": 1}]))),
        (
            "two groups with one thing",
            Some(
                json!([{"members": [1, 2], "reason": "r", "confidence": 1}, {"members": [2, 3], "reason": "r", "confidence": 1}]),
            ),
        ),
    ] {
        let mut context = with_gaps();
        let api = serve(&mut context, move |id, _| match &reply {
            Some(of) => groups(id, of),
            None => FakeReply::text("They are all the same."),
        });
        let run = context.run(&[&["gaps", "list", "--json"][..], &MODEL].concat()).expect(0);
        assert_eq!((&run.json()["merged"], api.count()), (&json!([]), 3), "{case}");
        assert!(run.stderr.contains("nothing is merged"), "{case}: {}", run.stderr);
    }
}

#[test]
fn inbox_counts_together_what_a_model_takes_for_one() {
    let mut context = with_sessions();
    context.run(&["observe", "logs"]).expect(0);
    let stored = observation(&context);
    let api = serve(&mut context, grouping(["user_profile", "other_table"]));
    let inbox = [&["observe", "inbox"][..], &MODEL].concat();
    let document = context.run(&[&inbox[..], &["--json"]].concat()).expect(0).json();
    let all = document.as_array().unwrap();
    assert_eq!((all.len(), stored["inbox"].as_array().unwrap().len()), (2, 3));
    let of = all.iter().find(|of| of.get("merged").is_some()).unwrap();
    assert_eq!((&of["sessions"], &of["signals"], of["evidence"].as_array().unwrap().len()), (&json!(2), &json!(2), 2));
    assert_eq!(of["last"].as_str().unwrap().get(..10), Some("2026-03-09"));
    assert_eq!((&of["merged"]["confidence"], of["merged"]["ids"].as_array().unwrap().len()), (&json!(0.9), 2));
    let text = shown(&context.run(&inbox).expect(0).stdout);
    for part in ["one page would answer these", "user_profile (gap-", "other_table (gap-", "turnover is revenue"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(api.count(), 1);
    assert_eq!(observation(&context), stored, "the stored observation stays");
}
