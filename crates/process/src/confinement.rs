//! The place in which somebody else's programs run.
//!
//! Each program is started by a thread of its own (its keeper), which is restricted first, so that the program is
//! restricted from its first instruction on, without a program of ours in between. The keeper counts what the
//! program starts and kills, when it is over, what has left the program's process group: as a "child
//! subreaper" we become the parent of every orphan among our descendants. A watchdog process does the same
//! for all of them if we vanish.

use std::path::PathBuf;
use std::time::Duration;

use tokio::process::{Child, Command};

/// What a program may use up; `None` is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// CPU time of one process.
    pub cpu_seconds: Option<u64>,
    /// Address space of one process.
    pub memory_bytes: Option<u64>,
    /// The largest file that may be written.
    pub file_bytes: Option<u64>,
    /// Processes at once, of one program.
    pub processes: Option<u64>,
}

/// Why something can't be held.
#[derive(Clone, Debug, PartialEq)]
pub enum Lack {
    /// The system isn't Linux.
    #[cfg_attr(target_os = "linux", expect(dead_code, reason = "elsewhere"))]
    NotLinux,
    /// The kernel has no Landlock.
    NotImplemented,
    /// The kernel has it, but it wasn't switched on.
    NotEnabled,
    /// The kernel's Landlock can't hold this yet.
    TooOld { version: u32, needed: u32 },
    /// The kernel said no.
    Refused(String),
}

/// A program that runs.
pub struct Started {
    pub child: Child,
    /// What keeps it; dropped, it kills everything that the program has started.
    pub kept: Kept,
    /// What holds it: names out of [`eval_spec::callable::GUARDS`].
    pub enforced: Vec<&'static str>,
    /// How long it took the system to start it.
    pub start: Duration,
}

#[cfg(target_os = "linux")]
pub use linux::{Confinement, Kept};
#[cfg(target_os = "linux")]
pub(crate) use linux::{Shared, lock};
#[cfg(not(target_os = "linux"))]
pub use other::{Confinement, Kept};

/// How to start the watchdog: our own program with arguments that lead to [`super::watch`].
#[derive(Clone, Debug)]
pub struct Watch {
    pub program: PathBuf,
    pub arguments: Vec<std::ffi::OsString>,
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
    use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
    use std::time::Duration;
    use std::{fs, io, thread};

    use rustix::process::Pid;
    use tokio::sync::oneshot;

    use crate::Group;
    use crate::hold::{self, Hold};
    use crate::keeper::{Order, keep};
    use crate::watchdog::Watchdog;

    use super::{Command, Lack, Limits, Started, Watch};

    /// How long the end of a run waits for what it killed.
    const END: Duration = Duration::from_secs(5);

    /// See the module.
    pub struct Confinement {
        sandbox: bool,
        scratch: PathBuf,
        next: AtomicU64,
        orders: Option<mpsc::Sender<Order>>,
        shared: Arc<Shared>,
        watchdog: Result<(), String>,
        lacks: Vec<(&'static str, Lack)>,
    }

    /// What all keepers know.
    pub struct Shared {
        pub watchdog: Mutex<Option<Watchdog>>,
        keepers: Mutex<usize>,
        all_gone: Condvar,
        to_limit: Mutex<mpsc::Sender<ToLimit>>,
    }

    /// A program that was just started, and who waits until it is limited.
    struct ToLimit {
        leader: Pid,
        limits: Limits,
        reply: mpsc::Sender<Vec<&'static str>>,
    }

    impl Shared {
        /// Sets limits on a program, from a thread that may; the names of those that hold.
        pub fn limit(&self, leader: Pid, limits: Limits) -> Vec<&'static str> {
            let (reply, names) = mpsc::channel();
            let asked = lock(&self.to_limit).send(ToLimit { leader, limits, reply });
            asked.ok().and_then(|()| names.recv().ok()).unwrap_or_default()
        }
    }

    /// Limits programs as long as there are keepers. Not restricted itself: they may not set anybody's limits.
    fn limit_all(inbox: &mpsc::Receiver<ToLimit>) {
        while let Ok(ToLimit { leader, limits, reply }) = inbox.recv() {
            // If it doesn't wait any more, its program is gone.
            let _ = reply.send(hold::limit(leader, &limits));
        }
    }

    /// A keeper's handle: dropped, it has the whole tree killed.
    pub struct Kept {
        // Dropped in this order: the group at once, the rest by the keeper.
        _group: Group,
        _keeper: mpsc::Sender<()>,
        crowded: Arc<AtomicBool>,
    }

    impl Kept {
        pub fn new(group: Group, keeper: mpsc::Sender<()>, crowded: Arc<AtomicBool>) -> Kept {
            Kept { _group: group, _keeper: keeper, crowded }
        }

        /// Whether it was killed for having more processes than it may.
        pub fn was_crowded(&self) -> bool {
            self.crowded.load(Ordering::Relaxed)
        }
    }

    impl Confinement {
        /// Begins. Programs get folders below `scratch`, which must be there and ours alone.
        pub fn begin(scratch: PathBuf, sandbox: bool, watch: Option<Watch>) -> io::Result<Confinement> {
            // Orphans of programs become our children; without it the keepers would find none.
            let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
            let lacks = if sandbox { probe(&scratch)? } else { Vec::new() };
            let (to_limit, limited) = mpsc::channel();
            thread::Builder::new().name("limits".to_owned()).stack_size(STACK).spawn(move || limit_all(&limited))?;
            let shared = Arc::new(Shared {
                watchdog: Mutex::default(),
                keepers: Mutex::default(),
                all_gone: Condvar::new(),
                to_limit: Mutex::new(to_limit),
            });
            let (orders, inbox) = mpsc::channel::<Order>();
            let (ready, started) = mpsc::channel();
            let (root, below) = (Arc::clone(&shared), scratch.clone());
            thread::Builder::new().name("skills".to_owned()).stack_size(STACK).spawn(move || {
                let scoped = sandbox && hold::scope();
                let watchdog = watch.map(|watch| Watchdog::start(&watch, &below, scoped)).transpose();
                let told = watchdog.map(|watchdog| *lock(&root.watchdog) = watchdog);
                let _ = ready.send(told.map_err(|error| error.to_string()));
                serve(&inbox, &root);
            })?;
            let watchdog = started.recv().unwrap_or_else(|_| Err(String::new()));
            Ok(Confinement { sandbox, scratch, next: AtomicU64::new(0), orders: Some(orders), shared, watchdog, lacks })
        }

        /// What can't be held here, by name, and why.
        pub fn lacks(&self) -> &[(&'static str, Lack)] {
            &self.lacks
        }

        /// Why nobody watches over the programs if we are killed.
        pub fn watchdog(&self) -> &Result<(), String> {
            &self.watchdog
        }

        /// Starts a program with a new empty folder as its `TMPDIR`, the only place where it may write.
        pub async fn start(&self, mut command: Command, limits: Limits) -> io::Result<Started> {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let scratch = self.scratch.join(number.to_string());
            fs::create_dir(&scratch)?;
            command.env("TMPDIR", &scratch);
            let (reply, started) = oneshot::channel();
            let order = Order {
                command,
                runtime: tokio::runtime::Handle::current(),
                scratch,
                confine: self.sandbox.then_some(limits),
                shared: Arc::clone(&self.shared),
                reply,
            };
            let gone = || io::Error::other("the thread that starts programs is gone");
            self.orders.as_ref().and_then(|orders| orders.send(order).ok()).ok_or_else(gone)?;
            started.await.map_err(|_| gone())?
        }
    }

    impl Drop for Confinement {
        fn drop(&mut self) {
            self.orders = None;
            let keepers = lock(&self.shared.keepers);
            let _ = self.shared.all_gone.wait_timeout_while(keepers, END, |keepers| *keepers > 0);
            if let Some(watchdog) = lock(&self.shared.watchdog).take() {
                watchdog.end(END);
            }
        }
    }

    const STACK: usize = 256 << 10;

    /// Gives each program its keeper. The keepers are this thread's children, and held as it is.
    fn serve(inbox: &mpsc::Receiver<Order>, shared: &Arc<Shared>) {
        while let Ok(order) = inbox.recv() {
            *lock(&shared.keepers) += 1;
            let leave = Leave(Arc::clone(shared));
            let keeper = move || {
                let _leave = leave;
                keep(order);
            };
            // If there is no thread to be had, the order is dropped, and who gave it is told.
            let _ = thread::Builder::new().name("skill".to_owned()).stack_size(STACK).spawn(keeper);
        }
    }

    /// Counts a keeper out.
    struct Leave(Arc<Shared>);

    impl Drop for Leave {
        fn drop(&mut self) {
            let mut keepers = lock(&self.0.keepers);
            *keepers -= 1;
            self.0.all_gone.notify_all();
        }
    }

    /// Tries on a thread that is thrown away what can be held.
    fn probe(scratch: &Path) -> io::Result<Vec<(&'static str, Lack)>> {
        let scratch = scratch.to_owned();
        let hold = thread::Builder::new().stack_size(STACK).spawn(move || hold::restrict(&scratch))?.join();
        let Ok(Hold { no_new_privileges, write, scope, foreign_limits }) = hold else { return Ok(Vec::new()) };
        let rows = [
            ("no-new-privileges", no_new_privileges),
            ("landlock-write", write),
            ("landlock-scope", scope),
            ("foreign-limits", foreign_limits),
        ];
        Ok(rows.into_iter().filter_map(|(name, held)| Some((name, held.err()?))).collect())
    }

    pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Instant;
    use std::{fs, io};

    use crate::Group;

    use super::{Command, Lack, Limits, Started, Watch};

    /// Nothing is held here but the process group.
    pub struct Confinement {
        scratch: PathBuf,
        next: AtomicU64,
        lacks: Vec<(&'static str, Lack)>,
        watchdog: Result<(), String>,
    }

    pub struct Kept(#[expect(dead_code, reason = "its end is what counts")] Group);

    impl Kept {
        pub fn was_crowded(&self) -> bool {
            false
        }
    }

    impl Confinement {
        pub fn begin(scratch: PathBuf, sandbox: bool, _: Option<Watch>) -> io::Result<Confinement> {
            let guards = eval_spec::callable::GUARDS.iter().filter(|guard| sandbox && **guard != "process-group");
            let lacks = guards.map(|guard| (*guard, Lack::NotLinux)).collect();
            Ok(Confinement { scratch, next: AtomicU64::new(0), lacks, watchdog: Err(String::new()) })
        }

        pub fn lacks(&self) -> &[(&'static str, Lack)] {
            &self.lacks
        }

        pub fn watchdog(&self) -> &Result<(), String> {
            &self.watchdog
        }

        pub async fn start(&self, mut command: Command, _: Limits) -> io::Result<Started> {
            let scratch = self.scratch.join(self.next.fetch_add(1, Ordering::Relaxed).to_string());
            fs::create_dir(&scratch)?;
            command.env("TMPDIR", &scratch);
            let started = Instant::now();
            let child = command.spawn()?;
            let kept = Kept(Group::of(&child));
            Ok(Started { child, kept, enforced: vec!["process-group"], start: started.elapsed() })
        }
    }
}
