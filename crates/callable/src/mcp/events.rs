//! Streamable HTTP of the SDK, with the events of a server [`mended`] before the SDK reads them.

use std::collections::HashMap;
use std::sync::Arc;

use futures::stream::{BoxStream, StreamExt, iter};
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::model::ClientJsonRpcMessage;
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::Sse;

use super::messages::mended;
use super::transport::BrokenLimits;

/// Events of a server.
type Events = BoxStream<'static, Result<Sse, SseError>>;
/// The SDK's error of a request.
type HttpError = StreamableHttpError<reqwest::Error>;
/// Headers of a request.
type Headers = HashMap<HeaderName, HeaderValue>;

/// A client that reports an event it can't read: the SDK would pass over it and wait on.
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
        let posted =
            client.post_message_with_max_sse_event_size(uri, message, session_id, auth_header, custom_headers, most);
        Ok(match posted.await? {
            StreamableHttpPostResponse::Sse(events, session) => {
                StreamableHttpPostResponse::Sse(self.mend(events), session)
            }
            other => other,
        })
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
