//! JSON text → tree with places.
//!
//! `serde_json` reports no places and stops at the first error. This reader accepts exactly what
//! `serde_json` accepts (a property test compares them), knows every value's place, and
//! goes on after common mistakes: a missing or trailing comma, a comment, `True`, a line break inside a text.

use eval_message::{Message, msg};
use eval_spec::source::Span;
use serde_json::Number;

use super::lookalike;
use super::problems::Problems;
use super::tree::{Entries, MAX_DEPTH, Node, NodeData, ObjectEntry};

/// The tree of a whole JSON text; cut off where reading had to stop.
pub(super) fn parse(text: &str, problems: &mut Problems) -> Option<Node> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, depth: 0, problems };
    parser.skip_space();
    let node = parser.value();
    if node.as_ref().is_some_and(|node| !node.cut) {
        parser.skip_space();
        if parser.at < parser.bytes.len() {
            parser.error_here(msg!("load-json-after-end"));
        }
    }
    node
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    problems: &'a mut Problems,
}

/// The token after an element.
enum Next {
    Element,
    End,
    Stop,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn error(&mut self, start: usize, end: usize, message: Message) {
        self.problems.error(Span { start, len: end.saturating_sub(start) }, message);
    }

    /// An error at the next character; at the end of the text, just behind the last one.
    fn error_here(&mut self, message: Message) {
        let start = self.text.floor_char_boundary(self.at);
        let len = self.text[start..].chars().next().map_or(0, char::len_utf8);
        self.error(start, start + len, message);
    }

    /// An error at the next character, which `what` shows.
    fn expected(&mut self, what: impl FnOnce(String) -> Message) {
        match self.text[self.at..].chars().next() {
            Some(c) if let help @ Some(_) = lookalike::help(c) => {
                let span = Span { start: self.at, len: c.len_utf8() };
                self.problems.error_with_help(span, what(format!("`{c}`")), help);
            }
            Some(c) if c.is_control() => self.error_here(what(format!("`{}`", c.escape_default()))),
            Some(c) => self.error_here(what(format!("`{c}`"))),
            None => self.error_here(msg!("load-json-ends")),
        }
    }

    /// White space; comments are reported and skipped.
    fn skip_space(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if self.comment() => {}
                _ => return,
            }
        }
    }

    fn comment(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        self.error(self.at, self.at + len, msg!("load-json-comment"));
        self.at += len;
        true
    }

    /// The value that begins here; `None` when nothing can be read.
    fn value(&mut self) -> Option<Node> {
        match self.peek() {
            Some(b'{') => self.nested(Parser::object),
            Some(b'[') => self.nested(Parser::list),
            Some(b'"') => {
                let start = self.at;
                let text = self.string()?;
                Some(Node::new(start, self.at, NodeData::Text(text)))
            }
            Some(b'-' | b'0'..=b'9') => Some(self.number()),
            Some(byte) if byte.is_ascii_alphabetic() => Some(self.word()),
            _ => {
                self.expected(|found| msg!("load-json-expected-value", found = found));
                None
            }
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Node) -> Option<Node> {
        if self.depth == MAX_DEPTH {
            self.error_here(msg!("load-too-deep", limit = MAX_DEPTH));
            return None;
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        Some(node)
    }

    fn list(&mut self) -> Node {
        let start = self.at;
        self.at += 1;
        let mut items = Vec::new();
        let mut next = self.first(b']');
        while let Next::Element = next {
            let Some(item) = self.value() else {
                next = Next::Stop;
                break;
            };
            let cut = item.cut;
            items.push(item);
            next = if cut { Next::Stop } else { self.next(b']') };
        }
        let cut = matches!(next, Next::Stop);
        Node { cut, ..Node::new(start, self.at, NodeData::List(items)) }
    }

    fn object(&mut self) -> Node {
        let start = self.at;
        self.at += 1;
        let mut entries = Entries::default();
        let mut next = self.first(b'}');
        while let Next::Element = next {
            let Some(entry) = self.entry() else {
                next = Next::Stop;
                break;
            };
            let cut = entry.value.cut;
            entries.push(entry, self.problems);
            next = if cut { Next::Stop } else { self.next(b'}') };
        }
        let cut = matches!(next, Next::Stop);
        Node { cut, ..Node::new(start, self.at, entries.finish()) }
    }

    fn entry(&mut self) -> Option<ObjectEntry> {
        let start = self.at;
        if self.peek() != Some(b'"') {
            self.expected(|found| msg!("load-json-expected-key", found = found));
            return None;
        }
        let key = self.string()?;
        let key_span = Span { start, len: self.at - start };
        self.skip_space();
        if self.peek() != Some(b':') {
            self.expected(|found| msg!("load-json-expected-colon", key = key.as_str(), found = found));
            return None;
        }
        self.at += 1;
        self.skip_space();
        Some(ObjectEntry { key, key_span, value: self.value()? })
    }

    fn first(&mut self, close: u8) -> Next {
        self.skip_space();
        self.end_or_element(close)
    }

    /// Past the comma to the next element, or past the bracket.
    fn next(&mut self, close: u8) -> Next {
        let end = self.at;
        self.skip_space();
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                self.skip_space();
                if self.peek() == Some(close) {
                    self.error(comma, comma + 1, msg!("load-json-trailing-comma"));
                }
                self.end_or_element(close)
            }
            // Where the next element clearly begins, only the comma is missing.
            Some(b'"' | b'{' | b'[') => {
                self.error(end, end, msg!("load-json-missing-comma"));
                Next::Element
            }
            Some(byte) if byte == close => self.end_or_element(close),
            _ => {
                let close = (close as char).to_string();
                self.expected(|found| msg!("load-json-expected-comma", close = close, found = found));
                Next::Stop
            }
        }
    }

    fn end_or_element(&mut self, close: u8) -> Next {
        match self.peek() {
            Some(byte) if byte == close => {
                self.at += 1;
                Next::End
            }
            _ => Next::Element,
        }
    }

    fn number(&mut self) -> Node {
        let start = self.at;
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
        self.at += self.bytes[start..].iter().take_while(|b| is_part(b)).count();
        let written = &self.text[start..self.at];
        let data = match number(written) {
            Some(number) => NodeData::Number(number),
            None => {
                self.error(start, self.at, msg!("load-json-number", written = written));
                NodeData::Broken
            }
        };
        Node::new(start, self.at, data)
    }

    fn word(&mut self) -> Node {
        let start = self.at;
        let rest = &self.bytes[start..];
        self.at += rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let data = match &self.text[start..self.at] {
            "true" => NodeData::Bool(true),
            "false" => NodeData::Bool(false),
            "null" => NodeData::Null,
            other => {
                self.error(start, self.at, msg!("load-json-word", written = other));
                NodeData::Broken
            }
        };
        Node::new(start, self.at, data)
    }

    /// The text that begins here; `None` when it has no end.
    fn string(&mut self) -> Option<String> {
        let open = self.at;
        self.at += 1;
        let mut text = String::new();
        // Reported once, and only if the text ends: else it is the end that is missing.
        let mut control_at = None;
        loop {
            let run = self.bytes[self.at..].iter().take_while(|b| !matches!(b, b'"' | b'\\' | 0..0x20)).count();
            text.push_str(&self.text[self.at..self.at + run]);
            self.at += run;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    if let Some((at, control)) = control_at {
                        self.error(at, at + 1, control_in_text(control));
                    }
                    return Some(text);
                }
                Some(b'\\') => self.escape(&mut text),
                Some(control) => {
                    control_at = control_at.or(Some((self.at, control)));
                    text.push(control as char);
                    self.at += 1;
                }
                None => {
                    self.error(open, open + 1, msg!("load-json-text-open"));
                    return None;
                }
            }
        }
    }

    fn escape(&mut self, text: &mut String) {
        let start = self.at;
        self.at += 2;
        let plain = match self.bytes.get(start + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(byte @ (b'"' | b'\\' | b'/')) => *byte as char,
            Some(b'u') => match self.unicode() {
                Some(c) => c,
                None => return self.bad_escape(start),
            },
            _ => return self.bad_escape(start),
        };
        text.push(plain);
    }

    fn bad_escape(&mut self, start: usize) {
        self.at = self.text.ceil_char_boundary(self.at.min(self.text.len()));
        let written = self.text[start..self.at].to_owned();
        self.error(start, self.at, msg!("load-json-escape", written = written));
    }

    /// What follows `\u`: four hex digits, or two times four for a surrogate pair.
    fn unicode(&mut self) -> Option<char> {
        let first = self.hex4()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.bytes[self.at..].starts_with(b"\\u") {
            return None;
        }
        self.at += 2;
        let second = self.hex4()?;
        let low = second.checked_sub(0xDC00).filter(|low| *low < 0x400)?;
        char::from_u32(0x10000 + ((first - 0xD800) << 10) + low)
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).filter(|d| d.iter().all(u8::is_ascii_hexdigit))?;
        let value = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        self.at += 4;
        Some(value)
    }
}

/// A JSON number; whole ones stay whole where 64 bits hold them.
///
/// `serde_json` decides what a number is, but may round its last digit wrongly; std does not.
pub(super) fn number(written: &str) -> Option<Number> {
    let number: Number = written.parse().ok()?;
    if !number.is_f64() {
        return Some(number);
    }
    Number::from_f64(written.parse().ok()?)
}

fn control_in_text(control: u8) -> Message {
    match control {
        b'\n' | b'\r' => msg!("load-json-line-break"),
        other => msg!("load-json-control", code = format!("\\u{other:04x}")),
    }
}
