//! Output of `omk gold debias`.

use eval_analysis::{LengthShift, Shift};
use eval_message::msg;
use eval_message::plain::clip;

use super::TerminalPage;
use crate::document::text::{NAME, or_dash};
use crate::minus::signed;
use crate::show::Show;

#[must_use]
pub fn length_shift_text(of: &LengthShift, show: Show) -> String {
    let mut page = TerminalPage::new(show);
    let figures = |shift: &Shift| {
        [shift.mean, shift.ci.map(|ci| ci.low), shift.ci.map(|ci| ci.high)].map(|figure| or_dash(figure, signed))
    };
    let ([mean, low, high], n) = (figures(&of.shift), of.shift.n);
    page.title(&msg!("report-length-shift", mean = mean, low = low, high = high, n = n));
    for variant in &of.variants {
        let ([mean, low, high], n) = (figures(&variant.shift), variant.shift.n);
        let name = clip(&variant.variant, NAME);
        page.line(2, &msg!("report-length-shift-variant", name = name, mean = mean, low = low, high = high, n = n));
    }
    for difference in &of.differences {
        let ([mean, low, high], n) = (figures(&difference.shift), difference.shift.n);
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
