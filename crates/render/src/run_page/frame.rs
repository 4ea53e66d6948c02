//! Place of a page: a file on a disk, or the report server.

use eval_message::{Lang, msg};

use crate::page::{Frame, RUN};
use crate::site::{encoded, sample_path};

#[derive(Clone, Debug)]
pub struct PageFrame {
    pub lang: Lang,
    /// The links of the server; `None` for a file.
    pub site: Option<SiteLinks>,
}

/// Links of a page of the report server.
#[derive(Clone, Debug)]
pub struct SiteLinks {
    pub run: String,
    /// The query of this page without its language, for the language switch: `""` or `filter=worse&page=2`.
    pub query: String,
    pub path: String,
    /// The language of links, where it isn't the server's own: `""` or `lang=zh`.
    pub lang: String,
    /// `true` if there are stored observations to lead to.
    pub has_analyses: bool,
}

impl PageFrame {
    #[must_use]
    pub fn file(lang: Lang) -> PageFrame {
        PageFrame { lang, site: None }
    }

    pub(super) fn frame(&self) -> Frame {
        let make = if self.site.is_some() { Frame::of_site } else { Frame::new };
        make(&RUN, self.lang, "omk", msg!("skills-report-page-skip").text(self.lang))
    }
}

impl SiteLinks {
    #[must_use]
    pub fn sample(&self, id: &str) -> String {
        self.sample_among(id, "")
    }

    /// The page of a sample among those that a query lets through.
    pub(super) fn sample_among(&self, id: &str, query: &str) -> String {
        self.with(sample_path(&self.run, id), query)
    }

    #[must_use]
    pub fn trends(&self, samples: &str) -> String {
        self.with("/trends".to_owned(), &format!("samples={}", encoded(samples)))
    }

    #[must_use]
    pub fn run(&self, query: &str) -> String {
        self.with(format!("/run/{}", encoded(&self.run)), query)
    }

    /// Returns the address of people's opinions.
    #[must_use]
    pub fn people(&self) -> String {
        self.with(format!("/run/{}/people", encoded(&self.run)), "")
    }

    #[must_use]
    pub fn analyses(&self) -> Option<String> {
        self.has_analyses.then(|| self.with("/analyses".to_owned(), ""))
    }

    /// Returns the address that feedback is sent to.
    #[must_use]
    pub fn feedback(&self) -> String {
        format!("/api/run/{}/feedback", encoded(&self.run))
    }

    #[must_use]
    pub fn in_language(&self, tag: &str) -> String {
        let query = if self.query.is_empty() { String::new() } else { format!("{}&", self.query) };
        format!("{}?{query}lang={tag}", self.path)
    }

    fn with(&self, path: String, query: &str) -> String {
        let parts: Vec<&str> = [query, &*self.lang].into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { path } else { format!("{path}?{}", parts.join("&")) }
    }
}
