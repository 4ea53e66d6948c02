//! Supervision of programs of others: each in a sandbox, with its whole process tree killed at the end.
//!
//! Each program is started by a thread of its own (its reaper), which enters the sandbox first, so that the program is
//! restricted from its first instruction on, without a helper program in between. The reaper counts the
//! program's processes and kills, at the end, those that have left its process group: this process is a "child
//! subreaper", so it becomes the parent of every orphan among its descendants. A watchdog process does the same
//! for all programs if this process is killed.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

/// A program that runs under a [`Supervisor`].
pub struct SupervisedProcess {
    /// The program, with its pipes until they are taken.
    pub child: Child,
    /// Dropped, it kills everything that the program has started.
    pub tree: TreeGuard,
    /// The guards in force: names out of [`GUARDS`](eval_spec::callable::GUARDS).
    pub enforced: Vec<&'static str>,
    /// How long it took the system to start it.
    pub start: Duration,
    /// When it began to run, which may be long before its caller hears of it.
    pub running_since: Instant,
}

#[cfg(target_os = "linux")]
pub use linux::{Supervisor, TreeGuard};
#[cfg(target_os = "linux")]
pub(crate) use linux::{SupervisorState, lock};
#[cfg(not(target_os = "linux"))]
pub use other::{Supervisor, TreeGuard};

/// How to start the watchdog: this program with arguments that lead to [`hidden`](crate::hidden).
#[derive(Clone, Debug)]
pub struct WatchdogCommand {
    /// The program.
    pub program: PathBuf,
    /// The arguments before the watchdog's own.
    pub arguments: Vec<std::ffi::OsString>,
}

impl WatchdogCommand {
    /// This very program.
    ///
    /// # Errors
    /// The system doesn't tell its path.
    pub fn this_program() -> std::io::Result<WatchdogCommand> {
        Ok(WatchdogCommand { program: std::env::current_exe()?, arguments: Vec::new() })
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, mpsc};
    use std::time::Duration;
    use std::{fs, io, thread};

    use rustix::process::Pid;
    use tokio::sync::oneshot;

    use crate::group::ProcessGroup;
    use crate::reaper::{StartRequest, home, start_and_reap};
    use crate::sandbox;
    use crate::watchdog::Watchdog;

    use super::{Command, SupervisedProcess, WatchdogCommand};
    use crate::guards::{FILE_METADATA, GuardUnavailable, ResourceLimits, TreeLimit};

    /// The variables that lead a program to its own data, and the folders below its home.
    const DATA_FOLDERS: [(&str, &str); 5] = [
        ("HOME", ""),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_STATE_HOME", ".local/state"),
    ];

    /// How long the end of a run waits for the processes it killed.
    const END: Duration = Duration::from_secs(5);

    /// Starts programs of others and kills what they leave behind.
    ///
    /// Dropped, it waits up to 5 s until no process of them is left.
    pub struct Supervisor {
        sandbox: bool,
        scratch: PathBuf,
        next: AtomicU64,
        requests: Option<mpsc::Sender<StartRequest>>,
        shared: Arc<SupervisorState>,
        watchdog: Result<(), String>,
        unavailable: Vec<(&'static str, GuardUnavailable)>,
    }

    /// What all reapers share.
    pub(crate) struct SupervisorState {
        pub(crate) watchdog: Mutex<Option<Watchdog>>,
        reapers: Mutex<usize>,
        all_gone: Condvar,
        limiter: Mutex<mpsc::Sender<LimitRequest>>,
    }

    /// A program that was just started, to be limited.
    struct LimitRequest {
        leader: Pid,
        limits: ResourceLimits,
        reply: mpsc::Sender<Vec<&'static str>>,
    }

    impl SupervisorState {
        /// Sets limits on a program, from a thread outside the sandbox; returns the names of those in force.
        pub(crate) fn limit(&self, leader: Pid, limits: ResourceLimits) -> Vec<&'static str> {
            let (reply, names) = mpsc::channel();
            let sent = lock(&self.limiter).send(LimitRequest { leader, limits, reply });
            sent.ok().and_then(|()| names.recv().ok()).unwrap_or_default()
        }
    }

    /// Sets limits as long as there are reapers, which can't: their sandbox forbids the limits of other processes.
    fn limit_all(inbox: &mpsc::Receiver<LimitRequest>) {
        while let Ok(LimitRequest { leader, limits, reply }) = inbox.recv() {
            // A reaper that doesn't wait any more has lost its program.
            let _ = reply.send(sandbox::limit(leader, &limits));
        }
    }

    /// A program's process tree: killed when this is dropped.
    pub struct TreeGuard {
        // Dropped in this order: the group at once, the rest by the reaper.
        _group: ProcessGroup,
        _reaper: mpsc::Sender<()>,
        over_limit: Arc<OnceLock<TreeLimit>>,
    }

    impl TreeGuard {
        pub(crate) fn new(
            group: ProcessGroup,
            reaper: mpsc::Sender<()>,
            over_limit: Arc<OnceLock<TreeLimit>>,
        ) -> TreeGuard {
            TreeGuard { _group: group, _reaper: reaper, over_limit }
        }

        /// The limit for which the program was killed.
        pub fn exceeded_limit(&self) -> Option<TreeLimit> {
            self.over_limit.get().copied()
        }
    }

    impl Supervisor {
        /// Starts supervision. Programs get folders below `scratch`, which must exist and belong to this process alone.
        /// Without `sandbox` programs are only watched and killed; without `watchdog` nothing kills them if this
        /// process is killed.
        ///
        /// # Errors
        /// No thread is to be had, or `scratch` is missing.
        pub fn start(scratch: PathBuf, sandbox: bool, watchdog: Option<WatchdogCommand>) -> io::Result<Supervisor> {
            // Orphans of programs become children of this process; without it the reapers would find none.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
            let unavailable = if sandbox { probe(&scratch)? } else { Vec::new() };
            let (limiter, limit_requests) = mpsc::channel();
            thread::Builder::new()
                .name("limits".to_owned())
                .stack_size(STACK)
                .spawn(move || limit_all(&limit_requests))?;
            let shared = Arc::new(SupervisorState {
                watchdog: Mutex::default(),
                reapers: Mutex::default(),
                all_gone: Condvar::new(),
                limiter: Mutex::new(limiter),
            });
            let (requests, inbox) = mpsc::channel::<StartRequest>();
            let (ready, started) = mpsc::channel();
            let (root, below) = (Arc::clone(&shared), scratch.clone());
            thread::Builder::new().name("skills".to_owned()).stack_size(STACK).spawn(move || {
                let scoped = sandbox && sandbox::scope();
                let watchdog = watchdog.map(|command| start_watchdog(&command, &below, scoped)).transpose();
                let started = watchdog.map(|watchdog| *lock(&root.watchdog) = watchdog);
                let _ = ready.send(started.map_err(|error| error.to_string()));
                serve(&inbox, &root);
            })?;
            let watchdog = started.recv().unwrap_or_else(|_| Err(String::new()));
            Ok(Supervisor {
                sandbox,
                scratch,
                next: AtomicU64::new(0),
                requests: Some(requests),
                shared,
                watchdog,
                unavailable,
            })
        }

        /// The guards that this system lacks, by name, and why; empty without a sandbox.
        pub fn unavailable_guards(&self) -> &[(&'static str, GuardUnavailable)] {
            &self.unavailable
        }

        /// Whether programs run in a sandbox.
        pub fn is_confined(&self) -> bool {
            self.sandbox
        }

        /// Why there is no watchdog, though one was to be started.
        ///
        /// # Errors
        /// The system's error.
        pub fn watchdog(&self) -> &Result<(), String> {
            &self.watchdog
        }

        /// Starts a program with a new empty folder as its `TMPDIR`, in a sandbox the only place where it may write but for
        /// `writable`, as far as that exists. In a sandbox, a program without `HOME` gets a new empty one that it may write,
        /// and the folders for its data in it. It can't use sockets that are files, unless it `may_use_sockets`.
        ///
        /// Must be called in the runtime that will read from the program.
        ///
        /// # Errors
        /// The folder can't be made, or the program can't be started.
        pub async fn spawn(
            &self,
            mut command: Command,
            limits: ResourceLimits,
            writable: &[PathBuf],
            may_use_sockets: bool,
        ) -> io::Result<SupervisedProcess> {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let scratch = self.scratch.join(number.to_string());
            fs::create_dir(&scratch)?;
            command.env("TMPDIR", &scratch);
            let mut writable = writable.to_vec();
            writable.push(scratch.clone());
            if self.sandbox && command.as_std().get_envs().all(|(name, _)| name != "HOME") {
                let home = home(&scratch);
                for (name, below) in DATA_FOLDERS {
                    let folder = home.join(below);
                    fs::create_dir_all(&folder)?;
                    command.env(name, &folder);
                }
                writable.push(home);
            }
            let (reply, started) = oneshot::channel();
            let request = StartRequest {
                command,
                runtime: tokio::runtime::Handle::current(),
                scratch,
                writable,
                may_use_sockets,
                limits: self.sandbox.then_some(limits),
                shared: Arc::clone(&self.shared),
                reply,
            };
            let gone = || io::Error::other("the thread that starts programs is gone");
            self.requests.as_ref().and_then(|requests| requests.send(request).ok()).ok_or_else(gone)?;
            started.await.map_err(|_| gone())?
        }
    }

    impl Drop for Supervisor {
        fn drop(&mut self) {
            self.requests = None;
            let reapers = lock(&self.shared.reapers);
            let _ = self.shared.all_gone.wait_timeout_while(reapers, END, |reapers| *reapers > 0);
            if let Some(watchdog) = lock(&self.shared.watchdog).take() {
                watchdog.end(END);
            }
        }
    }

    /// The programs' folders below `scratch` tell them from others.
    fn start_watchdog(command: &WatchdogCommand, scratch: &Path, scoped: bool) -> io::Result<Watchdog> {
        let mark = [b"TMPDIR=", scratch.as_os_str().as_encoded_bytes(), b"/"].concat();
        Watchdog::start(command, OsStr::from_bytes(&mark), Some(scratch), scoped)
    }

    const STACK: usize = 256 << 10;

    /// Gives each program its reaper. A thread inherits the restrictions of the one that starts it.
    fn serve(inbox: &mpsc::Receiver<StartRequest>, shared: &Arc<SupervisorState>) {
        while let Ok(request) = inbox.recv() {
            *lock(&shared.reapers) += 1;
            let exit = ReaperExit(Arc::clone(shared));
            let reap = move || {
                let _exit = exit;
                start_and_reap(request);
            };
            // Without a thread the request is dropped, which its sender sees.
            let _ = thread::Builder::new().name("skill".to_owned()).stack_size(STACK).spawn(reap);
        }
    }

    /// Counts a reaper out when it ends.
    struct ReaperExit(Arc<SupervisorState>);

    impl Drop for ReaperExit {
        fn drop(&mut self) {
            let mut reapers = lock(&self.0.reapers);
            *reapers -= 1;
            self.0.all_gone.notify_all();
        }
    }

    /// Enters the sandbox on a thread of its own to see which guards are missing.
    fn probe(scratch: &Path) -> io::Result<Vec<(&'static str, GuardUnavailable)>> {
        let scratch = [scratch.to_owned()];
        let status =
            thread::Builder::new().stack_size(STACK).spawn(move || sandbox::restrict(&scratch, None, false))?.join();
        let Ok(status) = status else { return Ok(Vec::new()) };
        let lacking = status.named().into_iter().filter_map(|(name, guard)| Some((name, guard.err()?)));
        Ok(lacking.chain([FILE_METADATA]).collect())
    }

    pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;
    use std::{fs, io};

    use crate::group::ProcessGroup;

    use super::{Command, SupervisedProcess, WatchdogCommand};
    use crate::guards::{GuardUnavailable, ONLY_LINUX, ResourceLimits, TreeLimit};

    /// The guards of this system.
    const ENFORCED: &[&str] = if cfg!(unix) { &["process-group"] } else { &[] };

    /// Starts programs of others in process groups, where the system has them; there are no other guards here.
    pub struct Supervisor {
        scratch: PathBuf,
        next: AtomicU64,
        unavailable: Vec<(&'static str, GuardUnavailable)>,
        watchdog: Result<(), String>,
    }

    /// A program's process group: killed when this is dropped.
    pub struct TreeGuard(#[expect(dead_code, reason = "dropping it kills the group")] ProcessGroup);

    impl TreeGuard {
        /// Never: nothing is counted here.
        pub fn exceeded_limit(&self) -> Option<TreeLimit> {
            None
        }
    }

    impl Supervisor {
        /// Starts supervision. Programs get folders below `scratch`.
        ///
        /// # Errors
        /// Never here.
        pub fn start(scratch: PathBuf, sandbox: bool, watchdog: Option<WatchdogCommand>) -> io::Result<Supervisor> {
            let guards = eval_spec::callable::GUARDS.iter().filter(|guard| sandbox && !ENFORCED.contains(guard));
            let unavailable = guards.map(|guard| (*guard, GuardUnavailable::NotLinux)).collect();
            let watchdog = watchdog.map_or(Ok(()), |_| Err(ONLY_LINUX.to_owned()));
            Ok(Supervisor { scratch, next: AtomicU64::new(0), unavailable, watchdog })
        }

        /// The guards that this system lacks, by name, and why; empty without a sandbox.
        pub fn unavailable_guards(&self) -> &[(&'static str, GuardUnavailable)] {
            &self.unavailable
        }

        /// Never: programs keep their user's home.
        pub fn is_confined(&self) -> bool {
            false
        }

        /// Why there is no watchdog, though one was to be started.
        ///
        /// # Errors
        /// The system isn't Linux.
        pub fn watchdog(&self) -> &Result<(), String> {
            &self.watchdog
        }

        /// Starts a program with a new empty folder as its `TMPDIR`.
        ///
        /// # Errors
        /// The folder can't be made, or the program can't be started.
        pub async fn spawn(
            &self,
            mut command: Command,
            _: ResourceLimits,
            _: &[PathBuf],
            _: bool,
        ) -> io::Result<SupervisedProcess> {
            let scratch = self.scratch.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
            fs::create_dir(&scratch)?;
            command.env("TMPDIR", &scratch);
            let started = Instant::now();
            let child = command.spawn()?;
            let tree = TreeGuard(ProcessGroup::of(&child));
            let running_since = Instant::now();
            let start = running_since - started;
            Ok(SupervisedProcess { child, tree, enforced: ENFORCED.to_vec(), start, running_since })
        }
    }
}
