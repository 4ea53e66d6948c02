//! The report server: pages and an API for the reports of one directory, for this machine only.
//!
//! There are few connections and small requests; a few threads read and render.

mod analyses;
mod api;
mod blind;
mod connections;
mod events;
mod export;
mod feedback;
mod form;
mod guard;
mod pages;
mod people;
mod reply;
mod served;
mod site_request;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::routing::{get, post};
use tokio::net::TcpListener;

#[doc(hidden)]
pub use self::export::{Patience, Turn, streamed};
#[doc(hidden)]
pub use self::guard::is_ours;
pub use self::served::ServerSettings;
use connections::Connections;
use served::Served;

/// A listening server.
pub struct ReportServer {
    listener: TcpListener,
    served: Arc<Served>,
}

impl ReportServer {
    /// Listens on this machine's loopback address; port 0 is any free one. An error if the port is taken.
    pub async fn bind(port: u16, settings: ServerSettings) -> std::io::Result<ReportServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let served = Served::new(listener.local_addr()?, settings);
        Ok(ReportServer { listener, served: Arc::new(served) })
    }

    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.served.address
    }

    /// Serves until `stop` is ready.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let mut connections = Connections::new(router(self.served));
        tokio::select! {
            () = connections.accept(&self.listener) => {}
            () = stop => {}
        }
    }
}

fn router(served: Arc<Served>) -> Router {
    Router::new()
        .route("/", get(pages::list))
        .route("/trends", get(pages::trends))
        .route("/diff", get(pages::diff))
        .route("/analyses", get(analyses::list))
        .route("/analyses/compare", get(analyses::compare))
        .route("/analyses/{name}", get(analyses::show))
        .route("/run/{name}", get(pages::run))
        .route("/run/{name}/sample/{sample}", get(pages::sample))
        .route("/run/{name}/blind", get(blind::start).post(blind::seal))
        .route("/run/{name}/people", get(people::page).post(people::settle))
        .route("/blind/{token}", get(blind::page).post(blind::opinion))
        .route("/run/{name}/events", get(events::events))
        .route("/run/{name}/report.json", get(export::stored))
        .route("/run/{name}/export/{format}", get(export::export))
        .route("/api/runs", get(api::runs))
        .route("/api/run/{name}", get(export::stored))
        .route("/api/run/{name}/feedback", post(feedback::feedback))
        .fallback(reply::no_page)
        .method_not_allowed_fallback(reply::no_method)
        .layer(from_fn_with_state(Arc::clone(&served), guarded))
        .with_state(served)
}

/// Checks every request before its handler, and sets the headers of every response.
async fn guarded(
    axum::extract::State(served): axum::extract::State<Arc<Served>>,
    request: Request,
    next: Next,
) -> Response {
    if let Some(refusal) = guard::refusal(&request, served.address.port()) {
        return guard::with_headers(reply::failed(&served, request.uri(), refusal));
    }
    guard::with_headers(next.run(request).await)
}
