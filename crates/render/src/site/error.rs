//! A page that says what went wrong, and what to do.

use askama::Template;
use eval_message::plain::clip;
use eval_message::{Message, msg};

use super::frame::{SiteBase, SiteFrame};
use crate::page::Frame;

#[derive(Template)]
#[template(path = "site/error.html")]
struct ErrorHtml {
    frame: Frame,
    base: SiteBase,
    title: String,
    text: String,
    help: String,
    back: String,
    back_href: String,
}

/// The page of an error with this HTTP status.
///
/// # Errors
/// When the template fails.
pub fn error_page(status: u16, why: &Message, help: Option<&Message>, at: &SiteFrame) -> std::io::Result<String> {
    let page = ErrorHtml {
        frame: at.frame(),
        base: SiteBase::of(at),
        title: msg!("site-error", status = status.to_string()).text(at.lang),
        text: clip(&why.text(at.lang).replace('`', ""), 600),
        help: help.map(|help| clip(&help.text(at.lang).replace('`', ""), 600)).unwrap_or_default(),
        back: msg!("site-back").text(at.lang),
        back_href: at.link("/", &[]),
    };
    page.render().map_err(std::io::Error::other)
}
