//! The thread that starts one program and stays with it until nothing of it is left.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use rustix::process::{Pid, Signal, WaitOptions};
use tokio::process::Command;
use tokio::sync::oneshot;

use super::confinement::{Kept, Shared, lock};
use super::{Group, Limits, Started, hold, kill_group, tree};

/// How often the processes of a program are counted.
const COUNT_EVERY: Duration = Duration::from_millis(50);

/// How long what was killed may take to end.
const END: Duration = Duration::from_secs(3);

/// One program to start.
pub(super) struct Order {
    pub(super) command: Command,
    /// The runtime that its pipes belong to.
    pub(super) runtime: tokio::runtime::Handle,
    /// Its folder.
    pub(super) scratch: PathBuf,
    /// How it is held; `None`: not at all.
    pub(super) confine: Option<Limits>,
    pub(super) shared: Arc<Shared>,
    pub(super) reply: oneshot::Sender<io::Result<Started>>,
}

/// Starts the program, counts its processes, and kills all of them once nobody wants it any more.
pub(super) fn keep(order: Order) {
    let Order { mut command, runtime, scratch, confine, shared, reply } = order;
    let hold = confine.map(|_| hold::restrict(&scratch));
    let started = Instant::now();
    let spawned = {
        let _runtime = runtime.enter();
        command.spawn()
    };
    let start = started.elapsed();
    let child = match spawned {
        Ok(child) => child,
        Err(error) => {
            let _ = reply.send(Err(error));
            return;
        }
    };
    let Some(leader) = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw) else { return };
    tell(&shared, '+', leader);
    let mut enforced = vec!["process-group"];
    if let (Some(limits), Some(hold)) = (&confine, &hold) {
        enforced.extend(hold.no_new_privileges.is_ok().then_some("no-new-privileges"));
        enforced.extend(shared.limit(leader, *limits));
        enforced.extend(limits.processes.map(|_| "processes"));
        enforced.extend(hold.write.is_ok().then_some("landlock-write"));
        enforced.extend(hold.scope.is_ok().then_some("landlock-scope"));
        enforced.extend(hold.foreign_limits.is_ok().then_some("foreign-limits"));
    }
    let tree = Tree { leader, mark: mark(&scratch), scoped: hold.is_some_and(|hold| hold.scope.is_ok()) };
    let crowded = Arc::new(AtomicBool::new(false));
    let (handle, wanted) = mpsc::channel();
    let kept = Kept::new(Group::of(&child), handle, Arc::clone(&crowded));
    // If nobody waits for it any more, it is dropped here, and ends below.
    let _ = reply.send(Ok(Started { child, kept, enforced, start }));
    let most = confine.and_then(|limits| limits.processes).and_then(|most| usize::try_from(most).ok());
    while wanted.recv_timeout(COUNT_EVERY) == Err(RecvTimeoutError::Timeout) {
        if most.is_some_and(|most| tree.is_larger_than(most)) {
            crowded.store(true, Ordering::Relaxed);
            tree.end();
        }
    }
    tree.end();
    tell(&shared, '-', leader);
    empty(&scratch);
}

/// Everything that one program has started.
struct Tree {
    leader: Pid,
    /// How the environment of its processes says whose they are.
    mark: Vec<u8>,
    /// Whether this thread can signal nothing but them.
    scoped: bool,
}

impl Tree {
    fn is_larger_than(&self, most: usize) -> bool {
        let mut roots = self.orphans();
        roots.push(self.leader);
        tree::descendants(roots, most + 1).len() > most
    }

    /// Its processes that have lost their parent: they are our children now, and nobody else waits for them.
    fn orphans(&self) -> Vec<Pid> {
        let ours = tree::children(rustix::process::getpid());
        ours.into_iter().filter(|&pid| pid != self.leader && self.has(pid)).collect()
    }

    /// Whether it is one of them. The kernel knows when signals are scoped, whatever a process did to hide: this
    /// thread may signal what it has started, and nothing else. Otherwise the environment tells.
    fn has(&self, pid: Pid) -> bool {
        match self.scoped {
            true => tree::is_unprivileged(pid) && rustix::process::test_kill_process(pid).is_ok(),
            // One that has ended has no environment any more, but still its group.
            false => {
                rustix::process::getpgid(Some(pid)).is_ok_and(|group| group == self.leader)
                    || tree::has_variable(pid, &self.mark)
            }
        }
    }

    /// Kills all of them, and waits for those that have nobody else to.
    fn end(&self) {
        kill_group(self.leader);
        let begun = Instant::now();
        let mut pause = Duration::from_micros(50);
        let mut killed: Vec<Pid> = Vec::new();
        // Every one has the leader or an orphan above it, and becomes an orphan when that is dead.
        loop {
            // Looked at first: whom it leaves behind is an orphan from the moment of its death on, and not before.
            let leader_is_dead = tree::is_dead(self.leader);
            let orphans = self.orphans();
            for &orphan in orphans.iter().filter(|orphan| !tree::is_dead(**orphan)) {
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

fn mark(scratch: &std::path::Path) -> Vec<u8> {
    [b"TMPDIR=", scratch.as_os_str().as_encoded_bytes()].concat()
}

/// Tells the watchdog of a group that lives or has ended.
fn tell(shared: &Shared, sign: char, leader: Pid) {
    if let Some(watchdog) = lock(&shared.watchdog).as_mut() {
        watchdog.tell(sign, leader);
    }
}

/// Takes everything out of the folder; what can't be taken out goes, or stays, with the run's folder.
fn empty(scratch: &std::path::Path) {
    let Ok(entries) = fs::read_dir(scratch) else { return };
    for entry in entries.flatten() {
        remove(&entry.path());
    }
}

/// Removes a file, or a directory with all that is in it, also if its owner may not look into it.
pub(super) fn remove(path: &std::path::Path) {
    let is_directory = || path.symlink_metadata().is_ok_and(|of| of.is_dir());
    if !is_directory() {
        // If it is gone already, all is well.
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
