//! Files that a command is told to write, which must not be files that it reads.

use std::path::Path;

use eval_message::msg;
use eval_spec::Context;
use eval_spec::files::identity;

use crate::CommandError;

/// Refuses to overwrite an input of the command.
///
/// # Errors
/// `output` exists, and is one of `inputs` or lies in a directory that is one of them. Paths are compared as files, so a
/// link to an input is the input.
pub fn check_not_input<'p>(
    context: &Context,
    output: &Path,
    inputs: impl IntoIterator<Item = &'p Path>,
) -> Result<(), CommandError> {
    match inputs.into_iter().any(|input| is_same(input, output) || is_inside(output, input)) {
        true => Err(CommandError::usage(msg!("cli-output-is-input", path = context.display(output)), None)),
        false => Ok(()),
    }
}

/// Whether a file that exists lies in a directory.
#[must_use]
pub fn is_inside(file: &Path, directory: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(directory)
        .is_some_and(|directory| directory.is_dir() && real(file).is_some_and(|file| file.starts_with(directory)))
}

/// Whether two paths lead to the same file, also through symbolic links. Hard links are only seen where the system gives
/// files a number, as Unix does.
#[must_use]
pub fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    match (a.metadata(), b.metadata()) {
        (Ok(first), Ok(second)) => match identity(&first) {
            Some(first) => Some(first) == identity(&second),
            None => real(a).is_some_and(|a| Some(a) == real(b)),
        },
        _ => false,
    }
}
