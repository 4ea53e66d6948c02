//! What a hostile skill asks of the kernel: other processes' share of the processor, and objects that outlive it.

use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::process::{Child, Command};

use eval_spec::Failure;
use eval_spec::callable::AdapterConfig;
use serde_json::{Value, json};

use super::containment::holds;
use super::{Bench, soon, there_is, value};

/// `tried(what)` says `done` or the name of the error; the rest calls the system past what Python wraps.
const CALLS: &str = r"
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
libc.mq_open.restype = ctypes.c_int
def tried(what):
    ctypes.set_errno(0)
    try: found = what()
    except OSError as error: return errno.errorcode[error.errno]
    return errno.errorcode[ctypes.get_errno()] if isinstance(found, int) and found < 0 else 'done'
is_x86 = platform.machine() == 'x86_64'
sched_setattr, ioprio_set = (314, 251) if is_x86 else (274, 30)
# struct sched_attr: its size, SCHED_BATCH, no flags, nice 5.
attributes = ctypes.create_string_buffer((48).to_bytes(4, 'little') + (3).to_bytes(4, 'little') + bytes(8) + (5).to_bytes(4, 'little')
    + bytes(28), 48)
BEST_EFFORT_7 = 2 << 13 | 7
";

/// Another process of the user, ended with the test.
struct Victim(Child);

impl Victim {
    fn new() -> Victim {
        // Root's would be protected by capabilities that the skill lacks; those of an ordinary user have none.
        let plain = ["sleep", "60"];
        let as_root = ["setpriv", "--inh-caps=-all", "--bounding-set=-all", "sleep", "60"];
        let is_root = std::fs::metadata("/proc/self").unwrap().uid() == 0 && there_is("setpriv");
        let words = if is_root { &as_root[..] } else { &plain };
        let victim = Victim(Command::new(words[0]).args(&words[1..]).spawn().unwrap());
        let name = format!("/proc/{}/comm", victim.0.id());
        assert!(soon(|| std::fs::read_to_string(&name).unwrap() == "sleep\n"));
        victim
    }

    /// Nice value and scheduling policy, of its `stat`.
    fn scheduling(&self) -> (String, String) {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        (fields[16].to_owned(), fields[38].to_owned())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How attempts on other processes, on groups and users and on itself ended, and how the victim fares.
fn attempts(before: &str) -> (Value, (String, String)) {
    let bench = Bench::new();
    let victim = Victim::new();
    let code = format!(
        r"{CALLS}
{before}
other = params['other']
def on(pid): return [
    tried(lambda: os.setpriority(os.PRIO_PROCESS, pid, 5)), tried(lambda: os.sched_setaffinity(pid, {{0}})),
    tried(lambda: os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))),
    tried(lambda: os.sched_setparam(pid, os.sched_param(0))),
    tried(lambda: libc.syscall(sched_setattr, pid, attributes, 0)),
    tried(lambda: libc.syscall(ioprio_set, 1, pid, BEST_EFFORT_7)),
]
found = {{'other': on(other), 'harness': on(os.getppid()), 'groups': [
    tried(lambda: os.setpriority(os.PRIO_PGRP, params['group'], 5)), tried(lambda: os.setpriority(os.PRIO_USER, params['nobody'], 5)),
    tried(lambda: libc.syscall(ioprio_set, 2, params['group'], BEST_EFFORT_7)),
    tried(lambda: libc.syscall(ioprio_set, 3, params['nobody'], BEST_EFFORT_7))]}}
found['own'] = on(0)
answer(found)"
    );
    // Nobody has this group and this user: a test that fails would slow down the machine.
    let input = json!({"other": victim.0.id(), "group": i32::MAX, "nobody": 1_234_567}).to_string();
    let found = value(&bench.python(&code, &input).unwrap());
    (found, victim.scheduling())
}

#[test]
fn skill_cannot_slow_down_or_pin_other_processes() {
    if !holds(&Bench::new(), "foreign-scheduling") {
        return;
    }
    for before in ["", "libc.unshare(0x10000000)"] {
        let (found, victim) = attempts(before);
        assert_eq!(found["other"], json!(vec!["EPERM"; 6]), "{found}");
        assert_eq!(found["harness"], json!(vec!["EPERM"; 6]), "{found}");
        assert_eq!(found["groups"], json!(vec!["EPERM"; 4]), "{found}");
        assert_eq!(found["own"], json!(vec!["done"; 6]), "{found}");
        assert_eq!(victim, ("0".to_owned(), "0".to_owned()));
    }
}

#[test]
fn skill_leaves_no_objects_in_the_kernel() {
    let bench = Bench::new();
    if !holds(&bench, "kernel-objects") {
        return;
    }
    let code = format!(
        r"{CALLS}
def made(what, remove):
    def attempt():
        found = what()
        if found >= 0: remove(found)
        return found
    return tried(attempt)
add_key = 248 if is_x86 else 217
name = b'/eval-skills-%d' % os.getpid()
found = [
    made(lambda: libc.shmget(0, 4096, 0o1600), lambda id: libc.shmctl(id, 0, None)),
    made(lambda: libc.msgget(0, 0o1600), lambda id: libc.msgctl(id, 0, None)),
    made(lambda: libc.semget(0, 1, 0o1600), lambda id: libc.semctl(id, 0, 0)),
    made(lambda: libc.mq_open(name, 0o102, 0o600, None), lambda id: libc.mq_unlink(name)),
    made(lambda: libc.syscall(add_key, b'user', b'eval-skills', b'x', 1, -3), lambda id: None),
]
answer(found)"
    );
    assert_eq!(value(&bench.python(&code, "{}").unwrap()), json!(vec!["EPERM"; 5]));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn refused_calls_have_no_second_number() {
    let bench = Bench::new();
    if !holds(&bench, "kernel-objects") {
        return;
    }
    // The numbers of the ABI with 32-bit pointers, of a kernel that may not have it.
    let code = format!(
        "{CALLS}
X32 = 0x40000000
answer([tried(lambda: libc.syscall(X32 | 29, 0, 4096, 0o1600)), tried(lambda: libc.syscall(X32 | 141, 0, os.getppid(), 0)),
    tried(lambda: libc.syscall(X32 | 302, os.getppid(), 7, ctypes.create_string_buffer(16), None))])"
    );
    assert_eq!(value(&bench.python(&code, "{}").unwrap()), json!(vec!["EPERM"; 3]));
}

#[test]
fn ordinary_programs_work_without_them() {
    let bench = Bench::new();
    let code = "
import concurrent.futures, multiprocessing, subprocess, tempfile, threading
def double(n): return 2 * n
with multiprocessing.get_context('fork').Pool(2) if params['shm'] else concurrent.futures.ThreadPoolExecutor(2) as pool:
    doubled = list(pool.map(double, range(4)))
r, w = multiprocessing.Pipe()
child = multiprocessing.get_context('fork').Process(target=lambda: w.send('sent'))
child.start(); child.join()
os.nice(1)
nice = subprocess.run(['nice', '-n', '2', 'nice'], capture_output=True, text=True).stdout.strip()
answer([doubled, r.recv(), nice])";
    // Python's pools need semaphores, files in a folder of all users' that is not the skill's to write.
    let found = value(&bench.python(code, r#"{"shm": false}"#).unwrap());
    assert_eq!(found, json!([[0, 2, 4, 6], "sent", "3"]));
    if std::path::Path::new("/dev/shm").is_dir() {
        bench.file("skill.py", &format!("{}{code}", super::PYTHON));
        let config = AdapterConfig { writable: vec!["/dev/shm".into()], ..AdapterConfig::default() };
        let output = super::ask(&*bench.subprocess("python3 skill.py", config), r#"{"shm": true}"#);
        assert_eq!(value(&output.unwrap()), json!([[0, 2, 4, 6], "sent", "3"]));
    }
}

/// What a program does with sockets: those of others that are files, its own, and those that are none.
const SOCKETS: &str = r"
import socket
def connected(path):
    with socket.socket(socket.AF_UNIX) as it: it.connect(path)
def sent(path):
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.sendto(b'run this', path)
def served():
    path = os.environ['TMPDIR'] + '/own'
    with socket.socket(socket.AF_UNIX) as it: it.bind(path); it.listen(); connected(path)
def paired():
    for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET):
        a, b = socket.socketpair(socket.AF_UNIX, kind)
        a.send(b'x'); assert b.recv(1) == b'x'
def looped():
    with socket.socket() as it: it.bind(('127.0.0.1', 0)); it.listen(); socket.create_connection(it.getsockname()).close()
answer([tried(lambda: connected(params['stream'])), tried(lambda: sent(params['datagram'])), tried(served), tried(paired), tried(looped),
    tried(lambda: libc.syscall(425, 1, ctypes.create_string_buffer(120)))])";

#[test]
fn skill_reaches_servers_behind_files_only_if_it_declares_sockets() {
    let bench = Bench::new();
    if !holds(&bench, "file-sockets") {
        return;
    }
    let place = |name: &str| bench.scratch.with_file_name(name);
    let _stream = UnixListener::bind(place("stream")).unwrap();
    let datagrams = UnixDatagram::bind(place("datagram")).unwrap();
    datagrams.set_nonblocking(true).unwrap();
    bench.file("skill.py", &format!("{}{CALLS}{SOCKETS}", super::PYTHON));
    let input = json!({"stream": place("stream"), "datagram": place("datagram")}).to_string();
    let tried = |may_use_sockets: bool| {
        let config = AdapterConfig { may_use_sockets, ..AdapterConfig::default() };
        let skill = bench.skill(eval_spec::callable::AdapterType::Subprocess, "python3 skill.py", config.clone());
        let output = super::ask(&*bench.subprocess("python3 skill.py", config), &input).unwrap();
        let is_guarded = output.skill.as_ref().unwrap().enforced.iter().any(|guard| guard == "file-sockets");
        let is_open = bench.host.not_enforced(&skill).iter().any(|guard| guard == "file-sockets");
        assert_eq!((is_guarded, is_open), (!may_use_sockets, may_use_sockets));
        value(&output)
    };
    let none = "EAFNOSUPPORT";
    assert_eq!(tried(false), json!([none, none, none, "done", "done", "EPERM"]));
    assert!(datagrams.recv(&mut [0; 16]).is_err());
    let found = tried(true);
    assert_eq!(found.as_array().unwrap()[..5], vec![json!("done"); 5], "{found}");
    assert_eq!(datagrams.recv(&mut [0; 16]).unwrap(), "run this".len());
}

#[test]
fn socket_that_the_sandbox_refused_is_named_and_not_the_skills_error() {
    let bench = Bench::new();
    if !holds(&bench, "file-sockets") {
        return;
    }
    let error = bench.python("import socket; socket.socket(socket.AF_UNIX)", "{}").unwrap_err();
    assert_eq!(error.failure, Failure::Rejected, "{error}");
    assert!(error.to_string().contains("\"sockets\": true"), "{error}");
}
