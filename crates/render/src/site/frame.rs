//! Addresses, style, script, policy and navigation of these pages.

use eval_message::{Lang, msg};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::page::{Frame, OPINIONS, PageKind, SITE, policy_of_server};

/// The place of a page: its language and its address.
#[derive(Clone, Debug)]
pub struct SiteFrame {
    pub lang: Lang,
    /// The program that serves it, `omk` or `eval-skills`.
    pub program: &'static str,
    /// The page's path, percent-encoded.
    pub path: String,
    /// Query, decoded, without the language.
    pub query: Vec<(String, String)>,
    /// The language of links, where it isn't the server's own: `zh`.
    pub linked_lang: Option<&'static str>,
    /// `true` if there are stored observations to lead to.
    pub has_analyses: bool,
}

impl SiteFrame {
    #[must_use]
    pub fn link(&self, path: &str, query: &[(&str, &str)]) -> String {
        let lang = self.linked_lang.map(|tag| ("lang", tag));
        address(path, query.iter().copied().filter(|(_, value)| !value.is_empty()).chain(lang))
    }

    pub(super) fn analysis(&self, name: &str) -> String {
        self.link(&format!("/analyses/{}", encoded(name)), &[])
    }

    pub(super) fn run(&self, name: &str) -> String {
        self.link(&format!("/run/{}", encoded(name)), &[])
    }

    /// This page with another value in its query.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let others = self.query.iter().filter(|(known, _)| known != name);
        let mut query: Vec<(&str, &str)> = others.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        query.push((name, value));
        self.link(&self.path, &query)
    }

    pub(super) fn frame(&self) -> Frame {
        self.frame_of(&SITE)
    }

    pub(super) fn opinions_frame(&self) -> Frame {
        self.frame_of(&OPINIONS)
    }

    fn frame_of(&self, kind: &'static PageKind) -> Frame {
        Frame::of_site(kind, self.lang, self.program, msg!("site-skip").text(self.lang))
    }

    pub(crate) fn in_language(&self, tag: &str) -> String {
        let query = self.query.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        address(&self.path, query.chain([("lang", tag)]))
    }
}

fn address<'q>(path: &str, query: impl Iterator<Item = (&'q str, &'q str)>) -> String {
    let query: Vec<String> = query.map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{}", query.join("&")) }
}

/// Characters that a path's segment and a query's value keep.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A text as a segment of a path, or in a query.
#[must_use]
pub fn encoded(text: &str) -> String {
    utf8_percent_encode(text, KEPT).to_string()
}

#[must_use]
pub fn sample_path(run: &str, sample: &str) -> String {
    format!("/run/{}/sample/{}", encoded(run), sample_segment(sample))
}

/// A sample as the last segment of a path. Browsers read `..` as the way up, however it is encoded, and an empty segment
/// leads nowhere: those get a `~` in front, as do those that begin so already.
pub(super) fn sample_segment(sample: &str) -> String {
    let mark = if is_no_segment(sample) { "~" } else { "" };
    format!("{mark}{}", encoded(sample))
}

/// The sample that a decoded segment of such a path names.
#[must_use]
pub fn sample_of_segment(segment: &str) -> &str {
    segment.strip_prefix('~').filter(|sample| is_no_segment(sample)).unwrap_or(segment)
}

fn is_no_segment(sample: &str) -> bool {
    matches!(sample.trim_start_matches('~'), "" | "." | "..")
}

/// The policy of every response: what each page's own policy lets in, and no frame around it.
#[must_use]
pub fn site_policy() -> String {
    format!("{}; frame-ancestors 'none'", policy_of_server())
}

pub(crate) struct SiteBase {
    pub(crate) navigation: String,
    pub(crate) links: Vec<NavigationLink>,
    pub(crate) languages: Vec<NavigationLink>,
    pub(crate) theme: String,
    pub(crate) foot: String,
}

pub(crate) struct NavigationLink {
    pub(crate) name: String,
    pub(crate) href: String,
    pub(crate) is_here: bool,
    pub(crate) lang: &'static str,
}

impl SiteBase {
    pub(crate) fn of(of: &SiteFrame) -> SiteBase {
        let lang = of.lang;
        let page = |name: String, path: &str| NavigationLink {
            name,
            href: of.link(path, &[]),
            is_here: of.path == path,
            lang: "",
        };
        let language = |name: &str, tag: &'static str, of_lang: Lang, lang: &'static str| NavigationLink {
            name: name.to_owned(),
            href: of.in_language(tag),
            is_here: of.lang == of_lang,
            lang,
        };
        SiteBase {
            navigation: msg!("site-navigation").text(lang),
            links: [page(msg!("site-runs").text(lang), "/"), page(msg!("site-trends").text(lang), "/trends")]
                .into_iter()
                .chain(of.has_analyses.then(|| page(msg!("site-analyses").text(lang), "/analyses")))
                .collect(),
            languages: vec![language("English", "en", Lang::En, "en"), language("中文", "zh", Lang::Zh, "zh-Hans")],
            theme: msg!("page-theme").text(lang),
            foot: msg!("site-foot", program = of.program).text(lang),
        }
    }
}
