//! Callable skills and what they are tested with: `skill.json`, `adapter.config.json`, benchmarks,
//! selection strategies.
//!
//! A callable skill is a subject, a task a sample, a run a repeat of the one engine: a cell's
//! [`Call::prompt`](crate::call::Call::prompt) is the task's input as JSON, its
//! [`Output::text`](crate::call::Output::text) the skill's answer as JSON. A grade holds the scorer's check, and after it one
//! of kind [`OUTPUT_SCHEMA_CHECK`] for a skill with an `outputSchema`: read them with [`score_check`] and
//! [`schema_mismatches`].

mod address;
mod benchmark;
pub mod config;
mod decimal;
mod graded;
mod parameter;
mod request;
mod strategy;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use address::{is_address, placeholders};
pub use benchmark::{Benchmark, BenchmarkSource, QualityCheck, Scorer, ScorerType, ScoringMethod, Task};
pub use config::{
    CONFIG_KEYS, ConfigKey, ConfigShape, ConfigSource, LlmSettings, Setting, SkillsConfig, SkillsSettings, Sourced,
};
pub use decimal::{Decimal, compact, read_exactly};
pub use graded::{OUTPUT_SCHEMA_CHECK, schema_mismatches, score_check};
pub use parameter::{Parameter, ParameterPlace, ParameterStyle, ValueEncoding, pairs};
pub use request::{BodyEncoding, FileContent, FormMember, HttpMethod, RequestBody, RequestMapping};
pub use strategy::{Filters, SortKey, SortOrder, Strategy};

/// A skill that can be called, as its files say.
#[derive(Clone, Debug, PartialEq)]
pub struct CallableSkill {
    /// Lowercase letters, digits, `_` and `-`; unique in a run.
    pub id: Arc<str>,
    /// The name for people.
    pub name: String,
    /// `X.Y.Z`, as semantic versioning has it.
    pub version: String,
    /// What it does.
    pub description: String,
    /// What it is found by.
    pub tags: Vec<String>,
    /// What its input must look like.
    pub input_schema: Option<Value>,
    /// The schema of its output; a mismatch is reported beside the score.
    pub output_schema: Option<Value>,
    /// How it is spoken to.
    pub adapter: AdapterType,
    /// A command line, or an address.
    pub entrypoint: String,
    /// Author, licence and what else the file says.
    pub metadata: Map<String, Value>,
    /// What `adapter.config.json` says.
    pub config: AdapterConfig,
    /// The skill's directory, absolute; entrypoints are resolved against it.
    pub directory: PathBuf,
    /// The `skill.json`, absolute.
    pub file: PathBuf,
    /// SHA-256 over the names and contents of the directory's files; without hidden files, caches and
    /// installed packages (`node_modules`, `__pycache__`, …).
    pub hash: Arc<str>,
}

/// How a skill is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AdapterType {
    /// POST to a service.
    Http,
    /// JSON-RPC 2.0 over standard input and output.
    Subprocess,
    /// The Model Context Protocol.
    Mcp,
    /// A command from the configuration that speaks the subprocess protocol for LangChain tools.
    Langchain,
    /// A command from the configuration that speaks the subprocess protocol for anything else.
    Custom,
}

impl AdapterType {
    /// All of them, in the order of the docs.
    pub const ALL: [AdapterType; 5] =
        [AdapterType::Http, AdapterType::Subprocess, AdapterType::Mcp, AdapterType::Langchain, AdapterType::Custom];

    /// The name in `skill.json`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AdapterType::Http => "http",
            AdapterType::Subprocess => "subprocess",
            AdapterType::Mcp => "mcp",
            AdapterType::Langchain => "langchain",
            AdapterType::Custom => "custom",
        }
    }
}

/// The content of `adapter.config.json`; absent keys have the adapter's defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AdapterConfig {
    /// `baseUrl`: what an entrypoint of an http or mcp skill that begins with `/` is appended to, so that the path of
    /// the base stays: `https://host/v1` and `/pets` make `https://host/v1/pets`.
    pub base_url: Option<String>,
    /// `authType`, `authTokenEnvKey`, `authHeader`, `authQuery`, `authCookie`; or several of them in `auth`.
    pub auth: Vec<Auth>,
    /// `request`: how an http skill's input becomes a request; `{skillId, version, input}` is POSTed without it.
    pub request: Option<RequestMapping>,
    /// `command`: the program, instead of the entrypoint's first word.
    pub command: Option<String>,
    /// `args`: its arguments, instead of the entrypoint's others.
    pub args: Option<Vec<String>>,
    /// `protocol`: whether a subprocess answers once or many times.
    pub protocol: Protocol,
    /// `workers`: how many processes of a [`Protocol::JsonRpcLines`] skill may run at once, or how many calls may be under
    /// way at once on the one connection to an MCP server that is a program; 1 unless given.
    pub workers: Option<u32>,
    /// `env`: names of environment variables to pass on.
    pub env: Vec<String>,
    /// `tool`: the MCP tool to call; the server's only one, or the one named like the skill, unless given.
    pub tool: Option<String>,
    /// `cpuSeconds`, `memoryMb`, `fileSizeMb`, `processes`, `scratchMb`: the limits of the sandbox.
    pub limits: SandboxLimits,
    /// `sandbox.write` of `skill.json`: what the skill may write besides folders of its own, absolute.
    pub writable: Vec<PathBuf>,
    /// `sandbox.sockets` of `skill.json`: whether the skill may use sockets that are files.
    pub may_use_sockets: bool,
}

/// A credential of an http or mcp skill. The token is never written to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auth {
    /// Where the token goes, and how.
    pub kind: AuthKind,
    /// The environment variable that holds the token.
    pub token_env_key: String,
}

/// Where a token goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthKind {
    /// `authType: bearer`: `Authorization: Bearer TOKEN`.
    Bearer,
    /// `authType: basic`: `Authorization: Basic …` (RFC 7617); the token is `USER:PASSWORD`.
    Basic,
    /// `authType: api-key` (also `apiKey`): the token alone in a header, `X-API-Key` unless `authHeader` names it.
    ApiKey {
        /// The header's name.
        header: String,
    },
    /// `authType: api-key` with `authQuery`: the token as a parameter of the query, which must not appear in any
    /// message of ours.
    ApiKeyQuery {
        /// The parameter's name.
        parameter: String,
    },
    /// `authType: api-key` with `authCookie`: the token as a cookie.
    ApiKeyCookie {
        /// The cookie's name.
        name: String,
    },
}

/// How often a subprocess answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Protocol {
    /// `jsonrpc`: one process, one request, one answer.
    #[default]
    JsonRpc,
    /// `jsonrpc-lines`: one process for all tasks, one JSON object a line.
    JsonRpcLines,
}

/// Limits for the processes of a skill; `None` is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SandboxLimits {
    /// CPU time of one process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// Address space of one process, in MiB; not limited unless given.
    pub memory_mb: Option<u64>,
    /// The largest file that may be written, in MiB.
    pub file_size_mb: Option<u64>,
    /// Processes at once.
    pub processes: Option<u64>,
    /// What its own folders may hold together, in MiB.
    pub scratch_mb: Option<u64>,
}

/// The time limit of a task that neither task, benchmark nor flag limits otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_millis(30_000);

/// Data about a run of a skill besides its answer, for the journal and, shortened, for the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SkillRun {
    /// The end of standard error, without secrets.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// How long the system took to start the process until its program ran, or to open the connection to an MCP server
    /// until its tool could be called, in milliseconds; not part of the latency. A process that stays has started when it
    /// reads its first request, as far as the system tells. Where every call starts a process, its interpreter's own start
    /// is paid by every call, and is in the latency. Only where a process was started, or a connection opened, for this
    /// call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// The same in microseconds: most programs start in less than a few milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_us: Option<u64>,
    /// How long the answer took, in microseconds: [`Output::latency_ms`](crate::call::Output::latency_ms) is too coarse for
    /// a program that stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_us: Option<u64>,
    /// Tokens that the skill says it used: `usage.totalTokens` of its answer, or the sum of
    /// `usage.inputTokens` and `usage.outputTokens`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The guards that contained the process: names out of [`GUARDS`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub enforced: Vec<String>,
    /// The MCP server that answered, as it introduced itself; absent for other skills, and where it didn't.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<McpServerInfo>,
}

/// What an MCP server says of itself: `serverInfo`, and the version of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct McpServerInfo {
    /// The server's name.
    pub name: String,
    /// The server's version.
    pub version: String,
    /// The negotiated version of the protocol.
    pub protocol: String,
}

impl std::fmt::Display for McpServerInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} (MCP {})", self.name, self.version, self.protocol)
    }
}

impl SkillRun {
    /// The same with how long something took to start for this call, if anything did.
    #[must_use]
    pub fn started_in(self, start: Option<Duration>) -> SkillRun {
        let whole = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
        let (start_ms, start_us) = (start.map(|s| whole(s.as_millis())), start.map(|s| whole(s.as_micros())));
        SkillRun { start_ms, start_us, ..self }
    }
}

/// The guard of sockets that are files.
pub const FILE_SOCKETS: &str = "file-sockets";

/// The guards that can restrict a skill's process, by name.
pub const GUARDS: [&str; 14] = [
    "process-group",
    "no-new-privileges",
    "cpu-time",
    "address-space",
    "file-size",
    "processes",
    "scratch-size",
    "landlock-write",
    "file-metadata",
    "landlock-scope",
    "foreign-limits",
    "foreign-scheduling",
    "kernel-objects",
    FILE_SOCKETS,
];
