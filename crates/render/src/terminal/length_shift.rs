//! What `omk gold debias` shows.

use eval_analysis::{LengthShift, Shift};
use eval_message::number::signed;
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::{NAME, Page, Show};

/// The comparison, as text.
#[must_use]
pub fn length_shift_text(of: &LengthShift, show: Show) -> String {
    let mut page = Page::new(show);
    page.title(&said(&of.shift, "report-length-shift", None));
    for variant in &of.variants {
        page.line(2, &said(&variant.shift, "report-length-shift-variant", Some(&variant.variant)));
    }
    for difference in &of.differences {
        page.line(2, &said(&difference.shift, "report-length-shift-difference", Some(&difference.treatment)));
    }
    if of.missing > 0 {
        page.line(2, &msg!("report-length-shift-missing", count = of.missing));
    }
    page.gap();
    page.line(0, &msg!("report-length-shift-meaning"));
    page.text
}

fn said(shift: &Shift, key: &'static str, name: Option<&String>) -> Message {
    let shown = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), signed);
    let message = Message::new(key)
        .with("mean", shown(shift.mean))
        .with("low", shown(shift.ci.map(|ci| ci.low)))
        .with("high", shown(shift.ci.map(|ci| ci.high)))
        .with("n", shift.n);
    match name {
        Some(name) => message.with("name", clip(name, NAME)),
        None => message,
    }
}
