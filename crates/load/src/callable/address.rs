//! Addresses of http and mcp skills: `http(s)://host…`, or a path behind a base.

use eval_message::{Message, msg};
use eval_spec::callable::is_address;
use eval_spec::source::Span;

use super::super::problems::Problems;
use eval_spec::credentials::is_key;

/// What an entrypoint looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntrypointAddress {
    /// With any scheme.
    Absolute,
    /// Begins with a slash.
    Path,
    /// Anything else, such as a command.
    Other,
}

pub fn kind(text: &str) -> EntrypointAddress {
    match text {
        text if is_address(text) => EntrypointAddress::Absolute,
        text if text.starts_with('/') => EntrypointAddress::Path,
        _ => EntrypointAddress::Other,
    }
}

/// Whether an absolute address can be called. Ports and hosts are left to the client.
pub(super) fn check(text: &str, span: Span, problems: &mut Problems) -> bool {
    match problem(text) {
        Some((message, help)) => {
            problems.error_with_help(span, message, help);
            false
        }
        None => {
            if let Some(name) = secret_parameter(text) {
                let help = Some(msg!("skills-load-url-credentials-help"));
                problems.warning(span, msg!("skills-load-url-secret", name = name), help);
            }
            true
        }
    }
}

pub fn problem(text: &str) -> Option<(Message, Option<Message>)> {
    let (scheme, rest) = text.split_once("://")?;
    if !["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) {
        return Some((msg!("skills-load-url-scheme", scheme = scheme), None));
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    if authority.contains('@') {
        return Some((msg!("skills-load-url-credentials"), Some(msg!("skills-load-url-credentials-help"))));
    }
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or(""),
        None => authority.split(':').next().unwrap_or(""),
    };
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '\\';
    match host.is_empty() || text.contains(is_odd) {
        true => Some((msg!("skills-load-url"), Some(msg!("skills-load-url-help")))),
        false => None,
    }
}

/// A parameter of the query that is probably a secret.
pub fn secret_parameter(text: &str) -> Option<&str> {
    let query = text.split_once('?')?.1.split('#').next()?;
    let names = query.split('&').filter_map(|pair| pair.split_once('=')).filter(|(_, value)| !value.is_empty());
    names.map(|(name, _)| name).find(|name| is_key(name))
}
