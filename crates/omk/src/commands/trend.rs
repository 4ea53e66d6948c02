//! `omk trend`: stored reports over time.

use std::path::PathBuf;

use eval_cli::{CommandError, Terminal, exit};
use eval_history::{Wanted, trend};
use eval_message::msg;
use eval_render::trend_text;
use eval_spec::Context;

use super::report::{Style, show};
use super::stored::{all, directory, find, unreadable};
use crate::cli::TrendArgs;

/// Reads the newest reports and shows them in series.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &TrendArgs) -> Result<u8, CommandError> {
    let given = arguments.reports_dir.as_deref();
    let like = arguments.report.as_deref().map(|report| find(context, report, given)).transpose()?;
    let directory = directory(context, given);
    if given.is_some() && !directory.is_dir() {
        return Err(CommandError::usage(msg!("cli-no-reports-dir", dir = context.display(&directory)), None));
    }
    let mut files = newest(all(&directory), arguments.limit as usize);
    let left = files.1;
    // a report that is named may lie elsewhere
    files.0.extend(like.iter().filter(|path| !files.0.contains(path)).cloned().collect::<Vec<_>>());
    let wanted = Wanted { like, test_sets: arguments.samples.clone() };
    let found = trend(&files.0, &wanted, |path| context.display(path)).map_err(unreadable)?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&trend_text(&found, show(terminal, Style::Eval)));
    if left > 0 {
        terminal.note(&msg!("cli-trend-left", count = left, limit = arguments.limit));
    }
    Ok(exit::OK)
}

/// The files that were written last, and how many there are beside them.
fn newest(mut files: Vec<PathBuf>, limit: usize) -> (Vec<PathBuf>, usize) {
    let left = files.len().saturating_sub(limit);
    if left > 0 {
        let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
        files.sort_by_key(|path| std::cmp::Reverse(written(path)));
        files.truncate(limit);
    }
    (files, left)
}
