//! What `omk gold debias` shows.

use crate::minus::signed;
use eval_analysis::{LengthShift, Shift};
use eval_message::msg;
use eval_message::plain::clip;

use super::{Show, TerminalPage};
use crate::terminal::names::NAME;

/// The comparison, as text.
#[must_use]
pub fn length_shift_text(of: &LengthShift, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    let ShiftText { mean, low, high, n } = ShiftText::of(&of.shift);
    page.title(&msg!("report-length-shift", mean = mean, low = low, high = high, n = n));
    for variant in &of.variants {
        let ShiftText { mean, low, high, n } = ShiftText::of(&variant.shift);
        let name = clip(&variant.variant, NAME);
        page.line(2, &msg!("report-length-shift-variant", name = name, mean = mean, low = low, high = high, n = n));
    }
    for difference in &of.differences {
        let ShiftText { mean, low, high, n } = ShiftText::of(&difference.shift);
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
struct ShiftText {
    mean: String,
    low: String,
    high: String,
    n: u64,
}

impl ShiftText {
    fn of(shift: &Shift) -> ShiftText {
        let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), signed);
        let (low, high) = (shown(shift.ci.map(|ci| ci.low)), shown(shift.ci.map(|ci| ci.high)));
        ShiftText { mean: shown(shift.mean), low, high, n: shift.n }
    }
}
