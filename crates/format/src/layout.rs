//! The layout of a report's JSON: indented, but each of its `results` on one line. They are most of the file, and read by
//! programs.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};

/// Writes a report as JSON, without a newline at the end.
///
/// # Errors
/// When it can't be serialised or `writer` refuses.
pub fn write_document(writer: impl Write, report: &impl Serialize) -> serde_json::Result<()> {
    let layout = Layout { indented: PrettyFormatter::new(), depth: 0, is_in_results: false };
    report.serialize(&mut Serializer::with_formatter(writer, layout))
}

struct Layout<'i> {
    indented: PrettyFormatter<'i>,
    /// How many objects and lists are open.
    depth: usize,
    /// Whether the current member of the outermost object is `results`.
    is_in_results: bool,
}

impl Layout<'_> {
    /// Returns whether the current place is inside of one of the results.
    fn is_on_one_line(&self) -> bool {
        self.is_in_results && self.depth > 2
    }
}

impl Formatter for Layout<'_> {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        if self.is_on_one_line() { CompactFormatter.begin_array(writer) } else { self.indented.begin_array(writer) }
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let is_on_one_line = self.is_on_one_line();
        self.depth -= 1;
        if is_on_one_line { CompactFormatter.end_array(writer) } else { self.indented.end_array(writer) }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.depth += 1;
        if self.is_on_one_line() { CompactFormatter.begin_object(writer) } else { self.indented.begin_object(writer) }
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let is_on_one_line = self.is_on_one_line();
        self.depth -= 1;
        if is_on_one_line { CompactFormatter.end_object(writer) } else { self.indented.end_object(writer) }
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, is_first: bool) -> Result<()> {
        if self.is_on_one_line() {
            CompactFormatter.begin_array_value(writer, is_first)
        } else {
            self.indented.begin_array_value(writer, is_first)
        }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        if self.is_on_one_line() {
            CompactFormatter.end_array_value(writer)
        } else {
            self.indented.end_array_value(writer)
        }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, is_first: bool) -> Result<()> {
        if self.is_on_one_line() {
            CompactFormatter.begin_object_key(writer, is_first)
        } else {
            self.indented.begin_object_key(writer, is_first)
        }
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        if self.is_on_one_line() {
            CompactFormatter.begin_object_value(writer)
        } else {
            self.indented.begin_object_value(writer)
        }
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        if self.is_on_one_line() {
            CompactFormatter.end_object_value(writer)
        } else {
            self.indented.end_object_value(writer)
        }
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, text: &str) -> Result<()> {
        // Values at this depth are followed by a key before anything depends on this.
        if self.depth == 1 {
            self.is_in_results = text == "results";
        }
        writer.write_all(text.as_bytes())
    }
}
