//! What a model says in its own words: without code, quotations and what it repeats.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// A pattern of this crate's own. Its edges of words are those of ASCII: with Unicode's a text with a single other letter is read
/// by the slow engine, and a Chinese sentence has no edges between its words anyway.
#[expect(clippy::unwrap_used, reason = "constants; a test reads each of them")]
pub(crate) fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace(r"\b", r"(?-u:\b)")).unwrap()
}

/// Code within a line.
static INLINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)``[^\n]+?``|`[^`\n]*`|<(?:code|pre|kbd)>[^\n]*?</(?:code|pre|kbd)>"));

/// Quoted words.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "\u{201c}[^\u{201d}\n]*\u{201d}|\u{300c}[^\u{300d}\n]*\u{300d}|\u{300e}[^\u{300f}\n]*\u{300f}|\u{300a}[^\u{300b}\n]*\u{300b}|\u{ab}[^\u{bb}\n]*\u{bb}|\"[^\"\n]*\"|\u{2018}[^\u{2018}\u{2019}\n]{2,}\u{2019}|(?:^|[ (])'[^'\n]{2,40}'",
    )
});

/// What a model says in a text: without blocks of code and block quotes.
pub(crate) struct Prose {
    /// The lines as they stand.
    lines: String,
    /// The same without quotations and code within lines. As many marks stand in their place as they have bytes, so that the
    /// words around them don't become neighbours, and each sentence is found in the lines.
    plain: String,
}

impl Prose {
    pub(crate) fn of(text: &str) -> Prose {
        let lines = without_blocks(text);
        let marks = |found: &Captures<'_>| MARK.repeat(found[0].len());
        let plain = QUOTED.replace_all(&INLINE.replace_all(&lines, marks), marks).into_owned();
        Prose { lines, plain }
    }

    /// The sentences: each as it stands, but for the backticks of code, and in plain words with ASCII's apostrophes.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (String, String)> {
        sentences(&self.plain).into_iter().filter_map(|range| {
            let plain = self.plain[range.clone()].replace(['\u{2019}', '\u{ff07}'], "'");
            let code = |found: &Captures<'_>| found[0].trim_matches('`').to_owned();
            Some((INLINE.replace_all(self.lines.get(range)?, code).into_owned(), plain))
        })
    }
}

/// What stands for a byte that was left out.
const MARK: &str = "\u{1}";

fn without_blocks(text: &str) -> String {
    let mut fence: Option<(char, usize)> = None;
    let mut lines = Vec::new();
    for line in text.lines() {
        let start = line.trim_start();
        let mark = fence_of(start);
        match (fence, mark) {
            // A block ends with at least as many letters as it began with.
            (Some((open, least)), Some((mark, count))) if open == mark && count >= least => fence = None,
            (None, Some(mark)) => fence = Some(mark),
            (Some(_), _) => {}
            (None, None) if start.starts_with('>') || line.starts_with("    ") || line.starts_with('\t') => {}
            (None, None) => lines.push(line),
        }
    }
    lines.join("\n")
}

/// The letter of a fence of code, and how often it stands there.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let letter = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let count = line.chars().take_while(|next| *next == letter).count();
    let is_inline = letter == '`' && line[count..].contains('`');
    (count >= 3 && !is_inline).then_some((letter, count))
}

/// Where the sentences of a text are, without the blanks around them. A semicolon ends none.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let ends = match letter {
            '\n' | '\u{3002}' | '\u{ff01}' | '\u{ff1f}' => true,
            '.' | '!' | '?' => letters.peek().is_none_or(|(_, next)| next.is_whitespace()),
            _ => false,
        };
        if ends {
            found.push(trimmed(text, start..at + letter.len_utf8()));
            start = at + letter.len_utf8();
        }
    }
    found.push(trimmed(text, start..text.len()));
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}
