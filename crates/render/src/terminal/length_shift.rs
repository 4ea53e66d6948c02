//! What `omk gold debias` shows.

use eval_analysis::{LengthShift, Shift};
use eval_message::msg;
use eval_message::number::signed;
use eval_message::plain::clip;

use super::{Page, Show};
use crate::terminal::names::NAME;

/// The comparison, as text.
#[must_use]
pub fn length_shift_text(of: &LengthShift, show: Show) -> String {
    let mut page = Page::new(show);
    let Points { mean, low, high, n } = Points::of(&of.shift);
    page.title(&msg!("report-length-shift", mean = mean, low = low, high = high, n = n));
    for variant in &of.variants {
        let Points { mean, low, high, n } = Points::of(&variant.shift);
        let name = clip(&variant.variant, NAME);
        page.line(2, &msg!("report-length-shift-variant", name = name, mean = mean, low = low, high = high, n = n));
    }
    for difference in &of.differences {
        let Points { mean, low, high, n } = Points::of(&difference.shift);
        let name = clip(&difference.treatment, NAME);
        page.line(2, &msg!("report-length-shift-difference", name = name, mean = mean, low = low, high = high, n = n));
    }
    if of.missing > 0 {
        page.line(2, &msg!("report-length-shift-missing", count = of.missing));
    }
    page.gap();
    page.line(0, &msg!("report-length-shift-meaning"));
    page.text
}

/// A shift with its interval, as text.
struct Points {
    mean: String,
    low: String,
    high: String,
    n: u64,
}

impl Points {
    fn of(shift: &Shift) -> Points {
        let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), signed);
        let (low, high) = (shown(shift.ci.map(|ci| ci.low)), shown(shift.ci.map(|ci| ci.high)));
        Points { mean: shown(shift.mean), low, high, n: shift.n }
    }
}
