//! CSV: one line for each execution, for spreadsheets and data frames.

use std::fmt::Write as _;
use std::io::Write;

use eval_message::msg;
use eval_message::plain::turns_text;
use serde_json::Value;

use crate::formats::spec::FormatSpec;
use crate::view::rows::{RowField, Rows};
use crate::view::{comparison, evaluation};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "csv",
    extension: "csv",
    about: || msg!("report-format-csv"),
    comparison: Some(|report, _, to| write(comparison::rows(report), to)),
    evaluation: Some(|of, _, to| write(evaluation::rows(of), to)),
};

/// Writes a head and the rows. Empty means unknown. A text that a spreadsheet would take for a formula gets an
/// apostrophe in front.
fn write(rows: Rows<'_>, to: &mut dyn Write) -> std::io::Result<()> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(to);
    writer.write_record(rows.heads)?;
    for row in rows.rows {
        writer.write_record(row.into_iter().map(cell))?;
    }
    writer.flush()
}

/// A number is no formula, a negative one neither.
fn cell(of: RowField) -> String {
    match of {
        RowField::Figure(Value::String(word)) => word,
        RowField::Figure(Value::Null) => String::new(),
        // 5, and not 5.0
        RowField::Figure(Value::Number(number)) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        RowField::Figure(figure) => figure.to_string(),
        RowField::Text(foreign) => text(&foreign),
    }
}

/// What OWASP's "CSV injection" page asks for: no untrusted cell begins like a formula, also behind invisible characters.
/// Control characters are shown and not obeyed by a terminal: line breaks and tabs stay, the rest becomes its picture; and what
/// turns text around or takes no room its number.
fn text(of: &str) -> String {
    let of: String = of.chars().map(harmless).collect();
    let mut shown = String::with_capacity(of.len());
    for c in of.chars() {
        match turns_text(c) {
            true => _ = write!(shown, "⟦U+{:04X}⟧", u32::from(c)),
            false => shown.push(c),
        }
    }
    let is_unseen = |c: char| (c.is_whitespace() && !matches!(c, '\t' | '\r' | '\n')) || turns_text(c);
    match of.trim_start_matches(is_unseen).chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '|' | '%' | '＝' | '＋' | '－' | '＠') => {
            format!("'{shown}")
        }
        _ => shown,
    }
}

/// U+2400 and what follows are pictures of control characters.
fn harmless(c: char) -> char {
    match c {
        '\t' | '\r' | '\n' => c,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '␡',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}
