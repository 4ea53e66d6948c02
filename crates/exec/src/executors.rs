//! The table of executors, and how one is built by name or command line.

use std::sync::Arc;

use eval_message::{Message, msg};
use eval_spec::suite::Settings;
use eval_spec::{Context, Executor};

use crate::channels::Channels;
use crate::prices::Prices;
use crate::{anthropic_api, claude, command, openai_api, replay};

/// What answers, as far as a run must know it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// A program on this machine that acts there and asks a provider's model.
    Agent,
    /// A provider's model that only talks: no tools, one turn.
    Model,
    /// Answers that were recorded.
    Recordings,
    /// Any other program on this machine.
    Program,
}

impl Kind {
    /// Whether a provider answers in the end, so that the calls keep to what it allows.
    #[must_use]
    pub fn is_remote(self) -> bool {
        matches!(self, Kind::Agent | Kind::Model)
    }

    /// Whether the files of this machine decide the answer.
    #[must_use]
    pub fn runs_here(self) -> bool {
        matches!(self, Kind::Agent | Kind::Program)
    }
}

/// What can be said of an executor without running it.
pub struct ExecutorType {
    /// The name in `--executor`.
    pub name: &'static str,
    /// One line for people: a message key.
    pub summary: eval_message::MessageKey,
    /// The model it uses when none is named; empty where a model makes no difference.
    pub default_model: &'static str,
    /// The model that judges when none is named.
    pub default_judge: &'static str,
    /// What answers.
    pub kind: Kind,
    /// Whether it says itself what a call cost, so that no price is needed.
    pub reports_cost: bool,
    /// Whether it can run here.
    pub probe: fn(&Context) -> Probe,
    /// Builds it.
    pub build: fn(&Build<'_>) -> Result<Arc<dyn Executor>, BuildError>,
    /// Through which channels something other than the call may reach the model (X7).
    pub channels: fn(&Settings) -> Channels,
}

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

/// What an executor is built from.
#[derive(Clone)]
pub struct Build<'a> {
    /// The world.
    pub context: &'a Context,
    /// The settings of the run.
    pub settings: &'a Settings,
    /// What tokens cost.
    pub prices: Arc<Prices>,
}

/// All executors with a name, in the order in which help and errors list them.
pub static EXECUTORS: &[ExecutorType] = &[claude::TYPE, anthropic_api::TYPE, openai_api::TYPE, replay::TYPE];

/// The executor of this name; `None` for a command line.
#[must_use]
pub fn named(name_or_command: &str) -> Option<&'static ExecutorType> {
    EXECUTORS.iter().find(|executor| executor.name == name_or_command.trim())
}

/// What answers under this name or command line.
#[must_use]
pub fn kind(name_or_command: &str) -> Kind {
    named(name_or_command).map_or(Kind::Program, |executor| executor.kind)
}

/// Names of executors to come. A program of that name would be started with a protocol it does not
/// speak, and its complaint graded.
const RESERVED: &[&str] = &["codex", "gemini", "gemini-api", "openai"];

/// Whether it is the name of an executor to come, so that nothing else can be called so.
#[must_use]
pub fn is_reserved(name_or_command: &str) -> bool {
    RESERVED.contains(&name_or_command.trim())
}

/// Why there is no executor.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No executor and no program has this name.
    #[error("{message}")]
    Unknown {
        /// What was asked for.
        message: Message,
        /// The executors there are, and which can run here.
        help: Vec<Message>,
    },
    /// The command line can't be run.
    #[error("{message}")]
    Command {
        /// What is wrong with it.
        message: Message,
        /// What to do about it.
        help: Vec<Message>,
    },
    /// Something outside is missing: a program, a key, a file.
    #[error("{message}")]
    Missing {
        /// What.
        message: Message,
        /// What to do about it.
        help: Vec<Message>,
    },
    /// A setting, a variable or a file can't be used.
    #[error("{message}")]
    Invalid {
        /// Which, and why.
        message: Message,
        /// What to do about it.
        help: Vec<Message>,
    },
}

impl BuildError {
    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &Message {
        match self {
            BuildError::Unknown { message, .. }
            | BuildError::Command { message, .. }
            | BuildError::Missing { message, .. }
            | BuildError::Invalid { message, .. } => message,
        }
    }

    /// What to do about it, a line each.
    #[must_use]
    pub fn help(&self) -> &[Message] {
        match self {
            BuildError::Unknown { help, .. }
            | BuildError::Command { help, .. }
            | BuildError::Missing { help, .. }
            | BuildError::Invalid { help, .. } => help,
        }
    }

    pub fn missing(message: Message) -> BuildError {
        BuildError::Missing { message, help: Vec::new() }
    }

    pub fn invalid(message: Message) -> BuildError {
        BuildError::Invalid { message, help: Vec::new() }
    }
}

/// The executor named so, else one that runs this command line.
///
/// A command line is split into words as a shell would and started directly, without a shell: no
/// variable, pipe or redirection in it works.
///
/// # Errors
/// No such executor and no such program; a program, key or file that is missing; a setting the
/// executor can't honour.
pub fn build(name_or_command: &str, b: &Build<'_>) -> Result<Arc<dyn Executor>, BuildError> {
    if let Some(executor) = named(name_or_command) {
        return (executor.build)(b);
    }
    if is_reserved(name_or_command) {
        let message = msg!("exec-not-yet", name = name_or_command.trim());
        return Err(BuildError::Unknown { message, help: choices(b.context) });
    }
    command::build(name_or_command, b)
}

/// One line per executor: its name, and whether it can run here.
#[must_use]
pub fn choices(context: &Context) -> Vec<Message> {
    let line = |executor: &ExecutorType| match (executor.probe)(context) {
        Probe::Ready => msg!("exec-choice-ready", name = executor.name),
        Probe::Missing { why } => msg!("exec-choice-missing", name = executor.name, why = why.text(context.lang)),
    };
    EXECUTORS.iter().map(line).chain([msg!("exec-choice-command")]).collect()
}
