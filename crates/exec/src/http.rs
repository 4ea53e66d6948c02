//! One HTTP client, one request, and a class for every failure.

use std::time::{Duration, Instant};

use eval_message::{Message, msg};
use eval_spec::context::Clock;
use eval_spec::halves::read_mended;
use eval_spec::{Context, ExecError, Failure, Outcome};
use reqwest::header::{HeaderMap, HeaderValue};
use serde_json::Value;
use url::Url;

use crate::executor_type::BuildError;
use crate::secrets::Redact;

/// The longest body that is read, in bytes.
const MAX_BODY: usize = 32 << 20;

/// The longest excerpt of a vendor's text in an error, in characters.
const MAX_DETAIL: usize = 2_000;

/// A client for one endpoint. It pools connections without a limit of its own, follows no redirect
/// (a key must not travel to another host), and reads proxies from the [`Context`] only.
pub struct Http {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    redact: Redact,
    clock: Clock,
}

/// A successful answer.
#[derive(Debug)]
pub(crate) struct ApiReply {
    pub(crate) body: Value,
    pub(crate) request_id: Option<String>,
    pub(crate) latency_ms: u64,
}

impl Http {
    /// A client of this address that sends `headers` with every request.
    ///
    /// # Errors
    /// The client can't be built from the context: a certificate file, a proxy.
    pub fn new(url: Url, headers: HeaderMap, context: &Context) -> Result<Http, BuildError> {
        let client = client(&url, context).map_err(|error| {
            BuildError::invalid(msg!("exec-http-client", why = redacted(&Redact::new(context), &chain(&error))))
        })?;
        Ok(Http { client, url, headers, redact: Redact::new(context), clock: context.clock })
    }

    /// The address of this client.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Sends `body` to this address, or to another one of the same server, and reads the whole answer, within `timeout`.
    pub(crate) async fn post(&self, to: Option<Url>, body: &Value, timeout: Duration) -> Result<ApiReply, ExecError> {
        let started = Instant::now();
        match tokio::time::timeout(timeout, self.exchange(to.unwrap_or_else(|| self.url.clone()), body)).await {
            Ok(Ok((body, request_id))) => {
                let latency_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                Ok(ApiReply { body, request_id, latency_ms })
            }
            Ok(Err(error)) => Err(error),
            Err(_) => Err(ExecError::new(
                Failure::Timeout,
                msg!("exec-http-timeout", host = self.host(), seconds = timeout.as_secs_f64()),
            )),
        }
    }

    async fn exchange(&self, url: Url, body: &Value) -> Result<(Value, Option<String>), ExecError> {
        let request = self.client.post(url).headers(self.headers.clone()).body(body.to_string());
        let response = self.send(request).await?;
        let status = response.status();
        let headers = response.headers().clone();
        let text = self.read(response, MAX_BODY).await;
        let read = match &text {
            Ok(text) if status.is_success() => self.parse(text),
            Err(error) if status.is_success() => return Err(error.clone()),
            // The status is sufficient, even if the body is cut off.
            _ => Err(self.refused(status.as_u16(), &headers, text.as_deref().unwrap_or_default())),
        };
        let filtered = || read_mended(text.as_deref().ok()?).ok().filter(|body| filter_word(body).is_some());
        let value = read.or_else(|error| filtered().ok_or(error))?;
        Ok((value, request_id(&headers)))
    }

    /// What takes secrets out of what is answered; [`ApiReply`]s still have them.
    pub(crate) fn redact(&self) -> &Redact {
        &self.redact
    }

    /// A request for [`Http::send`], with the headers of this client.
    pub fn request(&self, method: reqwest::Method, url: Url) -> reqwest::RequestBuilder {
        self.client.request(method, url).headers(self.headers.clone())
    }

    /// Whether a header of this name is this client's.
    pub fn sends(&self, name: &reqwest::header::HeaderName) -> bool {
        self.headers.contains_key(name)
    }

    /// Sends a request and waits for the headers of its answer, whatever its status is.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, ExecError> {
        request.send().await.map_err(|error| self.broken(&error))
    }

    /// Reads the body, which may be `most` bytes long, as a text.
    pub async fn read(&self, response: reqwest::Response, most: usize) -> Result<String, ExecError> {
        Ok(String::from_utf8_lossy(&self.read_bytes(response, most).await?).into_owned())
    }

    /// Reads the body, which may be `most` bytes long.
    pub async fn read_bytes(&self, mut response: reqwest::Response, most: usize) -> Result<Vec<u8>, ExecError> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.dropped(&error))? {
            if bytes.len() + chunk.len() > most {
                let message = msg!("exec-http-too-long", host = self.host(), mib = most >> 20);
                return Err(ExecError::new(Failure::Malformed, message));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }

    fn parse(&self, text: &str) -> Result<Value, ExecError> {
        let value: Value = read_mended(text).map_err(|error| {
            let message = msg!("exec-http-not-json", host = self.host(), why = error.to_string());
            self.error(Failure::Malformed, message, text)
        })?;
        // Gateways answer 200 and put the error inside.
        match &value["error"] {
            Value::Null => Ok(value),
            error => {
                let failure = if has_no_credit(&value) { Failure::NoCredit } else { class_of(error) };
                let message = match failure {
                    Failure::NoCredit => msg!("exec-http-no-credit", host = self.host()),
                    _ => msg!("exec-http-error-inside", host = self.host()),
                };
                Err(self.error(failure, message, &words_of(&value).unwrap_or_else(|| error.to_string())))
            }
        }
    }

    fn refused(&self, status: u16, headers: &HeaderMap, text: &str) -> ExecError {
        let body: Value = read_mended(text).unwrap_or_default();
        // Google rejects a wrong key as a bad request.
        let failure = match Failure::of_status(status) {
            _ if text.contains("API_KEY_INVALID") => Failure::Auth,
            _ if has_no_credit(&body) => Failure::NoCredit,
            failure => failure,
        };
        let message = match failure {
            Failure::NoCredit => msg!("exec-http-no-credit", host = self.host()),
            Failure::Auth => msg!("exec-http-auth", host = self.host(), status = status),
            Failure::RateLimited => msg!("exec-http-rate-limited", host = self.host()),
            Failure::Server => msg!("exec-http-server", host = self.host(), status = status),
            _ if (300..400).contains(&status) => msg!("exec-http-redirect", host = self.host(), status = status),
            _ => msg!("exec-http-rejected", host = self.host(), status = status),
        };
        let words = words_of(&body);
        ExecError {
            status: Some(status),
            retry_after_ms: self.retry_after_ms(headers).or_else(|| retry_delay_ms(text)),
            ..self.error(failure, message, words.as_deref().unwrap_or(text))
        }
    }

    /// How long the server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date.
    pub fn retry_after_ms(&self, headers: &HeaderMap) -> Option<u64> {
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
        if let Some(ms) = text("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()) {
            return whole_ms(ms);
        }
        let value = text("retry-after")?;
        if let Ok(seconds) = value.parse::<f64>() {
            return whole_ms(seconds * 1000.0);
        }
        let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
        let now = match self.clock {
            Clock::System => jiff::Timestamp::now(),
            Clock::Fixed(instant) => instant,
        };
        u64::try_from(at.as_millisecond().saturating_sub(now.as_millisecond()).max(0)).ok()
    }

    /// The failure of a request without a response.
    fn broken(&self, error: &reqwest::Error) -> ExecError {
        if error.is_connect() {
            let message = msg!("exec-http-unreachable", host = self.host());
            return self.error(Failure::Unreachable, message, &chain(error));
        }
        if error.is_builder() {
            let message = msg!("exec-http-client", why = redacted(&self.redact, &chain(error)));
            return ExecError::new(Failure::Rejected, message);
        }
        self.dropped(error)
    }

    fn dropped(&self, error: &reqwest::Error) -> ExecError {
        self.error(Failure::Dropped, msg!("exec-http-dropped", host = self.host()), &chain(error))
    }

    /// An answer that can't be used.
    pub(crate) fn malformed(&self, message: Message, body: &Value) -> ExecError {
        self.error(Failure::Malformed, message, &body.to_string())
    }

    /// An answer that ended for a reason that is not known.
    pub(crate) fn unknown_stop(&self, reason: &str, body: &Value) -> ExecError {
        self.malformed(msg!("exec-unknown-stop", host = self.host(), reason = reason), body)
    }

    fn error(&self, failure: Failure, message: Message, detail: &str) -> ExecError {
        let detail = redacted(&self.redact, detail.trim());
        ExecError { detail: (!detail.is_empty()).then_some(detail), ..ExecError::new(failure, message) }
    }

    /// The host that is asked, for messages.
    pub fn host(&self) -> String {
        host(&self.url)
    }
}

/// How long Google asks to wait: a duration such as `39s` or `1.5s` in the details of the error.
fn retry_delay_ms(text: &str) -> Option<u64> {
    let body: Value = serde_json::from_str(text).ok()?;
    let details = body["error"]["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    whole_ms(delay.strip_suffix('s')?.parse::<f64>().ok()? * 1000.0)
}

/// Host and port, for messages and rate limits.
pub(crate) fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or("?");
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

/// The URL without credentials, query and fragment.
pub fn bare(url: &Url) -> String {
    let mut url = url.clone();
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
    url.as_str().trim_end_matches('/').to_owned()
}

/// Reads a base URL from a variable.
pub(crate) fn base_url(name: &'static str, text: &str) -> Result<Url, BuildError> {
    let url = Url::parse(text.trim()).ok();
    let usable = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    usable.ok_or_else(|| BuildError::invalid(msg!("exec-bad-base-url", name = name)))
}

/// The URL with `path` after its own.
pub(crate) fn joined(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url
}

/// A header value that is never printed.
pub fn secret_header(variable: &str, value: &str) -> Result<HeaderValue, BuildError> {
    let mut header =
        HeaderValue::from_str(value).map_err(|_| BuildError::invalid(msg!("exec-bad-key", name = variable)))?;
    header.set_sensitive(true);
    Ok(header)
}

/// A plain client for this address.
///
/// # Errors
/// As [`Http::new`].
pub fn client(url: &Url, context: &Context) -> reqwest::Result<reqwest::Client> {
    let (builder, _) = client_builder(url, context)?;
    builder.build()
}

/// The same to be changed, and the address of the proxy that it goes through, if there is one.
///
/// # Errors
/// The address of the proxy can't be used.
pub fn client_builder(url: &Url, context: &Context) -> reqwest::Result<(reqwest::ClientBuilder, Option<Url>)> {
    // Fails when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
    if url.scheme() == "http" {
        // Loading the system's certificates costs more than a whole run against a local server.
        builder = builder.tls_certs_only([]);
    }
    let mut through = None;
    if let Some((proxy, address)) = proxy(url, context)? {
        builder = builder.proxy(proxy);
        through = address;
    }
    Ok((builder, through))
}

/// The proxy that the usual variables name, with its address; never one for this machine itself.
fn proxy(url: &Url, context: &Context) -> reqwest::Result<Option<(reqwest::Proxy, Option<Url>)>> {
    let var = |name: &str| context.var(&name.to_ascii_lowercase()).or_else(|| context.var(name));
    let own = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let named = var(if url.scheme() == "http" { "HTTP_PROXY" } else { "HTTPS_PROXY" }).or_else(|| var("ALL_PROXY"));
    match named {
        Some(proxy) if !own => {
            let except = var("NO_PROXY").and_then(reqwest::NoProxy::from_string);
            // Without a scheme it is one for HTTP.
            let address =
                Url::parse(proxy).ok().filter(Url::has_host).or_else(|| Url::parse(&format!("http://{proxy}")).ok());
            Ok(Some((reqwest::Proxy::all(proxy)?.no_proxy(except), address)))
        }
        _ => Ok(None),
    }
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get("request-id").or_else(|| headers.get("x-request-id"))?;
    Some(id.to_str().ok()?.chars().take(200).collect())
}

fn whole_ms(ms: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked, and the cast saturates")]
    (ms.is_finite() && ms >= 0.0).then_some(ms.ceil() as u64)
}

/// The vendor's error message: `error.message`, `error`, `message` or `detail`.
fn words_of(body: &Value) -> Option<String> {
    let places = ["/error/message", "/error", "/message", "/detail"];
    places.iter().find_map(|place| body.pointer(place)?.as_str().map(str::to_owned))
}

/// Whether the body of an error says that the account is empty, or that a quota of a day is used up.
fn has_no_credit(body: &Value) -> bool {
    let error = if body["error"].is_object() { &body["error"] } else { body };
    let word = |field: &str| match &error[field] {
        Value::String(word) => word.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let details = error["details"].as_array().into_iter().flatten();
    let mut quotas = details.filter_map(|detail| detail["violations"].as_array()).flatten();
    // Google's limits of a minute have the same status as those of a day.
    let is_daily = quotas.any(|quota| quota["quotaId"].as_str().is_some_and(|id| id.contains("PerDay")));
    // Anthropic's older form says it in words only.
    let is_low = words_of(body).is_some_and(|words| words.contains("credit balance is too low"));
    ["code", "type", "status"].iter().any(|field| Failure::is_no_credit(&word(field))) || is_daily || is_low
}

/// The word by which an error of a model's API says that a filter refused the prompt. Azure has it as the error's code with
/// status 400, gateways pass it on.
pub(crate) fn filter_word(body: &Value) -> Option<&str> {
    let error = if body["error"].is_object() { &body["error"] } else { body };
    let words = [&error["code"], &error["type"], &error["innererror"]["code"]];
    let word = words.into_iter().filter_map(Value::as_str);
    // OpenRouter has only the text that was flagged, beside status 403.
    let is_flagged = error["metadata"]["flagged_input"].is_string().then_some("flagged_input");
    let in_words = || {
        let text = error["message"].as_str().filter(|text| Outcome::says_filtered(text));
        text.map(|_| error["code"].as_str().or(error["type"].as_str()).unwrap_or("flagged"))
    };
    word.into_iter().find(|word| Outcome::is_filter_word(word)).or(is_flagged).or_else(in_words)
}

/// The class of an error object inside a 200.
fn class_of(error: &Value) -> Failure {
    let status = error["code"].as_u64().or_else(|| error["status"].as_u64());
    if let Some(status) = status.and_then(|status| u16::try_from(status).ok()).filter(|status| *status >= 400) {
        return Failure::of_status(status);
    }
    match error["type"].as_str().or_else(|| error["code"].as_str()) {
        Some("authentication_error" | "permission_error" | "invalid_api_key") => Failure::Auth,
        Some("rate_limit_error" | "rate_limit_exceeded") => Failure::RateLimited,
        Some("overloaded_error" | "api_error" | "server_error" | "timeout_error") => Failure::Server,
        Some("invalid_request_error" | "not_found_error" | "model_not_found" | "request_too_large") => {
            Failure::Rejected
        }
        _ => Failure::Malformed,
    }
}

fn redacted(redact: &Redact, text: &str) -> String {
    let redact = redact.for_errors();
    let clean = redact.clean(text);
    match clean.char_indices().nth(MAX_DETAIL) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean.into_owned(),
    }
}

/// An error and what caused it. The URL is left out: it may hold credentials.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = String::new();
    let mut next = Some(error);
    while let Some(error) = next {
        // The outermost one of the client just repeats the URL.
        if error.downcast_ref::<reqwest::Error>().is_none() {
            let words = error.to_string();
            if !text.contains(&words) {
                text = if text.is_empty() { words } else { format!("{text}: {words}") };
            }
        }
        next = error.source();
    }
    if text.is_empty() { "the client gave no reason".to_owned() } else { text }
}
