//! A body → its text, by what it is.

use eval_message::msg;
use eval_spec::Context;
use url::Url;

use crate::html::{self, HtmlPage};
use crate::refusal::{FetchRefusal, MAX_PAGE, sign_in, too_large};
use crate::{charset, pdf};

/// A text before it is counted.
pub(crate) struct RawPage {
    pub(crate) text: String,
    pub(crate) final_url: Option<String>,
    pub(crate) content_type: Option<String>,
}

/// A body as it came.
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    pub(crate) content_type: Option<String>,
    pub(crate) url: Url,
}

/// A text and the media type that it was read as.
pub(crate) struct PageContent {
    pub(crate) text: String,
    pub(crate) content_type: Option<String>,
}

/// What a body says.
pub(crate) enum ReadPage {
    Text(PageContent),
    /// The page leads to another one by itself.
    Elsewhere(String),
}

/// Below this many bytes of text, a page that leads to another is no page of its own.
const SHORT: usize = 2000;

/// The kinds of bodies.
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
        BodyKind::Pdf => found(pdf::read(context, &body.bytes).await?, body.content_type),
        BodyKind::Text => {
            let is_markup = essence.as_deref().is_some_and(|of| of.ends_with("xml"));
            let text = charset::decoded(&body.bytes, charset.as_deref(), is_markup);
            found(text, body.content_type)
        }
        BodyKind::Html => {
            let text = charset::decoded(&body.bytes, charset.as_deref(), true);
            let HtmlPage { text, is_sign_in, refresh } = html::read(text, body.url).await?;
            match refresh.filter(|_| text.len() < SHORT) {
                Some(to) => Ok(ReadPage::Elsewhere(to)),
                None if is_sign_in => Err(sign_in(msg!("fetch-login-form"))),
                None => found(text, body.content_type),
            }
        }
    }
}

fn found(text: String, content_type: Option<String>) -> Result<ReadPage, FetchRefusal> {
    let text = cleaned(text);
    match text.len() {
        0 => Err(FetchRefusal::new(msg!("fetch-empty")).help(msg!("fetch-empty-help"))),
        length if length > MAX_PAGE => Err(too_large()),
        _ => Ok(ReadPage::Text(PageContent { text, content_type })),
    }
}

/// A text without its end, and without letters that no text has: a model and a terminal would take them for orders.
pub(crate) fn cleaned(text: String) -> String {
    // PDF files are read with `\f` between the pages.
    let letter = |letter: char| if letter == '\u{c}' { '\n' } else { letter };
    let is_known = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t' | '\r');
    let text: String = text.chars().map(letter).filter(is_known).collect();
    text.trim_end().to_owned()
}

/// The type without parameters, in lower case, and its `charset`.
pub fn media_type(header: Option<&str>) -> (Option<String>, Option<String>) {
    let Some(header) = header else { return (None, None) };
    let mut parts = header.split(';');
    let essence = parts.next().map(|of| of.trim().to_ascii_lowercase()).filter(|of| of.contains('/'));
    let charset = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    });
    (essence, charset)
}

/// Media types of texts that don't begin with `text/`.
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
        Some(of) if of.starts_with("text/") || TEXTS.contains(&of) => BodyKind::Text,
        Some(of) if ["+json", "+yaml", "+xml"].iter().any(|end| of.ends_with(end)) && !of.starts_with("image/") => {
            BodyKind::Text
        }
        // What servers say of files that they don't know.
        None | Some("application/octet-stream" | "binary/octet-stream") => match looks_like_html(bytes) {
            true => BodyKind::Html,
            false if std::str::from_utf8(bytes).is_ok() || is_wide => BodyKind::Text,
            false => BodyKind::Binary,
        },
        Some(of) if of.starts_with("application/") && std::str::from_utf8(bytes).is_ok() => BodyKind::Text,
        Some(_) => BodyKind::Binary,
    }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    const HEAD: usize = 4096;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let mut head = head.trim_start_matches(|of: char| of.is_whitespace() || of == '\u{feff}');
    while let Some((_, rest)) = head.strip_prefix("<!--").and_then(|rest| rest.split_once("-->")) {
        head = rest.trim_start();
    }
    head.starts_with("<!doctype html") || head.starts_with("<html")
}
