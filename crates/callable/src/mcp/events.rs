//! Streamable HTTP of the SDK, with the events and bodies of a server [`mended`] before the SDK reads them.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use futures::stream::{BoxStream, StreamExt, iter};
use reqwest::Response;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use super::messages::mended;
use super::transport::{BrokenLimits, MAX_MESSAGE};

/// The longest body of an error that is read, in bytes: as much as the SDK reads.
const MAX_ERROR: usize = 64 << 10;

/// Header with the id of a session.
const SESSION: &str = "mcp-session-id";

/// Events of a server.
type Events = BoxStream<'static, Result<Sse, SseError>>;
/// The SDK's error of a request.
type HttpError = StreamableHttpError<reqwest::Error>;
/// Headers of a request.
type Headers = HashMap<HeaderName, HeaderValue>;

/// A client that reports an event or a body it can't read: the SDK would pass over an event and wait on, and refuse a body.
#[derive(Clone)]
pub(super) struct MendedEvents {
    client: reqwest::Client,
    broken: BrokenLimits,
}

impl MendedEvents {
    pub(super) fn new(client: reqwest::Client, broken: BrokenLimits) -> MendedEvents {
        MendedEvents { client, broken }
    }

    /// Mends each event; an unreadable one ends the connection.
    fn mend(&self, events: Events) -> Events {
        let broken = self.broken.clone();
        let read = move |event: Result<Sse, SseError>| {
            let Ok(event) = event else { return vec![event] };
            match event.data.as_deref().map_or(Ok(None), |data| mended(data.as_bytes())) {
                Ok(None) => vec![Ok(event)],
                Ok(Some(lines)) => {
                    lines.lines().map(|line| Ok(Sse { data: Some(line.to_owned()), ..event.clone() })).collect()
                }
                Err(why) => {
                    broken.set_unreadable(why);
                    Vec::new()
                }
            }
        };
        events.flat_map(move |event| iter(read(event))).boxed()
    }

    /// Reads the answer to a message as the SDK does, but for bodies, which are mended.
    async fn answer(
        &self,
        response: Response,
        is_request: bool,
        has_session: bool,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let status = response.status();
        let header =
            |name: &HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (kind, retry_after) = (header(&CONTENT_TYPE), header(&RETRY_AFTER));
        let session = header(&HeaderName::from_static(SESSION));
        let has_type = |name: &str| kind.as_deref().is_some_and(|kind| kind.to_ascii_lowercase().starts_with(name));
        let is_json = has_type("application/json");
        match status.as_u16() {
            202 | 204 => return Ok(StreamableHttpPostResponse::Accepted),
            404 if has_session => return Err(StreamableHttpError::SessionExpired),
            _ if status.is_success() && has_type("text/event-stream") => {
                return Ok(StreamableHttpPostResponse::Sse(self.mend(self.bounded(response)), session));
            }
            _ => {}
        }
        let of_status = || HttpError::from(HttpStatusError::new(status.as_u16(), retry_after.clone()));
        let is_failure = status.as_u16() == 429 || status.is_server_error();
        if is_failure && (!is_json || status.as_u16() == 429) {
            return Err(of_status());
        }
        let most = if status.is_success() { MAX_MESSAGE } else { MAX_ERROR };
        let body = match read_body(response, most).await {
            Err(_) if is_failure => return Err(of_status()),
            body => body?,
        };
        let mended = if is_json || !status.is_success() { mended(&body) } else { Ok(None) };
        let messages = mended.map(|lines| lines.unwrap_or_else(|| String::from_utf8_lossy(&body).into_owned()));
        let message = || serde_json::from_str::<ServerJsonRpcMessage>(messages.as_deref().ok()?).ok();
        if !status.is_success() {
            let is_about_key = matches!(status.as_u16(), 401 | 403);
            return match message().filter(|_| is_json && !is_about_key) {
                Some(error @ JsonRpcMessage::Error(_)) => Ok(StreamableHttpPostResponse::Json(error, session)),
                _ if is_failure => Err(of_status()),
                _ => Err(unexpected(format!("HTTP {status}: {}", String::from_utf8_lossy(&body)))),
            };
        }
        match (message(), messages) {
            (Some(message), _) if is_json => Ok(StreamableHttpPostResponse::Json(message, session)),
            _ if !is_request => Ok(StreamableHttpPostResponse::Accepted),
            _ if !is_json => Err(StreamableHttpError::UnexpectedContentType(kind)),
            // A batch.
            (None, Ok(lines)) if lines.lines().count() > 1 => {
                let events: Vec<_> = lines.lines().map(|line| Ok(Sse::default().data(line))).collect();
                Ok(StreamableHttpPostResponse::Sse(iter(events).boxed(), session))
            }
            (_, Ok(text)) => Err(unexpected(text)),
            (_, Err(why)) => {
                self.broken.set_unreadable(why.clone());
                Err(unexpected(why))
            }
        }
    }

    /// The events of a response, none of them longer than a message may be.
    fn bounded(&self, response: Response) -> Events {
        let broken = self.broken.clone();
        let mut length = 0;
        let chunks = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(io::Error::other)?;
            let ends = chunk.windows(2).rposition(|two| matches!(two, b"\n\n" | b"\r\r" | b"\n\r"));
            length = ends.map_or(length + chunk.len(), |end| chunk.len() - end);
            if length > MAX_MESSAGE {
                broken.set_too_long();
                return Err(io::Error::from(io::ErrorKind::InvalidData));
            }
            Ok(chunk)
        });
        SseStream::from_bytes_stream(chunks).boxed()
    }
}

fn unexpected(words: String) -> HttpError {
    StreamableHttpError::UnexpectedServerResponse(words.into())
}

/// A body of at most so many bytes.
async fn read_body(mut response: Response, most: usize) -> Result<Vec<u8>, HttpError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > most {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: most });
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl StreamableHttpClient for MendedEvents {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let most = super::transport::MAX_MESSAGE;
        self.post_message_with_max_sse_event_size(uri, message, session_id, auth_header, custom_headers, most).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        auth_header: Option<String>,
        custom_headers: Headers,
        most: usize,
    ) -> Result<StreamableHttpPostResponse, HttpError> {
        let client = &self.client;
        let is_request = matches!(message, ClientJsonRpcMessage::Request(_));
        // The SDK takes a refusal of this one for an older server.
        if matches!(&message, ClientJsonRpcMessage::Request(sent) if matches!(sent.request, ClientRequest::DiscoverRequest(_)))
        {
            let posted = client.post_message_with_max_sse_event_size(
                uri,
                message,
                session_id,
                auth_header,
                custom_headers,
                most,
            );
            return Ok(match posted.await? {
                StreamableHttpPostResponse::Sse(events, session) => {
                    StreamableHttpPostResponse::Sse(self.mend(events), session)
                }
                other => other,
            });
        }
        let mut request = client.post(&*uri).header(ACCEPT, "text/event-stream, application/json").json(&message);
        if let Some(token) = auth_header {
            request = request.bearer_auth(token);
        }
        for (name, value) in custom_headers {
            request = request.header(name, value);
        }
        if let Some(id) = &session_id {
            request = request.header(SESSION, &**id);
        }
        self.answer(request.send().await?, is_request, session_id.is_some()).await
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<(), HttpError> {
        self.client.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
    ) -> Result<Events, HttpError> {
        let most = super::transport::MAX_MESSAGE;
        self.get_stream_with_max_sse_event_size(uri, session_id, last_event_id, auth_header, custom_headers, most).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: Headers,
        most: usize,
    ) -> Result<Events, HttpError> {
        let client = &self.client;
        let events = client.get_stream_with_max_sse_event_size(
            uri,
            session_id,
            last_event_id,
            auth_header,
            custom_headers,
            most,
        );
        Ok(self.mend(events.await?))
    }
}
