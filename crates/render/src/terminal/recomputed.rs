//! The output of `omk report verdict`: whether a stored report follows from its results, and which numbers don't.

use eval_history::{NotFollowing, Recomputed};
use eval_message::msg;
use eval_message::plain::clip;
use serde_json::Value;

use super::{Show, TerminalPage};
use crate::sentence::gate;

/// How many differences are listed.
const LISTED: usize = 10;
/// Columns of a value.
const VALUE: usize = 60;

/// The outcome of computing a report again.
#[must_use]
pub fn recomputed_text(of: &Recomputed, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    let (tier, code) = (of.recomputed.tier.name(), u32::from(of.recomputed.exit_code));
    if of.agrees {
        page.line(0, &msg!("report-verdict-agrees", tier = tier, code = code));
        page.line(2, &gate(&of.recomputed));
    } else {
        differences(&mut page, of);
    }
    page.gap();
    page.line(0, &msg!("report-as-stored-title"));
    for part in &of.taken_as_stored {
        let text = show.text(&part.why.message_key);
        page.bullet(&text);
    }
    page.text
}

fn differences(page: &mut TerminalPage, of: &Recomputed) {
    page.title(&msg!("report-verdict-disagrees", count = of.differences.len()));
    if let Some(version) = &of.written_by {
        page.line(2, &msg!("report-verdict-version", version = clip(version, 20)));
    }
    page.gap();
    of.differences.iter().take(LISTED).for_each(|one| difference(page, one));
    let more = of.differences.len().saturating_sub(LISTED);
    if more > 0 {
        page.line(2, &msg!("report-verdict-more", count = more));
    }
}

fn difference(page: &mut TerminalPage, one: &NotFollowing) {
    page.raw(2, &clip(&one.path, 200));
    let from = page.show.text(&one.from.message_key);
    let message =
        msg!("report-not-following", stored = value(&one.stored), recomputed = value(&one.recomputed), from = from);
    page.line(4, &message);
}

fn value(of: &Value) -> String {
    clip(&of.to_string(), VALUE)
}
