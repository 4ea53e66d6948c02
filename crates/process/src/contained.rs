//! What a trusted program leaves behind ends with it, and everything ends with this process.
//!
//! Programs run unrestricted, so the kernel doesn't tell whose a process is, as it does in the sandbox. Each program gets
//! a variable of its own instead, which its descendants inherit. This process is a "child subreaper": it becomes the parent
//! of what a program leaves behind, finds it by that variable, and kills it with all below it. A watchdog process does
//! the same if this process is killed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Pid, Signal, WaitOptions};
use tokio::process::{Child, Command};

use crate::proc_tree;
use crate::supervisor::{WatchdogCommand, lock};
use crate::watchdog::Watchdog;

/// The variable that tells the processes of one program from others.
const VARIABLE: &str = "OMK_PROCESS";

/// How long killed processes may take to end.
const END: Duration = Duration::from_secs(3);

/// How many processes of one program are followed: a fork bomb grows while it is read.
const MOST: usize = 10_000;

/// For how long a child that has ended may stay unwaited for before it is taken for an orphan: whoever started a child
/// waits for it at once.
const UNWAITED: Duration = Duration::from_secs(2);

static CONTAINMENT: OnceLock<ContainmentState> = OnceLock::new();

struct ContainmentState {
    /// What the variable begins with in every program of this process.
    run: String,
    next: AtomicU64,
    command: WatchdogCommand,
    watchdog: Mutex<WatchdogState>,
    /// The programs that run.
    leaders: Mutex<BTreeSet<i32>>,
    /// Whether this process had children before: what becomes its child later may be theirs.
    had_children: bool,
    /// When children that nobody has waited for were first seen ended.
    ended: Mutex<BTreeMap<i32, Instant>>,
}

enum WatchdogState {
    /// No program was started yet.
    Idle,
    Started(Watchdog),
    /// It could not be started, or the end has come.
    None,
}

/// See [`contain`](crate::contain()).
pub(crate) fn begin(command: WatchdogCommand) {
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    CONTAINMENT.get_or_init(|| ContainmentState {
        run: format!("{}-{}", std::process::id(), now.as_nanos()),
        next: AtomicU64::new(0),
        command,
        watchdog: Mutex::new(WatchdogState::Idle),
        leaders: Mutex::default(),
        had_children: !proc_tree::children(rustix::process::getpid()).is_empty(),
        ended: Mutex::default(),
    });
}

/// How this process starts itself; `None` unless it [contains](crate::contain()) its programs.
pub(crate) fn helper() -> Option<&'static WatchdogCommand> {
    CONTAINMENT.get().map(|state| &state.command)
}

/// Waits until the watchdog has ended what is left.
pub(crate) fn finish() {
    let Some(state) = CONTAINMENT.get() else { return };
    let watchdog = std::mem::replace(&mut *lock(&state.watchdog), WatchdogState::None);
    if let WatchdogState::Started(watchdog) = watchdog {
        state.end_orphans(&watchdog);
        watchdog.end(END + END);
    }
}

impl ContainmentState {
    fn start_watchdog(&self) {
        let mut watchdog = lock(&self.watchdog);
        if let WatchdogState::Idle = *watchdog {
            let mark = format!("{VARIABLE}={}.", self.run);
            let started = Watchdog::start(&self.command, mark.as_ref(), None, false);
            *watchdog = started.map_or(WatchdogState::None, WatchdogState::Started);
        }
    }

    fn notify_watchdog(&self, sign: char, leader: Pid) {
        if let WatchdogState::Started(watchdog) = &mut *lock(&self.watchdog) {
            watchdog.notify(sign, leader);
        }
    }

    /// Kills what programs have left that emptied its environment: at the end, every child that isn't the watchdog is such
    /// an orphan.
    fn end_orphans(&self, watchdog: &Watchdog) {
        let is_orphan = |pid: &Pid| u32::try_from(pid.as_raw_pid()) != Ok(watchdog.pid()) && !proc_tree::is_dead(*pid);
        let begun = Instant::now();
        while !self.had_children && begun.elapsed() < END {
            let orphans: Vec<Pid> = self.strangers().into_iter().filter(is_orphan).collect();
            if orphans.is_empty() {
                break;
            }
            for pid in proc_tree::descendants(orphans, MOST) {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Children of this process that are programs of nobody here: orphans of some program, or started elsewhere.
    fn strangers(&self) -> Vec<Pid> {
        let children = proc_tree::children(rustix::process::getpid());
        let leaders = lock(&self.leaders);
        children.into_iter().filter(|child| !leaders.contains(&child.as_raw_pid())).collect()
    }

    /// Reaps what has ended and has nobody left to wait for it: a long run would fill the system's table of processes.
    fn reap(&self, strangers: &[Pid]) {
        let mut ended = lock(&self.ended);
        ended.retain(|pid, _| strangers.iter().any(|stranger| stranger.as_raw_pid() == *pid));
        for &stranger in strangers.iter().filter(|stranger| proc_tree::is_dead(**stranger)) {
            let since = *ended.entry(stranger.as_raw_pid()).or_insert_with(Instant::now);
            if since.elapsed() > UNWAITED {
                let _ = rustix::process::waitpid(Some(stranger), WaitOptions::NOHANG);
            }
        }
    }
}

/// Everything that one program has started, killed when this is dropped.
pub(crate) struct ContainedTree(Option<TreeSearch>);

/// What finds the processes of one program.
struct TreeSearch {
    state: &'static ContainmentState,
    leader: Pid,
    /// The variable of its processes.
    mark: Vec<u8>,
    /// Whether the leader was waited for: its number may belong to another process.
    exited: bool,
    /// What was killed and has not ended yet.
    killed: BTreeSet<i32>,
}

/// The variable of a program that is about to be started.
pub(crate) struct ProgramMark {
    state: &'static ContainmentState,
    mark: Vec<u8>,
}

/// Marks the command if this process contains its programs.
pub(crate) fn mark(command: &mut Command) -> Option<ProgramMark> {
    let state = CONTAINMENT.get()?;
    // Before the program is there: this process may be killed at any instant.
    state.start_watchdog();
    let value = format!("{}.{}", state.run, state.next.fetch_add(1, Ordering::Relaxed));
    command.env(VARIABLE, &value);
    Some(ProgramMark { state, mark: format!("{VARIABLE}={value}\0").into_bytes() })
}

impl ProgramMark {
    /// The tree of the program that was started with it.
    pub(crate) fn tree(self, child: &Child) -> Option<ContainedTree> {
        let ProgramMark { state, mark } = self;
        let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw)?;
        lock(&state.leaders).insert(leader.as_raw_pid());
        state.notify_watchdog('+', leader);
        Some(ContainedTree(Some(TreeSearch { state, leader, mark, exited: false, killed: BTreeSet::new() })))
    }
}

impl ContainedTree {
    /// Kills what is found before its parents are gone. `exited`: whether the program was waited for.
    pub(crate) fn kill(&mut self, exited: bool) {
        if let Some(search) = &mut self.0 {
            search.exited = exited;
            search.sweep();
        }
    }

    /// Kills what is found now; true when nothing is left.
    pub(crate) fn sweep(&mut self) -> bool {
        let is_over = self.0.as_mut().is_none_or(TreeSearch::sweep);
        if is_over {
            self.0 = None;
        }
        is_over
    }

    /// Kills all of it, however long that takes within reason.
    pub(crate) fn finish(mut self) {
        if let Some(search) = self.0.take() {
            search.finish();
        }
    }
}

impl Drop for ContainedTree {
    fn drop(&mut self) {
        if let Some(mut search) = self.0.take() {
            search.sweep();
            // Without a thread the watchdog does the rest, later.
            let _ = thread::Builder::new().name("end".to_owned()).spawn(move || search.finish());
        }
    }
}

impl TreeSearch {
    /// Kills what is found now, and reaps what has ended; true when nothing was left.
    fn sweep(&mut self) -> bool {
        // Checked first: the leader's children are orphans only from its death on.
        let leader_is_dead = self.exited || proc_tree::is_dead(self.leader);
        let strangers = self.state.strangers();
        self.state.reap(&strangers);
        let mut roots: Vec<Pid> = strangers.into_iter().filter(|&pid| self.has(pid)).collect();
        roots.extend((!leader_is_dead).then_some(self.leader));
        let living = proc_tree::descendants(roots, MOST).into_iter().filter(|pid| !proc_tree::is_dead(*pid));
        for pid in living {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            if pid != self.leader {
                self.killed.insert(pid.as_raw_pid());
            }
        }
        // Some become children of this process only when their parent has ended.
        self.killed.retain(|&pid| {
            Pid::from_raw(pid).is_some_and(|pid| match rustix::process::waitpid(Some(pid), WaitOptions::NOHANG) {
                Ok(None) => true,
                Ok(Some(_)) => false,
                Err(_) => proc_tree::exists(pid),
            })
        });
        leader_is_dead && self.killed.is_empty()
    }

    fn has(&self, pid: Pid) -> bool {
        // A process that has ended has no environment any more, but still its group.
        rustix::process::getpgid(Some(pid)).is_ok_and(|group| group == self.leader && pid != self.leader)
            || proc_tree::has_variable(pid, &self.mark)
    }

    fn finish(mut self) {
        let begun = Instant::now();
        let mut pause = Duration::from_micros(50);
        while !self.sweep() && begun.elapsed() < END {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

impl Drop for TreeSearch {
    fn drop(&mut self) {
        lock(&self.state.leaders).remove(&self.leader.as_raw_pid());
        self.state.notify_watchdog('-', self.leader);
    }
}
