//! A response body → its text, by its kind.

use eval_message::msg;
use eval_spec::Context;
use url::Url;

use crate::html::{self, HtmlPage};
use crate::refusal::{FetchRefusal, MAX_PAGE, sign_in, too_large};
use crate::{charset, pdf};

/// A page's text, as received.
pub(crate) struct RawPage {
    pub(crate) text: String,
    pub(crate) final_url: Option<String>,
    pub(crate) content_type: Option<String>,
}

pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: Option<String>,
    pub(crate) url: Url,
}

pub(crate) struct PageContent {
    pub(crate) text: String,
    pub(crate) content_type: Option<String>,
}

pub(crate) enum ReadPage {
    Text(PageContent),
    /// The page redirects by itself.
    Elsewhere(String),
}

/// A page that redirects by itself is taken as it is from this length on, in bytes.
const SHORT: usize = 2000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    Html,
    Text,
    Pdf,
    Binary,
}

/// Reads a body.
pub(crate) async fn read(context: &Context, body: Body) -> Result<ReadPage, FetchRefusal> {
    let (essence, charset) = media_type(body.content_type.as_deref());
    let has_zeros = charset.as_deref().is_some_and(charset::has_zeros);
    match kind(essence.as_deref(), &body.bytes, has_zeros) {
        BodyKind::Binary => {
            let kind = essence.unwrap_or_else(|| "application/octet-stream".to_owned());
            Err(FetchRefusal::new(msg!("fetch-binary", kind = kind)))
        }
        BodyKind::Pdf => page_text(pdf::read(context, &body.bytes).await?, body.content_type),
        BodyKind::Text => {
            let is_markup = essence.as_deref().is_some_and(|essence| essence.ends_with("xml"));
            let text = charset::decoded(&body.bytes, charset.as_deref(), is_markup);
            page_text(text, body.content_type)
        }
        BodyKind::Html => {
            let text = charset::decoded(&body.bytes, charset.as_deref(), true);
            let HtmlPage { text, is_sign_in, refresh } = html::read(text, body.url).await?;
            match refresh.filter(|_| text.len() < SHORT) {
                Some(to) => Ok(ReadPage::Elsewhere(to)),
                None if is_sign_in => Err(sign_in(msg!("fetch-login-form"))),
                None => page_text(text, body.content_type),
            }
        }
    }
}

fn page_text(text: String, content_type: Option<String>) -> Result<ReadPage, FetchRefusal> {
    let text = cleaned(text);
    match text.len() {
        0 => Err(FetchRefusal::new(msg!("fetch-empty")).help(msg!("fetch-empty-help"))),
        length if length > MAX_PAGE => Err(too_large()),
        _ => Ok(ReadPage::Text(PageContent { text, content_type })),
    }
}

/// Trims the end and removes control characters, which a terminal or a model could take for commands.
pub(crate) fn cleaned(text: String) -> String {
    // `\f` separates the pages of PDF files.
    let letter = |letter: char| if letter == '\u{c}' { '\n' } else { letter };
    let is_plain = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t' | '\r');
    let text: String = text.chars().map(letter).filter(is_plain).collect();
    text.trim_end().to_owned()
}

/// Splits a `Content-Type` into the type in lower case, without parameters, and its `charset`.
pub fn media_type(header: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(header) = header else { return (None, None) };
    let mut parts = header.split(';');
    let essence = parts.next().map(|part| part.trim().to_ascii_lowercase()).filter(|essence| essence.contains('/'));
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    (essence, charset)
}

/// Media types of texts outside `text/`.
const TEXTS: [&str; 11] = [
    "application/json",
    "application/ld+json",
    "application/x-ndjson",
    "application/jsonl",
    "application/xml",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/javascript",
    "application/x-sh",
    "application/sql",
];

pub fn kind(essence: Option<&str>, bytes: &[u8], has_zeros: bool) -> BodyKind {
    if bytes.starts_with(b"%PDF-") || essence == Some("application/pdf") {
        return BodyKind::Pdf;
    }
    let is_wide = has_zeros || bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if bytes.contains(&0) && !is_wide {
        return BodyKind::Binary;
    }
    match essence {
        Some("text/html" | "application/xhtml+xml") => BodyKind::Html,
        Some(essence) if essence.starts_with("text/") || TEXTS.contains(&essence) => BodyKind::Text,
        Some(essence)
            if ["+json", "+yaml", "+xml"].iter().any(|end| essence.ends_with(end))
                && !essence.starts_with("image/") =>
        {
            BodyKind::Text
        }
        // Servers send these for files of unknown type.
        None | Some("application/octet-stream" | "binary/octet-stream") => match looks_like_html(bytes) {
            true => BodyKind::Html,
            false if std::str::from_utf8(bytes).is_ok() || is_wide => BodyKind::Text,
            false => BodyKind::Binary,
        },
        Some(essence) if essence.starts_with("application/") && std::str::from_utf8(bytes).is_ok() => BodyKind::Text,
        Some(_) => BodyKind::Binary,
    }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    const HEAD: usize = 4096;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let mut head = head.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    while let Some((_, rest)) = head.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")) {
        head = rest.trim_start();
    }
    head.starts_with("<!doctype html") || head.starts_with("<html")
}
