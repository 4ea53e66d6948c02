//! `omk report verdict`: computes a stored report again from what its checks and judges found.

use eval_cli::{CommandError, Terminal};
use eval_history::recompute;
use eval_render::recomputed_text;
use eval_spec::Context;

use super::report::{Style, show};
use super::stored::{find, unreadable};
use crate::cli::VerdictArgs;

/// The exit code of a report whose numbers don't follow from each other.
const DISAGREES: u8 = 3;

/// Recomputes and compares; exits as the run did, or with 3 when a stored number is another one.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &VerdictArgs) -> Result<u8, CommandError> {
    let path = find(context, &arguments.report, arguments.reports_dir.as_deref())?;
    let of = recompute(&path, env!("CARGO_PKG_VERSION")).map_err(unreadable)?;
    terminal.json(|| serde_json::to_value(&of).unwrap_or_default());
    if !of.agrees {
        terminal.error(&of.headline(), None);
    }
    terminal.text(&recomputed_text(&of, show(terminal, Style::Eval)));
    Ok(if of.agrees { of.recomputed.exit_code } else { DISAGREES })
}
