//! Limits the number of connections; a new one replaces the one that has been idle longest.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// Most connections at once.
const MOST: usize = 128;
/// Time limit for the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// Largest head, in bytes.
const LARGEST_HEAD: usize = 32 << 10;

pub(super) struct Connections {
    router: Router,
    open: VecDeque<OpenConnection>,
}

struct OpenConnection {
    task: AbortHandle,
    /// Number of requests in progress.
    busy: Arc<AtomicUsize>,
}

/// Counts a request in progress until dropped.
struct Busy(Arc<AtomicUsize>);

impl Busy {
    fn begin(count: &Arc<AtomicUsize>) -> Busy {
        count.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(count))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connections {
    pub(super) fn new(router: Router) -> Connections {
        Connections { router, open: VecDeque::new() }
    }

    /// Accepts connections for ever.
    pub(super) async fn accept(&mut self, listener: &TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => self.add(stream),
                // for example, no file descriptor is left
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    fn add(&mut self, stream: TcpStream) {
        self.open.retain(|connection| !connection.task.is_finished());
        if self.open.len() >= MOST {
            let idle = self.open.iter().position(|connection| connection.busy.load(Ordering::Relaxed) == 0);
            // if all are busy, the new connection is dropped
            let Some(connection) = idle.and_then(|idle| self.open.remove(idle)) else { return };
            connection.task.abort();
        }
        let busy = Arc::new(AtomicUsize::new(0));
        let task = tokio::spawn(serve(stream, self.router.clone(), Arc::clone(&busy))).abort_handle();
        self.open.push_back(OpenConnection { task, busy });
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        self.open.iter().for_each(|connection| connection.task.abort());
    }
}

async fn serve(stream: TcpStream, router: Router, busy: Arc<AtomicUsize>) {
    let _ = stream.set_nodelay(true);
    let answer = TowerToHyperService::new(router);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (is_busy, answer) = (Busy::begin(&busy), answer.call(request));
        async move {
            let response: Result<_, Infallible> = answer.await;
            drop(is_busy);
            response
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LARGEST_HEAD);
    // a client that disconnects is no error
    let _ = http.serve_connection(TokioIo::new(stream), service).await;
}
