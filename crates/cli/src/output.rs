//! Checks that an output file is not an input.

use std::path::Path;

use eval_message::msg;
use eval_spec::Context;
use eval_spec::files::identity;

use crate::CommandError;

/// Rejects an existing `output` that is one of `inputs` or lies in a directory of `inputs`. Files are compared, not
/// paths, so a link to an input is the input.
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

/// Returns `true` for an existing file in a directory.
#[must_use]
pub fn is_inside(file: &Path, directory: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(directory)
        .is_some_and(|directory| directory.is_dir() && real(file).is_some_and(|file| file.starts_with(directory)))
}

/// Returns `true` if two paths lead to the same file, also through symbolic links; also through hard links on systems
/// that number files, like Unix.
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
