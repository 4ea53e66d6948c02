//! Rejects requests before any handler runs; sets the headers of every response.
//!
//! Pages of other sites can make a browser send requests to this machine. They can't read the replies, since no header
//! allows it. They must not be able to write either, nor reach us under a host name of theirs (DNS rebinding).

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use eval_message::msg;
use eval_render::site::site_policy;
use std::sync::LazyLock;

use super::reply::HttpFailure;

/// Largest request body, in bytes.
pub(super) const LARGEST_BODY: u64 = 64 << 10;

/// Returns why a request is rejected.
pub(super) fn refusal(request: &Request, port: u16) -> Option<HttpFailure> {
    let headers = request.headers();
    if !is_own_host(request, port) {
        let failed = HttpFailure::new(StatusCode::FORBIDDEN, msg!("site-foreign-host"));
        return Some(failed.with_help(msg!("site-foreign-host-help")));
    }
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && !is_own_site(headers, port) {
        return Some(HttpFailure::new(StatusCode::FORBIDDEN, msg!("site-cross-site")));
    }
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > LARGEST_BODY) {
        return Some(HttpFailure::new(StatusCode::PAYLOAD_TOO_LARGE, msg!("site-too-large", limit = LARGEST_BODY)));
    }
    None
}

/// Returns `true` if every host name of the request is this machine's.
fn is_own_host(request: &Request, port: u16) -> bool {
    let mut named = request.headers().get_all(HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else { return false };
    let authority = request.uri().authority().map(|authority| authority.as_str());
    host.to_str().is_ok_and(|host| is_ours(host, port)) && authority.is_none_or(|authority| is_ours(authority, port))
}

pub fn is_ours(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits.parse().ok()),
        _ => (host, Some(80)),
    };
    given == Some(port) && ["127.0.0.1", "localhost", "[::1]"].iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

/// Returns `true` if a write comes from a page of this server, or from no page. Browsers set these headers, and pages
/// can't change them. A form's `Origin` is `null` under our referrer policy; then `Sec-Fetch-Site` decides.
fn is_own_site(headers: &HeaderMap, port: u16) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(&HeaderName::from_static("sec-fetch-site"));
    let origin = text(&ORIGIN);
    let is_own_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(|host| is_ours(host, port));
    match (site, origin) {
        (Some(site), Some(origin)) => site == "same-origin" && (origin == "null" || is_own_origin(origin)),
        (Some(site), None) => ["same-origin", "none"].contains(&site),
        (None, Some(origin)) => is_own_origin(origin),
        (None, None) => true,
    }
}

/// Sets the headers of a response, in place of existing ones.
pub(super) fn with_headers(mut response: Response) -> Response {
    static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
        HeaderValue::from_str(&site_policy()).unwrap_or(HeaderValue::from_static("default-src 'none'"))
    });
    let all = [
        (CONTENT_SECURITY_POLICY, POLICY.clone()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    ];
    response.headers_mut().extend(all.map(|(name, value)| (Some(name), value)));
    response
}
