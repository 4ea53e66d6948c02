//! `journal prune`: removes the journals of old runs.

use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand};
use eval_message::msg;
use eval_run::{JournalLimits, StoredJournal, stored_journals};
use eval_spec::Context;
use eval_spec::record::Header;
use jiff::Timestamp;
use serde_json::json;

use crate::exit::{self, CommandError};
use crate::terminal::Terminal;

/// Manages journals.
#[derive(Debug, Subcommand)]
pub enum JournalCommand {
    /// Remove old journals: their runs can no longer be resumed or graded again
    Prune(PruneArgs),
}

/// Which journals are removed.
#[derive(Debug, Args)]
pub struct PruneArgs {
    /// Those that were last written to before so many days [default: 30, unless another limit is given]
    #[arg(long, value_name = "DAYS")]
    older_than: Option<u32>,
    /// All but so many of the latest
    #[arg(long, value_name = "N")]
    keep: Option<usize>,
    /// The oldest, until the rest has no more megabytes than this
    #[arg(long, value_name = "MB")]
    max_size: Option<u64>,
    /// Only print what would be removed
    #[arg(long)]
    pub dry_run: bool,
}

const DAY: Duration = Duration::from_secs(86_400);
const DEFAULT_DAYS: u32 = 30;

impl PruneArgs {
    fn limits(&self) -> JournalLimits {
        let given = self.keep.is_some() || self.max_size.is_some();
        let days = self.older_than.or((!given).then_some(DEFAULT_DAYS));
        JournalLimits {
            age: days.map(|days| DAY * days),
            count: self.keep,
            bytes: self.max_size.map(|mb| mb.saturating_mul(1_000_000)),
        }
    }
}

/// Removes the journals of runs that are `ours`, or lists them with `--dry-run`. The journal of an active run stays.
pub fn run(
    context: &Context,
    terminal: &Terminal,
    arguments: &PruneArgs,
    ours: impl Fn(&Header) -> bool,
) -> Result<u8, CommandError> {
    let all = stored_journals(&context.home, ours)?;
    let (mut removed, mut bytes) = (Vec::new(), 0_u64);
    for journal in arguments.limits().excess(&all, SystemTime::now()) {
        if !arguments.dry_run && !journal.remove()? {
            terminal.note(&msg!("cli-journal-in-use", id = &journal.id));
            continue;
        }
        terminal.say(&msg!(
            "cli-journal-line",
            id = &journal.id,
            date = date(journal),
            size = megabytes(journal.bytes)
        ));
        bytes += journal.bytes;
        removed.push(journal);
    }
    let summary = (removed.len(), all.len(), megabytes(bytes));
    terminal.say(&match arguments.dry_run {
        true => msg!("cli-journal-would", count = summary.0, all = summary.1, size = summary.2),
        false => msg!("cli-journal-removed", count = summary.0, all = summary.1, size = summary.2),
    });
    terminal.json(|| {
        let each = removed
            .iter()
            .map(|journal| json!({"id": journal.id, "lastWritten": date(journal), "bytes": journal.bytes}));
        json!({"dryRun": arguments.dry_run, "removed": each.collect::<Vec<_>>(), "kept": all.len() - removed.len()})
    });
    Ok(exit::OK)
}

fn date(journal: &StoredJournal) -> String {
    Timestamp::try_from(journal.written).map_or_else(|_| String::new(), |time| time.strftime("%Y-%m-%d").to_string())
}

#[expect(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
