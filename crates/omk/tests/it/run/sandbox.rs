//! The sandbox of agents: they and what they start write in the folder of their call and nowhere else.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use testkit::tools::{skip, tool};
use testkit::{FakeAnswer, FakeReply, Request};

use super::installed_agents::{InstalledAgent, each};
use super::isolation::with_claude;
use super::{answer, asked, eval_alone, eval_with, results, says_better, valid};
use crate::fixtures::context::TestContext;

/// A tool call of the agent, in the shape of its API, that runs a command.
pub(super) fn shell(request: &Request, command: &str) -> FakeReply {
    let (name, input) = if request.path.ends_with("/responses") {
        ("exec_command", json!({"cmd": command}))
    } else if request.path.contains("GenerateContent") {
        ("run_shell_command", json!({"command": command}))
    } else {
        ("Bash", json!({"command": command, "description": "try"}))
    };
    FakeReply::answer(FakeAnswer { tool: Some((name.to_owned(), input)), ..answer("let me try") })
}

/// Whether the request has the result of a tool.
pub(super) fn has_result(request: &Request) -> bool {
    ["tool_result", "function_call_output", "functionResponse"].iter().any(|of| asked(request, of))
}

/// A model that has `command` run, and then answers.
pub(super) fn running(command: String) -> impl Fn(&Request) -> FakeReply + Send + Sync + Clone + 'static {
    move |request| match has_result(request) {
        false => shell(request, &command),
        true => FakeReply::answer(answer("better")),
    }
}

/// Runs it, and returns its report with the output of the first tool call of `v2`.
pub(super) fn tried(agent: &InstalledAgent, more: &[&str]) -> (Value, String) {
    report_of(agent, &eval_alone(agent.name, more))
}

fn report_of(agent: &InstalledAgent, eval: &[&str]) -> (Value, String) {
    agent.context.samples(1, &says_better());
    agent.context.run(&[eval, &["--timeout", "120", "--report-only", "--no-cache"]].concat()).expect(0);
    let report = valid(agent.context.report());
    let call = results(&report)["s001/v2"]["toolCalls"][0].clone();
    let text = call["output"]["text"].as_str().unwrap_or_else(|| panic!("{}: {call}", agent.name)).to_owned();
    (report, text)
}

fn enforced(report: &Value) -> Vec<&str> {
    let guards = report["meta"]["executorRuntime"]["sandbox"]["enforced"].as_array();
    guards.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// A file of the machine's temporary directory that no other test uses.
fn elsewhere(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("omk-{name}-{}", std::process::id()))
}

#[test]
fn tools_of_agents_write_in_their_copy_and_nowhere_else() {
    let outside = elsewhere("outside");
    let command = format!(
        "exec 2>&1; echo inside > in.txt && cat in.txt; echo lost > {outside}; echo lost > \"$HOME/home.txt\"
echo lost > \"$PROJECT/project.txt\"; : > \"$PROJECT/eval-samples.json\"; mkdir -p $TMPDIR/a && echo tmp > $TMPDIR/a/b && cat $TMPDIR/a/b
echo null > /dev/null && echo device; python3 -c 'import socket; socket.socket(socket.AF_UNIX)' | tail -n 1",
        outside = outside.display()
    );
    for mut agent in each(running(command)) {
        let root = agent.context.root().display().to_string();
        agent.context.env("PROJECT", &root);
        let (report, text) = tried(&agent, &["--permissions", "bypass"]);
        for guard in ["landlock-write", "file-sockets"] {
            assert!(enforced(&report).contains(&guard), "{}: {}", agent.name, report["meta"]["executorRuntime"]);
        }
        assert!(text.contains("Address family not supported"), "{}: {text}", agent.name);
        for expected in ["inside", "tmp", "device"] {
            assert!(text.lines().any(|line| line == expected), "{}: {expected}: {text}", agent.name);
        }
        // The system says so, and the model reads it.
        assert_eq!(text.matches("Permission denied").count(), 4, "{}: {text}", agent.name);
        let is_told = agent.api.requests().iter().any(|request| asked(request, "Permission denied"));
        assert!(is_told, "{}", agent.name);
        for lost in [outside.clone(), agent.context.path("home.txt"), agent.context.path("project.txt")] {
            assert!(!lost.exists(), "{}: {}", agent.name, lost.display());
        }
        assert!(!agent.context.path("in.txt").exists(), "{}", agent.name);
        assert!(agent.context.read("eval-samples.json").contains("question 1"), "{}", agent.name);
    }
}

#[test]
fn agents_run_without_a_sandbox_where_it_is_off_and_the_report_says_so() {
    let outside = elsewhere("off");
    let script = running(format!("echo found > {}; echo done", outside.display()));
    let Some(agent) = each(script).into_iter().find(|agent| agent.name == "claude") else { return };
    let (report, text) = tried(&agent, &["--no-sandbox", "--allowed-tools", "Bash"]);
    assert!(text.contains("done"), "{text}");
    assert_eq!(fs::read_to_string(&outside).unwrap(), "found\n");
    fs::remove_file(&outside).unwrap();
    assert_eq!(report["meta"]["executorRuntime"]["sandbox"], Value::Null);
    // The same flags in a sandbox.
    let (report, text) = tried(&agent, &["--allowed-tools", "Bash"]);
    assert!(text.contains("Permission denied") && !outside.exists(), "{text}");
    assert!(enforced(&report).contains(&"landlock-write"), "{report}");
    // Without a copy there is no folder that an agent could be held to.
    let (report, _) = tried(&agent, &["--no-strict-baseline", "--allowed-tools", "Bash"]);
    assert_eq!(report["meta"]["executorRuntime"]["sandbox"], Value::Null);
    fs::remove_file(&outside).unwrap();
}

/// Its own sandbox can't be set up within ours, which does what it would do.
#[test]
fn codex_reads_only_unless_it_may_edit() {
    let script = running("exec 2>&1; echo inside > in.txt; cat in.txt; echo end".to_owned());
    let Some(agent) = each(script).into_iter().find(|agent| agent.name == "codex") else { return };
    let (_, text) = tried(&agent, &[]);
    assert!(text.contains("in.txt: Permission denied") && text.contains("end"), "{text}");
    let (_, text) = tried(&agent, &["--permissions", "edits"]);
    assert!(text.contains("inside") && !text.contains("Permission denied"), "{text}");
    // And where ours is off, its own.
    let (_, text) = tried(&agent, &["--no-sandbox"]);
    assert!(text.contains("Read-only file system"), "{text}");
}

#[test]
fn answers_given_in_a_sandbox_and_without_are_not_mixed_up() {
    let Some(agent) = each(|_| FakeReply::answer(answer("better"))).into_iter().find(|agent| agent.name == "claude")
    else {
        return;
    };
    agent.context.samples(1, &says_better());
    let run = |more: &[&str]| {
        let before = agent.api.count();
        agent.context.run(&eval_with("claude", &[&["--report-only"], more].concat())).expect(0);
        agent.api.count() - before
    };
    let asked = run(&[]);
    assert!(asked > 0);
    assert_eq!(run(&[]), 0);
    assert_eq!(run(&["--no-sandbox"]), asked);
}

/// Arms run at the same time: the artifact of one lies in the folder of its call, and another run may be going on. The original
/// of each lies where it always does.
#[test]
fn files_of_other_calls_and_other_runs_can_not_be_read() {
    let command = "exec 2>&1; cat ../../omk-tree-*/marker.txt; cat \"$TEMPORARY\"/omk-run-other/omk-call-1/SKILL.md
cat \"$PROJECT\"/sk*/v?.md; cat \"$TEMPORARY/beside.txt\"; cat \"$PROJECT\"/marker.txt; ls ../.. | grep -c omk-tree";
    for mut agent in each(running(command.to_owned())) {
        let real = agent.context.path("temporary");
        agent.context.write("temporary/omk-run-other/omk-call-1/SKILL.md", "of another run\n");
        agent.context.write("temporary/beside.txt", "beside\n");
        agent.context.write("marker.txt", "own\n");
        // Through a link, as it is on some systems.
        let linked = agent.context.path("linked");
        std::os::unix::fs::symlink(&real, &linked).unwrap();
        agent.context.env("TMPDIR", &linked.display().to_string());
        agent.context.env("TEMPORARY", &real.display().to_string());
        let project = agent.context.root().display().to_string();
        agent.context.env("PROJECT", &project);
        let (report, text) = tried(&agent, &["--permissions", "bypass"]);
        assert!(enforced(&report).contains(&"landlock-read"), "{}: {}", agent.name, report["meta"]["executorRuntime"]);
        assert_eq!(text.matches("Permission denied").count(), 4, "{}: {text}", agent.name);
        for expected in ["beside", "own", "1"] {
            assert!(text.lines().any(|line| line == expected), "{}: {expected}: {text}", agent.name);
        }
        fs::remove_file(&linked).unwrap();
    }
}

/// `/dev/shm` and terminals lead from one call to another, and out of the sandbox.
#[test]
fn calls_share_no_memory_and_no_terminals() {
    let name = format!("omk-shared-{}", std::process::id());
    let shared = PathBuf::from("/dev/shm").join(&name);
    let command = format!(
        "exec 2>&1; cat {file}; echo left > {file} && cat {file}; ls /dev/pts; python3 -c \"
import multiprocessing, os, pty
multiprocessing.Lock()
m, s = pty.openpty()
print('terminal', os.ttyname(s))\"",
        file = shared.display()
    );
    for agent in each(running(command)) {
        let (report, text) = report_of(&agent, &eval_with(agent.name, &["--permissions", "bypass"]));
        let second = results(&report)["s001/v1"]["toolCalls"][0]["output"]["text"].to_string();
        // Each call has its own, and one that works.
        for text in [&text, &second] {
            assert!(text.contains("No such file") && text.contains("left"), "{}: {text}", agent.name);
            assert!(text.contains("terminal /dev/pts/"), "{}: {text}", agent.name);
        }
        assert!(!shared.exists(), "{}", agent.name);
    }
}

#[test]
fn resume_names_what_changed_of_an_agent() {
    let context = super::isolation::with_claude("true");
    let started = eval_with("claude", &["--report-only", "--no-cache"]);
    context.run(&started).expect(0);
    let resumed = |more: &[&str], said: &str, unsaid: &str| {
        let refused = context.run(&[&["eval", "--resume", "latest"], more].concat()).expect(2);
        let text = refused.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said) && !text.contains(unsaid), "{more:?}: {text}");
    };
    resumed(&["--permissions", "bypass"], "began: permissions of `v1`, permissions of `v2`", "does not name");
    resumed(&["--network", "none"], "network", "executor");
    resumed(&["--no-sandbox"], "began: sandbox", "executor");
    let program = context.read("bin/claude");
    context.write("bin/claude", &program.replace("2.1.330", "2.1.331"));
    resumed(&[], "the program (2.1.330", "executor");
    resumed(&[], "put the program of then back", "come from the cache");
}

/// Tries to write in its copy, elsewhere, in `/dev/shm`, and on a terminal of its own; its answer says what it could.
const TRYING: &str = r#"said=better
try() { if (eval "$2") 2> /dev/null; then said="$said $1"; fi; }
try copy ': > in.txt'
try project ': > "$LOG"'
try memory ': > /dev/shm/omk-try-$$'
try terminal 'script -qec true /dev/null < /dev/null > /dev/null'
echo "{\"type\": \"result\", \"subtype\": \"success\", \"is_error\": false, \"result\": \"$said\"}"
exit"#;

/// Runs an evaluation whose agent is [`TRYING`] by way of another program; its sandbox, and what the agent could.
fn tried_by(context: &TestContext, by: &[&str], binary: Option<&Path>) -> (Value, String) {
    let plain = context.command(&eval_with("claude", &["--report-only", "--no-cache"]));
    let mut command = Command::new(by[0]);
    command.args(&by[1..]).arg(binary.unwrap_or_else(|| Path::new(plain.get_program()))).args(plain.get_args());
    command.current_dir(context.root()).env_clear().envs(plain.get_envs().filter_map(|(name, of)| Some((name, of?))));
    let Output { status, stderr, .. } = command.output().unwrap();
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let report = valid(context.report());
    let said = results(&report)["s001/v2"]["fullOutput"].as_str().unwrap().to_owned();
    (report["meta"]["executorRuntime"]["sandbox"].clone(), said)
}

fn guards(of: &Value) -> Vec<&str> {
    of.as_array().into_iter().flatten().map(|guard| guard["guard"].as_str().or(guard.as_str()).unwrap()).collect()
}

#[test]
fn report_says_where_the_system_refuses_devices_of_their_own() {
    let (Some(unshare), Some(_)) = (tool(&["unshare"]), tool(&["script"])) else { return };
    let unshare = unshare.display().to_string();
    // In a container that may not create mount namespaces.
    let refusing = "echo 0 > /proc/sys/user/max_mnt_namespaces && exec \"$@\"";
    let as_root = [unshare.as_str(), "--user", "--map-root-user"];
    let by = [&as_root[..], &["sh", "-c", refusing, "sh"]].concat();
    if !Command::new(by[0]).args(&by[1..]).arg("true").output().unwrap().status.success() {
        return skip("this system has no user namespaces");
    }
    let context = with_claude(TRYING);
    let (sandbox, said) = tried_by(&context, &by, None);
    assert_eq!(said, "better copy", "{sandbox}");
    let (enforced, missing) = (guards(&sandbox["enforced"]), guards(&sandbox["notEnforced"]));
    assert!(enforced.contains(&"landlock-write") && !enforced.contains(&"shared-memory"), "{sandbox}");
    assert!(missing.contains(&"shared-memory") && missing.contains(&"terminals"), "{sandbox}");
    assert!(sandbox["notEnforced"].to_string().contains("No space left on device"), "{sandbox}");

    let (sandbox, said) = tried_by(&context, &["env"], None);
    assert_eq!(said, "better copy memory terminal", "{sandbox}");
    let enforced = guards(&sandbox["enforced"]);
    assert!(enforced.contains(&"shared-memory") && enforced.contains(&"terminals"), "{sandbox}");
}

/// All other tests are that, where nobody is root.
#[test]
fn the_sandbox_needs_no_root() {
    if fs::metadata("/proc/self").unwrap().uid() != 0 {
        return;
    }
    let (Some(setpriv), Some(_)) = (tool(&["setpriv"]), tool(&["script"])) else { return };
    let context = with_claude(TRYING);
    // Where it is built, others may not look.
    let binary = context.path("omk");
    fs::copy(context.command(&[]).get_program(), &binary).unwrap();
    give_to_nobody(context.root());
    let setpriv = setpriv.display().to_string();
    let by = [setpriv.as_str(), "--reuid=65534", "--regid=65534", "--clear-groups"];
    let (sandbox, said) = tried_by(&context, &by, Some(&binary));
    assert_eq!(said, "better copy memory terminal", "{sandbox}");
    let enforced = guards(&sandbox["enforced"]);
    for guard in ["landlock-write", "landlock-scope", "shared-memory", "terminals"] {
        assert!(enforced.contains(&guard), "{guard}: {sandbox}");
    }
}

fn give_to_nobody(path: &Path) {
    chown(path, Some(65534), Some(65534)).unwrap();
    let inside = fs::read_dir(path).into_iter().flatten().flatten();
    inside.for_each(|entry| give_to_nobody(&entry.path()));
}
