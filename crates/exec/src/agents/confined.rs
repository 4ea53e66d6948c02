//! The sandbox of an agent's calls: an agent and what it starts write in the call's own folder and nowhere else, and read no file
//! of other calls: the artifact of another variant may lie there. Nor does it read the artifacts themselves, reports and journals.
//!
//! The folder holds the copy of the working directory, the agent's fresh home and its temporary files. Agents that work in the
//! user's own directory have no folder that they could be held to, and so no sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use eval_process::{ClosedNetwork, Confinement, ConfinementGuards, PrivateFolder, confinement_guards};
use eval_spec::Context;
use eval_spec::sandbox::{MissingGuard, ProgramSandbox};
use eval_spec::suite::Settings;

use super::AgentCli;
use super::relay::Route;
use crate::executor_type::BuildError;
use crate::places::RUN_PREFIX;

/// The sandbox of an agent's calls.
pub(super) struct AgentSandbox {
    guards: ConfinementGuards,
    /// What its model is reached by; `None` where it has the network.
    pub(super) model: Option<Route>,
}

impl AgentSandbox {
    /// The one under these settings; `None` without one.
    ///
    /// # Errors
    /// The network is to be closed and can't be.
    pub(super) fn of(
        cli: &AgentCli,
        context: &Context,
        settings: &Settings,
        temporary: &Path,
    ) -> Result<Option<AgentSandbox>, BuildError> {
        if !settings.strict_baseline || !settings.sandbox {
            return Ok(None);
        }
        Ok(Some(AgentSandbox {
            guards: confinement_guards(temporary, RUN_PREFIX),
            model: Route::of(cli, context, settings)?,
        }))
    }

    /// What of it is in force.
    pub(super) fn state(&self) -> ProgramSandbox {
        let missing = |(guard, why): &(&str, _)| MissingGuard { guard: (*guard).to_owned(), why: Clone::clone(why) };
        let network = self.model.as_ref().map(|_| &"network");
        ProgramSandbox {
            enforced: self.guards.enforced.iter().chain(network).map(|guard| (*guard).to_owned()).collect(),
            not_enforced: self.guards.unavailable.iter().map(missing).collect(),
        }
    }

    /// Whether it keeps an agent from writing elsewhere.
    pub(super) fn guards_writing(&self) -> bool {
        self.guards.enforced.contains(&"landlock-write")
    }

    /// The command line that runs a program which may write below these folders, and reads no other call's than `own`, nor what
    /// is `secret`.
    pub(super) fn wrap(
        &self,
        own: &Path,
        secret: &[PathBuf],
        writable: &[PathBuf],
        program: &Path,
        arguments: Vec<OsString>,
        network: Option<&ClosedNetwork>,
    ) -> (PathBuf, Vec<OsString>) {
        let private = self.guards.enforced.contains(&"landlock-read");
        let private = private.then_some(PrivateFolder { path: own, hidden: RUN_PREFIX, secret });
        let confinement = Confinement { writable, private, guards: &self.guards.enforced, network };
        let is_needed = network.is_some() || !self.guards.enforced.is_empty();
        let wrapped = confinement.wrap(program, &arguments).filter(|_| is_needed);
        wrapped.unwrap_or_else(|| (program.to_owned(), arguments))
    }
}
