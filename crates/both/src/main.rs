//! What is installed: `omk` and `eval-skills` are one file under two names, since most of their code is the same.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().next().is_some_and(|name| is_eval_skills(&name)) { eval_skills::main() } else { omk::main() }
}

/// Whether the program was started as `eval-skills`, in any directory and with any extension, such as `.exe`.
fn is_eval_skills(name: &OsString) -> bool {
    Path::new(name).file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("eval-skills"))
}
