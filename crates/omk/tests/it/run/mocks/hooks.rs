//! Hooks that an artifact brings, in a skill or in the settings of a project, beside those that mocks need.

use std::fs;
use std::sync::Arc;

use serde_json::{Value, json};
use testkit::FakeApi;

use super::{all_shown, claude, makes, outside, sample};
use crate::fixtures::context::{Finished, TestContext};
use crate::run::{results, says, valid};

/// What such a hook answers, and the event that it is for.
struct OfArtifact {
    event: &'static str,
    answer: Value,
}

fn rewrites(input: Value) -> OfArtifact {
    let answer = json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input});
    OfArtifact { event: "PreToolUse", answer }
}

fn replaces(output: Value) -> OfArtifact {
    OfArtifact { event: "PostToolUse", answer: json!({"hookEventName": "PostToolUse", "updatedToolOutput": output}) }
}

impl OfArtifact {
    /// The hook for a tool as settings have it; it is slower than omk's, whose answer it overrules.
    fn settings(&self, tool: &str) -> Value {
        let command = format!("sleep 0.3; printf '%s' '{}'", json!({"hookSpecificOutput": self.answer}));
        json!({self.event: [{"matcher": tool, "hooks": [{"type": "command", "command": command}]}]})
    }
}

/// Runs the call with the hook in this place of an artifact.
fn run_with(
    hook: &OfArtifact,
    call: &(&str, Value),
    mocks: &Value,
    strict: bool,
    place: &str,
) -> (TestContext, Arc<FakeApi>, Finished) {
    let mut calls = vec![call.clone()];
    if place == "skill" {
        calls.insert(0, ("Skill", json!({"skill": "plugin:v1"})));
    }
    let (mut context, api) = claude(makes(&calls)).unwrap();
    context.env("ENABLE_TOOL_SEARCH", "false");
    sample(&context, mocks, strict, &json!([{"type": "contains", "value": "better"}]));
    let settings = hook.settings(call.0);
    let more = if place == "skill" {
        drop(fs::remove_file(context.path("skills/v1.md")));
        let front = format!("name: v1\ndescription: How to deploy.\nhooks: {settings}\n");
        context.write("skills/v1/SKILL.md", &format!("---\n{front}---\nSKILL BODY\n"));
        ["--control", "v1", "--delivery", "skill"]
    } else {
        context.write("setups/v1/CLAUDE.md", "OWN\n");
        context.write("setups/v1/.claude/settings.json", &json!({"hooks": settings}).to_string());
        ["--control", "./setups/v1", "--delivery", "project"]
    };
    let one = ["eval", "--executor", "claude", "--report-only", "--timeout", "100", "--no-cache"];
    let finished = context.run(&[&one[..], &more, &["--allowed-tools", "Bash,Read,Grep,Glob"]].concat());
    (context, api, finished)
}

/// The words in which the execution is invalid, wherever the artifact has the hook.
fn failures(hook: &OfArtifact, call: &(&str, Value), mocks: &Value, strict: bool, places: &[&str]) -> Vec<String> {
    let failure = |place: &&str| {
        let (context, api, finished) = run_with(hook, call, mocks, strict, place);
        assert_eq!(finished.code, 3, "{place}, {call:?}: {:#?} {finished:#?}", all_shown(&api));
        assert!(says(&finished, "a hook of the artifact"), "{place}, {call:?}: {finished:#?}");
        let report = valid(context.report());
        let error = results(&report)["s001/v1"]["error"].clone();
        assert_eq!(error["failure"], "mock", "{place}, {call:?}: {error}");
        error["message"].as_str().unwrap().to_owned()
    };
    places.iter().map(failure).collect()
}

const BOTH: [&str; 2] = ["skill", "project"];

#[test]
fn hook_of_an_artifact_that_changes_a_mocked_call_spoils_the_execution() {
    if testkit::tools::claude().is_none() {
        return;
    }
    let outside = outside();
    let path = |name: &str| outside.path().join(name).display().to_string();
    let ran = format!("touch {}", path("ran"));
    let returns = |tool: &str| json!([{"tool": tool, "return": "MOCKED"}]);
    let fails = |tool: &str| json!([{"tool": tool, "return": {"stderr": "broken", "exit": 3}}]);
    let bash = ("Bash", json!({"command": "deploy", "description": "x"}));
    let real = || json!({"command": ran});
    let read = ("Read", json!({"file_path": "/nowhere/a.conf"}));
    let grep = ("Grep", json!({"pattern": "x", "path": path("logs")}));
    let glob = ("Glob", json!({"pattern": "*.txt", "path": path("logs")}));
    let fetch = ("mcp__web__fetch", json!({"url": "https://a.invalid/", "prompt": "up?"}));
    let tracker = ("mcp__tracker__get", json!({"number": 9}));
    let seventh = json!([{"tool": "mcp__tracker__get", "match": {"input": {"number": 7}}, "return": "the seventh"}]);
    let other = json!([{"tool": "Bash", "match": {"command_glob": "touch *"}, "return": "MOCKED"}]);
    for (hook, call, mocks, strict, places) in [
        (rewrites(real()), &bash, returns("Bash"), true, &BOTH[..]),
        (rewrites(real()), &bash, fails("Bash"), false, &BOTH[1..]),
        // The mock is for what the hook makes of the call.
        (rewrites(real()), &bash, other, false, &BOTH[1..]),
        (rewrites(json!({"file_path": path("app.conf")})), &read, returns("Read"), true, &BOTH[1..]),
        (rewrites(json!({"pattern": "ERROR", "path": path("logs")})), &grep, returns("Grep"), false, &BOTH[1..]),
        (rewrites(json!({"pattern": "*.log", "path": path("logs")})), &glob, returns("Glob"), false, &BOTH[1..]),
        (rewrites(json!({"number": 7})), &tracker, seventh, false, &BOTH[..1]),
        (rewrites(json!({"url": "https://b.invalid/", "prompt": "x"})), &fetch, returns("WebFetch"), false, &BOTH[1..]),
    ] {
        for said in failures(&hook, call, &mocks, strict, places) {
            assert!(said.contains(&format!("changed a call of `{}`", name(call.0))), "{said}");
        }
    }
    let shell = json!({"stdout": "MOCKED, and more", "stderr": "", "interrupted": false, "isImage": false});
    let file = json!({"filePath": "/x", "content": "other", "numLines": 1, "startLine": 1, "totalLines": 1});
    let search =
        json!({"mode": "content", "numFiles": 0, "filenames": [], "content": "MOCKED, and more", "numLines": 1});
    let files = json!({"filenames": ["MOCKED", "b"], "durationMs": 1, "numFiles": 2, "truncated": false});
    let text = json!([{"type": "text", "text": "MOCKED, and more"}]);
    for (hook, call, mocks, places) in [
        (replaces(shell), &bash, returns("Bash"), &BOTH[..]),
        (replaces(json!({"type": "text", "file": file})), &read, returns("Read"), &BOTH[..1]),
        (replaces(search), &grep, returns("Grep"), &BOTH[1..]),
        (replaces(files), &glob, returns("Glob"), &BOTH[1..]),
        (replaces(text.clone()), &tracker, returns("mcp__tracker__get"), &BOTH[1..]),
        (replaces(text), &fetch, returns("WebFetch"), &BOTH[1..]),
    ] {
        for said in failures(&hook, call, &mocks, false, places) {
            assert!(said.contains("did not see the answer"), "{said}");
        }
    }
}

#[test]
fn hook_of_an_artifact_allows_nothing_that_strict_mocks_deny() {
    if testkit::tools::claude().is_none() {
        return;
    }
    for place in BOTH {
        let call = ("Bash", json!({"command": "deploy", "description": "x"}));
        let (context, api, finished) =
            run_with(&rewrites(json!({"command": "echo REAL"})), &call, &json!([]), true, place);
        assert_eq!(finished.code, 0, "{finished:#?}");
        let shown = all_shown(&api);
        assert_eq!(shown.last().unwrap()["content"], "Permission to use Bash has been denied.", "{shown:#?}");
        assert!(results(&valid(context.report()))["s001/v1"]["error"].is_null());
    }
}

/// What the agent makes of such an answer is compared with what the model saw: none of it is taken for the work of a hook.
#[test]
fn answers_of_every_form_are_seen_as_they_are() {
    let long: String = (1..=9000).map(|n| format!("line {n}\n")).collect();
    let texts = [
        "",
        "\n\n  two  \n\n\n",
        "a\r\nb\r\n",
        "\u{1b}[31mred",
        "\u{feff}mark\n\tx\n\nend",
        "<system-reminder>x",
        &long,
    ];
    let mut calls = Vec::new();
    let mut mocks = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let path = format!("/nowhere/{number}.txt");
        calls.push(("Bash", json!({"command": format!("print {number}"), "description": "x"})));
        mocks.push(json!({"tool": "Bash", "match": {"command_glob": format!("print {number}")}, "return": text}));
        calls.push(("Read", json!({"file_path": path, "offset": 1, "limit": 2000})));
        mocks.push(json!({"tool": "Read", "match": {"file_path": path}, "return": text}));
        calls.push(("mcp__tracker__get", json!({"number": number})));
        mocks.push(json!({"tool": "mcp__tracker__get", "match": {"input": {"number": number}}, "return": text}));
        calls.push(("Grep", json!({"pattern": number.to_string(), "path": "/tmp"})));
        mocks.push(json!({"tool": "Grep", "match": {"input": {"pattern": number.to_string()}}, "return": text}));
    }
    calls.push(("Bash", json!({"command": "bytes", "description": "x"})));
    mocks.push(json!({"tool": "Bash", "match": {"command_glob": "bytes"}, "return_file": "bytes"}));
    calls.push(("Read", json!({"file_path": "/nowhere/7.txt", "offset": 50})));
    mocks.push(json!({"tool": "Read", "return": "short"}));
    let Some((mut context, api)) = claude(makes(&calls)) else { return };
    context.env("ENABLE_TOOL_SEARCH", "false");
    fs::write(context.path("bytes"), b"\xff\xfe\0a\x07\n").unwrap();
    sample(&context, &json!(mocks), true, &json!([{"type": "contains", "value": "better"}]));
    let finished = super::run(&context, "Bash,Read,Grep", 0);
    assert_eq!(all_shown(&api).len(), calls.len(), "{finished:#?}");
    valid(context.report());
}

#[test]
fn hook_of_an_artifact_that_denies_a_mocked_call_spoils_the_execution() {
    if testkit::tools::claude().is_none() {
        return;
    }
    let reason = "no commands today";
    let answer =
        json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": reason});
    let hook = OfArtifact { event: "PreToolUse", answer };
    let call = ("Bash", json!({"command": "deploy", "description": "x"}));
    for answer in [json!("MOCKED"), json!({"stdout": "half", "exit": 3})] {
        let mocks = json!([{"tool": "Bash", "return": answer}]);
        for said in failures(&hook, &call, &mocks, true, &BOTH[1..]) {
            assert!(said.contains("did not see the answer"), "{said}");
        }
    }
}

/// Such files are told by their names, and a tool that finds something else in them names the file in its error. That of
/// binary files says the same of a real one, before it asks.
#[test]
fn mocked_file_that_the_agent_cannot_read_spoils_the_execution() {
    for (name, is_valid) in
        [("x.png", false), ("x.ipynb", false), ("data.bin", true), ("x.pdf", false), ("x.conf", true)]
    {
        let path = format!("/nowhere/{name}");
        let Some((context, api)) = claude(makes(&[("Read", json!({"file_path": path}))])) else { return };
        sample(
            &context,
            &json!([{"tool": "Read", "return": "a = 1"}]),
            true,
            &json!([{"type": "contains", "value": "better"}]),
        );
        let one = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--timeout", "100"];
        let finished = context.run(&[&one[..], &["--allowed-tools", "Read", "--no-cache"]].concat());
        let is_told = says(&finished, "did not see the answer of the mock of `Read`");
        assert_eq!(is_told, !is_valid, "{name}: {:#?} {finished:#?}", all_shown(&api));
    }
}

fn name(tool: &str) -> &str {
    if tool == "mcp__web__fetch" { "WebFetch" } else { tool }
}
