//! Text of others, made harmless for a terminal.
//!
//! Model output, sample ids and error texts are hostile: an escape sequence could recolour a verdict, a control
//! character overwrite it, a bidirectional mark turn it around. Escape sequences are left out; every other character that
//! can't be seen is shown by its number, in a title as in an answer.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// `text` on one line, as [`visible`] shows it.
#[must_use]
pub fn clean(text: &str) -> String {
    let text = shown(text, |c| matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}').then_some(' '));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `text` with its lines: without escape sequences, and with what can't be seen made visible as `⟦U+202E⟧`: control
/// characters and marks that change the direction of text.
#[must_use]
pub fn visible(text: &str) -> String {
    shown(text, |c| matches!(c, '\n' | '\t').then_some(c))
}

/// What `space` knows becomes what it says.
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

/// [`clean`], cut to `width` columns.
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
    let kept: String = text.chars().take_while(fits).collect();
    format!("{}…", kept.trim_end())
}

/// Marks and overrides of direction, and what takes no room at all.
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

/// Parameters, then one final character. Anything else ends it without being eaten.
fn skip_control_sequence(chars: &mut Chars) {
    while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
    chars.next_if(|c| ('@'..='~').contains(c));
}

/// To the string's terminator; an unterminated one ends at the line's end, so that it can't hide what follows.
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

/// The first `characters` of a text, with a mark where it was cut.
pub fn shortened(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
