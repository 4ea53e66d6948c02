//! Conversations as Markdown: plain logs, and those of SpecStory.

pub(super) mod plain;
mod shown;
pub(super) mod specstory;

use jiff::Timestamp;

/// How much of a text is kept, in bytes.
const LONGEST: usize = 16 << 20;

/// Adds a line to a text.
fn add(text: &mut String, line: &str) {
    if text.len().saturating_add(line.len()) < LONGEST {
        text.push_str(line);
        text.push('\n');
    }
}

/// A block of code that is open: its mark.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OpenFence {
    mark: char,
    length: usize,
}

/// The mark of a line that begins or ends a block of code, and what stands after it.
fn fence(line: &str) -> Option<(OpenFence, &str)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = line.trim_start_matches(mark);
    let length = line.len() - info.len();
    let is_one = length >= 3 && !info.contains(mark);
    is_one.then_some((OpenFence { mark, length }, info.trim()))
}

/// Which block of code is open after a line.
fn after(open: Option<OpenFence>, line: &str) -> Option<OpenFence> {
    match (open, fence(line)) {
        (None, found) => found.map(|(fence, _)| fence),
        (Some(open), Some((found, ""))) if found.mark == open.mark && found.length >= open.length => None,
        (open, _) => open,
    }
}

/// The first time in a text; without a zone it is taken for UTC.
fn stamp(text: &str) -> Option<Timestamp> {
    let is_date = |part: &str| {
        let form =
            |(place, byte): (usize, u8)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
        part.len() == 10 && part.bytes().enumerate().all(form)
    };
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ','));
    let word = words.find(|word| word.get(..10).is_some_and(is_date))?;
    let (date, joined) = word.split_at(10);
    let clock =
        if joined.is_empty() { words.next().unwrap_or_default() } else { joined.trim_start_matches(['T', '_']) };
    let is_clock = clock.starts_with(|c: char| c.is_ascii_digit());
    let clock = if is_clock { clock } else { "00:00:00" };
    let zones = clock.contains('Z') || clock.contains('+') || clock.contains('-');
    let zone = if zones { "" } else { "Z" };
    format!("{date}T{clock}{zone}").parse().ok()
}

/// A text without the rule that separates it from the next one.
fn own(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("---").filter(|rest| rest.is_empty() || rest.ends_with('\n')).unwrap_or(text).trim_end()
}
