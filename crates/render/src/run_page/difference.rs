//! Which words of two answers differ.

use similar::{ChangeTag, TextDiff};

/// The longest answer that is compared word by word, in bytes; longer ones are compared line by line.
const MOST_WORDS: usize = 12_000;
/// The longest that is compared at all.
const MOST_LINES: usize = 64 << 10;

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextPiece {
    pub(super) text: String,
    /// Whether the other answer doesn't have it.
    pub(super) is_changed: bool,
}

/// Both answers in pieces; one piece each where they are too long or have nothing in common.
pub(super) fn differences(first: &str, second: &str) -> [Vec<TextPiece>; 2] {
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

/// An answer that is compared with nothing.
pub(super) fn whole(text: &str) -> Vec<TextPiece> {
    vec![TextPiece { text: text.to_owned(), is_changed: false }]
}

fn add(pieces: &mut Vec<TextPiece>, text: &str, is_changed: bool) {
    match pieces.last_mut() {
        Some(last) if last.is_changed == is_changed => last.text.push_str(text),
        _ => pieces.push(TextPiece { text: text.to_owned(), is_changed }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(pieces: &[TextPiece]) -> String {
        let mark = |piece: &TextPiece| if piece.is_changed { format!("[{}]", piece.text) } else { piece.text.clone() };
        pieces.iter().map(mark).collect()
    }

    #[test]
    fn words_that_differ_are_marked_and_nothing_is_lost() {
        for (first, second, expected) in [
            ("use a prepared statement", "use a string", ["use a [prepared statement]", "use a [string]"]),
            ("这段代码有注入风险", "这段代码没有风险", ["这段代码有[注入]风险", "这段代码[没]有风险"]),
            ("same", "same", ["same", "same"]),
            ("", "new", ["", "new"]),
        ] {
            let sides = differences(first, second);
            let text = |side: usize| sides[side].iter().map(|piece| piece.text.as_str()).collect::<String>();
            assert_eq!([text(0), text(1)], [first, second]);
            assert_eq!([marked(&sides[0]), marked(&sides[1])], expected, "{first} {second}");
        }
    }

    #[test]
    fn huge_answers_are_not_compared() {
        let long = "word ".repeat(MOST_LINES);
        assert_eq!(differences(&long, "word"), [whole(&long), whole("word")]);
    }
}
