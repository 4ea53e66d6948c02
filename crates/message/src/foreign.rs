//! Other people's words in our texts: errors of the operating system, the JSON parser and the schema checker are English. A
//! reader of another language gets them in that language where they are known word for word.

use std::sync::OnceLock;

use crate::{Lang, Message, MessageKey, key, msg};

/// Errors that are the same each time.
const FIXED: &[MessageKey] = &[
    key!("foreign-missing"),
    key!("foreign-denied"),
    key!("foreign-not-permitted"),
    key!("foreign-exists"),
    key!("foreign-not-directory"),
    key!("foreign-is-directory"),
    key!("foreign-not-empty"),
    key!("foreign-full"),
    key!("foreign-read-only"),
    key!("foreign-long-name"),
    key!("foreign-links"),
    key!("foreign-open-files"),
    key!("foreign-large"),
    key!("foreign-quota"),
    key!("foreign-busy"),
    key!("foreign-no-exec"),
    key!("foreign-pipe"),
    key!("foreign-argument"),
    key!("foreign-memory"),
    key!("foreign-io"),
    key!("foreign-temporarily"),
    key!("foreign-refused"),
    key!("foreign-reset"),
    key!("foreign-unreachable"),
    key!("foreign-host-unreachable"),
    key!("foreign-timed-out"),
    key!("foreign-in-use"),
    key!("foreign-not-regular"),
    key!("foreign-json-value"),
    key!("foreign-json-eof-value"),
    key!("foreign-json-eof-list"),
    key!("foreign-json-eof-object"),
    key!("foreign-json-eof-string"),
    key!("foreign-json-trailing"),
    key!("foreign-json-comma"),
    key!("foreign-json-colon"),
    key!("foreign-json-list-end"),
    key!("foreign-json-object-end"),
    key!("foreign-json-ident"),
    key!("foreign-json-key"),
    key!("foreign-json-escape"),
    key!("foreign-json-control"),
    key!("foreign-json-number"),
    key!("foreign-json-range"),
    key!("foreign-json-unicode"),
    key!("foreign-json-surrogate"),
    key!("foreign-json-hex"),
    key!("foreign-json-depth"),
];

/// Stands for what differs from time to time.
const GAP: &str = "\u{0}";

/// Errors about something: `{ $a } is not of type { $b }`.
fn about(a: &str, b: &str) -> Vec<Message> {
    vec![
        msg!("foreign-file-large", a = a, b = b),
        msg!("foreign-report-large", a = a),
        msg!("foreign-schema-type", a = a, b = b),
        msg!("foreign-schema-types", a = a, b = b),
        msg!("foreign-schema-one-of", a = a, b = b),
        msg!("foreign-schema-match", a = a, b = b),
        msg!("foreign-schema-format", a = a, b = b),
        msg!("foreign-schema-minimum", a = a, b = b),
        msg!("foreign-schema-maximum", a = a, b = b),
        msg!("foreign-schema-short", a = a, b = b),
        msg!("foreign-schema-long", a = a, b = b),
        msg!("foreign-schema-few", a = a, b = b),
        msg!("foreign-schema-many", a = a, b = b),
        msg!("foreign-schema-required", a = a),
        msg!("foreign-schema-additional", a = a),
        msg!("foreign-schema-additionals", a = a),
        msg!("foreign-schema-unique", a = a),
    ]
}

/// The text in `lang`, if it is one of the known ones, whatever stands before the last colon.
pub(crate) fn told(text: &str, lang: Lang) -> Option<String> {
    if lang == Lang::En {
        return None;
    }
    let (before, error) = text.rsplit_once(": ").map_or(("", text), |(before, error)| (before, error));
    let told = system(error, lang).or_else(|| placed(error, lang)).or_else(|| known(error, lang));
    let told = told.map(|told| if before.is_empty() { told } else { format!("{before}: {told}") });
    // a schema's error may have a colon in a value
    told.or_else(|| by_schema(text, lang))
}

/// `No such file or directory (os error 2)`
fn system(error: &str, lang: Lang) -> Option<String> {
    let (what, code) = error.strip_suffix(')')?.rsplit_once(" (os error ")?;
    let code: u32 = code.parse().ok()?;
    Some(msg!("foreign-system", what = known(what, lang)?, code = code.to_string()).text(lang))
}

/// `expected value at line 1 column 7`
fn placed(error: &str, lang: Lang) -> Option<String> {
    let (what, place) = error.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let what = known(what, lang).filter(|_| is_number(line) && is_number(column))?;
    Some(msg!("foreign-place", what = what, line = line, column = column).text(lang))
}

fn known(error: &str, lang: Lang) -> Option<String> {
    static ENGLISH: OnceLock<Vec<(String, MessageKey)>> = OnceLock::new();
    let english = ENGLISH.get_or_init(|| FIXED.iter().map(|key| (key.message().text(Lang::En), *key)).collect());
    english.iter().find(|(text, _)| text == error).map(|(_, key)| key.message().text(lang))
}

fn by_schema(error: &str, lang: Lang) -> Option<String> {
    static ENGLISH: OnceLock<Vec<String>> = OnceLock::new();
    let english = ENGLISH.get_or_init(|| about(GAP, GAP).iter().map(|message| message.text(Lang::En)).collect());
    let gaps = |(at, pattern): (usize, &String)| {
        let parts: Vec<&str> = pattern.split(GAP).collect();
        let rest = error.strip_prefix(*parts.first()?)?.strip_suffix(*parts.last()?)?;
        let (a, b) = match parts.get(1).filter(|_| parts.len() == 3) {
            Some(between) => rest.rsplit_once(between)?,
            None => (rest, ""),
        };
        Some((at, a, b))
    };
    // The checker writes what it found as JSON, or a name in single quotes; other words are somebody's own.
    let is_json = |a: &str| a.starts_with(['"', '{', '[', '-']) || a.starts_with(|c: char| c.is_ascii_digit());
    let is_its_own = |a: &str| a.starts_with('\'') || is_json(a) || ["", "true", "false", "null"].contains(&a);
    let (at, a, b) = english.iter().enumerate().filter_map(gaps).find(|(_, a, _)| is_its_own(a))?;
    about(a, b).get(at).map(|message| message.text(lang))
}
