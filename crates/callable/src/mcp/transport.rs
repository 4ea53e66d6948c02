//! Limits on what a server may send, between the server and the SDK.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, ReadBuf};

/// The longest message, in bytes.
pub(super) const MAX_MESSAGE: usize = 16 << 20;

/// How many requests of the server may wait for an answer. A server that sends requests without reading the
/// answers would fill the memory with them.
const MAX_ASKED: usize = 64;

/// Which limit a server broke, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct BrokenLimits {
    long: Arc<AtomicBool>,
    many: Arc<AtomicBool>,
    other_id: Arc<AtomicBool>,
}

impl BrokenLimits {
    /// A message was longer than [`MAX_MESSAGE`].
    pub(super) fn too_long(&self) -> bool {
        self.long.load(Ordering::Relaxed)
    }

    /// More than [`MAX_ASKED`] requests waited for an answer.
    pub(super) fn too_many(&self) -> bool {
        self.many.load(Ordering::Relaxed)
    }
}

impl BrokenLimits {
    /// An answer had a text as its id; all requests have numbers.
    pub(super) fn other_id(&self) -> bool {
        self.other_id.load(Ordering::Relaxed)
    }
}

/// Reads lines, and breaks off at one that is too long: the SDK by itself would drop it and wait on.
pub(super) struct LimitedLines<R> {
    inner: R,
    length: usize,
    broken: BrokenLimits,
}

impl<R> LimitedLines<R> {
    pub(super) fn new(inner: R, broken: BrokenLimits) -> LimitedLines<R> {
        LimitedLines { inner, length: 0, broken }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for LimitedLines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.inner).poll_read(cx, buffer);
        let new = &buffer.filled()[before..];
        self.length = match new.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => new.len() - end - 1,
            None => self.length + new.len(),
        };
        if self.length > MAX_MESSAGE {
            self.broken.long.store(true, Ordering::Relaxed);
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        polled
    }
}

/// Ends the connection when too many requests of the server wait for an answer.
pub(super) struct LimitedTransport<T> {
    inner: T,
    asked: Arc<AtomicUsize>,
    broken: BrokenLimits,
}

impl<T> LimitedTransport<T> {
    pub(super) fn new(inner: T, broken: BrokenLimits) -> LimitedTransport<T> {
        LimitedTransport { inner, asked: Arc::default(), broken }
    }
}

/// Whether a message answers a request whose id is a text.
fn has_text_id(message: &RxJsonRpcMessage<RoleClient>) -> bool {
    match message {
        JsonRpcMessage::Response(response) => matches!(response.id, RequestId::String(_)),
        JsonRpcMessage::Error(error) => matches!(error.id, Some(RequestId::String(_))),
        _ => false,
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for LimitedTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let answers = matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let sending = self.inner.send(message);
        let asked = self.asked.clone();
        async move {
            let sent = sending.await;
            if answers {
                let less = |asked: usize| Some(asked.saturating_sub(1));
                let _ = asked.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.inner.receive().await?;
        if matches!(message, JsonRpcMessage::Request(_)) && self.asked.fetch_add(1, Ordering::Relaxed) >= MAX_ASKED {
            self.broken.many.store(true, Ordering::Relaxed);
            return None;
        }
        // The SDK would take "1" for 1, which JSON-RPC tells apart.
        if has_text_id(&message) {
            self.broken.other_id.store(true, Ordering::Relaxed);
            return None;
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.inner.close().await
    }
}
