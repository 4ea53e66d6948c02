//! Place of a page: a file on a disk, or the report server.

use eval_message::{Lang, msg};

use crate::page::{Frame, RUN};
use crate::site::{SiteFrame, encoded, sample_path};

#[derive(Clone, Debug)]
pub struct PageFrame {
    pub lang: Lang,
    /// Links of the server; `None` for a file.
    pub site: Option<SiteLinks>,
}

#[derive(Clone, Debug)]
pub struct SiteLinks {
    /// The report's id.
    pub run: String,
    pub page: SiteFrame,
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
    pub(super) fn all_runs(&self) -> String {
        self.page.link("/", &[])
    }

    pub(super) fn trends(&self, samples: &str) -> String {
        self.page.link("/trends", &[("samples", samples)])
    }

    pub(super) fn people(&self) -> String {
        self.page.link(&format!("{}/people", self.path()), &[])
    }

    /// Returns the address of the stored observations, where there are any.
    pub(super) fn analyses(&self) -> Option<String> {
        self.page.has_analyses.then(|| self.page.link("/analyses", &[]))
    }

    pub(super) fn feedback(&self) -> String {
        format!("/api{}/feedback", self.path())
    }

    pub(super) fn sample(&self, id: &str) -> String {
        self.sample_among(id, &[])
    }

    /// Returns the address of a sample's page, which leads on to those that a query lets through.
    pub(super) fn sample_among(&self, id: &str, query: &[(&str, &str)]) -> String {
        self.page.link(&sample_path(&self.run, id), query)
    }

    pub(super) fn run(&self, query: &[(&str, &str)]) -> String {
        self.page.link(&self.path(), query)
    }

    /// Returns the address of the run's page with the query of this page.
    pub(super) fn run_as_here(&self) -> String {
        self.run(&self.query())
    }

    pub(super) fn query(&self) -> Vec<(&str, &str)> {
        self.page.query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn path(&self) -> String {
        format!("/run/{}", encoded(&self.run))
    }
}
