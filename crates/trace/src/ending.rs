//! What is the same in the endings of all agents' command lines.

use eval_message::{Message, msg};
use eval_spec::Failure;

use crate::format::{AgentExit, SkippedRecords};

/// The name of an agent's program, and the variable with its key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AgentName {
    pub(crate) program: &'static str,
    pub(crate) key: &'static str,
}

impl AgentName {
    /// The message of a failure at the API, by its class and HTTP status.
    pub(crate) fn api_message(self, failure: Failure, status: Option<u16>) -> Message {
        let agent = self.program;
        match (failure, status) {
            (Failure::Auth, _) => msg!("exec-agent-auth", agent = agent, key = self.key),
            (Failure::NoCredit, _) => msg!("exec-agent-no-credit", agent = agent),
            (Failure::Timeout, _) => msg!("exec-agent-api-timeout", agent = agent),
            (_, Some(status)) => msg!("exec-agent-status", agent = agent, status = status),
            (Failure::Dropped | Failure::Unreachable, None) => msg!("exec-agent-connection", agent = agent),
            (_, None) => msg!("exec-agent-error", agent = agent),
        }
    }

    /// The message of an end without a result.
    pub(crate) fn no_result(self, exit: &AgentExit<'_>, skipped: SkippedRecords) -> Message {
        match skipped.unreadable {
            0 => msg!("exec-agent-no-result", agent = self.program, code = code(exit)),
            lines => msg!("exec-agent-unreadable", agent = self.program, code = code(exit), lines = lines),
        }
    }

    /// The message of a result whose program failed afterwards.
    pub(crate) fn exit_after_result(self, exit: &AgentExit<'_>) -> Message {
        msg!("exec-agent-exit-after-result", agent = self.program, code = code(exit))
    }
}

/// The class of an end without a result. Agents catch signals, and end with the code that a shell gives to one, or with 0; a
/// program that is used wrongly, or prints something else, has another end.
pub(crate) fn without_result(exit: &AgentExit<'_>, skipped: SkippedRecords) -> Failure {
    match exit.code {
        // SIGHUP, SIGINT, SIGKILL, SIGTERM
        None | Some(129 | 130 | 137 | 143) => Failure::Killed,
        Some(0) if skipped.unreadable == 0 => Failure::Killed,
        Some(_) => Failure::Crashed,
    }
}

fn code(exit: &AgentExit<'_>) -> String {
    exit.code.map_or_else(|| "signal".to_owned(), |code| code.to_string())
}
