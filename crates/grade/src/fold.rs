//! Case-insensitive search on Unicode simple case folding (`CaseFolding.txt`, statuses C and S).
//!
//! Simple folding maps one character to one character, so a position in the folded text is a position
//! in the text. Hence `ẞ` matches `ß` but not `ss`, `ς` matches `Σ` and `σ`, and the Turkish `İ` and
//! `ı` match only themselves.

use icu_casemap::CaseMapper;
use memchr::memmem::Finder;

/// `text`, folded.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mapper = CaseMapper::new();
    let mut folded = String::with_capacity(text.len());
    folded.extend(text.chars().map(|c| match c {
        c if c.is_ascii() => c.to_ascii_lowercase(),
        // Han, Kana, Yi and Hangul have no case: most of a Chinese text skips the table.
        '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{D7FF}' | '\u{F900}'..='\u{FAFF}' => c,
        c => mapper.simple_fold(c),
    }));
    folded
}

/// `text` under full case folding (statuses C and F), where `ß` is `ss`: for comparisons that need no positions.
pub(crate) fn fold_fully(text: &str) -> String {
    match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => CaseMapper::new().fold_string(text).into_owned(),
    }
}

/// A text together with its folded form.
pub(crate) struct Folded<'a> {
    text: &'a str,
    folded: String,
}

/// The place of a match.
#[derive(Debug, PartialEq)]
pub(crate) struct Spot<'a> {
    /// How many characters precede it.
    pub(crate) at: usize,
    /// The match as written in the text.
    pub(crate) text: &'a str,
}

impl<'a> Folded<'a> {
    /// Folds `text`.
    pub(crate) fn new(text: &'a str) -> Folded<'a> {
        Folded { text, folded: fold(text) }
    }

    /// The first place of `needle`.
    pub(crate) fn find(&self, needle: &Needle) -> Option<Spot<'a>> {
        let byte = needle.finder.find(self.folded.as_bytes())?;
        let at = self.folded[..byte].chars().count();
        let rest = match self.folded.len() == self.text.len() && self.text.is_ascii() {
            true => &self.text[byte..],
            false => skip(self.text, at),
        };
        Some(Spot { at, text: take(rest, needle.chars) })
    }

    /// Whether it begins with `needle`.
    pub(crate) fn starts_with(&self, needle: &Needle) -> bool {
        self.folded.as_bytes().starts_with(needle.finder.needle())
    }

    /// Whether it ends with `needle`.
    pub(crate) fn ends_with(&self, needle: &Needle) -> bool {
        self.folded.as_bytes().ends_with(needle.finder.needle())
    }
}

/// A text to search for, prepared once.
pub(crate) struct Needle {
    /// As the author wrote it.
    pub(crate) written: String,
    /// Its length in characters.
    pub(crate) chars: usize,
    finder: Finder<'static>,
}

impl Needle {
    /// Prepares the search for `text`.
    pub(crate) fn new(text: &str) -> Needle {
        Needle {
            written: text.to_owned(),
            chars: text.chars().count(),
            finder: Finder::new(fold(text).as_bytes()).into_owned(),
        }
    }

    /// Whether `folded`, a text that is folded already, contains it.
    pub(crate) fn is_in(&self, folded: &str) -> bool {
        self.finder.find(folded.as_bytes()).is_some()
    }
}

fn skip(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or("", |(byte, _)| &text[byte..])
}

fn take(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).map_or(text, |(byte, _)| &text[..byte])
}
