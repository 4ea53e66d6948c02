//! Whether two searches look for the same.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use eval_spec::hash::short_hash;
use regex::Regex;
use unicode_segmentation::UnicodeSegmentation;

use crate::prose::pattern;

/// The share of words that two similar searches have in common at least.
const COMMON: f64 = 0.5;
/// How many letters a word has at least of which another one is a longer form.
const STEM: usize = 5;

/// What stands for edges and kinds of letters in a regular expression.
static CLASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\\[bBsSwWdD]"));

/// A text without the marks of a regular expression that stand for kinds of letters.
pub(crate) fn without_classes(text: &str) -> String {
    CLASS.replace_all(text, " ").into_owned()
}

/// The words of a query, lower case: `revenueSchema`, `revenue_schema` and `revenue.*schema` have the same.
pub(crate) fn words(query: &str) -> BTreeSet<String> {
    let mut split = String::new();
    let mut before = ' ';
    for letter in query.chars() {
        if letter.is_uppercase() && before.is_lowercase() || matches!(letter, '_' | '-' | '.' | '/') {
            split.push(' ');
        }
        split.push(if letter == '_' { ' ' } else { letter });
        before = letter;
    }
    split.unicode_words().map(str::to_lowercase).collect()
}

/// The words without single letters and digits, which say little about what two searches in a row have in common.
fn long_words(query: &str) -> BTreeSet<String> {
    words(query).into_iter().filter(|word| word.chars().count() > 1 || !word.is_ascii()).collect()
}

/// Whether two queries differ little: one has all words of the other, or they share half of them.
pub(crate) fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (CLASS.replace_all(a, " "), CLASS.replace_all(b, " "));
    // `time_out` and `timeout` are one word.
    if joined(&a) == joined(&b) {
        return !joined(&a).is_empty() || a == b;
    }
    let (a, b) = (long_words(&a), long_words(&b));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let common = a.iter().filter(|word| b.iter().any(|other| is_same(word, other))).count();
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let share = common as f64 / a.union(&b).count() as f64;
    common == a.len().min(b.len()) || share >= COMMON
}

fn joined(query: &str) -> String {
    query.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether two words are the same, but for a plural or the ending of a longer word: `doc`, `docs`; `deploy`, `deployment`.
fn is_same(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let ending = long.strip_prefix(short);
    ending.is_some_and(|ending| ending.is_empty() || ending == "s" || (short.len() >= STEM && short.is_ascii()))
}

/// The id of a gap, the same wherever and whenever it is wanted: `gap-` and 8 hex digits of SHA-256 over the words of what is
/// looked for, in the order of the alphabet.
#[must_use]
pub fn gap_id(subject: &str) -> String {
    let words: Vec<String> = words(subject).into_iter().collect();
    let key = if words.is_empty() { subject.trim().to_owned() } else { words.join(" ") };
    format!("gap-{}", short_hash(key.as_bytes(), 8))
}

/// A key that two searches share where the same thing is wanted: a path's parent folder and last segment, the whole of an address
/// or a pattern of paths, else the words in the order of the alphabet, lower case and singular.
#[must_use]
pub fn gap_key(subject: &str) -> String {
    let text = CLASS.replace_all(subject.trim(), " ").to_lowercase();
    let is_one_word = text.contains('/') && !text.trim().contains(char::is_whitespace);
    if is_one_word && (text.contains("://") || text.contains(['*', '?', '|', '(', '[', '^', '$', '+'])) {
        return text.trim().trim_start_matches("./").trim_start_matches("**/").trim_end_matches('/').to_owned();
    }
    if is_one_word {
        let segments: Vec<&str> = text.trim().split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
        return segments[segments.len().saturating_sub(2)..].join("/");
    }
    // The case tells the words of `userProfile`.
    let all: BTreeSet<String> = words(&CLASS.replace_all(subject, " ")).iter().map(|word| singular(word)).collect();
    match all.is_empty() {
        true => subject.trim().to_owned(),
        false => all.into_iter().collect::<Vec<_>>().join(" "),
    }
}

/// `policies` → `policy`, `boxes` → `box`, `docs` → `doc`.
pub(crate) fn singular(word: &str) -> String {
    let is_plural = word.len() > 3 && word.is_ascii() && word.ends_with('s');
    let is_other = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if !is_plural || is_other {
        return word.to_owned();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let stem = word.strip_suffix("es").filter(|stem| ["x", "ch", "sh", "ss"].iter().any(|end| stem.ends_with(end)));
    stem.unwrap_or(&word[..word.len() - 1]).to_owned()
}

/// Letters of words that are written apart or joined: `time_out`, `timeout`. Digits written apart are other numbers.
fn letters(key: &str, subject: &str) -> Option<String> {
    let text = joined(&CLASS.replace_all(subject, " "));
    let is_word = !key.contains('/') && text.chars().count() >= STEM && !text.contains(|c: char| c.is_ascii_digit());
    is_word.then_some(text)
}

/// Which searches want the same thing: the places of each group, in the order of their first. `keys` are those of the
/// `subjects`, which may be masked.
#[must_use]
pub fn same_gaps(subjects: &[&str], keys: &[String]) -> Vec<Vec<usize>> {
    let (mut by_key, mut by_letters) = (BTreeMap::<&str, usize>::new(), BTreeMap::<String, usize>::new());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (place, (subject, key)) in subjects.iter().zip(keys).enumerate() {
        // A mask stands for many secrets.
        let letters = letters(key, subject).filter(|_| gap_key(subject) == *key);
        let known = by_key.get(key.as_str()).or_else(|| by_letters.get(letters.as_ref()?)).copied();
        let group = known.unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        by_key.entry(key).or_insert(group);
        letters.map(|letters| *by_letters.entry(letters).or_insert(group));
        groups[group].push(place);
    }
    groups
}

/// Which of the queries look for the same thing: the places of each group, in the order of their first. Queries are alike
/// as in one sample ([`SIGNALS`](crate::SIGNALS)): by their words, whatever joins them. Each is compared with the first of
/// a group, so that a chain of small differences doesn't make one group of everything.
#[must_use]
pub fn alike(queries: &[&str]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut by_words: BTreeMap<BTreeSet<String>, usize> = BTreeMap::new();
    let mut by_word: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, query) in queries.iter().enumerate() {
        let own = long_words(query);
        let known = by_words.get(&own).copied().or_else(|| {
            let near: BTreeSet<usize> = own.iter().filter_map(|word| by_word.get(word)).flatten().copied().collect();
            near.into_iter().find(|&group| is_similar(groups[group].0, query))
        });
        let group = known.unwrap_or_else(|| {
            groups.push((query, Vec::new()));
            own.iter().for_each(|word| by_word.entry(word.clone()).or_default().push(groups.len() - 1));
            groups.len() - 1
        });
        by_words.insert(own, group);
        groups[group].1.push(at);
    }
    groups.into_iter().map(|(_, places)| places).collect()
}
