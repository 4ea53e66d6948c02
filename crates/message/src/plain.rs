//! Makes foreign text harmless for a terminal.
//!
//! Model output, sample ids and error texts may be hostile: an escape sequence could recolour a verdict, a control
//! character overwrite it, a bidirectional mark turn it around. Escape sequences are removed; every other invisible
//! character is shown by its code point.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Puts `text` on one line, made harmless as by [`visible`].
#[must_use]
pub fn clean(text: &str) -> String {
    let text = shown(text, |c| matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}').then_some(' '));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Keeps the lines of `text`; removes escape sequences, and shows control characters and marks that change the
/// direction of text as `⟦U+202E⟧`.
#[must_use]
pub fn visible(text: &str) -> String {
    shown(text, |c| matches!(c, '\n' | '\t').then_some(c))
}

/// Makes `text` harmless; `space` returns the replacement of white space that is kept.
fn shown(text: &str, space: fn(char) -> Option<char>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' => skip_escape(&mut chars),
            '\u{9b}' => skip_control_sequence(&mut chars),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => skip_string(&mut chars),
            '\r' if chars.peek() == Some(&'\n') => {}
            c => match space(c) {
                Some(space) => out.push(space),
                None if c.is_control() || turns_text(c) => _ = write!(out, "⟦U+{:04X}⟧", u32::from(c)),
                None => out.push(c),
            },
        }
    }
    out
}

/// Cuts [`clean`] text to `width` columns.
#[must_use]
pub fn clip(text: &str, width: usize) -> String {
    let text = clean(text);
    if text.width() <= width {
        return text;
    }
    let mut used = 1; // the ellipsis
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}

/// Returns `true` for direction marks and characters without width.
pub fn turns_text(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{61c}')
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn skip_escape(chars: &mut Chars) {
    match chars.next() {
        Some('[') => skip_control_sequence(chars),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        Some(' '..='/') => {
            chars.next();
        }
        _ => {}
    }
}

/// Skips parameters and one final character. Any other character ends the sequence and is kept.
fn skip_control_sequence(chars: &mut Chars) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// Skips to the string's terminator, or to the end of the line if there is none, so that it can't hide what follows.
fn skip_string(chars: &mut Chars) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{7}' | '\u{9c}' => return,
            '\u{1b}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
}

/// Cuts a text after `characters` characters, with a mark.
pub fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
