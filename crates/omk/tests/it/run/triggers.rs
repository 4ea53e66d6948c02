//! Whether an agent loads a skill when it should: the real agents, with a model whose choices are known.

use std::sync::Arc;

use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{answer, asked, installed, valid};
use crate::fixtures::context::{Finished, TestContext};

fn skill(name: &str, marker: &str) -> String {
    format!("---\nname: {name}\ndescription: Does {name}. {marker}\n---\nbody of {name}\n")
}

/// The queries: 4 that should load the skill, 6 that should not, of which one belongs to a neighbour.
fn queries() -> Value {
    let should = (1..=4).map(|n| json!({"query": format!("ticket {n}."), "should_trigger": true}));
    let others = (5..=9).map(|n| json!({"query": format!("other {n}."), "should_trigger": false, "near_miss": n == 5}));
    let neighbour = json!({"query": "deploy 10.", "should_trigger": false, "instead": "deploy"});
    should.chain(others).chain([neighbour]).collect()
}

/// Which skills the model loads for which queries.
type Loads = fn(&Request) -> Option<&'static str>;

/// A project whose claude asks a model that loads those; `None` where claude isn't installed.
fn project(loads: Loads) -> Option<(TestContext, Arc<FakeApi>)> {
    let program = testkit::tools::claude()?;
    let api = Arc::new(FakeApi::start(ReplyScript::with(move |request| {
        let is_first = !request.body.to_string().contains("tool_result");
        match loads(request).filter(|_| is_first) {
            Some(skill) => {
                let input = json!({"skill": skill});
                FakeReply::answer(FakeAnswer { tool: Some(("Skill".to_owned(), input)), ..answer("let me look") })
            }
            None => FakeReply::answer(answer("done")),
        }
    })));
    let key = ("ANTHROPIC_API_KEY", "sk-ant-triggers-0123456789");
    let context = installed("claude", program, &[key, ("ANTHROPIC_BASE_URL", &api.url)]);
    context.write("skills/first/SKILL.md", &skill("tickets", "FIRST"));
    context.write("skills/second/SKILL.md", &skill("tickets", "SECOND"));
    context.write("skills/deploy/SKILL.md", &skill("deploy", "NEIGHBOUR"));
    context.write("triggers.json", &queries().to_string());
    Some((context, api))
}

fn run(context: &TestContext, more: &[&str]) -> Finished {
    let fixed = ["eval", "--samples", "triggers.json", "--timeout", "120", "--concurrency", "4"];
    context.run(&[&fixed[..], more].concat())
}

/// The summary without its line breaks.
fn one_line(of: &Finished) -> String {
    of.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Loads `tickets` for tickets 1 to 3, and for the near miss; `deploy` for what belongs to it, and for ticket 4.
fn three_of_four(request: &Request) -> Option<&'static str> {
    let is = |query: &str| asked(request, query);
    match () {
        () if ["ticket 1.", "ticket 2.", "ticket 3.", "other 5."].iter().any(|query| is(query)) => Some("tickets"),
        () if is("ticket 4.") || is("deploy 10.") => Some("deploy"),
        () => None,
    }
}

#[test]
fn recall_and_precision_are_those_of_the_model() {
    let Some((context, _api)) = project(three_of_four) else { return };
    let finished = run(&context, &["--control", "first", "--with", "deploy", "--report-only"]).expect(0);
    let report = valid(context.report());
    let of = &report["triggers"]["variants"][0];
    let counts = ["truePositives", "falseNegatives", "falsePositives", "trueNegatives", "unmeasured"];
    assert_eq!(counts.map(|name| of[name].as_u64().unwrap()), [3, 1, 1, 5, 0], "{of}");
    // Wilson's interval of 3 of 4, as published tables have it; F1 = 2·3 / (2·3 + 1 + 1).
    for share in ["recall", "precision"] {
        assert_eq!(of[share]["estimate"], 0.75);
        assert!((of[share]["low"].as_f64().unwrap() - 0.3006).abs() < 1e-4, "{of}");
        assert!((of[share]["high"].as_f64().unwrap() - 0.9544).abs() < 1e-4, "{of}");
    }
    assert!((of["f1"]["estimate"].as_f64().unwrap() - 0.75).abs() < 1e-12, "{of}");
    assert_eq!(of["wrong"], json!(["q04", "q05"]));
    assert_eq!(
        of["confusion"],
        json!([
            {"expected": "deploy", "executions": 1, "loaded": {"deploy": 1}},
            {"expected": "none", "executions": 5, "loaded": {"none": 4, "self": 1}},
            {"expected": "self", "executions": 4, "loaded": {"deploy": 1, "self": 3}},
        ])
    );
    for part in ["recall", "75 % (30.1–95.4) 3/4", "`first` went wrong for q04, q05"] {
        assert!(finished.stdout.contains(part), "{part}: {}", finished.stdout);
    }
    let details = context.run(&["report", "export", "latest", "--format", "markdown"]).expect(0).stdout;
    assert!(details.contains("| queries for | this skill | `deploy` | no skill |"), "{details}");
    let again = context.run(&["report", "verdict", "latest"]).expect(0);
    assert!(again.stdout.contains("every stored number follows from the results"), "{again:#?}");
}

#[test]
fn gate_asks_for_recall_and_precision() {
    let Some((context, _api)) = project(three_of_four) else { return };
    let solo = ["--control", "first", "--with", "deploy"];
    let gated = |more: &[&str]| run(&context, &[&solo[..], more].concat());
    gated(&["--min-recall", "0.75", "--min-precision", "0.75"]).expect(0);
    let refused = gated(&["--min-recall", "0.8"]).expect(1);
    let why = "the skill is loaded in 75 % of the runs that should load it; 80 % is asked for";
    assert!(one_line(&refused).contains(why), "{refused:#?}");
    assert!(one_line(&refused).contains("next: say in the description of `first`"), "{refused:#?}");
    let refused = gated(&["--min-precision", "0.9"]).expect(1);
    let why = "75 % of the loads are for queries that should load it; 90 % is asked for";
    assert!(one_line(&refused).contains(why), "{refused:#?}");
}

#[test]
fn two_descriptions_are_compared_query_by_query() {
    // The second description loads for every ticket, and for none of the others.
    let loads: Loads = |request| match asked(request, "SECOND") {
        true => asked(request, "ticket ").then_some("tickets"),
        false => three_of_four(request).filter(|skill| *skill == "tickets"),
    };
    let Some((context, _api)) = project(loads) else { return };
    let finished = run(&context, &["--control", "first", "--treatment", "second", "--report-only"]).expect(0);
    let report = valid(context.report());
    let of = &report["triggers"]["comparisons"][0];
    // McNemar's exact test: 2 of 2 queries changed for the better, p = 2 · (1/2)².
    assert_eq!((&of["better"], &of["worse"]), (&json!(["q04", "q05"]), &json!([])));
    assert!((of["p"].as_f64().unwrap() - 0.5).abs() < 1e-12, "{of}");
    assert_eq!(report["triggers"]["variants"][1]["recall"]["estimate"], 1.0);
    assert!(finished.stdout.contains("right more often for 2 (q04, q05), less often for 0"), "{}", finished.stdout);
    let refused = run(&context, &["--control", "first", "--treatment", "second", "--min-recall", "0.9"]);
    assert!(!one_line(&refused).contains("90 % is asked for"), "{refused:#?}");
    let refused = run(&context, &["--control", "second", "--treatment", "first", "--min-recall", "0.9"]).expect(1);
    assert!(one_line(&refused).contains("90 % is asked for"), "{refused:#?}");
}

#[test]
fn turn_limit_is_no_missing_load() {
    // The model looks around first: with one turn, it never gets to load the skill.
    let Some((context, _api)) = project(|_| Some("tickets")) else { return };
    let two = json!([queries()[0], queries()[4]]).to_string();
    context.write("triggers.json", &two);
    run(&context, &["--control", "first", "--max-turns", "1", "--report-only"]).expect(0);
    let of = valid(context.report())["triggers"]["variants"][0].clone();
    assert_eq!(
        (&of["truePositives"], &of["falsePositives"], &of["unmeasured"]),
        (&json!(1), &json!(1), &json!(0)),
        "{of}"
    );
    let Some((context, _api)) = project(|_| None) else { return };
    let api = FakeApi::start(ReplyScript::with(|_| {
        let tool = Some(("Bash".to_owned(), json!({"command": "true"})));
        FakeReply::answer(FakeAnswer { tool, ..answer("let me look around") })
    }));
    let mut context = context;
    context.write("triggers.json", &two);
    context.env("ANTHROPIC_BASE_URL", &api.url);
    run(&context, &["--control", "first", "--max-turns", "1"]).expect(3);
    let of = valid(context.report())["triggers"]["variants"][0].clone();
    assert_eq!((&of["recall"], &of["unmeasured"]), (&Value::Null, &json!(2)), "{of}");
}

#[test]
fn triggers_stand_in_eval_yaml_and_need_an_agent_and_one_skill() {
    let context = TestContext::with_agent();
    for skill in ["v1", "v2"] {
        std::fs::remove_file(context.path(&format!("skills/{skill}.md"))).unwrap();
    }
    context.write("skills/first/SKILL.md", &skill("tickets", "FIRST"));
    context.write("skills/deploy/SKILL.md", &skill("deploy", "NEIGHBOUR"));
    let yaml = "executor: claude\ntriggers:\n  with: [deploy]\n  queries:\n    - { query: a, should_trigger: true }\n    \
                - { query: b, should_trigger: false, near_miss: true }\n";
    context.write("eval.yaml", yaml);
    // The only skill that is no neighbour is the one the queries are about.
    let plan = context.run(&["eval", "--dry-run", "--json"]);
    if plan.code == 0 {
        let plan = plan.json();
        assert_eq!((&plan["samples"], &plan["variants"][0]["name"]), (&json!(2), &json!("first")));
        assert_eq!(plan["variants"].as_array().unwrap().len(), 1);
    }
    context.samples(1, &json!([{"type": "contains", "value": "x"}]));
    let error = |more: &[&str]| context.run(&[&["eval", "--dry-run"], more].concat()).expect(2).stderr;
    let no_agent = error(&["--triggers", "--executor", "./agent"]);
    assert!(no_agent.contains("can't be offered skills"), "{no_agent}");
    context.write("eval.yaml", "executor: ./agent\ntriggers: []\n");
    assert!(error(&[]).contains("expected a list of queries, found an empty list"));
    context.write("eval.yaml", "executor: ./agent\ntriggers: nowhere.json\n");
    assert!(error(&["--triggers"]).contains("eval.yaml:2:"));
    context.write("eval.yaml", "executor: ./agent\n");
    assert!(error(&["--triggers"]).contains("`triggers` is missing"));
    assert!(error(&["--min-recall", "0.9"]).contains("needs queries that a skill should or should not be loaded for"));
    context.write("q.json", &json!([{"query": "a", "should_trigger": true}, {"query": "b"}]).to_string());
    let missing = error(&["--samples", "q.json", "--control", "first"]);
    assert!(missing.contains("should_trigger") && missing.contains("q.json:1:"), "{missing}");
    context.write("q.json", &json!([{"query": "a", "should_trigger": true}]).to_string());
    let several = error(&["--samples", "q.json"]);
    assert!(several.contains("the queries are about one skill, and there are several: `deploy`, `first`"), "{several}");
}
