//! A request's path, query and language.

use axum::http::Uri;
use eval_message::Lang;
use eval_render::site::SiteFrame;
use percent_encoding::percent_decode_str;

use super::served::Served;

pub(super) struct SiteRequest {
    path: String,
    /// Query without the language.
    query: Vec<(String, String)>,
    /// Language named in the query.
    named: Option<Lang>,
}

impl SiteRequest {
    pub(super) fn parse(uri: &Uri) -> SiteRequest {
        let mut query = pairs(uri.query().unwrap_or_default());
        let named = query.iter().rev().find(|(name, _)| name == "lang").and_then(|(_, tag)| Lang::from_tag(tag));
        query.retain(|(name, _)| name != "lang");
        SiteRequest { path: uri.path().to_owned(), query, named }
    }

    /// Returns a value of the query; empty if missing.
    pub(super) fn value(&self, name: &str) -> &str {
        self.query.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Returns all values of a name.
    pub(super) fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns the page number, from 1.
    pub(super) fn page(&self) -> usize {
        self.value("page").parse().unwrap_or(1).max(1)
    }

    pub(super) fn lang(&self, served: &Served) -> Lang {
        self.named.unwrap_or(served.settings.lang)
    }

    /// Returns the language that links must name; `None` for the server's default.
    pub(super) fn linked_lang(&self, served: &Served) -> Option<&'static str> {
        self.named.filter(|lang| *lang != served.settings.lang).map(tag)
    }

    pub(super) fn frame(&self, served: &Served) -> SiteFrame {
        SiteFrame {
            lang: self.lang(served),
            program: served.settings.program,
            path: self.path.clone(),
            query: self.query.clone(),
            linked_lang: self.linked_lang(served),
            has_analyses: served.settings.analyses.is_any(),
        }
    }

    pub(super) fn is_api(&self) -> bool {
        self.path.starts_with("/api/")
    }
}

fn tag(lang: Lang) -> &'static str {
    match lang {
        Lang::En => "en",
        Lang::Zh => "zh",
    }
}

/// Decodes a segment of a path.
pub(super) fn decoded(segment: &str) -> String {
    percent_decode_str(segment).decode_utf8_lossy().into_owned()
}

/// Parses the pairs of a query or a form.
pub(super) fn pairs(text: &str) -> Vec<(String, String)> {
    let decoded = |part: &str| decoded(&part.replace('+', " "));
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decoded(name), decoded(value))
    };
    text.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}
