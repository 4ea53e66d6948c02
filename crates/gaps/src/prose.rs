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

/// Stands for what is left out of a line, so that the words around it don't become neighbours.
const MARK: char = '\u{fffc}';

/// What a model says in its own words, each line by itself.
pub(crate) struct Prose {
    /// Without blocks of code, quotations and code within lines; all apostrophes are ASCII's.
    text: String,
    /// What stood at each mark, code without its backticks.
    left_out: Vec<String>,
}

impl Prose {
    /// The sentences, trimmed: in the model's own words alone, and with what stood at the marks.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = (&str, String)> {
        let mut left_out = self.left_out.iter();
        sentences(&self.text).into_iter().map(move |own| (own, filled(own, &mut left_out)))
    }
}

fn filled<'l>(text: &str, left_out: &mut impl Iterator<Item = &'l String>) -> String {
    let mut whole = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            MARK => whole.push_str(left_out.next().map_or("", String::as_str)),
            letter => whole.push(letter),
        }
    }
    whole
}

pub(crate) fn prose(text: &str) -> Prose {
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
    let (text, code) = marked(&lines.join("\n").replace(MARK, " "), &INLINE, &[]);
    let (text, left_out) = marked(&text, &QUOTED, &code);
    Prose { text: text.replace(['\u{2019}', '\u{ff07}'], "'"), left_out }
}

/// Marks what a pattern finds; `known` is what stands at the marks that are there.
fn marked(text: &str, pattern: &Regex, known: &[String]) -> (String, Vec<String>) {
    let mut known = known.iter();
    let (mut own, mut left_out, mut end) = (String::with_capacity(text.len()), Vec::new(), 0);
    for found in pattern.find_iter(text) {
        let before = &text[end..found.start()];
        left_out.extend(known.by_ref().take(before.matches(MARK).count()).cloned());
        left_out.push(filled(found.as_str().trim_matches('`'), &mut known));
        own.push_str(before);
        own.push(MARK);
        end = found.end();
    }
    own.push_str(&text[end..]);
    left_out.extend(known.cloned());
    (own, left_out)
}

/// The sentences of a text, trimmed.
fn sentences(text: &str) -> Vec<&str> {
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
