//! Fetches URLs before a run.
//!
//! Input: the URLs of the samples and the servers of an MCP configuration. Each URL goes to the first server that
//! matches it; if that fails, it is fetched over HTTP, by default from public addresses only. Output: the text for each
//! URL, or why there is none. HTML becomes Markdown.
//!
//! This crate never finds URLs, stores pages, or judges their text.

mod address;
mod charset;
mod html;
mod http;
mod login;
mod markdown;
mod page;
mod pdf;
mod refusal;
mod servers;
mod setup;
mod table;
mod tree;

use std::collections::HashMap;

use eval_message::Message;
use eval_spec::hash::sha256_hex;
use eval_spec::page::{FetchedPage, PageRoute};
use eval_spec::url_server::{UrlServer, UrlServers};
use futures::StreamExt;

use self::http::WebClient;
use self::page::RawPage;
pub use self::refusal::{FetchRefusal, MAX_PAGE};
use self::servers::ServerPool;
pub use self::servers::program_of;
pub use self::setup::{FetchSetup, PAGE_TIMEOUT};

/// Most URLs fetched at the same time.
const AT_ONCE: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub struct PageText {
    pub page: FetchedPage,
    pub text: String,
    /// Why the URL's server failed, so that the page was fetched over HTTP instead.
    pub server_failed: Option<Message>,
}

/// Fetches all URLs, several at once; the results are in the order of `urls`.
pub async fn fetch_all(setup: FetchSetup<'_>, urls: &[&str]) -> Vec<Result<PageText, FetchRefusal>> {
    let web = WebClient::new(setup);
    let needed = urls.iter().filter_map(|url| server_of(setup.servers, url));
    let pool = ServerPool::start(setup, needed);
    let fetch = async |url: &str| {
        http::checked(url)?;
        let server = server_of(setup.servers, url);
        let from_server = match server {
            Some(server) => Some(pool.fetch(server, url).await.map(|raw| (raw, PageRoute::Mcp(server.name.clone())))),
            None => None,
        };
        let (raw, via, server_failed) = match from_server {
            Some(Ok((raw, via))) => (raw, via, None),
            Some(Err(by_server)) => match web.fetch(url).await {
                Ok(raw) => (raw, PageRoute::Http, Some(by_server.message)),
                Err(FetchRefusal { message, .. }) => {
                    return Err(FetchRefusal { over_http: Some(Box::new(message)), ..by_server });
                }
            },
            None => (web.fetch(url).await?, PageRoute::Http, None),
        };
        let RawPage { text, final_url, content_type } = raw;
        let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
        let sha256 = sha256_hex(text.as_bytes());
        let fetched_at = setup.context.now();
        let page = FetchedPage { final_url, via, content_type, sha256, bytes, fetched_at };
        Ok(PageText { page, text, server_failed })
    };
    // A server may answer differently by fragment; over HTTP the fragment makes no difference.
    let address = |url: &'_ str| match server_of(setup.servers, url) {
        Some(_) => url.to_owned(),
        None => url.split('#').next().unwrap_or_default().to_owned(),
    };
    let addresses: Vec<String> = urls.iter().map(|url| address(url)).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut unique: Vec<&str> = Vec::new();
    for address in &addresses {
        places.entry(address).or_insert_with(|| {
            unique.push(address);
            unique.len() - 1
        });
    }
    let pages: Vec<_> = futures::stream::iter(unique.iter().map(|url| fetch(url))).buffered(AT_ONCE).collect().await;
    addresses.iter().map(|address| pages[places[address.as_str()]].clone()).collect()
}

/// Returns the first server that matches a URL; `None` if it is fetched over HTTP.
#[must_use]
pub fn server_of<'s>(servers: Option<&'s UrlServers>, url: &str) -> Option<&'s UrlServer> {
    servers?.servers.iter().find(|server| servers::fits(server, url))
}

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::address::{PrivateAddress, UnknownHost, is_local_name, is_public, lookup};
    pub use crate::charset::decoded;
    pub use crate::html::{HtmlFailure, HtmlPage, converted};
    pub use crate::login::leads_to_login;
    pub use crate::page::{BodyKind, kind, media_type};
    pub use crate::servers::{arguments, matches, text};
    pub use crate::tree::parsed;
}
