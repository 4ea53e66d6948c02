//! Callable skills as executors: over standard input and output, over HTTP, over the Model Context Protocol.
//!
//! In comes a [`CallableSkill`], then one call at a time, whose prompt is the task's input as JSON. Out comes what the
//! skill returned, as JSON in [`Output::text`](eval_spec::Output::text), with a
//! [`SkillRun`](eval_spec::callable::SkillRun) beside it; or an error. An error of a skill that was called has the
//! [`SkillRun`](eval_spec::callable::SkillRun) in its `partial`.
//!
//! # Subprocess
//!
//! The program gets one JSON-RPC 2.0 request in a line, and standard input ends after it:
//!
//! ```json
//! {"jsonrpc":"2.0","id":1,"method":"execute","params":{"expression":"2+3"}}
//! ```
//!
//! `params` is the task's input; an input that is neither object nor array, which JSON-RPC does not allow there, comes
//! as `{"input": …}`. It answers with `{"jsonrpc":"2.0","id":1,"result":…}` or with `"error":{"code":…,"message":…}`,
//! on one line or many, with other lines before and after. What it may add is `"usage":{"totalTokens":…}`, or
//! `inputTokens` and `outputTokens`, beside `result` or in it. With `"protocol":"jsonrpc-lines"` the program stays,
//! gets a request a line, each with another `id`, and answers each on one line.
//!
//! A skill of the type `langchain` or `custom` is a command of the configuration, with the skill's directory and its
//! entrypoint as two more arguments, and speaks the same.
//!
//! # What holds a skill's program
//!
//! It runs in the skill's directory with `PATH`, `HOME`, `LANG`, `TZ`, the variables that the skill names, and `TMPDIR`:
//! a folder of its own, empty, and on Linux the only place where it can make, change or remove files. (Landlock does not
//! hold what changes no content: modes, owners, times, extended attributes. Reading and the network are not held.) It
//! can't gain privileges, and has limits: see [`DEFAULT_LIMITS`]. Where signals can be scoped it can send none to us
//! or to another skill, and can never read another's environment where Landlock is there at all. When the call is over,
//! or given up, everything that it started is killed, also what has left its process group; a watchdog does the
//! same when we are killed ourselves. What could not be held is told: [`Host::lacks`] and `SkillRun::enforced`.

mod host;
mod launch;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use eval_spec::callable::{AdapterType, CallableSkill};
use eval_spec::{Context, Executor};

pub use host::{DEFAULT_LIMITS, Host, HostSetup};

use crate::BuildError;

/// What skills are built with.
#[derive(Clone, Copy, Debug)]
pub struct SkillSetup<'a> {
    /// The world.
    pub context: &'a Context,
    /// The command lines of the configuration for skills of other types (`langchain`, `custom`).
    pub adapters: &'a BTreeMap<AdapterType, String>,
}

/// Runs one of our own helper processes, when that is what the arguments (without the program's name) ask for;
/// called first in `main`.
#[must_use]
pub fn hidden(arguments: &[OsString]) -> Option<ExitCode> {
    #[cfg(target_os = "linux")]
    if let Some((first, rest)) = arguments.split_first()
        && first == crate::process::WATCHDOG
    {
        return Some(crate::process::watch(rest));
    }
    let _ = arguments;
    None
}
