//! Ids and names that look the same and are different texts.

use std::collections::HashMap;
use std::fmt::Write as _;

use eval_message::{Message, msg};
use eval_spec::Diagnostic;
use eval_spec::source::Place;
use icu_normalizer::ComposingNormalizerBorrowed;

/// An id with its place in a file, if it has one.
pub(super) struct PlacedId<'a> {
    pub(super) id: &'a str,
    pub(super) place: Option<&'a Place>,
}

/// Names each pair that differs only by white space, characters without width, or Unicode's normal form. A pair that is the
/// same once its ends are trimmed is an error, any other a warning.
pub(super) fn alike_ids<'a>(ids: impl Iterator<Item = PlacedId<'a>>) -> Vec<Diagnostic> {
    let mut first: HashMap<String, PlacedId<'a>> = HashMap::new();
    let mut found = Vec::new();
    for later in ids {
        match first.get(&folded(later.id)) {
            None => drop(first.insert(folded(later.id), later)),
            Some(earlier) if earlier.id == later.id => {}
            Some(earlier) => found.push(pair(earlier, &later)),
        }
    }
    found
}

fn pair(earlier: &PlacedId<'_>, later: &PlacedId<'_>) -> Diagnostic {
    let [a, b] = escaped([earlier.id, later.id]);
    let message: Message = msg!("load-alike-ids", id = b, other = a);
    let place = later.place.cloned();
    let of = match trimmed(earlier.id) == trimmed(later.id) {
        true => Diagnostic::error(message, place),
        false => Diagnostic::warning(message, place),
    };
    let of = of.help(msg!("load-alike-ids-help"));
    match earlier.place {
        Some(earlier) => of.also(earlier.clone(), msg!("load-first-here")),
        None => of,
    }
}

/// The id as a reader sees it.
fn folded(id: &str) -> String {
    let seen: String = id.chars().filter(|c| !is_unseen(*c)).collect();
    ComposingNormalizerBorrowed::new_nfc().normalize(&seen).into_owned()
}

fn trimmed(id: &str) -> &str {
    id.trim_matches(is_unseen)
}

/// White space, and characters without width.
fn is_unseen(c: char) -> bool {
    let has_no_width = matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}'
    );
    c.is_whitespace() || has_no_width
}

/// Both, with each character between their common beginning and end by its number, unless it is a plain one.
fn escaped(ids: [&str; 2]) -> [String; 2] {
    let [a, b] = ids.map(|id| id.chars().collect::<Vec<char>>());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    [a, b].map(|id| {
        let mut text = String::new();
        for (at, &c) in id.iter().enumerate() {
            match c.is_ascii_graphic() || !(is_unseen(c) || (start..id.len() - end).contains(&at)) {
                true => text.push(c),
                false => _ = write!(text, "⟦U+{:04X}⟧", u32::from(c)),
            }
        }
        text
    })
}
