//! What every request has at hand.

use std::net::SocketAddr;
use std::sync::Arc;

use eval_message::Lang;
use eval_spec::context::Clock;
use tokio::sync::Semaphore;

use crate::library::{Library, StoredAnalyses};

/// Requests that are worked on at once; others wait.
const AT_ONCE: usize = 4;
/// Exports and whole reports at once: each may be as large as its report.
const EXPORTS_AT_ONCE: usize = 1;
/// Pages that wait for news of a run.
const LISTENERS: usize = 16;

/// What a server shows, and how.
pub struct ServerSettings {
    /// The program, `omk` or `eval-skills`.
    pub program: &'static str,
    /// The language of pages that ask for none.
    pub lang: Lang,
    /// Where the time of feedback comes from.
    pub clock: Clock,
    /// The reports.
    pub library: Library,
    /// The stored observations.
    pub analyses: StoredAnalyses,
}

/// What every request has at hand.
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
