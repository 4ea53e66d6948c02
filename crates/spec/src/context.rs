//! The world as it was when the program started: read once in `main`, passed down, pinned by tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use eval_message::Lang;

/// The environment of the program. Nothing below `main` reads environment variables, clock or terminal by itself.
#[derive(Clone, Debug)]
pub struct Context {
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// Our home: `OMK_HOME`, else `~/.oh-my-knowledge`.
    pub home: PathBuf,
    /// The environment variables that were valid Unicode.
    pub env: BTreeMap<String, String>,
    /// The language of the reader.
    pub lang: Lang,
    /// Whether standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// The files that standard output and standard error go to: a run's own log is nothing that its agents find.
    pub outputs: Vec<PathBuf>,
    /// Where the time comes from.
    pub clock: Clock,
    /// Values of secret variables that also stand in the inputs of this run, such as a database's name that is its password:
    /// an answer may say them.
    pub in_inputs: BTreeSet<String>,
}

/// The source of the current time.
#[derive(Clone, Copy, Debug, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// Always the same instant, for tests (`OMK_FIXED_TIME`).
    Fixed(jiff::Timestamp),
}

impl Clock {
    /// The current time.
    #[must_use]
    pub fn now(self) -> jiff::Timestamp {
        match self {
            Clock::System => jiff::Timestamp::now(),
            Clock::Fixed(instant) => instant,
        }
    }
}

impl Context {
    /// The current time.
    #[must_use]
    pub fn now(&self) -> jiff::Timestamp {
        self.clock.now()
    }

    /// An environment variable, unless it is unset or empty.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&str> {
        self.env.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// `path` against the working directory.
    #[must_use]
    pub fn absolute(&self, path: &Path) -> PathBuf {
        self.cwd.join(path)
    }

    /// `path` relative to the working directory where it can be, for messages.
    #[must_use]
    pub fn display(&self, path: &Path) -> String {
        match path.strip_prefix(&self.cwd) {
            Ok(relative) if relative.as_os_str().is_empty() => ".".to_owned(),
            Ok(relative) => relative.display().to_string(),
            Err(_) => path.display().to_string(),
        }
    }
}
