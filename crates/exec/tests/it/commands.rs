//! Command lines as executors.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use eval_exec::{Build, BuildError, Prices};
use eval_spec::call::{CostSource, Generation};
use eval_spec::{Context, ExecError, Failure, Outcome, Output};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::before_deadline;

use crate::{all_words, call, executor, run, settings, world};

fn shell(script: &str) -> Result<Output, ExecError> {
    shell_in(script, &world(&[]), Duration::from_secs(20))
}

fn shell_in(script: &str, context: &Context, timeout: Duration) -> Result<Output, ExecError> {
    let line = shlex::try_join(["sh", "-c", script]).unwrap();
    let mut asked = call("hello");
    asked.timeout = timeout;
    run(&*executor(&line, context), &asked)
}

#[test]
fn request_is_json_on_stdin() {
    let asked: Value =
        serde_json::from_str(&run(&*executor("cat", &world(&[])), &call("审查\n")).unwrap().text).unwrap();
    assert_eq!(asked, json!({"model": "test-model", "system": "be brief", "prompt": "审查\n"}));
}

#[test]
fn request_has_the_settings_and_an_empty_system_text_for_a_baseline() {
    let mut baseline = call("hello");
    baseline.system = None;
    baseline.generation = Generation { temperature: Some(0.0), max_tokens: Some(9), max_turns: None };
    let asked: Value = serde_json::from_str(&run(&*executor("cat", &world(&[])), &baseline).unwrap().text).unwrap();
    assert_eq!(
        asked,
        json!({"model": "test-model", "system": "", "prompt": "hello", "temperature": 0.0, "maxTokens": 9})
    );
}

#[test]
fn plain_text_is_the_answer_without_its_last_line_feed() {
    let output = shell("printf ' line 1\\nline 2 \\n'").unwrap();
    assert_eq!((output.outcome, output.text.as_str()), (Outcome::Answered, " line 1\nline 2 "));
    assert_eq!((output.usage, output.cost), (None, None));
    assert!(output.latency_ms.is_some());
    assert_eq!(shell("true").unwrap().outcome, Outcome::Empty);
}

#[test]
fn json_reply_fills_the_output() {
    let reply = json!({"output": "42", "inputTokens": 3, "outputTokens": 4, "costUSD": 0.25, "turns": 2, "toolCalls": [
        {"name": "Read", "input": {"path": "a"}, "output": "text"}, {"name": "Bash", "input": "ls"}], "extra": true});
    let output = shell(&format!("echo '{reply}'")).unwrap();
    assert_eq!((output.text.as_str(), output.trace.turns), ("42", Some(2)));
    let cost = output.cost.unwrap();
    assert_eq!((cost.usd.0, cost.source), (0.25, CostSource::Reported));
    let usage = output.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 4));
    let calls: Vec<_> = output.trace.tool_calls().collect();
    assert_eq!((calls[0].name.as_str(), &calls[0].input), ("Read", &json!({"path": "a"})));
    assert_eq!(calls[0].output.as_ref().unwrap().text, "text");
    assert_eq!(calls[1].output, None);
}

/// A program, or a library of it, prints a line before its reply.
#[test]
fn a_reply_after_log_lines_is_read() {
    let reply = r#"{"output": "42", "inputTokens": 3, "outputTokens": 4}"#;
    let pretty = "{\n  \"output\": \"42\",\n  \"inputTokens\": 3,\n  \"outputTokens\": 4\n}";
    for before in ["Loading weights ...\n", "\u{feff}", "a\n{\"level\": \"info\"}\n"] {
        for reply in [reply, pretty] {
            let output = shell(&format!("cat <<'END'\n{before}{reply}\nEND")).unwrap();
            assert_eq!((output.text.as_str(), output.usage.is_some()), ("42", true), "{before}{reply}");
        }
    }
    let error = shell("echo Loading; echo '{\"text\": \"x\", \"costUSD\": 0.1}'").unwrap_err();
    assert!(error.to_string().contains("`output` is missing"), "{error}");
    // an answer may end with JSON of its own
    for text in ["Here it is:\n{\"answer\": 42}", "Reply with\n{\"output\": 1}", "{\"output\": \"x\"}, or so\nyou say"]
    {
        let shown = shell(&format!("cat <<'END'\nI say\n{text}\nEND")).unwrap();
        assert_eq!(shown.text, format!("I say\n{text}"));
    }
}

#[test]
fn half_an_emoji_costs_no_reply() {
    for before in ["", "a log line\n"] {
        let text = format!(r#"{before}{{"output": "ok \ud83d", "inputTokens": 3, "outputTokens": 4}}"#);
        let output = shell(&format!("cat <<'END'\n{text}\nEND")).unwrap();
        assert_eq!((output.text.as_str(), output.usage.is_some()), ("ok \u{fffd}", true), "{before}");
    }
}

#[test]
fn partial_usage_is_unknown() {
    assert_eq!(shell(r#"echo '{"output": "x", "inputTokens": 3}'"#).unwrap().usage, None);
}

#[test]
fn tool_call_may_say_how_it_ended() {
    use eval_spec::call::ToolStatus::{Failed, NoMatch, NotRun, Ok};
    for (fields, status, code) in [
        (r#""status": "ok""#, Some(Ok), None),
        (r#""status": "noMatch""#, Some(NoMatch), None),
        (r#""status": "failed""#, Some(Failed), None),
        (r#""status": "notRun""#, Some(NotRun), None),
        (r#""success": false"#, Some(Failed), None),
        (r#""success": true"#, Some(Ok), None),
        (r#""isError": true, "exitCode": 1"#, Some(Failed), Some(1)),
        (r#""exitCode": 0"#, Some(Ok), Some(0)),
        (r#""status": "running""#, None, None),
        (r#""status": 200, "success": "yes", "exitCode": "1""#, None, None),
    ] {
        let reply = format!(r#"{{"output": "x", "toolCalls": [{{"name": "Bash", "output": "", {fields}}}]}}"#);
        let output = shell(&format!("echo '{reply}'")).unwrap();
        let call = output.trace.tool_calls().next().unwrap();
        assert_eq!((call.status, call.output.as_ref().unwrap().exit_code), (status, code), "{fields}");
    }
}

#[test]
fn json_without_output_is_the_answer_itself() {
    for text in [r#"{"answer": 42}"#, "[1, 2]", "42", r#"{"answer": "x""#, r#"{"x": ["#, "{output}", "{"] {
        assert_eq!(shell(&format!("echo '{text}'")).unwrap().text, text);
    }
}

#[test]
fn broken_json_reply_is_malformed() {
    let deep = format!(r#"{{"model": "m", "output": "x", "toolCalls": {}1{}}}"#, "[".repeat(200), "]".repeat(200));
    for text in [
        r#"{"output":[[[["#,
        r#"{"output": "x""#,
        r#"{ "costUSD" : 1, "output": "x", }"#,
        r#"{"note": 1, "output": "half an ans"#,
        &deep,
    ] {
        let error = shell(&format!("echo '{text}'")).unwrap_err();
        assert_eq!(error.failure, Failure::Malformed, "{text}");
    }
}

#[test]
fn json_of_a_wrong_shape_is_malformed() {
    for text in [
        r#"{"output": 42}"#,
        r#"{"output": "x", "costUSD": -1}"#,
        r#"{"output": "x", "costUSD": 1e308}"#,
        r#"{"output": "x", "toolCalls": [{}]}"#,
    ] {
        assert_eq!(shell(&format!("echo '{text}'")).unwrap_err().failure, Failure::Malformed, "{text}");
    }
}

#[test]
fn a_reply_without_its_output_is_no_answer() {
    for text in [
        r#"{"error": "the model is overloaded"}"#,
        r#"{"text": "x", "costUSD": 0.1}"#,
        r#"{"answer": "x", "inputTokens": 3, "outputTokens": 4}"#,
        r#"{"toolCalls": []}"#,
    ] {
        let error = shell(&format!("echo '{text}'")).unwrap_err();
        assert_eq!(error.failure, Failure::Malformed, "{text}");
        let said = error.to_string();
        assert!(said.contains("`output` is missing") && said.contains(r#"{"output": "the answer""#), "{said}");
    }
    // a skill may be asked for JSON
    for text in [r#"{"error": "E1", "line": 3}"#, r#"{"total": 12, "turns": 2}"#, "{}"] {
        assert_eq!(shell(&format!("echo '{text}'")).unwrap().text, text);
    }
}

#[test]
fn program_may_ignore_its_input() {
    let mut long = call(&"x".repeat(4 << 20));
    let script = executor("sh -c 'exec 0<&-; echo done'", &world(&[]));
    assert_eq!(run(&*script, &long).unwrap().text, "done");
    long.timeout = Duration::from_secs(20);
    let output = run(&*executor("cat", &world(&[])), &long).unwrap();
    assert!(output.text.len() > 4 << 20, "both pipes are served at once");
}

#[test]
fn failing_exit_is_a_crash_with_standard_error() {
    let error = shell("echo partial; echo 'it broke' >&2; exit 3").unwrap_err();
    assert_eq!((error.failure, error.detail.as_deref()), (Failure::Crashed, Some("it broke")));
    assert!(error.to_string().contains('3'), "{error}");
    assert_eq!(error.partial.unwrap().text, "partial\n");
    assert!(shell("kill -9 $$").unwrap_err().to_string().contains("signal 9"));
}

#[test]
fn too_much_output_ends_a_program_before_its_time_limit_and_is_not_asked_for_again() {
    let error = shell("yes").unwrap_err();
    assert!(error.to_string().contains("16 MiB"), "{error}");
    assert!(error.failure == Failure::Crashed && !error.failure.retryable(), "{error:?}");
}

#[test]
fn text_is_decoded_across_chunks() {
    let text =
        shell("i=0; while [ $i -lt 3000 ]; do printf '审查基线'; i=$((i+1)); done; printf '\\377'").unwrap().text;
    assert_eq!(text, format!("{}\u{fffd}", "审查基线".repeat(3000)));
}

/// Whether a process of this number lives; a zombie does not.
fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

fn dies(pid: &str) -> bool {
    (0..100).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        !lives(pid)
    })
}

#[test]
fn timeout_kills_grandchildren_and_returns_the_partial_output() {
    let folder = TempDir::new().unwrap();
    let pid = folder.path().join("pid");
    let script = format!("echo so far; sleep 300 & echo $! > {}; wait", pid.display());
    let error = before_deadline(|| shell_in(&script, &world(&[]), Duration::from_millis(700))).unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert_eq!(error.partial.unwrap().text, "so far\n");
    assert!(dies(&fs::read_to_string(pid).unwrap()));
}

#[test]
fn open_pipe_of_a_grandchild_does_not_delay_the_answer() {
    let folder = TempDir::new().unwrap();
    let pid = folder.path().join("pid");
    let started = Instant::now();
    let script = format!("sleep 300 & echo $! > {}; echo answer", pid.display());
    let output = before_deadline(|| shell(&script)).unwrap();
    assert_eq!(output.text, "answer");
    // The pipe is read for half a second after the program ended.
    let (latency, whole) = (output.latency_ms.unwrap(), started.elapsed().as_millis());
    assert!(u128::from(latency) + 500 <= whole, "waiting for the pipe is no latency: {latency} of {whole} ms");
    assert!(dies(&fs::read_to_string(pid).unwrap()));
}

#[test]
fn timely_output_of_a_descendant_is_part_of_the_answer() {
    assert_eq!(shell("(sleep 0.1; echo late) & echo early").unwrap().text, "early\nlate");
}

#[test]
fn dropping_the_call_ends_the_program() {
    let folder = TempDir::new().unwrap();
    let pid = folder.path().join("pid");
    let executor = executor(&format!("sh -c 'sleep 300 & echo $! > {}; wait'", pid.display()), &world(&[]));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let asked = call("hello");
        let _ = tokio::time::timeout(Duration::from_millis(500), executor.call(&asked)).await;
    });
    assert!(dies(&fs::read_to_string(pid).unwrap()));
}

#[test]
fn secrets_are_withheld_from_programs() {
    let secrets =
        [("OPENAI_API_KEY", "sk-secret-0123456789"), ("AWS_PROFILE", "prod-profile"), ("GITHUB_TOKEN", "ghp-secret-3")];
    let context = world(&[secrets.as_slice(), &[("PLAIN", "visible")]].concat());
    let seen = shell_in("env", &context, Duration::from_secs(20)).unwrap().text;
    assert!(seen.contains("PLAIN=visible"));
    for (name, value) in secrets {
        assert!(!seen.contains(name) && !seen.contains(value), "{seen}");
    }
}

#[test]
fn a_proxy_with_a_password_is_used_but_never_shown() {
    let proxy = "http://someone:hunter2-and-more@proxy.example:8080/";
    let context = world(&[("HTTPS_PROXY", proxy), ("MY_DSN", "postgres://app:pw-4711-pw-4711@db/x"), ("lower", proxy)]);
    let there = shell_in(&format!("test \"$HTTPS_PROXY\" = '{proxy}' && echo yes"), &context, Duration::from_secs(20));
    assert_eq!(there.unwrap().text, "yes");
    let error = shell_in("env >&2; exit 1", &context, Duration::from_secs(20)).unwrap_err();
    for secret in ["hunter2-and-more", "pw-4711-pw-4711"] {
        assert!(!all_words(&error).contains(secret), "{error:?}");
    }
}

#[test]
fn passed_secret_is_masked_in_output() {
    let context = world(&[("OPENAI_API_KEY", "sk-secret-0123456789"), ("OMK_PASS_ENV", "OTHER, OPENAI_API_KEY")]);
    let there =
        shell_in("test \"$OPENAI_API_KEY\" = sk-secret-0123456789 && echo yes", &context, Duration::from_secs(20));
    assert_eq!(there.unwrap().text, "yes");
    let error = shell_in("echo out $OPENAI_API_KEY; env >&2; exit 1", &context, Duration::from_secs(20)).unwrap_err();
    assert!(!all_words(&error).contains("sk-secret-0123456789"), "{error:?}");
    let output = shell_in("echo $OPENAI_API_KEY", &context, Duration::from_secs(20)).unwrap();
    assert_eq!(output.text, "***");
}

#[test]
fn secret_of_any_look_is_masked_in_answers() {
    let secrets = [
        ("DB_PASSWORD", "postgres"),
        ("MY_KEY", "correct horse battery staple 1"),
        ("SHORT_KEY", "k1x9"),
        ("OPENAI_API_KEY", "none"),
        ("AWS_REGION", "eu-west-1"),
    ];
    let mut context = world(&secrets);
    let script = "echo 'use postgres; correct horse battery staple 1; k1x9, not k1x9b; none in eu-west-1'";
    let answer = |context: &Context| shell_in(script, context, Duration::from_secs(20)).unwrap().text;
    assert_eq!(answer(&context), "use ***; ***; ***, not k1x9b; none in eu-west-1");
    // What the samples ask for is no secret to the model: without it, a check would fail.
    context.in_inputs = eval_exec::in_inputs(&context, ["a `postgres` URL".into()].into_iter());
    assert_eq!(answer(&context), "use postgres; ***; ***, not k1x9b; none in eu-west-1");
    let error = shell_in(&format!("{script} >&2; exit 1"), &context, Duration::from_secs(20)).unwrap_err();
    assert_eq!(error.detail.as_deref(), Some("use ***; ***; ***, not k1x9b; none in ***"));
}

/// What JSON escapes, what stands on a line of its own, what is also a number or a word of our own format.
#[test]
fn secret_is_masked_whatever_it_does_to_json() {
    let pem = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END KEY-----";
    for secret in ["qu\"ote\\sla12345", pem, "abcd", "1234", "text", "answered", "output"] {
        let context = world(&[("MY_PASSWORD", secret), ("OTHER_KEY", "k-0123456789")]);
        let mut reply = serde_json::json!({"output": format!("hello\n{secret}\nand k-0123456789"), "inputTokens": 1234, "outputTokens": 5});
        reply["toolCalls"] =
            serde_json::json!([{"name": "t", "input": {"value": secret, secret: 1234}, "output": "x"}]);
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("reply.json");
        std::fs::write(&file, reply.to_string()).unwrap();
        let script = format!("cat {}", file.display());
        let output = shell_in(&script, &context, Duration::from_secs(20)).unwrap();
        let whole = serde_json::to_value(&output).unwrap();
        assert_eq!(output.text, "hello\n***\nand ***", "{secret}");
        assert_eq!(output.usage.unwrap().input_tokens, 1234);
        let input = &whole["trace"]["steps"][0]["tool"]["input"];
        assert_eq!(*input, serde_json::json!({"value": "***", "***": 1234}), "{secret}: {whole}");
        let error = shell_in(&format!("{script} >&2; exit 3"), &context, Duration::from_secs(20)).unwrap_err();
        let quoted = serde_json::to_string(secret).unwrap();
        let said = all_words(&error);
        let is_ours = ["text", "output", "1234"].contains(&secret);
        assert!(is_ours || !said.contains(quoted.trim_matches('"')), "{secret}: {said}");
        assert!(!said.contains("k-0123456789"), "{said}");
    }
    // One line of a key is as good as the whole of it.
    let context = world(&[("SSH_PRIVATE_KEY", pem)]);
    let output = shell_in("echo 'MIIEvQIBADANBgkqhkiG9w0 is in it'", &context, Duration::from_secs(20)).unwrap();
    assert_eq!(output.text, "*** is in it");
}

#[test]
fn crash_for_a_withheld_key_names_the_variable_to_pass_it() {
    let context = world(&[("OPENAI_API_KEY", "sk-secret-0123456789")]);
    let error = shell_in("echo 'set OPENAI_API_KEY' >&2; exit 1", &context, Duration::from_secs(20)).unwrap_err();
    assert!(error.to_string().contains("OMK_PASS_ENV"), "{error}");
}

#[test]
fn program_runs_in_the_directory_of_the_variant() {
    let folder = TempDir::new().unwrap();
    let mut asked = call("hello");
    asked.cwd = Some(folder.path().to_owned());
    let output = run(&*executor("pwd", &world(&[])), &asked).unwrap();
    assert_eq!(Path::new(&output.text).canonicalize().unwrap(), folder.path().canonicalize().unwrap());
}

#[test]
fn no_shell_reads_the_command_line() {
    let output = run(&*executor("echo '$HOME' '*' '`id`' ';' 'a b'", &world(&[])), &call("hello")).unwrap();
    assert_eq!(output.text, "$HOME * `id` ; a b");
}

#[test]
fn identity_changes_with_the_script() {
    let folder = TempDir::new().unwrap();
    let script = folder.path().join("model.sh");
    let details = |content: &str| {
        fs::write(&script, content).unwrap();
        executor(&format!("sh {}", script.display()), &world(&[])).identity().details.clone().unwrap()
    };
    assert_ne!(details("echo 1"), details("echo 2"));
    assert_eq!(details("echo 1"), details("echo 1"));
}

#[test]
fn unstartable_program_is_a_build_error() {
    let context = world(&[]);
    let build = |line: &str| {
        let settings = settings();
        let b = Build { context: &context, settings: &settings, prices: Prices::built_in().into() };
        eval_exec::build(line, &b).map(drop).unwrap_err()
    };
    assert!(matches!(build("no-such-program --flag"), BuildError::Command { .. }));
    assert!(matches!(build("./no-such-file"), BuildError::Command { .. }));
    assert!(matches!(build("sh -c 'unclosed"), BuildError::Command { .. }));
    assert!(matches!(build("  "), BuildError::Unknown { .. }));
    let error = build("opnai-api");
    assert!(matches!(error, BuildError::Unknown { .. }));
    let help: Vec<String> = error.help().iter().map(ToString::to_string).collect();
    assert!(
        help.iter().any(|line| line.contains("`openai-api`: not ready") && line.contains("OPENAI_API_KEY")),
        "{help:?}"
    );
    assert!(help.iter().any(|line| line.contains("`replay`: ready")), "{help:?}");
}

#[test]
fn credentials_in_addresses_that_a_command_quotes_are_masked() {
    let quoted = "http://user:secretpw@10.0.0.1/v1?api_key=secretkey";
    for script in [format!("echo 'no route to {quoted}' >&2; exit 3"), format!("echo 'no route to {quoted}'; exit 3")] {
        let error = shell(&script).unwrap_err();
        let said = format!("{} {}", error.message, serde_json::to_string(&error).unwrap());
        assert!(!said.contains("secret"), "{said}");
    }
    let said = serde_json::to_string(&shell(&format!("echo '{quoted}' >&2; exit 3")).unwrap_err()).unwrap();
    assert!(said.contains("@10.0.0.1/v1?api_key="), "{said}");
    // Answers are graded as they are; the report masks them.
    assert_eq!(shell(&format!("echo '{quoted}'")).unwrap().text, quoted);
}
