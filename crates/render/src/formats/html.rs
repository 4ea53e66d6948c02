//! One page that needs no other file.

use eval_message::msg;

use crate::formats::spec::FormatSpec;
use crate::run_page::run_file;
use crate::skills::html::html;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    name: "html",
    extension: "html",
    about: || msg!("report-format-html"),
    comparison: Some(|of, show, to| to.write_all(run_file(of, show.lang)?.as_bytes())),
    evaluation: Some(|of, show, to| to.write_all(html(of, show.lang)?.as_bytes())),
};
