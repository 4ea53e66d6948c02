//! How often agents loaded the artifacts that were given as skills or as files.

use eval_format::{DeliveryCounts, Report};
use eval_message::msg;
use eval_message::plain::clip;

use super::TerminalPage;
use crate::terminal::names::NAME;

/// A line for each variant whose artifact was given so.
pub(super) fn lines<R>(page: &mut TerminalPage, report: &Report<R>) {
    let counted = report.summary.iter().filter_map(|(name, of)| Some((name, of.delivery?)));
    let mut is_empty = true;
    for (name, DeliveryCounts { executions, loaded, read, .. }) in counted.filter(|(_, of)| of.executions > 0) {
        let variant = clip(name, NAME);
        page.line(
            0,
            &match loaded {
                Some(loaded) => {
                    msg!("report-delivery-loaded", variant = variant, loaded = loaded, executions = executions)
                }
                None => msg!("report-delivery-read", variant = variant, read = read, executions = executions),
            },
        );
        is_empty = false;
    }
    if !is_empty {
        page.gap();
    }
}
