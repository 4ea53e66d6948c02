//! What files of results and the store say, as failures of a command: their paths as people see them.

use eval_cli::CommandError;
use eval_format::skills::FileError;
use eval_serve::StoreError;
use eval_spec::Context;

/// What the store said.
pub(crate) fn store(context: &Context, error: &StoreError) -> CommandError {
    CommandError::usage(error.told(&|path| context.display(path)), error.help())
}

/// What a file of results said.
pub(crate) fn file(context: &Context, error: &FileError) -> CommandError {
    CommandError::usage(error.told(&|path| context.display(path)), error.help())
}
