//! What all skills of a run share: the place where their programs run.

use std::ffi::OsString;
use std::path::PathBuf;

use eval_spec::callable::SandboxLimits;
use eval_spec::{Context, Message, msg};
use tempfile::TempDir;

use crate::BuildError;
use crate::process::{Confinement, Lack, Watch};

/// What holds when a skill says nothing else: 300 s of CPU time for a process (an hour for one that stays), files up
/// to 256 MiB, 256 processes at once, any address space.
pub const DEFAULT_LIMITS: SandboxLimits =
    SandboxLimits { cpu_seconds: Some(300), memory_mb: None, file_size_mb: Some(256), processes: Some(256) };

/// How a run's place is made.
#[derive(Clone, Debug)]
pub struct HostSetup<'a> {
    /// The world.
    pub context: &'a Context,
    /// Whether skills are held; without it they just have process groups, and are killed as thoroughly.
    pub sandbox: bool,
    /// Our own program with arguments before those of a helper process, which it must give to
    /// [`hidden`](super::hidden); `None`: no watchdog.
    pub helper: Option<(PathBuf, Vec<OsString>)>,
}

/// The place where the programs of a run's skills run: their folders, what holds them, and the watchdog.
///
/// Dropped, it waits (not long) until nothing of them is left.
pub struct Host {
    pub(super) confinement: Confinement,
    sandbox: bool,
    // After what runs in it.
    _scratch: TempDir,
}

impl Host {
    /// Begins a run.
    ///
    /// # Errors
    /// No folder or thread is to be had.
    pub fn start(setup: &HostSetup<'_>) -> Result<Host, BuildError> {
        let failed = |error: std::io::Error| BuildError::invalid(msg!("skills-exec-host", why = error.to_string()));
        let parent = setup.context.var("TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let scratch = tempfile::Builder::new().prefix("eval-skills-").tempdir_in(parent).map_err(failed)?;
        let watch = setup.helper.clone().map(|(program, arguments)| Watch { program, arguments });
        // Landlock and the environment know it by its real name.
        let folder = scratch.path().canonicalize().map_err(failed)?;
        let confinement = Confinement::begin(folder, setup.sandbox, watch).map_err(failed)?;
        Ok(Host { confinement, sandbox: setup.sandbox, _scratch: scratch })
    }

    /// What this system can't hold of what is asked for, a line each; with why.
    #[must_use]
    pub fn lacks(&self) -> Vec<Message> {
        let guards = self.confinement.lacks().iter().map(|(guard, lack)| lack_message(guard, lack));
        let watchdog = self.confinement.watchdog().as_ref().err().map(|why| msg!("skills-exec-no-watchdog", why = why));
        guards.chain(watchdog).collect()
    }

    /// Whether skills are held.
    #[must_use]
    pub fn sandbox(&self) -> bool {
        self.sandbox
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
