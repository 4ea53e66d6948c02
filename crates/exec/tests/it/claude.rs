//! `claude`: with a stand-in that plays recordings, and once for real.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use eval_exec::{Build, Prices};
use eval_spec::{Context, ExecError, Failure, Outcome, Output};
use serde_json::json;
use tempfile::TempDir;
use testkit::{FakeAnswer, FakeApi, FakeReply, FakeStop, ReplyScript};

use crate::{all_words, call, executor, run, settings, world};

const KEY: &str = "sk-ant-test-0123456789";

/// A folder with a `claude` in it that answers `--version` and runs `script` otherwise.
fn stand_in(script: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("claude");
    let text = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo '2.1.330 (Claude Code)'; exit; fi\n{script}\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

fn in_world(folder: &TempDir, env: &[(&str, &str)]) -> Context {
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    world(&[env, &[("PATH", &path)]].concat())
}

fn play(script: &str) -> Result<Output, ExecError> {
    let folder = stand_in(script);
    run(&*executor("claude", &in_world(&folder, &[("ANTHROPIC_API_KEY", KEY)])), &call("hello"))
}

fn recording(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures/claude-2.1.330", name].iter().collect()
}

fn replayed(name: &str, exit: i32) -> Result<Output, ExecError> {
    play(&format!("cat > /dev/null; cat '{}'; exit {exit}", recording(name).display()))
}

#[test]
fn a_recorded_run_becomes_an_output() {
    let output = replayed("success.stream-json.stdout", 0).unwrap();
    assert_eq!((output.outcome, output.trace.turns), (Outcome::Answered, Some(5)));
    assert_eq!(output.trace.tool_calls().count(), 5);
    assert!((output.cost.unwrap().usd.0 - 0.016_292).abs() < 1e-12);
    assert!(output.latency_ms.is_some());
    assert_eq!(replayed("err429.stream-json.stdout", 1).unwrap_err().failure, Failure::RateLimited);
    assert_eq!(replayed("refusal.stream-json.stdout", 1).unwrap().outcome, Outcome::Refused);
}

#[test]
fn fallback_cost_of_claude_is_replaced_if_the_price_is_known() {
    let folder = TempDir::new().unwrap();
    let play_with = |model: &str| {
        let text = fs::read_to_string(recording("simple.stream-json.stdout")).unwrap();
        let text =
            text.replace("claude-opus-5-5", model).replace("\"costBasis\":\"list\"", "\"costBasis\":\"unknown\"");
        let path = folder.path().join("out");
        fs::write(&path, text).unwrap();
        play(&format!("cat > /dev/null; cat '{}'", path.display())).unwrap().cost
    };
    assert_eq!(play_with("some-model"), None);
    assert_eq!(play_with("claude-opus-5-5").unwrap().source, eval_spec::call::CostSource::PriceTable);
}

#[test]
fn claude_receives_arguments_input_and_artifact() {
    let folder = stand_in(
        r#"out=$(dirname "$0"); for a in "$@"; do echo "[$a]"; done > "$out/args"; cat > "$out/stdin"
        while [ $# -gt 0 ]; do [ "$1" = --append-system-prompt-file ] && cp "$2" "$out/system" && stat -c %a "$2" > "$out/mode" && echo "$2" > "$out/where"; shift; done
        env > "$out/env"; exit 7"#,
    );
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let secrets = [
        ("ANTHROPIC_API_KEY", KEY),
        ("OPENAI_API_KEY", "sk-other-secret"),
        ("AWS_SECRET", "aws-secret"),
        ("CLAUDECODE", "1"),
    ];
    let mut asked = call("-x prompt\n审查");
    asked.system = Some("# skill\n--flag".into());
    asked.generation.max_turns = Some(3);
    asked.effort = Some("low".to_owned());
    asked.allowed_tools = Some(vec!["Read".to_owned(), "Bash(git *)".to_owned()]);
    run(&*executor("claude", &in_world(&folder, &secrets)), &asked).unwrap_err();
    let args = read("args").replace(read("where").trim(), "FILE").replace("]\n[", "] [");
    assert_eq!(
        args.trim(),
        "[-p] [--output-format] [stream-json] [--verbose] [--model] [test-model] [--max-turns] [3] [--effort] [low] \
         [--append-system-prompt-file] [FILE] [--setting-sources] [] [--strict-mcp-config] [--disable-slash-commands] \
         [--allowedTools] [Read] [Bash(git *)]"
    );
    assert_eq!(
        (read("stdin").as_str(), read("system").as_str(), read("mode").trim()),
        ("-x prompt\n审查", "# skill\n--flag", "600")
    );
    assert!(!Path::new(read("where").trim()).exists(), "the artifact's file is gone after the call");
    let env = read("env");
    for expected in [
        &format!("ANTHROPIC_API_KEY={KEY}"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
        "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1",
        "CLAUDE_CODE_MAX_RETRIES=0",
    ] {
        assert!(env.lines().any(|line| line == expected), "{expected} is not in {env}");
    }
    assert!(!env.contains("sk-other-secret") && !env.contains("aws-secret") && !env.contains("CLAUDECODE="), "{env}");
}

#[test]
fn a_time_out_keeps_the_trace() {
    let folder = stand_in(&format!("head -n 9 '{}'; sleep 60", recording("success.stream-json.stdout").display()));
    let mut asked = call("hello");
    asked.timeout = Duration::from_millis(800);
    let error = run(&*executor("claude", &in_world(&folder, &[("ANTHROPIC_API_KEY", KEY)])), &asked).unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert!(error.partial.unwrap().trace.tool_calls().count() >= 1);
}

#[test]
fn key_printed_by_a_tool_is_masked() {
    let leak =
        json!({"type": "result", "subtype": "success", "is_error": false, "result": format!("the key is {KEY}")});
    let output = play(&format!("cat > /dev/null; echo '{leak}'")).unwrap();
    assert_eq!(output.text, "the key is ***");
    let error = play(&format!("echo {KEY} >&2; exit 2")).unwrap_err();
    assert!(!all_words(&error).contains(KEY) && error.failure == Failure::Crashed, "{error:?}");
}

#[test]
fn unsupported_setting_is_a_build_error() {
    let folder = stand_in("true");
    let build = |context: &Context, temperature| {
        let mut settings = settings();
        settings.generation.temperature = temperature;
        let b = Build { context, settings: &settings, prices: Arc::new(Prices::built_in()) };
        eval_exec::build("claude", &b).map(|executor| executor.identity().clone())
    };
    let context = in_world(&folder, &[("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9/")]);
    let identity = build(&context, None).unwrap();
    assert_eq!((identity.version.as_deref(), identity.provider.as_str()), (Some("2.1.330"), "127.0.0.1:9"));
    assert!(identity.details.unwrap().contains("--strict-mcp-config"));
    assert!(build(&context, Some(0.5)).unwrap_err().to_string().contains("temperature"));
    assert!(build(&world(&[("PATH", "/nowhere")]), None).unwrap_err().to_string().contains("npm install"));
}

/// The installed command line, in a world with a fake API.
fn real() -> Option<(TempDir, Context, FakeApi)> {
    let program = testkit::tools::claude()?;
    let folder = TempDir::new().unwrap();
    std::os::unix::fs::symlink(program, folder.path().join("claude")).unwrap();
    let home = folder.path().join("home");
    fs::create_dir_all(folder.path().join("work")).unwrap();
    fs::create_dir_all(&home).unwrap();
    let api = FakeApi::start(ReplyScript::with(|request| {
        let text = request.body.to_string();
        let reply = |text: &str| {
            FakeReply::answer(FakeAnswer {
                text: Some(text.to_owned()),
                usage: Some((100, 7)),
                ..FakeAnswer::default()
            })
        };
        match () {
            () if text.contains("ASK-401") => FakeReply::error(401, "authentication_error", "invalid x-api-key"),
            () if text.contains("ASK-429") => FakeReply::error(429, "rate_limit_error", "slow down"),
            () if text.contains("ASK-LONG") => FakeReply::answer(FakeAnswer {
                text: Some("a very long".to_owned()),
                stop: FakeStop::Length,
                ..FakeAnswer::default()
            }),
            () if text.contains("ASK-TOOL") && !text.contains("tool_result") => FakeReply::answer(FakeAnswer {
                text: Some("let me look".to_owned()),
                tool: Some(("Read".to_owned(), json!({"file_path": "note.txt"}))),
                ..FakeAnswer::default()
            }),
            () if text.contains("tool_result") => reply("the note says 42"),
            () => reply("hello from the fake"),
        }
    }));
    let context = in_world(
        &folder,
        &[("HOME", &home.display().to_string()), ("ANTHROPIC_BASE_URL", &api.url), ("ANTHROPIC_API_KEY", KEY)],
    );
    let context = Context { cwd: folder.path().join("work"), ..context };
    fs::write(context.cwd.join("note.txt"), "the answer is 42\n").unwrap();
    Some((folder, context, api))
}

#[test]
fn the_real_claude_answers() {
    let Some((_folder, context, api)) = real() else { return };
    let executor = executor("claude", &context);
    let ask = |prompt: &str| {
        let mut asked = call(prompt);
        asked.model = "claude-opus-5-5".to_owned();
        asked.system = Some("ARTIFACT-MARKER be brief".into());
        asked.timeout = Duration::from_secs(60);
        run(&*executor, &asked)
    };
    let output = ask("say hello").unwrap();
    assert_eq!(
        (output.outcome, output.text.as_str(), output.trace.turns),
        (Outcome::Answered, "hello from the fake", Some(1))
    );
    assert!(output.cost.is_some() && output.usage.unwrap().output_tokens == 7, "{output:?}");
    let sent = api.requests().iter().find(|request| request.path == "/v1/messages").unwrap().body.to_string();
    assert!(sent.contains("ARTIFACT-MARKER") && sent.contains("say hello"));

    let output = ask("ASK-TOOL").unwrap();
    assert_eq!((output.text.as_str(), output.trace.turns), ("the note says 42", Some(2)));
    let read = output.trace.tool_calls().next().unwrap();
    assert!(read.output.as_ref().unwrap().text.contains("the answer is 42"), "{read:?}");

    assert_eq!(ask("ASK-LONG").unwrap().outcome, Outcome::Truncated, "at the output limit");
    assert_eq!(ask("ASK-401").unwrap_err().failure, Failure::Auth);
    let before = api.count();
    let error = ask("ASK-429").unwrap_err();
    assert_eq!((error.failure, error.status), (Failure::RateLimited, Some(429)));
    assert!(api.count() - before <= 2, "it retried by itself: {} requests", api.count() - before);
    assert!(!all_words(&error).contains(KEY));
}

#[test]
fn credentials_in_addresses_that_an_agent_quotes_are_masked() {
    let error = play("echo 'no proxy at http://user:secretpw@10.0.0.1?token=secretkey' >&2; exit 1").unwrap_err();
    let said = serde_json::to_string(&error).unwrap();
    assert!(said.contains("10.0.0.1") && !said.contains("secret"), "{said}");
}
