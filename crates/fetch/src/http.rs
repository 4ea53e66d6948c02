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

/// Most redirects in a row.
const MAX_REDIRECTS: usize = 5;

/// Wait before a request is sent again, unless the server names one.
const PAUSE: Duration = Duration::from_millis(500);

/// Longest wait that a server may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub(crate) struct WebClient<'a> {
    setup: FetchSetup<'a>,
    /// Clients by scheme and host: both decide if a proxy is used.
    clients: Mutex<HashMap<(String, String), WebRoute>>,
}

#[derive(Clone)]
struct WebRoute {
    client: Client,
    has_proxy: bool,
}

/// Why a request failed, and the wait before a retry; without `pause`, it isn't retried.
struct HopFailure {
    refusal: FetchRefusal,
    pause: Option<Duration>,
}

impl From<FetchRefusal> for HopFailure {
    fn from(refusal: FetchRefusal) -> HopFailure {
        HopFailure { refusal, pause: None }
    }
}

enum Hop {
    Page(PageContent),
    Redirect(String),
}

impl<'a> WebClient<'a> {
    pub(crate) fn new(setup: FetchSetup<'a>) -> WebClient<'a> {
        WebClient { setup, clients: Mutex::default() }
    }

    pub(crate) async fn fetch(&self, url: &str) -> Result<RawPage, FetchRefusal> {
        let limit = self.setup.timeout;
        let late = || FetchRefusal::new(msg!("fetch-timeout", seconds = limit.as_secs_f64()));
        tokio::time::timeout(limit, self.follow(url)).await.unwrap_or_else(|_| Err(late()))
    }

    async fn follow(&self, requested: &str) -> Result<RawPage, FetchRefusal> {
        let first = checked(requested)?;
        let mut url = first.clone();
        // One retry per page, at any redirect.
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
                    // After redirects, the query is often a key: only the rest is stored.
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
        // Servers and proxies don't need the fragment.
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
        // The client unpacks what it can, and then removes the header.
        if let Some(encoding) =
            text_of(response.headers(), CONTENT_ENCODING.as_str()).filter(|encoding| encoding != "identity")
        {
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
        if let Some(route) = self.clients.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(route.clone());
        }
        let route =
            self.new_route(url).map_err(|error| FetchRefusal::new(msg!("fetch-client", why = chain(&error))))?;
        self.clients.lock().unwrap_or_else(PoisonError::into_inner).insert(key, route.clone());
        Ok(route)
    }

    fn new_route(&self, url: &Url) -> reqwest::Result<WebRoute> {
        let (builder, proxy) = client_builder(url, self.setup.context)?;
        let has_proxy = proxy.is_some();
        let proxy = proxy.and_then(|proxy| proxy.host_str().map(str::to_owned));
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

/// Returns the wait that the server asks for, `None` if it is too long or a date.
fn pause(headers: &HeaderMap) -> Option<Duration> {
    let Some(value) = headers.get(RETRY_AFTER) else { return Some(PAUSE) };
    let pause = Duration::from_secs(value.to_str().ok()?.trim().parse().ok()?);
    (pause <= LONGEST_PAUSE).then_some(pause.max(PAUSE))
}

/// Parses a URL, and rejects those that may not be fetched, by a server or over HTTP.
pub(crate) fn checked(text: &str) -> Result<Url, FetchRefusal> {
    let url = Url::parse(text).map_err(|why| FetchRefusal::new(msg!("fetch-url", why = why.to_string())))?;
    check(&url).map(|()| url)
}

/// Rejects schemes other than HTTP, and URLs with credentials.
fn check(url: &Url) -> Result<(), FetchRefusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(FetchRefusal::new(msg!("fetch-scheme", scheme = url.scheme())));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(FetchRefusal::new(msg!("fetch-credentials")).help(msg!("fetch-credentials-help")));
    }
    Ok(())
}

/// Rejects hosts without a public address. Without a proxy, names are checked by the client's resolver
/// ([`HostLookup`]), which returns the addresses to connect to; a name that a proxy resolves is checked here only.
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
        Err(error) => error.downcast_ref::<PrivateAddress>().map_or(Ok(()), |address| Err(private(address))),
        Ok(_) => Ok(()),
    }
}

/// Reads the unpacked body, up to [`MAX_PAGE`].
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

fn private(private: &PrivateAddress) -> FetchRefusal {
    let message = msg!("fetch-private", host = &private.host, address = private.address.to_string());
    FetchRefusal::new(message).help(msg!("fetch-private-help"))
}

fn broken(error: &reqwest::Error) -> HopFailure {
    let again = |message| HopFailure { refusal: FetchRefusal::new(message), pause: Some(PAUSE) };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(address) = error.downcast_ref::<PrivateAddress>() {
            return private(address).into();
        }
        if let Some(UnknownHost(host)) = error.downcast_ref() {
            return again(msg!("fetch-unknown-host", host = host));
        }
        cause = error.source();
    }
    again(msg!("fetch-unreachable", why = chain(error)))
}

/// Cuts the query, the fragment and credentials off the target of a redirect, for messages.
fn bare(to: &str) -> &str {
    let to = to.split(['?', '#']).next().unwrap_or_default();
    to.rsplit('@').next().unwrap_or_default()
}

/// Formats a URL for messages, without its query, which may hold a token.
fn shown(url: &Url) -> String {
    eval_exec::http::bare(url)
}
