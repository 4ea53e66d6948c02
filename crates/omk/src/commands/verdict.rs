//! `omk report verdict`: recomputes a stored report from its checks and judgements.

use eval_cli::{CommandError, Terminal, exit};
use eval_history::recompute;
use eval_render::recomputed_text;
use eval_spec::Context;

use super::stored::unreadable;
use crate::cli::StoredReport;

/// Recomputes and compares; exits as the run did, or as an invalid run if a stored number differs.
pub(crate) fn run(context: &Context, terminal: &Terminal, stored: &StoredReport) -> Result<u8, CommandError> {
    let of = recompute(&stored.find(terminal, context)?, env!("CARGO_PKG_VERSION")).map_err(unreadable)?;
    terminal.json(|| serde_json::to_value(&of).unwrap_or_default());
    let follows = of.differences.is_empty();
    if !follows {
        terminal.error(&of.headline(), None);
    }
    terminal.text(&recomputed_text(&of, terminal.show()));
    Ok(if follows { of.recomputed.exit_code } else { exit::INVALID })
}
