//! Mocks: tool calls of an agent that are answered by omk, so that nothing real is touched.
//!
//! The agent's hooks and its MCP clients ask a [server](server) in this process, which has a [session](session) for each
//! call: it finds the [mock](matching) for a tool call, and keeps what was decided. How a mock's answer becomes the
//! result of a tool is the agent's own ([`claude`], [`codex`], [`gemini`]); servers of MCP are played by a [stub]. After
//! the call the session goes through the trace: hooks fail open, so a call that was made without a question spoils it.

mod agent;
pub(crate) mod claude;
pub(crate) mod codex;
pub(crate) mod gemini;
mod matching;
mod names;
mod own;
mod printing;
mod recorded_place;
mod recording;
mod server;
mod session;
pub(crate) mod stub;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod web;

use std::sync::Arc;

pub use agent::AgentMocks;
pub use matching::covers;
pub(crate) use recording::recorded;
pub use recording::{CallDenial, RecordedMock, RecordedMocks, RecordedRun};
pub(crate) use server::{MockDesk, MockServer};
pub(crate) use session::MockSession;
pub use web::stands_for;

/// The mocks of one call of an agent.
pub(crate) struct MocksOfCall {
    /// Which of them answered what.
    pub(crate) session: Arc<MockSession>,
    /// Where the agent asks.
    pub(crate) desk: MockDesk,
}
