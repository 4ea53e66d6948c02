//! What happens in a session.

use eval_spec::call::{ToolCall, ToolOutput, ToolStatus, Usage};
use jiff::Timestamp;

/// Something that happened, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// What the file says of the session itself; what comes later completes it.
    Info(SessionInfo),
    /// The user wrote to the agent. In a sub-agent's file: the task that it was given.
    Prompt {
        /// The record's id, the same where a session was copied into another one.
        id: Option<String>,
        /// When.
        at: Option<Timestamp>,
        /// The text, without what the agent's program put around it.
        text: String,
    },
    /// The agent's program listed the skills that it offers to the model.
    SkillsOffered(Vec<String>),
    /// A skill was given to the model, whoever asked for it.
    SkillLoaded {
        /// Its name.
        name: String,
        /// Its directory, where the record tells.
        directory: Option<String>,
        /// How long its text is, in characters; 0 where the record doesn't hold it.
        chars: usize,
    },
    /// A piece of a message of the model.
    Message(MessagePiece),
    /// The model called a tool; `turn` is left out where the message has an id.
    Call {
        /// The id of the message.
        message: Option<String>,
        /// The call; its result comes as [`SessionEvent::Result`], unless the record holds both.
        call: ToolCall,
    },
    /// A tool returned.
    Result {
        /// The call's id.
        call: String,
        /// When.
        at: Option<Timestamp>,
        /// What it returned.
        output: ToolOutput,
        /// How it ended; `None` where the record doesn't tell.
        status: Option<ToolStatus>,
    },
    /// What was read before was summed up: skills that were loaded are not in the model's sight any more.
    Compacted,
    /// The user stopped the agent.
    Interrupted,
}

/// What a file says of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionInfo {
    /// Its id.
    pub id: Option<String>,
    /// The working directory.
    pub cwd: Option<String>,
    /// The program's version.
    pub version: Option<String>,
    /// The sub-agent whose file it is.
    pub sub_agent: Option<String>,
    /// The call that started that sub-agent, where the file tells.
    pub started_by: Option<String>,
}

/// A piece of a message of the model; pieces with the same id are one message.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessagePiece {
    /// The message's id; `None` where the format has none, then each piece is a message.
    pub id: Option<String>,
    /// When.
    pub at: Option<Timestamp>,
    /// The model.
    pub model: Option<String>,
    /// What it says to the user.
    pub text: String,
    /// What it thinks.
    pub thinking: String,
    /// The tokens of the whole message; of several pieces the last one's count.
    pub usage: Option<Usage>,
    /// The skill that the agent's program says the message is due to.
    pub skill: Option<String>,
    /// The call of the sub-agent that says it, in files that hold several threads.
    pub parent: Option<String>,
    /// The line of the file of each line of its text, from 1; empty where its record is one line. Readers leave it to those who
    /// count the lines.
    pub lines: Vec<u64>,
}
