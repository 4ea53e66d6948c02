//! The program that is installed: `omk` and `eval-skills` are one file under two names, since most of their code is the same.

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let name = std::env::args_os().next().unwrap_or_default();
    if is_eval_skills(&name) { eval_skills::main() } else { omk::main() }
}

/// Returns whether a program of this name is `eval-skills`: also one with a version or an extension, or a login shell's `-`.
fn is_eval_skills(name: &OsStr) -> bool {
    let file = Path::new(name).file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    file.trim_start_matches('-').starts_with("eval-skills")
}
