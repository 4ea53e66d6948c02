//! `omk doctor --isolation`: the installed agents are called against omk's own server, and what leaks is named.

use std::path::PathBuf;

use serde_json::Value;
use testkit::{FakeApi, ReplyScript};

use super::{installed, says_better};
use crate::fixtures::context::TestContext;

/// A line that only the artifact of the treatment has.
const LINE: &str = "Every purple reply ends with a rhyme about ducks.";
/// The user's own key, which the check doesn't use.
const KEY: &str = "sk-of-the-user-0123456789";

struct LeakyAgent {
    name: &'static str,
    program: Option<PathBuf>,
    variables: [&'static str; 2],
    /// The file that it reads in a working directory by itself.
    instructions: &'static str,
}

fn agents() -> [LeakyAgent; 3] {
    let agent = |name, program, variables, instructions| LeakyAgent { name, program, variables, instructions };
    [
        agent("claude", testkit::tools::claude(), ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"], "CLAUDE.md"),
        agent("codex", testkit::tools::codex(), ["OPENAI_API_KEY", "OPENAI_BASE_URL"], "AGENTS.md"),
        agent("gemini", testkit::tools::gemini(), ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"], "GEMINI.md"),
    ]
}

/// A project whose instructions for the agent hold a line of `v2`.
fn project(agent: &LeakyAgent, api: &FakeApi) -> Option<TestContext> {
    let [key, base] = agent.variables;
    let mut context = installed(agent.name, agent.program.clone()?, &[(key, KEY), (base, &api.url)]);
    context.env("HOME", &context.path("me").display().to_string());
    context.write("skills/v1.md", "Answer in one plain sentence, please.\n");
    context.write("skills/v2.md", &format!("# Rhymes\n{LINE}\n"));
    context.write(agent.instructions, &format!("- {LINE}\n"));
    context.samples(1, &says_better());
    Some(context)
}

fn settings(context: &TestContext, agent: &str, is_strict: bool) {
    let text = format!("executor: {agent}\nstrictBaseline: {is_strict}\ncontrol: v1\ntreatments: [v2]\n");
    context.write("eval.yaml", &text);
}

/// Status and message of what is said of the isolation.
fn said(document: &Value) -> Vec<(String, String)> {
    let of = |line: &Value| (line["status"].as_str().unwrap().to_owned(), line["message"].as_str().unwrap().to_owned());
    let lines = document["checks"].as_array().unwrap().iter();
    lines.filter(|line| line["check"] == "isolation").map(of).collect()
}

#[test]
fn an_isolated_agent_is_found_to_show_nothing_of_another_variant() {
    for agent in agents() {
        let api = FakeApi::start(ReplyScript::happy());
        let Some(context) = project(&agent, &api) else { continue };
        settings(&context, agent.name, true);
        let plan = |context: &TestContext| {
            context.run(&["eval", "--dry-run", "--json", "--model", "claude-opus-5", "--no-judge"]).expect(0).json()
        };
        let basis = |context: &TestContext| plan(context)["cost"]["basis"]["message"].as_str().unwrap().to_owned();
        assert!(basis(&context).contains("(assumed"), "{}", basis(&context));
        assert!(!context.run(&["doctor", "--json", "--model", "claude-opus-5"]).stdout.contains(KEY));
        let measured = basis(&context);
        assert!(measured.contains("(measured by `omk doctor`)"), "{}: {measured}", agent.name);
        let own = measured.split(" tokens of the agent's own").next().unwrap().rsplit(' ').next().unwrap();
        assert!((5_000..40_000).contains(&own.parse::<u32>().unwrap()), "{}: {measured}", agent.name);
        let before = said(&context.run(&["doctor", "--json"]).json());
        assert!(before.len() == 1 && before[0].0 == "info" && before[0].1.contains("--isolation"), "{before:?}");

        let found = context.run(&["doctor", "--isolation", "--json"]);
        let lines = said(&found.json());
        assert!(lines.len() == 2 && lines.iter().all(|(status, _)| status == "ok"), "{}: {lines:?}", agent.name);
        assert!(lines[0].1.starts_with("`v1`: ") && lines[1].1.starts_with("`v2`: "), "{lines:?}");
        assert!(!found.stdout.contains(KEY));
        // The vendor is asked nothing: whether something answers there is all that is looked at.
        assert!(api.requests().iter().all(|request| request.method == "HEAD"), "{:?}", api.requests());

        let after = said(&context.run(&["doctor", "--json"]).json());
        assert!(after.len() == 1 && after[0].0 == "ok", "{after:?}");
        context.write("skills/v2.md", &format!("{LINE}\nAnd with another line that is new here.\n"));
        assert_eq!(said(&context.run(&["doctor", "--json"]).json())[0].0, "info", "another artifact");
    }
}

#[test]
fn what_an_open_agent_shows_of_another_variant_is_named() {
    for agent in agents().into_iter().filter(|agent| agent.name != "gemini") {
        let api = FakeApi::start(ReplyScript::happy());
        let Some(context) = project(&agent, &api) else { continue };
        settings(&context, agent.name, false);
        let lines = said(&context.run(&["doctor", "--isolation", "--json"]).expect(2).json());
        assert_eq!(lines.len(), 2, "{lines:?}");
        let of = |name: &str| lines.iter().find(|(_, text)| text.starts_with(name)).unwrap();
        let (status, text) = of("`v1` ");
        let is_named = text.contains("`v2`") && text.contains("purple reply");
        assert!(status == "problem" && is_named, "{}: {lines:?}", agent.name);
        assert_eq!(of("`v2`: ").0, "ok", "its own is no leak: {lines:?}");
        let after = said(&context.run(&["doctor", "--json"]).expect(2).json());
        assert!(after.len() == 1 && after[0].0 == "problem", "{after:?}");
    }
}

#[test]
fn an_agent_that_asks_nothing_is_not_called_clean() {
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("bin/claude", "[ \"$1\" = --version ] && echo 9.8.7 || exit 3\n");
    context.env("PATH", &format!("{}:/usr/bin:/bin", context.path("bin").display()));
    context.env("HTTPS_PROXY", "http://127.0.0.1:1");
    settings(&context, "claude", true);
    let lines = said(&context.run(&["doctor", "--isolation", "--json"]).expect(2).json());
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.iter().all(|(status, text)| status == "problem" && text.contains("asked nothing")), "{lines:?}");

    std::fs::remove_file(context.path("bin/claude")).unwrap();
    let lines = said(&context.run(&["doctor", "--isolation", "--json"]).expect(2).json());
    assert!(lines.len() == 1 && lines[0].0 == "problem", "{lines:?}");

    settings(&context, "./agent", true);
    let lines = said(&context.run(&["doctor", "--isolation", "--json"]).expect(0).json());
    assert!(lines.len() == 1 && lines[0].0 == "info", "{lines:?}");
}
