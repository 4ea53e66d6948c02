//! Errors, and lists of names in them.

use eval_message::Message;

/// A mistake in the user's files or options.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultsError {
    /// Problem, with its place.
    pub message: Message,
    /// Remedy.
    pub help: Option<Message>,
}

impl ResultsError {
    pub(crate) fn new(message: Message) -> ResultsError {
        ResultsError { message, help: None }
    }

    pub(crate) fn help(self, help: Message) -> ResultsError {
        ResultsError { help: Some(help), ..self }
    }
}

/// Lists the first `limit` names in backticks.
pub(crate) fn listed(names: impl ExactSizeIterator<Item: std::fmt::Display>, limit: usize) -> String {
    let more = if names.len() > limit { ", …" } else { "" };
    names.take(limit).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ") + more
}

impl std::error::Error for ResultsError {}

impl std::fmt::Display for ResultsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}
