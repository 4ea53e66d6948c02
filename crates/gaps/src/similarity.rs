//! Whether two searches look for the same.

use std::collections::BTreeSet;

use unicode_segmentation::UnicodeSegmentation;

/// The share of words that two similar searches have in common at least.
const COMMON: f64 = 0.5;

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
    split.unicode_words().map(str::to_lowercase).filter(|word| word.chars().count() > 1 || !word.is_ascii()).collect()
}

/// Whether two queries differ little: one has all words of the other, or they share half of them.
pub(crate) fn is_similar(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    if a.is_empty() || b.is_empty() {
        return a == b;
    }
    let common = a.intersection(&b).count();
    #[expect(clippy::cast_precision_loss, reason = "a few words")]
    let share = common as f64 / a.union(&b).count() as f64;
    common == a.len().min(b.len()) || share >= COMMON
}

/// What is wanted, in a form that is the same wherever it is wanted: its words in order of the alphabet.
#[must_use]
pub fn gap_key(subject: &str) -> String {
    let words: Vec<String> = words(subject).into_iter().collect();
    if words.is_empty() { subject.trim().to_owned() } else { words.join(" ") }
}
