//! `omk report export REPORT --format inspect`: a log for each variant, as Inspect reads them.

use std::path::Path;

use eval_cli::output::is_inside;
use eval_cli::{CommandError, Terminal, exit};
use eval_message::{Message, msg};
use eval_render::inspect_logs;
use eval_spec::Context;

use super::stored::read;

/// The name of the format, which is a directory of files.
pub(crate) const FORMAT: &str = "inspect";

/// Where the logs go unless said otherwise.
const FOLDER: &str = "inspect-logs";

/// What the format is, in one line.
pub(crate) fn about() -> Message {
    msg!("report-format-inspect")
}

/// Writes the logs of a report into a folder.
pub(crate) fn export(
    context: &Context,
    terminal: &Terminal,
    stored: &Path,
    output: Option<&Path>,
) -> Result<u8, CommandError> {
    let report = read(stored)?;
    let folder = context.absolute(output.unwrap_or(Path::new(FOLDER)));
    let shown = context.display(&folder);
    if is_inside(&folder, &context.home) {
        return Err(CommandError::usage(msg!("cli-export-stored", path = shown), None));
    }
    let files = inspect_logs::write(&report, &folder)
        .map_err(|error| CommandError::usage(error.told(&|path: &Path| context.display(path)), None))?;
    let files: Vec<String> = files.iter().map(|path| context.display(path)).collect();
    terminal.json(|| serde_json::json!({ "format": FORMAT, "path": shown, "files": files }));
    terminal.say(&msg!("cli-export-inspect-written", path = shown, count = files.len()));
    Ok(exit::OK)
}
