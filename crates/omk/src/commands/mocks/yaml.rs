//! Recorded mocks as YAML: what a person reviews, and puts into the sample file.

use std::fmt::Write;

use eval_exec::RecordedMock;
use eval_spec::mock::MockAnswer;
use serde_json::{Value, json};

/// Longer answers go into a file of their own.
const INLINE: usize = 4096;

/// The mocks of one sample as text.
pub(super) struct RecordedText {
    /// The item of the list of samples.
    pub(super) text: String,
    /// Files with answers: their names and contents.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

/// The item of a sample with its mocks and notes on calls without one. Files of its answers lie in `folder`, as seen from
/// the sample file.
pub(super) fn sample(id: &str, mocks: &[RecordedMock], notes: &[String], folder: &str) -> RecordedText {
    let mut made = RecordedText { text: format!("- sample_id: {}\n", escaped(&json!(id))), files: Vec::new() };
    made.text.push_str(if mocks.is_empty() { "  mocks: []\n" } else { "  mocks:\n" });
    for mock in mocks {
        made.mock(id, mock, folder);
    }
    for line in notes.iter().flat_map(|note| note.lines()) {
        made.text.push_str(&comment(2, line));
    }
    made
}

impl RecordedText {
    fn mock(&mut self, id: &str, mock: &RecordedMock, folder: &str) {
        self.line(4, &format!("- tool: {}", word(&mock.tool)));
        if !mock.conditions.is_empty() {
            self.line(6, "match:");
            mock.conditions.iter().for_each(|(name, value)| self.entry(8, name, value));
        }
        let [before @ .., last] = &mock.answers[..] else { return };
        if let ([], true) = (before, is_long(last)) {
            let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
            let name = format!("{}-{}.txt", id.chars().map(plain).collect::<String>(), self.files.len() + 1);
            self.line(6, &format!("return_file: {}", escaped(&json!(format!("{folder}/{name}")))));
            self.files.push((name, last.stdout.clone()));
            return;
        }
        if !before.is_empty() {
            self.line(6, "return_seq:");
            for answer in before {
                self.item(8, answer);
            }
        }
        self.text.push_str("      return:");
        self.answer(8, answer_fields(last));
    }

    fn line(&mut self, indent: usize, text: &str) {
        self.text.push_str(&format!("{:indent$}{text}\n", ""));
    }

    /// A key with its value; an object is spread over lines of its own.
    fn entry(&mut self, indent: usize, name: &str, value: &Value) {
        self.text.push_str(&format!("{:indent$}{}:", "", word(name)));
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                self.text.push('\n');
                fields.iter().for_each(|(name, value)| self.entry(indent + 2, name, value));
            }
            Value::String(text) => self.scalar(indent, text),
            other => {
                let _ = writeln!(self.text, " {}", escaped(other));
            }
        }
    }

    fn item(&mut self, indent: usize, answer: &MockAnswer) {
        self.text.push_str(&format!("{:indent$}-", ""));
        self.answer(indent + 2, answer_fields(answer));
    }

    fn answer(&mut self, indent: usize, answer: Value) {
        match answer {
            Value::String(text) => self.scalar(indent - 2, &text),
            Value::Object(fields) => {
                self.text.push('\n');
                fields.iter().for_each(|(name, value)| self.entry(indent, name, value));
            }
            _ => {}
        }
    }

    /// A text behind its key or dash: line by line where a block can hold it.
    fn scalar(&mut self, indent: usize, text: &str) {
        if !is_block(text) {
            // A text of JSON is one of YAML.
            let _ = writeln!(self.text, " {}", escaped(&json!(text)));
            return;
        }
        self.text.push_str(if text.ends_with('\n') { " |\n" } else { " |-\n" });
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if line.is_empty() { self.text.push('\n') } else { self.line(indent + 2, line) }
        }
    }
}

/// A line of a comment.
pub(super) fn comment(indent: usize, line: &str) -> String {
    format!("{:indent$}# {}\n", "", with_escapes(line))
}

/// JSON that is YAML too, of every version: only texts have what is escaped.
fn escaped(value: &Value) -> String {
    with_escapes(&value.to_string())
}

fn with_escapes(text: &str) -> String {
    let one = |c: char| if is_printed(c) { c.to_string() } else { format!("\\u{:04X}", u32::from(c)) };
    text.chars().map(one).collect()
}

/// Whether YAML takes a character as it is, and for no end of a line.
pub(super) fn is_printed(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// A name: as it is where nobody can take it for anything else.
fn word(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let is_value = || ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&&*name.to_lowercase());
    match is_plain && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_value() {
        true => name.to_owned(),
        false => escaped(&json!(name)),
    }
}

/// As a sample file has it: a text, or what a program prints and how it ends.
fn answer_fields(answer: &MockAnswer) -> Value {
    let stdout = String::from_utf8_lossy(&answer.stdout);
    if answer.exit == 0 && answer.stderr.is_empty() {
        return json!(stdout);
    }
    let mut fields = serde_json::Map::new();
    if !stdout.is_empty() {
        fields.insert("stdout".to_owned(), json!(stdout));
    }
    if !answer.stderr.is_empty() {
        fields.insert("stderr".to_owned(), json!(answer.stderr));
    }
    fields.insert("exit".to_owned(), json!(answer.exit));
    Value::Object(fields)
}

/// Whether an answer goes into a file, which can hold nothing but an output.
fn is_long(answer: &MockAnswer) -> bool {
    answer.stdout.len() > INLINE && answer.exit == 0 && answer.stderr.is_empty()
}

/// Whether a text of several lines can stand as a block: nothing in it is escaped, and its first line gives the indent.
fn is_block(text: &str) -> bool {
    let is_plain = |c: char| c == '\n' || c == '\t' || is_printed(c);
    text.trim_end_matches('\n').contains('\n')
        && !text.ends_with("\n\n")
        && !text.starts_with([' ', '\t', '\n'])
        && text.chars().all(is_plain)
        && text.lines().all(|line| line.is_empty() || !line.trim_matches(' ').is_empty())
}
