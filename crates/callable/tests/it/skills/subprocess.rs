//! One process a call.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use eval_callable::SkillSetup;
use eval_exec::BuildError;
use eval_spec::callable::{AdapterConfig, AdapterType, SandboxLimits};
use eval_spec::{Failure, Outcome};
use serde_json::json;
use testkit::before_deadline;

use super::{Bench, PYTHON, ask, ask_within, helper, soon, there_is, value};
use crate::{all_words, call};

#[test]
fn a_skill_gets_a_request_and_its_result_comes_back() {
    let output =
        Bench::new().python("answer({'asked': request, 'cwd': os.getcwd()})", r#"{"b":"审查","a":[1]}"#).unwrap();
    assert_eq!(output.outcome, Outcome::Answered);
    let value = value(&output);
    let asked = json!({"jsonrpc": "2.0", "id": 1, "method": "execute", "params": {"b": "审查", "a": [1]}});
    assert_eq!(value["asked"], asked);
    assert!(value["cwd"].as_str().unwrap().ends_with("/skill"));
    let run = output.skill.unwrap();
    assert!(run.start_ms.is_some() && output.latency_ms.is_some());
    assert!(run.enforced.contains(&"process-group".to_owned()), "{run:?}");
}

#[test]
fn credentials_in_addresses_that_a_skill_quotes_are_masked() {
    let quoted = "http://user:secretpw@10.0.0.1/v1?api_key=secretkey";
    let warned = Bench::new().python(&format!("print('{quoted}', file=sys.stderr); answer(1)"), "{}").unwrap();
    let broken = Bench::new().python(&format!("raise OSError('no route to {quoted}')"), "{}").unwrap_err();
    let texts = [serde_json::to_string(&warned).unwrap(), serde_json::to_string(&broken).unwrap()];
    assert!(texts.iter().all(|text| text.contains("@10.0.0.1/v1") && !text.contains("secret")), "{texts:?}");
}

/// The disk that this test runs on isn't full, whatever the skill says.
#[test]
fn a_skill_that_speaks_of_a_full_disk_has_failed_where_there_is_space() {
    let error = Bench::new().python("raise OSError(28, 'No space left on device')", "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Crashed, "{error}");
}

#[test]
fn text_and_null_are_valid_results() {
    let bench = Bench::new();
    assert_eq!(bench.python("answer('5')", "{}").unwrap().text, "\"5\"");
    let empty = bench.python("answer('')", "{}").unwrap();
    assert_eq!((empty.outcome, empty.text.as_str()), (Outcome::Answered, "\"\""));
    assert_eq!(bench.python("answer(None)", "{}").unwrap().text, "null");
}

#[test]
fn other_lines_are_ignored_and_standard_error_is_recorded() {
    let code = "
print('loading {'); print('{\"level\": \"info\"}')
print('it went well', file=sys.stderr)
print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': [1, 2], 'usage': {'inputTokens': 3, 'outputTokens': 4}}, indent=2))
print('bye')";
    let output = Bench::new().python(code, "{}").unwrap();
    assert_eq!(value(&output), json!([1, 2]));
    let run = output.skill.unwrap();
    assert_eq!((run.stderr.as_str(), run.tokens), ("it went well\n", Some(7)));
}

#[test]
fn node_and_c_programs_answer() {
    let bench = Bench::new();
    if there_is("node") {
        bench.file(
            "skill.js",
            "let text = ''; process.stdin.on('data', d => text += d).on('end', () => { const r = JSON.parse(text);
             console.log(JSON.stringify({jsonrpc: '2.0', id: r.id, result: r.params.a + 1}, null, 2)) })",
        );
        let output = ask(&*bench.subprocess("node skill.js", AdapterConfig::default()), r#"{"a":4}"#).unwrap();
        assert_eq!(value(&output), 5);
    }
    if there_is("cc") {
        compile(
            &bench,
            "skill",
            r#"#include <stdio.h>
            int main(void) { char line[999]; fgets(line, 999, stdin);
            puts("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"compiled\"}"); return 0; }"#,
        );
        let output = ask(&*bench.subprocess("./skill", AdapterConfig::default()), "{}").unwrap();
        assert_eq!(value(&output), "compiled");
    }
}

pub(super) fn compile(bench: &Bench, name: &str, code: &str) {
    let source = bench.file(&format!("{name}.c"), code);
    let done = std::process::Command::new("cc").arg(source).arg("-o").arg(bench.directory.join(name)).status();
    assert!(done.unwrap().success());
}

#[test]
fn error_of_the_skill_has_its_own_message() {
    let code = "
print('Traceback', file=sys.stderr)
print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'error': {'code': -32000, 'message': 'no such city'}}))
sys.exit(1)";
    let error = Bench::new().python(code, "{}").unwrap_err();
    assert_eq!((error.failure, error.detail.as_deref()), (Failure::Skill, None));
    assert!(error.to_string().contains("no such city (-32000)"), "{error}");
    assert_eq!(error.partial.unwrap().skill.unwrap().stderr, "Traceback\n");
}

#[test]
fn answer_is_valid_with_any_exit_code() {
    assert_eq!(value(&Bench::new().python("answer(1); sys.exit(3)", "{}").unwrap()), 1);
}

#[test]
fn skill_that_runs_on_after_its_answer_is_not_awaited() {
    let code = "answer(1); sys.stdout.flush(); time.sleep(300)";
    let output = before_deadline(|| Bench::new().python(code, "{}")).unwrap();
    assert_eq!(value(&output), 1);
}

#[test]
fn half_an_emoji_costs_no_answer() {
    assert_eq!(value(&Bench::new().python("answer(['ok \\ud83d', 1.0])", "{}").unwrap()), json!(["ok \u{fffd}", 1.0]));
}

#[test]
fn missing_answer_has_a_reason() {
    let bench = Bench::new();
    let rows = [
        ("pass", Failure::Skill, "without an answer"),
        ("print(25)", Failure::Skill, "without an answer"),
        ("print('{}')", Failure::Skill, "without an answer"),
        ("request['id'] = 999; answer(1)", Failure::Skill, "999"),
        ("request['id'] = None; answer(1)", Failure::Skill, "null"),
        ("sys.exit(3)", Failure::Crashed, "exit code 3"),
        ("os.kill(os.getpid(), 9)", Failure::Crashed, "signal 9"),
        ("raise ValueError('broken')", Failure::Crashed, "ValueError: broken"),
        ("answer(float('nan'))", Failure::Skill, "expected value at line 1 column"),
        ("print('{\"jsonrpc\": \"2.0\",\\n\"result\": NaN}'); print('{bye}')", Failure::Skill, "at line 2 column"),
        ("answer(float('nan')); sys.exit(3)", Failure::Crashed, "exit code 3"),
    ];
    for (code, failure, words) in rows {
        let error = bench.python(code, "{}").unwrap_err();
        assert_eq!(error.failure, failure, "{code}: {error}");
        assert!(error.to_string().contains(words), "{code}: {error}");
    }
}

#[test]
fn invalid_utf8_is_tolerated_beside_the_answer_but_not_in_it() {
    let bench = Bench::new();
    let beside = r"
sys.stdout.buffer.write(b'log \xff\xfe\n'); sys.stdout.flush(); sys.stderr.buffer.write(b'\xff!'); answer('fine')";
    let output = bench.python(beside, "{}").unwrap();
    assert_eq!((value(&output), output.skill.unwrap().stderr.as_str()), (json!("fine"), "\u{fffd}!"));
    let inside = r#"sys.stdout.buffer.write(b'{"jsonrpc":"2.0","id":1,"result":"caf\xe9"}')"#;
    let error = bench.python(inside, "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.to_string().contains("UTF-8"), "{error}");
}

#[test]
fn value_of_a_passed_variable_is_masked_everywhere_but_in_the_answer() {
    const VALUE: &str = "zebra crossing nine";
    let bench =
        Bench::with(Some(true), &[("SERVICE_WORDS", VALUE), ("SHORT_WORD", "zebra"), ("HOME", "/home/someone")]);
    bench.file(
        "skill.py",
        &format!(
            "{PYTHON}
words = os.environ['SERVICE_WORDS']
print(words, os.environ['HOME'], os.environ['SHORT_WORD'], file=sys.stderr)
answer(words) if params['n'] else sys.exit('failed with ' + words)"
        ),
    );
    let env = ["HOME", "SERVICE_WORDS", "SHORT_WORD"].map(str::to_owned).to_vec();
    let executor = bench.subprocess("python3 skill.py", AdapterConfig { env, ..AdapterConfig::default() });
    let output = ask(&*executor, r#"{"n":1}"#).unwrap();
    assert_eq!(value(&output), VALUE, "an answer is scored");
    assert_eq!(output.skill.unwrap().stderr, "*** /home/someone zebra\n");
    let error = ask(&*executor, r#"{"n":0}"#).unwrap_err();
    assert!(!all_words(&error).contains(VALUE), "{error:?}");
    assert!(error.detail.unwrap().contains("failed with ***"));
}

#[test]
fn skill_may_ignore_its_input() {
    let bench = Bench::new();
    let script = r#"sh -c 'exec 0<&-; echo "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}"'"#;
    let executor = bench.subprocess(script, AdapterConfig::default());
    let long = json!({"text": "x".repeat(4 << 20)}).to_string();
    assert_eq!(value(&ask(&*executor, &long).unwrap()), 7);
    let error = ask(&*bench.subprocess("sh -c 'exec 0<&-; exit 5'", AdapterConfig::default()), &long).unwrap_err();
    assert_eq!(error.failure, Failure::Crashed, "{error}");
}

#[test]
fn a_gigabyte_of_output_takes_no_memory() {
    let report = helper::reported(&mut helper::flooded_run());
    assert!(report["error"].as_str().unwrap().contains("8 MiB"), "{report}");
    assert!(report["stderr"].as_u64().unwrap() <= 16 << 10, "{report}");
    let most = report["kib"].as_u64().unwrap();
    assert!((1..40 << 10).contains(&most), "{report}");
}

#[test]
fn a_skill_that_hangs_is_killed_with_its_grandchildren() {
    let bench = Bench::new();
    let code = "
child = os.fork()
if child == 0: time.sleep(300); os._exit(0)
print('so far', os.getpid(), child, flush=True)
print('working', file=sys.stderr, flush=True)
time.sleep(300)";
    let error = before_deadline(|| bench.python_within(code, "{}", Duration::from_millis(1500))).unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    let partial = error.partial.unwrap();
    assert_eq!(partial.skill.unwrap().stderr, "working\n");
    let pids: Vec<&str> = partial.text.trim().strip_prefix("so far ").unwrap().split(' ').collect();
    for pid in pids {
        assert!(soon(|| !super::lives(pid)), "{pid} lives");
    }
}

#[test]
fn open_output_of_a_grandchild_does_not_delay_the_answer() {
    let code = "
child = os.fork()
if child == 0: time.sleep(300); os._exit(0)
answer(child)";
    let output = before_deadline(|| Bench::new().python(code, "{}")).unwrap();
    assert!(soon(|| !super::lives(&output.text)));
}

#[test]
fn dropping_the_call_ends_everything() {
    let bench = Bench::new();
    let code = "
open(os.environ['TMPDIR'] + '/pid', 'w').write(str(os.getpid()) + '\\n')
time.sleep(300)";
    bench.file("skill.py", &format!("{PYTHON}{code}"));
    let executor = bench.subprocess("python3 skill.py", AdapterConfig::default());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let file = bench.scratch.join("0/pid");
    let mut pid = String::new();
    runtime.block_on(async {
        let asked = call("{}");
        let watch = tokio::task::spawn_blocking(move || {
            let mut text = String::new();
            soon(|| {
                text = fs::read_to_string(&file).unwrap_or_default();
                text.ends_with('\n')
            });
            text
        });
        tokio::select! {
            _ = executor.call(&asked) => panic!("it hangs"),
            read = watch => pid = read.unwrap(),
        }
    });
    assert!(!pid.is_empty() && soon(|| !super::lives(&pid)), "{pid}");
}

#[test]
fn only_named_variables_are_passed() {
    let secret = "sk-secret-0123456789-abcdefgh";
    let bench = Bench::with(
        Some(true),
        &[("OPENAI_API_KEY", secret), ("MINE", "yes"), ("HOME", "/somewhere"), ("TZ", "UTC"), ("OTHER", "no")],
    );
    bench.file("skill.py", &format!("{PYTHON}print(os.environ, file=sys.stderr); answer(dict(os.environ))"));
    let config = AdapterConfig { env: vec!["MINE".to_owned(), "UNSET".to_owned()], ..AdapterConfig::default() };
    let output = ask(&*bench.subprocess("python3 skill.py", config), "{}").unwrap();
    let mut seen = value(&output).as_object().unwrap().clone();
    let folder = seen.remove("TMPDIR").unwrap();
    assert!(folder.as_str().unwrap().starts_with(bench.scratch.canonicalize().unwrap().to_str().unwrap()));
    seen.remove("LC_CTYPE"); // Python's own
    for name in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
        let folder = seen.remove(name).unwrap();
        assert!(
            folder.as_str().unwrap().starts_with(bench.scratch.canonicalize().unwrap().to_str().unwrap()),
            "{name}"
        );
    }
    assert_eq!(json!(seen), json!({"PATH": bench.context.env["PATH"], "TZ": "UTC", "MINE": "yes"}));
    // Its user's home for a skill that names it, and without a sandbox.
    let config = AdapterConfig { env: vec!["HOME".to_owned()], ..AdapterConfig::default() };
    let output = ask(&*bench.subprocess("python3 skill.py", config), "{}").unwrap();
    assert_eq!(value(&output)["HOME"], "/somewhere");
    let free = Bench::with(Some(false), &[("HOME", "/somewhere")]);
    assert_eq!(value(&free.python("answer(dict(os.environ))", "{}").unwrap())["HOME"], "/somewhere");

    let config = AdapterConfig { env: vec!["OPENAI_API_KEY".to_owned()], ..AdapterConfig::default() };
    let output = ask(&*bench.subprocess("python3 skill.py", config.clone()), "{}").unwrap();
    assert_eq!(value(&output)["OPENAI_API_KEY"], "***");
    assert!(!output.skill.unwrap().stderr.contains(secret));
    bench.file("skill.py", &format!("{PYTHON}raise ValueError(os.environ['OPENAI_API_KEY'])"));
    let error = ask(&*bench.subprocess("python3 skill.py", config), "{}").unwrap_err();
    assert!(all_words(&error).contains("ValueError") && !all_words(&error).contains(secret));
}

#[test]
fn no_shell_reads_the_entrypoint() {
    let bench = Bench::new();
    bench.file("skill.py", &format!("{PYTHON}answer(sys.argv[1:])"));
    let entrypoint = r#"python3 skill.py '$HOME' "a b" `id` ; $(touch pwned) > out | cat && *"#;
    let output = ask(&*bench.subprocess(entrypoint, AdapterConfig::default()), "{}").unwrap();
    assert_eq!(
        value(&output),
        json!(["$HOME", "a b", "`id`", ";", "$(touch", "pwned)", ">", "out", "|", "cat", "&&", "*"])
    );
}

#[test]
fn directory_name_is_not_interpreted() {
    let mut bench = Bench::new();
    bench.directory = bench.directory.join("x$(touch pwned)`touch pwned`;touch pwned");
    fs::create_dir(&bench.directory).unwrap();
    let output = bench.python("answer(sorted(os.listdir('.') + os.listdir('..')))", "{}").unwrap();
    assert!(!output.text.contains("\"pwned\"") && output.text.contains("skill.py"), "{}", output.text);
}

#[test]
fn program_that_speaks_no_rpc_has_no_answer() {
    let bench = Bench::new();
    let error = ask(&*bench.subprocess("bash -c id", AdapterConfig::default()), "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.partial.unwrap().text.contains("uid="));
}

#[test]
fn command_and_args_replace_the_entrypoint() {
    let bench = Bench::new();
    bench.file("skill.py", &format!("{PYTHON}answer(sys.argv[1:])"));
    let args = Some(vec!["skill.py".to_owned(), "given".to_owned()]);
    let command = Some("python3".to_owned());
    let both = AdapterConfig { command: command.clone(), args: args.clone(), ..AdapterConfig::default() };
    assert_eq!(value(&ask(&*bench.subprocess("no-such-program x", both), "{}").unwrap()), json!(["given"]));
    let program = AdapterConfig { command, ..AdapterConfig::default() };
    let output = ask(&*bench.subprocess("no-such-program skill.py own", program), "{}").unwrap();
    assert_eq!(value(&output), json!(["own"]));
}

#[test]
fn a_program_is_found_in_path_or_in_the_skills_directory() {
    let bench = Bench::new();
    let script = bench.file("run.sh", "#!/bin/sh\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1}'\n");
    let build =
        |entrypoint: &str| bench.build(&bench.skill(AdapterType::Subprocess, entrypoint, AdapterConfig::default()));
    assert!(matches!(build("./run.sh"), Err(BuildError::Missing { .. })), "not executable");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    for entrypoint in ["./run.sh", "run.sh"] {
        assert_eq!(value(&ask(&*build(entrypoint).unwrap(), "{}").unwrap()), 1);
    }
    for entrypoint in ["no-such-program", "./no-such-file", "'unclosed", "''", " "] {
        assert!(build(entrypoint).is_err(), "{entrypoint}");
    }
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    let error = ask(&*build("./run.sh").unwrap(), "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Crashed, "its file is to blame: {error}");
}

#[test]
fn langchain_and_custom_skills_use_the_configured_command() {
    let mut bench = Bench::new();
    let bridge = bench.file("bridge.py", &format!("{PYTHON}answer([sys.argv[1:], os.getcwd(), params])"));
    let at_work = bench.scratch.canonicalize().unwrap();
    bench.context.cwd.clone_from(&at_work);
    let command = ["python3".to_owned(), bridge.display().to_string()];
    let skill = bench.skill(AdapterType::Langchain, "tools.search:Search", AdapterConfig::default());
    let setup = SkillSetup { context: &bench.context, langchain: Some(&command), custom: None };
    let executor = eval_callable::build(&skill, &bench.host, &setup).unwrap();
    let output = ask(&*executor, r#"{"q":1}"#).unwrap();
    assert_eq!(value(&output), json!([[bench.directory, "tools.search:Search"], at_work, {"q": 1}]));
    let custom = bench.skill(AdapterType::Custom, "x", AdapterConfig::default());
    let error = eval_callable::build(&custom, &bench.host, &setup).map(drop).unwrap_err();
    assert!(error.help().iter().any(|line| line.to_string().contains("adapters.custom")), "{:?}", error.help());
}

#[test]
fn each_skill_has_limits_of_its_own() {
    let bench = Bench::new();
    let identity = bench.subprocess("python3 a", AdapterConfig::default()).identity().clone();
    assert_eq!((identity.provider.as_str(), identity.version.as_deref()), ("skill tested", Some("1.2.3")));
    let other = bench.subprocess("python3 b", AdapterConfig::default()).identity().clone();
    assert_ne!(identity.details, other.details, "what is run decides the answer");
}

#[test]
fn limits_of_cpu_time_and_file_size_end_the_process() {
    let bench = Bench::new();
    let limits = SandboxLimits { cpu_seconds: Some(1), file_size_mb: Some(1), ..SandboxLimits::default() };
    let config = AdapterConfig { limits, ..AdapterConfig::default() };
    let executor = bench.subprocess("python3 skill.py", config);
    bench.file("skill.py", "while True: pass");
    let error = ask(&*executor, "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert!(error.to_string().contains("cpuSeconds"), "{error}");
    let write = "f = open(os.environ['TMPDIR'] + '/f', 'wb')\nf.write(b'x' * (2 << 20)); f.flush()";
    bench.file("skill.py", &format!("{PYTHON}{write}"));
    let error = ask_within(&*executor, "{}", Duration::from_secs(20)).unwrap_err();
    assert!(all_words(&error).contains("File too large"), "{error}");
}
