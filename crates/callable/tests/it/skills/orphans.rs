//! No process is left behind, however a call or a run ends.

use std::fs;
use std::process::{Child, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use testkit::tools::skip;

use super::containment::marked;
use super::{Bench, helper, lives, soon, value};

/// Leaves a child in the group and one that left it, both orphans.
const LEAVE: &str = "
def leave(escape, hide):
    r, w = os.pipe()
    if os.fork() == 0:
        if escape: os.setsid()
        child = os.fork()
        if child != 0:
            os.write(w, str(child).encode()); os._exit(0)
        for fd in range(3): os.close(fd)
        if hide: os.execve('/bin/sleep', ['sleep', '300'], {})
        time.sleep(300); os._exit(0)
    os.wait()
    return int(os.read(r, 20))
";

fn pids(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn daemons_of_a_call_are_killed_and_no_others() {
    for confined in [true, false] {
        let bench = Bench::with(Some(confined), &[]);
        // Children of this process that are none of a skill's: one in a group of its own, one that ended unwaited.
        let mut ours = bystander("sleep", &["300"]);
        let ended = bystander("true", &[]);
        let code = format!("{LEAVE}answer([leave(False, False), leave(True, False)])");
        let output = bench.python(&code, "{}").unwrap();
        for pid in pids(&value(&output)) {
            assert!(soon(|| !lives(&pid)), "{pid} lives");
        }
        // What was ours to wait for was waited for; the others can still be.
        assert!(soon(|| pids(&value(&output)).iter().all(|pid| !fs::exists(format!("/proc/{pid}")).unwrap())));
        assert!(lives(&ours.id().to_string()));
        ours.kill().unwrap();
        assert!(!ours.wait().unwrap().success());
        assert!({ ended }.wait().unwrap().success());
    }
}

fn bystander(program: &str, arguments: &[&str]) -> Child {
    use std::os::unix::process::CommandExt;
    std::process::Command::new(program).args(arguments).process_group(0).spawn().unwrap()
}

#[test]
fn hidden_daemon_is_killed_if_signals_are_scoped() {
    let bench = Bench::new();
    let output = bench.python(&format!("{LEAVE}answer([leave(True, True)])"), "{}").unwrap();
    if !output.skill.as_ref().unwrap().enforced.contains(&"landlock-scope".to_owned()) {
        return skip("signals can't be scoped here");
    }
    for pid in pids(&value(&output)) {
        assert!(soon(|| !lives(&pid)), "{pid} lives");
    }
}

#[test]
fn killed_run_leaves_no_process_and_no_folder() {
    for confined in [true, false] {
        let folder = TempDir::new().unwrap();
        let told = folder.path().join("told");
        let mut run = helper::hanging_run(&told, confined);
        // What is left of the killed run's own files goes with this folder.
        run.env("TMPDIR", folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        assert!(soon(|| fs::read_to_string(&told).is_ok_and(|text| text.ends_with("scratch\n"))), "it runs");
        let text = fs::read_to_string(&told).unwrap();
        let (first, scratch) = text.trim_end().split_once('\n').unwrap();
        assert_eq!(first.split(' ').filter(|pid| lives(pid)).count(), 3, "{first}");
        run.kill().unwrap();
        run.wait().unwrap();
        for pid in first.split(' ') {
            assert!(soon(|| !lives(pid)), "{pid} lives, confined: {confined}");
        }
        assert!(soon(|| marked(scratch).is_empty() && !fs::exists(scratch).unwrap()), "{scratch}");
    }
}
