//! `omk report verdict`: computes the verdict of a stored report again, from the numbers it was decided on
//! (T10).

use eval_spec::{Context, msg};
use serde_json::json;

use super::stored::find;
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
