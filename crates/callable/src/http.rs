//! A skill that is a service: one request for each call.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use eval_exec::BuildError;
use eval_exec::http::{Http, bare, secret_header};
use eval_message::msg;
use eval_spec::callable::{Auth, AuthKind, CallableSkill, SkillRun, compact, read_exactly};
use eval_spec::{BoxFuture, Call, CallPrice, Context, ExecError, Executor, Failure, Identity, Output};
use reqwest::header::{CONTENT_TYPE, COOKIE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::mapping::{self, HttpRequest};
use super::outcome::OutcomeBuilder;
use super::rpc::usage_tokens;
use url::Url;

/// The longest body of an answer, in bytes.
const MAX_BODY: usize = 16 << 20;

/// How many redirects in a row are followed.
const MAX_REDIRECTS: usize = 5;

struct Service {
    http: Http,
    skill: CallableSkill,
    /// With `{name}` where the mapping's parameters go.
    address: String,
    /// The keys that the query of every request ends with.
    query: Vec<(String, String)>,
    /// The keys in the cookies of every request.
    cookies: Vec<(String, String)>,
    outcomes: OutcomeBuilder,
}

/// Builds the executor of a service.
pub(super) fn build(skill: &CallableSkill, context: &Context) -> Result<Arc<dyn Executor>, BuildError> {
    let address = skill.address().unwrap_or_default();
    let url = url(&address, skill)?;
    let Credentials { headers, query, cookies, secrets } = credentials(skill, context)?;
    let mut outcomes = OutcomeBuilder::new(skill, context, &address, &secrets);
    outcomes.identity.base_url = Some(bare(&url));
    let http = Http::new(url, headers, context)?;
    Ok(Arc::new(Service { http, skill: skill.clone(), address, query, cookies, outcomes }))
}

/// The address of a service.
///
/// # Errors
/// It is none that can be called.
pub(super) fn url(address: &str, skill: &CallableSkill) -> Result<Url, BuildError> {
    let url = mapping::plain(address).filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| BuildError::invalid(msg!("skills-exec-http-address", skill = &*skill.id, address = address)))
}

/// The class of a status that is not a success; only what may pass by itself is worth another attempt.
pub(super) fn class_of(status: u16) -> Failure {
    match status {
        429 => Failure::RateLimited,
        502..=504 => Failure::Server,
        _ => Failure::Skill,
    }
}

/// The authentication of every request.
#[derive(Default)]
pub(super) struct Credentials {
    pub(super) headers: HeaderMap,
    /// Parameters of the query.
    pub(super) query: Vec<(String, String)>,
    pub(super) cookies: Vec<(String, String)>,
    /// The tokens in them, in each form that is sent.
    pub(super) secrets: Vec<String>,
}

/// The authentication of the configuration.
///
/// # Errors
/// The variable of a token is not set, or its value can't be sent.
pub(super) fn credentials(skill: &CallableSkill, context: &Context) -> Result<Credentials, BuildError> {
    let mut all = Credentials::default();
    for auth in &skill.config.auth {
        add(&mut all, auth, skill, context)?;
    }
    Ok(all)
}

fn add(all: &mut Credentials, auth: &Auth, skill: &CallableSkill, context: &Context) -> Result<(), BuildError> {
    let variable = &auth.token_env_key;
    let unset = || BuildError::missing(msg!("skills-exec-http-no-token", skill = &*skill.id, name = variable));
    let token = context.var(variable).map(str::trim).filter(|token| !token.is_empty()).ok_or_else(unset)?;
    all.secrets.push(token.to_owned());
    let (header, value) = match &auth.kind {
        AuthKind::Bearer => ("authorization", format!("Bearer {token}")),
        AuthKind::Basic => {
            let wrong = || BuildError::invalid(msg!("skills-exec-http-basic", skill = &*skill.id, name = variable));
            let (_, password) = token.split_once(':').ok_or_else(wrong)?;
            let encoded = STANDARD.encode(token);
            let value = format!("Basic {encoded}");
            all.secrets.extend([password.to_owned(), encoded]);
            ("authorization", value)
        }
        AuthKind::ApiKey { header } => (header.as_str(), token.to_owned()),
        AuthKind::ApiKeyQuery { parameter } => {
            all.query.push((parameter.clone(), token.to_owned()));
            return Ok(());
        }
        AuthKind::ApiKeyCookie { name } => {
            let is_cookie = |c: char| matches!(c, '!' | '#'..='+' | '-'..=':' | '<'..='[' | ']'..='~');
            if !token.chars().all(is_cookie) {
                return Err(BuildError::invalid(msg!("skills-exec-http-cookie", skill = &*skill.id, name = variable)));
            }
            all.cookies.push((name.clone(), token.to_owned()));
            return Ok(());
        }
    };
    let unusable = |_| BuildError::invalid(msg!("skills-exec-http-header", name = header));
    all.headers.insert(HeaderName::try_from(header).map_err(unusable)?, secret_header(variable, &value)?);
    Ok(())
}

/// The cookies of a request: those with keys, and the others of `own` that none of these replaces.
///
/// # Errors
/// A key can't be sent.
pub(super) fn cookie_header(
    keys: &[(String, String)],
    own: Option<&HeaderValue>,
) -> Result<Option<HeaderValue>, BuildError> {
    let own = own.and_then(|own| own.to_str().ok()).unwrap_or_default();
    let is_key = |cookie: &&str| keys.iter().any(|(name, _)| cookie.split('=').next() == Some(name));
    let own = own.split("; ").filter(|cookie| !cookie.is_empty() && !is_key(cookie)).map(str::to_owned);
    let cookies: Vec<String> = keys.iter().map(|(name, key)| format!("{name}={key}")).chain(own).collect();
    let header = || secret_header("Cookie", &cookies.join("; "));
    (!cookies.is_empty()).then(header).transpose()
}

impl Executor for Service {
    fn identity(&self) -> &Identity {
        &self.outcomes.identity
    }

    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Free
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async move {
            let input: Value =
                serde_json::from_str(&call.prompt).unwrap_or_else(|_| Value::String(call.prompt.to_string()));
            let request = self.request(&input)?;
            let begun = Instant::now();
            let answered = tokio::time::timeout_at(begun + call.timeout, self.exchange(request)).await;
            let latency = begun.elapsed();
            match answered {
                Ok(Ok(text)) => Ok(self.output(&text, latency)),
                Ok(Err(error)) => Err(self.with_latency(error, latency)),
                Err(_) => {
                    let message =
                        msg!("exec-http-timeout", host = self.http.host(), seconds = call.timeout.as_secs_f64());
                    Err(self.with_latency(ExecError::new(Failure::Timeout, message), latency))
                }
            }
        })
    }
}

impl Service {
    /// An input that can't be sent is not a failure of the skill.
    fn request(&self, input: &Value) -> Result<HttpRequest, ExecError> {
        let unsendable = |why| ExecError::new(Failure::Rejected, msg!("skills-exec-http-input", why = why));
        if let Some(why) = self.skill.unsendable(input) {
            return Err(unsendable(why.to_string()));
        }
        match &self.skill.config.request {
            Some(mapping) => mapping::request(mapping, &self.address, input).map_err(unsendable),
            None => {
                let body = json!({ "skillId": &*self.skill.id, "version": self.skill.version, "input": input });
                let url = mapping::plain(&self.address).ok_or_else(|| unsendable(self.address.clone()))?;
                let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
                Ok(HttpRequest { method: Method::POST, url, headers, body: Some(body.to_string().into()) })
            }
        }
    }

    /// The body of the answer.
    async fn exchange(&self, mut request: HttpRequest) -> Result<String, ExecError> {
        for _ in 0..=MAX_REDIRECTS {
            let response = self.http.send(self.prepared(&request)).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            if status.is_success() {
                return String::from_utf8(self.http.read_bytes(response, MAX_BODY).await?).map_err(|body| {
                    let words = String::from_utf8_lossy(body.as_bytes());
                    self.outcomes.not_called(Failure::Skill, msg!("skills-exec-not-utf8"), &words)
                });
            }
            if status.is_redirection() {
                match redirect(&request, status, &headers) {
                    Some(url) => request.url = url,
                    None => return Err(self.redirected(status)),
                }
                continue;
            }
            // The status is sufficient, even if the body is cut off.
            let text = self.http.read(response, MAX_BODY).await.unwrap_or_default();
            return Err(self.refused(status, &headers, &text));
        }
        Err(self.redirected(StatusCode::PERMANENT_REDIRECT))
    }

    fn prepared(&self, request: &HttpRequest) -> reqwest::RequestBuilder {
        // The client's own headers win: a mapping can't replace the token.
        let mut url = request.url.clone();
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let builder = self.http.request(request.method.clone(), url);
        let own = request.headers.iter().filter(|(name, _)| !self.http.sends(name) && *name != COOKIE);
        let builder = own.fold(builder, |builder, (name, value)| builder.header(name, value));
        // Both were tried when the executor and the request were built.
        let builder = match cookie_header(&self.cookies, request.headers.get(COOKIE)) {
            Ok(Some(cookies)) => builder.header(COOKIE, cookies),
            _ => builder,
        };
        match &request.body {
            Some(body) => builder.body(body.clone()),
            None => builder,
        }
    }

    fn refused(&self, status: StatusCode, headers: &HeaderMap, text: &str) -> ExecError {
        let failure = class_of(status.as_u16());
        let message = msg!("skills-exec-http-status", host = self.http.host(), status = status.as_u16());
        ExecError {
            status: Some(status.as_u16()),
            retry_after_ms: self.http.retry_after_ms(headers),
            ..self.outcomes.not_called(failure, message, text)
        }
    }

    fn redirected(&self, status: StatusCode) -> ExecError {
        let message = msg!("skills-exec-http-redirect", host = self.http.host(), status = status.as_u16());
        ExecError { status: Some(status.as_u16()), ..self.outcomes.not_called(Failure::Skill, message, "") }
    }

    fn output(&self, text: &str, latency: Duration) -> Output {
        let value = match text.trim() {
            "" => Value::Null,
            trimmed => read_exactly(trimmed).unwrap_or_else(|_| Value::String(text.to_owned())),
        };
        let tokens = value.get("usage").and_then(usage_tokens);
        self.outcomes.answer(
            compact(text).unwrap_or_else(|| value.to_string()),
            latency,
            SkillRun { tokens, ..SkillRun::default() },
        )
    }

    fn with_latency(&self, error: ExecError, latency: Duration) -> ExecError {
        self.outcomes.with_latency(error, latency)
    }
}

/// The target of a redirect, if it is on the same server and keeps the method.
fn redirect(request: &HttpRequest, status: StatusCode, headers: &HeaderMap) -> Option<Url> {
    let keeps = matches!(status.as_u16(), 307 | 308) || matches!(request.method, Method::GET | Method::HEAD);
    let location = headers.get(LOCATION)?.to_str().ok()?;
    let url = request.url.join(location).ok()?;
    (keeps && url.origin() == request.url.origin()).then_some(url)
}
