//! Roles that this test binary plays in a process of its own. Each is an ignored test, which other tests start with
//! `--ignored` and a word of its own; without the word it does nothing.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Output};
use std::time::Duration;

use eval_callable::{WatchdogCommand, hidden};
use eval_spec::callable::{AdapterConfig, AdapterType};
use serde_json::{Value, json};

use super::{Bench, PYTHON, ask_within, this_test, value};

/// How the watchdog is started from here.
pub(crate) fn watchdog() -> WatchdogCommand {
    this_test("skills::helper::watchdog_role")
}

#[test]
#[ignore = "a role that other tests start"]
fn watchdog_role() {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "__watchdog") {
        let given = [&arguments[..1], &arguments[at..]].concat();
        assert_eq!(hidden(&given), Some(ExitCode::SUCCESS));
    }
}

#[test]
fn other_arguments_start_no_watchdog() {
    assert_eq!(hidden(&["eval-skills".into(), "eval".into(), "__watchdog".into()]), None);
    assert_eq!(hidden(&["eval-skills".into()]), None);
}

/// This binary as a run whose skill leaves processes everywhere, says which, and hangs.
pub(crate) fn hanging_run(pids: &std::path::Path, confined: bool) -> Command {
    role("skills::helper::hanging_run_role", &["__hang", pids.to_str().unwrap(), if confined { "yes" } else { "no" }])
}

fn role(test: &str, words: &[&str]) -> Command {
    let helper = this_test(test);
    let mut command = Command::new(helper.program);
    command.args(helper.arguments).args(words);
    command
}

fn words(role: &str) -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != role);
    arguments.next()?;
    Some(arguments.collect())
}

#[test]
#[ignore = "a role that other tests start"]
fn hanging_run_role() {
    let Some(words) = words("__hang") else { return };
    let bench = Bench::with(Some(words[1] == "yes"), &[]);
    let code = format!(
        "{PYTHON}{}",
        "
pids = [os.getpid()]
def leave(escape):
    r, w = os.pipe()
    if os.fork() == 0:
        if escape: os.setsid()
        child = os.fork()
        if child != 0:
            os.write(w, str(child).encode()); os._exit(0)
        time.sleep(300); os._exit(0)
    pids.append(int(os.read(r, 20)))
leave(False)
leave(True)
open(os.environ['TMPDIR'] + '/pids', 'w').write(' '.join(map(str, pids)) + '\\n')
time.sleep(300)
"
    );
    bench.file("skill.py", &code);
    let executor = bench.subprocess("python3 skill.py", AdapterConfig::default());
    let (scratch, report_file) = (bench.scratch.clone(), words[0].clone());
    std::thread::spawn(move || {
        super::soon(|| match std::fs::read_to_string(scratch.join("0/pids")) {
            Ok(text) if text.ends_with('\n') => {
                std::fs::write(&report_file, format!("{text}{}\n", scratch.display())).is_ok()
            }
            _ => false,
        })
    });
    let _ = ask_within(&*executor, "{}", Duration::from_secs(120));
}

/// This binary as a run whose skill prints a gigabyte: reports its result and the most memory it ever had.
pub(crate) fn flooded_run() -> Command {
    role("skills::helper::flooded_run_role", &["__flood"])
}

#[test]
#[ignore = "a role that other tests start"]
fn flooded_run_role() {
    if words("__flood").is_none() {
        return;
    }
    let bench = Bench::new();
    let flood = |to: &str| format!("for _ in range(16384): sys.{to}.buffer.write(b'x' * 65536)\nanswer(1)");
    let error = bench.python(&flood("stdout"), "{}").unwrap_err();
    let stderr = bench.python(&flood("stderr"), "{}").unwrap().skill.unwrap().stderr.len();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: u64 = most.split_whitespace().next().unwrap().parse().unwrap();
    report(&json!({"error": error.to_string(), "stderr": stderr, "kib": kib}));
}

/// This binary as a run on a kernel that may lack something: reports which guards are in force and which are not.
pub(crate) fn reporting_run() -> Command {
    role("skills::helper::reporting_run_role", &["__report"])
}

#[test]
#[ignore = "a role that other tests start"]
fn reporting_run_role() {
    if words("__report").is_none() {
        return;
    }
    let bench = Bench::new();
    let output = bench.python("answer(1)", "{}").unwrap();
    assert_eq!(value(&output), 1);
    let skill = bench.skill(AdapterType::Subprocess, "python3 skill.py", AdapterConfig::default());
    let lacks: Vec<String> = bench.host.unavailable_guards().iter().map(ToString::to_string).collect();
    let enforced = output.skill.unwrap().enforced;
    report(&json!({"enforced": enforced, "not": bench.host.not_enforced(&skill), "lacks": lacks}));
}

#[expect(clippy::print_stdout, reason = "how a role reports to the test")]
fn report(found: &Value) {
    println!("\nREPORT {found}");
}

/// The report of a role.
pub(crate) fn reported(command: &mut Command) -> Value {
    reported_in(&command.output().unwrap())
}

/// The report in the output of a role.
pub(crate) fn reported_in(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("REPORT "));
    serde_json::from_str(line.unwrap_or_else(|| panic!("{output:?}"))).unwrap()
}
