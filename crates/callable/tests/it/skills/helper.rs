//! Parts that this test binary plays as a process of its own: each is a test that does nothing unless its word is among
//! the arguments.

use std::ffi::OsString;
use std::process::{Command, ExitCode, Output};
use std::time::Duration;

use eval_callable::{WatchdogCommand, hidden};
use eval_spec::callable::{AdapterConfig, AdapterType};
use serde_json::{Value, json};

use super::{Bench, PYTHON, ask_within, this_test, value};

/// How the watchdog is started from here.
pub(crate) fn watchdog() -> WatchdogCommand {
    this_test("skills::helper::be_the_watchdog")
}

#[test]
fn be_the_watchdog() {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "__watchdog") {
        let given = [&arguments[..1], &arguments[at..]].concat();
        assert_eq!(hidden(&given), Some(ExitCode::SUCCESS));
    }
}

#[test]
fn nobody_else_is_a_helper() {
    assert_eq!(hidden(&["eval-skills".into(), "eval".into(), "__watchdog".into()]), None);
    assert_eq!(hidden(&["eval-skills".into()]), None);
}

/// This binary as a run whose skill leaves processes everywhere, says which, and hangs.
pub(crate) fn hanging_run(pids: &std::path::Path, confined: bool) -> Command {
    part("skills::helper::be_a_hanging_run", &["__hang", pids.to_str().unwrap(), if confined { "yes" } else { "no" }])
}

fn part(test: &str, words: &[&str]) -> Command {
    let helper = this_test(test);
    let mut command = Command::new(helper.program);
    command.args(helper.arguments).args(words);
    command
}

fn words(part: &str) -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != part);
    arguments.next()?;
    Some(arguments.collect())
}

#[test]
fn be_a_hanging_run() {
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
    let (scratch, told) = (bench.scratch.clone(), words[0].clone());
    std::thread::spawn(move || {
        super::soon(|| match std::fs::read_to_string(scratch.join("0/pids")) {
            Ok(text) if text.ends_with('\n') => std::fs::write(&told, format!("{text}{}\n", scratch.display())).is_ok(),
            _ => false,
        })
    });
    let _ = ask_within(&*executor, "{}", Duration::from_secs(120));
}

/// This binary as a run whose skill prints a gigabyte: tells what came of it and the most memory it ever had.
pub(crate) fn flooded_run() -> Command {
    part("skills::helper::be_a_flooded_run", &["__flood"])
}

#[test]
fn be_a_flooded_run() {
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
    tell(&json!({"error": error.to_string(), "stderr": stderr, "kib": kib}));
}

/// This binary as a run on a kernel that may lack something: tells what holds and what doesn't.
pub(crate) fn telling_run() -> Command {
    part("skills::helper::be_a_telling_run", &["__tell"])
}

#[test]
fn be_a_telling_run() {
    if words("__tell").is_none() {
        return;
    }
    let bench = Bench::new();
    let output = bench.python("answer(1)", "{}").unwrap();
    assert_eq!(value(&output), 1);
    let skill = bench.skill(AdapterType::Subprocess, "python3 skill.py", AdapterConfig::default());
    let lacks: Vec<String> = bench.host.unavailable_guards().iter().map(ToString::to_string).collect();
    let enforced = output.skill.unwrap().enforced;
    tell(&json!({"enforced": enforced, "not": bench.host.not_enforced(&skill), "lacks": lacks}));
}

#[expect(clippy::print_stdout, reason = "how a part tells what it found")]
fn tell(found: &Value) {
    println!("\nTOLD {found}");
}

/// What a part told.
pub(crate) fn told(command: &mut Command) -> Value {
    told_in(&command.output().unwrap())
}

/// What a part told, in what it printed.
pub(crate) fn told_in(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("TOLD "));
    serde_json::from_str(line.unwrap_or_else(|| panic!("{output:?}"))).unwrap()
}
