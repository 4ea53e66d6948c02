//! `omk report verdict`: computes the verdict of a stored report again, from the numbers it was decided on
//! (T10).

use std::path::{Path, PathBuf};

use eval_spec::{Context, msg};
use serde_json::json;

use crate::cli::VerdictArgs;
use crate::exit::Failure;
use crate::terminal::Terminal;

/// The exit code of a verdict that does not follow from its report's numbers.
const DISAGREES: u8 = 3;

/// Recomputes and compares; exits as the run did, or with 3 when the stored verdict is another one.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &VerdictArgs) -> Result<u8, Failure> {
    let path = find(context, &arguments.report, arguments.reports_dir.as_deref())?;
    let stored = eval_report::read_analysis(&path)?.verdict;
    let again = eval_report::verdict(&stored.inputs);
    let agrees = again == stored;
    terminal.json(|| json!({"agrees": agrees, "stored": &stored, "recomputed": &again}));
    let (tier, code) = (again.tier.name(), again.exit_code);
    if agrees {
        terminal.say(&msg!("cli-verdict-agrees", tier = tier, code = u32::from(code)));
        return Ok(code);
    }
    let message = msg!("cli-verdict-disagrees", stored = stored.tier.name(), tier = tier, code = u32::from(code));
    terminal.error(&message, None);
    Ok(DISAGREES)
}

/// A report by path, or by its id in the directory of reports.
pub(super) fn find(context: &Context, report: &str, directory: Option<&Path>) -> Result<PathBuf, Failure> {
    let as_path = context.absolute(Path::new(report));
    if as_path.is_file() {
        return Ok(as_path);
    }
    let directory = directory.map_or_else(|| context.home.join("reports"), |directory| context.absolute(directory));
    let named = directory.join(format!("{report}.json"));
    let is_name = !report.contains(['/', '\\']);
    match is_name && named.is_file() {
        true => Ok(named),
        false => Err(Failure::usage(
            msg!("cli-no-report", report = report, dir = context.display(&directory)),
            msg!("cli-no-report-help"),
        )),
    }
}
