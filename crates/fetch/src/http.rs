//! Pages over HTTP: bounded in size, time and redirects, from public addresses only.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eval_exec::http::{chain, client_builder};
use eval_message::msg;
use reqwest::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, LOCATION, RETRY_AFTER, USER_AGENT};
use reqwest::{Client, Response, StatusCode};
use url::{Host, Url};

use crate::address::{HostLookup, PrivateAddress, UnknownHost, is_local_name, is_public, lookup};
use crate::login::leads_to_login;
use crate::page::{self, Body, PageContent, RawPage};
use crate::refusal::{FetchRefusal, MAX_PAGE, sign_in, too_large};
use crate::setup::FetchSetup;

/// How many redirects in a row are followed.
const MAX_REDIRECTS: usize = 5;

/// How long to wait before a request is sent again, where the server doesn't say.
const PAUSE: Duration = Duration::from_millis(500);

/// The longest that a server may ask to wait.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Fetches pages.
pub(crate) struct WebClient<'a> {
    setup: FetchSetup<'a>,
    /// By scheme and host: whether a proxy is used depends on both.
    clients: Mutex<HashMap<(String, String), WebRoute>>,
}

/// How requests to a host travel.
#[derive(Clone)]
struct WebRoute {
    client: Client,
    has_proxy: bool,
}

/// Why a request has no answer, and how long to wait before it is worth another.
struct HopFailure {
    refusal: FetchRefusal,
    pause: Option<Duration>,
}

impl From<FetchRefusal> for HopFailure {
    fn from(refusal: FetchRefusal) -> HopFailure {
        HopFailure { refusal, pause: None }
    }
}

/// The answer to one request.
enum Hop {
    Page(PageContent),
    Redirect(String),
}

impl<'a> WebClient<'a> {
    pub(crate) fn new(setup: FetchSetup<'a>) -> WebClient<'a> {
        WebClient { setup, clients: Mutex::default() }
    }

    /// The text of a page.
    pub(crate) async fn fetch(&self, url: &str) -> Result<RawPage, FetchRefusal> {
        let limit = self.setup.timeout;
        let late = || FetchRefusal::new(msg!("fetch-timeout", seconds = limit.as_secs_f64()));
        tokio::time::timeout(limit, self.follow(url)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn follow(&self, asked: &str) -> Result<RawPage, FetchRefusal> {
        let first = checked(asked)?;
        let mut url = first.clone();
        // A page gets a second chance, once on its way.
        let mut has_failed = false;
        for _ in 0..=MAX_REDIRECTS {
            let mut hop = self.hop(&url).await;
            if let Err(HopFailure { pause: Some(pause), .. }) = &hop
                && !std::mem::replace(&mut has_failed, true)
            {
                tokio::time::sleep(*pause).await;
                hop = self.hop(&url).await;
            }
            match hop.map_err(|failure| failure.refusal)? {
                Hop::Page(PageContent { text, content_type }) => {
                    // Where redirects lead, the query is often a key.
                    let final_url = Some(shown(&url)).filter(|to| *to != shown(&first));
                    return Ok(RawPage { text, final_url, content_type });
                }
                Hop::Redirect(to) => {
                    let next = url.join(&to).map_err(|_| FetchRefusal::new(msg!("fetch-redirect", url = bare(&to))))?;
                    if leads_to_login(&first, &next) {
                        return Err(sign_in(msg!("fetch-login-redirect", url = shown(&next))));
                    }
                    url = next;
                }
            }
        }
        Err(FetchRefusal::new(msg!("fetch-redirects", most = MAX_REDIRECTS)))
    }

    async fn hop(&self, url: &Url) -> Result<Hop, HopFailure> {
        check(url)?;
        let route = self.route(url)?;
        if !self.setup.allow_private {
            check_host(url, route.has_proxy).await?;
        }
        // A server has no use for the fragment, and the proxy neither.
        let mut address = url.clone();
        address.set_fragment(None);
        let request = route.client.get(address).headers(headers());
        let response = request.send().await.map_err(|error| broken(&error))?;
        let status = response.status();
        if matches!(status.as_u16(), 429 | 502..=504) {
            let refusal = FetchRefusal::new(msg!("fetch-status", status = status.as_u16()));
            return Err(HopFailure { refusal, pause: pause(response.headers()) });
        }
        if status.is_redirection()
            && let Some(to) = response.headers().get(LOCATION)
        {
            return Ok(Hop::Redirect(String::from_utf8_lossy(to.as_bytes()).into_owned()));
        }
        if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
            return Err(sign_in(msg!("fetch-login-status", status = status.as_u16())).into());
        }
        if !status.is_success() {
            return Err(FetchRefusal::new(msg!("fetch-status", status = status.as_u16())).into());
        }
        let content_type = text_of(response.headers(), CONTENT_TYPE.as_str());
        // What the client can unpack it has unpacked, and the header is gone.
        if let Some(encoding) = text_of(response.headers(), CONTENT_ENCODING.as_str()).filter(|of| of != "identity") {
            return Err(FetchRefusal::new(msg!("fetch-encoding", encoding = encoding)).into());
        }
        let bytes = body(response).await?;
        let body = Body { bytes, content_type, url: url.clone() };
        Ok(match page::read(self.setup.context, body).await? {
            page::ReadPage::Text(content) => Hop::Page(content),
            page::ReadPage::Elsewhere(to) => Hop::Redirect(to),
        })
    }

    fn route(&self, url: &Url) -> Result<WebRoute, FetchRefusal> {
        let key = (url.scheme().to_owned(), url.host_str().unwrap_or_default().to_owned());
        if let Some(known) = self.clients.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(known.clone());
        }
        let route =
            self.new_route(url).map_err(|error| FetchRefusal::new(msg!("fetch-client", why = chain(&error))))?;
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).insert(key, route.clone());
        Ok(route)
    }

    fn new_route(&self, url: &Url) -> reqwest::Result<WebRoute> {
        let (builder, proxy) = client_builder(url, self.setup.context)?;
        let has_proxy = proxy.is_some();
        let proxy = proxy.and_then(|of| of.host_str().map(str::to_owned));
        let builder = builder.dns_resolver(Arc::new(HostLookup { allow_private: self.setup.allow_private, proxy }));
        Ok(WebRoute { client: builder.build()?, has_proxy })
    }
}

fn headers() -> HeaderMap {
    let mut headers = HeaderMap::new();
    let agent = concat!("omk/", env!("CARGO_PKG_VERSION"));
    headers.insert(USER_AGENT, reqwest::header::HeaderValue::from_static(agent));
    let accepted = "text/html, text/markdown, text/plain, application/json, */*;q=0.5";
    headers.insert(ACCEPT, reqwest::header::HeaderValue::from_static(accepted));
    headers
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?.trim();
    (!text.is_empty()).then(|| text.chars().take(200).collect())
}

/// How long a server asks to wait; `None` where that is too long.
fn pause(headers: &HeaderMap) -> Option<Duration> {
    let Some(asked) = headers.get(RETRY_AFTER) else { return Some(PAUSE) };
    // A date is no short wait.
    let asked = Duration::from_secs(asked.to_str().ok()?.trim().parse().ok()?);
    (asked <= LONGEST_PAUSE).then_some(asked.max(PAUSE))
}

/// The address, if it is one that may be asked for, by a server or over HTTP.
pub(crate) fn checked(asked: &str) -> Result<Url, FetchRefusal> {
    let url = Url::parse(asked).map_err(|why| FetchRefusal::new(msg!("fetch-url", why = why.to_string())))?;
    check(&url).map(|()| url)
}

/// Refuses what is no address for a page.
fn check(url: &Url) -> Result<(), FetchRefusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchRefusal::new(msg!("fetch-scheme", scheme = url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchRefusal::new(msg!("fetch-credentials")).help(msg!("fetch-credentials-help")));
    }
    Ok(())
}

/// Refuses a host that is or has an address that is not public. A name that is asked for directly is checked once more by
/// the resolver of the client, which connects to what was checked; the name that a proxy resolves is checked here alone.
async fn check_host(url: &Url, has_proxy: bool) -> Result<(), FetchRefusal> {
    let literal = match url.host() {
        Some(Host::Ipv4(address)) => Some(address.into()),
        Some(Host::Ipv6(address)) => Some(address.into()),
        _ => None,
    };
    if let Some(address) = literal {
        let host = url.host_str().unwrap_or_default().to_owned();
        return if is_public(address) { Ok(()) } else { Err(private(&PrivateAddress { host, address })) };
    }
    let name = url.host_str().unwrap_or_default();
    if is_local_name(name) {
        return Err(FetchRefusal::new(msg!("fetch-private-name", host = name)).help(msg!("fetch-private-help")));
    }
    if !has_proxy {
        return Ok(());
    }
    match lookup(name).await {
        Err(error) => error.downcast_ref::<PrivateAddress>().map_or(Ok(()), |found| Err(private(found))),
        Ok(_) => Ok(()),
    }
}

/// The body, unpacked, if it is not too long.
async fn body(mut response: Response) -> Result<Vec<u8>, HopFailure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if bytes.len() + chunk.len() > MAX_PAGE {
            return Err(too_large().into());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn private(of: &PrivateAddress) -> FetchRefusal {
    let message = msg!("fetch-private", host = &of.host, address = of.address.to_string());
    FetchRefusal::new(message).help(msg!("fetch-private-help"))
}

fn broken(error: &reqwest::Error) -> HopFailure {
    let again = |message| HopFailure { refusal: FetchRefusal::new(message), pause: Some(PAUSE) };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(of) = cause {
        if let Some(found) = of.downcast_ref::<PrivateAddress>() {
            return private(found).into();
        }
        if let Some(UnknownHost(host)) = of.downcast_ref() {
            return again(msg!("fetch-unknown-host", host = host));
        }
        cause = of.source();
    }
    again(msg!("fetch-unreachable", why = chain(error)))
}

/// What is to be an address, as messages show it.
fn bare(to: &str) -> &str {
    let to = to.split(['?', '#']).next().unwrap_or_default();
    to.rsplit('@').next().unwrap_or_default()
}

/// An address as messages show it: its query may hold a token.
fn shown(url: &Url) -> String {
    eval_exec::http::bare(url)
}
