//! A process of ours that outlives us by a moment, and kills what we would have killed.
//!
//! It reads from a pipe which groups live (`+LEADER`, `-LEADER`, a line each). The pipe ends when we do, however
//! we end. Then it kills the groups that live, and what has left them: where signals are scoped, it is held like the
//! programs' common parent, and may signal nothing but them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use super::confinement::Watch;
use super::{keeper, kill_group, tree};

/// The word that leads to [`watch`].
pub const WATCHDOG: &str = "__watchdog";

const SCOPED: &str = "scoped";

/// How long what was killed may take to end.
const END: Duration = Duration::from_secs(3);

/// Our end of it.
pub struct Watchdog {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Watchdog {
    /// Starts it from this thread, to be held as it is. `scoped`: whether that holds signals.
    pub fn start(watch: &Watch, scratch: &Path, scoped: bool) -> io::Result<Watchdog> {
        let mut command = Command::new(&watch.program);
        command
            .args(&watch.arguments)
            .arg(WATCHDOG)
            .arg(if scoped { SCOPED } else { "marked" })
            .arg(scratch)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Not in the terminal's group: it must not hear what ends us.
            .process_group(0);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take();
        Ok(Watchdog { child, pipe })
    }

    pub fn tell(&mut self, sign: char, leader: Pid) {
        if let Some(pipe) = &mut self.pipe {
            // If it is gone, there is nobody to tell.
            let _ = pipe.write_all(format!("{sign}{}\n", leader.as_raw_pid()).as_bytes());
        }
    }

    /// Lets it do its work now, and waits for it.
    pub fn end(mut self, longest: Duration) {
        self.pipe = None;
        let begun = Instant::now();
        while begun.elapsed() < longest {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(1)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The watchdog itself; `arguments` are those after [`WATCHDOG`].
pub fn watch(arguments: &[OsString]) -> ExitCode {
    let [how, scratch] = arguments else { return ExitCode::from(2) };
    let scratch = Path::new(scratch);
    // Whoever may signal the one that started it is not held, whatever it was told.
    let free = rustix::process::getppid().is_none_or(|parent| rustix::process::test_kill_process(parent).is_ok());
    let scoped = how == OsStr::new(SCOPED) && !free;
    for leader in survivors().into_iter().filter_map(Pid::from_raw) {
        kill_group(leader);
    }
    let mark = [b"TMPDIR=", scratch.as_os_str().as_encoded_bytes(), b"/"].concat();
    let is_one = |pid: Pid| match scoped {
        true => tree::is_unprivileged(pid) && rustix::process::test_kill_process(pid).is_ok(),
        false => tree::has_variable(pid, &mark),
    };
    let begun = Instant::now();
    loop {
        let found: Vec<Pid> = tree::all().into_iter().filter(|&pid| is_other(pid) && is_one(pid)).collect();
        let living: Vec<&Pid> = found.iter().filter(|pid| !tree::is_dead(**pid)).collect();
        for pid in &living {
            let _ = rustix::process::kill_process(**pid, Signal::KILL);
        }
        if living.is_empty() || begun.elapsed() > END {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    keeper::remove(scratch);
    ExitCode::SUCCESS
}

/// Reads until the pipe ends; the groups that live then.
fn survivors() -> BTreeSet<i32> {
    let mut groups = BTreeSet::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let Some((sign, number)) = line.split_at_checked(1) else { continue };
        let Ok(leader) = number.parse() else { continue };
        match sign {
            "+" => groups.insert(leader),
            _ => groups.remove(&leader),
        };
    }
    groups
}

fn is_other(pid: Pid) -> bool {
    pid != rustix::process::getpid() && !pid.is_init()
}
