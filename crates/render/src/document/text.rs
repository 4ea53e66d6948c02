//! Names, lists and intervals within texts.

use eval_format::{CheckRef, Ci};
use eval_message::number::level;
use eval_message::plain::{clean, clip};
use eval_message::{Arg, Message, Separator, msg};

use crate::minus::{bound, minus_of_number, signed};

/// The most columns of a name in a line of text.
pub(crate) const NAME: usize = 32;

/// How many samples are listed by name.
pub(crate) const LISTED: usize = 5;

/// Returns a sample's id, cleaned and shortened; no line break divides it.
pub(crate) fn id(id: &str) -> Arg {
    name(id, NAME)
}

/// Returns a name that no backticks keep on one line.
pub(crate) fn name(name: &str, width: usize) -> Arg {
    Arg::Name(clip(name, width))
}

/// Returns the first ids, and how many more there are.
pub(crate) fn ids<'s>(all: impl IntoIterator<Item = &'s String>) -> Arg {
    let all: Vec<&String> = all.into_iter().collect();
    and_more(all.iter().take(LISTED).map(|text| id(text)), all.len().saturating_sub(LISTED))
}

/// Returns a list of which only the first texts are named; `more` of them are not.
pub(crate) fn and_more(named: impl IntoIterator<Item = Arg>, more: usize) -> Arg {
    let list: Vec<Arg> = named.into_iter().collect();
    if more == 0 { list.into() } else { msg!("report-and-more", list = list, more = more).into() }
}

/// Joins texts by semicolons.
pub(crate) fn clauses(parts: impl IntoIterator<Item = impl Into<Arg>>) -> Arg {
    Arg::List(Separator::Semicolon, parts.into_iter().map(Into::into).collect())
}

/// Joins a name and what is said of it; no line break divides them.
pub(crate) fn tied(name: Arg, text: impl Into<Arg>) -> Arg {
    Arg::List(Separator::Tie, vec![name, text.into()])
}

/// Returns a sample with its difference.
pub(crate) fn moved(sample: &str, difference: f64) -> Arg {
    tied(id(sample), signed(difference))
}

pub(crate) fn check_name(check: &CheckRef) -> Arg {
    tied(id(&check.sample_id), format!("#{} {}", check.index + 1, clip(&check.label, 40)))
}

/// Returns a commit as Git shortens it; its name may be of others.
pub(crate) fn commit(commit: &str) -> String {
    clean(commit).chars().take(7).collect()
}

pub(crate) fn interval(ci: Option<&Ci>) -> Message {
    match ci {
        None => msg!("report-interval-none"),
        Some(ci) if ci.degenerate => msg!("report-interval-point"),
        Some(ci) => {
            let (low, high, level) = (bound(ci.low), bound(ci.high), level(ci.level));
            match ci.family > 1 {
                true => msg!("report-interval-family", level = level, low = low, high = high, family = ci.family),
                false => msg!("report-interval-of", level = level, low = low, high = high),
            }
        }
    }
}

/// Formats a number that may be unknown.
pub(crate) fn or_dash(number: Option<f64>, text: fn(f64) -> String) -> String {
    number.map_or_else(|| "–".to_owned(), text)
}

/// Cleans and shortens the key and the arguments of a stored message, which may be untrusted: a key that the catalogue
/// hasn't stands for its text. Negative numbers get a true minus, also those that were stored with a hyphen.
pub(crate) fn harmless(message: &Message) -> Message {
    let mut message = message.clone();
    message.id = clip(&message.id, 200).into();
    for value in message.args.values_mut() {
        if let Arg::Text(text) = value {
            *text = minus_of_number(&clip(text, 200));
        }
    }
    message
}
