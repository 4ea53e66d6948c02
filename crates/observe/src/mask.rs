//! Secrets and personal data, masked before anything is stored, shown or sent.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Masks secrets and personal data in texts of sessions.
///
/// A mask by patterns finds what has a known form: keys and tokens of services, private keys, passwords in addresses and
/// assignments, e-mail addresses, telephone and card numbers, identity numbers, and the user's home directory. What has no
/// form, such as a name, stays, unless it is one of the known secrets.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    /// The home directory, which holds the user's name.
    pub home: Option<String>,
    /// What is known to be secret, such as the values of variables that hold keys.
    pub secrets: Vec<String>,
}

/// The patterns, and what stands in the place of what they find; `$1` and `$2` are kept.
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
    rows.into_iter().filter_map(|(pattern, with)| Some((Regex::new(pattern).ok()?, with))).collect()
});

/// Numbers that may be a card's.
static CARD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\b(?:\d[ -]?){12,18}\d\b").ok());

impl Mask {
    /// The text with what was found masked.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        let known = self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "[secret]"));
        let mut masked =
            PATTERNS.iter().fold(known, |text, (pattern, with)| pattern.replace_all(&text, *with).into_owned());
        if let Some(card) = CARD.as_ref() {
            masked = card
                .replace_all(&masked, |found: &Captures<'_>| match is_card(&found[0]) {
                    true => "[card number]".to_owned(),
                    false => found[0].to_owned(),
                })
                .into_owned();
        }
        match self.home.as_deref().filter(|home| home.len() > 1) {
            Some(home) => masked.replace(home, "~"),
            None => masked,
        }
    }
}

/// Luhn's check digit (ISO/IEC 7812-1, annex B).
fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().rev().filter_map(|digit| digit.to_digit(10)).collect();
    let doubled = |(at, digit): (usize, &u32)| match at % 2 {
        0 => *digit,
        _ => digit * 2 - if *digit > 4 { 9 } else { 0 },
    };
    (13..=19).contains(&digits.len()) && digits.iter().enumerate().map(doubled).sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pattern that couldn't be read would mask nothing, without a word.
    #[test]
    fn every_pattern_is_read() {
        assert_eq!((PATTERNS.len(), CARD.is_some()), (12, true));
    }

    #[test]
    fn secrets_and_personal_data_are_masked_and_other_numbers_are_not() {
        let mask = Mask { home: Some("/home/kim".to_owned()), secrets: vec!["plain-words-of-a-key".to_owned()] };
        for key in ["sk-ant-api03-", "sk-proj-", "ghp_", "hf_", "glpat-"] {
            let text = format!("use {key}{} now", "a1B2".repeat(8));
            assert_eq!(mask.text(&text), "use [key] now", "{text}");
        }
        for (text, masked) in [
            ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [token]"),
            ("postgres://admin:hunter22@db/x", "postgres://admin:[password]@db/x"),
            ("password = \"correct horse\"", "password = \"[secret] horse\""),
            ("密码:abcd1234", "密码:[secret]"),
            ("密码：abcd1234", "密码：[secret]"),
            ("mail kim.lee@example.com", "mail [e-mail]"),
            ("call 13812345678 or +49 30 1234567", "call [telephone] or [telephone]"),
            ("card 4111 1111 1111 1111", "card [card number]"),
            ("id 11010519491231002X", "id [identity number]"),
            ("/home/kim/notes.md", "~/notes.md"),
            ("it is plain-words-of-a-key, isn't it", "it is [secret], isn't it"),
        ] {
            assert_eq!(mask.text(text), masked, "{text}");
        }
        for kept in ["order 4111111111111112", "v1.2.3-4567", "2026-11-24 13:45:00", "grep -rn revenue_schema .", "a@b"]
        {
            assert_eq!(mask.text(kept), kept);
        }
        let key = "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nafter";
        assert_eq!(mask.text(key), "[private key]\nafter");
    }
}
