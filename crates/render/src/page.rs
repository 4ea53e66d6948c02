//! What every page has: one file that loads nothing, with its style and script inside and a policy that allows these
//! two by their hashes and nothing else.

use std::sync::LazyLock;

use eval_message::Lang;
use eval_spec::hash::sha256_hex;

/// Defines a struct of a template's words: the text of each key, and what else is given.
macro_rules! words {
    ($name:ident { $($word:ident: $key:literal),* $(,)? } $($more:ident: $type:ty),* $(,)?) => {
        pub(super) struct $name {
            $(pub(super) $word: String,)*
            $(pub(super) $more: $type,)*
        }

        impl $name {
            pub(super) fn of(lang: eval_message::Lang $(, $more: $type)*) -> $name {
                $name { $($word: eval_message::msg!($key).text(lang),)* $($more,)* }
            }
        }
    };
}
pub(crate) use words;

/// A kind of page: its style sheet and its script, as they are sent.
pub struct PageKind {
    pub style: String,
    pub script: String,
}

/// Joins what all pages share and the files of one kind.
macro_rules! kind {
    ($($style:literal)+, $script:literal) => {
        LazyLock::new(|| PageKind {
            style: packed(concat!(include_str!("../templates/page.css"), $(include_str!($style)),+)),
            script: packed(concat!(include_str!("../templates/page.js"), include_str!($script))),
        })
    };
}

pub(crate) static RUN: LazyLock<PageKind> = kind!("../templates/run/run.css", "../templates/run/run.js");
/// The report server's pages around the reports.
pub(crate) static SITE: LazyLock<PageKind> =
    kind!("../templates/site/site.css" "../templates/site/lists.css", "../templates/site/site.js");
/// Pages of the report server for people's opinions.
pub(crate) static OPINIONS: LazyLock<PageKind> =
    kind!("../templates/site/site.css" "../templates/site/opinions.css", "../templates/site/site.js");
pub(crate) static SKILLS: LazyLock<PageKind> = kind!("../templates/skills/skills.css", "../templates/skills/skills.js");

pub fn kinds() -> [&'static PageKind; 4] {
    [&RUN, &SITE, &OPINIONS, &SKILLS]
}

/// Without what is there for those who write it: indentation and lines of comments.
fn packed(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Fields of `base.html`.
pub(crate) struct Frame {
    pub(crate) lang: &'static str,
    pub(crate) policy: String,
    pub(crate) generator: &'static str,
    pub(crate) style: &'static str,
    pub(crate) script: &'static str,
    /// The text of the link that skips to the results.
    pub(crate) skip: String,
}

impl Frame {
    /// A page that is one file and sends nothing.
    pub(crate) fn new(kind: &'static PageKind, lang: Lang, generator: &'static str, skip: String) -> Frame {
        let policy = policy(&[kind], "form-action 'none'");
        let lang = match lang {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
        };
        Frame { lang, policy, generator, style: &kind.style, script: &kind.script, skip }
    }

    /// A page of the report server, which may also be sent forms, and asked for news.
    pub(crate) fn of_site(kind: &'static PageKind, lang: Lang, generator: &'static str, skip: String) -> Frame {
        Frame { policy: policy(&[kind], SITE_SOURCES), ..Frame::new(kind, lang, generator, skip) }
    }
}

const SITE_SOURCES: &str = "connect-src 'self'; form-action 'self'";

/// The policy of every response of the report server: what the policies of all of its pages let in.
pub(crate) fn policy_of_server() -> String {
    policy(&kinds(), SITE_SOURCES)
}

fn policy(kinds: &[&PageKind], more: &str) -> String {
    let sources = |text: fn(&PageKind) -> &str| {
        kinds.iter().map(|kind| format!("'{}'", source_of(text(kind)))).collect::<Vec<_>>().join(" ")
    };
    let (styles, scripts) = (sources(|kind| &kind.style), sources(|kind| &kind.script));
    format!("default-src 'none'; style-src {styles}; script-src {scripts}; base-uri 'none'; {more}")
}

/// `sha256-…`, as a policy names an inline text.
fn source_of(text: &str) -> String {
    let digits = sha256_hex(text.as_bytes());
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap_or_default();
    let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
    format!("sha256-{}", base64(&bytes))
}

/// RFC 4648, §4.
pub fn base64(bytes: &[u8]) -> String {
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
