//! Why results can't be read or compared.

use eval_message::Message;

/// An input error: nothing is decided, and what to do about it is said.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultsError {
    /// The problem, with its place.
    pub message: Message,
    /// What to do.
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

impl std::error::Error for ResultsError {}

impl std::fmt::Display for ResultsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)
    }
}
