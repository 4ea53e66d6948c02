//! URLs in texts, and texts with pages in place of URLs. Nothing is fetched here.

use std::ops::Range;
use std::sync::LazyLock;

use eval_spec::page::delimited;
use regex::Regex;
use url::Url;

use eval_spec::credentials::masked_address;

/// A URL in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlInText {
    /// As written; as [`Url`] reads it where letters have to be encoded.
    pub url: String,
    /// What the page replaces: the URL, with the brackets that Markdown puts around it.
    pub range: Range<usize>,
    /// The letters that follow at once, of a language without spaces between words: some of them may belong to the URL.
    pub followed_by: Option<String>,
    /// Whether nobody can say where it ends: it breaks off where a name is to follow (`…/wiki/`), and such letters do.
    pub is_open: bool,
}

impl UrlInText {
    /// The URL of the page: a fragment is a place in it. `#/…` and `#!…` name pages of their own.
    #[must_use]
    pub fn page(&self) -> &str {
        match self.url.split_once('#') {
            Some((page, fragment)) if !fragment.starts_with(['/', '!']) => page,
            _ => &self.url,
        }
    }
}

/// The `http` and `https` URLs in a text, in its order.
///
/// Punctuation and symbols around a URL aren't part of it, nor is text of languages without spaces between words; between
/// `<` and `>`, and as the destination of a Markdown link, it is. Templates (`https://host/{id}`) and images are no URLs
/// to read.
#[must_use]
pub fn urls_in(text: &str) -> Vec<UrlInText> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = next_scheme(text, from) {
        let (url, end) = url_at(text, start);
        found.extend(url);
        from = end.max(start + 1);
    }
    found
}

/// The text with what `page` returns in place of each URL; a URL without a page stays.
#[must_use]
pub fn with_pages(text: &str, page: impl Fn(&UrlInText) -> Option<String>) -> String {
    replaced(text, |out, of, rest| {
        let Some(page) = page(of) else { return false };
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(&delimited(&masked_address(&of.url), &page));
        if !rest.is_empty() && !rest.starts_with(['\n', '\r']) {
            out.push('\n');
        }
        true
    })
}

/// The text without the URLs that `is_replaced` by pages: how they look says nothing of what is asked.
#[must_use]
pub fn without_urls(text: &str, is_replaced: impl Fn(&UrlInText) -> bool) -> String {
    replaced(text, |out, of, _| {
        let is_replaced = is_replaced(of);
        if is_replaced {
            out.push(' ');
        }
        is_replaced
    })
}

/// The text with what `write` writes in place of each URL, given what follows; it returns whether it wrote something.
fn replaced(text: &str, write: impl Fn(&mut String, &UrlInText, &str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for of in urls_in(text) {
        let length = out.len();
        out.push_str(&text[done..of.range.start]);
        match write(&mut out, &of, &text[of.range.end..]) {
            true => done = of.range.end,
            false => out.truncate(length),
        }
    }
    out.push_str(&text[done..]);
    out
}

/// Where the next `http://` or `https://` begins that is no part of a longer word.
fn next_scheme(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_joined = |at: usize| at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || b"+.-".contains(&bytes[at - 1]));
    (from..bytes.len()).find(|&at| is_scheme(&bytes[at..]) && !is_joined(at))
}

fn is_scheme(bytes: &[u8]) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| bytes.get(..scheme.len()).is_some_and(|found| found.eq_ignore_ascii_case(scheme.as_bytes())))
}

/// The URL that begins at `start`, if it is one to fetch, and where to look for the next.
fn url_at(text: &str, start: usize) -> (Option<UrlInText>, usize) {
    let before = &text[..start];
    if let Some(whole) = before.strip_suffix('<').and_then(|_| angled(text, start)) {
        return whole;
    }
    let is_destination = before.ends_with("](");
    let reach = start + extent(&text[start..], before.chars().next_back(), is_destination);
    let end = start + trimmed(&text[start..reach], before).len();
    let (written, after) = (&text[start..end], &text[end..]);
    let is_image = is_destination && is_image_link(&before[..start - 2]);
    // `https://host/{id}`, `https://host/<id>`, `https://host/*`, `https://*.host/`, `[https://host](https://host)`.
    let is_open = written.ends_with(['/', '=', '-', '_', ':', '%']);
    let is_template = after.starts_with('{')
        || after.starts_with("${")
        || (is_open && after.starts_with('<') && !after.starts_with("</"))
        || (is_open && after.starts_with('*') && !before.ends_with('*'))
        || authority(written).contains('*');
    if is_image || is_template || after.starts_with("](") {
        return (None, end);
    }
    let Some(url) = normal(written) else { return (None, end) };
    let range = match is_destination.then(|| destination_end(after)).flatten() {
        Some(length) => start - 1..end + length,
        None => start..end,
    };
    let followed_by = followers(after).filter(|_| !is_destination);
    let is_open = is_open && followed_by.is_some();
    let end = range.end;
    (Some(UrlInText { url, range, followed_by, is_open }), end)
}

/// The first letters of a text that begins in a language without spaces between words.
fn followers(after: &str) -> Option<String> {
    const SHOWN: usize = 8;
    let letters: String = after.chars().take_while(|c| is_letter(*c) && !c.is_ascii()).take(SHOWN).collect();
    letters.starts_with(is_of_running_text).then_some(letters)
}

/// The URL of `<https://…>`; `None` where the bracket is none of an autolink.
fn angled(text: &str, start: usize) -> Option<(Option<UrlInText>, usize)> {
    let length = text[start..].find(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>'))?;
    let written = &text[start..start + length];
    text[start + length..].strip_prefix('>')?;
    let end = start + length + 1;
    let found = normal(written).map(|url| UrlInText { url, range: start - 1..end, followed_by: None, is_open: false });
    Some((found, end))
}

/// What is between the scheme and the path.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())]
}

/// An escaped bracket, quote or space of HTML.
static ENTITY: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)^&(?:lt|gt|quot|apos|nbsp|#[0-9]{2,3}|#x[0-9a-f]{2});").ok());

/// How far a URL reaches at most.
fn extent(text: &str, before: Option<char>, is_destination: bool) -> usize {
    let is_end = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '"' | '`' | '{' | '}' | '|' | '\\' | '^')
            || (c == '\'' && before == Some('\''))
            || (!is_destination && !c.is_ascii() && (!is_letter(c) || is_of_running_text(c)))
    };
    // `https://a.example/1,https://a.example/2`
    let is_next = |rest: &str| rest.starts_with([',', ';']) && is_scheme(&rest.as_bytes()[1..]);
    let is_entity = |rest: &str| ENTITY.as_ref().is_some_and(|of| of.is_match(rest));
    let host = if is_destination { 0 } else { host_end(text) };
    let mut depth = 0_u32;
    for (at, c) in text.char_indices().filter(|(at, _)| *at >= host) {
        let rest = &text[at..];
        match c {
            // Catalan words have it within, and lists between.
            '·' if is_letter_of_a_word(text[..at].chars().next_back()) && is_letter_of_a_word(rest.chars().nth(1)) => {
            }
            c if is_end(c) || rest.starts_with("](") || is_next(rest) => return at,
            '&' if is_entity(rest) => return at,
            '(' => depth += 1,
            ')' if depth == 0 && is_destination => return at,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

fn is_letter_of_a_word(c: Option<char>) -> bool {
    c.is_some_and(|c| is_letter(c) && !is_of_running_text(c))
}

/// How far the scheme and a host of such letters reach: `https://例え.jp`. Text may follow a host, too: after one that is
/// whole without it, it is taken for text.
fn host_end(text: &str) -> usize {
    let start = text.find("://").map_or(0, |at| at + 3);
    let is_of_host = |c: char| is_letter(c) || matches!(c, '.' | '-');
    let length = text[start..].find(|c| !is_of_host(c)).unwrap_or(text.len() - start);
    let host = &text[start..start + length];
    let ascii = host.find(|c: char| !c.is_ascii()).unwrap_or(length);
    let is_whole = ascii == length || (!host[..ascii].is_empty() && !host[..ascii].ends_with(['.', '-']));
    let is_own = host[..ascii].contains('.') || !host.contains('.');
    if is_whole && is_own {
        return start + ascii;
    }
    // In `例え.jp的说明` the last label goes on in another script.
    let label = host.rfind('.').map_or(0, |at| at + 1);
    let last = &host[label..];
    match last.find(|c: char| !c.is_ascii()) {
        Some(at) if at > 0 && !last[..at].ends_with('-') && label > 0 => start + label + at,
        _ => start + length,
    }
}

/// A letter, a mark on one, or a number.
fn is_letter(c: char) -> bool {
    static LETTER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}]").ok());
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric(),
        false => LETTER.as_ref().is_some_and(|of| of.is_match(c.encode_utf8(&mut [0; 4]))),
    }
}

/// Letters that bare URLs end before: those of languages without spaces between words, and of Korean, which puts its
/// particles after any word.
fn is_of_running_text(c: char) -> bool {
    static SCRIPTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let scripts = ["Han", "Hira", "Kana", "Bopo", "Hang", "Yi", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"];
        let scripts: String = scripts.iter().map(|name| format!(r"\p{{scx={name}}}")).collect();
        // Letters as wide as those of these scripts.
        Regex::new(&format!(r"^[{scripts}\x{{ff00}}-\x{{ffef}}]")).ok()
    });
    !c.is_ascii() && SCRIPTS.as_ref().is_some_and(|of| of.is_match(c.encode_utf8(&mut [0; 4])))
}

/// The URL without the punctuation at its end, and without the marks of emphasis or mathematics that stand before it too;
/// brackets that were opened in it stay.
fn trimmed<'u>(url: &'u str, before: &str) -> &'u str {
    let mut url = url;
    let mut before = before;
    let count = |c: char| url.matches(c).count();
    let (opened, mut closed) = ([count('('), count('[')], [count(')'), count(']')]);
    loop {
        let is_punctuation = match url.chars().next_back() {
            Some('.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '~') => true,
            Some(mark @ ('_' | '$')) => match before.strip_suffix(mark) {
                Some(rest) => {
                    before = rest;
                    true
                }
                None => false,
            },
            Some(bracket @ (')' | ']')) => {
                let kind = usize::from(bracket == ']');
                closed[kind] -= 1;
                closed[kind] >= opened[kind]
            }
            _ => false,
        };
        if !is_punctuation {
            return url;
        }
        url = &url[..url.len() - 1];
    }
}

/// After the destination of a Markdown link: the length of its title and its bracket.
fn destination_end(after: &str) -> Option<usize> {
    let rest = after.trim_start();
    let space = after.len() - rest.len();
    if rest.starts_with(')') {
        return Some(space + 1);
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let title = rest[1..].find(quote)? + 2;
    let tail = rest[title..].trim_start();
    (space > 0 && tail.starts_with(')')).then(|| after.len() - tail.len() + 1)
}

/// Whether the `]` that follows `before` ends the text of an image, which is no longer than a line or two.
fn is_image_link(before: &str) -> bool {
    const LONGEST: usize = 2000;
    let mut depth = 0_u32;
    for (at, c) in before.char_indices().rev().take(LONGEST) {
        match c {
            ']' => depth += 1,
            '[' if depth == 0 => return before[..at].ends_with('!'),
            '[' => depth -= 1,
            '\n' if before[..at].ends_with('\n') => return false,
            _ => {}
        }
    }
    false
}

/// The URL, if it has a host; encoded where it has letters that a request can't carry.
fn normal(written: &str) -> Option<String> {
    // A text with HTML in it writes `&` so.
    let written = &written.replace("&amp;", "&");
    let url = Url::parse(written).ok().filter(Url::has_host)?;
    Some(if written.is_ascii() { written.clone() } else { url.into() })
}
