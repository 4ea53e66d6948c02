//! Callable skills as executors.

mod mcp;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs one of our own helper processes, when that is what the arguments ask for; called first in `main`.
#[must_use]
pub fn hidden(_arguments: &[OsString]) -> Option<ExitCode> {
    None
}
