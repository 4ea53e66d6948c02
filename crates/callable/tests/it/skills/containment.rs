//! The guards of a program, and that the reported ones are in force.

use std::fs;
use std::process::Command;
use std::time::Duration;

use eval_spec::Failure;
use eval_spec::callable::{AdapterConfig, GUARDS, SandboxLimits};
use serde_json::json;
use testkit::tools::skip;

use super::subprocess::compile;
use super::{Bench, PYTHON, ask, helper, soon, there_is, value};

/// What is said to hold, of a run on this kernel.
fn enforced(bench: &Bench) -> Vec<String> {
    bench.python("answer(1)", "{}").unwrap().skill.unwrap().enforced
}

pub(super) fn holds(bench: &Bench, guard: &str) -> bool {
    let holds = enforced(bench).iter().any(|name| name == guard);
    if !holds {
        let lacks: Vec<String> = bench.host.unavailable_guards().iter().map(ToString::to_string).collect();
        assert!(
            lacks.iter().any(|line| line.contains(guard)),
            "{guard} is neither held nor said to be missing: {lacks:?}"
        );
        skip(&format!("{lacks:?}"));
    }
    holds
}

#[test]
fn enforced_guards_have_known_names() {
    let bench = Bench::new();
    let names = enforced(&bench);
    assert!(names.iter().all(|name| GUARDS.contains(&name.as_str())), "{names:?}");
    for name in ["process-group", "no-new-privileges", "cpu-time", "file-size", "processes"] {
        assert!(names.iter().any(|held| held == name), "{name}: {names:?}");
    }
    assert!(!names.contains(&"address-space".to_owned()), "off by default");
}

#[test]
fn reported_limits_are_in_force() {
    let bench = Bench::new();
    let code = "
import resource
answer([resource.getrlimit(r) for r in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)])";
    let unlimited = -1;
    let default = value(&bench.python(code, "{}").unwrap());
    assert_eq!(default, json!([[300, 301], [unlimited, unlimited], [256 << 20, 256 << 20], [0, 0]]));
    let limits = SandboxLimits {
        cpu_seconds: Some(7),
        memory_mb: Some(2000),
        file_size_mb: Some(3),
        ..SandboxLimits::default()
    };
    let executor = bench.subprocess("python3 skill.py", AdapterConfig { limits, ..AdapterConfig::default() });
    let output = ask(&*executor, "{}").unwrap();
    let as_bytes = 2000_u64 << 20;
    assert_eq!(value(&output), json!([[7, 8], [as_bytes, as_bytes], [3 << 20, 3 << 20], [0, 0]]));
    assert!(output.skill.unwrap().enforced.contains(&"address-space".to_owned()));
}

#[test]
fn files_are_written_in_its_own_folder_only() {
    let bench = Bench::new();
    if !holds(&bench, "landlock-write") {
        return;
    }
    let victim = bench.file("victim", "precious");
    let outside = bench.directory.parent().unwrap().join("outside");
    fs::create_dir(&outside).unwrap();
    let code = r"
def tried(what):
    try: what(); return 'done'
    except OSError as error: return type(error).__name__
victim, outside, own = params['victim'], params['outside'], os.environ['TMPDIR']
import tempfile
answer([
    tried(lambda: open(victim, 'w')), tried(lambda: open(victim, 'a')), tried(lambda: os.truncate(victim, 0)),
    tried(lambda: os.remove(victim)), tried(lambda: os.rename(victim, victim + '2')),
    tried(lambda: open(outside + '/new', 'w')), tried(lambda: os.mkdir(outside + '/new')),
    tried(lambda: os.symlink('/', outside + '/new')), tried(lambda: os.link(victim, own + '/link')),
    tried(lambda: open(own + '/../../new', 'w')), tried(lambda: open('/dev/shm/eval-skills-new', 'w')),
] + [
    tried(lambda: open(own + '/new', 'w').write('x')), tried(lambda: os.mkdir(own + '/folder')),
    tried(lambda: os.rename(own + '/new', own + '/folder/new')), tried(lambda: tempfile.NamedTemporaryFile().close()),
    tried(lambda: open('/dev/null', 'w').write('x')), tried(lambda: open(victim).read()),
], usage={'totalTokens': 1})";
    let output = bench.python(code, &json!({"victim": victim, "outside": outside}).to_string()).unwrap();
    let tried: Vec<String> = serde_json::from_value(value(&output)).unwrap();
    assert!(tried[..11].iter().all(|what| what == "PermissionError" || what == "OSError"), "{tried:?}");
    assert!(tried[11..].iter().all(|what| what == "done"), "{tried:?}");
    assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
    assert_eq!(fs::read_dir(outside).unwrap().count(), 0);
    assert!(soon(|| fs::read_dir(bench.scratch.join("0")).unwrap().count() == 0), "the folder is emptied");
}

#[test]
fn another_skills_environment_and_ours_can_not_be_read() {
    let bench = Bench::with(Some(true), &[("MINE", "not-for-you")]);
    if !holds(&bench, "landlock-write") {
        return;
    }
    let other = format!(
        "{PYTHON}open(os.environ['TMPDIR'] + '/pid', 'w').write(str(os.getpid()) + '\\n'); time.sleep(20); answer(1)"
    );
    bench.file("other.py", &other);
    let config = AdapterConfig { env: vec!["MINE".to_owned()], ..AdapterConfig::default() };
    let other = bench.subprocess("python3 other.py", config);
    let scratch = bench.scratch.clone();
    let waiting = std::thread::spawn(move || super::ask_within(&*other, "{}", Duration::from_secs(4)));
    let find = || {
        let folders = fs::read_dir(&scratch).unwrap().flatten();
        folders.filter_map(|folder| fs::read_to_string(folder.path().join("pid")).ok()).find(|pid| pid.ends_with('\n'))
    };
    let mut pid = None;
    assert!(soon(|| {
        pid = find();
        pid.is_some()
    }));
    let pid: i32 = pid.unwrap().trim().parse().unwrap();
    let environ = fs::read(format!("/proc/{pid}/environ")).unwrap();
    assert!(String::from_utf8_lossy(&environ).contains("not-for-you"), "we can");
    let code = "
def tried(pid):
    try: return open(f'/proc/{pid}/environ').read()
    except OSError as error: return type(error).__name__
answer([tried(params['other']), tried(os.getppid()), tried(os.getpid())[:5]])";
    let output = bench.python(code, &json!({"other": pid}).to_string()).unwrap();
    assert_eq!(value(&output)[0], "PermissionError");
    assert_eq!(value(&output)[1], "PermissionError");
    assert_ne!(value(&output)[2], "Permi");
    let _ = waiting.join().unwrap();
}

#[test]
fn skill_cannot_set_limits_of_other_processes() {
    let bench = Bench::new();
    if !holds(&bench, "foreign-limits") {
        return;
    }
    let code = "
import resource
def tried(pid, *limits):
    try: return resource.prlimit(pid, resource.RLIMIT_NOFILE, *limits)
    except OSError as error: return type(error).__name__
own = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (64, own))
answer([tried(os.getppid(), (8, 8)), tried(params['other'], (8, 8)),
    tried(0, (65, own))[0], tried(os.getppid()) != 'PermissionError', resource.getrlimit(resource.RLIMIT_NOFILE)[0]])";
    let mut other = Command::new("sleep").arg("60").spawn().unwrap();
    let output = bench.python(code, &json!({"other": other.id()}).to_string()).unwrap();
    let limits = fs::read_to_string(format!("/proc/{}/limits", other.id())).unwrap();
    other.kill().unwrap();
    other.wait().unwrap();
    let found = value(&output);
    assert_eq!((&found[0], &found[1]), (&json!("PermissionError"), &json!("PermissionError")), "{found}");
    assert_eq!((&found[2], &found[3], &found[4]), (&json!(64), &json!(true), &json!(65)), "{found}");
    assert!(!limits.lines().any(|line| line.contains("open files") && line.contains(" 8 ")), "{limits}");
}

#[test]
fn skill_cannot_signal_the_run_or_the_watchdog() {
    let bench = Bench::new();
    if !holds(&bench, "landlock-scope") {
        return;
    }
    let code = "
import signal
def tried(pid):
    try: os.kill(pid, 0); return 'done'
    except OSError as error: return type(error).__name__
child = os.fork()
if child == 0: time.sleep(300)
def is_watchdog(p):
    try: return b'__watchdog' in open(f'/proc/{p}/cmdline', 'rb').read()
    except OSError: return False
watchdogs = [int(p) for p in os.listdir('/proc') if p.isdigit() and is_watchdog(p)]
answer([tried(os.getppid()), {tried(pid) for pid in watchdogs} == {'PermissionError'}, tried(child)])";
    let output = bench.python(code, "{}").unwrap();
    assert_eq!(value(&output), json!(["PermissionError", true, "done"]));
}

#[test]
fn privileges_can_not_be_gained() {
    let output =
        Bench::new().python("answer([l for l in open('/proc/self/status') if l.startswith('NoNewPrivs')])", "{}");
    assert_eq!(value(&output.unwrap()), json!(["NoNewPrivs:\t1\n"]));
}

#[test]
fn a_fork_bomb_is_bounded() {
    let bench = Bench::new();
    let limits = SandboxLimits { processes: Some(20), ..SandboxLimits::default() };
    let config = AdapterConfig { limits, ..AdapterConfig::default() };
    // Bounded by itself as well, lest a failing test harms the machine; half of them leave the group.
    let bomb = "
import itertools
print('lit', file=sys.stderr, flush=True)
for n in range(200):
    if os.fork() == 0:
        if n % 2: os.setsid()
        time.sleep(60); os._exit(0)
time.sleep(60)";
    bench.file("skill.py", &format!("{PYTHON}{bomb}"));
    let error = ask(&*bench.subprocess("python3 skill.py", config), "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Skill, "{error}");
    assert!(error.to_string().contains("more than 20 processes"), "{error}");
    let mark = format!("TMPDIR={}/", bench.scratch.canonicalize().unwrap().display());
    assert!(soon(|| marked(&mark).is_empty()), "{:?}", marked(&mark));
}

/// The processes whose environment has this in it.
pub(super) fn marked(mark: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let has = |entry: &fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(mark)
    };
    entries.filter(has).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn without_a_sandbox_only_the_process_group_is_reported() {
    let bench = Bench::with(Some(false), &[]);
    let victim = bench.file("victim", "");
    let output = bench.python("open(params['input'], 'w').write('x'); answer(1)", &json!(victim).to_string());
    assert_eq!(output.unwrap().skill.unwrap().enforced, ["process-group"]);
    assert_eq!(fs::read_to_string(victim).unwrap(), "x");
    assert!(bench.host.unavailable_guards().is_empty(), "nothing was asked for");
}

#[test]
fn missing_landlock_is_reported() {
    if !there_is("cc") {
        return;
    }
    let bench = Bench::new();
    let code = r#"
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
int main(int n, char **words) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 444, 0, 2), BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 446, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 77;
    execv(words[1], words + 1);
    return 78;
}"#;
    compile(&bench, "without", code);
    let inner = helper::reporting_run();
    let mut run = Command::new(bench.directory.join("without"));
    let output = run.arg(inner.get_program()).args(inner.get_args()).output().unwrap();
    if output.status.code() == Some(77) {
        return skip("no seccomp here");
    }
    let report = helper::reported_in(&output);
    let held = [
        "process-group",
        "no-new-privileges",
        "cpu-time",
        "file-size",
        "processes",
        "scratch-size",
        "foreign-limits",
        "foreign-scheduling",
        "kernel-objects",
        "file-sockets",
    ];
    assert_eq!(report["enforced"], json!(held));
    assert_eq!(report["not"], json!(["landlock-write", "landlock-scope", "file-metadata"]));
    let lacks = report["lacks"].to_string();
    assert!(lacks.contains("landlock-write") && lacks.contains("this kernel has no Landlock"), "{lacks}");
}

#[test]
fn skill_may_write_its_home_and_what_it_declares() {
    let bench = Bench::with(Some(true), &[("HOME", "/somewhere")]);
    if !holds(&bench, "landlock-write") {
        return;
    }
    let data = bench.directory.join("data");
    fs::create_dir(&data).unwrap();
    let code = "
for folder in (os.environ['HOME'], os.environ['XDG_DATA_HOME'], os.environ['TMPDIR'], 'data'):
    open(os.path.join(folder, 'kept'), 'w').write('x')
answer(os.environ['HOME'])";
    bench.file("skill.py", &format!("{PYTHON}{code}"));
    let config = AdapterConfig { writable: vec![data.clone()], ..AdapterConfig::default() };
    let home = value(&ask(&*bench.subprocess("python3 skill.py", config), "{}").unwrap());
    assert_eq!(fs::read_to_string(data.join("kept")).unwrap(), "x");
    assert!(soon(|| fs::read_dir(home.as_str().unwrap()).is_ok_and(|mut left| left.next().is_none())), "{home}");
}

#[test]
fn denial_by_the_sandbox_is_named_and_not_the_skills_error() {
    let bench = Bench::new();
    if !holds(&bench, "landlock-write") {
        return;
    }
    let outside = bench.scratch.parent().unwrap().join("outside.txt");
    let path = outside.display();
    let print = |why: &str| {
        format!(
            "print(json.dumps({{'jsonrpc': '2.0', 'id': 1, 'error': {{'code': 1, 'message': {why}}}}}), flush=True)"
        )
    };
    for code in
        [format!("open('{path}', 'w')"), format!("try: open('{path}', 'w')\nexcept OSError as e: {}", print("str(e)"))]
    {
        let error = bench.python(&code, "{}").unwrap_err();
        assert_eq!(error.failure, Failure::Rejected, "{error}");
        assert!(!error.failure.is_the_skills());
        assert!(
            error.to_string().contains(&format!("{path}")) && error.to_string().contains("sandbox.write"),
            "{error}"
        );
    }
    // What the system refuses without us, what isn't refused, and what the skill may write, is the skill's own.
    for code in [format!("raise ValueError('{path}')"), "raise PermissionError(13, 'Permission denied')".to_owned()] {
        let error = bench.python(&code, "{}").unwrap_err();
        assert_eq!(error.failure, Failure::Crashed, "{code}: {error}");
    }
    let free = Bench::with(Some(false), &[]);
    let error = free.python("raise PermissionError(13, 'Permission denied', '/tmp/x')", "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
}
