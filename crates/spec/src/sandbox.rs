//! The sandbox of an executor's programs: what was enforced, and what was not, with the reason.

use eval_message::{Message, msg};
use serde::{Deserialize, Serialize};

/// The sandbox in which an executor's programs run, with everything that they start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProgramSandbox {
    /// The guards in force, by name: `landlock-write` (files are written only in the call's own folder), `landlock-read`
    /// (files of other calls can't be read), `landlock-scope` (signals reach only the call's own processes), `file-sockets`
    /// (sockets that are files are refused), `shared-memory` and `terminals` (the call has a `/dev/shm` and terminals of
    /// its own; where they are missing it can't write either), `network` (nothing but the model's endpoint is reached).
    pub enforced: Vec<String>,
    /// The guards that were asked for and that this system doesn't enforce.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_enforced: Vec<MissingGuard>,
}

/// A guard that isn't in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MissingGuard {
    /// Its name.
    pub guard: String,
    /// The reason.
    #[serde(flatten)]
    pub why: GuardUnavailable,
}

/// Why a guard is not available on this system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "why", content = "detail", rename_all = "kebab-case")]
pub enum GuardUnavailable {
    /// The system isn't Linux.
    NotLinux,
    /// The kernel has no Landlock.
    NotImplemented,
    /// The kernel has it, but it wasn't switched on.
    NotEnabled,
    /// The kernel's Landlock lacks the guard.
    TooOld {
        /// The version of the kernel's Landlock interface.
        version: u32,
        /// The first version with the guard.
        needed: u32,
    },
    /// The kernel refused it, with the system's error.
    Refused(String),
    /// No kernel has what it would take.
    Nowhere,
}

impl GuardUnavailable {
    /// The reason why `guard` isn't in force, for people; `None` for what no system has.
    #[must_use]
    pub fn message(&self, guard: &str) -> Option<Message> {
        Some(match self {
            GuardUnavailable::Refused(why) if guard == "shared-memory" => msg!("exec-lack-shared-memory", why = why),
            GuardUnavailable::Refused(why) if guard == "terminals" => msg!("exec-lack-terminals", why = why),
            GuardUnavailable::NotLinux => msg!("skills-exec-lack-not-linux", guard = guard),
            GuardUnavailable::NotImplemented => msg!("skills-exec-lack-no-landlock", guard = guard),
            GuardUnavailable::NotEnabled => msg!("skills-exec-lack-landlock-off", guard = guard),
            GuardUnavailable::TooOld { version, needed } => {
                msg!("skills-exec-lack-landlock-old", guard = guard, version = *version, needed = *needed)
            }
            GuardUnavailable::Refused(why) => msg!("skills-exec-lack-refused", guard = guard, why = why),
            GuardUnavailable::Nowhere => return None,
        })
    }
}
