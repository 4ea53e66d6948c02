//! Whether a skill is reached at an address, and at which.

use super::{AdapterType, CallableSkill};

/// Whether `text` is an address, `SCHEME://…`, rather than a command line or a path. A scheme may be in capitals.
#[must_use]
pub fn is_address(text: &str) -> bool {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    text.trim().split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme))
}

/// The names in braces of a path.
#[must_use]
pub fn placeholders(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

impl CallableSkill {
    /// Where an http or mcp skill is called: the entrypoint, below `baseUrl` unless it is an address itself. `None` when
    /// a program answers for the skill: an MCP server has an address just when its entrypoint is one, or when there is
    /// a `baseUrl` and no `command`.
    #[must_use]
    pub fn address(&self) -> Option<String> {
        let (entrypoint, base) = (self.entrypoint.trim(), self.config.base_url.as_deref());
        let below =
            |base: &str| format!("{}/{}", base.trim().trim_end_matches('/'), entrypoint.trim_start_matches('/'));
        match (self.adapter, base) {
            (AdapterType::Http | AdapterType::Mcp, _) if is_address(entrypoint) => Some(entrypoint.to_owned()),
            (AdapterType::Http, base) => Some(base.map_or_else(|| entrypoint.to_owned(), below)),
            (AdapterType::Mcp, Some(base)) if self.config.command.is_none() => Some(below(base)),
            _ => None,
        }
    }
}
