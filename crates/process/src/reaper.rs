//! The thread that starts one program and kills and reaps its process tree at the end.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, WaitOptions};
use tokio::process::Command;
use tokio::sync::oneshot;

use crate::group::{ProcessGroup, kill_group};
use crate::guards::{FILE_SOCKETS, REFUSING, ResourceLimits, TreeLimit};
use crate::scratch_size::ScratchSize;
use crate::supervisor::{SupervisedProcess, SupervisorState, TreeGuard, lock};
use crate::{proc_tree, sandbox};

/// How often the processes of a program are counted.
const COUNT_EVERY: Duration = Duration::from_millis(50);

/// Of how many processes the open files are read.
const MOST_READ: usize = 1000;

/// How long killed processes may take to end.
const END: Duration = Duration::from_secs(3);

/// One program to start.
pub(super) struct StartRequest {
    pub(super) command: Command,
    /// The runtime that its pipes belong to.
    pub(super) runtime: tokio::runtime::Handle,
    /// Its folder, whose contents are removed in the end.
    pub(super) scratch: PathBuf,
    /// Where it may write: its folders, and what it was given besides.
    pub(super) writable: Vec<PathBuf>,
    /// Whether it may use sockets that are files.
    pub(super) may_use_sockets: bool,
    /// Its limits in the sandbox; `None` without a sandbox.
    pub(super) limits: Option<ResourceLimits>,
    pub(super) shared: Arc<SupervisorState>,
    pub(super) reply: oneshot::Sender<io::Result<SupervisedProcess>>,
}

/// Starts the program, counts its processes, and kills all of them once its [`TreeGuard`] is dropped.
pub(super) fn start_and_reap(request: StartRequest) {
    let StartRequest { mut command, runtime, scratch, writable, may_use_sockets, limits, shared, reply } = request;
    let sandbox = limits.map(|_| sandbox::restrict(&writable, None, may_use_sockets));
    let started = Instant::now();
    let spawned = {
        let _runtime = runtime.enter();
        command.spawn()
    };
    let running_since = Instant::now();
    let start = running_since - started;
    let child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = reply.send(Err(error));
            return;
        }
    };
    let Some(leader) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else { return };
    notify_watchdog(&shared, '+', leader);
    let mut enforced = vec!["process-group"];
    if let (Some(limits), Some(sandbox)) = (&limits, &sandbox) {
        enforced.extend(sandbox.no_new_privileges.is_ok().then_some("no-new-privileges"));
        enforced.extend(shared.limit(leader, *limits));
        enforced.extend(limits.processes.map(|_| "processes"));
        enforced.extend(limits.scratch_bytes.map(|_| "scratch-size"));
        enforced.extend(sandbox.write.is_ok().then_some("landlock-write"));
        enforced.extend(sandbox.scope.is_ok().then_some("landlock-scope"));
        enforced.extend(REFUSING.iter().filter(|_| sandbox.refused.is_ok()));
        enforced.extend(sandbox.sockets.as_ref().is_some_and(Result::is_ok).then_some(FILE_SOCKETS));
    }
    let tree = Tree { leader, marks: marks(&scratch), scoped: sandbox.is_some_and(|sandbox| sandbox.scope.is_ok()) };
    let over_limit = Arc::new(OnceLock::new());
    let (handle, guard) = mpsc::channel();
    let guarded = TreeGuard::new(ProcessGroup::of(&child), handle, Arc::clone(&over_limit));
    // If the receiver is gone, the guard is dropped here, and the tree ends below.
    let _ = reply.send(Ok(SupervisedProcess { child, tree: guarded, enforced, start, running_since }));
    let most = limits.and_then(|limits| limits.processes).and_then(|most| usize::try_from(most).ok());
    let own_folders = [scratch.clone(), home(&scratch)];
    let mut size = limits.and_then(|limits| limits.scratch_bytes).map(|most| ScratchSize::new(&own_folders, most));
    while guard.recv_timeout(COUNT_EVERY) == Err(RecvTimeoutError::Timeout) {
        let too_many = most.is_some_and(|most| tree.is_larger_than(most)).then_some(TreeLimit::Processes);
        let mut too_much = || {
            let is_exceeded = size.as_mut().is_some_and(|size| size.is_exceeded(|| tree.processes(MOST_READ)));
            is_exceeded.then_some(TreeLimit::ScratchSize)
        };
        if let Some(limit) = too_many.or_else(&mut too_much) {
            over_limit.get_or_init(|| limit);
            tree.end();
            // Whatever is left is removed in the end.
            size = None;
        }
    }
    tree.end();
    notify_watchdog(&shared, '-', leader);
    empty(&scratch);
    empty(&home(&scratch));
}

/// The home directory of a program, beside its folder.
pub(super) fn home(scratch: &std::path::Path) -> PathBuf {
    scratch.with_extension("home")
}

/// Everything that one program has started.
struct Tree {
    leader: Pid,
    /// A variable in the environment of its processes, which tells them from others: the folder, or one in it.
    marks: [Vec<u8>; 2],
    /// Whether this thread can signal nothing but them.
    scoped: bool,
}

impl Tree {
    fn is_larger_than(&self, most: usize) -> bool {
        self.processes(most + 1).len() > most
    }

    /// Its processes, about `most`.
    fn processes(&self, most: usize) -> Vec<Pid> {
        let mut roots = self.orphans();
        roots.push(self.leader);
        proc_tree::descendants(roots, most)
    }

    /// Its processes that have lost their parent: they are children of this process now, which must reap them.
    fn orphans(&self) -> Vec<Pid> {
        let children = proc_tree::children(rustix::process::getpid());
        children.into_iter().filter(|&pid| pid != self.leader && self.has(pid)).collect()
    }

    /// Whether a process is one of them. With scoped signals the kernel tells, whatever a process did to hide: this
    /// thread may signal only processes that it has started. Otherwise the environment tells.
    fn has(&self, pid: Pid) -> bool {
        match self.scoped {
            true => proc_tree::is_unprivileged(pid) && rustix::process::test_kill_process(pid).is_ok(),
            // A process that has ended has no environment any more, but still its group.
            false => {
                rustix::process::getpgid(Some(pid)).is_ok_and(|group| group == self.leader)
                    || self.marks.iter().any(|mark| proc_tree::has_variable(pid, mark))
            }
        }
    }

    /// Kills all of them, and reaps the orphans.
    fn end(&self) {
        kill_group(self.leader);
        let begun = Instant::now();
        let mut pause = Duration::from_micros(50);
        let mut killed: Vec<Pid> = Vec::new();
        // Each has the leader or an orphan above it, and becomes an orphan when that is dead.
        loop {
            // Checked first: the leader's children are orphans only from its death on.
            let leader_is_dead = proc_tree::is_dead(self.leader);
            let orphans = self.orphans();
            for &orphan in orphans.iter().filter(|orphan| !proc_tree::is_dead(**orphan)) {
                let _ = rustix::process::kill_process(orphan, Signal::KILL);
            }
            killed.extend(&orphans);
            killed.retain(|&orphan| matches!(rustix::process::waitpid(Some(orphan), WaitOptions::NOHANG), Ok(None)));
            if (leader_is_dead && killed.is_empty() && orphans.is_empty()) || begun.elapsed() > END {
                return;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(5));
        }
    }
}

fn marks(scratch: &std::path::Path) -> [Vec<u8>; 2] {
    [b"\0", b"/"].map(|end| [b"TMPDIR=", scratch.as_os_str().as_encoded_bytes(), end].concat())
}

/// Reports to the watchdog that a group lives (`+`) or has ended (`-`).
fn notify_watchdog(shared: &SupervisorState, sign: char, leader: Pid) {
    if let Some(watchdog) = lock(&shared.watchdog).as_mut() {
        watchdog.notify(sign, leader);
    }
}

/// Removes the contents of the folder; what can't be removed stays until the run's folder is removed.
fn empty(scratch: &std::path::Path) {
    let Ok(entries) = fs::read_dir(scratch) else { return };
    for entry in entries.flatten() {
        remove(&entry.path());
    }
}

/// Removes a file, or a directory with its contents, also without permission to read it.
pub(super) fn remove(path: &std::path::Path) {
    let is_directory = || path.symlink_metadata().is_ok_and(|of| of.is_dir());
    if !is_directory() {
        // It may be gone already.
        let _ = fs::remove_file(path);
    } else if fs::remove_dir_all(path).is_err() && is_directory() {
        open_up(path);
        let _ = fs::remove_dir_all(path);
    }
}

/// Lets the owner into a directory and all below it. A link is never followed.
fn open_up(directory: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        open_up(&entry.path());
    }
}
