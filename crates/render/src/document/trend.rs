//! Gap rates over time.

use eval_format::GapTrendPoint;
use eval_history::trend::Point;
use eval_message::{Message, msg};

use super::text::commit;

/// Returns the columns of gap rates over time, after the one that names the run.
pub(crate) fn gap_heads() -> [Message; 7] {
    [
        msg!("report-trend-commit"),
        msg!("report-trend-score"),
        msg!("report-trend-coverage"),
        msg!("report-trend-gap-rate"),
        msg!("report-trend-set"),
        msg!("report-trend-samples"),
        msg!("report-trend-cost"),
    ]
}

/// Returns the commit, with a mark where the knowledge base changed.
pub(crate) fn marked_commit(point: &Point, gap: &GapTrendPoint) -> String {
    let commit = point.commit.as_deref().map_or_else(|| "–".to_owned(), commit);
    if gap.knowledge_change.is_some() { format!("▼ {commit}") } else { commit }
}
