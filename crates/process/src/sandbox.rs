//! The sandbox: no new privileges, Landlock and seccomp on the thread that starts a program, limits on the
//! program itself.
//!
//! Landlock, seccomp and `no_new_privs` belong to a thread, pass on to its descendants, and can't be taken off again.
//! Limits belong to a process: they are set from outside, microseconds after the start, on the program and on what
//! it has started by then.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, BitFlags, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::guards::{FILE_SOCKETS, GuardUnavailable, REFUSING, ResourceLimits};
use crate::proc_tree;

/// Which guards are in force on this thread and everything that it starts.
#[derive(Debug)]
pub(super) struct SandboxStatus {
    pub(super) no_new_privileges: Result<(), GuardUnavailable>,
    /// Writing only where it is allowed.
    pub(super) write: Result<(), GuardUnavailable>,
    /// Reading files only where it is allowed; `None` where that was not asked for.
    pub(super) read: Option<Result<(), GuardUnavailable>>,
    /// Signals and abstract sockets only to processes in the same sandbox.
    pub(super) scope: Result<(), GuardUnavailable>,
    /// What the [`REFUSING`] guards forbid.
    pub(super) refused: Result<(), GuardUnavailable>,
    /// Sockets that are files; `None` where the program may use them.
    pub(super) sockets: Option<Result<(), GuardUnavailable>>,
}

impl SandboxStatus {
    /// Each guard by its name.
    pub(super) fn named(&self) -> Vec<(&'static str, Result<(), GuardUnavailable>)> {
        let read = self.read.iter().map(|guard| ("landlock-read", guard));
        let rows = [("no-new-privileges", &self.no_new_privileges), ("landlock-write", &self.write)];
        let rows = rows.into_iter().chain(read).chain([("landlock-scope", &self.scope)]);
        let refusing = REFUSING.map(|name| (name, &self.refused));
        let sockets = self.sockets.iter().map(|guard| (FILE_SOCKETS, guard));
        rows.chain(refusing).chain(sockets).map(|(name, guard)| (name, guard.clone())).collect()
    }
}

/// The first version that guards truncation; before it, any file could be emptied.
const WRITE: ABI = ABI::V3;

/// The first version with scopes.
const SCOPE: ABI = ABI::V6;

/// The newest version that the tests ran on.
const TRIED: ABI = ABI::V7;

/// Restricts this thread for good: writing only to `writable`, below them and to `/dev/null`, signals only to what this
/// thread starts; reading of files only `readable` and below, where that is given.
///
/// Nor can this thread set the limits of any process but itself, see [`limit`], or its priority, make what outlives it, or
/// use sockets that are files, unless it `may_use_sockets`.
pub(super) fn restrict(
    writable: &[PathBuf],
    readable: Option<io::Result<Vec<PathBuf>>>,
    may_use_sockets: bool,
) -> SandboxStatus {
    drop_capabilities();
    let writing = AccessFs::from_write(TRIED);
    let (readable, not_readable) = match readable.transpose() {
        Ok(readable) => (readable, None),
        Err(error) => (None, Some(GuardUnavailable::Refused(error.to_string()))),
    };
    let is_asked = readable.is_some() || not_readable.is_some();
    let reading = if readable.is_some() { AccessFs::ReadFile.into() } else { BitFlags::EMPTY };
    let [no_new_privileges, write, scope] = landlocked(
        Ruleset::default()
            .handle_access(writing | reading)
            .and_then(|rules| rules.scope(Scope::from_all(TRIED)))
            .and_then(|rules| {
                rules
                    .create()?
                    .add_rules(path_beneath_rules(
                        writable.iter().map(PathBuf::as_path).chain([Path::new("/dev/null")]),
                        writing,
                    ))?
                    .add_rules(path_beneath_rules(readable.iter().flatten(), reading))?
                    .restrict_self()
            }),
    );
    let unavailable = |error: Box<dyn std::error::Error>| GuardUnavailable::Refused(error.to_string());
    let refused = refuse_calls().map_err(unavailable);
    let sockets = (!may_use_sockets).then(|| refuse_file_sockets().map_err(unavailable));
    let read = is_asked.then(|| not_readable.map_or_else(|| write.clone(), Err));
    SandboxStatus { no_new_privileges, write, read, scope, refused, sockets }
}

/// Refuses with `EPERM` what Landlock doesn't guard. A filter sees a call's numbers, and what they point to it doesn't.
fn refuse_calls() -> Result<(), Box<dyn std::error::Error>> {
    let calls = [foreign_limits()?, foreign_scheduling()?, kernel_objects()];
    refuse(calls.into_iter().flatten(), libc::EPERM)
}

/// Refuses these calls with this error.
fn refuse(calls: impl IntoIterator<Item = RefusedCall>, errno: i32) -> Result<(), Box<dyn std::error::Error>> {
    let mut rules = BTreeMap::new();
    for (call, refused) in calls {
        // The ABI with 32-bit pointers has the same calls by other numbers, where the kernel has it.
        if cfg!(target_arch = "x86_64") {
            rules.insert(call | X32, refused.clone());
        }
        rules.insert(call, refused);
    }
    let refuse = SeccompAction::Errno(u32::try_from(errno)?);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?;
    seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

const X32: i64 = 0x4000_0000;

/// A call of the system and when it is refused: when one of the rules fits, or always without rules.
type RefusedCall = (i64, Vec<SeccompRule>);

/// Whether an argument is another than this; the kernel reads the lower 32 bits.
fn is_not(argument: u8, value: u32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value.into())
}

/// `prlimit` can set limits on any process of the same user and so end it. It is refused with another process's number and
/// new limits.
fn foreign_limits() -> Result<Vec<RefusedCall>, seccompiler::BackendError> {
    const PROCESS: u8 = 0;
    const NEW_LIMIT: u8 = 2;
    let is_set = SeccompCondition::new(NEW_LIMIT, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    Ok(vec![(libc::SYS_prlimit64, vec![SeccompRule::new(vec![is_not(PROCESS, 0)?, is_set])?])])
}

/// Any process of the same user can be slowed down and pinned to a processor. Only the calling thread may be, named by 0: the
/// numbers of its own are not known to a filter, and its group could be made any group of the session.
fn foreign_scheduling() -> Result<Vec<RefusedCall>, seccompiler::BackendError> {
    const PRIO_PROCESS: u32 = 0;
    const IOPRIO_WHO_PROCESS: u32 = 1;
    let other = |argument| SeccompRule::new(vec![is_not(argument, 0)?]);
    let other_kind = |kind| SeccompRule::new(vec![is_not(0, kind)?]);
    let mut calls = vec![
        (libc::SYS_setpriority, vec![other_kind(PRIO_PROCESS)?, other(1)?]),
        (libc::SYS_ioprio_set, vec![other_kind(IOPRIO_WHO_PROCESS)?, other(1)?]),
    ];
    for call in
        [libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr]
    {
        calls.push((call, vec![other(0)?]));
    }
    Ok(calls)
}

/// What belongs to no process, and so outlives all of them: shared memory, message queues, semaphores and keys. POSIX's
/// shared memory and semaphores are files.
fn kernel_objects() -> Vec<RefusedCall> {
    let calls = [
        libc::SYS_shmget,
        libc::SYS_msgget,
        libc::SYS_semget,
        libc::SYS_mq_open,
        libc::SYS_add_key,
        libc::SYS_request_key,
        libc::SYS_keyctl,
    ];
    calls.map(|call| (call, Vec::new())).into()
}

/// Refuses sockets that are files, or could send to one: behind such a file a server of the user (tmux, D-Bus, Docker,
/// `ssh-agent`) does outside of the sandbox what it is told. Versions of Landlock that are known here don't guard them, and a
/// filter sees no paths, so the program's own are refused, too. Pairs of connected sockets reach nobody else, unless each
/// message can have an address. `io_uring` makes sockets past the filter.
fn refuse_file_sockets() -> Result<(), Box<dyn std::error::Error>> {
    const FAMILY: u8 = 0;
    const TYPE: u8 = 1;
    // Flags are in the bits above.
    const TYPES: u64 = 0xf;
    // The constants of the kernel's interface: `AF_UNIX`, `SOCK_DGRAM` and `SOCK_RAW`, which is the same in this family.
    const FILES: u64 = 1;
    const DATAGRAMS: [u64; 2] = [2, 3];
    let is_file = || SeccompCondition::new(FAMILY, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, FILES);
    let pair = |kind| {
        let is_kind = SeccompCondition::new(TYPE, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(TYPES), kind);
        SeccompRule::new(vec![is_file()?, is_kind?])
    };
    let pairs = DATAGRAMS.into_iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let sockets = [(libc::SYS_socket, vec![SeccompRule::new(vec![is_file()?])?]), (libc::SYS_socketpair, pairs)];
    refuse([(libc::SYS_io_uring_setup, Vec::new())], libc::EPERM)?;
    // The error that says what is missing, and that programs expect: they look further where they find no name service.
    refuse(sockets, libc::EAFNOSUPPORT)
}

/// Restricts only which processes this thread may signal; returns whether the kernel enforces it.
pub(super) fn scope() -> bool {
    // Any ruleset forbids moving files between folders unless a rule allows it.
    let moving = AccessFs::Refer;
    let rules = Ruleset::default().handle_access(moving).and_then(|rules| rules.scope(Scope::from_all(TRIED)));
    let [.., scope] = landlocked(
        rules.and_then(|rules| rules.create()?.add_rules(path_beneath_rules(["/"], moving))?.restrict_self()),
    );
    scope.is_ok()
}

/// Gives up root's capabilities over the system and over the processes of others: raising limits, reading the memory of
/// any process (which Landlock doesn't prevent for some of these), loading code into the kernel. With no new privileges
/// they don't come back. Capabilities over files stay: the program may need them to read its own files.
fn drop_capabilities() {
    let remaining = CapabilitySet::CHOWN
        | CapabilitySet::DAC_OVERRIDE
        | CapabilitySet::DAC_READ_SEARCH
        | CapabilitySet::FOWNER
        | CapabilitySet::FSETID
        | CapabilitySet::KILL
        | CapabilitySet::SETGID
        | CapabilitySet::SETUID
        | CapabilitySet::NET_BIND_SERVICE;
    if let Ok(CapabilitySets { effective, permitted, inheritable }) = capabilities(None) {
        let less = CapabilitySets {
            effective: effective & remaining,
            permitted: permitted & remaining,
            inheritable: inheritable & remaining,
        };
        // Giving up capabilities is never refused.
        let _ = set_capabilities(None, less);
    }
}

/// Whether no-new-privileges, the guard of writing and the guard of signals are in force.
fn landlocked(restricted: Result<RestrictionStatus, RulesetError>) -> [Result<(), GuardUnavailable>; 3] {
    let status = match restricted {
        Ok(status) => status,
        Err(error) => return [(); 3].map(|()| Err(GuardUnavailable::Refused(error.to_string()))),
    };
    let since = |needed: ABI| match status.landlock {
        LandlockStatus::NotEnabled => Err(GuardUnavailable::NotEnabled),
        LandlockStatus::NotImplemented => Err(GuardUnavailable::NotImplemented),
        LandlockStatus::Available { effective_abi, .. } if effective_abi < needed => {
            Err(GuardUnavailable::TooOld { version: effective_abi as u32, needed: needed as u32 })
        }
        LandlockStatus::Available { .. } if status.ruleset == RulesetStatus::NotEnforced => {
            Err(GuardUnavailable::NotEnabled)
        }
        LandlockStatus::Available { .. } => Ok(()),
    };
    let no_new_privileges =
        if status.no_new_privs { Ok(()) } else { Err(GuardUnavailable::Refused("prctl".to_owned())) };
    [no_new_privileges, since(WRITE), since(SCOPE)]
}

/// Sets the limits on a program that was just started and on what it has started by now; returns the names of
/// those in force. Fails from a thread in the sandbox.
pub(super) fn limit(leader: Pid, limits: &ResourceLimits) -> Vec<&'static str> {
    let mut enforced = Vec::new();
    let rows = [
        ("cpu-time", Resource::Cpu, limits.cpu_seconds, 1),
        ("address-space", Resource::As, limits.memory_bytes, 0),
        ("file-size", Resource::Fsize, limits.file_bytes, 0),
        ("", Resource::Core, Some(0), 0),
    ];
    let mut limited = 0;
    let mut known = vec![leader];
    // A child forked before its parent was limited is found below it; one forked after inherits the limits.
    while limited < known.len() && limited < MOST {
        let process = known[limited];
        for (name, resource, value, slack) in rows {
            let Some(value) = value else { continue };
            let done = set(process, resource, value, slack);
            if limited == 0 && done && !name.is_empty() {
                enforced.push(name);
            }
        }
        known.extend(proc_tree::children(process));
        limited += 1;
    }
    enforced
}

/// How many processes are limited at most: a hostile program may have started many before.
const MOST: usize = 1000;

fn set(process: Pid, resource: Resource, value: u64, slack: u64) -> bool {
    let limit = Rlimit { current: Some(value), maximum: Some(value.saturating_add(slack)) };
    // A lower limit of this process is inherited and stays in force.
    let lower = |limit: &Rlimit| limit.maximum.is_some_and(|own| own < value);
    match prlimit(Some(process), resource, limit) {
        Ok(_) => true,
        Err(_) => lower(&rustix::process::getrlimit(resource)),
    }
}
