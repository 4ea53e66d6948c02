//! L2 to L6: real peers, as the report tells of them.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use testkit::skills::{self, API_KEY, TOKEN};

use crate::fixtures::context::{Finished, TestContext};

/// What every program here begins with: the request, and how it is answered.
const PYTHON: &str = "import json, os, sys, time
request = json.load(sys.stdin)
params = request['params']
def answer(result, **more):
    print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': result, **more}), flush=True)
";

/// A task that expects an answer.
fn task(id: &str, input: &Value, expected: &Value) -> Value {
    json!({"id": id, "inputData": input, "expectedOutput": {"value": expected}})
}

/// One skill on these tasks: its part of the report.
#[track_caller]
fn evaluated(context: &TestContext, skill: &str, tasks: &Value, more: &[&str]) -> Value {
    context.write_json("tasks.json", tasks);
    let eval = ["eval", "--json", "--skills", skill, "--tasks", "tasks.json"];
    context.run_with(&[&eval[..], more].concat(), SECRETS).expect(0).json()["skills"][0].clone()
}

/// What stands in the environment of every evaluation.
const SECRETS: &[(&str, &str)] = &[
    ("CALC_TOKEN", TOKEN),
    ("CALC_KEY", API_KEY),
    ("NAMED", "passed"),
    ("SECRET", "not for skills"),
    ("LANG", "C.UTF-8"),
];

/// Result `n` of a skill.
fn result(report: &Value, task: &str) -> Value {
    let results = report["taskResults"].as_array().unwrap();
    results.iter().find(|result| result["taskId"] == task).unwrap_or_else(|| panic!("no {task} in {report}")).clone()
}

fn statuses(report: &Value) -> Vec<&str> {
    report["taskResults"].as_array().unwrap().iter().map(|result| result["status"].as_str().unwrap()).collect()
}

fn sum(id: &str) -> Value {
    task(id, &json!({"expression": "2+3"}), &json!("5"))
}

#[test]
fn l2_http_posts_the_input_with_the_token_it_is_told() {
    let context = TestContext::new();
    let service = skills::service();
    let url = |path: &str| format!("{}{path}", service.url);
    let evaluated = |path: &str, config: &Value| {
        skills::http_calculator(&context.path("skills/calc"), &url(path), config);
        evaluated(&context, "skills/calc", &json!([sum("t")]), &[])
    };
    let last = || service.requests().pop().unwrap();

    let report = evaluated("/calculate", &json!({}));
    assert_eq!((statuses(&report), &report["enforced"]), (vec!["pass"], &json!([])));
    assert_eq!(result(&report, "t")["tokens"], 6);
    assert_eq!(last().method, "POST");
    assert_eq!(last().body, json!({"skillId": "calc", "version": "1.0.0", "input": {"expression": "2+3"}}));
    assert!(!last().headers.contains_key("authorization"));

    let bearer = json!({"authType": "bearer", "authTokenEnvKey": "CALC_TOKEN"});
    assert_eq!(statuses(&evaluated("/bearer", &bearer)), ["pass"]);
    assert_eq!(last().headers["authorization"], format!("Bearer {TOKEN}"));
    let key = json!({"authType": "api-key", "authTokenEnvKey": "CALC_KEY"});
    assert_eq!(statuses(&evaluated("/api-key", &key)), ["pass"]);
    assert_eq!(last().headers["x-api-key"], API_KEY);
    assert!(!context.read("reports/eval-result.json").contains(API_KEY));

    // Nobody asks without the token that is needed.
    let asked = service.count();
    skills::http_calculator(&context.path("skills/calc"), &url("/bearer"), &bearer);
    let eval = ["eval", "--skills", "skills/calc", "--tasks", "tasks.json"];
    let refused = context.run(&eval).expect(2).says(&["CALC_TOKEN", "calc"]);
    assert!(!refused.stderr.contains("openai-api"), "no list of models: {refused:#?}");
    context.run_with(&eval, &[("CALC_TOKEN", "")]).expect(2).says(&["CALC_TOKEN"]);
    assert_eq!(service.count(), asked);
    // With the wrong one the service refuses: its answer, not ours.
    let report = context.run_with(&[&eval[..], &["--json"]].concat(), &[("CALC_TOKEN", "wrong")]).expect(0).json();
    assert_eq!(statuses(&report["skills"][0]), ["error"]);
    assert!(result(&report["skills"][0], "t")["error"].as_str().unwrap().contains("401"));
}

#[test]
fn l2_what_passes_is_tried_again_and_what_does_not_is_the_skills_error() {
    let context = TestContext::new();
    let service = skills::service();
    let evaluated = |path: &str, more: &[&str]| {
        skills::http_calculator(&context.path("skills/calc"), &format!("{}{path}", service.url), &json!({}));
        evaluated(&context, "skills/calc", &json!([sum("t")]), more)
    };
    let busy = result(&evaluated("/busy", &[]), "t");
    assert_eq!((&busy["status"], &busy["attempts"]), (&json!("pass"), &json!(2)), "{busy}");
    assert!(busy["failedAttempts"][0].as_str().unwrap().contains("429"), "{busy}");
    for (path, words) in [("/broken", "500"), ("/teapot", "418"), ("/garbage", "")] {
        let before = service.count();
        let report = evaluated(path, &[]);
        let found = result(&report, "t");
        let expected = if path == "/garbage" { "fail" } else { "error" };
        assert_eq!((&found["status"], &found["attempts"]), (&json!(expected), &json!(1)), "{path}: {found}");
        assert!(found["error"].as_str().unwrap_or_default().contains(words), "{found}");
        assert_eq!(service.count() - before, 1, "{path} is asked once");
    }
    assert_eq!(evaluated("/broken", &[])["summary"]["errorRate"], 1.0);
    assert_eq!(statuses(&evaluated("/moved", &[])), ["pass"], "on the same server");
    let silent = evaluated("/silent", &["--timeout", "100"]);
    assert_eq!((statuses(&silent), result(&silent, "t")["latencyMs"].as_f64()), (vec!["timeout"], Some(100.0)));
}

/// A skill of one file.
fn program(context: &TestContext, entrypoint: &str, config: &Value, code: &str) {
    let skill = json!({"entrypoint": entrypoint, "inputSchema": {"type": "object"}});
    skills::write(&context.path("skills/calc"), &skill, config, &[("skill.py", code)]);
}

#[test]
fn l3_an_entrypoint_is_split_into_words_and_never_seen_by_a_shell() {
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
fn l3_the_environment_is_what_is_promised_and_what_is_named() {
    let context = TestContext::new();
    // No interpreter that may be started by another program, which adds words of its own.
    let code = "env >&2\necho '{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 1}'\n";
    program(&context, "/bin/sh skill.py", &json!({"env": ["NAMED", "ABSENT"]}), code);
    let report = evaluated(&context, "skills/calc", &json!([task("t", &json!({}), &json!(1))]), &[]);
    let stderr = result(&report, "t")["stderr"].as_str().unwrap().to_owned();
    let environment: BTreeMap<&str, &str> = stderr.lines().filter_map(|line| line.split_once('=')).collect();
    assert_eq!((environment["NAMED"], environment["LANG"]), ("passed", "C.UTF-8"));
    for name in ["PATH", "HOME", "TMPDIR"] {
        assert!(environment.contains_key(name), "{name} is missing in {stderr}");
    }
    let promised = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "NAMED"];
    let of_the_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    let other: Vec<&&str> =
        environment.keys().filter(|name| !promised.contains(name) && !of_the_shell.contains(name)).collect();
    assert!(other.is_empty(), "{other:?} was not to be passed on");
}

#[test]
fn l3_an_answer_is_found_in_whatever_is_printed() {
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
fn l3_a_skill_that_closes_its_input_early_may_answer_all_the_same() {
    let context = TestContext::new();
    let code = "import os\nos.close(0)\nprint('{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 5}', flush=True)\n";
    program(&context, "python3 skill.py", &json!({}), code);
    // More than a pipe holds.
    let input = json!({"text": "x".repeat(300_000)});
    let report = evaluated(&context, "skills/calc", &json!([task("t", &input, &json!(5))]), &[]);
    assert_eq!(statuses(&report), ["pass"], "{}", report["counts"]);
    let code = "import os, sys\nos.close(0)\nsys.exit(3)\n";
    program(&context, "python3 skill.py", &json!({}), code);
    let report = evaluated(&context, "skills/calc", &json!([task("t", &input, &json!(5))]), &[]);
    assert_eq!((statuses(&report), &report["counts"]["harnessError"]), (vec!["error"], &json!(0)));
}

#[test]
fn l3_a_timeout_kills_grandchildren_that_hold_the_output_open() {
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
fn l3_a_persistent_skill_answers_all_tasks_and_is_started_again_after_a_timeout() {
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
fn l4_a_skill_writes_nowhere_but_in_its_own_place_and_the_report_says_so() {
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
    let named = |list: &Value, name: &str| list.as_array().is_some_and(|list| list.iter().any(|held| held == name));
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
fn l5_mcp_over_stdio_keeps_one_connection_and_tells_failures() {
    let context = TestContext::new();
    let evaluated = |mode: &str, more: &[&str]| {
        skills::mcp_calculator(&context.path("skills/calc"), mode);
        let tasks: Value = (0..4).map(|n| sum(&format!("t{n}"))).collect();
        evaluated(&context, "skills/calc", &tasks, more)
    };
    let report = evaluated("plain", &[]);
    assert_eq!(statuses(&report), ["pass"; 4]);
    assert_eq!(report["adapterType"], "mcp");
    let starts = report["taskResults"].as_array().unwrap().iter().filter(|result| result.get("startMs").is_some());
    assert!(starts.count() <= 1, "one connection for all tasks");

    let report = evaluated("structured", &[]);
    assert_eq!(statuses(&report), ["pass"; 4]);
    assert_eq!(result(&report, "t0")["output"]["result"], "5", "not `see the structure`");
    assert_eq!(result(&report, "t0")["tokens"], 5);

    let report = evaluated("is-error", &[]);
    assert_eq!((statuses(&report), &report["summary"]["errorRate"]), (vec!["error"; 4], &json!(1.0)));
    assert!(result(&report, "t0").to_string().contains("the battery is empty"), "{report}");

    // One after the other they take longer than any one of them may.
    skills::mcp_calculator(&context.path("skills/calc"), "slow");
    let more: Value = (0..6).map(|n| sum(&format!("t{n}"))).collect();
    let at_once = ["--timeout", "3000", "--concurrency", "8"];
    let report = self::evaluated(&context, "skills/calc", &more, &at_once);
    assert_eq!(statuses(&report), ["pass"; 6], "{report}");

    let report = evaluated("never", &["--timeout", "300"]);
    assert_eq!(statuses(&report), ["timeout"; 4], "{report}");
}

#[test]
fn l5_mcp_over_http_keeps_one_connection() {
    let context = TestContext::new();
    let service = skills::mcp_service();
    let tasks: Value = (0..4).map(|n| sum(&format!("t{n}"))).collect();
    let evaluated = |path: &str, config: &Value| {
        let skill = json!({"adapterType": "mcp", "entrypoint": format!("{}{path}", service.url)});
        skills::write(&context.path("skills/calculator"), &skill, config, &[]);
        evaluated(&context, "skills/calculator", &tasks, &["--retries", "0"])
    };
    assert_eq!(statuses(&evaluated("/mcp", &json!({}))), ["pass"; 4]);
    let began = service.requests().iter().filter(|request| request.body["method"] == "initialize").count();
    assert_eq!(began, 1, "one connection for all tasks");
    let bearer = json!({"authType": "bearer", "authTokenEnvKey": "CALC_TOKEN"});
    assert_eq!(statuses(&evaluated("/bearer", &bearer)), ["pass"; 4]);
    let refused = evaluated("/refuses", &json!({}));
    assert_eq!(statuses(&refused), ["error"; 4]);
    assert!(result(&refused, "t0").to_string().contains("no such expression"), "{refused}");
}

#[test]
fn l6_the_five_benchmarks_are_there_and_say_what_they_lack() {
    let context = TestContext::new();
    let list = context.run(&["benchmark", "list", "--json"]).expect(0).json();
    let find = |id: &str| list.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap().clone();
    for (id, domain, tasks) in [
        ("coding-easy", "coding", 20),
        ("skill-quality", "tool-use", 5),
        ("web-search-basic", "web", 8),
        ("gaia-v1", "general", 0),
        ("toolbench-lite", "tool-use", 0),
    ] {
        let one = find(id);
        assert_eq!(
            (&one["domain"], &one["tasks"], &one["source"]),
            (&json!(domain), &json!(tasks), &json!("built-in"))
        );
    }
    assert_eq!(find("coding-easy")["scorers"], json!(["exact_match"]));
    let shown = context.run(&["benchmark", "list"]).expect(0).stdout;
    assert!(shown.lines().count() == 5 && shown.contains("to be imported"), "{shown}");

    // Numbers or texts: the same.
    skills::lookup(&context.path("skills/one"), &[]);
    skills::persistent_calculator(&context.path("skills/numbers"));
    skills::python_calculator(&context.path("skills/texts"));
    let eval =
        |skill: &str, id: &str| -> Finished { context.run(&["eval", "--json", "--skills", skill, "--benchmark", id]) };
    for id in ["gaia-v1", "toolbench-lite"] {
        eval("skills/one", id).expect(2).says(&[id, "not included", "benchmark import"]);
    }
    let report = eval("skills/numbers", "coding-easy").expect(0).json();
    assert_eq!(report["skills"][0]["summary"]["completionRate"], 1.0, "{}", report["skills"][0]["counts"]);

    // The tool looks at the files itself: the skill isn't started, and needn't know of it.
    skills::write(&context.path("skills/broken"), &json!({"entrypoint": "./nothing"}), &json!({}), &[]);
    let report = eval("skills/broken", "skill-quality").expect(0).json();
    let of = &report["skills"][0];
    assert_eq!((&of["counts"]["error"], of["taskResults"].as_array().unwrap().len()), (&json!(0), 5), "{of}");
    assert!(of["taskResults"].as_array().unwrap().iter().all(|result| result["reason"].is_string()), "{of}");
    assert!(of["counts"]["fail"].as_u64().unwrap() > 0, "its entrypoint is not there");
}

#[test]
fn l6_real_data_is_imported_and_scored() {
    let context = TestContext::new();
    let line = |id: &str, question: &str, answer: &str| {
        json!({"task_id": id, "Question": question, "Level": 1, "Final answer": answer, "file_name": ""}).to_string()
    };
    context.write("metadata.jsonl", &[line("a", "How many?", "1000"), line("b", "Who?", "Ada Lovelace")].join("\n"));
    let imported = context.run(&["benchmark", "import", "gaia", "metadata.jsonl", "--json"]).expect(0).json();
    assert_eq!(imported["tasks"], 2);
    let written: Value = serde_json::from_str(&context.read(imported["path"].as_str().unwrap())).unwrap();
    let inputs: Vec<&Value> = written["tasks"].as_array().unwrap().iter().map(|task| &task["inputData"]).collect();
    let answers = [(inputs[0].clone(), json!("$1,000")), (inputs[1].clone(), json!("ada lovelace."))];
    skills::lookup(&context.path("skills/one"), &answers);
    let id = imported["id"].as_str().unwrap();
    let report = context.evaluate(&["--skills", "skills", "--benchmark", id], 0);
    assert_eq!(statuses(&report["skills"][0]), ["pass", "pass"], "{report}");
    context.run(&["benchmark", "import", "gaia", "metadata.jsonl"]).expect(2).says(&["--force"]);

    let tool = json!({"tool_name": "Weather", "api_name": "today", "category_name": "x", "required_parameters": [], "optional_parameters": []});
    let query =
        json!([{"query_id": 7, "query": "Will it rain?", "api_list": [tool], "relevant APIs": [["Weather", "today"]]}]);
    context.write_json("queries.json", &query);
    let imported = context.run(&["benchmark", "import", "toolbench", "queries.json", "--json"]).expect(0).json();
    assert_eq!(imported["tasks"], 1);
    context
        .run(&["eval", "--skills", "skills", "--benchmark", imported["id"].as_str().unwrap(), "--dry-run"])
        .expect(0);
}
