//! JSON out of lines: a record a line, or a document over many.

use serde_json::Value;

use super::LineKind;
use crate::records::parsed;

/// How much of a document is kept, in bytes.
pub(super) const LIMIT: usize = 256 << 20;

/// How often the end of a document is guessed: each guess parses it.
const GUESSES: u8 = 8;

/// The object on a line, without what a crash of the machine or an editor left around it.
pub(super) fn object(line: &str) -> Option<Value> {
    parsed(trimmed(line)).filter(Value::is_object)
}

/// A line without white space, zeros and a byte order mark at its ends.
pub(super) fn trimmed(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\0' | '\u{feff}'))
}

/// Puts documents together. A line from `{` to `}` is one. One that is printed over several lines ends with a line of
/// closing brackets that isn't indented, where the next one begins, or with the file; so a line that was cut costs no
/// other one.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// The lines of a document that is not over.
    open: String,
    /// Whether it was larger than [`LIMIT`].
    is_over: bool,
    guesses: u8,
}

impl Documents {
    /// Takes a line, and calls `take` with each object that it ends.
    pub(super) fn line(&mut self, line: &str, take: &mut dyn FnMut(Value) -> LineKind) -> LineKind {
        if self.is_open() {
            return self.go_on(line, take);
        }
        let line = trimmed(line);
        match (line.chars().next(), line.ends_with('}')) {
            (None, _) => LineKind::Known,
            (Some('{'), true) => object(line).map_or(LineKind::Unreadable, take),
            (Some('[' | '{'), _) => {
                self.keep(line);
                self.guess(line, take).unwrap_or(LineKind::Known)
            }
            _ => LineKind::Unreadable,
        }
    }

    /// Ends the document that is not over.
    pub(super) fn end(&mut self, take: &mut dyn FnMut(Value) -> LineKind) -> LineKind {
        self.guesses = 0;
        let (open, is_over) = (std::mem::take(&mut self.open), std::mem::take(&mut self.is_over));
        match parsed(&open) {
            _ if is_over => LineKind::Unreadable,
            _ if open.is_empty() => LineKind::Known,
            Some(document) => each(document, take),
            None => LineKind::Unreadable,
        }
    }

    fn is_open(&self) -> bool {
        self.is_over || !self.open.is_empty()
    }

    fn go_on(&mut self, line: &str, take: &mut dyn FnMut(Value) -> LineKind) -> LineKind {
        if line.starts_with("{\"") && !self.open.starts_with('[') {
            let before = self.end(take);
            return before.worse(self.line(line, take));
        }
        self.keep(line);
        self.guess(line, take).unwrap_or(LineKind::Known)
    }

    /// The kind of the document that `line` ends, if it does.
    fn guess(&mut self, line: &str, take: &mut dyn FnMut(Value) -> LineKind) -> Option<LineKind> {
        let is_closing = |c: char| matches!(c, '}' | ']');
        let may_end = line.starts_with(is_closing) && line.trim_end().chars().all(is_closing);
        let is_whole = self.open.starts_with('[') && line.trim_end().ends_with(']') && line.starts_with('[');
        if !(may_end || is_whole) || self.guesses >= GUESSES || self.is_over {
            return None;
        }
        self.guesses += 1;
        let document = parsed(&self.open)?;
        self.open.clear();
        self.guesses = 0;
        Some(each(document, take))
    }

    fn keep(&mut self, line: &str) {
        self.is_over |= self.open.len().saturating_add(line.len()) > LIMIT;
        if self.is_over {
            self.open = String::new();
        } else {
            self.open.push_str(line);
            self.open.push('\n');
        }
    }
}

/// The objects of a document.
fn each(document: Value, take: &mut dyn FnMut(Value) -> LineKind) -> LineKind {
    match document {
        Value::Array(all) => all.into_iter().map(|one| each(one, &mut *take)).fold(LineKind::Known, LineKind::worse),
        document if document.is_object() => take(document),
        _ => LineKind::Unknown,
    }
}
