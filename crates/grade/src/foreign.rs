//! Syntax of other regex flavours. ECMAScript reads most of it as something else, without an error: outside of `u` mode
//! an escaped letter without a meaning is the letter itself, and a class may contain `[` and `:`.

use std::iter::successors;

use eval_message::{Message, msg};

use crate::regexp::Regexp;

/// The flags that `(?i)` and the like have in common with ECMAScript.
const SHARED: &str = "ims";

/// Letters that follow a pattern between slashes.
const LITERAL_FLAGS: &str = "dgimsuvyx";

/// An escape, what stands for it outside of a class, and what inside one.
const ESCAPES: &[(char, Option<&str>, Option<&str>)] = &[
    ('h', Some(r"[ \t]"), Some(r" \t")),
    ('H', Some(r"[^ \t]"), None),
    ('R', Some(r"(?:\r\n|[\n\r])"), None),
    ('a', Some(r"\x07"), Some(r"\x07")),
    ('e', Some(r"\x1B"), Some(r"\x1B")),
    ('G', None, None),
    ('K', None, None),
    ('Q', None, None),
    ('X', None, None),
];

/// Escapes that are ordinary letters in a class of every flavour.
const OUTSIDE: &str = "HRGKQX";

const POSIX: &[(&str, &str)] = &[
    ("alpha", "A-Za-z"),
    ("digit", "0-9"),
    ("alnum", "A-Za-z0-9"),
    ("upper", "A-Z"),
    ("lower", "a-z"),
    ("space", r"\s"),
    ("blank", r" \t"),
    ("punct", r"!-\/:-@\[-`{-~"),
    ("cntrl", r"\x00-\x1F\x7F"),
    ("graph", "!-~"),
    ("print", " -~"),
    ("xdigit", "0-9A-Fa-f"),
    ("word", r"\w"),
];

/// A piece of a pattern that other flavours understand.
pub(crate) struct ForeignSyntax {
    pub(crate) written: String,
    /// What to write for it.
    pub(crate) help: Message,
}

/// The first piece of `pattern` that is written for another flavour.
pub(crate) fn first(pattern: &str, flags: &str) -> Option<ForeignSyntax> {
    if let Some(found) = literal(pattern, flags) {
        return Some(found);
    }
    pieces(pattern, flags.contains('v')).find_map(|Piece { rest, classes }| match rest.as_bytes()[0] {
        b'\\' => escape(rest, flags, classes > 0),
        b'[' => posix(pattern, rest, flags, classes > 0),
        b'(' if classes == 0 => group(rest, flags),
        _ => None,
    })
}

/// What begins at one character, or at one escape.
#[derive(Clone, Copy)]
struct Piece<'p> {
    rest: &'p str,
    /// How many classes it is in.
    classes: usize,
}

fn pieces(pattern: &str, nests: bool) -> impl Iterator<Item = Piece<'_>> {
    successors(Some(Piece { rest: pattern, classes: 0 }), move |Piece { rest, classes }| {
        let mut chars = rest.chars();
        let classes = match (chars.next()?, *classes) {
            ('\\', open) => {
                chars.next();
                open
            }
            ('[', 0) => 1,
            ('[', open) if nests => open + 1,
            (']', open) => open.saturating_sub(1),
            (_, open) => open,
        };
        Some(Piece { rest: chars.as_str(), classes })
    })
    .take_while(|piece| !piece.rest.is_empty())
}

/// `/x/i`. A path also has slashes inside, or nothing that only a pattern has.
fn literal(pattern: &str, flags: &str) -> Option<ForeignSyntax> {
    let inner = pattern.strip_prefix('/')?;
    let (body, after) = inner.rsplit_once('/')?;
    let of_class = |piece: &Piece<'_>| piece.classes > 0;
    let are_flags = after.chars().all(|c| LITERAL_FLAGS.contains(c) && after.matches(c).count() == 1);
    let has_slash = pieces(body, false).any(|piece| piece.rest.starts_with('/') && !of_class(&piece));
    // The last slash is escaped, or in a class.
    let closes = pieces(inner, false).any(|piece| piece.rest.len() == after.len() + 1 && !of_class(&piece));
    if body.is_empty() || !are_flags || has_slash || !closes {
        return None;
    }
    let is_anchored = body.starts_with('^') || (body.ends_with('$') && !body.ends_with(r"\$"));
    if after.is_empty() && !is_anchored && !body.contains(r"\/") {
        return None;
    }
    let known: String = after.chars().filter(|c| *c != 'x').collect();
    let path = format!(r"\{pattern}");
    let help = match known.is_empty() {
        true => msg!("grade-regex-foreign-slashes", pattern = body, path = path),
        false => msg!("grade-regex-foreign-literal", pattern = body, flags = joined(flags, &known), path = path),
    };
    Some(ForeignSyntax { written: pattern.to_owned(), help })
}

fn escape(rest: &str, flags: &str, is_in_class: bool) -> Option<ForeignSyntax> {
    let letter = rest[1..].chars().next()?;
    let (start, after) = rest.split_at(1 + letter.len_utf8());
    match letter {
        'A' | 'Z' | 'z' if !is_in_class => {
            let is_start = letter == 'A';
            // With `m`, `^` and `$` match at every line.
            let form = match (is_start, flags.contains('m')) {
                (true, false) => "^",
                (false, false) => "$",
                (true, true) => "(?<![^])",
                (false, true) => "(?![^])",
            };
            Some(instead(start, form))
        }
        'p' | 'P' => property(letter, after, flags),
        'x' | 'u' => code_point(letter, after, flags),
        _ => {
            let (_, outside, inside) = ESCAPES.iter().find(|(known, _, _)| *known == letter)?;
            match (is_in_class, outside, inside) {
                (true, _, Some(form)) | (false, Some(form), _) => Some(instead(start, form)),
                (true, _, None) if OUTSIDE.contains(letter) => None,
                _ => Some(ForeignSyntax { written: start.to_owned(), help: msg!("grade-regex-foreign-none") }),
            }
        }
    }
}

/// `\p{Han}` and `\pL`.
fn property(letter: char, after: &str, flags: &str) -> Option<ForeignSyntax> {
    let (name, written) = match braced(after) {
        Some(name) => (name, format!(r"\{letter}{{{name}}}")),
        None => {
            let name = after.get(..1).filter(|name| "LMNPSZC".contains(name))?;
            (name, format!(r"\{letter}{name}"))
        }
    };
    let full = |prefix: &str| format!(r"\{letter}{{{prefix}{name}}}");
    let is_known = |form: &String| Regexp::new(form, "u").is_ok();
    let form = ["", "Script="].into_iter().map(full).find(is_known);
    let has_mode = is_unicode(flags);
    if has_mode && form.as_ref().is_none_or(|form| *form == written) {
        return None;
    }
    let form = form.unwrap_or_else(|| written.clone());
    let help = match has_mode {
        true => msg!("grade-regex-foreign-form", form = form),
        false => msg!("grade-regex-foreign-mode", form = form, flags = joined(flags, "u")),
    };
    Some(ForeignSyntax { written, help })
}

/// `\x{1F600}`, and `\u{1F600}` without `u`.
fn code_point(letter: char, after: &str, flags: &str) -> Option<ForeignSyntax> {
    let digits = braced(after).filter(|digits| digits.chars().all(|c| c.is_ascii_hexdigit()))?;
    let form = format!(r"\u{{{digits}}}");
    let help = match (letter, is_unicode(flags)) {
        ('u', true) => return None,
        (_, true) => msg!("grade-regex-foreign-form", form = form),
        (_, false) => msg!("grade-regex-foreign-mode", form = form, flags = joined(flags, "u")),
    };
    Some(ForeignSyntax { written: format!(r"\{letter}{{{digits}}}"), help })
}

/// `[:alpha:]` and `[:^alpha:]`: alone in a class, among others, or for a class.
fn posix(pattern: &str, rest: &str, flags: &str, is_in_class: bool) -> Option<ForeignSyntax> {
    let (name, after) = rest.strip_prefix("[:")?.split_once(":]")?;
    let (_, range) = POSIX.iter().find(|(known, _)| *known == name.trim_start_matches('^'))?;
    let is_alone = pattern[..pattern.len() - rest.len()].ends_with('[') && after.starts_with(']');
    let is_negated = name.starts_with('^');
    let bare = format!("[:{name}:]");
    let written = if is_in_class && is_alone { format!("[{bare}]") } else { bare };
    let form = match (is_in_class && !is_alone, is_negated) {
        (true, true) => return Some(ForeignSyntax { written, help: msg!("grade-regex-foreign-none") }),
        (true, false) => (*range).to_owned(),
        (false, true) => format!("[^{range}]"),
        (false, false) => format!("[{range}]"),
    };
    let help = match *range {
        "A-Za-z" => msg!("grade-regex-foreign-letters", form = form, flags = joined(flags, "u")),
        _ => msg!("grade-regex-foreign-form", form = form),
    };
    Some(ForeignSyntax { written, help })
}

/// `(?i)`, `(?P<n>` and other groups.
fn group(rest: &str, flags: &str) -> Option<ForeignSyntax> {
    let after = rest.strip_prefix("(?")?;
    let named = |prefix: &str, close: char| after.strip_prefix(prefix)?.split_once(close).map(|(name, _)| name);
    if let Some(name) = named("P<", '>') {
        return Some(instead(&format!("(?P<{name}>"), &format!("(?<{name}>")));
    }
    if let Some(name) = named("P=", ')') {
        return Some(instead(&format!("(?P={name})"), &format!(r"\k<{name}>")));
    }
    if let Some(name) = named("'", '\'') {
        return Some(instead(&format!("(?'{name}'"), &format!("(?<{name}>")));
    }
    let (modifiers, _) = after.split_once(')')?;
    let is_modifiers =
        !modifiers.is_empty() && modifiers.chars().all(|c| c.is_ascii_lowercase() || "-^ULJ".contains(c));
    if !is_modifiers {
        return None;
    }
    let (on, off) = modifiers.split_once('-').unwrap_or((modifiers, ""));
    let written = format!("(?{modifiers})");
    let wanted: String = joined(flags, &on.chars().filter(|c| SHARED.contains(*c)).collect::<String>());
    let flags: String = wanted.chars().filter(|c| !off.contains(*c)).collect();
    Some(ForeignSyntax { help: msg!("grade-regex-foreign-flags", modifiers = written.clone(), flags = flags), written })
}

fn instead(written: &str, form: &str) -> ForeignSyntax {
    ForeignSyntax { written: written.to_owned(), help: msg!("grade-regex-foreign-form", form = form) }
}

fn braced(after: &str) -> Option<&str> {
    after.strip_prefix('{')?.split_once('}').map(|(name, _)| name).filter(|name| !name.is_empty())
}

fn is_unicode(flags: &str) -> bool {
    flags.contains(['u', 'v'])
}

/// Both, each flag once; `u` and `v` exclude each other.
fn joined(flags: &str, more: &str) -> String {
    let new = |flag: &char| !(flags.contains(*flag) || "uv".contains(*flag) && is_unicode(flags));
    flags.chars().chain(more.chars().filter(new)).collect()
}
