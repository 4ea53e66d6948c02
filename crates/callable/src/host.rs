//! What all skills of a run share: the supervisor of their programs.

use std::io;
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_process::{Supervisor, WatchdogCommand};
use eval_spec::callable::{AdapterType, CallableSkill, FILE_SOCKETS, SandboxLimits};

/// The limits of a skill that sets none: 300 s of CPU time for a process (an hour for a persistent one), files up
/// to 256 MiB, 1 GiB in folders of its own, 256 processes at once, any address space.
pub const DEFAULT_LIMITS: SandboxLimits = SandboxLimits {
    cpu_seconds: Some(300),
    memory_mb: None,
    file_size_mb: Some(256),
    processes: Some(256),
    scratch_mb: Some(1024),
};

/// Runs the programs of a run's skills: their folders, sandbox and watchdog.
///
/// Dropped, it waits up to 5 s until no process of them is left.
pub struct SkillHost {
    supervisor: Option<Supervisor>,
    scratch: Option<PathBuf>,
}

impl SkillHost {
    /// Begins a run. Each program gets a folder of its own below `scratch`, which must exist and belong to this run
    /// alone; the watchdog removes it if this process is killed. `sandbox` says whether programs run in a sandbox or are
    /// just watched and killed; `None` that there will be no programs. Without `watchdog` there is none.
    ///
    /// # Errors
    /// No thread is to be had, or the folder is missing.
    pub fn start(scratch: &Path, sandbox: Option<bool>, watchdog: Option<WatchdogCommand>) -> io::Result<SkillHost> {
        let begin = |sandbox| {
            // Landlock and the environment use its canonical path.
            Supervisor::start(scratch.canonicalize()?, sandbox, watchdog)
        };
        Ok(SkillHost { supervisor: sandbox.map(begin).transpose()?, scratch: sandbox.map(|_| scratch.to_owned()) })
    }

    /// The folder of all temporary files of programs.
    pub(super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }

    /// A host that runs no program.
    pub(super) fn without_programs() -> SkillHost {
        SkillHost { supervisor: None, scratch: None }
    }

    /// The guards that a skill's programs lack, though a sandbox was asked for, also those that it asked to be without: names out of
    /// [`GUARDS`](eval_spec::callable::GUARDS).
    pub fn not_enforced(&self, skill: &CallableSkill) -> Vec<String> {
        let has_program = match skill.adapter {
            AdapterType::Http => false,
            AdapterType::Mcp => skill.address().is_none(),
            AdapterType::Subprocess | AdapterType::Langchain | AdapterType::Custom => true,
        };
        let missing = self.supervisor.iter().filter(|_| has_program).flat_map(Supervisor::unavailable_guards);
        let is_open = has_program && self.is_confined() && skill.config.may_use_sockets;
        let mut names: Vec<String> = missing.map(|(guard, _)| (*guard).to_owned()).collect();
        if is_open && !names.iter().any(|name| name == FILE_SOCKETS) {
            names.push(FILE_SOCKETS.to_owned());
        }
        names
    }

    /// The guards that this system lacks though a sandbox was asked for, and why, a line each; without those that no system
    /// has.
    pub fn unavailable_guards(&self) -> Vec<Message> {
        let Some(supervisor) = &self.supervisor else { return Vec::new() };
        let guards = supervisor.unavailable_guards().iter().filter_map(|(guard, why)| why.message(guard));
        let watchdog = supervisor.watchdog().as_ref().err().map(|why| msg!("skills-exec-no-watchdog", why = why));
        guards.chain(watchdog).collect()
    }

    /// Whether its programs run in a sandbox.
    pub(super) fn is_confined(&self) -> bool {
        self.supervisor.as_ref().is_some_and(Supervisor::is_confined)
    }

    pub(super) fn supervisor(&self) -> io::Result<&Supervisor> {
        self.supervisor.as_ref().ok_or_else(|| io::Error::other("this run was to start no program"))
    }
}
