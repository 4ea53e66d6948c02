//! Settings of a fetch.

use std::time::Duration;

use eval_spec::Context;
use eval_spec::url_server::UrlServers;

/// Default time limit of a page over HTTP, redirects and reading included.
pub const PAGE_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug)]
pub struct FetchSetup<'a> {
    pub context: &'a Context,
    /// Servers that are tried before HTTP.
    pub servers: Option<&'a UrlServers>,
    pub allow_private: bool,
    /// Time limit of a page over HTTP.
    pub timeout: Duration,
}
