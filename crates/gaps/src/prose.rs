//! What a model says in its own words: without code, quotations and what it repeats.

use std::sync::LazyLock;

use regex::Regex;

/// A pattern of this crate's own. Its edges of words are those of ASCII: with Unicode's a text with a single other letter is read
/// by the slow engine, and a Chinese sentence has no edges between its words anyway.
#[expect(clippy::unwrap_used, reason = "constants; a test reads each of them")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\b", r"(?-u:\b)")).unwrap()
}

/// Code between backticks in a line.
static INLINE: LazyLock<Regex> = LazyLock::new(|| pattern(r"``[^\n]+?``|`[^`\n]*`"));

/// Quoted words.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "\u{201c}[^\u{201d}\n]*\u{201d}|\u{300c}[^\u{300d}\n]*\u{300d}|\u{300e}[^\u{300f}\n]*\u{300f}|\"[^\"\n]*\"|\u{2018}[^\u{2018}\u{2019}\n]{2,}\u{2019}|(?:^|[ (])'[^'\n]{2,40}'",
    )
});

/// The text without blocks of code, quotations and code within lines, each line by itself. What is left out leaves a mark, so
/// that the words around it don't become neighbours; all apostrophes are ASCII's.
pub(crate) fn prose(text: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (Some(_), _) => {}
            (None, None) if start.starts_with('>') || line.starts_with("    ") || line.starts_with('\t') => {}
            (None, None) => lines.push(line),
        }
    }
    let text = lines.join("\n");
    let spoken = QUOTED.replace_all(&INLINE.replace_all(&text, "\u{fffc}"), "\u{fffc}").into_owned();
    spoken.replace(['\u{2019}', '\u{ff07}'], "'")
}

/// The sentences of a text, trimmed.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let mut letters = line.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            let ends = match letter {
                '\u{3002}' | '\u{ff01}' | '\u{ff1f}' | '\u{ff1b}' => true,
                '.' | '!' | '?' | ';' => letters.peek().is_none_or(|(_, next)| next.is_whitespace()),
                _ => false,
            };
            if ends {
                found.push(line[start..at + letter.len_utf8()].trim());
                start = at + letter.len_utf8();
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|sentence| !sentence.is_empty());
    found
}
