//! A user's pattern: the one door through which assertions and scorers compile one.

use eval_message::{Message, msg};

use crate::foreign;
use crate::regexp::Regexp;

/// Why a pattern is refused.
pub(crate) struct PatternProblem {
    pub(crate) message: Message,
    pub(crate) help: Option<Message>,
}

/// The pattern, compiled.
///
/// # Errors
/// It isn't ECMAScript, or is read by ECMAScript as something else than it was written for.
pub(crate) fn compile(pattern: &str, flags: &str) -> Result<Regexp, PatternProblem> {
    if let Some(found) = foreign::first(pattern, flags) {
        let message = msg!("grade-regex-foreign", written = found.written);
        return Err(PatternProblem { message, help: Some(found.help) });
    }
    Regexp::new(pattern, flags)
        .map_err(|error| PatternProblem { message: msg!("grade-regex-invalid", error = error), help: None })
}
