//! What a program leaves behind ends with it, and everything ends with the run.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use serde_json::json;
use testkit::{before_deadline, wait_until};

use super::{Running, is_alive, says_better, with_agent};
use crate::fixtures::context::TestContext;

/// Shell that logs processes in `left/pids`: in the group, in a session of its own, in one and orphaned, in one and without an
/// environment. The last is `$!`.
fn leaving(context: &TestContext) -> String {
    fs::create_dir_all(context.path("left")).unwrap();
    let pids = context.path("left/pids");
    let pids = pids.display();
    format!(
        "log() {{ echo $1 >> {pids}; }}
sleep 300 & log $!
setsid sleep 300 & log $!
(P=$$ setsid sh -c 'echo $$ >> {pids}; : > {pids}.$P; exec sleep 300' &)
log $$
while [ ! -e {pids}.$$ ]; do sleep 0.02; done
setsid env -i sleep 300 & log $!
"
    )
}

fn pids(context: &TestContext) -> Vec<String> {
    let text = fs::read_to_string(context.path("left/pids")).unwrap_or_default();
    text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')).map(str::to_owned).collect()
}

fn wait_until_gone(context: &TestContext, count: usize) {
    let pids = pids(context);
    assert_eq!(pids.len(), count, "{pids:?}");
    wait_until("the end of every process", || !pids.iter().any(|pid| is_alive(pid)));
}

/// Starts a run whose program leaves five processes and hangs, kills it with `kill -9`, and looks for them.
fn kill(context: &TestContext, arguments: &[&str]) {
    let running = Running::start(context, arguments);
    wait_until("five processes", || pids(context).len() == 5 && pids(context).iter().all(|pid| is_alive(pid)));
    running.kill();
    wait_until_gone(context, 5);
}

#[test]
fn killed_run_leaves_nothing_of_a_command() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("agent", &format!("{}wait", leaving(&context)));
    kill(&context, &with_agent(&["--concurrency", "1"]));
}

/// Orphaned, in a session of its own, and without an environment: nothing tells whose it is but that it became a child of
/// omk.
#[test]
fn run_that_ends_leaves_nothing_that_emptied_its_environment() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    fs::create_dir(context.path("left")).unwrap();
    let log = context.path("left/pids");
    let log = log.display();
    let orphan = format!("(setsid env -i /bin/sh -c 'echo $$ >> {log}; exec /bin/sleep 300' &)");
    let started = format!("n=0; [ ! -e {log} ] || n=$(wc -l < {log})\n{orphan}");
    let script =
        format!("{started}\nwhile [ ! -e {log} ] || [ $(wc -l < {log}) -le $n ]; do sleep 0.02; done\necho better");
    context.script("agent", &script);
    context.run(&with_agent(&["--concurrency", "1", "--report-only"])).expect(0);
    let left = pids(&context);
    assert_eq!(left.len(), 2);
    assert!(!left.iter().any(|pid| is_alive(pid)), "{left:?}");
}

/// Who ends omk by its name doesn't end its watchdog with it.
#[test]
fn watchdog_has_a_name_of_its_own() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("agent", &format!("{}wait", leaving(&context)));
    let running = Running::start(&context, &with_agent(&["--concurrency", "1"]));
    wait_until("five processes", || pids(&context).len() == 5);
    let marker = format!("OMK_PROCESS={}-", running.pid());
    let names = || {
        let processes = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
            let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&arguments).contains(&marker)
        });
        let name = |process: fs::DirEntry| fs::read_to_string(process.path().join("comm")).unwrap_or_default();
        processes.map(|process| name(process).trim().to_owned()).collect::<Vec<_>>()
    };
    wait_until("one watchdog, by its name", || names() == ["watchdog"]);
    running.kill();
    wait_until_gone(&context, 5);
}

/// Gives the file `pids` below a folder, once it is there, another name.
fn link(folder: &Path, kept: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| match entry.path() {
        path if path.is_dir() => link(&path, kept),
        path => path.ends_with("pids") && fs::hard_link(path, kept).is_ok(),
    })
}

#[test]
fn killed_run_leaves_nothing_of_claude_in_its_sandbox() {
    let mut context = TestContext::with_agent();
    // It writes in the folder of its call alone, which goes with it: a second name keeps the file.
    let script = leaving(&context).replace(&context.path("left").display().to_string(), "$TMPDIR");
    let temporary = context.path("temporary");
    fs::create_dir(&temporary).unwrap();
    context.env("TMPDIR", &temporary.display().to_string());
    let kept = context.path("left/pids");
    std::thread::spawn(move || while !link(&temporary, &kept) {});
    let path = format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap());
    context.env("PATH", &path);
    context.env("ANTHROPIC_API_KEY", "sk-ant-leftovers-0123456789");
    let version = r#"[ "$1" = --version ] && { echo '2.1.330 (Claude Code)'; exit; }"#;
    context.script("bin/claude", &format!("{version}\n{script}wait"));
    context.samples(1, &says_better());
    let arguments = ["eval", "--control", "v1", "--treatment", "v2", "--executor", "claude", "--concurrency", "1"];
    kill(&context, &arguments);
}

#[test]
fn killed_run_leaves_nothing_of_a_judge() {
    let context = TestContext::with_agent();
    let sample = json!([{"sample_id": "s001", "prompt": "question 1", "rubric": "says better"}]);
    context.write("eval-samples.json", &sample.to_string());
    context.script("judge", &format!("{}wait", leaving(&context)));
    kill(&context, &with_agent(&["--judge-executor", "./judge", "--judge-models", "any", "--concurrency", "1"]));
}

#[test]
fn killed_run_leaves_nothing_of_a_custom_assertion() {
    if testkit::tools::tool(&["node"]).is_none() {
        return;
    }
    let context = TestContext::with_agent();
    context.script("leave", &format!("{}wait", leaving(&context)));
    let source = "import { spawnSync } from 'node:child_process';
export default (output) => { spawnSync(process.cwd() + '/leave'); return true }";
    context.write("hangs.mjs", source);
    context.samples(1, &json!([{"type": "custom", "fn": "hangs.mjs"}]));
    kill(&context, &with_agent(&["--custom-runtime", "node", "--concurrency", "1"]));
}

#[test]
fn timeout_and_end_reach_other_sessions() {
    // An orphan without an environment can't be told from those of other programs: its parent must live till the end.
    for (end, code) in [("wait", 3), ("kill -9 $!; echo better", 0)] {
        let context = TestContext::with_agent();
        context.samples(1, &says_better());
        context.script("agent", &format!("exec 2>/dev/null\n{{ {}\n}} > /dev/null\n{end}", leaving(&context)));
        let limited = with_agent(&["--timeout", "1.5", "--retry", "0", "--concurrency", "2", "--report-only"]);
        before_deadline(|| context.run(&limited)).expect(code);
        wait_until_gone(&context, 10);
    }
}
