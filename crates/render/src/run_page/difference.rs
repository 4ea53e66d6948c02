//! Which words of two answers differ.

use similar::{ChangeTag, TextDiff};

/// The longest answer that is compared word by word, in bytes; longer ones are compared line by line.
const MOST_WORDS: usize = 12_000;
/// The longest that is compared at all.
const MOST_LINES: usize = 64 << 10;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPiece {
    pub text: String,
    /// `true` if the other answer doesn't have it.
    pub is_changed: bool,
}

/// Both answers in pieces; one piece each where they are too long or have nothing in common.
pub fn differences(first: &str, second: &str) -> [Vec<TextPiece>; 2] {
    let longest = first.len().max(second.len());
    if longest > MOST_LINES {
        return [first, second].map(whole);
    }
    let diff = match longest > MOST_WORDS {
        true => TextDiff::from_lines(first, second),
        false => TextDiff::from_unicode_words(first, second),
    };
    // two answers without anything in common: marks on every word would only make them harder to read
    if diff.ratio() < 0.1 {
        return [first, second].map(whole);
    }
    let mut sides = [Vec::new(), Vec::new()];
    for change in diff.iter_all_changes() {
        let places: &[usize] = match change.tag() {
            ChangeTag::Equal => &[0, 1],
            ChangeTag::Delete => &[0],
            ChangeTag::Insert => &[1],
        };
        for &side in places {
            add(&mut sides[side], change.value(), change.tag() != ChangeTag::Equal);
        }
    }
    sides
}

pub fn whole(text: &str) -> Vec<TextPiece> {
    vec![TextPiece { text: text.to_owned(), is_changed: false }]
}

fn add(pieces: &mut Vec<TextPiece>, text: &str, is_changed: bool) {
    match pieces.last_mut() {
        Some(last) if last.is_changed == is_changed => last.text.push_str(text),
        _ => pieces.push(TextPiece { text: text.to_owned(), is_changed }),
    }
}
