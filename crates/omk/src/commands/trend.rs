//! `omk trend`: stored reports over time.

use std::path::PathBuf;

use eval_cli::{CommandError, Terminal, exit};
use eval_history::{Wanted, trend};
use eval_message::msg;
use eval_render::trend_text;
use eval_spec::Context;

use super::stored::{all, unreadable};
use crate::cli::TrendArgs;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &TrendArgs) -> Result<u8, CommandError> {
    let reports = &arguments.reports;
    let like = arguments.report.as_deref().map(|report| reports.find(terminal, context, report)).transpose()?;
    let directory = reports.path(context);
    if reports.reports_dir.is_some() && !directory.is_dir() {
        return Err(CommandError::usage(msg!("cli-no-reports-dir", dir = context.display(&directory)), None));
    }
    let (mut files, left) = newest(all(&directory), arguments.limit as usize);
    // The report of the argument may be in another directory.
    files.extend(like.clone().filter(|path| !files.contains(path)));
    let wanted = Wanted { like, test_sets: arguments.samples.clone() };
    let found = trend(&files, &wanted, |path| context.display(path)).map_err(unreadable)?;
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&trend_text(&found, terminal.show()));
    if left > 0 {
        terminal.note(&msg!("cli-trend-left", count = left, limit = arguments.limit));
    }
    Ok(exit::OK)
}

/// The `limit` newest files, and how many others there are.
fn newest(mut files: Vec<PathBuf>, limit: usize) -> (Vec<PathBuf>, usize) {
    let left = files.len().saturating_sub(limit);
    if left > 0 {
        let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
        files.sort_by_key(|path| std::cmp::Reverse(written(path)));
        files.truncate(limit);
    }
    (files, left)
}
