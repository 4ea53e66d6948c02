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
//! `inputTokens` and `outputTokens`, beside `result` or in it. With `"protocol":"jsonrpc-lines"` the program is persistent,
//! gets a request a line, each with another `id`, and answers each on one line. It has started when it reads the first
//! one; a malformed answer ends the call.
//!
//! A skill of the type `langchain` or `custom` is answered for by a command of the configuration, with the skill's
//! directory and its entrypoint as two more arguments. It runs in the working directory and speaks the same.
//!
//! # HTTP
//!
//! `{"skillId":…,"version":…,"input":…}` is POSTed to the address, or what the skill's `request` says. The body of a
//! success is the answer: JSON, else text, else (when it is empty) `null`. Redirects are followed only to the same server,
//! and only where the method stays.
//!
//! # MCP
//!
//! A skill of the type `mcp` is a tool of a server of the Model Context Protocol: a program, or an address that is spoken
//! to by Streamable HTTP. The task's input, an object, is the tool's arguments. What it returns is `structuredContent` if
//! there is one, else its text, else the list of its parts; see `mcp/answer.rs`.
//!
//! # Sandbox
//!
//! A skill's program runs in the skill's directory with `PATH`, `HOME`, `LANG`, `TZ`, the variables that the skill names,
//! and `TMPDIR`: a folder of its own, empty, and on Linux the only place where it can make, change or remove files.
//! (Landlock does not guard modes, owners, times and extended attributes: `file-metadata` never holds. Reading and the network are not restricted.) It
//! can't gain privileges (root's capabilities over the system and over the processes of others are dropped as well), has
//! limits ([`DEFAULT_LIMITS`]) and can't set those of others, nor their priority and processors, nor leave shared memory,
//! queues, semaphores or keys in the kernel. Where signals can be
//! scoped it can send none to this process or to another skill, and where there is Landlock it can't read the environment
//! of another process. When the call is over, or given up, everything that it started is killed, also processes that have
//! left its process group; a watchdog does the same when this process is killed. (Where signals can't be scoped, a process
//! is recognised by its group and by `TMPDIR` in its environment: one that leaves its group, loses its parent and clears
//! its environment survives.) [`SkillHost::unavailable_guards`], [`SkillHost::not_enforced`] and `SkillRun::enforced`
//! report which guards are missing.

mod buffered;
mod denial;
mod host;
mod http;
mod launch;
mod lines;
mod mapping;
mod mcp;
mod outcome;
mod rpc;
mod subprocess;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_exec::BuildError;
use eval_spec::callable::{AdapterType, CallableSkill, McpServerInfo, Protocol};
use eval_spec::{Context, Executor};

pub use eval_process::{WatchdogCommand, hidden};
pub use host::{DEFAULT_LIMITS, SkillHost};
pub use mcp::{McpTool, ToolAnswer};

/// What skills are built with.
#[derive(Clone, Copy, Debug)]
pub struct SkillSetup<'a> {
    /// The world.
    pub context: &'a Context,
    /// The command of the configuration for `langchain` skills, program first. It runs in the working directory.
    pub langchain: Option<&'a [String]>,
    /// The same for `custom` skills.
    pub custom: Option<&'a [String]>,
}

/// The executor of a skill.
///
/// # Errors
/// Its program is not there; its entrypoint is no command line or no address; the variable with its token is not set;
/// its type has no command in the configuration.
pub fn build(
    skill: &CallableSkill,
    host: &Arc<SkillHost>,
    setup: &SkillSetup<'_>,
) -> Result<Arc<dyn Executor>, BuildError> {
    let program = match skill.adapter {
        AdapterType::Http => return http::build(skill, setup.context),
        AdapterType::Mcp => return mcp::build(skill, host, setup.context),
        AdapterType::Subprocess => launch::program(launch::words(&skill.entrypoint, skill)?, skill, setup.context)?,
        AdapterType::Langchain => launch::bridge(setup.langchain, skill, setup.context)?,
        AdapterType::Custom => launch::bridge(setup.custom, skill, setup.context)?,
    };
    Ok(match skill.config.protocol {
        Protocol::JsonRpc => subprocess::build(skill, program, host, setup.context),
        Protocol::JsonRpcLines => lines::build(skill, program, host, setup.context),
    })
}

/// The files outside of a skill's directory that its command line means: a program in `PATH`, or of the configuration with
/// what it runs. `None` for a service on the network, and without a program.
#[must_use]
pub fn programs(skill: &CallableSkill, setup: &SkillSetup<'_>) -> Option<Vec<PathBuf>> {
    let by_entrypoint = || launch::program(launch::words(&skill.entrypoint, skill)?, skill, setup.context);
    let program = match skill.adapter {
        AdapterType::Http => return None,
        AdapterType::Mcp if skill.address().is_some() => return None,
        AdapterType::Mcp | AdapterType::Subprocess => by_entrypoint(),
        AdapterType::Langchain => launch::bridge(setup.langchain, skill, setup.context),
        AdapterType::Custom => launch::bridge(setup.custom, skill, setup.context),
    };
    let program = program.ok()?;
    let arguments = program.arguments.iter().map(|word| program.cwd.join(word));
    let files = std::iter::once(program.program.clone()).chain(arguments);
    Some(files.filter(|file| file.is_file() && !file.starts_with(&skill.directory)).collect())
}

/// Returns the introduction of a skill's MCP server; `None` for other skills, and of a server that can't be
/// asked or says nothing.
pub async fn introduction(
    skill: &CallableSkill,
    host: &Arc<SkillHost>,
    setup: &SkillSetup<'_>,
    within: Duration,
) -> Option<McpServerInfo> {
    match skill.adapter {
        AdapterType::Mcp => mcp::introduction(skill, host, setup.context, within).await,
        _ => None,
    }
}

/// How many calls of a skill can be under way at once; `None`: any number. One process answers one call after the other,
/// and the waiting time would count as its latency: the caller must not have more calls under way.
pub fn at_once(skill: &CallableSkill) -> Option<usize> {
    let stays = match skill.adapter {
        AdapterType::Http => false,
        AdapterType::Mcp => skill.address().is_none(),
        AdapterType::Subprocess | AdapterType::Langchain | AdapterType::Custom => {
            skill.config.protocol == Protocol::JsonRpcLines
        }
    };
    let workers = skill.config.workers.unwrap_or(1).max(1);
    stays.then(|| usize::try_from(workers).unwrap_or(usize::MAX))
}

/// Whether [`build`] will build the executor of a skill, before there is a host for its program.
///
/// # Errors
/// As [`build`].
pub fn check(skill: &CallableSkill, setup: &SkillSetup<'_>) -> Result<(), BuildError> {
    build(skill, &Arc::new(SkillHost::without_programs()), setup).map(drop)
}

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::denial::{is_full, paths};
    pub use crate::mcp::answer::{json, tokens, value};
    pub use crate::outcome::likely_cause;
    pub use crate::rpc::{MalformedAnswer, RpcAnswer, RpcMatch, find, request};
}
