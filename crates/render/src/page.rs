//! What every page has: one file that loads nothing, with its style and script inside and a policy that allows these
//! two by their hashes and nothing else.

use eval_message::Lang;
use eval_spec::hash::sha256_hex;

pub(crate) const STYLE: &str = include_str!("../templates/page.css");
pub(crate) const SCRIPT: &str = include_str!("../templates/page.js");

/// What `base.html` asks for.
pub(crate) struct Frame {
    /// The page's language.
    pub(crate) lang: &'static str,
    /// The content security policy.
    pub(crate) policy: String,
    /// Who wrote the page.
    pub(crate) generator: &'static str,
    /// The style sheet.
    pub(crate) style: &'static str,
    /// The script.
    pub(crate) script: &'static str,
    /// The text of the link that skips to the results.
    pub(crate) skip: String,
}

impl Frame {
    pub(crate) fn new(lang: Lang, generator: &'static str, skip: String) -> Frame {
        let (style, script) = (source_of(STYLE), source_of(SCRIPT));
        let policy = policy(&style, &script, "'none'");
        let lang = match lang {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
        };
        Frame { lang, policy, generator, style: STYLE, script: SCRIPT, skip }
    }

    /// The same on the report server, which takes feedback.
    pub(crate) fn of_site(self) -> Frame {
        Frame { policy: policy(&source_of(STYLE), &source_of(SCRIPT), "'self'"), ..self }
    }
}

fn policy(style: &str, script: &str, forms: &str) -> String {
    format!("default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'; form-action {forms}")
}

impl Frame {
    /// The policy of a page of the report server with one of these styles and scripts: it may also send forms to its server,
    /// and ask it for news.
    pub(crate) fn policy_of(styles: &[&str], scripts: &[&str]) -> String {
        let sources =
            |texts: &[&str]| texts.iter().map(|text| format!("'{}'", source_of(text))).collect::<Vec<_>>().join(" ");
        let (styles, scripts) = (sources(styles), sources(scripts));
        format!(
            "default-src 'none'; style-src {styles}; script-src {scripts}; connect-src 'self'; base-uri 'none'; form-action 'self'"
        )
    }
}

/// `sha256-…`, as a policy names an inline text.
fn source_of(text: &str) -> String {
    let digits = sha256_hex(text.as_bytes());
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap_or_default();
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    format!("sha256-{}", base64(&bytes))
}

/// RFC 4648, §4.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let at = |i: usize| u32::from(chunk.get(i).copied().unwrap_or(0));
        let group = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * place) & 63) as usize];
            out.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_rfc_4648() {
        for (text, encoded) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), encoded);
        }
    }

    #[test]
    fn nothing_ends_the_elements_early() {
        assert!(!STYLE.contains("</") && !SCRIPT.contains("</") && !STYLE.contains("url("));
    }
}
