//! Tree → values. Every violated expectation is reported, and decoding goes on.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use eval_message::{Message, msg};
use eval_spec::callable::ScorerType;
use eval_spec::source::Span;
use rapidfuzz::distance::damerau_levenshtein;

use super::lookalike;
use super::problems::Problems;
use super::tree::{Node, NodeData, ObjectEntry};

/// The keys of an object and what people write instead of them.
#[derive(Clone, Copy)]
pub(super) struct Keys<'a> {
    pub(super) known: &'a [&'a str],
    /// `(what other tools call it, our name)`.
    pub(super) foreign: &'a [(&'a str, &'a str)],
}

impl<'a> Keys<'a> {
    pub(super) fn new(known: &'a [&'a str]) -> Keys<'a> {
        Keys { known, foreign: &[] }
    }

    /// The key that was probably meant.
    fn suggestion(self, written: &str) -> Option<&'a str> {
        let foreign = self.foreign.iter().find(|(theirs, _)| *theirs == written).map(|(_, ours)| *ours);
        foreign.or_else(|| closest(written, self.known))
    }
}

/// An object whose keys have been checked.
#[derive(Clone, Copy)]
pub(super) struct ObjectFields<'n> {
    node: &'n Node,
    keys: Keys<'n>,
    pub(super) entries: &'n [ObjectEntry],
}

impl<'n> ObjectFields<'n> {
    pub(super) fn get(self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The decoded value of a key that may be absent.
    pub(super) fn decoded<T>(
        self,
        key: &str,
        decode: impl FnOnce(&'n Node, &mut Problems) -> Option<T>,
        problems: &mut Problems,
    ) -> Option<T> {
        decode(self.get(key)?, problems)
    }

    /// The value of a key that must be there.
    pub(super) fn require(self, key: &str, problems: &mut Problems) -> Option<&'n Node> {
        let found = self.get(key);
        if found.is_none() && !self.node.cut && !self.is_misspelt(key) {
            problems.error(self.node.span, msg!("load-missing-key", key = key));
        }
        found
    }

    /// Whether a "did you mean" has reported the key already.
    fn is_misspelt(self, key: &str) -> bool {
        let unknown = |entry: &&ObjectEntry| !self.keys.known.contains(&entry.key.as_str());
        // Beyond a few, it is no longer a matter of spelling.
        self.entries.iter().filter(unknown).take(30).any(|entry| self.keys.suggestion(&entry.key) == Some(key))
    }
}

/// The object at `node`; keys that are not known are reported.
pub(super) fn object<'n>(node: &'n Node, keys: Keys<'n>, problems: &mut Problems) -> Option<ObjectFields<'n>> {
    let fields = ObjectFields { keys, ..any_object(node, problems)? };
    for entry in fields.entries.iter().filter(|entry| !keys.known.contains(&entry.key.as_str())) {
        unknown_key(entry, keys, problems);
    }
    Some(fields)
}

/// The object at `node`, with any keys.
pub(super) fn any_object<'n>(node: &'n Node, problems: &mut Problems) -> Option<ObjectFields<'n>> {
    match &node.data {
        NodeData::Object(entries) => Some(ObjectFields { node, keys: Keys::new(&[]), entries }),
        _ => unexpected(node, "object", problems),
    }
}

fn unknown_key(entry: &ObjectEntry, keys: Keys<'_>, problems: &mut Problems) {
    if problems.is_full() {
        return problems.error(entry.key_span, msg!("load-unknown-key", key = entry.key.as_str()));
    }
    // What is spelled alike means something else.
    let of_variant = || (entry.key == "allowedSkills").then(|| msg!("load-variant-key", key = entry.key.as_str()));
    let lookalike = lookalike::first(&entry.key).map(|(_, help)| help).or_else(of_variant);
    let help = lookalike.or_else(|| did_you_mean(keys.suggestion(&entry.key), keys.known));
    problems.error_with_help(entry.key_span, msg!("load-unknown-key", key = entry.key.as_str()), help);
}

/// Advice for a word that is not one of `known`.
pub(super) fn did_you_mean(suggestion: Option<&str>, known: &[&str]) -> Option<Message> {
    match suggestion {
        Some(suggestion) => Some(msg!("load-did-you-mean", suggestion = suggestion)),
        None if known.is_empty() => None,
        None => Some(msg!("load-known-words", known = listed(known))),
    }
}

/// `a`, `b`, `c` in back-ticks; long lists are cut.
pub(super) fn listed(words: &[&str]) -> String {
    const SHOWN: usize = 40;
    let mut shown: Vec<String> = words.iter().take(SHOWN).map(|word| format!("`{word}`")).collect();
    if words.len() > SHOWN {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}

/// The word of `known` that `written` was probably meant to be.
pub fn closest<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    // Long words would make the distance quadratic, and no known word is long.
    let plain = |word: &str| word.chars().filter(|c| c.is_alphanumeric()).take(64).collect::<String>().to_lowercase();
    let wanted = plain(written);
    let allowed = (wanted.chars().count() / 3).max(1);
    let distance = |word: &str| damerau_levenshtein::distance(wanted.chars(), plain(word).chars());
    known
        .iter()
        .map(|word| (distance(word), *word))
        .filter(|(distance, word)| *distance <= allowed && *distance < word.chars().count())
        .min()
        .map(|(_, word)| word)
}

/// Reports that `node` is not what was expected: a word of the message `load-expected`.
pub(super) fn unexpected<T>(node: &Node, expected: &'static str, problems: &mut Problems) -> Option<T> {
    if let NodeData::Broken = node.data {
        return None;
    }
    let written = written(node, problems);
    let is_looking = |text: &str| text.chars().next().and_then(lookalike::help);
    let help = match (&node.data, expected) {
        (NodeData::Text(text), _) if let help @ Some(_) = is_looking(text) => help,
        (NodeData::Null, _) => Some(msg!("load-null-help")),
        (NodeData::Number(_) | NodeData::Bool(_), "text" | "filled-text") => {
            Some(msg!("load-quote-it", written = written.as_str()))
        }
        (NodeData::Text(_), "list-of-texts" | "list-of-calls") => {
            Some(msg!("load-list-help", written = written.as_str()))
        }
        _ => None,
    };
    let message = msg!("load-expected", expected = expected, kind = kind(node), written = written);
    problems.error_with_help(node.span, message, help);
    None
}

fn kind(node: &Node) -> &'static str {
    match &node.data {
        NodeData::Null | NodeData::Broken => "null",
        NodeData::Bool(_) => "bool",
        NodeData::Number(_) => "number",
        NodeData::Text(text) if text.trim().is_empty() => "empty",
        NodeData::Text(_) => "text",
        NodeData::List(items) if items.is_empty() => "empty-list",
        NodeData::List(_) => "list",
        NodeData::Object(_) => "object",
    }
}

/// A scalar as the author wrote it, cut to a line.
fn written(node: &Node, problems: &Problems) -> String {
    let Span { start, len } = node.span;
    match &node.data {
        NodeData::Text(text) => short(text),
        NodeData::Number(_) | NodeData::Bool(_) => short(problems.file().text.get(start..start + len).unwrap_or("")),
        _ => String::new(),
    }
}

/// The first line of `text`, cut to 40 characters.
pub(super) fn short(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or("");
    let mut shown: String = line.chars().filter(|c| !c.is_control()).take(40).collect();
    if shown.len() < text.trim().len() {
        shown.push('…');
    }
    shown
}

/// Text, possibly empty.
pub(super) fn text(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        NodeData::Text(text) => Some(text.clone()),
        _ => unexpected(node, "text", problems),
    }
}

/// Text with something other than white space in it.
pub(super) fn filled_text(node: &Node, problems: &mut Problems) -> Option<String> {
    match &node.data {
        NodeData::Text(text) if !text.trim().is_empty() => Some(text.clone()),
        _ => unexpected(node, "filled-text", problems),
    }
}

/// A path: text without a NUL.
pub(super) fn path_text(node: &Node, problems: &mut Problems) -> Option<String> {
    let path = filled_text(node, problems)?;
    if path.contains('\0') {
        return unexpected(node, "path", problems);
    }
    Some(path)
}

/// `true` or `false`.
pub(super) fn flag(node: &Node, problems: &mut Problems) -> Option<bool> {
    match node.data {
        NodeData::Bool(flag) => Some(flag),
        _ => unexpected(node, "flag", problems),
    }
}

/// A list of any length.
pub(super) fn list<'n>(node: &'n Node, expected: &'static str, problems: &mut Problems) -> Option<&'n [Node]> {
    match &node.data {
        NodeData::List(items) => Some(items),
        _ => unexpected(node, expected, problems),
    }
}

/// A list of texts, none of them empty; the list may be.
pub(super) fn texts(node: &Node, problems: &mut Problems) -> Option<Vec<String>> {
    let items = list(node, "list-of-texts", problems)?;
    let texts: Vec<_> = items.iter().map(|item| filled_text(item, problems)).collect();
    texts.into_iter().collect()
}

/// Some of these words, in a list or one alone; none is an error.
pub(super) fn some_of(node: &Node, words: &[&str], problems: &mut Problems) -> Option<Vec<String>> {
    let items = match &node.data {
        NodeData::List(items) if items.is_empty() && !node.cut => return unexpected(node, "list-of-texts", problems),
        NodeData::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let found: Vec<_> = items.iter().map(|item| one_of(item, words, problems).map(str::to_owned)).collect();
    found.into_iter().collect()
}

/// A number in `range`.
pub(super) fn number(node: &Node, range: RangeInclusive<f64>, problems: &mut Problems) -> Option<f64> {
    let NodeData::Number(number) = &node.data else { return unexpected(node, "number", problems) };
    let value = number.as_f64().filter(|value| range.contains(value));
    if value.is_none() {
        out_of_range(node, *range.start(), *range.end(), problems);
    }
    value
}

/// A whole number in `range`, written as one: `3`, not `3.0`.
pub(super) fn whole(node: &Node, range: RangeInclusive<u64>, problems: &mut Problems) -> Option<u64> {
    let NodeData::Number(number) = &node.data else { return unexpected(node, "whole-number", problems) };
    if number.is_f64() {
        let written = written(node, problems);
        return match written.contains(['.', 'e', 'E']) {
            true => unexpected(node, "whole-number", problems),
            false => {
                problems.error(node.span, msg!("load-number-too-large", written = written));
                None
            }
        };
    }
    let value = number.as_u64().filter(|value| range.contains(value));
    if value.is_none() {
        #[expect(clippy::cast_precision_loss, reason = "only shown")]
        out_of_range(node, *range.start() as f64, *range.end() as f64, problems);
    }
    value
}

/// A weight beyond this would hide all others.
pub(super) const MAX_WEIGHT: f64 = 1e6;

/// Bounds from here on say no more than "a large number".
const NO_BOUND: f64 = 1e15;

fn out_of_range(node: &Node, low: f64, high: f64, problems: &mut Problems) {
    let written = written(node, problems);
    let message = match (low.abs() < NO_BOUND, high.abs() < NO_BOUND) {
        (true, false) => msg!("load-too-small", written = written, low = low),
        (false, true) => msg!("load-too-large", written = written, high = high),
        _ => msg!("load-out-of-range", written = written, low = low, high = high),
    };
    problems.error(node.span, message);
}

/// The value that the table has for the word at `node`.
pub(super) fn named<T: Copy>(node: &Node, table: &[(&str, T)], problems: &mut Problems) -> Option<T> {
    let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
    let written = one_of(node, &words, problems)?;
    table.iter().find(|(word, _)| *word == written).map(|(_, value)| *value)
}

/// A scorer by one of its names.
pub(super) fn scorer_type(node: &Node, problems: &mut Problems) -> Option<ScorerType> {
    let words: Vec<&str> = ScorerType::NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    ScorerType::of(one_of(node, &words, problems)?)
}

/// An existing directory; a relative path is resolved against `base`.
pub(super) fn directory(node: &Node, base: &Path, problems: &mut Problems) -> Option<PathBuf> {
    let path = base.join(path_text(node, problems)?);
    if !path.is_dir() {
        problems.error(node.span, msg!("load-not-a-directory", path = problems.shown(&path)));
        return None;
    }
    Some(path)
}

/// One of these words.
pub(super) fn one_of<'w>(node: &Node, words: &[&'w str], problems: &mut Problems) -> Option<&'w str> {
    let written = text(node, problems)?;
    let found = words.iter().find(|word| **word == written);
    if found.is_none() {
        let help = closest(&written, words).map(|suggestion| msg!("load-did-you-mean", suggestion = suggestion));
        let message = msg!("load-not-one-of", written = short(&written), known = listed(words));
        problems.error_with_help(node.span, message, help);
    }
    found.copied()
}
