//! `codex`: the command line of OpenAI's Codex, headless.
//!
//! The artifact goes in as the developer's instructions, beside those of the program. In a strict run each call has a
//! configuration of its own with nothing but the login in it, and the file of its session completes the trace.

use std::fs::{read_dir, write};
use std::io;
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::Context;
use eval_spec::suite::{PermissionMode, Settings};
use eval_trace::codex::EXEC_JSON;
use serde_json::{Value, json};

use super::skills::lay_skills;
use super::{AgentCall, AgentCli, AgentEndpoint, AgentEnvironment, AgentHome, AgentIsolation, Invocation, end_search};
use crate::executor_type::{BuildError, ExecutorKind, ExecutorType};
use crate::http::{bare, host};
use crate::mocks::codex::{MOCKS, SKILLS, question};
use crate::mocks::{MocksOfCall, stub};
use crate::openai_api;

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: CODEX.name,
    summary: eval_message::key!("exec-codex"),
    default_model: CODEX.default_model,
    default_judge: CODEX.default_model,
    model_prefixes: &[],
    kind: ExecutorKind::Agent,
    reports_cost: false,
    own_tokens: 10_000,
    bytes_per_token: 4,
    probe: |context| super::probe(&CODEX, context),
    version: Some(|context| super::version(&CODEX, context)),
    access: |context| super::access(&CODEX, context),
    build: |b| super::build(&CODEX, b),
    channels: |settings| CODEX.isolation.channels(settings),
    mention: CODEX.mention,
    attaches: CODEX.attaches,
    mocks: || super::mocks(&CODEX),
};

static CODEX: AgentCli = AgentCli {
    name: "codex",
    default_model: "gpt-5",
    missing: || msg!("exec-agent-missing", agent = "codex", package = "@openai/codex"),
    key: openai_api::KEY,
    tokens: &[],
    keyless: true,
    command: None,
    mention: Some('$'),
    attaches: false,
    vendor: ["https://api.openai.com/v1", "https://chatgpt.com"],
    version: &["--version"],
    format: &EXEC_JSON,
    environment: AgentEnvironment {
        prefixes: &["OPENAI_", "CODEX_"],
        clouds: &[],
        // Those of a `codex` that runs omk.
        removed: &["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"],
        // What it logs of an answer has the header that says when to come back.
        quiet: &[("RUST_LOG", "codex_http_client::client=debug")],
        derived: |_, _| Vec::new(),
    },
    isolation: AgentIsolation {
        cuts: &["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"],
        arguments: &["--disable", "apps", "--disable", "plugins"],
        of_project: &["project-settings", "skills"],
        unasked: &[".agents", ".codex"],
    },
    home: Some(AgentHome { variable: "CODEX_HOME", folder: ".codex", credentials: &["auth.json"], sessions }),
    mocks: Some(&MOCKS),
    has_sandbox: true,
    check,
    endpoint,
    invocation,
};

fn check(settings: &Settings) -> Result<(), BuildError> {
    let generation = &settings.generation;
    if generation.temperature.is_some() {
        return Err(BuildError::invalid(msg!("exec-agent-temperature", agent = "codex", api = "openai-api")));
    }
    let given = [
        ("maxTurns", generation.max_turns.is_some()),
        ("maxTokens", generation.max_tokens.is_some()),
        ("allowedTools", settings.allowed_tools.is_some()),
    ];
    match given.into_iter().find_map(|(name, is_given)| is_given.then_some(name)) {
        Some(name) => Err(BuildError::invalid(msg!("exec-agent-setting", agent = "codex", setting = name))),
        None => Ok(()),
    }
}

fn endpoint(context: &Context) -> Result<AgentEndpoint, BuildError> {
    let (url, is_own) = openai_api::base(context)?;
    Ok(AgentEndpoint {
        provider: if is_own { "openai".to_owned() } else { host(&url) },
        base_url: (!is_own).then(|| bare(&url)),
        address: url.to_string().trim_end_matches('/').to_owned(),
    })
}

fn invocation(agent: &AgentCall<'_>) -> io::Result<Invocation> {
    let mut settings = vec![("analytics.enabled", json!(false)), ("check_for_update_on_startup", json!(false))];
    // The variable is meant for the program, not for what it builds and runs.
    settings.push(("shell_environment_policy.exclude", json!(["RUST_LOG"])));
    // A login without a key goes to the vendor with the program's own settings.
    if agent.has_key || agent.endpoint.base_url.is_some() {
        settings.extend([
            ("model_provider", json!("omk")),
            ("model_providers.omk.name", json!("omk")),
            ("model_providers.omk.base_url", json!(agent.endpoint.address)),
            ("model_providers.omk.wire_api", json!("responses")),
            ("model_providers.omk.request_max_retries", json!(0)),
            ("model_providers.omk.stream_max_retries", json!(0)),
        ]);
        settings.extend(agent.has_key.then(|| ("model_providers.omk.env_key", json!(openai_api::KEY))));
    }
    if agent.home.is_some() {
        settings.extend([
            ("skills.include_instructions", json!(!agent.skills.is_empty() || agent.reads_project)),
            ("skills.bundled.enabled", json!(false)),
        ]);
        settings.extend((!agent.reads_project).then(|| ("project_doc_max_bytes", json!(0))));
    }
    if agent.reads_project {
        end_search(agent.folder.path()?)?;
    }
    // It would tell the model of its own sandbox.
    settings.extend(agent.is_confined.then(|| ("include_permissions_instructions", json!(false))));
    // It looks for skills in the user's home, which its tools need all the same.
    // Its shell reads no start-up files of the user's.
    if agent.home.is_some() {
        settings.extend([("allow_login_shell", json!(false)), ("features.shell_snapshot", json!(false))]);
    }
    let tools_home = agent.user_home.filter(|_| agent.home.is_some());
    settings.extend(tools_home.map(|home| ("shell_environment_policy.set.HOME", json!(home))));
    if let Some(home) = agent.home {
        lay_skills(agent.skills, &home.join(SKILLS))?;
    }
    settings.extend(agent.call.effort.as_ref().map(|effort| ("model_reasoning_effort", json!(effort))));
    let system = agent.call.system.as_deref().filter(|system| !system.is_empty());
    settings.extend(system.map(|system| ("developer_instructions", json!(system))));
    // What the vendor searches for isn't asked about.
    let is_strict = agent.mocks.is_some_and(|mocks| mocks.session.mocks().strict);
    settings.extend(is_strict.then(|| ("web_search", json!("disabled"))));
    let lines = settings.iter().map(|(name, value)| format!("{name}={}", toml(value)));
    let servers = agent.mocks.map(servers).unwrap_or_default();

    let mut invocation = Invocation::new(&["exec", "--json", "--skip-git-repo-check", "-m", agent.model]);
    let sandbox: &[&str] = match agent.permissions {
        // Its own can't be set up within ours, which does the same.
        _ if agent.is_confined => &["-s", "danger-full-access"],
        PermissionMode::Default => &[],
        PermissionMode::Edits => &["-s", "workspace-write"],
        PermissionMode::Bypass => &["-s", "danger-full-access"],
    };
    invocation.add(sandbox);
    invocation.add(agent.isolation);
    match agent.home {
        Some(home) => {
            let lines = lines.chain(servers);
            write(home.join("config.toml"), lines.map(|line| line + "\n").collect::<String>())?;
        }
        None => lines.for_each(|line| invocation.add(&["-c", &line])),
    }
    if let (Some(home), Some(_)) = (agent.home, agent.mocks) {
        write(home.join("hooks.json"), hooks().to_string())?;
        invocation.add(&["--dangerously-bypass-hook-trust"]);
    }
    invocation.add(&["-"]);
    if let Some(home) = agent.home {
        invocation.variables.push(("HOME".into(), home.into()));
    }
    Ok(invocation)
}

/// JSON's strings, numbers and truth values are TOML's, but for one character.
fn toml(value: &Value) -> String {
    value.to_string().replace('\u{7f}', "\\u007f")
}

/// The settings of the servers that mocks stand in for, and of the one that hooks ask: without them it doesn't begin.
fn servers(mocks: &MocksOfCall) -> Vec<String> {
    let settings = |server: String| {
        let own = [
            ("url", json!(mocks.desk.mcp(&server))),
            ("required", json!(true)),
            ("default_tools_approval_mode", json!("approve")),
        ];
        own.map(|(name, value)| format!("mcp_servers.{}.{name}={}", toml(&json!(server)), toml(&value)))
    };
    stub::servers(&mocks.session).into_iter().flat_map(settings).collect()
}

/// Has it ask about every tool call.
fn hooks() -> Value {
    let hook = json!({"type": "mcp_tool", "server": stub::OWN, "tool": stub::HOOK, "input": question(), "timeout": 60});
    json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [hook]}]}})
}

/// `sessions/2026/11/21/rollout-….jsonl`; those of sub-agents begin later.
fn sessions(home: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // year, month, day, file
    let mut files: Vec<PathBuf> =
        below(home.join("sessions")).flat_map(below).flat_map(below).flat_map(below).collect();
    files.sort_unstable();
    files
}
