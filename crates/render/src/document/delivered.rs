//! How often agents loaded the artifacts that were given as skills or as files.

use eval_format::{DeliveryCounts, Report};
use eval_message::msg;
use eval_message::plain::clip;

use super::block::{Block, line};
use super::text::NAME;

/// Returns a line for each variant whose artifact was given so.
pub(super) fn blocks<R>(report: &Report<R>) -> Vec<Block> {
    let counted = report.summary.iter().filter_map(|(name, summary)| Some((name, summary.delivery?)));
    let lines = counted.filter(|(_, counts)| counts.executions > 0).map(|(name, counts)| {
        let (DeliveryCounts { executions, loaded, read, .. }, variant) = (counts, clip(name, NAME));
        match loaded {
            Some(loaded) => {
                msg!("report-delivery-loaded", variant = variant, loaded = loaded, executions = executions)
            }
            None => msg!("report-delivery-read", variant = variant, read = read, executions = executions),
        }
    });
    lines.map(|message| line(0, message)).collect()
}
