//! The type of executors: the row of the table, how one is built, and why it can't be.

use std::sync::Arc;

use eval_message::Message;
use eval_spec::suite::Settings;
use eval_spec::{Context, Executor};

use crate::access::Access;
use crate::channels::Channels;
use crate::mocks::AgentMocks;
use crate::prices::Prices;

/// The kind of an executor, as far as a run depends on it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ExecutorKind {
    /// A program on this machine that acts there and calls a provider's model.
    Agent,
    /// A provider's model that only talks: no tools, one turn.
    Model,
    /// Answers that were recorded.
    Recordings,
    /// Any other program on this machine.
    Program,
}

impl ExecutorKind {
    /// Whether a provider answers in the end, so that its rate limits apply.
    pub fn is_remote(self) -> bool {
        matches!(self, ExecutorKind::Agent | ExecutorKind::Model)
    }

    /// Whether the files of this machine decide the answer.
    pub fn runs_here(self) -> bool {
        matches!(self, ExecutorKind::Agent | ExecutorKind::Program)
    }
}

/// The static description of an executor. Its vendor is a row of [`VENDORS`](eval_spec::vendor::VENDORS).
pub struct ExecutorType {
    /// The name in `--executor`.
    pub name: &'static str,
    /// One line for people: a message key.
    pub summary: eval_message::MessageKey,
    /// The model it uses when none is named; empty where a model makes no difference.
    pub default_model: &'static str,
    /// The model that judges when none is named.
    pub default_judge: &'static str,
    /// Beginnings of the names of models that this executor is asked for when no executor is named.
    pub model_prefixes: &'static [&'static str],
    /// What answers.
    pub kind: ExecutorKind,
    /// Whether it reports the cost of a call, so that no price is needed.
    pub reports_cost: bool,
    /// Tokens that each request of an agent has of its own, instructions and tools, until `omk doctor` measures them; from requests
    /// of `claude` 2.1.332, `codex` 0.171.0 and `gemini` 0.61.0.
    pub own_tokens: u32,
    /// Bytes of such a prompt, mostly JSON and English, that a token stands for: 20,546 tokens were billed for about 55,000 bytes
    /// of `claude`, 7,822 for about 31,000 of `gemini`.
    pub bytes_per_token: usize,
    /// Whether it can run here.
    pub probe: fn(&Context) -> Probe,
    /// The version of its program, which is started for it and may not be installed; `None` where it has no program.
    pub version: Option<ProgramVersion>,
    /// What it needs to reach its model; `None` where no model is asked.
    pub access: fn(&Context) -> Result<Option<Access>, BuildError>,
    /// Builds it.
    pub build: fn(&Build<'_>) -> Result<Arc<dyn Executor>, BuildError>,
    /// The channels by which something other than the call may reach the model.
    pub channels: fn(&Settings) -> Channels,
    /// The character before the name of a skill by which a prompt loads it, anywhere in the text.
    pub mention: Option<char>,
    /// Whether `@path` in a prompt has it attach that file.
    pub attaches: bool,
    /// How its tool calls are answered by mocks; `None` where they can't be.
    pub mocks: fn() -> Option<&'static AgentMocks>,
}

/// Asks a program for its version; `None` where it isn't installed.
pub type ProgramVersion = fn(&Context) -> Option<Result<String, BuildError>>;

/// Whether an executor can run here.
#[derive(Clone, Debug, PartialEq)]
pub enum Probe {
    /// It can.
    Ready,
    /// Something is missing.
    Missing {
        /// What, and how to get it.
        why: Message,
    },
}

/// The inputs of an executor.
#[derive(Clone)]
pub struct Build<'a> {
    /// Environment, directories, clock.
    pub context: &'a Context,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// Token prices.
    pub prices: Arc<Prices>,
}

/// Why there is no executor.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No executor and no program has this name.
    #[error("{message}")]
    Unknown {
        /// The unknown name.
        message: Message,
        /// The executors there are, and which can run here.
        help: Vec<Message>,
    },
    /// The command line can't be run.
    #[error("{message}")]
    Command {
        /// The problem.
        message: Message,
        /// Hints.
        help: Vec<Message>,
    },
    /// Something outside is missing: a program, a key, a file.
    #[error("{message}")]
    Missing {
        /// The missing thing.
        message: Message,
        /// Hints.
        help: Vec<Message>,
    },
    /// A setting, a variable or a file can't be used.
    #[error("{message}")]
    Invalid {
        /// The problem.
        message: Message,
        /// Hints.
        help: Vec<Message>,
    },
}

impl BuildError {
    /// The problem.
    pub fn message(&self) -> &Message {
        match self {
            BuildError::Unknown { message, .. }
            | BuildError::Command { message, .. }
            | BuildError::Missing { message, .. }
            | BuildError::Invalid { message, .. } => message,
        }
    }

    /// Hints, a line each.
    pub fn help(&self) -> &[Message] {
        match self {
            BuildError::Unknown { help, .. }
            | BuildError::Command { help, .. }
            | BuildError::Missing { help, .. }
            | BuildError::Invalid { help, .. } => help,
        }
    }

    /// [`BuildError::Missing`] without help.
    pub fn missing(message: Message) -> BuildError {
        BuildError::Missing { message, help: Vec::new() }
    }

    /// [`BuildError::Invalid`] without help.
    pub fn invalid(message: Message) -> BuildError {
        BuildError::Invalid { message, help: Vec::new() }
    }
}
