//! What all skills of a run share: the place where their programs run.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_process::confinement::{Lack, Watch};
use eval_spec::callable::{AdapterType, CallableSkill, SandboxLimits};

use eval_process::Confinement;

/// What holds when a skill says nothing else: 300 s of CPU time for a process (an hour for one that stays), files up
/// to 256 MiB, 256 processes at once, any address space.
pub const DEFAULT_LIMITS: SandboxLimits =
    SandboxLimits { cpu_seconds: Some(300), memory_mb: None, file_size_mb: Some(256), processes: Some(256) };

/// How a helper process of ours is started: its arguments must reach [`hidden`](super::hidden).
#[derive(Clone, Debug)]
pub struct Helper {
    /// The program.
    pub program: PathBuf,
    /// What stands before the arguments that we add.
    pub arguments: Vec<OsString>,
}

impl Helper {
    /// This very program.
    ///
    /// # Errors
    /// The system doesn't tell where it is.
    pub fn this_program() -> io::Result<Helper> {
        Ok(Helper { program: std::env::current_exe()?, arguments: Vec::new() })
    }
}

/// The place where the programs of a run's skills run: their folders, what holds them, and the watchdog.
///
/// Dropped, it waits (not long) until nothing of them is left.
pub struct Host {
    confinement: Option<Confinement>,
}

impl Host {
    /// Begins a run. Each program gets a folder of its own below `scratch`, which must be there and nobody else's, and
    /// is removed by the watchdog if we are killed. `confined` says whether programs are held, or just watched and
    /// killed, as far as they are known without that; `None` that there will be none. Without a `helper` there is no watchdog.
    ///
    /// # Errors
    /// No thread is to be had, or the folder is not there.
    pub fn start(scratch: &Path, confined: Option<bool>, helper: Option<Helper>) -> io::Result<Host> {
        let begin = |sandbox| {
            let watch = helper.map(|Helper { program, arguments }| Watch { program, arguments });
            // Landlock and the environment know it by its real name.
            Confinement::begin(scratch.canonicalize()?, sandbox, watch)
        };
        Ok(Host { confinement: confined.map(begin).transpose()? })
    }

    /// Where no program can run.
    pub(super) fn nowhere() -> Host {
        Host { confinement: None }
    }

    /// What doesn't hold the programs of a skill, though it was asked for: names out of
    /// [`GUARDS`](eval_spec::callable::GUARDS).
    #[must_use]
    pub fn not_enforced(&self, skill: &CallableSkill) -> Vec<String> {
        let has_program = match skill.adapter {
            AdapterType::Http => false,
            AdapterType::Mcp => skill.address().is_none(),
            AdapterType::Subprocess | AdapterType::Langchain | AdapterType::Custom => true,
        };
        let lacks = self.confinement.iter().filter(|_| has_program).flat_map(Confinement::lacks);
        lacks.map(|(guard, _)| (*guard).to_owned()).collect()
    }

    /// What can't be held on this system though it was asked for, and why, a line each.
    #[must_use]
    pub fn lacks(&self) -> Vec<Message> {
        let Some(confinement) = &self.confinement else { return Vec::new() };
        let guards = confinement.lacks().iter().map(|(guard, lack)| lack_message(guard, lack));
        let watchdog = confinement.watchdog().as_ref().err().map(|why| msg!("skills-exec-no-watchdog", why = why));
        guards.chain(watchdog).collect()
    }

    pub(super) fn confinement(&self) -> io::Result<&Confinement> {
        self.confinement.as_ref().ok_or_else(|| io::Error::other("this run was to start no program"))
    }
}

fn lack_message(guard: &'static str, lack: &Lack) -> Message {
    match lack {
        Lack::NotLinux => msg!("skills-exec-lack-not-linux", guard = guard),
        Lack::NotImplemented => msg!("skills-exec-lack-no-landlock", guard = guard),
        Lack::NotEnabled => msg!("skills-exec-lack-landlock-off", guard = guard),
        Lack::TooOld { version, needed } => {
            msg!("skills-exec-lack-landlock-old", guard = guard, version = *version, needed = *needed)
        }
        Lack::Refused(why) => msg!("skills-exec-lack-refused", guard = guard, why = why),
    }
}
