//! State shared by all requests.

use std::net::SocketAddr;
use std::sync::Arc;

use eval_message::Lang;
use eval_spec::context::Clock;
use tokio::sync::Semaphore;

use crate::library::{Library, StoredAnalyses};

/// Requests handled at once; others wait.
const AT_ONCE: usize = 4;
/// Exports at once: each may take as much memory as its report.
const EXPORTS_AT_ONCE: usize = 1;
/// Most clients that listen to the progress of runs.
const LISTENERS: usize = 16;

/// Settings and data of a server.
pub struct ServerSettings {
    /// Program, `omk` or `eval-skills`.
    pub program: &'static str,
    /// Default language of pages.
    pub lang: Lang,
    /// Clock of feedback.
    pub clock: Clock,
    pub library: Library,
    pub analyses: StoredAnalyses,
}

/// State shared by all requests.
pub(super) struct Served {
    pub(super) settings: ServerSettings,
    pub(super) address: SocketAddr,
    pub(super) work: Semaphore,
    pub(super) exports: Arc<Semaphore>,
    pub(super) listeners: Arc<Semaphore>,
}

impl Served {
    pub(super) fn new(address: SocketAddr, settings: ServerSettings) -> Served {
        Served {
            settings,
            address,
            work: Semaphore::new(AT_ONCE),
            exports: Arc::new(Semaphore::new(EXPORTS_AT_ONCE)),
            listeners: Arc::new(Semaphore::new(LISTENERS)),
        }
    }
}
