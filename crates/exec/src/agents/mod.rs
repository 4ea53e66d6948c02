//! Agent command lines: a description for each, and one runner for all of them.
//!
//! An agent is an [`AgentCli`]: data, and small functions from a call to an argument vector. A new one is a file
//! with such a description, a row in `EXECUTORS`, and, if it prints a format of its own, a file in `eval-trace`.
//! The [runner](runner) starts it in a process group of its own, feeds the prompt by standard input (an argument is
//! limited to 128 KiB, and a prompt that begins with `-` would be an option), reads the transcript while it runs,
//! kills the whole tree when the time is up, and masks secrets. Retries are the engine's, so those of the program
//! are off.

mod access;
pub(crate) mod claude;
pub(crate) mod codex;
mod confined;
mod folder;
pub(crate) mod gemini;
mod moved;
mod program;
mod recording;
mod relay;
mod runner;
mod skills;
#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests;
mod tree;
mod workspace;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_message::Message;
use eval_spec::suite::{PermissionMode, Settings};
use eval_spec::surroundings::OfferedSkill;
use eval_spec::{Call, Context};
use eval_trace::TranscriptFormat;

use crate::channels::{CHANNELS, Channels};
use crate::executor_type::BuildError;
use crate::mocks::{AgentMocks, MocksOfCall};

pub(crate) use access::{access, version};
use folder::CallFolder;
pub use moved::names_path;
pub(crate) use runner::{build, probe};
pub use tree::{CopyError, Survey, survey};

/// An agent's command line.
pub(crate) struct AgentCli {
    /// The name of its executor and of its program.
    pub(crate) name: &'static str,
    /// The model of a call that names none.
    pub(crate) default_model: &'static str,
    /// The message for a missing program, with how to install it.
    pub(crate) missing: fn() -> Message,
    /// The variable with the key of its vendor.
    pub(crate) key: &'static str,
    /// Other variables that it takes a login from.
    pub(crate) tokens: &'static [&'static str],
    /// Whether another server than the vendor's can be asked without a credential.
    pub(crate) keyless: bool,
    /// The character that begins a command to the program itself, where a prompt begins with it.
    pub(crate) command: Option<char>,
    /// The character before the name of a skill by which a prompt loads it, anywhere in the text.
    pub(crate) mention: Option<char>,
    /// Whether `@path` in a prompt has it attach that file.
    pub(crate) attaches: bool,
    /// The vendor's own address: with a key, and with a login.
    pub(crate) vendor: [&'static str; 2],
    /// The arguments that make it print its version.
    pub(crate) version: &'static [&'static str],
    /// What it prints on standard output.
    pub(crate) format: &'static TranscriptFormat,
    /// Its environment.
    pub(crate) environment: AgentEnvironment,
    /// The channels that it can cut.
    pub(crate) isolation: AgentIsolation,
    /// Its folder for configuration and sessions, where a strict run gives each call one of its own.
    pub(crate) home: Option<AgentHome>,
    /// How its tool calls are answered by mocks; `None` where they can't be.
    pub(crate) mocks: Option<&'static AgentMocks>,
    /// Whether it runs its tools in a sandbox of its own, which can't be set up within ours.
    pub(crate) has_sandbox: bool,
    /// Refuses settings that it can't honour.
    pub(crate) check: fn(&Settings) -> Result<(), BuildError>,
    /// Where its requests go.
    pub(crate) endpoint: fn(&Context) -> Result<AgentEndpoint, BuildError>,
    /// The arguments and variables of one call; the prompt goes to standard input.
    ///
    /// An error means that a file of the call could not be written.
    pub(crate) invocation: fn(&AgentCall<'_>) -> io::Result<Invocation>,
}

/// The environment of an agent: the user's without secrets, and what its description adds and removes.
pub(crate) struct AgentEnvironment {
    /// Prefixes of its own variables: it gets those with secrets as well, and they steer its answers.
    pub(crate) prefixes: &'static [&'static str],
    /// Clouds: the variable that switches one on, and the prefix of the variables that it gets then.
    pub(crate) clouds: &'static [(&'static str, &'static str)],
    /// Variables that it must not inherit.
    pub(crate) removed: &'static [&'static str],
    /// Variables for a quiet, predictable run: no telemetry, no update checks, no retries.
    pub(crate) quiet: &'static [(&'static str, &'static str)],
    /// Variables that come from the context and the settings.
    pub(crate) derived: fn(&Context, &Settings) -> Vec<(&'static str, String)>,
}

/// How an agent is isolated from the settings of the user and the project.
pub(crate) struct AgentIsolation {
    /// The channels that are cut then; the others are unverified.
    pub(crate) cuts: &'static [&'static str],
    /// The arguments that cut them.
    pub(crate) arguments: &'static [&'static str],
    /// Those of the channels that stay open where artifacts are files of the project.
    pub(crate) of_project: &'static [&'static str],
    /// Names of files and directories that it reads by itself in a working directory, and that nothing else keeps from it.
    pub(crate) unasked: &'static [&'static str],
}

/// The folder in which an agent keeps its configuration and its sessions.
pub(crate) struct AgentHome {
    /// The variable that names it.
    pub(crate) variable: &'static str,
    /// Where it is without the variable, below the user's home.
    pub(crate) folder: &'static str,
    /// The files of a login: all that a fresh one gets.
    pub(crate) credentials: &'static [&'static str],
    /// The files of the session in a home that had one call, then those of sub-agents' sessions.
    pub(crate) sessions: fn(&Path) -> Vec<PathBuf>,
}

/// Where an agent's requests go.
pub(crate) struct AgentEndpoint {
    /// What shares its rate limit: the vendor or the host.
    pub(crate) provider: String,
    /// The base URL if it is not the vendor's, without credentials.
    pub(crate) base_url: Option<String>,
    /// The URL as requests need it.
    pub(crate) address: String,
}

/// One call, as a description sees it.
pub(crate) struct AgentCall<'a> {
    pub(crate) call: &'a Call,
    /// The model of the call, else the default.
    pub(crate) model: &'a str,
    /// [`AgentIsolation::arguments`] in a strict run, else nothing.
    pub(crate) isolation: &'static [&'static str],
    /// What it may do without asking.
    pub(crate) permissions: PermissionMode,
    /// Whether it runs in a sandbox of ours.
    pub(crate) is_confined: bool,
    /// For files of this call: an artifact.
    pub(crate) folder: &'a CallFolder<'a>,
    /// Working directory of the process.
    pub(crate) cwd: &'a Path,
    /// Environment of the process, without the variables of the invocation.
    pub(crate) environment: &'a [(OsString, OsString)],
    /// The [`AgentHome`] of this call; `None` where the user's own is used.
    pub(crate) home: Option<&'a Path>,
    /// The user's home, for what its tools do.
    pub(crate) user_home: Option<&'a str>,
    /// Where its requests go.
    pub(crate) endpoint: &'a AgentEndpoint,
    /// The skills that it is offered.
    pub(crate) skills: &'a [Arc<OfferedSkill>],
    /// Whether it reads what it takes for its own in the working directory.
    pub(crate) reads_project: bool,
    /// Whether it gets a key of its vendor by a variable.
    pub(crate) has_key: bool,
    /// The mocks that answer its tool calls.
    pub(crate) mocks: Option<&'a MocksOfCall>,
}

/// How one call is started.
#[derive(Default)]
pub(crate) struct Invocation {
    /// The arguments without the program.
    pub(crate) arguments: Vec<OsString>,
    /// Variables of this call, over the agent's environment; the scratch home of a configuration, for example.
    pub(crate) variables: Vec<(OsString, OsString)>,
}

impl Invocation {
    /// An invocation with these arguments.
    pub(crate) fn new<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Invocation {
        let mut invocation = Invocation::default();
        invocation.add(arguments);
        invocation
    }

    /// Adds arguments.
    pub(crate) fn add<S: AsRef<std::ffi::OsStr>>(&mut self, arguments: &[S]) {
        self.arguments.extend(arguments.iter().map(|argument| argument.as_ref().to_owned()));
    }
}

/// Has an agent look for nothing of a project above the folder of a call, where the temporary directory of the machine lies: it goes
/// up to the first `.git`.
fn end_search(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join(".git"))
}

/// Where a text names a skill so that it is loaded, by an agent that has it on offer: the places after the mark.
fn mentions(mark: Option<char>, text: &str, skill: &str) -> Vec<usize> {
    let Some(mark) = mark else { return Vec::new() };
    let mention = format!("{mark}{skill}");
    let goes_on = |after: &str| after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    let found = text.match_indices(&mention).filter(|(at, _)| !goes_on(&text[at + mention.len()..]));
    found.map(|(at, _)| at + mark.len_utf8()).collect()
}

/// Whether a prompt loads a skill by naming it, so that it is another prompt to an agent that has the skill on offer.
#[must_use]
pub fn loads_by_name(mark: Option<char>, prompt: &str, skill: &str) -> bool {
    !mentions(mark, prompt, skill).is_empty()
}

/// The text with `\` after the mark wherever it names the skill: it is text then, and loads nothing.
#[must_use]
pub fn without_mentions(mark: Option<char>, text: &str, skill: &str) -> String {
    let mut out = text.to_owned();
    mentions(mark, text, skill).into_iter().rev().for_each(|at| out.insert(at, '\\'));
    out
}

/// The text with `\\` before every `@`, by which an agent would attach a file.
#[must_use]
pub fn without_attachments(text: &str) -> String {
    text.replace("\\@", "@").replace('@', "\\@")
}

/// How the tool calls of an agent are answered by mocks.
pub(crate) fn mocks(cli: &'static AgentCli) -> Option<&'static AgentMocks> {
    cli.mocks
}

impl AgentIsolation {
    /// The state of each channel under these settings.
    pub(crate) fn channels(&self, settings: &Settings) -> Channels {
        let is_open = |channel| settings.reads_project() && self.of_project.contains(&channel);
        let state = |channel| match (self.cuts.contains(&channel), settings.strict_baseline) {
            (true, true) if is_open(channel) => "open",
            (true, true) => "cut",
            (true, false) => "open",
            (false, _) => "unverified",
        };
        CHANNELS.map(|channel| (channel, state(channel))).to_vec()
    }

    /// The arguments in force under these settings.
    pub(crate) fn in_force(&self, settings: &Settings) -> &'static [&'static str] {
        if settings.strict_baseline { self.arguments } else { &[] }
    }
}
