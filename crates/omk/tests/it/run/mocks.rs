//! Mocks: what an agent's tool calls are answered with, by the installed agents and a fake API.
#![cfg(target_os = "linux")]

mod codex;
mod gemini;
mod hooks;
mod record;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::{FakeAnswer, FakeApi, FakeReply, ReplyScript, Request};

use super::{answer, asked, installed, results, says, valid};
use crate::fixtures::context::{Finished, TestContext};

const KEY: (&str, &str) = ("ANTHROPIC_API_KEY", "sk-ant-mocks-0123456789");

/// What the model made of the tools: their results, in order, as Anthropic's API gets them.
fn shown(request: &Request) -> Vec<Value> {
    let messages = request.body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    results.map(|block| json!({"is_error": block["is_error"] == true, "content": block["content"]})).collect()
}

/// A model that makes these calls one after another.
fn makes(calls: &[(&str, Value)]) -> ReplyScript {
    let calls: Vec<(String, Value)> = calls.iter().map(|(tool, input)| ((*tool).to_owned(), input.clone())).collect();
    ReplyScript::with(move |request| {
        let next = calls.get(shown(request).len()).filter(|_| asked(request, "question")).cloned();
        FakeReply::answer(FakeAnswer { tool: next, ..answer("better") })
    })
}

/// The results of the calls of the request that has most of them.
fn all_shown(api: &FakeApi) -> Vec<Value> {
    api.requests().iter().map(shown).max_by_key(Vec::len).unwrap_or_default()
}

/// The installed claude in a project that asks this model.
fn claude(script: ReplyScript) -> Option<(TestContext, Arc<FakeApi>)> {
    let program = testkit::tools::claude()?;
    let api = Arc::new(FakeApi::start(script));
    Some((installed("claude", program, &[KEY, ("ANTHROPIC_BASE_URL", &api.url)]), api))
}

/// One sample with these mocks.
fn sample(context: &TestContext, mocks: &Value, strict: bool, assertions: &Value) {
    let sample = json!([{
        "sample_id": "s001", "prompt": "question 1", "assertions": assertions,
        "mocks": mocks, "mocksStrict": strict,
    }]);
    context.write("eval-samples.json", &sample.to_string());
}

fn run(context: &TestContext, tools: &str, code: i32) -> Finished {
    let one = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--timeout", "100"];
    context.run(&[&one[..], &["--allowed-tools", tools, "--no-cache"]].concat()).expect(code)
}

/// A folder outside of every project, with a log that a real call would write.
fn outside() -> TempDir {
    let folder = tempfile::Builder::new().prefix("omk-outside-").tempdir().unwrap();
    fs::write(folder.path().join("app.conf"), "port = 8080\nhost = db\n").unwrap();
    fs::create_dir(folder.path().join("logs")).unwrap();
    fs::write(folder.path().join("logs/a.log"), "ok\nERROR disk\n").unwrap();
    fs::write(folder.path().join("logs/b.log"), "ERROR net\n").unwrap();
    folder
}

/// Puts a script in the place of an agent's program, which it becomes in the end; returns the program.
fn replace_program(context: &TestContext, name: &str, script: &str) -> PathBuf {
    let path = context.path("bin").join(name);
    let real = fs::canonicalize(&path).unwrap();
    fs::remove_file(&path).unwrap();
    context.script(&format!("bin/{name}"), &format!("{script}\nexec '{}' \"$@\"", real.display()));
    real
}

/// Puts the program back.
fn restore_program(context: &TestContext, name: &str, real: &Path) {
    let path = context.path("bin").join(name);
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(real, path).unwrap();
}

/// A piece of shell for starts with this first argument.
fn only_with(first: &str, script: &str) -> String {
    format!("case \"$1\" in {first}) {script};; esac")
}

/// The calls of tools whose answers a mock can give, in `outside`.
fn calls(outside: &Path) -> Vec<(&'static str, Value)> {
    let path = |name: &str| outside.join(name).display().to_string();
    let noted = |command: &str| format!("echo ran >> {}; {command}", path("ran"));
    vec![
        ("Bash", json!({"command": noted("printf 'three\\nfour\\n'; echo careful >&2"), "description": "deploy"})),
        ("Bash", json!({"command": noted("echo half; echo broken >&2; exit 3"), "description": "fail"})),
        ("Bash", json!({"command": noted("true"), "description": "silent"})),
        ("Read", json!({"file_path": path("app.conf")})),
        ("Read", json!({"file_path": path("app.conf"), "offset": 2, "limit": 1})),
        ("Grep", json!({"pattern": "ERROR", "path": path("logs")})),
        ("Grep", json!({"pattern": "ERROR", "path": path("logs"), "output_mode": "content"})),
        ("Grep", json!({"pattern": "nothing", "path": path("logs")})),
        ("Glob", json!({"pattern": "*.log", "path": path("logs")})),
        ("mcp__everything__echo", json!({"message": "hi"})),
    ]
}

#[test]
fn model_sees_of_mocks_what_it_sees_of_real_tools() {
    let Some(server) = testkit::tools::mcp_everything() else { return };
    let outside = outside();
    let folder = outside.path();
    let calls = calls(folder);
    let Some((context, api)) = claude(makes(&calls)) else { return };
    // Real calls write outside of their copy.
    context.write("eval.yaml", "sandbox: false\n");
    let tools = "Bash,Read,Grep,Glob,mcp__everything__echo";
    // The real tools: the agent is given the real server by a program in its place.
    let servers = json!({"mcpServers": {"everything": {"command": "node", "args": [server, "stdio"]}}});
    context.write("servers.json", &servers.to_string());
    let with = format!("--mcp-config '{}' --add-dir '{}'", context.path("servers.json").display(), folder.display());
    let real = replace_program(&context, "claude", &only_with("-p", &format!("set -- \"$@\" {with}")));
    sample(&context, &json!([]), false, &json!([{"type": "contains", "value": "better"}]));
    run(&context, tools, 0);
    let of_tools = all_shown(&api);
    assert_eq!(of_tools.len(), calls.len(), "{of_tools:#?}");
    assert_eq!(fs::read_to_string(folder.join("ran")).unwrap(), "ran\nran\nran\n");

    // The same calls where nothing of it is there but the directory that is searched.
    for path in ["ran", "app.conf", "logs/a.log", "logs/b.log"] {
        fs::remove_file(folder.join(path)).unwrap();
    }
    restore_program(&context, "claude", &real);
    let text = |at: usize| of_tools[at]["content"].as_str().unwrap().to_owned();
    let mocks = json!([
        {"tool": "Bash", "match": {"command_glob": "*printf*"},
         "return": {"stdout": "three\nfour\n", "stderr": "careful\n"}},
        {"tool": "Bash", "match": {"input_contains": "BROKEN"},
         "return": {"stdout": "half\n", "stderr": "broken\n", "exit": 3}},
        {"tool": "Bash", "match": {"command_glob": "*true"}, "return": ""},
        {"tool": "Read", "match": {"file_path_endswith": "app.conf"}, "return_file": "app.conf"},
        {"tool": "Grep", "match": {"input": {"output_mode": "content"}}, "return": text(6)},
        {"tool": "Grep", "match": {"input": {"pattern": "nothing"}}, "return": ""},
        {"tool": "Grep", "return": text(5)},
        {"tool": "Glob", "return": text(8)},
        {"tool": "mcp__everything__echo", "match": {"input": {"message": "hi"}}, "return": "Echo: hi"},
    ]);
    context.write("app.conf", "port = 8080\nhost = db\n");
    let hits = ["Bash:1", "Bash:2", "Bash:3", "Grep:1", "Grep:2", "Grep:3", "Glob:1", "mcp__everything__echo:1"];
    let mut assertions: Vec<Value> = hits.map(|mock| json!({"type": "mock_hit", "value": mock})).to_vec();
    assertions.push(json!({"type": "mock_hit", "value": "Read:1", "threshold": 2}));
    sample(&context, &mocks, false, &Value::Array(assertions));
    let before = api.count();
    run(&context, tools, 0);
    let of_mocks: Vec<Value> =
        api.requests().split_off(before).iter().map(shown).max_by_key(Vec::len).unwrap_or_default();
    for ((call, real), mocked) in calls.iter().zip(&of_tools).zip(&of_mocks) {
        assert_eq!(mocked, real, "{call:?}");
    }
    assert_eq!(of_mocks.len(), calls.len());
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let inputs: Vec<&Value> = result["toolCalls"].as_array().unwrap().iter().map(|call| &call["input"]).collect();
    assert_eq!(inputs, calls.iter().map(|(_, input)| input).collect::<Vec<_>>(), "the trace has the model's own input");
    // Nothing was run, and nothing was made where the calls pointed.
    let left: Vec<String> = super::all_files(folder).into_iter().map(|(name, _)| name).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn mocks_that_fail_say_their_own_words_and_sequences_are_used_up() {
    let calls = [
        ("Read", json!({"file_path": "/nowhere/a.txt"})),
        ("Write", json!({"file_path": "made.txt", "content": "x"})),
        ("Bash", json!({"command": "poll", "description": "1"})),
        ("Bash", json!({"command": "poll", "description": "2"})),
        ("Bash", json!({"command": "poll", "description": "3"})),
        ("Bash", json!({"command": "poll", "description": "4"})),
        ("mcp__tracker__get", json!({"number": 7})),
        ("mcp__tracker__get", json!({"number": 8})),
        ("mcp__web__fetch", json!({"url": "https://a.invalid/status", "prompt": "is it up?"})),
        ("mcp__web__search", json!({"query": "omk"})),
    ];
    let Some((mut context, api)) = claude(makes(&calls)) else { return };
    // Newer versions offer the tools of servers only when the model searches for them.
    context.env("ENABLE_TOOL_SEARCH", "false");
    let failing = |tool: &str, text: &str| json!({"tool": tool, "return": {"stderr": text, "exit": 1}});
    let mocks = json!([
        failing("Read", "EIO: the disk is broken"),
        failing("Write", "read-only file system"),
        {"tool": "Bash", "match": {"command_glob": "poll"},
         "return_seq": ["pending", {"stdout": "almost", "exit": 1}]},
        {"tool": "Bash", "return": "done"},
        {"tool": "mcp__tracker__get", "match": {"input": {"number": 7}}, "return": "the seventh",
         "description": "An issue by its number.", "input_schema": {"type": "object", "properties": {"number": {"type": "integer"}}}},
        {"tool": "mcp__tracker__get", "return": {"stdout": "no such issue", "exit": 1}},
        {"tool": "WebFetch", "match": {"url_glob": "https://a.invalid/*"}, "return": "all systems up"},
        {"tool": "WebSearch", "return": "nothing found"},
    ]);
    let assertions = json!([
        {"type": "mock_hit", "value": "Bash:1", "threshold": 2},
        {"type": "mock_hit", "value": "Bash:2", "threshold": 2},
        {"type": "mock_hit", "value": "WebFetch:1"},
        {"type": "tools_called", "values": ["WebFetch", "WebSearch", "mcp__tracker__get"]},
    ]);
    sample(&context, &mocks, false, &assertions);
    run(&context, "Bash,Read,Write", 0);
    let shown = all_shown(&api);
    let texts: Vec<(bool, String)> = shown
        .iter()
        .map(|result| {
            let content = &result["content"];
            let text = content.as_str().or(content[0]["text"].as_str()).unwrap_or_default();
            (result["is_error"] == true, text.to_owned())
        })
        .collect();
    let said = |is_error: bool, text: &str| (is_error, text.to_owned());
    let expected = [
        said(true, "EIO: the disk is broken"),
        said(true, "read-only file system"),
        said(false, "pending"),
        said(true, "Exit code 1\nalmost"),
        said(false, "done"),
        said(false, "done"),
        said(false, "the seventh"),
        said(true, "no such issue"),
        said(false, "all systems up"),
        said(false, "nothing found"),
    ];
    assert_eq!(texts, expected);
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["layeredScores"]["behaviorScore"], 5.0, "{report}");
    // Two tools for the same would leave the model a real one.
    let offered = |name: &str| {
        let tools = api.requests().into_iter().filter_map(|request| request.body["tools"].as_array().cloned());
        tools.flatten().find(|tool| tool["name"] == name)
    };
    assert!(offered("WebFetch").is_none() && offered("WebSearch").is_none() && offered("AskUserQuestion").is_none());
    let tool = offered("mcp__tracker__get").unwrap();
    assert_eq!(tool["description"], "An issue by its number.");
    assert_eq!(tool["input_schema"]["properties"]["number"]["type"], "integer", "{tool}");
}

/// A success of such tools has a form of its own, and tools that aren't there are no business of a mock of any tool.
#[test]
fn mock_of_any_tool_answers_what_it_can_and_denies_the_rest() {
    let calls = [
        ("TodoWrite", json!({"todos": []})),
        ("Skill", json!({"skill": "plugin:v1"})),
        ("Write", json!({"file_path": "made.txt", "content": "x"})),
        ("Bash", json!({"command": "deploy", "description": "x"})),
        ("Read", json!({"file_path": "/nowhere/a.txt"})),
        ("Write", json!({"file_path": "/nowhere/locked.txt", "content": "x"})),
    ];
    for delivery in ["skill", "system-prompt"] {
        let Some((context, api)) = claude(makes(&calls)) else { return };
        context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: How to deploy.\n---\nSKILL BODY\n");
        drop(fs::remove_file(context.path("skills/v1.md")));
        let locked = json!({"file_path_endswith": "locked.txt"});
        let mocks = json!([
            {"tool": "*", "return": "STAR"},
            {"tool": "Write", "match": locked, "return": {"stderr": "locked", "exit": 1}},
        ]);
        let hits = json!([{"type": "mock_hit", "value": "*:1"}, {"type": "mock_hit", "value": "Write:1"}]);
        sample(&context, &mocks, false, &hits);
        let one = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--timeout", "100"];
        let more = ["--delivery", delivery, "--permissions", "bypass", "--no-cache"];
        let finished = context.run(&[&one[..], &more].concat()).expect(0);
        assert!(!says(&finished, "never matches"), "{finished:#?}");
        let shown = all_shown(&api);
        assert_eq!(shown.len(), calls.len(), "{shown:#?}");
        assert_eq!(shown[5], json!({"is_error": true, "content": "locked"}));
        assert_eq!(shown[2]["content"], "Permission to use Write has been denied.", "{shown:#?}");
        assert_eq!(shown[3], json!({"is_error": false, "content": "STAR"}));
        assert_eq!(shown[4], json!({"is_error": false, "content": "1\tSTAR"}));
        assert_eq!(shown[1]["is_error"], delivery != "skill", "{shown:#?}");
        let report = valid(context.report());
        let result = results(&report)["s001/v1"].clone();
        assert_eq!(result["toolCalls"][2]["status"], "not-run", "{result}");
        assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    }
}

#[test]
fn inputs_without_optional_keys_are_answered_too() {
    let calls = [("Bash", json!({"command": "deploy"})), ("Bash", json!({"command": "deploy", "timeout": 5000}))];
    let Some((context, api)) = claude(makes(&calls)) else { return };
    sample(
        &context,
        &json!([{"tool": "Bash", "return": "deployed"}]),
        true,
        &json!([{"type": "mock_hit", "value": "Bash:1"}]),
    );
    run(&context, "Bash", 0);
    let shown = all_shown(&api);
    assert_eq!(shown, vec![json!({"is_error": false, "content": "deployed"}); 2]);
    let result = results(&valid(context.report()))["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
}

/// Agents name files by the path without links.
#[test]
fn mocks_match_where_the_temporary_directory_is_a_link() {
    let calls = [("Read", json!({"file_path": "conf/a.conf"}))];
    let Some((mut context, api)) = claude(makes(&calls)) else { return };
    context.write("conf/a.conf", "real\n");
    context.write("temporary/file", "");
    let linked = context.path("linked");
    std::os::unix::fs::symlink(context.path("temporary"), &linked).unwrap();
    context.env("TMPDIR", &linked.display().to_string());
    let mock = json!([{"tool": "Read", "match": {"file_path": "conf/a.conf"}, "return": "mocked"}]);
    sample(&context, &mock, false, &json!([{"type": "mock_hit", "value": "Read:1"}]));
    run(&context, "Read", 0);
    let shown = all_shown(&api);
    assert!(shown[0].to_string().contains("mocked"), "{shown:?}");
}

#[test]
fn mocked_tool_that_the_agent_does_not_offer_spoils_the_execution() {
    let calls = [("mcp__tracker__get", json!({"number": 7}))];
    let Some((mut context, api)) = claude(makes(&calls)) else { return };
    context.env("ENABLE_TOOL_SEARCH", "false");
    // The server is there under another name.
    let script =
        "for a do [ \"$before\" = --mcp-config ] && sed -i 's/\"tracker\":/\"other\":/' \"$a\"; before=$a; done";
    replace_program(&context, "claude", script);
    sample(
        &context,
        &json!([{"tool": "mcp__tracker__get", "return": "x"}]),
        false,
        &json!([{"type": "contains", "value": "better"}]),
    );
    let finished = run(&context, "Bash", 3);
    let shown = all_shown(&api);
    assert!(says(&finished, "the agent refused a call of `mcp__tracker__get`"), "{shown:#?} {finished:#?}");
    let report = valid(context.report());
    assert_eq!(results(&report)["s001/v1"]["error"]["failure"], "mock", "{report}");
}

#[test]
fn strict_mocks_deny_every_other_call_and_leave_the_artifact_readable() {
    let calls = [
        ("Bash", json!({"command": "touch touched", "description": "x"})),
        ("Read", json!({"file_path": "notes.txt"})),
        ("Skill", json!({"skill": "plugin:v1"})),
        ("Bash", json!({"command": "deploy now", "description": "x"})),
    ];
    let Some((context, api)) = claude(makes(&calls)) else { return };
    context.write("notes.txt", "notes of the project\n");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: How to deploy.\n---\nSKILL BODY\n");
    drop(fs::remove_file(context.path("skills/v1.md")));
    let mocks = json!([{"tool": "Bash", "match": {"command_glob": "deploy*"}, "return": "deployed"}]);
    sample(&context, &mocks, true, &json!([{"type": "mock_hit", "value": "Bash:1"}, {"type": "skill_used"}]));
    let one = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--timeout", "100"];
    let more = ["--delivery", "skill", "--allowed-tools", "Bash,Read", "--no-cache"];
    context.run(&[&one[..], &more].concat()).expect(0);
    let shown = all_shown(&api);
    assert_eq!(shown[0]["content"], "Permission to use Bash has been denied.");
    assert_eq!(shown[1]["content"], "Permission to use Read has been denied.");
    assert_eq!((&shown[2]["is_error"], &shown[3]["content"]), (&json!(false), &json!("deployed")), "{shown:#?}");
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let statuses: Vec<&Value> = result["toolCalls"].as_array().unwrap().iter().map(|call| &call["status"]).collect();
    assert_eq!(statuses[..2], [&json!("not-run"), &json!("not-run")], "{statuses:?}");
}

#[test]
fn calls_of_twenty_sub_agents_at_once_are_answered_each_by_its_mock() {
    let script = ReplyScript::with(|request| {
        let first = request.body["messages"][0].to_string();
        let number = first.split("SUBTASK ").nth(1).map(|rest| rest[..2].to_owned());
        let is_first = shown(request).is_empty();
        match number {
            Some(number) if is_first => FakeReply::answer(FakeAnswer {
                tool: Some(("Bash".to_owned(), json!({"command": format!("ask {number}"), "description": "x"}))),
                ..answer("let me ask")
            }),
            Some(_) => FakeReply::answer(answer(shown(request)[0]["content"].as_str().unwrap_or("?"))),
            None if asked(request, "question") && is_first => {
                let agent = |number: usize| {
                    let prompt = format!("SUBTASK {number:02}");
                    let kind = "general-purpose";
                    ("Agent".to_owned(), json!({"description": "ask", "prompt": prompt, "subagent_type": kind}))
                };
                FakeReply::answer(FakeAnswer {
                    tool: Some(agent(0)),
                    at_once: (1..20).map(agent).collect(),
                    ..answer("all at once")
                })
            }
            None => FakeReply::answer(answer("better")),
        }
    });
    let Some((context, api)) = claude(script) else { return };
    let own = |number: usize| {
        let pattern = format!("ask {number:02}");
        json!({"tool": "Bash", "match": {"command_glob": pattern}, "return": format!("answer {number:02}")})
    };
    let mocks: Vec<Value> = (0..20).map(own).collect();
    let hits: Vec<Value> =
        (1..=20).map(|number| json!({"type": "mock_hit", "value": format!("Bash:{number}")})).collect();
    sample(&context, &json!(mocks), true, &json!(hits));
    run(&context, "Bash,Agent", 0);
    assert_eq!(all_shown(&api).len(), 20);
    let report = valid(context.report());
    let result = results(&report)["s001/v1"].clone();
    assert_eq!(result["layeredScores"]["behaviorScore"], 5.0, "{result}");
    let calls = result["toolCalls"].as_array().unwrap();
    let agents: Vec<&Value> = calls.iter().filter(|call| call["name"] == "Agent").collect();
    assert_eq!((agents.len(), calls.len()), (20, 40), "{result}");
    for agent in agents {
        let number = agent["input"]["prompt"].as_str().unwrap().replace("SUBTASK ", "");
        let its = calls.iter().find(|call| call["parent"] == agent["id"]).unwrap();
        assert_eq!(its["output"]["text"], format!("answer {number}"), "{its}");
        assert_eq!(its["mock"], number.parse::<u64>().unwrap(), "{its}");
        assert!(agent["output"]["text"].as_str().unwrap().contains(&format!("answer {number}")), "{agent}");
    }
}

#[test]
fn call_that_passes_a_mock_by_spoils_the_execution() {
    let calls = [("Bash", json!({"command": "touch touched; echo real", "description": "x"}))];
    for (mocks, strict) in [(json!([{"tool": "Bash", "return": "fake"}]), false), (json!([]), true)] {
        let Some((context, _api)) = claude(makes(&calls)) else { return };
        // A version that knows nothing of hooks: it drops them without a word.
        let script = "for a do shift; case \"$a\" in --settings|--permission-prompt-tool) skip=1;; \
                      *) [ -n \"$skip\" ] && skip= || set -- \"$@\" \"$a\";; esac; done";
        replace_program(&context, "claude", script);
        sample(&context, &mocks, strict, &json!([{"type": "contains", "value": "better"}]));
        let finished = run(&context, "Bash", 3);
        assert!(says(&finished, "ran `Bash` without asking omk"), "{finished:#?}");
        let report = valid(context.report());
        let result = results(&report)["s001/v1"].clone();
        assert_eq!(result["error"]["failure"], "mock", "{result}");
        assert_eq!(result["compositeScore"], Value::Null, "{result}");
        // What it cost is known all the same.
        assert!(result["failedAttemptsCost"]["knownUSD"].as_f64().unwrap() > 0.0, "{result}");
        assert!(!context.path("touched").exists(), "the agent works in a copy");
    }
}

#[test]
fn samples_whose_mocks_no_executor_can_answer_are_refused_by_name() {
    let cases = [
        ("gemini", json!([{"tool": "run_shell_command", "return": "x"}]), &[][..], "run_shell_command"),
        ("gemini", json!([{"tool": "*", "return": "x"}]), &[], "can for `mcp__SERVER__TOOL`"),
        ("codex", json!([{"tool": "Read", "return": "x"}]), &[], "can for `Bash`, `mcp__SERVER__TOOL`"),
        ("codex", json!([{"tool": "Read", "return": "x"}]), &[], "can be mocked: claude"),
        ("gemini", json!([{"tool": "Bash", "return": "x"}]), &[], "can be mocked: claude, codex"),
        ("claude", json!([{"tool": "NotebookEdit", "return": "x"}]), &[], "NotebookEdit"),
        ("claude", json!([{"tool": "Write", "return": "x"}]), &[], "an `exit` other than 0"),
        ("claude", json!([{"tool": "bash", "return": "x"}]), &[], "did you mean `Bash`?"),
        ("codex", json!([{"tool": "bahs", "return": "x"}]), &[], "did you mean `Bash`?"),
        ("openai-api", json!([{"tool": "Bash", "return": "x"}]), &[], "can be mocked: claude, codex"),
        ("anthropic-api", json!([{"tool": "Bash", "return": "x"}]), &[], "`anthropic-api` makes no tool calls"),
        ("gemini-api", json!([{"tool": "mcp__a__b", "return": "x"}]), &[], "can be mocked: claude, codex, gemini"),
        ("openai-api", json!([{"tool": "bash", "return": "x"}]), &[], "can be mocked: claude, codex, gemini"),
        ("openai", json!([{"tool": "Bash", "return": "x"}]), &[], "eval-samples.json:1"),
        ("cat", json!([{"tool": "Bash", "return": "x"}]), &[], "can be mocked: claude, codex"),
        ("claude", json!([{"tool": "Bash", "return": "x"}]), &["--no-strict-baseline"], "without isolation"),
    ];
    for (executor, mocks, more, said) in cases {
        let context = TestContext::with_agent();
        sample(&context, &mocks, false, &json!([{"type": "contains", "value": "better"}]));
        let one = ["eval", "--control", "v1", "--executor", executor, "--report-only", "--dry-run"];
        let finished = context.run(&[&one[..], more].concat()).expect(2);
        assert!(says(&finished, "sample `s001` has") && says(&finished, said), "{executor}: {finished:#?}");
    }
}

/// The same words as those of `omk doctor`.
#[test]
fn mocks_that_can_never_match_are_named_before_a_run() {
    let context = crate::run::isolation::with_claude("true");
    let fails = |tool: &str| json!({"tool": tool, "return": {"stderr": "no", "exit": 1}});
    let mocks = json!([fails("Wriet"), {"tool": "Bash", "return": "x"}, {"tool": "Bash", "match": {"command_glob": "a*"}, "return": "y"}]);
    sample(&context, &mocks, false, &json!([{"type": "contains", "value": "better"}]));
    let one = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--no-cache"];
    let texts: [Vec<String>; 3] =
        [context.run(&[&one[..], &["--dry-run"]].concat()).expect(0), context.run(&one), context.run(&["doctor"])].map(
            |finished| {
                let all = format!("{}{}", finished.stdout, finished.stderr);
                all.split_whitespace().map(str::to_owned).collect()
            },
        );
    for said in [
        "`s001`, mock 1 never matches: `claude` has no tool `Wriet`",
        "did you mean `Write`?",
        "`s001`, mock 3 (Bash) never matches: mock 2 answers every call that it could",
        "put the narrower mock first",
    ] {
        for text in &texts {
            let text = text.join(" ").replace("│ ", "");
            assert!(text.contains(said), "{said}: {text}");
        }
    }
}

/// What a dry run says of these mocks, without its line ends.
fn warnings(mocks: &Value) -> String {
    let context = crate::run::isolation::with_claude("true");
    sample(&context, mocks, false, &json!([{"type": "contains", "value": "better"}]));
    let finished =
        context.run(&["eval", "--control", "v1", "--executor", "claude", "--report-only", "--dry-run"]).expect(0);
    let all = format!("{}{}", finished.stdout, finished.stderr).replace('│', "");
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn mocks_of_which_nothing_can_hold_are_named_with_what_can() {
    let of = |tool: &str, key: &str, value: Value| json!({"tool": tool, "match": {key: value}, "return": "x"});
    let file = |key: &str, path: &str| of("Read", key, json!(path));
    let everything = of("Bash", "command_glob", json!("*"));
    let web = json!({"tool": "WebFetch", "return": "x"});
    for (mocks, said) in [
        (json!([of("Grep", "command_glob", json!("a"))]), "calls of `Grep` have nothing for `command_glob`"),
        (json!([of("Glob", "url", json!("a"))]), "nothing for `url`"),
        (json!([of("WebSearch", "file_path", json!("a"))]), "arguments of the tool: query,"),
        (json!([of("Bash", "input", json!({"cmd": "a"}))]), "calls of `Bash` have nothing for `cmd`"),
        (
            json!([of("Read", "input", json!({"path": "a"}))]),
            "conditions that can hold: file_path, file_path_endswith, input,",
        ),
        (json!([everything, of("Bash", "command_glob", json!("a *"))]), "mock 2 (Bash) never matches: mock 1 answers"),
        (json!([file("file_path", "*.conf")]), "no file has the path `*.conf`"),
        (json!([file("file_path_endswith", "*.conf")]), "in `file_path_endswith` neither"),
        (json!([file("file_path", "~/a.conf")]), "no file has the path `~/a.conf`"),
        (
            json!([{"tool": "mcp__web__fetch", "return": "x"}, web]),
            "mock 1 never matches: under the name `mcp__web__fetch` omk offers `WebFetch`",
        ),
    ] {
        let text = warnings(&mocks);
        assert!(text.contains(said), "{said}: {text}");
    }
    let mocks = json!([
        of("Grep", "file_path", json!("logs")),
        of("Bash", "command_glob", json!("a *")),
        of("Bash", "command_glob", json!("*")),
        file("file_path_endswith", "etc/a.conf"),
        {"tool": "mcp__web__fetch", "return": "x"},
    ]);
    let text = warnings(&mocks);
    assert!(!text.contains("never matches"), "{text}");
}

/// What the installed agent says of its tools is what is known of them.
#[test]
fn every_argument_of_the_real_tools_can_be_in_a_condition() {
    let Some((mut context, api)) = claude(makes(&[])) else { return };
    context.env("ENABLE_TOOL_SEARCH", "false");
    sample(&context, &json!([]), false, &json!([{"type": "contains", "value": "better"}]));
    let tools = "Bash,Read,Write,Edit,NotebookEdit,Glob,Grep,WebFetch,WebSearch";
    run(&context, tools, 0);
    let requests = api.requests();
    let offered: Vec<&Value> =
        requests.iter().filter_map(|request| request.body["tools"].as_array()).flatten().collect();
    let mocks: Vec<Value> = tools
        .split(',')
        .flat_map(|name| {
            let tool =
                offered.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}: {offered:#?}"));
            let arguments = tool["input_schema"]["properties"].as_object().unwrap().keys();
            arguments.map(move |key| json!({"tool": name, "match": {"input": {key: 1}}, "return": {"exit": 1}}))
        })
        .collect();
    assert!(mocks.len() > 20, "{mocks:#?}");
    let text = warnings(&json!(mocks));
    assert!(!text.contains("never matches"), "{text}");
}

#[test]
fn what_is_wrong_with_a_mock_is_said_at_its_own_line() {
    let context = crate::run::isolation::with_claude("true");
    let dry = ["eval", "--control", "v1", "--executor", "claude", "--report-only", "--dry-run"];
    fs::remove_file(context.path("eval-samples.json")).ok();
    let sample = |second: &str| {
        let head = "- sample_id: s001\n  prompt: question 1\n  assertions: [{type: contains, value: better}]\n";
        context.write("eval-samples.yaml", &format!("{head}  mocks:\n  - {{tool: Bash, return: x}}\n  - {second}\n"));
    };
    sample("{tool: Write, return: ok}");
    let refused = context.run(&dry).expect(2);
    assert!(says(&refused, "eval-samples.yaml:6:5"), "{refused:#?}");
    sample("{tool: Bash, return: y}");
    let warned = context.run(&dry).expect(0);
    assert!(says(&warned, "eval-samples.yaml:6:5"), "{warned:#?}");
}
