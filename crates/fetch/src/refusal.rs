//! Reasons why a URL has no text.

use eval_message::{Lang, Message, msg};

/// Limit of a page's text and of its unpacked body, in bytes.
pub const MAX_PAGE: usize = 2 << 20;

#[derive(Clone, Debug, PartialEq)]
pub struct FetchRefusal {
    pub message: Message,
    pub help: Option<Box<Message>>,
    /// Why HTTP failed, too, after a server had failed.
    pub over_http: Option<Box<Message>>,
}

impl FetchRefusal {
    /// Returns all reasons in one line.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        let separator = if lang == Lang::Zh { "；" } else { "; " };
        let parts = [Some(&self.message), self.over_http.as_deref()];
        parts.into_iter().flatten().map(|part| part.text(lang)).collect::<Vec<_>>().join(separator)
    }

    pub(crate) fn new(message: Message) -> FetchRefusal {
        FetchRefusal { message, help: None, over_http: None }
    }

    pub(crate) fn help(self, help: Message) -> FetchRefusal {
        FetchRefusal { help: Some(Box::new(help)), ..self }
    }
}

pub(crate) fn too_large() -> FetchRefusal {
    FetchRefusal::new(msg!("fetch-too-large", mib = MAX_PAGE >> 20))
}

pub(crate) fn sign_in(message: Message) -> FetchRefusal {
    FetchRefusal::new(message).help(msg!("fetch-login-help"))
}
