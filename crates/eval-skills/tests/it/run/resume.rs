//! `eval --resume`: completes a run without changing finished results.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;

/// Fails each task at its first attempt and logs every call in `log`, which requires `--no-sandbox`.
const SECOND_TIME_LUCKY: &str = "import json, os, sys\n\
     request = json.loads(sys.stdin.readline())\n\
     task = str(request['params']['n'])\n\
     seen = os.path.exists('seen-' + task)\n\
     open('seen-' + task, 'w').close()\n\
     open('log', 'a').write(task + '\\n')\n\
     if not seen:\n    \
         sys.exit(3)\n\
     print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': 'x'}))\n";

fn prepare(context: &TestContext) {
    context.skill("flaky", &json!({}));
    context.write("flaky/skill.py", SECOND_TIME_LUCKY);
    let task = |n: usize| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": "x"}});
    context.write_json("tasks.json", &(0..6).map(task).collect());
}

const EVAL: [&str; 6] = ["eval", "--skills", "flaky", "--tasks", "tasks.json", "--no-sandbox"];

#[test]
fn failed_results_are_not_repeated_on_resume() {
    let context = TestContext::new();
    prepare(&context);
    context.run(&EVAL).expect(0);
    let (first, log) = (context.read("reports/eval-result.json"), context.read("flaky/log"));
    let report: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(report["skills"][0]["counts"]["error"], 6, "{report}");
    // Files written by the skill would change its hash.
    for n in 0..6 {
        std::fs::remove_file(context.path(&format!("flaky/seen-{n}"))).unwrap();
    }
    std::fs::remove_file(context.path("flaky/log")).unwrap();
    for _ in 0..2 {
        context.run(&["eval", "--resume", "latest"]).expect(0);
        assert!(context.read("reports/eval-result.json") == first, "the report is another one now");
        assert!(!context.path("flaky/log").exists(), "it was called again; before: {log}");
    }
}

#[test]
fn gate_can_be_requested_on_resume() {
    let context = TestContext::new();
    prepare(&context);
    context.run(&EVAL).expect(0);
    for name in ["log", "seen-0", "seen-1", "seen-2", "seen-3", "seen-4", "seen-5"] {
        std::fs::remove_file(context.path(&format!("flaky/{name}"))).unwrap();
    }
    let resume = ["eval", "--resume", "latest"];
    let gated =
        [&resume[..], &["--exit-on-fail", "--min-completion", "0.9", "--format", "junit", "--output-dir", "ci"]];
    let end = context.run(&gated.concat()).expect(1);
    assert!(end.stdout.contains("gate refused"), "{end:#?}");
    assert!(context.path("ci/eval-result.xml").is_file());
    // Without a number the threshold of the run applies, otherwise the new one.
    context.run(&resume).expect(0);
    let gate = |flags: &[&str], code: i32| {
        context.run(&[&resume[..], &["--json"], flags].concat()).expect(code).json()["gate"]["minCompletion"].clone()
    };
    assert_eq!(gate(&["--min-completion", "0.4"], 0), json!(null), "no gate was asked for");
    assert_eq!(gate(&["--exit-on-fail"], 1), json!(0.7));
    for flags in [
        &["--timeout", "1"][..],
        &["--retries", "3"],
        &["--evaluator", "contains"],
        &["--store", "other.db"],
        &["--no-sandbox"],
        &["--seed", "1"],
        &["--benchmarks-dir", "x"],
        &["--judge-model", "m"],
    ] {
        context.run(&[&resume[..], flags].concat()).expect(2).says(&["--resume"]);
    }
    context.run(&[&["-c", "nowhere.yaml"][..], &resume].concat()).expect(2).says(&["nowhere.yaml"]);
}

#[test]
fn key_in_a_judge_command_is_not_stored() {
    let context = TestContext::new();
    testkit::skills::lookup(&context.path("skills/one"), &[(json!({"n": 1}), json!("an answer"))]);
    context.write_json(
        "tasks.json",
        &json!([{"id": "t", "inputData": {"n": 1}, "expectedOutput": {"type": "llm_judge", "rubric": "is it good?"}}]),
    );
    context.script("judge.sh", "exit 1\n");
    let key = "sk-acme-0123456789abcdef";
    let judge = format!("./judge.sh --api-key {key}");
    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json", "--judge-executor", &judge];
    context.run_with(&eval, &[("ACME_API_KEY", key)]).expect(3);
    for (path, content) in context.tree() {
        let contains = content.unwrap_or_default().windows(key.len()).any(|part| part == key.as_bytes());
        assert!(!contains, "{} contains the key", path.display());
    }
    context.run(&["eval", "--resume", "latest"]).expect(2).says(&["--judge-executor"]);
}

#[test]
fn gate_threshold_survives_a_resume_without_a_number() {
    let context = TestContext::new();
    testkit::skills::lookup(&context.path("one"), &[(json!({"n": 0}), json!("x"))]);
    let task = |n: usize| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": "x"}});
    context.write_json("tasks.json", &(0..2).map(task).collect());
    let eval = ["eval", "--skills", "one", "--tasks", "tasks.json", "--exit-on-fail", "--min-completion", "0.3"];
    context.run(&eval).expect(0);
    for (flags, least, code) in [
        (&[][..], 0.3, 0),
        (&["--exit-on-fail"], 0.3, 0),
        (&["--min-completion", "0.9"], 0.9, 1),
        (&["--exit-on-fail", "--min-completion", "0.8"], 0.8, 1),
    ] {
        let resumed = context.run(&[&["eval", "--json", "--resume", "latest"][..], flags].concat()).expect(code).json();
        assert_eq!(resumed["gate"]["minCompletion"], least, "{flags:?}");
    }
}

#[test]
fn refused_resume_names_the_changes() {
    let context = TestContext::new();
    testkit::skills::lookup(&context.path("one"), &[(json!({"n": 0}), json!("x"))]);
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 0}, "expectedOutput": {"value": "x"}}]));
    context.run(&["eval", "--skills", "one", "--tasks", "tasks.json"]).expect(0);
    let manifest = context.read("one/skill.json");
    context.write("one/notes.txt", "new");
    let refused = context.run(&["eval", "--resume", "latest"]).expect(2);
    assert!(refused.stderr.contains("skills: one") && refused.stderr.contains("restore"), "{refused:#?}");
    std::fs::remove_file(context.path("one/notes.txt")).unwrap();
    assert_eq!(context.read("one/skill.json"), manifest);
    context.run(&["eval", "--resume", "latest"]).expect(0);
}

#[test]
fn strict_resume_refuses_a_line_that_was_edited() {
    let context = TestContext::new();
    testkit::skills::lookup(&context.path("skills/one"), &[(json!({"n": 1}), json!("first"))]);
    context
        .write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 1}, "expectedOutput": {"value": "first"}}]));
    let eval = ["eval", "--skills", "skills/one", "--tasks", "tasks.json"];
    context.run(&eval).expect(0);
    let strict = ["eval", "--resume", "latest", "--strict-journal"];
    context.run(&strict).expect(0);
    let journals: Vec<_> = std::fs::read_dir(context.home().join("journal")).unwrap().flatten().collect();
    let path = journals[0].path();
    let text = std::fs::read_to_string(&path).unwrap();
    let at = text.rfind("first").unwrap();
    std::fs::write(&path, format!("{}worst{}", &text[..at], &text[at + 5..])).unwrap();
    let before = context.read("reports/eval-result.json");
    context.run(&strict).expect(2).says(&["line", "was changed after it was written"]);
    assert_eq!(context.read("reports/eval-result.json"), before);
    context.run(&strict[..3]).expect(0).says(&["was changed after it was written"]);
    context.run(&[&eval[..], &["--strict-journal"]].concat()).expect(2).says(&["--resume"]);
}

/// Two tasks, of which the second is taken out of the journal, as if the run had been killed before it.
fn killed_before_the_second(context: &TestContext, skills: &str, tasks: &Value, more: &[&str]) {
    context.write_json("tasks.json", tasks);
    let eval = ["eval", "--skills", skills, "--tasks", "tasks.json", "--concurrency", "1"];
    context.run(&[&eval[..], more].concat()).expect(0);
    let journals: Vec<_> = std::fs::read_dir(context.home().join("journal")).unwrap().flatten().collect();
    let path = journals[0].path();
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("/t1") && !line.contains("\"t1/")).collect();
    assert!(lines.len() < text.lines().count(), "{text}");
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

#[test]
fn another_version_of_an_mcp_server_is_not_resumed_into_one_report() {
    let context = TestContext::new();
    let server = "import json, sys\n\
        for line in sys.stdin:\n    \
            m = json.loads(line)\n    \
            if 'id' not in m: continue\n    \
            r = {'content': [{'type': 'text', 'text': 'x'}]}\n    \
            if m['method'] == 'initialize':\n        \
                v = open('../version').read()\n        \
                r = {'protocolVersion': m['params']['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'adder', 'version': v}}\n    \
            if m['method'] == 'tools/list':\n        \
                r = {'tools': [{'name': 'adder', 'inputSchema': {'type': 'object'}}]}\n    \
            print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], 'result': r}), flush=True)\n";
    testkit::skills::write(
        &context.path("adder"),
        &json!({"adapterType": "mcp", "entrypoint": "python3 server.py"}),
        &json!({}),
        &[("server.py", server)],
    );
    context.write("version", "1.0.0");
    let task = |n: usize| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": "x"}});
    killed_before_the_second(&context, "adder", &json!([task(0), task(1)]), &[]);
    context.write("version", "2.0.0");
    let refused = context.run(&["eval", "--resume", "latest"]).expect(2);
    refused.says(&["adder 2.0.0", "adder 1.0.0", "put the earlier server back"]);
    context.write("version", "1.0.0");
    context.run(&["eval", "--resume", "latest"]).expect(0);
}

#[test]
fn another_installed_program_is_not_resumed() {
    let context = TestContext::new();
    let program = "#!/bin/sh\ncat >/dev/null\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"x\"}'\n";
    let install = |more: &str| {
        context.script("bin/mytool", &format!("{program}{more}"));
    };
    install("");
    let path = format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap());
    testkit::skills::write(&context.path("one"), &json!({"entrypoint": "mytool"}), &json!({}), &[]);
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 0}, "expectedOutput": {"value": "x"}}]));
    context.run_with(&["eval", "--skills", "one", "--tasks", "tasks.json"], &[("PATH", &path)]).expect(0);
    let resume = || context.run_with(&["eval", "--resume", "latest"], &[("PATH", &path)]);
    resume().expect(0);
    install("# another version\n");
    resume().expect(2).says(&["programs: one"]);
    install("");
    resume().expect(0);
}
