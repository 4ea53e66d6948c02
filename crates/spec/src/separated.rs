//! Tables of separated values: with commas, semicolons or tabs. What a reader of CSV accepts in silence, and loses rows by.

use eval_message::{Message, msg};

/// The separator that the first line of a table has most of; of a `.tsv` a tab, if there is one.
#[must_use]
pub fn separator(beginning: &[u8], is_tsv: bool) -> u8 {
    let first = beginning.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |separator: u8| first.iter().filter(|byte| **byte == separator).count();
    if is_tsv && count(b'\t') > 0 {
        return b'\t';
    }
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|separator| count(*separator)).unwrap_or(b',')
}

/// The first name that two columns have.
#[must_use]
pub fn column_twice<'a>(names: &[&'a str]) -> Option<&'a str> {
    let mut seen = std::collections::HashSet::new();
    names.iter().find(|name| !name.is_empty() && !seen.insert(**name)).copied()
}

/// Where a byte stands in a table.
#[derive(Clone, Copy)]
enum FieldPart {
    Start,
    Plain,
    /// In quotes, which opened in this line.
    Quoted(u64),
    /// After the quote that closes those which opened in this line, or before the second of two.
    Closed(u64),
}

/// Finds quotes that are never closed, or that something follows: whatever was meant to close them, the rows until there
/// would be one text.
pub struct QuoteCheck {
    separator: u8,
    at: FieldPart,
    line: u64,
}

/// A quote that rows would be lost by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuote {
    /// The line in which it opens.
    pub opened: u64,
    /// The line in which it is closed with text behind; `None` where it is never closed.
    pub closed: Option<u64>,
}

impl OpenQuote {
    /// What is wrong; `place` is that of the line in which it opens.
    #[must_use]
    pub fn message(self, place: String) -> Message {
        match self.closed {
            Some(line) => msg!("results-quote-goes-on", place = place, line = line),
            None => msg!("results-quote-open", place = place),
        }
    }

    /// What to do about it.
    #[must_use]
    pub fn help() -> Message {
        msg!("results-quote-help")
    }
}

impl QuoteCheck {
    /// Of a table with this separator.
    #[must_use]
    pub fn new(separator: u8) -> QuoteCheck {
        QuoteCheck { separator, at: FieldPart::Start, line: 1 }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// Something follows a quote that is closed in them.
    pub fn take(&mut self, bytes: &[u8]) -> Result<(), OpenQuote> {
        for &byte in bytes {
            let ends = byte == self.separator || byte == b'\n' || byte == b'\r';
            self.at = match self.at {
                FieldPart::Quoted(opened) if byte == b'"' => FieldPart::Closed(opened),
                FieldPart::Quoted(opened) => FieldPart::Quoted(opened),
                FieldPart::Closed(opened) if byte == b'"' => FieldPart::Quoted(opened),
                _ if ends => FieldPart::Start,
                // blanks before the separator are harmless
                FieldPart::Closed(opened) if byte == b' ' => FieldPart::Closed(opened),
                FieldPart::Closed(opened) => return Err(OpenQuote { opened, closed: Some(self.line) }),
                // a byte order mark, before the first field
                FieldPart::Start if self.line == 1 && b"\xef\xbb\xbf".contains(&byte) => FieldPart::Start,
                FieldPart::Start if byte == b'"' => FieldPart::Quoted(self.line),
                FieldPart::Start | FieldPart::Plain => FieldPart::Plain,
            };
            self.line += u64::from(byte == b'\n');
        }
        Ok(())
    }

    /// At the end of the table.
    ///
    /// # Errors
    /// A quote is still open.
    pub fn finish(self) -> Result<(), OpenQuote> {
        match self.at {
            FieldPart::Quoted(opened) => Err(OpenQuote { opened, closed: None }),
            _ => Ok(()),
        }
    }
}
