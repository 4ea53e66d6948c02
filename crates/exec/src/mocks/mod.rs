//! Mocks: tool calls of an agent that are answered by omk, so that nothing real is touched.
//!
//! The agent's hooks and its MCP clients ask a [server](server) in this process, which has a [session](session) for each
//! call: it finds the [mock](matching) for a tool call, and keeps what was decided. How a mock's answer becomes the
//! result of a tool is the agent's own ([`claude`], [`codex`], [`gemini`]); servers of MCP are played by a [stub]. After
//! the call the session goes through the trace: hooks fail open, so a call that was made without a question spoils it.

pub(crate) mod claude;
pub(crate) mod codex;
pub(crate) mod gemini;
mod matching;
mod own;
mod printing;
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
use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::mock::{Mock, Mocks};
use serde_json::Value;

pub(crate) use server::{HookAnswer, MockDesk, MockServer};
pub(crate) use session::MockSession;

/// How the tool calls of an agent are answered by mocks.
pub struct AgentMocks {
    /// Tools of its own whose success a mock can answer; it asks a hook about every call.
    pub(crate) answered: &'static [&'static str],
    /// Whether a mock can be for every tool.
    pub(crate) answers_any: bool,
    /// Whether the model gets the words of a mock that fails a call, whatever the tool.
    pub(crate) fails_any: bool,
    /// Tools of its own that do nothing by themselves: they load an artifact, or start another agent, whose calls are
    /// asked about in turn and stand in the trace.
    pub(crate) harmless: &'static [&'static str],
    /// Where the files of artifacts lie below the folder of a call: it reads them whatever the mocks say.
    pub(crate) artifacts: &'static [&'static str],
    /// The answer to its hook.
    pub(crate) hook: HookAnswer,
    /// The tool of omk's own server that it asks instead of somebody, or instead of an address; empty if there is none.
    pub(crate) asks: &'static str,
    /// How its hooks and servers name a call of the trace, and its input.
    pub(crate) asked_as: fn(&Mocks, &ToolCall) -> (String, Value),
    /// Whether it refused a call by itself, before it asks: unknown tools, wrong arguments.
    pub(crate) is_refusal: fn(&ToolOutput) -> bool,
    /// Whether it did so because it knows no such tool.
    pub(crate) is_absent: fn(&ToolOutput) -> bool,
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
    pub(crate) fn refuses(&self, agent: &str, sample: &Sample) -> Option<Message> {
        let refused = self.refused(sample)?;
        let tools = [self.answered, &["mcp__SERVER__TOOL"]].concat().join("`, `");
        let (sample, tool) = (&sample.id, &refused.tool);
        Some(msg!("exec-mock-tool", agent = agent, sample = sample, tool = tool, tools = tools))
    }

    /// The first mock of a sample whose tool can't be answered.
    pub(crate) fn refused<'s>(&self, sample: &'s Sample) -> Option<&'s Mock> {
        sample.mocks.iter().find(|mock| !self.can_answer(mock))
    }

    fn can_answer(&self, mock: &Mock) -> bool {
        let is_failure = || mock.sequence.iter().chain(&mock.always).all(|answer| answer.exit != 0);
        let is_known = self.answered.contains(&mock.tool.as_str()) || stub::parts(&mock.tool).is_some();
        is_known || if mock.tool == "*" { self.answers_any } else { self.fails_any && is_failure() }
    }
}

/// The tool of one of the mocks that has this name where it is `shown` to the model.
fn named_by(mocks: &Mocks, name: &str, shown: impl Fn(&str) -> String) -> Option<String> {
    let tools = mocks.mocks.iter().map(|mock| &mock.tool).filter(|tool| stub::parts(tool).is_some());
    tools.into_iter().find(|tool| shown(tool) == name).cloned()
}
