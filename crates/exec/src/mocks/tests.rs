//! What agents asked their hooks, as it was recorded, and what the mocks answer.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use eval_spec::call::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use eval_spec::mock::{Mock, MockAnswer, MockConditions, Mocks};
use eval_spec::sandbox::ProgramSandbox;
use eval_trace::{AgentExit, TranscriptFormat};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{AgentMocks, CallDenial, MockSession, RecordedRun, claude, codex, gemini, recorded};

const CLAUDE: &str = "claude-2.1.330";

/// Recording | answers to its events. Strict mocks for `Bash` and `Grep`, so that `Read` is refused; a server of MCP
/// is played by the program itself.
const OF_CLAUDE: &str = "\
hook-ask | refused refused replaced replaced allowed
hook-ctx | refused - refused - replaced - replaced result allowed -
hook-defer | refused
hook-deny | refused refused replaced replaced allowed
hook-exit1 | refused - refused - replaced - replaced result allowed -
hook-exit2 | refused refused replaced replaced allowed
hook-junk | refused - refused - replaced - replaced result allowed -
hook-legacy | refused refused replaced replaced allowed
hook-none | refused - refused - replaced - replaced result allowed -
hook-post | refused - refused - replaced - replaced result allowed -
hook-post-noop | refused - refused - replaced - replaced result allowed -
hook-rewrite | refused - refused - replaced - replaced result allowed -
hook-slow | refused - refused - replaced - replaced result allowed -
hook-stop | refused -";

/// Strict mocks for `cat` and `echo`, so that `grep` is refused. Two commands ran at once, in either order; the first event is
/// the prompt.
const OF_CODEX: &str = "\
hook-block | - replaced - replaced - replaced refused - -
hook-deny | - replaced replaced refused replaced
hook-exit2 | - replaced replaced refused replaced
hook-none | - replaced - replaced - replaced refused - -
hook-post | - replaced - replaced - replaced refused - -
hook-rewrite | - replaced - replaced - replaced refused - -";

/// Strict mocks, with the files of an artifact in `docs`: it reads them, and searches and runs nothing.
const OF_GEMINI: &str = "\
hook-afterctx | allowed - allowed - refused refused - - refused -
hook-afterdeny | allowed - allowed - refused refused - - refused -
hook-deny | allowed allowed refused refused refused
hook-exit2 | allowed allowed refused refused refused
hook-none | allowed - allowed - refused refused - - refused -
hook-rewrite | allowed - allowed - refused refused - - refused -";

fn folder(version: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", version].iter().collect()
}

fn events(version: &str, recording: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder(version).join(format!("{recording}.hook-calls.jsonl"))).unwrap();
    // That of one program stands in an object of what else was known.
    let event = |line: Value| if line["stdin"].is_object() { line["stdin"].clone() } else { line };
    text.lines().map(|line| event(serde_json::from_str(line).unwrap())).collect()
}

fn answering(tool: &str, stdout: &str) -> Mock {
    Mock {
        tool: tool.to_owned(),
        always: Some(MockAnswer { stdout: stdout.as_bytes().to_vec(), ..MockAnswer::default() }),
        ..Mock::default()
    }
}

fn command(glob: &str) -> Mock {
    let conditions = MockConditions { command_glob: Some(glob.to_owned()), ..MockConditions::default() };
    Mock { conditions, ..answering("Bash", "deployed\n") }
}

fn strict(agent: &'static AgentMocks, mocks: Vec<Mock>, folder: &TempDir) -> MockSession {
    let mocks = Arc::new(Mocks { mocks, strict: true });
    let (root, own) = (PathBuf::from("/home/dev/demo-project"), vec![PathBuf::from("docs")]);
    MockSession::new(mocks, agent, root, folder.path().to_owned(), own)
}

fn of_claude(folder: &TempDir) -> MockSession {
    let mocks = vec![answering("Bash", "deployed\n"), answering("Grep", "deployed\n")];
    MockSession::new(
        Arc::new(Mocks { mocks, strict: true }),
        &claude::MOCKS,
        PathBuf::from("/home/dev/demo-project"),
        folder.path().to_owned(),
        Vec::new(),
    )
}

fn word(answer: &Value) -> &'static str {
    let output = &answer["hookSpecificOutput"];
    match (output["permissionDecision"].as_str(), output["updatedInput"].is_object()) {
        (Some("ask" | "deny"), false) => "refused",
        (Some("allow"), true) => "replaced",
        (Some("allow"), false) => "allowed",
        (None, _) if output["updatedToolOutput"].is_object() => "result",
        (None, _) if *answer == json!({}) => "-",
        _ => panic!("{answer}"),
    }
}

fn assert_rows(
    version: &str,
    rows: &str,
    answer: impl Fn(&MockSession, &Value) -> &'static str,
    session: impl Fn(&TempDir) -> MockSession,
) {
    for row in rows.lines() {
        let (recording, expected) = row.split_once(" | ").unwrap();
        let folder = TempDir::new().unwrap();
        let session = session(&folder);
        let answers: Vec<_> = events(version, recording).iter().map(|event| answer(&session, event)).collect();
        assert_eq!(answers.join(" "), expected, "{version}: {recording}");
    }
    let recorded = std::fs::read_dir(folder(version)).unwrap().flatten();
    let recorded = recorded.filter(|entry| entry.path().extension().is_some_and(|kind| kind == "jsonl"));
    assert_eq!(recorded.count(), rows.lines().count(), "{version}");
}

/// What the hook of gemini prints for an event; `-` where it isn't asked.
fn of_hook(session: &MockSession, event: &Value) -> &'static str {
    let hook = &gemini::denying(session)[0];
    let asked = hook["matcher"].as_str().and_then(|matcher| matcher.strip_prefix("^(?!")?.strip_suffix(')')).unwrap();
    let tool = event["tool_name"].as_str().unwrap();
    if event["hook_event_name"] != "BeforeTool" || regex::Regex::new(&format!("^(?:{asked})")).unwrap().is_match(tool) {
        return "-";
    }
    let command = hook["hooks"][0]["command"].as_str().unwrap();
    let mut shell = Command::new("sh");
    let mut shell = shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    shell.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
    let printed = String::from_utf8(shell.wait_with_output().unwrap().stdout).unwrap();
    match printed.trim() {
        "" => "allowed",
        denied => {
            assert_eq!(serde_json::from_str::<Value>(denied).unwrap()["decision"], "deny");
            "refused"
        }
    }
}

#[test]
fn every_recorded_event_is_answered_as_its_row_says() {
    let hook = |session: &MockSession, event: &Value| word(&(session.agent().hook)(session, event));
    assert_rows(CLAUDE, OF_CLAUDE, hook, of_claude);
    let commands = || vec![command("cat *"), command("echo *")];
    assert_rows("codex-0.169.0", OF_CODEX, hook, |folder| strict(&codex::MOCKS, commands(), folder));
    assert_rows("gemini-0.61.0", OF_GEMINI, of_hook, |folder| strict(&gemini::MOCKS, Vec::new(), folder));
}

/// A hook that names a call otherwise than the trace would have the execution taken for one that passed its mocks by.
#[test]
fn calls_of_traces_are_named_as_hooks_were_asked_about_them() {
    // With a session of its own, which every isolated call has, codex names commands without the shell. The session is of a run
    // without hooks in which the same was asked.
    let rows: [(&str, &AgentMocks, &TranscriptFormat, &str, &str); 3] = [
        (CLAUDE, &claude::MOCKS, &eval_trace::claude::STREAM_JSON, "hooks/hook-none.stream-json", "PreToolUse"),
        ("codex-0.169.0", &codex::MOCKS, &eval_trace::codex::EXEC_JSON, "success.bypass.jsonl", "PreToolUse"),
        (
            "gemini-0.61.0",
            &gemini::MOCKS,
            &eval_trace::gemini::STREAM_JSON,
            "hooks/hook-none.stream-json",
            "BeforeTool",
        ),
    ];
    for (version, agent, format, recording, before) in rows {
        let place: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures", version].iter().collect();
        let mut reader = format.reader();
        reader.push(&std::fs::read(place.join(format!("{recording}.stdout"))).unwrap());
        let sessions = std::fs::read_dir(place.join("rollouts")).into_iter().flatten().flatten();
        for session in sessions.filter(|of| of.file_name().to_string_lossy().starts_with(recording)) {
            reader.session(&mut std::io::BufReader::new(std::fs::File::open(session.path()).unwrap()));
        }
        let trace = reader.finish(&AgentExit { code: Some(0), stderr: "" }).unwrap().trace;
        let name = |(tool, input): (String, Value)| format!("{tool} {input}");
        // It refuses unknown tools before it asks.
        let is_asked = |call: &&ToolCall| !call.output.as_ref().is_some_and(agent.is_refusal);
        let calls = trace.tool_calls().filter(is_asked);
        let mut called: Vec<_> = calls.map(|call| name((agent.asked_as)(&Mocks::default(), call))).collect();
        let asked = events(version, "hook-none").into_iter().filter(|event| event["hook_event_name"] == before);
        let mut asked: Vec<_> = asked
            .map(|event| name((event["tool_name"].as_str().unwrap().to_owned(), event["tool_input"].clone())))
            .collect();
        called.sort_unstable();
        asked.sort_unstable();
        assert_eq!(called, asked, "{version}");
        assert!(asked.len() >= 4, "{version}");
    }
}

/// A result of another form would be passed over without a word, and the real one shown.
#[test]
fn result_of_a_search_has_what_the_real_one_has() {
    let events = events(CLAUDE, "hook-none");
    let real = events.iter().find(|event| event["tool_name"] == "Grep" && event["tool_response"].is_object()).unwrap();
    let folder = TempDir::new().unwrap();
    let session = of_claude(&folder);
    let answers: Vec<Value> = events.iter().map(|event| (claude::MOCKS.hook)(&session, event)).collect();
    let result = answers.iter().find(|answer| word(answer) == "result").unwrap();
    let result = &result["hookSpecificOutput"]["updatedToolOutput"];
    for (name, kind) in real["tool_response"].as_object().unwrap().iter().filter(|(name, _)| *name != "totalFiles") {
        assert_eq!(std::mem::discriminant(&result[name]), std::mem::discriminant(kind), "{name}: {result}");
    }
    assert_eq!(result["content"], "deployed");
}

/// Agent, tool, whether its hook answered, what the model saw; whether the execution is valid.
const SEEN: [(&AgentMocks, &str, bool, &str, bool); 15] = [
    (
        &claude::MOCKS,
        "Bash",
        true,
        "PreToolUse hook for tool Bash returned updatedInput that failed schema validation",
        false,
    ),
    (&claude::MOCKS, "Bash", true, "<tool_use_error>InputValidationError: Bash failed", false),
    (&claude::MOCKS, "Bash", true, "Exit code 3\nPreToolUse", false),
    (&claude::MOCKS, "Bash", true, "<tool_use_error>Cancelled: parallel tool call Read errored</tool_use_error>", true),
    (&claude::MOCKS, "Bash", true, "no commands today", false),
    (&claude::MOCKS, "Read", true, "PreToolUse, says the mock", true),
    (&claude::MOCKS, "Read", true, "File is not a valid PDF (missing %PDF- header): /tmp/1.pdf", false),
    (&claude::MOCKS, "Read", true, "File content (279.7KB) exceeds maximum allowed size (256KB).", true),
    (
        &claude::MOCKS,
        "mcp__a__good",
        false,
        "<tool_use_error>Error: No such tool available: mcp__a__good</tool_use_error>",
        false,
    ),
    (&claude::MOCKS, "mcp__a__good", false, "<tool_use_error>InputValidationError: no number</tool_use_error>", true),
    (
        &claude::MOCKS,
        "WebFetch",
        false,
        "<tool_use_error>Error: No such tool available: WebFetch</tool_use_error>",
        true,
    ),
    (&claude::MOCKS, "Glob", false, "<tool_use_error>Error: No such tool available: Glob</tool_use_error>", false),
    (&codex::MOCKS, "mcp__a__good", false, "unsupported call: mcp__a__good", false),
    (&codex::MOCKS, "shell", false, "unsupported call: shell", true),
    (&codex::MOCKS, "exec_command", true, "failed to parse function arguments: invalid type: null", false),
];

#[test]
fn answer_that_the_model_was_not_shown_spoils_the_execution() {
    for (agent, tool, is_answered, text, is_valid) in SEEN {
        let folder = TempDir::new().unwrap();
        let says = answering("Read", "PreToolUse, says the mock\n");
        let others = ["mcp__a__good", "WebFetch", "Glob"].map(|tool| answering(tool, "7"));
        let mocks = Mocks { mocks: [answering("Bash", ""), says].into_iter().chain(others).collect(), strict: false };
        let place = folder.path().to_owned();
        let session = MockSession::new(Arc::new(mocks), agent, place.clone(), place, Vec::new());
        let asked = if tool == "exec_command" { "Bash" } else { tool };
        let input = json!({"command": "deploy"});
        if is_answered {
            session.decide(Some("call-1"), asked, &input);
        }
        let output = ToolOutput { text: text.to_owned(), is_error: true, note: None, exit_code: None };
        let call = ToolCall {
            id: "call-1".to_owned(),
            name: tool.to_owned(),
            input,
            output: Some(output),
            status: None,
            started_at: None,
            duration_ms: None,
            turn: None,
            parent: None,
            mock: None,
        };
        let mut trace = Trace { steps: vec![Step::Tool(call)], ..Trace::default() };
        assert_eq!(session.settle(&mut trace).is_ok(), is_valid, "{tool}: {text}");
    }
}

/// Agent, tool, input, what it gave, exit code, guards in force; what the call becomes.
const RECORDED: &str = r#"
claude | Bash | {"command": "make"} | cc: a.o: Permission denied | 2 | landlock-write | sandbox
claude | Bash | {"command": "make"} | cc: a.o: Permission denied | 2 | - | {"input":{"command":"make"}}
claude | Bash | {"command": "x; true"} | sh: x: Read-only file system | 0 | landlock-write | sandbox? {"input":{"command":"x; true"}}
claude | Bash | {"command": "cat log.txt"} | 12:01 mv: Permission denied | 0 | landlock-write | sandbox? {"input":{"command":"cat log.txt"}}
codex | exec_command | {"cmd": "make"} | cc: a.o: Read-only file system | 2 | - | sandbox
claude | Write | {"file_path": "/etc/a"} | EACCES: permission denied, open '/etc/a' | 1 | landlock-write | sandbox
claude | Read | {"file_path": "/etc/shadow"} | EACCES: permission denied | 1 | landlock-write | {"input":{"file_path":"/etc/shadow"}}
claude | Bash | {"command": "curl x.example"} | curl: (6) Could not resolve host: x.example | 6 | network | network
claude | Bash | {"command": "curl x.example"} | curl: (6) Could not resolve host: x.example | 6 | landlock-write | {"input":{"command":"curl x.example"}}
claude | Bash | {"command": "curl -s x.example"} |  | 6 | network | network
claude | Bash | {"command": "cd a && /usr/bin/wget -q x.example"} |  | 4 | network | network
claude | Bash | {"command": "grep -c curl a"} | 0 | 1 | network | {"input":{"command":"grep -c curl a"}}
claude | Bash | {"command": "node a.js"} | Error: connect ENETUNREACH 1.2.3.4:443 | 1 | network | network
claude | Bash | {"command": "node a.js"} | Error: connect ECONNREFUSED 1.2.3.4:443 | 1 | network | network
claude | Bash | {"command": "node a.js"} | Error: getaddrinfo ENOTFOUND x.example | 1 | network | network
claude | Bash | {"command": "go get x"} | dial tcp: lookup x.example: no such host | 1 | network | network
claude | Bash | {"command": "curl x 2>/dev/null || echo offline"} | offline | 0 | network | network? {"input":{"command":"curl x 2>/dev/null || echo offline"}}
claude | Bash | {"command": "curl x 2>/dev/null || echo offline"} | offline | 0 | - | {"input":{"command":"curl x 2>/dev/null || echo offline"}}
claude | Bash | {"command": "login --key *** -v"} | ok | 0 | - | {"command_glob":"login --key * -v"}
claude | mcp__a__b | {"token": "***", "auth": ["***"], "id": 7} | ok | 0 | - | {"input":{"id":7}}
claude | Read | {"file_path": "/x/***/a"} | 1\tx | 0 | - | {}
claude | mcp__a__b | {"files": ["/tmp/omk-run-a/omk-call-b/work/x"], "id": 7} | ok | 0 | - | {"input":{"id":7}}
claude | Read | {"file_path": "/tmp/omk-run-a/omk-call-b/work/x/y"} | 1\tx | 0 | - | {"file_path":"x/y"}
claude | Bash | {"command": "ls|tee /tmp/omk-run-a/omk-call-b/work>x"} | ok | 0 | - | {"command_glob":"ls|tee *>x"}
"#;

fn called(agent: &AgentMocks, tool: &str, input: &str, text: &str, exit: i64) -> ToolCall {
    // Claude Code puts the exit code before what a failed command printed.
    let is_shell = std::ptr::eq(agent, &raw const claude::MOCKS) && tool == "Bash" && exit != 0;
    let text = if is_shell { format!("Exit code {exit}\n{text}") } else { text.replace("\\t", "\t") };
    let output = ToolOutput { text, is_error: exit != 0, exit_code: Some(exit), ..ToolOutput::default() };
    let input = serde_json::from_str(input).unwrap();
    ToolCall { id: "1".to_owned(), name: tool.to_owned(), input, output: Some(output), ..ToolCall::default() }
}

#[test]
fn calls_become_mocks_that_match_again_and_nothing_that_was_denied_does() {
    for row in RECORDED.trim().lines() {
        let columns: Vec<&str> = row.split(" | ").collect();
        let [agent, tool, input, text, exit, guards, expected] = columns[..] else { panic!("{row}") };
        let agent = if agent == "codex" { &codex::MOCKS } else { &claude::MOCKS };
        let call = called(agent, tool, input, text, exit.parse().unwrap());
        let trace = Trace { steps: vec![Step::Tool(call)], ..Trace::default() };
        let sandbox = ProgramSandbox { enforced: vec![guards.to_owned()], ..ProgramSandbox::default() };
        let made = recorded(agent, &RecordedRun { trace: &trace, cwd: None, sandbox: Some(&sandbox) });
        let by = |denied: &[(ToolCall, CallDenial)]| denied.first().map(|(_, by)| format!("{by:?}").to_lowercase());
        let conditions = made.mocks.first().map(|mock| Value::Object(mock.conditions.clone()).to_string());
        let doubt = by(&made.doubtful).map(|by| by + "? ").unwrap_or_default();
        let becomes = by(&made.denied).or(conditions).unwrap_or_default();
        assert_eq!(doubt + &becomes, expected, "{row}");
        assert_eq!(made.mocks.len() + made.denied.len(), 1, "{row}");
    }
}

/// In the words of each agent.
#[test]
fn calls_that_an_agent_denied_are_no_answers() {
    for (agent, tool, text) in [
        (&claude::MOCKS, "Bash", "Claude requested permissions to use Bash, but you haven't granted it yet."),
        (&claude::MOCKS, "Read", "PreToolUse:Read hook error: no"),
        (&claude::MOCKS, "Agent", "no agents"),
        (
            &claude::MOCKS,
            "Read",
            "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
        ),
        (&codex::MOCKS, "update_plan", "Tool call blocked by PreToolUse hook: no."),
        (&codex::MOCKS, "exec_command", "Command blocked by PreToolUse hook: no. Command: ls"),
    ] {
        let call = ToolCall { status: Some(ToolStatus::NotRun), ..called(agent, tool, "{}", text, 0) };
        let trace = Trace { steps: vec![Step::Tool(call)], ..Trace::default() };
        let made = recorded(agent, &RecordedRun { trace: &trace, cwd: None, sandbox: None });
        assert!(made.mocks.is_empty() && made.left.is_empty(), "{text}");
        assert_eq!(made.denied[0].1, CallDenial::Agent, "{text}");
    }
}
