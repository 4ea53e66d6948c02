//! Untrusted text, escaped for Markdown and for the forges that render it.

use eval_message::plain::{clean, shortened};

use crate::voice::in_ticks;

/// Characters of a text that are shown.
const SHOWN: usize = 300;
/// Characters of a name that are shown.
const NAME: usize = 80;

/// What takes no room and ends a word. A backslash or an entity keeps Markdown away and no forge: GitHub and GitLab look
/// for mentions and references in what was rendered.
const BREAK: char = '\u{200b}';

/// Untrusted text in a line or a cell: no line break, no markup, no HTML, nothing that a forge makes a link, a
/// mention or a reference of: `www.`, `://` and addresses (GFM 0.29, § 6.9), `#12`, `GH-12` and commits (GitHub's
/// "Autolinked references and URLs"), `!12`, `%12`, `&12` and `$12` (GitLab's).
pub(crate) fn inline(text: &str) -> String {
    let text = shortened(&clean(text), SHOWN);
    if is_figure(&text) {
        return text;
    }
    let mut out = String::new();
    let mut before = ' ';
    for (i, c) in text.char_indices() {
        let rest = &text[i + c.len_utf8()..];
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '[' | ']' | '#' | '|' | '~' | '$' => out.extend(['\\', c]),
            // within a word it is no markup
            '_' if !(before.is_alphanumeric() && rest.starts_with(char::is_alphanumeric)) => out.push_str("\\_"),
            ':' if rest.starts_with("//") => out.push_str("\\:"),
            c => out.push(c),
        }
        if begins_reference(&text[..i], c, rest) {
            out.push(BREAK);
        }
        before = c;
    }
    out
}

/// Returns `true` for figures, of which no forge makes anything: an interval in brackets, a price with decimals.
fn is_figure(text: &str) -> bool {
    let has_decimals = |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.');
    text.chars().all(|c| c.is_ascii_digit() || " .,%$[]+-−–".contains(c))
        && text.split('$').skip(1).all(has_decimals)
        && text.split('%').skip(1).all(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns `true` if a forge would read a reference on after `c`.
fn begins_reference(head: &str, c: char, rest: &str) -> bool {
    let ends = |word: &str| {
        let at = head.len().checked_sub(word.len());
        at.and_then(|at| head.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
    };
    match c {
        '@' => true,
        '#' | '!' | '%' | '&' | '$' | '~' => rest.starts_with(|next: char| next.is_ascii_digit()),
        'w' | 'W' => ends("ww") && rest.starts_with('.'),
        '-' => ends("gh") && rest.starts_with(|next: char| next.is_ascii_digit()),
        c if c.is_ascii_hexdigit() => !head.ends_with(|last: char| last.is_ascii_alphanumeric()) && is_commit(c, rest),
        _ => false,
    }
}

/// A word of 7 to 40 hexadecimal digits, letters among them: dates and ids of evaluations are none.
fn is_commit(first: char, rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let word = &rest[..end];
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_letter = first.is_ascii_alphabetic() || word.bytes().any(|byte| byte.is_ascii_alphabetic());
    (6..40).contains(&word.len()) && is_hex && has_letter
}

/// An untrusted name as code, in which a forge sees neither markup nor references. What would end it or the cell of a
/// table that it is in becomes something that looks alike.
pub(crate) fn name(text: &str) -> String {
    let code = in_code(text);
    if code.is_empty() { "–".to_owned() } else { format!("`{code}`") }
}

/// Untrusted text between backticks.
pub(crate) fn in_code(text: &str) -> String {
    let alike = |c: char| match c {
        '|' => '∣',
        '\\' => '＼',
        c => c,
    };
    in_ticks(&shortened(&clean(text), NAME)).chars().map(alike).collect()
}

/// Untrusted text within HTML. Whether a forge looks for markup there is its own choice, so that there is none.
pub(crate) fn html(text: &str) -> String {
    let text = shortened(&clean(text), SHOWN);
    let mut out = String::new();
    for (i, c) in text.char_indices() {
        let rest = &text[i + c.len_utf8()..];
        match c {
            '<' | '>' | '&' | '@' | '"' | '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '#' | '|' | '~' | '$' => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            c => out.push(c),
        }
        if begins_reference(&text[..i], c, rest) || (c == ':' && rest.starts_with("//")) {
            out.push(BREAK);
        }
    }
    out
}
