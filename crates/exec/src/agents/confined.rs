//! The sandbox of an agent's calls: an agent and what it starts write in the call's own folder and nowhere else.
//!
//! The folder holds the copy of the working directory, the agent's fresh home and its temporary files. Agents that work in the
//! user's own directory have no folder that they could be held to, and so no sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use eval_process::{Confinement, ConfinementGuards, confinement_guards};
use eval_spec::sandbox::{MissingGuard, ProgramSandbox};
use eval_spec::suite::Settings;

/// The sandbox of an agent's calls.
pub(super) struct AgentSandbox {
    guards: ConfinementGuards,
}

impl AgentSandbox {
    /// The one under these settings; `None` without one.
    pub(super) fn of(settings: &Settings) -> Option<AgentSandbox> {
        (settings.strict_baseline && settings.sandbox).then(|| AgentSandbox { guards: confinement_guards() })
    }

    /// What of it is in force.
    pub(super) fn state(&self) -> ProgramSandbox {
        let missing = |(guard, why): &(&str, _)| MissingGuard { guard: (*guard).to_owned(), why: Clone::clone(why) };
        ProgramSandbox {
            enforced: self.guards.enforced.iter().map(|guard| (*guard).to_owned()).collect(),
            not_enforced: self.guards.unavailable.iter().map(missing).collect(),
        }
    }

    /// Whether it keeps an agent from writing elsewhere.
    pub(super) fn guards_writing(&self) -> bool {
        self.guards.enforced.contains(&"landlock-write")
    }

    /// The command line that runs a program which may write below these folders.
    pub(super) fn wrap(
        &self,
        writable: &[PathBuf],
        program: &Path,
        arguments: Vec<OsString>,
    ) -> (PathBuf, Vec<OsString>) {
        let confinement = Confinement { writable, guards: &self.guards.enforced };
        let wrapped = confinement.wrap(program, &arguments).filter(|_| !self.guards.enforced.is_empty());
        wrapped.unwrap_or_else(|| (program.to_owned(), arguments))
    }
}
