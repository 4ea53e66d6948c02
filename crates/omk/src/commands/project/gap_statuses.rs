//! What people decided on gaps, from a file.

use std::path::Path;

use eval_cli::CommandError;
use eval_format::GapStatusFile;
use eval_message::msg;
use eval_spec::Context;

/// The decisions in a file; none where there is no file.
pub(crate) fn read_statuses(context: &Context, path: &Path) -> Result<GapStatusFile, CommandError> {
    GapStatusFile::read(path, &context.display(path))
        .map_err(|why| CommandError::usage(why, msg!("cli-gaps-damaged-help")))
}
