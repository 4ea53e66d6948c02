//! Mocks of the installed codex.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use regex::Regex;
use serde_json::{Value, json};
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{only_with, outside, replace_program, restore_program, sample};
use crate::fixtures::context::{Finished, TestContext};
use crate::run::{answer, asked, installed, results, says, valid};

/// What the model made of the tools, in order. Each run has its own ids and times, and nobody knows which of two streams
/// comes first: lines are sorted.
fn shown(request: &Request) -> Vec<String> {
    let items = request.body["input"].as_array().map_or(&[][..], Vec::as_slice);
    let outputs = items.iter().filter(|item| item["type"].as_str().is_some_and(|kind| kind.ends_with("_call_output")));
    let changing = Regex::new(r"Chunk ID: [0-9a-f]+|Wall time:? [0-9.]+ seconds").unwrap();
    let text = |item: &Value| {
        let text = changing.replace_all(&item["output"].to_string(), "-").into_owned();
        let (about, output) = text.split_once("Output:\\n").unwrap_or((&text, ""));
        let mut lines: Vec<&str> = output.split("\\n").collect();
        lines.sort_unstable();
        format!("{about}Output:\\n{}", lines.join("\\n"))
    };
    outputs.map(text).collect()
}

fn all_shown(requests: &[Request]) -> Vec<String> {
    requests.iter().map(shown).max_by_key(Vec::len).unwrap_or_default()
}

/// The installed codex in a project that asks a model which makes these calls one after another.
fn codex(calls: &[(&str, Value)]) -> Option<(TestContext, Arc<FakeApi>)> {
    let program = testkit::tools::codex()?;
    let calls: Vec<(String, Value)> = calls.iter().map(|(tool, input)| ((*tool).to_owned(), input.clone())).collect();
    let api = Arc::new(FakeApi::start(ReplyScript::with(move |request| {
        let next = calls.get(shown(request).len()).filter(|_| asked(request, "question")).cloned();
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })));
    let base = format!("{}/v1", api.url);
    let keys = [("OPENAI_API_KEY", "sk-codex-mocks-0123456789"), ("OPENAI_BASE_URL", base.as_str())];
    Some((installed("codex", program, &keys), api))
}

fn run(context: &TestContext, code: i32) -> Finished {
    let one = ["eval", "--control", "v1", "--executor", "codex", "--report-only", "--timeout", "100", "--no-cache"];
    context.run(&one).expect(code)
}

/// A program that prints and fails in several ways, and a file.
fn programs(folder: &Path) {
    let deploy = folder.join("deploy");
    let script = "#!/bin/sh\ncase $1 in ok) printf 'three\\nfour\\n'; echo careful >&2;; \
                  fail) echo half; echo broken >&2; exit 3;; silent) ;; esac\n";
    fs::write(&deploy, script).unwrap();
    fs::set_permissions(&deploy, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn model_sees_of_mocks_what_it_sees_of_real_tools() {
    let Some(server) = testkit::tools::mcp_everything() else { return };
    let outside = outside();
    let folder = outside.path();
    programs(folder);
    let command = |line: &str| ("exec_command", json!({"cmd": format!("{}/{line}", folder.display())}));
    let calls = [
        command("deploy ok"),
        command("deploy fail"),
        command("deploy silent"),
        ("exec_command", json!({"cmd": format!("cat {}/app.conf", folder.display())})),
        ("mcp__everything__echo", json!({"message": "hi"})),
    ];
    let Some((context, api)) = codex(&calls) else { return };
    let with = format!(
        "-c mcp_servers.everything.command='\"node\"' -c mcp_servers.everything.args='[\"{}\", \"stdio\"]' \
         -c mcp_servers.everything.required=true -c mcp_servers.everything.default_tools_approval_mode='\"approve\"'",
        server.display()
    );
    let real = replace_program(&context, "codex", &only_with("exec", &format!("set -- \"$@\" {with}")));
    sample(&context, &json!([]), false, &json!([{"type": "contains", "value": "better"}]));
    run(&context, 0);
    let of_tools = all_shown(&api.requests());
    assert!(of_tools.len() == calls.len() && of_tools[1].contains("exited with code 3"), "{of_tools:#?}");

    // The same calls where nothing of it is there.
    for name in ["deploy", "app.conf"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    restore_program(&context, "codex", &real);
    context.write("app.conf", "port = 8080\nhost = db\n");
    let mocks = json!([
        {"tool": "Bash", "match": {"command_glob": "*deploy ok"},
         "return": {"stdout": "three\nfour\n", "stderr": "careful\n"}},
        {"tool": "Bash", "match": {"command_glob": "*deploy fail"},
         "return": {"stdout": "half\n", "stderr": "broken\n", "exit": 3}},
        {"tool": "Bash", "match": {"command_glob": "*deploy silent"}, "return": ""},
        {"tool": "Bash", "match": {"command_glob": "cat *app.conf"}, "return_file": "app.conf"},
        {"tool": "mcp__everything__echo", "match": {"input": {"message": "hi"}}, "return": "Echo: hi"},
    ]);
    let hits = ["Bash:1", "Bash:2", "Bash:3", "Bash:4", "mcp__everything__echo:1"];
    sample(&context, &mocks, true, &hits.iter().map(|mock| json!({"type": "mock_hit", "value": mock})).collect());
    let before = api.count();
    run(&context, 0);
    let requests = api.requests().split_off(before);
    assert_eq!(all_shown(&requests), of_tools);
    assert!(requests.iter().all(|request| !asked(request, "mcp__omk")), "the model is offered the tool of hooks");
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let made = result["toolCalls"].as_array().unwrap();
    let inputs: Vec<(&str, &Value)> =
        made.iter().map(|call| (call["name"].as_str().unwrap(), &call["input"])).collect();
    assert_eq!(inputs, calls.iter().map(|(name, input)| (*name, input)).collect::<Vec<_>>());
    assert_eq!(made[4]["output"]["text"], "Echo: hi", "{}", made[4]);
}

#[test]
fn strict_mocks_deny_every_other_call_and_leave_the_artifact_readable() {
    let api = Arc::new(FakeApi::start(ReplyScript::with(|request| {
        // The list of skills names their folder, and short paths below it.
        let text = request.body.to_string();
        let folder = Regex::new(r"`(/[^`]*/skills)`").unwrap();
        let folder = folder.captures(&text).map_or_else(String::new, |found| found[1].to_owned());
        let calls = [
            format!("cat {folder}/v1/SKILL.md"),
            "cat notes.txt".to_owned(),
            "deploy now".to_owned(),
            "poll".to_owned(),
            "poll".to_owned(),
        ];
        let mut next = calls.get(shown(request).len()).map(|call| ("exec_command".to_owned(), json!({"cmd": call})));
        if shown(request).len() == calls.len() {
            next = Some(("view_image".to_owned(), json!({"path": "notes.txt"})));
        }
        let next = next.filter(|_| asked(request, "question"));
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })));
    let Some(program) = testkit::tools::codex() else { return };
    let base = format!("{}/v1", api.url);
    let keys = [("OPENAI_API_KEY", "sk-codex-mocks-0123456789"), ("OPENAI_BASE_URL", base.as_str())];
    let context = installed("codex", program, &keys);
    context.write("notes.txt", "notes of the project\n");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: How to deploy.\n---\nSKILL BODY\n");
    drop(fs::remove_file(context.path("skills/v1.md")));
    let mocks = json!([
        {"tool": "Bash", "match": {"command_glob": "deploy*"}, "return": "deployed"},
        {"tool": "Bash", "match": {"command_glob": "poll"}, "return_seq": ["pending"], "return": {"stdout": "up", "exit": 7}},
    ]);
    let assertions = json!([
        {"type": "mock_hit", "value": "Bash:1"}, {"type": "mock_hit", "value": "Bash:2", "threshold": 2},
        {"type": "skill_used"},
    ]);
    sample(&context, &mocks, true, &assertions);
    let one = ["eval", "--control", "v1", "--executor", "codex", "--report-only", "--timeout", "100"];
    context.run(&[&one[..], &["--delivery", "skill", "--no-cache"]].concat()).expect(0);
    let shown = all_shown(&api.requests());
    let has = [
        "SKILL BODY",
        "permission to use Bash has been denied",
        "exited with code 0\\nOriginal token count: 2\\nOutput:\\ndeployed",
        "Output:\\npending",
        "exited with code 7\\nOriginal token count: 1\\nOutput:\\nup",
        "permission to use view_image has been denied",
    ];
    for (shown, has) in shown.iter().zip(has) {
        assert!(shown.contains(has), "{has}: {shown}");
    }
    assert_eq!(shown.len(), has.len());
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let statuses: Vec<&Value> = result["toolCalls"].as_array().unwrap().iter().map(|call| &call["status"]).collect();
    assert_eq!(statuses, ["ok", "not-run", "ok", "ok", "failed", "not-run"], "{result}");
}

#[test]
fn what_a_script_of_the_model_calls_is_answered_and_stands_in_the_trace() {
    let script = "const made = await tools.exec_command({cmd: 'deploy now'}); text(made.output); \
                  const found = await tools.mcp__tracker__get({number: 7}); text(found.content[0].text);";
    let Some((context, api)) = codex(&[("exec", json!(script))]) else { return };
    let mocks = json!([
        {"tool": "Bash", "match": {"command_glob": "deploy*"}, "return": "deployed"},
        {"tool": "mcp__tracker__get", "match": {"input": {"number": 7}}, "return": "the seventh"},
    ]);
    let hits = json!([{"type": "mock_hit", "value": "Bash:1"}, {"type": "mock_hit", "value": "mcp__tracker__get:1"}]);
    sample(&context, &mocks, true, &hits);
    // A model whose tools are called by scripts.
    let one = ["eval", "--control", "v1", "--executor", "codex", "--report-only", "--timeout", "100", "--no-cache"];
    context.run(&[&one[..], &["--model", "gpt-6-sol"]].concat()).expect(0);
    let shown = all_shown(&api.requests());
    assert!(shown[0].contains("deployed") && shown[0].contains("the seventh"), "{shown:?}");
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let calls = result["toolCalls"].as_array().unwrap();
    assert_eq!(calls[1]["input"], json!({"command": "deploy now"}), "{result}");
    assert!(
        calls.len() == 3 && calls[1]["parent"] == calls[0]["id"] && calls[2]["parent"] == calls[0]["id"],
        "{result}"
    );
}

#[test]
fn call_that_passes_a_mock_by_spoils_the_execution() {
    let calls = [("exec_command", json!({"cmd": "echo real"}))];
    for (mocks, strict) in [(json!([{"tool": "Bash", "return": "fake"}]), false), (json!([]), true)] {
        let Some((context, _api)) = codex(&calls) else { return };
        // A version that doesn't trust the hooks: it leaves them out without a word.
        let script = "for a do shift; [ \"$a\" = --dangerously-bypass-hook-trust ] || set -- \"$@\" \"$a\"; done";
        replace_program(&context, "codex", script);
        sample(&context, &mocks, strict, &json!([{"type": "contains", "value": "better"}]));
        let finished = run(&context, 3);
        assert!(says(&finished, "ran `exec_command` without asking omk"), "{finished:#?}");
        let report = valid(context.report());
        assert_eq!(results(&report)["s001/v1"]["error"]["failure"], "mock", "{report}");
    }
}

/// Their hooks could change what mocks answer: it is told to trust omk's, and trusts no project.
#[test]
fn hooks_of_a_project_do_not_run_beside_mocks() {
    let Some((context, api)) = codex(&[("exec_command", json!({"cmd": "deploy"}))]) else { return };
    let answer =
        json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "echo REAL"}});
    let command = format!(
        "touch '{}'; printf '%s' '{}'",
        context.path("hooked").display(),
        json!({"hookSpecificOutput": answer})
    );
    let hooks =
        json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": command}]}]}});
    context.write("setups/v1/AGENTS.md", "OWN\n");
    context.write("setups/v1/.codex/hooks.json", &hooks.to_string());
    context.write("eval.yaml", "sandbox: false\n");
    sample(
        &context,
        &json!([{"tool": "Bash", "return": "MOCKED"}]),
        true,
        &json!([{"type": "mock_hit", "value": "Bash:1"}]),
    );
    let one = ["eval", "--control", "./setups/v1", "--delivery", "project", "--executor", "codex", "--report-only"];
    context.run(&[&one[..], &["--timeout", "100", "--no-cache"]].concat()).expect(0);
    let shown = all_shown(&api.requests());
    assert!(shown[0].contains("MOCKED") && !context.path("hooked").exists(), "{shown:?}");
    valid(context.report());
}
