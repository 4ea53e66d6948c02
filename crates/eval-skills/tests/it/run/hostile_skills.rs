//! Hostile skills and signals from outside: nothing escapes, no process is left, no finished result is lost.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::wait_until;

use crate::fixtures::context::TestContext;

/// A skill that sleeps as long as the task says, with grandchildren that keep its output open meanwhile.
const SLEEPER: &str = r#"
import json, os, subprocess, sys, time
request = json.loads(sys.stdin.readline())
seconds = request["params"]["seconds"]
if seconds:
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sleep", "601"], start_new_session=True)
    open(os.path.join(os.environ["TMPDIR"], "started"), "w").close()
    time.sleep(seconds)
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": "done"}))
"#;

fn tasks(seconds: &[u32]) -> Value {
    let one = |(at, seconds): (usize, &u32)| {
        json!({
            "id": format!("t{at}"),
            "inputData": {"seconds": seconds},
            "expectedOutput": {"type": "exact", "value": "done"},
        })
    };
    Value::Array(seconds.iter().enumerate().map(one).collect())
}

/// Running processes that the test's sleeper started, recognized by the home in their environment.
fn left_over(home: &Path) -> Vec<String> {
    let home = home.display().to_string().trim_end_matches('/').to_owned();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_ours = String::from_utf8_lossy(&environment).contains(&format!("HOME={home}"));
        let command = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        // Excludes this process between fork and exec.
        if is_ours && command.starts_with("sleep\0") {
            found.push(format!("{} {command}", entry.file_name().to_string_lossy()));
        }
    }
    found
}

/// An evaluation that has finished two tasks and hangs in the third.
fn hanging(t: &TestContext) -> Child {
    t.skill("skills/sleeper", &json!({}));
    t.write("skills/sleeper/skill.py", SLEEPER);
    // Its processes are found by it.
    t.write_json("skills/sleeper/adapter.config.json", &json!({"env": ["HOME"]}));
    t.write_json("tasks.json", &tasks(&[0, 0, 300, 0]));
    let arguments =
        ["eval", "--skills", "skills/sleeper", "--tasks", "tasks.json", "--concurrency", "1", "--timeout", "400000"];
    let child = t.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the hanging task", || left_over(&t.path("")).len() >= 2);
    child
}

fn signal(child: &Child, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

#[test]
fn second_sigint_writes_finished_results_and_leaves_no_process() {
    let t = TestContext::new();
    let mut child = hanging(&t);
    signal(&child, rustix::process::Signal::INT);
    std::thread::sleep(Duration::from_millis(300));
    signal(&child, rustix::process::Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait_until("the end of every process", || left_over(&t.path("")).is_empty());
    let report: Value = serde_json::from_str(&t.read("reports/eval-result.json")).unwrap();
    assert_eq!(report["status"], "interrupted");
    let passed = report["skills"][0]["counts"]["pass"].as_u64().unwrap();
    assert_eq!(passed, 2, "{}", report["skills"][0]["counts"]);
    let trend = t.run(&["trend", "--skill", "sleeper", "--json"]).expect(0).json();
    assert!(trend.to_string().contains("sleeper"), "{trend}");
}

#[test]
fn sigkill_leaves_no_process_and_a_resumable_run() {
    let t = TestContext::new();
    let mut child = hanging(&t);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_until("the end of every process", || left_over(&t.path("")).is_empty());
    // Finished results are in the journal: resuming runs only the other two.
    let mut again =
        t.command(&["eval", "--resume", "latest"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the hanging task again", || left_over(&t.path("")).len() >= 2);
    signal(&again, rustix::process::Signal::TERM);
    assert_eq!(again.wait().unwrap().code(), Some(130));
    wait_until("the end of every process", || left_over(&t.path("")).is_empty());
    let report: Value = serde_json::from_str(&t.read("reports/eval-result.json")).unwrap();
    assert_eq!(report["skills"][0]["counts"]["pass"], 2);
}

#[test]
fn directory_names_and_entrypoints_are_not_interpreted_by_a_shell() {
    let t = TestContext::new();
    let hostile = "skills/x$(touch pwned)`touch pwned2`";
    t.skill(hostile, &json!({"id": "hostile", "entrypoint": "bash -c id"}));
    t.skill("skills/second", &json!({"entrypoint": "python3 'skill.py'; touch pwned3"}));
    t.write_json("tasks.json", &tasks(&[0]));
    let report = t.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    for skill in report["skills"].as_array().unwrap() {
        assert_eq!(skill["counts"]["error"], 1, "{skill:#}");
    }
    for name in ["pwned", "pwned2", "pwned3"] {
        assert!(!t.path(name).exists() && !t.path(&format!("skills/second/{name}")).exists(), "{name}");
    }
}

/// Writes into its directory, and reads the environment of its parent and of every other process it can.
const SPY: &str = r#"
import glob, json, os, sys
request = json.loads(sys.stdin.readline())
seen = []
for path in glob.glob("/proc/[0-9]*/environ"):
    if path != "/proc/%d/environ" % os.getpid():
        try:
            seen.append(open(path, "rb").read().decode("utf-8", "replace"))
        except OSError:
            pass
try:
    open("written", "w").close()
    wrote = True
except OSError:
    wrote = False
open(os.path.join(os.environ["TMPDIR"], "allowed"), "w").close()
spied = any("CANARY_OF_THE_TEST=" in text for text in seen)
own = "CANARY_OF_THE_TEST" in os.environ
print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"wrote": wrote, "spied": spied, "own": own}}))
"#;

#[test]
fn reported_restrictions_are_enforced() {
    let t = TestContext::new();
    t.skill("skills/spy", &json!({}));
    t.write("skills/spy/skill.py", SPY);
    t.write_json("tasks.json", &tasks(&[0]));
    let arguments = ["eval", "--json", "--skills", "skills/spy", "--tasks", "tasks.json"];
    let finished = t.run_with(&arguments, &[("CANARY_OF_THE_TEST", "secret")]).expect(0);
    let report = finished.json();
    let skill = &report["skills"][0];
    let result = &skill["taskResults"][0]["output"];
    assert_eq!(result["own"], false, "an unnamed variable was passed on");
    let enforced: Vec<&str> = skill["enforced"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(enforced.contains(&"process-group"), "{enforced:?}");
    // Whatever the report claims to be enforced is enforced.
    if enforced.contains(&"landlock-write") {
        assert_eq!((&result["wrote"], &result["spied"]), (&json!(false), &json!(false)), "{result}");
        assert!(!t.path("skills/spy/written").exists());
    } else {
        let not: Vec<&str> = skill["notEnforced"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(not.contains(&"landlock-write"), "{not:?}");
    }
    let open = t.run(&[&arguments[..], &["--no-sandbox"]].concat()).expect(0).json();
    assert_eq!(open["settings"]["sandbox"], false);
    assert_eq!(open["skills"][0]["taskResults"][0]["output"]["wrote"], true);
}
