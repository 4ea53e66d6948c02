//! `claude`: the command line of Claude Code, headless, with its whole trace.
//!
//! The artifact goes in by a file of its own, for one call only, and is added to the system prompt.

use std::ffi::OsStr;
use std::io;

use eval_message::msg;
use eval_spec::Context;
use eval_spec::suite::{PermissionMode, Settings};
use eval_trace::claude::STREAM_JSON;
use serde_json::{Map, Value, json};

use super::skills::lay_skills;
use super::{AgentCall, AgentCli, AgentEndpoint, AgentEnvironment, AgentHome, AgentIsolation, Invocation, end_search};
use crate::anthropic_api::PROXY_VARIABLE;
use crate::executor_type::{BuildError, ExecutorKind, ExecutorType};
use crate::http::{bare, base_url, host};
use crate::mocks::claude::{MOCKS, PLUGIN};
use crate::mocks::{MocksOfCall, stub};

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: CLAUDE.name,
    summary: eval_message::key!("exec-claude"),
    default_model: CLAUDE.default_model,
    default_judge: "haiku",
    model_prefixes: &[],
    kind: ExecutorKind::Agent,
    reports_cost: true,
    own_tokens: 18_000,
    bytes_per_token: 3,
    probe: |context| super::probe(&CLAUDE, context),
    version: Some(|context| super::version(&CLAUDE, context)),
    access: |context| super::access(&CLAUDE, context),
    build: |b| super::build(&CLAUDE, b),
    channels: |settings| CLAUDE.isolation.channels(settings),
    mention: CLAUDE.mention,
    attaches: CLAUDE.attaches,
    mocks: || super::mocks(&CLAUDE),
};

static CLAUDE: AgentCli = AgentCli {
    name: "claude",
    default_model: "sonnet",
    missing: || msg!("exec-agent-missing", agent = "claude", package = "@anthropic-ai/claude-code"),
    key: "ANTHROPIC_API_KEY",
    tokens: &["ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
    keyless: false,
    command: Some('/'),
    mention: None,
    attaches: true,
    vendor: ["https://api.anthropic.com"; 2],
    version: &["--version"],
    format: &STREAM_JSON,
    environment: AgentEnvironment {
        prefixes: &["ANTHROPIC_", "CLAUDE_"],
        clouds: &[
            ("CLAUDE_CODE_USE_BEDROCK", "AWS_"),
            ("CLAUDE_CODE_USE_VERTEX", "GOOGLE_"),
            ("CLAUDE_CODE_USE_FOUNDRY", "AZURE_"),
            ("CLAUDE_CODE_USE_ANTHROPIC_AWS", "AWS_"),
            ("CLAUDE_CODE_USE_MANTLE", "AWS_"),
            ("CLAUDE_CODE_USE_GATEWAY", "ANTHROPIC_"),
            ("CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD", "GOOGLE_"),
        ],
        // With them the program refuses to run, because it seems to be nested in itself.
        removed: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"],
        quiet: &[
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            // No second result from a sub-agent in the background.
            ("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
            ("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS", "1"),
        ],
        derived,
    },
    // No setting, hook, memory file, skill or MCP server of the user's or the project's.
    isolation: AgentIsolation {
        cuts: &["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"],
        arguments: &["--strict-mcp-config"],
        of_project: &["project-settings"],
        unasked: &[],
    },
    home: Some(AgentHome {
        variable: "CLAUDE_CONFIG_DIR",
        folder: ".claude",
        credentials: &[".credentials.json"],
        // The stream has everything.
        sessions: |_| Vec::new(),
    }),
    mocks: Some(&MOCKS),
    has_sandbox: false,
    check,
    endpoint,
    invocation,
};

fn derived(context: &Context, settings: &Settings) -> Vec<(&'static str, String)> {
    let proxy = context.var(PROXY_VARIABLE).map(|proxy| ("ANTHROPIC_BASE_URL", proxy.to_owned()));
    let tokens = settings.generation.max_tokens.map(|tokens| ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.to_string()));
    proxy.into_iter().chain(tokens).collect()
}

fn check(settings: &Settings) -> Result<(), BuildError> {
    match settings.generation.temperature {
        Some(_) => Err(BuildError::invalid(msg!("exec-agent-temperature", agent = "claude", api = "anthropic-api"))),
        None => Ok(()),
    }
}

fn endpoint(context: &Context) -> Result<AgentEndpoint, BuildError> {
    let named = [PROXY_VARIABLE, "ANTHROPIC_BASE_URL"].into_iter().find_map(|name| Some((name, context.var(name)?)));
    let Some((name, text)) = named else {
        return Ok(AgentEndpoint { provider: "anthropic".to_owned(), base_url: None, address: String::new() });
    };
    let url = base_url(name, text)?;
    Ok(AgentEndpoint { provider: host(&url), base_url: Some(bare(&url)), address: url.into() })
}

fn invocation(agent: &AgentCall<'_>) -> io::Result<Invocation> {
    let call = agent.call;
    let mut invocation =
        Invocation::new(&["-p", "--output-format", "stream-json", "--verbose", "--model", agent.model]);
    match agent.permissions {
        PermissionMode::Default => {}
        PermissionMode::Edits => invocation.add(&["--permission-mode", "acceptEdits"]),
        PermissionMode::Bypass => {
            invocation.add(&["--permission-mode", "bypassPermissions"]);
            // Without it, it refuses that as root.
            invocation.variables.push(("IS_SANDBOX".into(), "1".into()));
        }
    }
    if let Some(turns) = call.generation.max_turns {
        invocation.add(&["--max-turns", &turns.to_string()]);
    }
    if let Some(effort) = &call.effort {
        invocation.add(&["--effort", effort]);
    }
    if let Some(system) = call.system.as_deref().filter(|system| !system.is_empty()) {
        let file = agent.folder.write("system.md", system)?;
        invocation.add(&[OsStr::new("--append-system-prompt-file"), file.as_os_str()]);
    }
    if !agent.isolation.is_empty() {
        invocation.add(&["--setting-sources", if agent.reads_project { "project" } else { "" }]);
        invocation.add(agent.isolation);
        if agent.skills.is_empty() && !agent.reads_project {
            invocation.add(&["--disable-slash-commands"]);
        }
    }
    if let (Some(home), Some(user_home)) = (agent.home, agent.user_home) {
        // Its shell reads the start-up files of the home that it finds, and its tools need the user's all the same.
        let export = format!("export HOME={}\n", shlex::try_quote(user_home).map_err(io::Error::other)?);
        let file = agent.folder.write("environment.sh", &export)?;
        invocation.variables.extend([("HOME".into(), home.into()), ("CLAUDE_ENV_FILE".into(), file.into())]);
    }
    let offers = !agent.skills.is_empty();
    if offers {
        let plugin = agent.folder.path()?.join(PLUGIN);
        lay_skills(agent.skills, &plugin.join("skills"))?;
        // Its files lie outside of the working directory.
        invocation.add(&["--plugin-dir".as_ref(), plugin.as_os_str(), "--add-dir".as_ref(), plugin.as_os_str()]);
    }
    let mut settings = json!({});
    if agent.reads_project {
        // Settings of a project would send the user's key to another server.
        let mut pinned = pinned(agent);
        let is_vendor = agent.endpoint.address.is_empty();
        let address = if is_vendor { CLAUDE.vendor[0] } else { &agent.endpoint.address };
        pinned.insert("ANTHROPIC_BASE_URL".to_owned(), json!(address));
        settings["env"] = pinned.into();
        // What lies above the copy belongs to nothing that is compared.
        end_search(agent.folder.path()?)?;
        let names = ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/**"];
        let above = agent.folder.path()?.ancestors().flat_map(|folder| names.map(|name| folder.join(name)));
        settings["claudeMdExcludes"] = above.map(|path| json!(path)).collect();
    }
    if let Some(mocks) = agent.mocks {
        settings["hooks"] = hooks(mocks);
        add_mocks(&mut invocation, agent, mocks)?;
    }
    if settings != json!({}) {
        let settings = agent.folder.write("settings.json", &settings.to_string())?;
        invocation.add(&["--settings".as_ref(), settings.as_os_str()]);
    }
    let loader = offers.then_some("Skill");
    let mocked = agent.mocks.map(offered_by_name).unwrap_or_default();
    match call.allowed_tools.as_deref() {
        Some([]) => invocation.add(&["--tools", loader.unwrap_or_default()]),
        None if !offers && mocked.is_empty() => {}
        tools => {
            // Takes the arguments up to the next flag: last.
            invocation.add(&["--allowedTools"]);
            invocation.add(tools.unwrap_or_default());
            invocation.add(loader.as_slice());
            invocation.add(&mocked);
        }
    }
    Ok(invocation)
}

/// Variables that a project's settings would set and that steer requests, with the user's values: empty ones count as unset.
fn pinned(agent: &AgentCall<'_>) -> Map<String, Value> {
    let files = ["settings.json", "settings.local.json"].map(|name| agent.cwd.join(".claude").join(name));
    let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let documents = texts.filter_map(|text| serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')).ok());
    let names =
        documents.flat_map(|settings| settings["env"].as_object().cloned().unwrap_or_default()).map(|(name, _)| name);
    let of_user = |name: &str| {
        let known = agent.environment.iter().find(|(known, _)| known == name);
        known.map_or_else(String::new, |(_, value)| value.to_string_lossy().into_owned())
    };
    names.filter(|name| steers_requests(name)).map(|name| (name.clone(), json!(of_user(&name)))).collect()
}

/// Whether a variable decides where requests go, by which way, or which headers and certificates they have.
fn steers_requests(name: &str) -> bool {
    const PROXIES: [&str; 4] = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
    const PREFIXES: [&str; 9] =
        ["ANTHROPIC_", "CLAUDE_", "AWS_", "GOOGLE_", "AZURE_", "OTEL_", "NODE_", "SSL_", "BUN_"];
    const WORDS: [&str; 7] = ["URL", "PROXY", "ENDPOINT", "SOCKET", "HEADERS", "CERT", "TLS"];
    let name = name.to_uppercase();
    PROXIES.contains(&name.as_str())
        || CLAUDE.environment.clouds.iter().any(|(switch, _)| *switch == name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && WORDS.iter().any(|word| name.contains(word))
}

/// Tools that are offered only when they are named, and that a mock is for.
fn offered_by_name(mocks: &MocksOfCall) -> Vec<&'static str> {
    let is_mocked = |tool: &&str| mocks.session.mocks().mocks.iter().any(|mock| mock.tool == *tool);
    ["Grep", "Glob"].into_iter().filter(is_mocked).collect()
}

/// Has the program ask about every tool call.
fn hooks(mocks: &MocksOfCall) -> Value {
    let hook = json!({"type": "http", "url": mocks.desk.hook(), "timeout": 60});
    let every = json!([{"matcher": "*", "hooks": [hook]}]);
    json!({"PreToolUse": every, "PostToolUse": every, "PostToolUseFailure": every})
}

/// Offers the program the servers that mocks stand in for.
fn add_mocks(invocation: &mut Invocation, agent: &AgentCall<'_>, mocks: &MocksOfCall) -> io::Result<()> {
    let mut servers: Map<String, Value> = Map::new();
    for server in stub::servers(&mocks.session) {
        let url = mocks.desk.mcp(&server);
        servers.insert(server, json!({"type": "http", "url": url}));
    }
    let servers = agent.folder.write("servers.json", &json!({"mcpServers": servers}).to_string())?;
    let asked = format!("mcp__{}__{}", stub::OWN, stub::PERMISSION);
    invocation.add(&["--mcp-config".as_ref(), servers.as_os_str()]);
    invocation.add(&["--permission-prompt-tool", &asked]);
    // Nobody is there to be asked: without these it offers tools that ask somebody.
    invocation.add(&["--disallowedTools", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"]);
    invocation.add(&mocks.session.stood_in());
    Ok(())
}
