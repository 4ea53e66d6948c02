//! What holds a program: no new privileges and Landlock on the thread that starts it, limits on the
//! program itself.
//!
//! Landlock and `no_new_privs` are a thread's and pass on to what it starts; they can't be taken off again.
//! Limits are a process's: they are set from outside, microseconds after the start, and on what the
//! program has started by then.

use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, capabilities, set_capabilities};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};

use super::{Lack, Limits, tree};

/// What holds this thread and everything that it starts.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) no_new_privileges: Result<(), Lack>,
    /// Writing only where it is allowed.
    pub(super) write: Result<(), Lack>,
    /// Signals and abstract sockets only to what is held alike.
    pub(super) scope: Result<(), Lack>,
    /// Limits only of itself: who may set those of others can end them, and us.
    pub(super) foreign_limits: Result<(), Lack>,
}

/// The first version that holds cutting a file short; before it, a file anywhere could be emptied.
const WRITE: ABI = ABI::V3;

/// The first version that knows scopes.
const SCOPE: ABI = ABI::V6;

/// The newest version this was tried with.
const TRIED: ABI = ABI::V7;

/// Restricts this thread for good: writing only below `writable` and to `/dev/null`, signals only to what this
/// thread starts.
///
/// Nor can this thread set the limits of any process but itself, see [`limit`].
pub(super) fn restrict(writable: &Path) -> Hold {
    drop_powers();
    let writing = AccessFs::from_write(TRIED);
    let [no_new_privileges, write, scope] = landlocked(
        Ruleset::default().handle_access(writing).and_then(|rules| rules.scope(Scope::from_all(TRIED))).and_then(
            |rules| {
                rules
                    .create()?
                    .add_rules(path_beneath_rules([writable, Path::new("/dev/null")], writing))?
                    .restrict_self()
            },
        ),
    );
    let foreign_limits = leave_others_limits().map_err(|error| Lack::Refused(error.to_string()));
    Hold { no_new_privileges, write, scope, foreign_limits }
}

/// Landlock doesn't hold `prlimit`, by which any process of the same user can be given limits that end it. With another
/// process's number and new limits it is refused from now on.
fn leave_others_limits() -> Result<(), Box<dyn std::error::Error>> {
    const PROCESS: u8 = 0;
    const NEW_LIMIT: u8 = 2;
    let is_set = |argument| SeccompCondition::new(argument, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0);
    // The kernel reads a number of 32 bits, whatever stands above them.
    let other = SeccompCondition::new(PROCESS, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    let rule = SeccompRule::new(vec![other, is_set(NEW_LIMIT)?])?;
    let refuse = SeccompAction::Errno(u32::try_from(libc::EPERM)?);
    let rules = std::iter::once((libc::SYS_prlimit64, vec![rule])).collect();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?;
    seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

/// Restricts only whom this thread may signal; whether that holds.
pub(super) fn scope() -> bool {
    // A ruleset that doesn't say otherwise forbids moving files between folders.
    let moving = AccessFs::Refer;
    let rules = Ruleset::default().handle_access(moving).and_then(|rules| rules.scope(Scope::from_all(TRIED)));
    let [.., scope] = landlocked(
        rules.and_then(|rules| rules.create()?.add_rules(path_beneath_rules(["/"], moving))?.restrict_self()),
    );
    scope.is_ok()
}

/// Gives up what root may do to the system and to others' processes: raising limits, reading the memory of any process
/// (which not even Landlock holds against some of these), loading code into the kernel. With no new privileges they
/// don't come back. What root may do to files stays: it may need that to read the skill.
fn drop_powers() {
    let kept = CapabilitySet::CHOWN
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
            effective: effective & kept,
            permitted: permitted & kept,
            inheritable: inheritable & kept,
        };
        // To give up one's own is never refused.
        let _ = set_capabilities(None, less);
    }
}

/// Whether there are no new privileges, writing is held, and signals are.
fn landlocked(restricted: Result<RestrictionStatus, RulesetError>) -> [Result<(), Lack>; 3] {
    let status = match restricted {
        Ok(status) => status,
        Err(error) => return [(); 3].map(|()| Err(Lack::Refused(error.to_string()))),
    };
    let since = |needed: ABI| match status.landlock {
        LandlockStatus::NotEnabled => Err(Lack::NotEnabled),
        LandlockStatus::NotImplemented => Err(Lack::NotImplemented),
        LandlockStatus::Available { effective_abi, .. } if effective_abi < needed => {
            Err(Lack::TooOld { version: effective_abi as u32, needed: needed as u32 })
        }
        LandlockStatus::Available { .. } if status.ruleset == RulesetStatus::NotEnforced => Err(Lack::NotEnabled),
        LandlockStatus::Available { .. } => Ok(()),
    };
    let no_new_privileges = if status.no_new_privs { Ok(()) } else { Err(Lack::Refused("prctl".to_owned())) };
    [no_new_privileges, since(WRITE), since(SCOPE)]
}

/// Sets the limits on a program that was just started and on what it has started by now; returns the names of
/// those that hold. Not from a thread that is restricted.
pub(super) fn limit(leader: Pid, limits: &Limits) -> Vec<&'static str> {
    let mut enforced = Vec::new();
    let rows = [
        ("cpu-time", Resource::Cpu, limits.cpu_seconds, 1),
        ("address-space", Resource::As, limits.memory_bytes, 0),
        ("file-size", Resource::Fsize, limits.file_bytes, 0),
        ("", Resource::Core, Some(0), 0),
    ];
    let mut limited = 0;
    let mut known = vec![leader];
    // What was forked before its parent was limited is a child of it by now; what is forked after inherits.
    while limited < known.len() && limited < MOST {
        let process = known[limited];
        for (name, resource, value, slack) in rows {
            let Some(value) = value else { continue };
            let done = set(process, resource, value, slack);
            if limited == 0 && done && !name.is_empty() {
                enforced.push(name);
            }
        }
        known.extend(tree::children(process));
        limited += 1;
    }
    enforced
}

/// How many processes can have been started before their program was limited.
const MOST: usize = 1000;

fn set(process: Pid, resource: Resource, value: u64, slack: u64) -> bool {
    let limit = Rlimit { current: Some(value), maximum: Some(value.saturating_add(slack)) };
    // A lower limit of our own stands.
    let lower = |limit: &Rlimit| limit.maximum.is_some_and(|own| own < value);
    match prlimit(Some(process), resource, limit) {
        Ok(_) => true,
        Err(_) => lower(&rustix::process::getrlimit(resource)),
    }
}
