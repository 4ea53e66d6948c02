//! The output of `omk report verdict`: whether a stored report follows from its results, and which numbers don't.

use eval_history::{NotFollowing, Recomputed};
use eval_message::msg;
use eval_message::plain::clip;
use serde_json::Value;

use super::TerminalPage;
use crate::document::story::gate;
use crate::show::Show;

/// How many differences are listed.
const LISTED: usize = 10;
/// Columns of a value.
const VALUE: usize = 60;

#[must_use]
pub fn recomputed_text(recomputed: &Recomputed, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    let (tier, code) = (recomputed.recomputed.tier.name(), u32::from(recomputed.recomputed.exit_code));
    if recomputed.agrees {
        page.line(0, &msg!("report-verdict-agrees", tier = tier, code = code));
        page.line(2, &gate(&recomputed.recomputed));
    } else {
        differences(&mut page, recomputed);
    }
    page.gap();
    page.line(0, &msg!("report-as-stored-title"));
    for part in &recomputed.taken_as_stored {
        let text = show.text(&part.why.message_key);
        page.bullet(&text);
    }
    if !recomputed.not_stored.is_empty() {
        page.line(
            0,
            &msg!(
                "report-not-stored",
                count = recomputed.not_stored.len(),
                path = clip(&recomputed.not_stored[0], VALUE)
            ),
        );
    }
    page.text
}

fn differences(page: &mut TerminalPage, recomputed: &Recomputed) {
    page.title(&msg!("report-verdict-disagrees", count = recomputed.differences.len()));
    if let Some(version) = &recomputed.written_by {
        page.line(2, &msg!("report-verdict-version", version = clip(version, 20)));
    }
    page.gap();
    recomputed.differences.iter().take(LISTED).for_each(|one| difference(page, one));
    let more = recomputed.differences.len().saturating_sub(LISTED);
    if more > 0 {
        page.line(2, &msg!("report-verdict-more", count = more));
    }
}

fn difference(page: &mut TerminalPage, one: &NotFollowing) {
    page.raw(2, &clip(&one.path, 200));
    let (stored, recomputed) = (value(&one.stored), value(&one.recomputed));
    let from = one.from.message_key.clone();
    page.line(4, &msg!("report-not-following", stored = stored, recomputed = recomputed, from = from));
}

fn value(of: &Value) -> String {
    clip(&of.to_string(), VALUE)
}
