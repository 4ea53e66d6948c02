//! The door of the sandbox for trusted programs that act for a model.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::guards::{FILE_METADATA, FILE_SOCKETS, GuardUnavailable, OWN_DEVICES, REFUSING};
use crate::network::ClosedNetwork;

/// A sandbox for a trusted program that acts for a model: it and everything that it starts write only where they may.
#[derive(Clone, Debug)]
pub struct Confinement<'a> {
    /// Where it may write: files, and directories with all below them. What is not there is left out.
    pub writable: &'a [PathBuf],
    /// The folder of its own among those of others, whose files it can't read; `None` where it may read everything.
    pub private: Option<PrivateFolder<'a>>,
    /// The guards that must be in force, out of [`ConfinementGuards::enforced`]; without one the program isn't run.
    pub guards: &'a [&'static str],
    /// What leads out of its network namespace; `None` where it has the network of this process.
    pub network: Option<&'a ClosedNetwork>,
}

/// A folder among others that are hidden from who works in it: `omk-run-1/omk-call-1` lies in a folder of a run, beside those of
/// other calls, and that one beside the folders of other runs.
#[derive(Clone, Copy, Debug)]
pub struct PrivateFolder<'a> {
    /// Its path.
    pub path: &'a Path,
    /// What the names of all folders of runs begin with.
    pub hidden: &'a str,
    /// Other files and folders that are hidden, absolute.
    pub secret: &'a [PathBuf],
}

impl Confinement<'_> {
    /// The command line that runs a program in the sandbox; `None` where this process can't
    /// [start itself](crate::contain()).
    #[must_use]
    pub fn wrap(&self, program: &Path, arguments: &[OsString]) -> Option<(PathBuf, Vec<OsString>)> {
        #[cfg(target_os = "linux")]
        return crate::confine::wrap(self, program, arguments);
        #[cfg(not(target_os = "linux"))]
        {
            let _ = (program, arguments);
            None
        }
    }
}

/// The guards of [`Confinement`] on this system.
#[derive(Clone, Debug, Default)]
pub struct ConfinementGuards {
    /// Those that are in force.
    pub enforced: Vec<&'static str>,
    /// Those that are not, and why.
    pub unavailable: Vec<(&'static str, GuardUnavailable)>,
}

impl ConfinementGuards {
    /// None of them is in force.
    pub(crate) fn none(why: &GuardUnavailable) -> ConfinementGuards {
        let guards = ["no-new-privileges", "landlock-write", "landlock-read", "landlock-scope"]
            .into_iter()
            .chain(REFUSING)
            .chain([FILE_SOCKETS])
            .chain(OWN_DEVICES);
        let unavailable = guards.map(|guard| (guard, why.clone())).chain([FILE_METADATA]).collect();
        ConfinementGuards { enforced: Vec::new(), unavailable }
    }
}

/// The guards that [`Confinement`] enforces on this system, for a private folder in one of the folders of runs, which lie in
/// `temporary` and whose names begin with `hidden`.
#[must_use]
pub fn confinement_guards(temporary: &Path, hidden: &str) -> ConfinementGuards {
    #[cfg(target_os = "linux")]
    return crate::confine::guards(temporary, hidden);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (temporary, hidden);
        ConfinementGuards::none(&GuardUnavailable::NotLinux)
    }
}

/// Why programs can't have a [`ClosedNetwork`] on this system; `None` if they can.
#[must_use]
pub fn closed_network_error() -> Option<String> {
    #[cfg(target_os = "linux")]
    return crate::confine::network_error();
    #[cfg(not(target_os = "linux"))]
    Some(crate::guards::ONLY_LINUX.to_owned())
}
