//! What people decided on gaps, from the project's file.

use std::path::Path;

use eval_cli::CommandError;
use eval_format::{GAP_STATUS_VERSION, GapStatusFile};
use eval_message::msg;
use eval_spec::{Context, files};

/// The decisions in a file; none where there is no file.
pub(crate) fn read_statuses(context: &Context, path: &Path) -> Result<GapStatusFile, CommandError> {
    let shown = || context.display(path);
    let text = match files::read_regular_text(path, files::LARGEST_TEXT) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(GapStatusFile::default()),
        Err(error) => return Err(CommandError::io(msg!("cli-cannot-read", path = shown()))(error)),
    };
    let file: GapStatusFile = serde_json::from_str(&text).map_err(|why| {
        CommandError::usage(
            msg!("cli-gaps-damaged", path = shown(), line = why.line(), why = why.to_string()),
            msg!("cli-gaps-damaged-help"),
        )
    })?;
    if file.format_version > GAP_STATUS_VERSION {
        return Err(CommandError::usage(msg!("cli-gaps-newer", path = shown(), version = file.format_version), None));
    }
    Ok(file)
}
