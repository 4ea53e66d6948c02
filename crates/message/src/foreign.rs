//! Translates errors of the operating system, the JSON parser and the schema checker, which come in English, if their
//! wording is known.

use std::sync::OnceLock;

use crate::{Lang, Message, MessageKey, key, msg};

/// Errors without variable parts.
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

/// Placeholder of a variable part.
const GAP: &str = "\u{0}";

/// Errors with variable parts, such as `{ $a } is not of type { $b }`.
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

/// Translates an error to `lang` if its wording is known; text before the last colon stays.
pub(crate) fn translated(text: &str, lang: Lang) -> Option<String> {
    if lang == Lang::En {
        return None;
    }
    let (before, error) = text.rsplit_once(": ").map_or(("", text), |(before, error)| (before, error));
    let translated = system(error, lang).or_else(|| placed(error, lang)).or_else(|| fixed(error, lang));
    let translated = translated.map(|error| if before.is_empty() { error } else { format!("{before}: {error}") });
    // a value in a schema error may contain a colon
    translated.or_else(|| by_schema(text, lang))
}

/// Translates `No such file or directory (os error 2)`.
fn system(error: &str, lang: Lang) -> Option<String> {
    let (what, code) = error.strip_suffix(')')?.rsplit_once(" (os error ")?;
    let code: u32 = code.parse().ok()?;
    Some(msg!("foreign-system", what = fixed(what, lang)?, code = code.to_string()).text(lang))
}

/// Translates `expected value at line 1 column 7`.
fn placed(error: &str, lang: Lang) -> Option<String> {
    let (what, place) = error.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(" column ")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let what = fixed(what, lang).filter(|_| is_number(line) && is_number(column))?;
    Some(msg!("foreign-place", what = what, line = line, column = column).text(lang))
}

fn fixed(error: &str, lang: Lang) -> Option<String> {
    static ENGLISH: OnceLock<Vec<(String, MessageKey)>> = OnceLock::new();
    let english = ENGLISH.get_or_init(|| FIXED.iter().map(|key| (key.message().text(Lang::En), *key)).collect());
    english.iter().find(|(text, _)| text == error).map(|(_, key)| key.message().text(lang))
}

fn by_schema(error: &str, lang: Lang) -> Option<String> {
    static ENGLISH: OnceLock<Vec<String>> = OnceLock::new();
    let english = ENGLISH.get_or_init(|| about(GAP, GAP).iter().map(|message| message.text(Lang::En)).collect());
    let gaps = |(index, pattern): (usize, &String)| {
        let parts: Vec<&str> = pattern.split(GAP).collect();
        let rest = error.strip_prefix(*parts.first()?)?.strip_suffix(*parts.last()?)?;
        let (a, b) = match parts.get(1).filter(|_| parts.len() == 3) {
            Some(between) => rest.rsplit_once(between)?,
            None => (rest, ""),
        };
        Some((index, a, b))
    };
    // The checker quotes values as JSON and names in single quotes; anything else is not from the checker.
    let is_json = |a: &str| a.starts_with(['"', '{', '[', '-']) || a.starts_with(|c: char| c.is_ascii_digit());
    let is_quoted = |a: &str| a.starts_with('\'') || is_json(a) || ["", "true", "false", "null"].contains(&a);
    let (index, a, b) = english.iter().enumerate().filter_map(gaps).find(|(_, a, _)| is_quoted(a))?;
    about(a, b).get(index).map(|message| message.text(lang))
}
