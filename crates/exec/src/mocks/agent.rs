//! What mocks know of an agent.

use eval_message::{Message, msg};
use eval_spec::Sample;
use eval_spec::call::{ToolCall, ToolOutput};
use eval_spec::mock::{Mock, MockAnswer, Mocks};
use serde_json::Value;

use super::names::parts;
use super::recording::RecordedCall;
use super::session::MockSession;

/// The answer of an agent's hook to an event.
pub(crate) type HookAnswer = fn(&MockSession, &Value) -> Value;

/// How the tool calls of an agent are answered by mocks.
pub struct AgentMocks {
    /// Tools of its own whose success a mock can answer; it asks a hook about every call.
    pub(crate) answered: &'static [&'static str],
    /// Whether a mock can be for every tool.
    pub(crate) answers_any: bool,
    /// Whether the model gets the words of a mock that fails a call, whatever the tool.
    pub(crate) fails_any: bool,
    /// All tools of its own by the names that mocks have for them.
    pub(crate) tools: &'static [&'static str],
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
    /// Whether an error of a tool is not that of its mock: it refused what its hook gave it in the place of a call's input.
    pub(crate) is_spoiled: fn(&str, &ToolOutput, &MockAnswer) -> bool,
    /// Whether what the model saw of a tool is what it must have seen, for the answers of a hook that others may replace.
    pub(crate) shows: fn(&str, &ToolOutput, &str) -> bool,
    /// What a recording makes of a call of a real run.
    pub(crate) record: fn(&ToolCall) -> RecordedCall,
    /// Whether its commands run in a sandbox in any case: in its own where omk's is off.
    pub(crate) always_confined: bool,
    /// Whether calls of a real run can become mocks: an isolated agent may have no tools that can be answered.
    pub(crate) is_recorded: bool,
}

impl AgentMocks {
    /// Why an agent can't have the mocks of a sample; `None` if it can.
    pub(crate) fn refuses(&self, agent: &str, sample: &Sample) -> Option<Message> {
        let refused = &sample.mocks[self.refused(sample)?];
        let tools = [self.answered, &["mcp__SERVER__TOOL"]].concat().join("`, `");
        let (sample, tool) = (&sample.id, &refused.tool);
        Some(msg!("exec-mock-tool", agent = agent, sample = sample, tool = tool, tools = tools))
    }

    /// The first mock of a sample whose tool can't be answered.
    pub(crate) fn refused(&self, sample: &Sample) -> Option<usize> {
        sample.mocks.iter().position(|mock| !self.can_answer(mock))
    }

    /// Whether it would answer the calls of this tool if the mock failed them.
    pub(crate) fn can_fail(&self, mock: &Mock) -> bool {
        self.fails_any && mock.tool != "*"
    }

    /// Whether the model can get this answer of a tool.
    pub(crate) fn gives(&self, tool: &str, answer: &MockAnswer) -> bool {
        self.answers(tool) || answer.exit != 0
    }

    fn answers(&self, tool: &str) -> bool {
        self.answered.contains(&tool) || parts(tool).is_some()
    }

    fn can_answer(&self, mock: &Mock) -> bool {
        let is_failure = || mock.sequence.iter().chain(&mock.always).all(|answer| answer.exit != 0);
        self.answers(&mock.tool) || if mock.tool == "*" { self.answers_any } else { self.fails_any && is_failure() }
    }
}
