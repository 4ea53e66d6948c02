//! Skills that are programs: entrypoint, environment, input and output, time limits, sandbox.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use testkit::skills::{self};

use super::{evaluated, task};
use crate::fixtures::context::TestContext;
use crate::fixtures::results::{result, statuses};

/// The beginning of every program here: reads the request and defines how to answer it.
const PYTHON: &str = "import json, os, sys, time
request = json.load(sys.stdin)
params = request['params']
def answer(result, **more):
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result, **more}), flush=True)
";

/// A skill with one source file.
fn program(context: &TestContext, entrypoint: &str, config: &Value, code: &str) {
    let skill = json!({"entrypoint": entrypoint, "inputSchema": {"type": "object"}});
    skills::write(&context.path("skills/calc"), &skill, config, &[("skill.py", code)]);
}

#[test]
fn entrypoint_is_split_into_words_without_a_shell() {
    let context = TestContext::new();
    let entrypoint = r#"python3 skill.py "two words" '$HOME' `id` $(touch pwned) ; touch pwned | tee 'it''s' > out"#;
    let code = format!("{PYTHON}answer({{'arguments': sys.argv[1:], 'cwd': os.getcwd()}})");
    program(&context, entrypoint, &json!({}), &code);
    let report = evaluated(&context, "skills/calc", &json!([task("t", &json!({}), &json!(1))]), &[]);
    let output = result(&report, "t")["output"].clone();
    let words =
        ["two words", "$HOME", "`id`", "$(touch", "pwned)", ";", "touch", "pwned", "|", "tee", "its", ">", "out"];
    assert_eq!(output["arguments"], json!(words), "{output}");
    let folder = context.path("skills/calc").canonicalize().unwrap();
    assert_eq!(Path::new(output["cwd"].as_str().unwrap()), folder);
    assert_eq!(context.names("skills/calc"), ["adapter.config.json", "skill.json", "skill.py"]);
}

#[test]
fn environment_has_the_documented_and_the_named_variables() {
    let context = TestContext::new();
    // A shell script, because some interpreters are wrappers that add variables.
    let code = "env >&2\necho '{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 1}'\n";
    program(&context, "/bin/sh skill.py", &json!({"env": ["NAMED", "ABSENT"]}), code);
    let report = evaluated(&context, "skills/calc", &json!([task("t", &json!({}), &json!(1))]), &[]);
    let stderr = result(&report, "t")["stderr"].as_str().unwrap().to_owned();
    let environment: BTreeMap<&str, &str> = stderr.lines().filter_map(|line| line.split_once('=')).collect();
    assert_eq!((environment["NAMED"], environment["LANG"]), ("passed", "C.UTF-8"));
    for name in ["PATH", "HOME", "TMPDIR"] {
        assert!(environment.contains_key(name), "{name} is missing in {stderr}");
    }
    let promised = [
        "PATH",
        "HOME",
        "LANG",
        "TZ",
        "TMPDIR",
        "NAMED",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
        "PYTHONUSERBASE",
    ];
    let of_the_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    let other: Vec<&&str> =
        environment.keys().filter(|name| !promised.contains(name) && !of_the_shell.contains(name)).collect();
    assert!(other.is_empty(), "{other:?} was not to be passed on");
}

#[test]
fn answer_is_found_among_other_output() {
    let context = TestContext::new();
    let code = format!("{PYTHON}
match params['do']:
    case 'log':
        print('starting {{'); answer(1); print('done }}')
    case 'pretty':
        print('[info] thinking')
        print(json.dumps({{'jsonrpc': '2.0', 'id': request['id'], 'result': {{'answer': 1}}}}, indent=4))
    case 'stderr':
        for n in range(20_000): print('line', n, file=sys.stderr)
        answer(1)
    case 'refuse':
        print(json.dumps({{'jsonrpc': '2.0', 'id': request['id'], 'error': {{'code': -32000, 'message': 'no such city'}}}}))
    case 'other-id':
        print(json.dumps({{'jsonrpc': '2.0', 'id': 77, 'result': 1}}))
    case 'nothing': pass
    case 'crash':
        print('about to fall', file=sys.stderr); sys.exit(7)
    case 'bytes':
        sys.stdout.buffer.write(b'{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\\xff\\xfe\"}}')
");
    program(&context, "python3 skill.py", &json!({}), &code);
    let does = ["log", "pretty", "stderr", "refuse", "other-id", "nothing", "crash", "bytes"];
    let tasks: Value = does.iter().map(|it| task(it, &json!({"do": it}), &json!(1))).collect();
    let report = evaluated(&context, "skills/calc", &tasks, &[]);
    assert_eq!(statuses(&report), ["pass", "pass", "pass", "error", "error", "error", "error", "error"], "{report}");
    let stderr = result(&report, "stderr")["stderr"].as_str().unwrap().to_owned();
    assert!(stderr.trim_end().ends_with("line 19999") && stderr.len() < 64 << 10, "its end, not all of it");
    for (task, words) in [
        ("refuse", "no such city"),
        ("other-id", "77"),
        ("nothing", "without an answer"),
        ("crash", "exit code 7"),
        ("bytes", "UTF-8"),
    ] {
        let error = result(&report, task)["error"].as_str().unwrap().to_owned();
        assert!(error.contains(words), "{task}: {error}");
    }
    assert!(result(&report, "crash")["stderr"].as_str().unwrap().contains("about to fall"));
}

#[test]
fn skill_may_close_its_input_before_answering() {
    let context = TestContext::new();
    let code = "import os\nos.close(0)\nprint('{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 5}', flush=True)\n";
    program(&context, "python3 skill.py", &json!({}), code);
    // More than the buffer of a pipe.
    let input = json!({"text": "x".repeat(300_000)});
    let report = evaluated(&context, "skills/calc", &json!([task("t", &input, &json!(5))]), &[]);
    assert_eq!(statuses(&report), ["pass"], "{}", report["counts"]);
    let code = "import os, sys\nos.close(0)\nsys.exit(3)\n";
    program(&context, "python3 skill.py", &json!({}), code);
    let report = evaluated(&context, "skills/calc", &json!([task("t", &input, &json!(5))]), &[]);
    assert_eq!((statuses(&report), &report["counts"]["harnessError"]), (vec!["error"], &json!(0)));
}

#[test]
fn timeout_kills_grandchildren_with_open_output() {
    let context = TestContext::new();
    let code = format!(
        "{PYTHON}
import subprocess
child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])
print('child', child.pid, file=sys.stderr, flush=True)
if params.get('leave'): os._exit(0)
time.sleep(600)"
    );
    program(&context, "python3 skill.py", &json!({}), &code);
    let tasks = json!([
        {"id": "hangs", "inputData": {}, "expectedOutput": {"value": 1}, "timeoutMs": 1500},
        {"id": "leaves", "inputData": {"leave": true}, "expectedOutput": {"value": 1}, "timeoutMs": 1500},
    ]);
    let report = evaluated(&context, "skills/calc", &tasks, &[]);
    assert_eq!(result(&report, "hangs")["status"], "timeout");
    assert_eq!(result(&report, "hangs")["latencyMs"], 1500.0);
    assert_ne!(result(&report, "leaves")["status"], "pass");
    let mut children = 0;
    for task in ["hangs", "leaves"] {
        let stderr = result(&report, task)["stderr"].as_str().unwrap_or_default().to_owned();
        for pid in stderr.lines().filter_map(|line| line.strip_prefix("child ")) {
            assert!(!Path::new("/proc").join(pid.trim()).exists(), "{task}: {pid} is alive");
            children += 1;
        }
    }
    assert!(children > 0, "the children were started: {report}");
}

#[test]
fn persistent_skill_answers_all_tasks_and_restarts_after_a_timeout() {
    let context = TestContext::new();
    let code = "import json, os, sys, time
print('ready', file=sys.stderr, flush=True)
for line in sys.stdin:
    request = json.loads(line)
    if request['params'].get('hang'): time.sleep(600)
    print('[log] asked')
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': os.getpid()}), flush=True)
";
    program(&context, "python3 skill.py", &json!({"protocol": "jsonrpc-lines"}), code);
    let pids = |report: &Value| -> Vec<i64> {
        report["taskResults"].as_array().unwrap().iter().filter_map(|result| result["output"].as_i64()).collect()
    };
    let tasks: Value = (0..12).map(|n| task(&format!("t{n}"), &json!({"n": n}), &json!(1))).collect();
    let report = evaluated(&context, "skills/calc", &tasks, &["--concurrency", "4"]);
    let all = pids(&report);
    assert!(all.len() == 12 && all.iter().all(|pid| *pid == all[0]), "one process: {all:?}");

    let mut tasks = tasks;
    tasks[5] = json!({"id": "hangs", "inputData": {"hang": true}, "expectedOutput": {"value": 1}, "timeoutMs": 300});
    let report = evaluated(&context, "skills/calc", &tasks, &["--concurrency", "1"]);
    assert_eq!((result(&report, "hangs")["status"].as_str(), pids(&report).len()), (Some("timeout"), 11), "{report}");
    assert_eq!(report["counts"]["error"], 0, "the others have an answer");
}

#[test]
fn skill_can_write_only_to_its_temporary_directory() {
    let context = TestContext::new();
    let code = format!("{PYTHON}
def tried(what):
    try: what(); return True
    except OSError: return False
answer([tried(lambda: open(params['file'], 'w').write('x')), tried(lambda: open('here', 'w').write('x')),
    tried(lambda: open(os.path.join(os.environ['TMPDIR'], 'x'), 'w').write('x')), tried(lambda: open('skill.json').read())])");
    program(&context, "python3 skill.py", &json!({}), &code);
    let victim = context.write("victim", "precious");
    let tasks = json!([task("t", &json!({"file": victim}), &json!([false, false, true, true]))]);

    let report = evaluated(&context, "skills/calc", &tasks, &[]);
    let named = |list: &Value, name: &str| list.as_array().is_some_and(|list| list.iter().any(|one| one == name));
    for guard in ["process-group", "no-new-privileges", "cpu-time", "file-size", "processes"] {
        assert!(named(&report["enforced"], guard), "{guard}: {}", report["enforced"]);
    }
    assert_ne!(named(&report["enforced"], "landlock-write"), named(&report["notEnforced"], "landlock-write"));
    if named(&report["enforced"], "landlock-write") {
        assert_eq!(statuses(&report), ["pass"], "{report}");
        assert_eq!(context.read("victim"), "precious");
        assert!(!context.path("skills/calc/here").exists());
    }

    let report = evaluated(&context, "skills/calc", &tasks, &["--no-sandbox"]);
    assert_eq!(result(&report, "t")["output"], json!([true, true, true, true]), "{report}");
    assert_eq!(context.read("victim"), "x");
    for guard in ["landlock-write", "cpu-time", "no-new-privileges"] {
        assert!(!named(&report["enforced"], guard), "{guard} was not asked for: {}", report["enforced"]);
    }
    let whole: Value = serde_json::from_str(&context.read("reports/eval-result.json")).unwrap();
    assert_eq!(whole["settings"]["sandbox"], false);
}

#[test]
fn denial_by_the_sandbox_is_unmeasured_until_the_skill_declares_it() {
    let context = TestContext::new();
    let outside = context.path("outside");
    std::fs::create_dir(&outside).unwrap();
    let code = format!("{PYTHON}open({:?}, 'w').write('x'); answer(1)", outside.join("file"));
    let folder = context.path("skills/calc");
    let skill = |write: Value| {
        let skill =
            json!({"entrypoint": "python3 skill.py", "inputSchema": {"type": "object"}, "sandbox": {"write": write}});
        skills::write(&folder, &skill, &json!({}), &[("skill.py", code.as_str())]);
    };
    context.write_json("tasks.json", &json!([task("t", &json!({}), &json!(1))]));
    let arguments = ["--skills", "skills/calc", "--tasks", "tasks.json"];
    skill(json!([]));
    let denied = context.evaluate(&arguments, 3);
    let is_guarded = denied["skills"][0]["enforced"].clone();
    let denied = result(&denied["skills"][0], "t").clone();
    if !is_guarded.as_array().unwrap().contains(&json!("landlock-write")) {
        return testkit::tools::skip("this kernel can't restrict writing");
    }
    assert_eq!(denied["status"], "harness_error", "{denied}");
    assert!(denied["error"].as_str().unwrap().contains("sandbox.write"), "{denied}");

    skill(json!([outside]));
    let shown = outside.display().to_string();
    let planned = context.run(&[&["eval", "--dry-run"], arguments.as_slice()].concat()).expect(0);
    assert!(planned.stdout.contains(&shown), "{planned:#?}");
    let finished = context.run(&[&["eval", "--json"], arguments.as_slice()].concat()).expect(0);
    assert!(finished.stderr.split_whitespace().collect::<String>().contains(&shown), "{finished:#?}");
    assert_eq!(result(&finished.json()["skills"][0], "t")["status"], "pass");
}

#[test]
fn variables_that_a_program_is_to_get_and_that_are_not_set_are_named() {
    let context = TestContext::new();
    program(&context, "python3 skill.py", &json!({"env": ["WEATHER_KEY", "PATH"]}), &format!("{PYTHON}answer(1)"));
    context.write_json("tasks.json", &json!([task("t", &json!({}), &json!(1))]));
    let eval = ["eval", "--skills", "skills/calc", "--tasks", "tasks.json"];
    let unset = "`calc`: its program runs without `WEATHER_KEY`";
    context.run(&eval).expect(0).says(&[unset]);
    let plan = context.run(&[&eval[..], &["--dry-run"]].concat()).expect(0);
    assert!(plan.stdout.contains(unset), "{plan:#?}");
    let set = context.run_with(&eval, &[("WEATHER_KEY", "k")]).expect(0);
    assert!(!set.stderr.contains("WEATHER_KEY"), "{set:#?}");
}

#[test]
fn outputs_that_miss_the_schema_are_counted_in_every_report() {
    let context = TestContext::new();
    let skill = json!({"entrypoint": "python3 skill.py", "inputSchema": {}, "outputSchema": {"type": "object"}});
    let code = format!("{PYTHON}answer(params['n'] if params['n'] < 3 else params)");
    skills::write(&context.path("skills/calc"), &skill, &json!({}), &[("skill.py", &code)]);
    let tasks: Value = (1..=3).map(|n| task(&format!("t{n}"), &json!({"n": n}), &json!(n))).collect();
    context.write_json("tasks.json", &tasks);
    let eval = ["eval", "--skills", "skills/calc", "--tasks", "tasks.json", "--format", "json", "markdown", "html"];
    let finished = context.run(&eval).expect(0);
    let reports = ["json", "md", "html"].map(|extension| context.read(&format!("reports/eval-result.{extension}")));
    for text in reports.iter().chain([&finished.stdout]) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace(['`', '\\'], "");
        let text = text.replace("<code>", "").replace("</code>", "").replace("&#39;", "'").replace("&#x27;", "'");
        assert!(text.contains("2 outputs don't match its outputSchema, first that of t1"), "{text}");
    }
}
