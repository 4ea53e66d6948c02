//! Mocks: tool calls of an agent that are answered by omk, so that nothing real is touched.
//!
//! The agent's hooks and its MCP clients ask a [server](server) in this process, which has a [session](session) for each
//! call: it finds the [mock](matching) for a tool call, and keeps what was decided. How a mock's answer becomes the
//! result of a tool is the agent's own ([`claude`]); servers of MCP are played by a [stub]. After the call the session
//! goes through the trace: hooks fail open, so a call that was made without a question spoils it.

pub(crate) mod claude;
mod matching;
mod server;
mod session;
pub(crate) mod stub;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod web;

use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::Sample;
use eval_spec::mock::Mock;

pub(crate) use server::{HookAnswer, MockDesk, MockServer};
pub(crate) use session::MockSession;

/// How the tool calls of an agent are answered by mocks.
pub struct AgentMocks {
    /// Tools of its own whose success a mock can answer; it asks a hook about every call.
    pub(crate) answered: &'static [&'static str],
    /// Where the files of artifacts lie below the folder of a call: it reads them whatever the mocks say.
    pub(crate) artifacts: &'static [&'static str],
    /// The answer to its hook.
    pub(crate) hook: HookAnswer,
    /// Whether the model gets the words of a mock that fails a call, whatever the tool.
    pub(crate) fails_any: bool,
}

/// The mocks of one call of an agent.
pub(crate) struct MocksOfCall {
    /// Which of them answered what.
    pub(crate) session: Arc<MockSession>,
    /// Where the agent asks.
    pub(crate) desk: MockDesk,
}

impl AgentMocks {
    /// Why an agent can't have the mocks of a sample; `None` if it can.
    pub fn refuses(&self, agent: &str, sample: &Sample) -> Option<Message> {
        let refused = sample.mocks.iter().find(|mock| !self.can_answer(mock))?;
        let tools = [self.answered, &["mcp__SERVER__TOOL"]].concat().join("`, `");
        let (sample, tool) = (&sample.id, &refused.tool);
        Some(msg!("exec-mock-tool", agent = agent, sample = sample, tool = tool, tools = tools))
    }

    fn can_answer(&self, mock: &Mock) -> bool {
        let is_failure = || mock.sequence.iter().chain(&mock.always).all(|answer| answer.exit != 0);
        mock.tool == "*"
            || stub::parts(&mock.tool).is_some()
            || self.answered.contains(&mock.tool.as_str())
            || (self.fails_any && is_failure())
    }
}
