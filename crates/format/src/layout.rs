//! The layout of a report's JSON: indented, but each of its `results` on one line. They are most of the file, and read by
//! programs.

use std::io::{Result, Write};

use eval_spec::credentials::masked;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, PrettyFormatter};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Serializer, Value};

/// Writes a report as JSON, without a newline at the end, and without the passwords and keys of addresses in any of its texts.
///
/// # Errors
/// When it can't be serialised or `writer` refuses.
pub fn write_document(writer: impl Write, report: &impl Serialize) -> serde_json::Result<()> {
    let layout = Layout { indented: PrettyFormatter::new(), depth: 0, is_in_results: false, text: Vec::new() };
    report.serialize(&mut Serializer::with_formatter(writer, layout))
}

/// One of a report's results as it stands in the document: on one line, without the passwords and keys of addresses.
///
/// # Errors
/// When it can't be serialised.
pub fn masked_line(value: &impl Serialize) -> serde_json::Result<Box<RawValue>> {
    let plain = to_raw_value(value)?;
    let has_address = ["://", r":\\/"].iter().any(|mark| plain.get().contains(mark));
    if !has_address {
        return Ok(plain);
    }
    let layout = Layout { indented: PrettyFormatter::new(), depth: IN_RESULTS, is_in_results: true, text: Vec::new() };
    let mut line = Vec::with_capacity(plain.get().len());
    value.serialize(&mut Serializer::with_formatter(&mut line, layout))?;
    serde_json::from_slice(&line)
}

/// How deep the members of one of the results are.
const IN_RESULTS: usize = 3;

struct Layout<'i> {
    indented: PrettyFormatter<'i>,
    /// How many objects and lists are open.
    depth: usize,
    /// Whether the current member of the outermost object is `results`.
    is_in_results: bool,
    /// The current text, unescaped.
    text: Vec<u8>,
}

impl Layout<'_> {
    /// Returns whether the current place is inside of one of the results.
    fn is_on_one_line(&self) -> bool {
        self.is_in_results && self.depth >= IN_RESULTS
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

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.text.clear();
        // A key that is a number is written as one, between these quotes.
        writer.write_all(b"\"")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, _: &mut W, text: &str) -> Result<()> {
        self.text.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, _: &mut W, escape: CharEscape) -> Result<()> {
        self.text.push(match escape {
            CharEscape::Quote => b'"',
            CharEscape::ReverseSolidus => b'\\',
            CharEscape::Solidus => b'/',
            CharEscape::Backspace => 8,
            CharEscape::FormFeed => 12,
            CharEscape::LineFeed => b'\n',
            CharEscape::CarriageReturn => b'\r',
            CharEscape::Tab => b'\t',
            CharEscape::AsciiControl(byte) => byte,
        });
        Ok(())
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        let text = String::from_utf8_lossy(&self.text);
        // Values at this depth are followed by a key before anything depends on this.
        if self.depth == 1 {
            self.is_in_results = text == "results";
        }
        let quoted = serde_json::to_string(masked(&text).as_deref().unwrap_or(&text))?;
        writer.write_all(&quoted.as_bytes()[1..])
    }
}

/// A value as JSON, without the passwords and keys of addresses in any of its texts.
///
/// # Errors
/// When it can't be serialised.
pub fn masked_value(value: &impl Serialize) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(value)?;
    mask(&mut value);
    Ok(value)
}

fn mask(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some(masked) = masked(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => fields.values_mut().for_each(mask),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
