//! Parts that this test binary plays as a process of its own: each is a test that does nothing unless its word is among
//! the arguments.

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::Duration;

use eval_exec::skill::{Helper, Host, SkillSetup, hidden};
use eval_spec::callable::{AdapterConfig, AdapterType};

use super::{Bench, PYTHON, ask_within, this_test, value};

/// How the watchdog is started from here.
pub(crate) fn watchdog() -> Helper {
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

/// This binary as a run on a kernel that may lack something: prints what holds and what doesn't.
pub(crate) fn telling_run() -> Vec<OsString> {
    let helper = this_test("skills::helper::be_a_telling_run");
    [vec![helper.program.into_os_string()], helper.arguments, vec!["__tell".into()]].concat()
}

#[test]
fn be_a_telling_run() {
    if words("__tell").is_none() {
        return;
    }
    let folder = tempfile::TempDir::new().unwrap();
    let bench = Bench::new();
    let host = Arc::new(Host::start(folder.path(), Some(true), Some(watchdog())).unwrap());
    bench.file("skill.py", &format!("{PYTHON}answer(1)"));
    let skill = bench.skill(AdapterType::Subprocess, "python3 skill.py", AdapterConfig::default());
    let setup = SkillSetup { context: &bench.context, langchain: None, custom: None };
    let output = ask_within(&*eval_exec::skill::build(&skill, &host, &setup).unwrap(), "{}", Duration::from_secs(20));
    let output = output.unwrap();
    assert_eq!(value(&output), 1);
    let enforced = output.skill.unwrap().enforced;
    let lacks: Vec<String> = host.lacks().iter().map(ToString::to_string).collect();
    println!("\nTOLD {}", serde_json::json!({"enforced": enforced, "not": host.not_enforced(&skill), "lacks": lacks}));
}
