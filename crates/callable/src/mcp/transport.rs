//! Limits on what a server may send, between the server and the SDK.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::sync::Notify;

use super::messages::mended;

/// The longest message, in bytes.
pub(super) const MAX_MESSAGE: usize = 16 << 20;

/// How much is read at once, in bytes.
const BLOCK: usize = 8 << 10;

/// How many requests of the server may wait for an answer. A server that sends requests without reading the
/// answers would fill the memory with them.
const MAX_ASKED: usize = 64;

/// Which limit a server broke, if any.
#[derive(Clone, Debug, Default)]
pub(super) struct BrokenLimits {
    long: Arc<AtomicBool>,
    many: Arc<AtomicBool>,
    other_id: Arc<AtomicBool>,
    unreadable: Arc<OnceLock<String>>,
    /// Wakes a connection that waits when a message is unreadable.
    ended: Arc<Notify>,
}

impl BrokenLimits {
    /// A message was longer than [`MAX_MESSAGE`].
    pub(super) fn too_long(&self) -> bool {
        self.long.load(Ordering::Relaxed)
    }

    /// Ends the connection for a message that is too long.
    pub(super) fn set_too_long(&self) {
        self.long.store(true, Ordering::Relaxed);
        self.ended.notify_one();
    }

    /// Why a message couldn't be read, and its beginning.
    pub(super) fn unreadable(&self) -> Option<&str> {
        self.unreadable.get().map(String::as_str)
    }

    /// Ends the connection for a message that can't be read; the first one is reported.
    pub(super) fn set_unreadable(&self, why: String) {
        let _ = self.unreadable.set(why);
        self.ended.notify_one();
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

/// Reads lines and passes them on [`mended`]. It breaks off at one that is too long or can't be read: the SDK by itself would
/// drop it and wait on.
pub(super) struct LimitedLines<R> {
    inner: R,
    /// The part of a line that has come.
    line: Vec<u8>,
    /// What is passed on next, from `passed` on.
    ready: Vec<u8>,
    passed: usize,
    /// Whether nothing more is read: what came before is passed on first.
    is_over: bool,
    broken: BrokenLimits,
}

impl<R> LimitedLines<R> {
    pub(super) fn new(inner: R, broken: BrokenLimits) -> LimitedLines<R> {
        LimitedLines { inner, line: Vec::new(), ready: Vec::new(), passed: 0, is_over: false, broken }
    }

    /// Takes what has come; whole lines are ready to be passed on. `None` where it has to end.
    fn take(&mut self, mut bytes: &[u8]) -> Option<()> {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            self.check_length(self.line.len())?;
            match mended(&self.line) {
                Ok(None) => self.ready.append(&mut self.line),
                Ok(Some(lines)) => self.ready.extend_from_slice(lines.as_bytes()),
                Err(why) => {
                    self.broken.set_unreadable(why);
                    return None;
                }
            }
            self.line.clear();
            self.ready.push(b'\n');
        }
        self.line.extend_from_slice(bytes);
        self.check_length(self.line.len())
    }

    fn check_length(&self, length: usize) -> Option<()> {
        if length > MAX_MESSAGE {
            self.broken.long.store(true, Ordering::Relaxed);
            return None;
        }
        Some(())
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for LimitedLines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while this.passed == this.ready.len() {
            this.ready.clear();
            this.passed = 0;
            if this.is_over {
                return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
            }
            let mut block = [0; BLOCK];
            let mut read = ReadBuf::new(&mut block);
            ready!(Pin::new(&mut this.inner).poll_read(cx, &mut read))?;
            // The last line may lack its end.
            let end: &[u8] = if this.line.is_empty() { b"" } else { b"\n" };
            let come = if read.filled().is_empty() { end } else { read.filled() };
            if come.is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.is_over = this.take(come).is_none();
        }
        let next = &this.ready[this.passed..];
        let count = next.len().min(buffer.remaining());
        buffer.put_slice(&next[..count]);
        this.passed += count;
        Poll::Ready(Ok(()))
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
        let message = tokio::select! {
            biased;
            message = self.inner.receive() => message?,
            () = self.broken.ended.notified() => return None,
        };
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
