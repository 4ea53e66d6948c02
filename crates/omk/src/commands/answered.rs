//! The executor of answers that an earlier run has.

use eval_message::msg;
use eval_spec::{BoxFuture, Call, ExecError, Executor, Failure, Identity, Output};

/// Stands for the executor of the earlier run, which is never asked again.
pub(crate) struct Answered(pub(crate) Identity);

impl Executor for Answered {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        Box::pin(async { Err(ExecError::new(Failure::NoRecording, msg!("cli-regrade-no-answer"))) })
    }
}
