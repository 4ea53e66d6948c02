//! Calls of executors, and their outputs and errors.

use std::ops::Add;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use eval_message::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::callable::SkillRun;
use crate::hash::{canonical_json, sha256_hex};
use crate::plan::CellKey;
use crate::sandbox::ProgramSandbox;
use crate::surroundings::Surroundings;
pub use crate::trace::{Step, ToolCall, ToolOutput, ToolStatus, Trace};
use crate::units::Usd;

/// A boxed future that may borrow: what the async traits return.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Answers calls: a model API, an agent's command line, a recording.
///
/// An implementation measures its own latency (queueing excluded), enforces `call.timeout`, and ends
/// everything it started when the future is dropped. It never retries: the engine does.
pub trait Executor: Send + Sync {
    /// Who answers: part of the cache key and of the report.
    fn identity(&self) -> &Identity;

    /// What `call` may cost, before it is made.
    fn price(&self, _call: &Call) -> CallPrice {
        CallPrice::Unknown
    }

    /// Answers one call.
    ///
    /// # Errors
    /// An infrastructure failure. A refusal, a truncated or an empty answer is an [`Output`].
    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>>;

    /// Why earlier attempts at `call`, made for another run, don't count, oldest first: a recording may tell.
    fn failures_before(&self, _call: &Call) -> Vec<Failure> {
        Vec::new()
    }
}

/// What a call may cost, as far as that is known before it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CallPrice {
    /// Nothing: a recording, a program on this machine.
    Free,
    /// About so much at most: its prompt and the longest answer it allows, by the price of its model.
    UpTo(Usd),
    /// Nobody can say.
    Unknown,
}

/// Who answers calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// The executor's name in `--executor`.
    pub executor: String,
    /// The version of what answers, where it tells: a CLI's `--version`, an API's version header.
    pub version: Option<String>,
    /// What shares a rate limit: the vendor, or the host of the base URL.
    pub provider: String,
    /// The base URL, when it is not the vendor's own; never with credentials in it.
    pub base_url: Option<String>,
    /// What else decides the answers: the command line of a command executor, the hash of recordings.
    #[serde(default)]
    pub details: Option<String>,
    /// A hash of the program that answers; absent where none is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<ProgramHash>,
    /// The sandbox of its programs; absent where they run without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<ProgramSandbox>,
}

/// A hash of the program that answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProgramHash {
    /// 12 hex digits of SHA-256.
    pub sha256: String,
    /// The names of the hashed files: the program, links followed; of a script also the `package.json` of its package, which
    /// fixes the versions of what the script loads or starts.
    pub files: Vec<String>,
    /// Whether the program is a script, so that the hash doesn't cover all the code that runs.
    pub script: bool,
}

/// One request to a model or agent.
#[derive(Clone, Debug)]
pub struct Call {
    /// The cell it belongs to.
    pub key: CellKey,
    /// The model's name; empty means the executor's default.
    pub model: String,
    /// The reasoning effort, where the model knows one.
    pub effort: Option<String>,
    /// The artifact's text.
    pub system: Option<Arc<str>>,
    /// The prompt, whole; the input of a callable skill, as JSON.
    pub prompt: Arc<str>,
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// A hash of the working directory's content, which decides the answer of an agent.
    pub cwd_fingerprint: Option<Arc<str>>,
    /// What an agent finds around it; `None` for models, judges and callable skills.
    pub surroundings: Option<Arc<Surroundings>>,
    /// How the model samples.
    pub generation: Generation,
    /// The tools an agent may use; `None` means its default.
    pub allowed_tools: Option<Vec<String>>,
    /// How long the call may take, from the moment it leaves the queue.
    pub timeout: Duration,
}

/// How a model samples; what is `None` is left to the vendor's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Generation {
    /// Sampling temperature.
    pub temperature: Option<f64>,
    /// The longest answer, in tokens.
    pub max_tokens: Option<u32>,
    /// The most turns of an agent.
    pub max_turns: Option<u32>,
}

impl Call {
    /// Everything that decides the answer, by name: what the cache key is made of, and what
    /// `omk cache explain` prints. Time limits and prices are not in it.
    #[must_use]
    pub fn key_parts(&self, identity: &Identity) -> Value {
        let mut parts = json!({
            "executor": identity.executor,
            "executorVersion": identity.version,
            "provider": identity.provider,
            "baseUrl": identity.base_url,
            "executorDetails": identity.details,
            "model": self.model,
            "effort": self.effort,
            "system": self.system.as_deref().map(|text| sha256_hex(text.as_bytes())),
            "prompt": sha256_hex(self.prompt.as_bytes()),
            "cwd": self.cwd_fingerprint,
            "tools": self.allowed_tools,
            "temperature": self.generation.temperature,
            "maxTokens": self.generation.max_tokens,
            "maxTurns": self.generation.max_turns,
            "repeat": self.key.repeat,
        });
        if let Some(sandbox) = &identity.sandbox {
            parts["sandbox"] = json!(sandbox.enforced);
        }
        // Only what is given: the answers of calls that were made before there were surroundings stay in the cache.
        let given = self.surroundings.as_deref().filter(|around| around.gives_something());
        if let Some(around) = given {
            parts["surroundings"] = around.key_parts();
        }
        if let Some(program) = &identity.program {
            parts["program"] = json!(program.sha256);
        }
        parts
    }

    /// SHA-256 over [`Call::key_parts`]: the cache key.
    #[must_use]
    pub fn fingerprint(&self, identity: &Identity) -> String {
        sha256_hex(canonical_json(&self.key_parts(identity)).as_bytes())
    }
}

/// What came back, typed: only [`Outcome::Answered`] is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// A complete answer.
    Answered,
    /// The model declined.
    Refused,
    /// The answer was cut at the output limit.
    Truncated,
    /// A limit of turns or money stopped the agent.
    LimitHit,
    /// A complete answer without text.
    Empty,
}

impl Outcome {
    /// Returns whether an API's word for an error says that a filter refused the prompt or the answer.
    #[must_use]
    pub fn is_filter_word(word: &str) -> bool {
        const WORDS: [&str; 8] = [
            "content_filter",
            "content_policy_violation",
            "contentfilter",
            "responsibleaipolicyviolation",
            "data_inspection_failed",
            "datainspectionfailed",
            "cyber_policy",
            // the number of a sensitive prompt at Zhipu
            "1301",
        ];
        WORDS.contains(&word.to_ascii_lowercase().as_str())
    }

    /// Returns whether the text of an error says so: OpenAI's code `invalid_prompt` has other causes, too, and agents have words of their own.
    #[must_use]
    pub fn says_filtered(text: &str) -> bool {
        const SENTENCES: [&str; 4] = [
            "flagged as potentially violating our usage policy",
            "flagged for possible cybersecurity risk",
            "appears to violate our Usage Policy",
            "blocked by content filtering policy",
        ];
        SENTENCES.iter().any(|sentence| text.contains(sentence))
    }

    /// Returns whether a program's words quote such an error.
    #[must_use]
    pub fn quotes_filter(text: &str) -> bool {
        Outcome::says_filtered(text) || text.split(['"', '\'']).any(Outcome::is_filter_word)
    }
}

/// What an executor returned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// How it ended.
    pub outcome: Outcome,
    /// The answer's text; what a callable skill returned, as JSON.
    pub text: String,
    /// What the agent did on the way.
    #[serde(default, skip_serializing_if = "Trace::is_empty")]
    pub trace: Trace,
    /// Tokens, where the executor tells.
    pub usage: Option<Usage>,
    /// The price, where it is known.
    pub cost: Option<Cost>,
    /// From the request's leaving to its last byte, in milliseconds; no queueing in it.
    pub latency_ms: Option<u64>,
    /// The vendor's word for why it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<String>,
    /// The vendor's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The model that answered, as the vendor names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The executor's channels that could not be cut or checked, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What became of the artifact, where an agent was given it as a skill or as files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Delivered>,
    /// What an agent's run says of the program behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<Box<AgentRuntime>>,
    /// What the run of a callable skill tells besides its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skill: Option<Box<SkillRun>>,
}

/// What an agent's run says of the program behind it, as far as its transcript tells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AgentRuntime {
    /// The version that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The hash of the program, where it isn't that of `executorRuntime`: it was replaced during the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<String>,
    /// A hash of its working directory's content, where files of it changed between the beginning of the run and a
    /// resumption.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_cwd: Option<String>,
    /// The tools on offer to the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// MCP servers that the agent was given and could not use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_servers: Vec<String>,
}

/// What became of an artifact that an agent was given as a skill or as files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Delivered {
    /// Whether the agent had it on offer; `null` where it doesn't say.
    pub offered: Option<bool>,
    /// Whether the agent loaded it as a skill; `null` for files, which nothing loads.
    pub loaded: Option<bool>,
    /// Whether the agent opened one of its files.
    pub read: bool,
    /// The other skills on offer that the agent loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_loaded: Vec<String>,
}

impl Output {
    /// Takes the thoughts before the answer out of its text, also where that stands in the trace.
    pub fn drop_thoughts(&mut self) {
        let Some(answer) = without_thoughts(&self.text).map(str::to_owned) else { return };
        for step in &mut self.trace.steps {
            if let Step::Text { text } = step
                && *text == self.text
            {
                text.clone_from(&answer);
            }
        }
        if self.outcome == Outcome::Answered && answer.trim().is_empty() {
            self.outcome = Outcome::Empty;
        }
        self.text = answer;
    }

    /// An output that holds just a text: answered, or empty when there is none.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Output {
        let text = text.into();
        Output {
            outcome: if text.trim().is_empty() { Outcome::Empty } else { Outcome::Answered },
            text,
            trace: Trace::default(),
            usage: None,
            cost: None,
            latency_ms: None,
            stop_reason: None,
            request_id: None,
            model: None,
            notes: Vec::new(),
            delivered: None,
            runtime: None,
            skill: None,
        }
    }
}

/// The text without the thoughts that a model's template puts before an answer, from `<think>` to the first `</think>`; where
/// the template itself opens them, they end with a line `</think>`. `None` if there are none.
#[must_use]
pub fn without_thoughts(text: &str) -> Option<&str> {
    const END: &str = "</think>";
    if let Some(inside) = text.trim_start().strip_prefix("<think>") {
        return inside.split_once(END).map(|(_, answer)| answer.trim_start());
    }
    let mut before = 0;
    for line in text.split_inclusive('\n') {
        before += line.len();
        match line.trim() {
            END => return Some(text[before..].trim_start()),
            // A text that opens thoughts later on writes about them.
            line if line.contains("<think>") => return None,
            _ => {}
        }
    }
    None
}

/// Tokens as billed: input excludes what was read from or written to the prompt cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Input tokens at full price.
    pub input_tokens: u64,
    /// Output tokens, reasoning included.
    pub output_tokens: u64,
    /// Input tokens read from the vendor's prompt cache.
    #[serde(default)]
    pub cache_read_tokens: u64,
    /// Input tokens written to the vendor's prompt cache.
    #[serde(default)]
    pub cache_write_tokens: u64,
}

impl Usage {
    /// All input tokens, cached or not.
    #[must_use]
    pub fn total_input(&self) -> u64 {
        self.input_tokens.saturating_add(self.cache_read_tokens).saturating_add(self.cache_write_tokens)
    }
}

impl Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        Usage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cache_read_tokens: self.cache_read_tokens.saturating_add(other.cache_read_tokens),
            cache_write_tokens: self.cache_write_tokens.saturating_add(other.cache_write_tokens),
        }
    }
}

/// A price and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// United States dollars.
    pub usd: Usd,
    /// Where the price comes from.
    pub source: CostSource,
}

/// Where the price of a call comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CostSource {
    /// The executor reported it.
    Reported,
    /// Computed from tokens and the price table.
    PriceTable,
}

/// Why there is no output: an infrastructure failure, never a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecError {
    /// The class, which decides whether to try again.
    pub failure: Failure,
    /// What happened, for people.
    pub message: Message,
    /// The vendor's own words, without secrets, cut to a sane length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The HTTP status, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// How long the vendor asked us to wait, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
    /// What was there when it failed: the text and trace so far, the tokens already paid for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<Box<Output>>,
}

impl ExecError {
    /// A failure with nothing but its class and message.
    #[must_use]
    pub fn new(failure: Failure, message: Message) -> ExecError {
        ExecError { failure, message, detail: None, status: None, retry_after_ms: None, partial: None }
    }
}

impl std::error::Error for ExecError {}

impl std::fmt::Display for ExecError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        match &self.detail {
            Some(detail) => write!(f, ": {detail}"),
            None => Ok(()),
        }
    }
}

/// The classes of infrastructure failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The time limit passed.
    Timeout,
    /// 429: too many requests.
    RateLimited,
    /// 5xx, 529 included: the vendor is in trouble.
    Server,
    /// The connection broke, half a body included.
    Dropped,
    /// The answer could not be read.
    Malformed,
    /// No connection could be made at all.
    Unreachable,
    /// 401, 403, no key, not logged in.
    Auth,
    /// The account is empty or its quota is used up: no call succeeds until somebody pays or the quota is renewed.
    NoCredit,
    /// Another 4xx: the request is wrong, such as an unknown model.
    Rejected,
    /// The program could not be started.
    Spawn,
    /// The program ended badly.
    Crashed,
    /// Something else ended the agent in the middle of its work.
    Killed,
    /// An earlier run's agent reached a limit of turns or money, and was asked again. Within a run that is an outcome.
    Limit,
    /// A callable skill said itself that it failed: an error of its protocol.
    Skill,
    /// `replay` has no recording of this call.
    NoRecording,
    /// A tool call was not answered by the mock that is for it.
    Mock,
    /// The run was interrupted.
    Interrupted,
    /// The budget did not allow the call.
    Budget,
    /// Results of another tool record an error in place of an answer.
    Recorded,
    /// Results of another tool have none where there should be one.
    Absent,
    /// An answer that was recorded earlier, and in whose place another one was recorded later.
    Replaced,
}

impl Failure {
    /// Whether the failure may depend on what the answer would have been, so that asking again until there is an answer
    /// selects among answers. A model's API that refuses a request before an answer begins (status 429 or 5xx, no
    /// connection, quota) selects nothing.
    #[must_use]
    pub fn may_select(self, of_model_api: bool) -> bool {
        match self {
            Failure::RateLimited
            | Failure::Server
            | Failure::Unreachable
            | Failure::Auth
            | Failure::NoCredit
            | Failure::Rejected => !of_model_api,
            // nothing was asked, or nobody knows what; many interruptions of one arm are looked at by themselves
            Failure::Interrupted
            | Failure::Budget
            | Failure::NoRecording
            | Failure::Mock
            | Failure::Recorded
            | Failure::Absent => false,
            Failure::Timeout
            | Failure::Dropped
            | Failure::Malformed
            | Failure::Spawn
            | Failure::Crashed
            | Failure::Killed
            | Failure::Limit
            | Failure::Skill
            | Failure::Replaced => true,
        }
    }

    /// The class of an HTTP status that is not a success.
    #[must_use]
    pub fn of_status(status: u16) -> Failure {
        match status {
            401 | 403 => Failure::Auth,
            402 => Failure::NoCredit,
            429 => Failure::RateLimited,
            408 | 500..=599 => Failure::Server,
            _ => Failure::Rejected,
        }
    }

    /// Whether an error of a model's API, `code`, `type` or `status` of its body, says that the account is empty or that a
    /// quota is used up which no run waits for. The status is often the one of a rate limit.
    #[must_use]
    pub fn is_no_credit(word: &str) -> bool {
        const WORDS: &[&str] = &[
            "insufficient_quota",
            "insufficient_balance",
            "insufficient_credits",
            "insufficient_funds",
            "exceeded_current_quota_error",
            "billing_error",
            "billing_not_active",
            "billing_hard_limit_reached",
            "credit_limit_reached",
            "credit_balance_too_low",
            "payment_required",
            "arrearage",
            "accountoverdueerror",
            // the number of an account in arrears at Zhipu
            "1113",
        ];
        WORDS.contains(&word.to_ascii_lowercase().replace([' ', '-'], "_").as_str())
    }

    /// Whether a program's words quote such an error.
    #[must_use]
    pub fn quotes_no_credit(text: &str) -> bool {
        text.split(['"', '\'']).any(Failure::is_no_credit)
    }

    /// Whether another attempt may help.
    #[must_use]
    pub fn retryable(self) -> bool {
        matches!(
            self,
            Failure::Timeout
                | Failure::RateLimited
                | Failure::Server
                | Failure::Dropped
                | Failure::Malformed
                | Failure::Unreachable
                | Failure::Killed
        )
    }

    /// Whether a call that failed so, and does not say what it cost, may have cost something: an answer
    /// may have begun before it was lost.
    #[must_use]
    pub fn may_have_cost(self) -> bool {
        match self {
            Failure::Timeout
            | Failure::Dropped
            | Failure::Malformed
            | Failure::Crashed
            | Failure::Killed
            | Failure::Limit
            | Failure::Mock
            | Failure::Interrupted
            | Failure::Replaced => true,
            Failure::RateLimited
            | Failure::Server
            | Failure::Unreachable
            | Failure::Auth
            | Failure::NoCredit
            | Failure::Rejected
            | Failure::Spawn
            | Failure::Skill
            | Failure::NoRecording
            | Failure::Budget
            | Failure::Recorded
            | Failure::Absent => false,
        }
    }

    /// Whether it is the doing of the callable skill that was asked, so that it is a result. Not what went wrong on
    /// our side, such as a request that can't be made (a skill is asked for nothing else that is `Rejected`), and not a
    /// rate limit, which says how fast it was asked.
    #[must_use]
    pub fn is_the_skills(self) -> bool {
        match self {
            Failure::Timeout
            | Failure::Skill
            | Failure::Crashed
            | Failure::Malformed
            | Failure::Dropped
            | Failure::Server
            | Failure::Unreachable
            | Failure::Auth => true,
            Failure::Killed
            | Failure::Limit
            | Failure::NoCredit
            | Failure::Rejected
            | Failure::RateLimited
            | Failure::Spawn
            | Failure::NoRecording
            | Failure::Mock
            | Failure::Interrupted
            | Failure::Budget
            | Failure::Recorded
            | Failure::Absent
            | Failure::Replaced => false,
        }
    }

    /// Whether it says more of what is asked than of the question: other calls fail so, too. A request that is rejected
    /// may be the only one.
    #[must_use]
    pub fn hopeless(self) -> bool {
        matches!(self, Failure::Auth | Failure::NoCredit | Failure::Spawn | Failure::Unreachable)
    }
}
