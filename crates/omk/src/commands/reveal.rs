//! `omk report reveal`: the names of a report that is read blind.

use eval_cli::{CommandError, Terminal, exit};
use eval_format::{BlindFile, reveal_report};
use eval_message::msg;
use eval_spec::Context;
use serde_json::json;

use super::stored::{read, unreadable};
use crate::cli::StoredReport;

/// Reveals the names, and says which label hid which; those of a report that is open already are said again.
pub(crate) fn run(context: &Context, terminal: &Terminal, stored: &StoredReport) -> Result<u8, CommandError> {
    let path = stored.find(terminal, context)?;
    let hidden = eval_history::read(&path).map_err(unreadable)?;
    BlindFile::of_report(&path, &hidden).map_err(unreadable)?;
    let labels = hidden.meta.variants;
    let is_new = reveal_report(&path, &context.clock.now().to_string(), None).map_err(unreadable)?;
    let beside = BlindFile::beside(&path).map_err(unreadable)?;
    let Some(when) = beside.as_ref().and_then(BlindFile::revealed_at) else {
        return Err(CommandError::usage(msg!("cli-reveal-open", path = context.display(&path)), None));
    };
    // those of a report with labels, in its order
    let names = read(&path)?.meta.variants;
    terminal.json(|| json!({ "revealedAt": when, "wasHidden": is_new, "labels": &labels, "variants": &names }));
    let day = when.get(..16).unwrap_or(when).replace('T', " ");
    terminal.say(&match is_new {
        true => msg!("cli-reveal-now", time = day),
        false => msg!("cli-reveal-before", time = day),
    });
    for (label, name) in labels.iter().zip(&names).filter(|(label, name)| label != name) {
        terminal.say(&msg!("cli-reveal-name", label = label, name = name));
    }
    Ok(exit::OK)
}
