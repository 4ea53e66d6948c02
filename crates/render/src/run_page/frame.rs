//! Where a page is: a file on a disk, or the report server.

use eval_message::{Lang, msg};

use crate::page::{Frame, RUN};
use crate::site::{encoded, sample_path};

/// A page's language and place.
#[derive(Clone, Debug)]
pub struct PageFrame {
    /// The reader's language.
    pub lang: Lang,
    /// The links of the server; `None` for a file.
    pub site: Option<SiteLinks>,
}

/// Where a page of the report server leads.
#[derive(Clone, Debug)]
pub struct SiteLinks {
    /// The report's id.
    pub run: String,
    /// The query of this page without its language, for the language switch: `""` or `filter=worse&page=2`.
    pub query: String,
    /// This page's path.
    pub path: String,
    /// The language of links, where it isn't the server's own: `""` or `lang=zh`.
    pub lang: String,
    /// Whether there are stored observations to lead to.
    pub has_analyses: bool,
}

impl PageFrame {
    /// A file on a disk.
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
    /// The page of a sample.
    #[must_use]
    pub fn sample(&self, id: &str) -> String {
        self.sample_among(id, "")
    }

    /// The page of a sample among those that a query lets through.
    pub(super) fn sample_among(&self, id: &str, query: &str) -> String {
        self.with(sample_path(&self.run, id), query)
    }

    /// The trends of a sample file.
    #[must_use]
    pub fn trends(&self, samples: &str) -> String {
        self.with("/trends".to_owned(), &format!("samples={}", encoded(samples)))
    }

    /// The report's page, with a query.
    #[must_use]
    pub fn run(&self, query: &str) -> String {
        self.with(format!("/run/{}", encoded(&self.run)), query)
    }

    /// What people said, beside the judges.
    #[must_use]
    pub fn people(&self) -> String {
        self.with(format!("/run/{}/people", encoded(&self.run)), "")
    }

    /// The stored observations, where there are any.
    #[must_use]
    pub fn analyses(&self) -> Option<String> {
        self.has_analyses.then(|| self.with("/analyses".to_owned(), ""))
    }

    /// Where feedback is sent to.
    #[must_use]
    pub fn feedback(&self) -> String {
        format!("/api/run/{}/feedback", encoded(&self.run))
    }

    /// This page in another language.
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
