//! A helper process that outlives the main process by a moment and kills the programs that it leaves behind.
//!
//! It reads from a pipe which groups live (`+LEADER`, `-LEADER`, a line each; `.` announces an orderly end). The pipe
//! ends when the main process does, however it ends. Then the watchdog kills the groups that live with all below them, and
//! the processes that have left them: where signals are scoped, it runs in the scope of the programs' common parent, and
//! may signal only them; elsewhere a variable in their environment tells them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::group::kill_group;
use crate::supervisor::WatchdogCommand;
use crate::{proc_tree, reaper};

/// The argument that leads to it.
const ARGUMENT: &str = "__watchdog";

const SCOPED: &str = "scoped";

/// How many processes below the groups are followed: a fork bomb grows while it is read.
const MOST: usize = 10_000;

/// How long killed processes may take to end.
const END: Duration = Duration::from_secs(3);

/// The main process's end of it.
pub(crate) struct Watchdog {
    child: Child,
    pipe: Option<ChildStdin>,
}

impl Watchdog {
    /// Starts it from this thread, whose restrictions it inherits. `mark`: how a variable of the programs begins
    /// (`NAME=value…`); `scratch`: what it removes in the end; `scoped`: whether this thread's restrictions scope signals.
    pub(crate) fn start(
        watchdog: &WatchdogCommand,
        mark: &OsStr,
        scratch: Option<&Path>,
        scoped: bool,
    ) -> io::Result<Watchdog> {
        let mut command = Command::new(&watchdog.program);
        command
            .args(&watchdog.arguments)
            .arg(ARGUMENT)
            .arg(if scoped { SCOPED } else { "marked" })
            .arg(mark)
            .args(scratch)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Not in the terminal's group: an interrupt for the main process must not end it.
            .process_group(0);
        let mut child = command.spawn()?;
        let pipe = child.stdin.take();
        Ok(Watchdog { child, pipe })
    }

    /// Reports a group that lives (`+`) or has ended (`-`).
    pub(crate) fn notify(&mut self, sign: char, leader: Pid) {
        if let Some(pipe) = &mut self.pipe {
            // A broken pipe means that the watchdog is gone.
            let _ = pipe.write_all(format!("{sign}{}\n", leader.as_raw_pid()).as_bytes());
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Closes the pipe, and waits until the watchdog has killed what is left.
    pub(crate) fn end(mut self, longest: Duration) {
        if let Some(mut pipe) = self.pipe.take() {
            let _ = pipe.write_all(b".\n");
        }
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

/// How long the table of processes must stay empty of them after an end that came at any instant: a program that is just
/// being started has no environment of its own yet.
const QUIET: Duration = Duration::from_millis(20);

/// Runs the watchdog if the arguments of this process, its own name first, are those of one.
pub(crate) fn hidden(arguments: &[OsString]) -> Option<ExitCode> {
    (arguments.get(1)? == ARGUMENT).then(|| run(&arguments[2..]))
}

/// The watchdog itself; `arguments` are those after [`ARGUMENT`].
fn run(arguments: &[OsString]) -> ExitCode {
    let [how, mark, scratch @ ..] = arguments else { return ExitCode::from(2) };
    // Whoever ends the main process by its name must not end this one with it.
    let _ = rustix::thread::set_name(c"watchdog");
    // If it can signal its parent, the scope is not in force.
    let free = rustix::process::getppid().is_none_or(|parent| rustix::process::test_kill_process(parent).is_ok());
    let scoped = how == OsStr::new(SCOPED) && !free;
    let Survivors { groups, orderly } = survivors();
    let leaders: Vec<Pid> = groups.into_iter().filter_map(Pid::from_raw).collect();
    // What is below them is found before they are gone.
    let below = proc_tree::descendants(leaders.clone(), MOST);
    leaders.into_iter().for_each(kill_group);
    for pid in below.into_iter().filter(|&pid| is_other(pid)) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
    let mark = mark.as_encoded_bytes();
    let is_one = |pid: Pid| match scoped {
        true => proc_tree::is_unprivileged(pid) && rustix::process::test_kill_process(pid).is_ok(),
        false => proc_tree::has_variable(pid, mark),
    };
    let begun = Instant::now();
    let mut quiet = begun;
    loop {
        let found: Vec<Pid> = proc_tree::all().into_iter().filter(|&pid| is_other(pid) && is_one(pid)).collect();
        let living: Vec<&Pid> = found.iter().filter(|pid| !proc_tree::is_dead(**pid)).collect();
        for pid in &living {
            let _ = rustix::process::kill_process(**pid, Signal::KILL);
            quiet = Instant::now();
        }
        if (living.is_empty() && (orderly || quiet.elapsed() > QUIET)) || begun.elapsed() > END {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    scratch.iter().for_each(|scratch| reaper::remove(Path::new(scratch)));
    ExitCode::SUCCESS
}

/// What the pipe told until it ended.
#[derive(Default)]
struct Survivors {
    /// The groups that live.
    groups: BTreeSet<i32>,
    /// Whether the main process starts nothing any more.
    orderly: bool,
}

fn survivors() -> Survivors {
    let mut survivors = Survivors::default();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        survivors.orderly |= line == ".";
        let Some((sign, number)) = line.split_at_checked(1) else { continue };
        let Ok(leader) = number.parse() else { continue };
        match sign {
            "+" => survivors.groups.insert(leader),
            _ => survivors.groups.remove(&leader),
        };
    }
    survivors
}

fn is_other(pid: Pid) -> bool {
    pid != rustix::process::getpid() && !pid.is_init()
}
