//! Records out of lines.

use eval_spec::halves::read_mended;
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

/// A line of JSON.
pub(crate) fn parsed(line: &str) -> Option<Value> {
    read_mended(line).ok()
}
