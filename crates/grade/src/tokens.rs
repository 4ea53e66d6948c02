//! Words and tokens: what `word_count_*`, ROUGE and BLEU count.

use unicode_segmentation::UnicodeSegmentation;

/// The number of words: Unicode words (UAX #29), where each Han or Kana character is one word.
pub(crate) fn word_count(text: &str) -> usize {
    text.unicode_words().map(words_in).sum()
}

// UAX #29 keeps Katakana together, and Latin letters may touch it; so a segment may contain several words.
fn words_in(segment: &str) -> usize {
    if segment.is_ascii() {
        return 1;
    }
    let (mut words, mut inside) = (0, false);
    for c in segment.chars() {
        let east_asian = is_han_or_kana(c);
        if east_asian || (!inside && c.is_alphanumeric()) {
            words += 1;
        }
        inside = !east_asian && (inside || c.is_alphanumeric());
    }
    words
}

/// The tokens of ROUGE: those of Python's `rouge-score` without stemming (lower case, runs of
/// `a-z0-9`; other Latin letters separate), and beyond it each Han or Kana character and each run of
/// letters and digits of another script, which `rouge-score` would drop.
pub fn rouge_tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut run = String::new();
    let mut run_is_ascii = true;
    for c in text.to_lowercase().chars() {
        let ascii = c.is_ascii_alphanumeric();
        let other = !ascii && c.is_alphanumeric() && !is_latin_beyond_ascii(c);
        let joins = (ascii && run_is_ascii) || (other && !run_is_ascii && !is_han_or_kana(c));
        if !run.is_empty() && !joins {
            tokens.push(std::mem::take(&mut run));
        }
        if is_han_or_kana(c) {
            tokens.push(c.to_string());
        } else if ascii || other {
            run_is_ascii = ascii;
            run.push(c);
        }
    }
    if !run.is_empty() {
        tokens.push(run);
    }
    tokens
}

/// The tokens of BLEU: those of `sacrebleu`'s `13a` (mteval-v13a); and each Han or wide punctuation
/// character is one, as in its `zh`, and each Kana character too.
pub(crate) fn bleu_tokens(text: &str) -> Vec<String> {
    let mut line = String::with_capacity(text.len() + 2);
    line.push(' ');
    for c in text.trim_end().replace("<skipped>", "").replace("-\n", "").replace('\n', " ").chars() {
        match is_han_or_kana(c) || is_wide_punctuation(c) {
            true => line.extend([' ', c, ' ']),
            false => line.push(c),
        }
    }
    line.push(' ');
    let line = [("&quot;", "\""), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]
        .into_iter()
        .fold(line, |line, (entity, character)| line.replace(entity, character));
    let line = set_apart(&line);
    let line = split_pairs(&line, |a, b| !a.is_ascii_digit() && is_point(b), |a, b| [a, ' ', b, ' ']);
    let line = split_pairs(&line, |a, b| is_point(a) && !b.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    let line = split_pairs(&line, |a, b| a.is_ascii_digit() && b == '-', |a, b| [a, ' ', b, ' ']);
    line.split_whitespace().map(str::to_owned).collect()
}

/// How many of the n-grams of `reference` are in `other`, each counted at most as often as it occurs
/// there. Only the reference's are in memory: the other text may be a hundred thousand times as long.
pub(crate) fn shared_ngrams(reference: &[String], other: &[String], n: usize) -> usize {
    let mut open = std::collections::HashMap::<&[String], usize>::new();
    for gram in reference.windows(n) {
        *open.entry(gram).or_default() += 1;
    }
    let mut shared = 0;
    for gram in other.windows(n) {
        if let Some(left) = open.get_mut(gram).filter(|left| **left > 0) {
            *left -= 1;
            shared += 1;
        }
    }
    shared
}

fn is_han_or_kana(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FD5}' | '々' | '〇' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303B}'
        | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}'
        | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FF66}'..='\u{FF9D}' | '\u{1AFF0}'..='\u{1B16F}' | '\u{20000}'..='\u{3FFFD}')
}

fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}')
}

fn is_latin_beyond_ascii(c: char) -> bool {
    c < '\u{370}'
        || matches!(c, '\u{1D00}'..='\u{1EFF}' | '\u{2070}'..='\u{209F}' | '\u{2100}'..='\u{218F}'
            | '\u{2460}'..='\u{24FF}' | '\u{2C60}'..='\u{2C7F}' | '\u{A720}'..='\u{A7FF}'
            | '\u{AB30}'..='\u{AB6F}' | '\u{FB00}'..='\u{FB06}')
}

fn is_point(c: char) -> bool {
    c == '.' || c == ','
}

// mteval's first rule: every ASCII punctuation mark but ' , - . is a token.
fn set_apart(line: &str) -> String {
    let mut apart = String::with_capacity(line.len() * 2);
    for c in line.chars() {
        match matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/') {
            true => apart.extend([' ', c, ' ']),
            false => apart.push(c),
        }
    }
    apart
}

// A substitution on pairs of neighbours as regular expressions make it: left to right, no overlap.
fn split_pairs(line: &str, hit: fn(char, char) -> bool, split: fn(char, char) -> [char; 4]) -> String {
    let mut result = String::with_capacity(line.len() * 2);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.next_if(|next| hit(c, *next)) {
            Some(next) => result.extend(split(c, next)),
            None => result.push(c),
        }
    }
    result
}
