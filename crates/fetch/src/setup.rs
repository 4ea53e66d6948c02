//! What URLs are fetched with.

use std::time::Duration;

use eval_spec::Context;
use eval_spec::url_server::UrlServers;

/// How long a page may take over HTTP, redirects and reading included, unless a test is in a hurry.
pub const PAGE_TIMEOUT: Duration = Duration::from_secs(20);

/// What URLs are fetched with.
#[derive(Clone, Copy, Debug)]
pub struct FetchSetup<'a> {
    /// The world.
    pub context: &'a Context,
    /// The servers that are asked first.
    pub servers: Option<&'a UrlServers>,
    /// Whether addresses may be fetched from that are not public.
    pub allow_private: bool,
    /// How long a page may take over HTTP.
    pub timeout: Duration,
}
