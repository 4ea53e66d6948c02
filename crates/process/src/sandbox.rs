//! The sandbox: no new privileges, Landlock and seccomp on the thread that starts a program, limits on the
//! program itself.
//!
//! Landlock, seccomp and `no_new_privs` belong to a thread, pass on to its descendants, and can't be taken off again.
//! Limits belong to a process: they are set from outside, microseconds after the start, on the program and on what
//! it has started by then.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use crate::guards::{GuardUnavailable, ResourceLimits};
use crate::proc_tree;

/// Which guards are in force on this thread and everything that it starts.
#[derive(Debug)]
pub(super) struct SandboxStatus {
    pub(super) no_new_privileges: Result<(), GuardUnavailable>,
    /// Writing only where it is allowed.
    pub(super) write: Result<(), GuardUnavailable>,
    /// Signals and abstract sockets only to processes in the same sandbox.
    pub(super) scope: Result<(), GuardUnavailable>,
    /// Limits only of itself: a process that may set those of others can end them.
    pub(super) foreign_limits: Result<(), GuardUnavailable>,
}

/// The first version that guards truncation; before it, any file could be emptied.
const WRITE: ABI = ABI::V3;

/// The first version with scopes.
const SCOPE: ABI = ABI::V6;

/// The newest version that the tests ran on.
const TRIED: ABI = ABI::V7;

/// Restricts this thread for good: writing only to `writable`, below them and to `/dev/null`, signals only to what this
/// thread starts.
///
/// Nor can this thread set the limits of any process but itself, see [`limit`].
pub(super) fn restrict(writable: &[PathBuf]) -> SandboxStatus {
    drop_capabilities();
    let writing = AccessFs::from_write(TRIED);
    let [no_new_privileges, write, scope] = landlocked(
        Ruleset::default().handle_access(writing).and_then(|rules| rules.scope(Scope::from_all(TRIED))).and_then(
            |rules| {
                rules
                    .create()?
                    .add_rules(path_beneath_rules(
                        writable.iter().map(PathBuf::as_path).chain([Path::new("/dev/null")]),
                        writing,
                    ))?
                    .restrict_self()
            },
        ),
    );
    let foreign_limits = forbid_foreign_limits().map_err(|error| GuardUnavailable::Refused(error.to_string()));
    SandboxStatus { no_new_privileges, write, scope, foreign_limits }
}

/// Landlock doesn't guard `prlimit`, which can set limits on any process of the same user and so end it. With another
/// process's number and new limits the call is refused from now on.
fn forbid_foreign_limits() -> Result<(), Box<dyn std::error::Error>> {
    const PROCESS: u8 = 0;
    const NEW_LIMIT: u8 = 2;
    let is_set = |argument| SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
    // The kernel reads the lower 32 bits of the number.
    let other = SeccompCondition::new(PROCESS, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    let rule = SeccompRule::new(vec![other, is_set(NEW_LIMIT)?])?;
    let refuse = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
    let rules = std::iter::once((libc::SYS_prlimit64, vec![rule])).collect();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?;
    seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
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
