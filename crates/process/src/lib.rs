//! A program goes in, a running process with limits, a sandbox and a tree kill comes out.
//!
//! This crate is the one way to start and kill a process tree. In comes what to run: a [`Launch`], or a
//! [`command`] of the caller's own. Out comes how it ended: a [`ProcessExit`] or a [`ProcessError`].
//!
//! - [`run`], [`run_blocking`] and [`output_within`] run a trusted program to its end within a time limit.
//! - [`command`] and [`spawn`] are for callers that talk to a program in their own way, and
//!   [`communicate`] is the exchange that `run` does.
//! - [`contain`] makes all of these keep their programs' whole trees together.
//! - [`Confinement`] puts a trusted program that acts for a model in a [sandbox](#guards).
//! - [`Supervisor`] runs programs of others, each in a [sandbox](#guards).
//!
//! Every program leads a process group of its own, and the whole group is killed when the run ends, on a
//! time-out and when the future is dropped. A pipe that a descendant keeps open does not delay the end.
//!
//! # Guards
//!
//! A supervised program has these guards, as far as the system has them; [`SupervisedProcess::enforced`] and
//! [`Supervisor::unavailable_guards`] name them as [`GUARDS`](eval_spec::callable::GUARDS) does:
//!
//! | guard | effect |
//! |---|---|
//! | `process-group` | everything in the program's group is killed with it |
//! | `no-new-privileges` | no set-user-id program gives it more rights |
//! | `cpu-time`, `address-space`, `file-size` | limits of one process |
//! | `processes` | processes at once, counted over the whole tree |
//! | `scratch-size` | what its own folders hold, counted up to twenty times a second |
//! | `landlock-write` | files can be written only in the program's own folder |
//! | `landlock-read` | files of other calls and other runs can't be read |
//! | `file-metadata` | mode, owner, times and attributes of files can be set only there: not enforced anywhere |
//! | `landlock-scope` | signals and abstract sockets reach only its own processes |
//! | `foreign-limits` | it can't set the limits of other processes |
//! | `foreign-scheduling` | it can't set the priority or processors of other processes |
//! | `kernel-objects` | it can't leave shared memory, message queues, semaphores or keys in the kernel |
//! | `file-sockets` | it can't use sockets that are files, behind which servers of the user answer |
//!
//! On Linux, descendants that left the group are killed as well, and a watchdog process kills all of them when
//! this process is killed; for trusted programs that is so after [`contain`]. On macOS there is the process group only. On
//! Windows there isn't even that: a trusted program that is stopped ends with what it has started (`taskkill /T`), but one that
//! has ended by itself, a supervised one, or one whose future is dropped leaves its descendants running.
//!
//! This crate knows nothing of what a program is for, and reads nothing of what it prints.

mod communicate;
#[cfg(target_os = "linux")]
mod confine;
mod confinement;
mod contain;
#[cfg(target_os = "linux")]
mod contained;
pub mod disk;
mod group;
mod guards;
mod hidden;
#[cfg(target_os = "linux")]
mod namespace;
mod network;
#[cfg(target_os = "linux")]
mod private;
#[cfg(target_os = "linux")]
mod proc_tree;
pub mod programs;
#[cfg(target_os = "linux")]
mod reaper;
mod run;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod scratch_size;
mod supervisor;
#[cfg(target_os = "linux")]
mod watchdog;

pub use communicate::{OutputFlow, ProcessState, StderrTail, communicate};
pub use confinement::{Confinement, ConfinementGuards, PrivateFolder, closed_network_error, confinement_guards};
pub use contain::{Containment, ProcessTree, contain, spawn};
pub use guards::{GuardUnavailable, ResourceLimits, TreeLimit};
pub use hidden::hidden;
pub use network::ClosedNetwork;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub use proc_tree::has_variable;
pub use run::{Launch, ProcessError, ProcessExit, command, output_within, run, run_blocking};
pub use supervisor::{SupervisedProcess, Supervisor, TreeGuard, WatchdogCommand};
