//! What this program does in the place of its commands when it has started itself.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the watchdog, or a program in the sandbox of [`Confinement`](crate::Confinement), when the arguments of this process ask
/// for it, the program's name first. Called first in `main`.
#[must_use]
pub fn hidden(arguments: &[OsString]) -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    if let Some(code) = crate::watchdog::hidden(arguments).or_else(|| crate::confine::hidden(arguments)) {
        return Some(code);
    }
    let _ = arguments;
    None
}
