//! Records out of lines.

use serde_json::Value;

use crate::lines::MAX_LINE;

/// Puts records together: a line is one, unless it is `{`. Then the lines below belong to it, as far as they are
/// indented, and the `}` after them.
#[derive(Debug, Default)]
pub(crate) struct Records {
    /// The lines of a record that is not over.
    open: String,
}

impl Records {
    /// Takes a line, and calls `record` with each record that it ends; `None` is one that is no JSON.
    pub(crate) fn line(&mut self, line: &str, mut record: impl FnMut(Option<Value>)) {
        if !self.open.is_empty() {
            let is_end = line.trim_end() == "}";
            if is_end || line.starts_with([' ', '\t']) {
                self.keep(line);
                if is_end {
                    self.finish(record);
                }
                return;
            }
            self.finish(&mut record);
        }
        match line.trim() {
            "" => {}
            "{" => self.keep(line),
            line => record(parsed(line)),
        }
    }

    /// Ends the record that is not over.
    pub(crate) fn finish(&mut self, mut record: impl FnMut(Option<Value>)) {
        if !self.open.is_empty() {
            record(parsed(&std::mem::take(&mut self.open)));
        }
    }

    /// What is above the limit of a line is dropped, which leaves JSON that does not parse.
    fn keep(&mut self, line: &str) {
        if self.open.len() + line.len() <= MAX_LINE {
            self.open.push_str(line);
            self.open.push('\n');
        }
    }
}

/// A line of JSON. JavaScript writes halves of a character where a text was cut in the middle of one, which are no JSON: they
/// become the sign for what can't be read.
pub(crate) fn parsed(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok().or_else(|| serde_json::from_str(&without_halves(line)?).ok())
}

/// The line with `\ufffd` for each escaped half of a surrogate pair; `None` where there is none.
pub(crate) fn without_halves(line: &str) -> Option<String> {
    let (mut text, mut rest, mut found) = (String::with_capacity(line.len()), line, false);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        text.push_str(before);
        let unit = |escape: &str| u32::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok();
        let first = unit(escape).unwrap_or(0);
        let second = escape.get(6..).and_then(unit).unwrap_or(0);
        let (kept, length) = match first {
            0xd800..=0xdbff if (0xdc00..=0xdfff).contains(&second) => (&escape[..12], 12),
            0xd800..=0xdfff => {
                found = true;
                ("\\ufffd", 6)
            }
            // An escaped backslash begins no escape.
            _ => {
                let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
                (&escape[..length], length)
            }
        };
        text.push_str(kept);
        rest = &escape[length..];
    }
    text.push_str(rest);
    found.then_some(text)
}
