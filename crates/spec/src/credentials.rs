//! Masks passwords and keys in the addresses of a text: excerpts of files end up in the logs of a CI, and reports are shared.

/// What the names of parameters are that carry secrets, in lower case, letters and digits only.
const NAMES: [&str; 12] = [
    "key",
    "sig",
    "auth",
    "session",
    "sessionid",
    "sid",
    "jwt",
    "pwd",
    "appid",
    "accesskeyid",
    "authorization",
    "xamzcredential",
];

/// What such names end with.
const ENDS: [&str; 8] =
    ["token", "secret", "password", "passwd", "passphrase", "signature", "credential", "credentials"];

/// What comes before `key` or `sig` in such names: other keys are those of tables and keyboards.
const KINDS: [&str; 14] = [
    "api",
    "access",
    "auth",
    "app",
    "account",
    "client",
    "private",
    "secret",
    "shared",
    "sas",
    "subscription",
    "license",
    "service",
    "consumer",
];

/// What comes before `token` where it is a place in a list.
const PLACES: [&str; 5] = ["page", "continuation", "next", "sync", "cursor"];

/// Whether a parameter of a query, by its name, is probably a secret.
pub fn is_key(name: &str) -> bool {
    let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let plain = plain.to_lowercase();
    let ends_with = |rest: &str, words: &[&str]| words.iter().any(|word| rest.ends_with(word));
    let of_kind = |end: &str| plain.strip_suffix(end).is_some_and(|rest| ends_with(rest, &KINDS));
    let is_place = || plain.strip_suffix("token").is_some_and(|rest| ends_with(rest, &PLACES));
    NAMES.contains(&plain.as_str()) || of_kind("key") || of_kind("sig") || (ends_with(&plain, &ENDS) && !is_place())
}

/// An address as excerpts show it.
#[must_use]
pub fn masked_address(url: &str) -> String {
    masked(url).unwrap_or_else(|| url.to_owned())
}

/// The text with a `*` for each byte of a password or key, so that every position stays right; `None` if it has none.
pub fn masked(text: &str) -> Option<String> {
    // As JSON may write it, too.
    let marks = text.match_indices("://").chain(text.match_indices(":\\/\\/"));
    let mut begins: Vec<usize> = marks.map(|(begin, mark)| begin + mark.len()).collect();
    begins.sort_unstable();
    let mut secrets = Vec::new();
    for (place, &begin) in begins.iter().enumerate() {
        // An address inside another's query is checked separately.
        let end = begins.get(place + 1).copied().unwrap_or(text.len());
        address(&text[begin..end], begin, &mut secrets);
    }
    if secrets.is_empty() {
        return None;
    }
    secrets.sort_unstable();
    let (mut masked, mut copied) = (String::with_capacity(text.len()), 0);
    for (begin, end) in secrets {
        let begin = begin.max(copied);
        let end = end.max(begin);
        masked.push_str(&text[copied..begin]);
        masked.push_str(&"*".repeat(end - begin));
        copied = end;
    }
    masked.push_str(&text[copied..]);
    Some(masked)
}

/// The secret ranges of an address; `text` begins after its scheme, at byte `begin` of the whole text.
fn address(text: &str, begin: usize, secrets: &mut Vec<(usize, usize)>) {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>') || is_cjk_punctuation(c);
    let text = text.split(ends).next().unwrap_or_default();
    let authority = text.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    if let Some(at) = authority.rfind('@') {
        secrets.push((begin, begin + at));
    }
    let mut at = begin;
    for pair in text.split(['?', '&', '#']) {
        if let Some((name, value)) = pair.split_once('=').filter(|(name, _)| is_key(name)) {
            // A sentence may go on behind it without a space.
            let length = value.find(|c: char| !c.is_ascii()).unwrap_or(value.len());
            secrets.push((at + name.len() + 1, at + name.len() + 1 + length));
        }
        at += pair.len() + 1;
    }
}

/// Whether a character separates Chinese or Japanese sentences and their parts: no address goes on behind it.
fn is_cjk_punctuation(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '“' | '”' | '‘' | '’')
}
