//! Masks secrets and personal data before anything is stored, shown or sent.

use std::sync::LazyLock;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use regex::{Captures, Regex};

/// Masks secrets and personal data in texts of sessions.
///
/// Patterns find what has a fixed form: keys and tokens of services, private keys, passwords in URLs and assignments, e-mail
/// addresses, telephone, card and identity numbers, and the home directory. Anything else, such as a name, is only masked
/// if it is one of `secrets`.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    /// Home directory, which contains the user's name.
    pub home: Option<String>,
    /// Known secrets, such as the values of environment variables with keys.
    pub secrets: Vec<String>,
}

/// Patterns and their replacements; `$1` is the part of a match that stays.
static PATTERNS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let rows: [(&str, &str); 12] = [
        (r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(-----END [A-Z ]*PRIVATE KEY-----|\z)", "[private key]"),
        (r"\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*", "[token]"),
        (
            r"\b(sk|pk|rk)[-_](live|test|ant|proj|or|svcacct)?[-_]?[A-Za-z0-9_-]{16,}|\bgh[opusr]_[A-Za-z0-9]{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bxox[abeoprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bya29\.[\w.-]{20,}|\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{30,}|\bLTAI[A-Za-z0-9]{12,}",
            "[key]",
        ),
        (r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{12,}", "$1 [token]"),
        (r"(\w[\w+.-]*://[^\s/:@]*):[^\s/@]+@", "$1:[password]@"),
        (
            r#"(?i)((?:pass(?:word|wd)?|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|密码|口令|密钥)["']?\s*[:=：＝]\s*["']?)[^\s"',;&]{4,}"#,
            "$1[secret]",
        ),
        (r"[\w.+-]+@[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,}", "[e-mail]"),
        (r"\b\d{6}(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dXx]\b", "[identity number]"),
        (r"\b\d{3}-\d{2}-\d{4}\b", "[identity number]"),
        (r"(^|[^\w.-])(?:\+?86[- ]?)?1[3-9]\d[- ]?\d{4}[- ]?\d{4}\b", "$1[telephone]"),
        (r"(^|[^\w.-])\+\d{1,3}[- .]?\(?\d{1,4}\)?(?:[- .]?\d{2,4}){2,4}\b", "$1[telephone]"),
        (r"(^|[^\w.-])\(?\d{3}\)?[- .]\d{3}[- .]\d{4}\b", "$1[telephone]"),
    ];
    rows.into_iter().filter_map(|(pattern, replacement)| Some((Regex::new(pattern).ok()?, replacement))).collect()
});

/// Numbers that may be card numbers.
static CARD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(?:\d[ -]?){12,18}\d\b").ok());

/// Texts that may be Base64.
static ENCODED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_-]{16,}={0,2}").ok());

impl Mask {
    /// Masks a text.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let masked = self.plain(text);
        let Some(encoded) = ENCODED.as_ref() else { return masked };
        let hides = |text: &str| decoded(text).is_some_and(|plain| self.plain(&plain) != plain);
        encoded
            .replace_all(&masked, |matched: &Captures<'_>| match hides(&matched[0]) {
                true => "[encoded secret]".to_owned(),
                false => matched[0].to_owned(),
            })
            .into_owned()
    }

    fn plain(&self, text: &str) -> String {
        let text = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[secret]"));
        let mut masked =
            PATTERNS.iter().fold(text, |text, (pattern, mask)| pattern.replace_all(&text, *mask).into_owned());
        if let Some(card) = CARD.as_ref() {
            masked = card
                .replace_all(&masked, |matched: &Captures<'_>| match is_card(&matched[0]) {
                    true => "[card number]".to_owned(),
                    false => matched[0].to_owned(),
                })
                .into_owned();
        }
        match self.home.as_deref().filter(|home| home.len() > 1) {
            Some(home) => masked.replace(home, "~"),
            None => masked,
        }
    }
}

/// Decodes Base64 in either alphabet.
fn decoded(text: &str) -> Option<String> {
    let text = text.trim_end_matches('=').replace('-', "+").replace('_', "/");
    String::from_utf8(STANDARD_NO_PAD.decode(text).ok()?).ok()
}

/// Checks Luhn's check digit (ISO/IEC 7812-1, annex B).
fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().rev().filter_map(|digit| digit.to_digit(10)).collect();
    let doubled = |(index, digit): (usize, &u32)| match index % 2 {
        0 => *digit,
        _ => digit * 2 - if *digit > 4 { 9 } else { 0 },
    };
    (13..=19).contains(&digits.len()) && digits.iter().enumerate().map(doubled).sum::<u32>() % 10 == 0
}
