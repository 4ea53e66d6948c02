//! `gemini`: the command line of Google's Gemini, headless.
//!
//! Each call has a home of its own with nothing in it but the login, our settings and the artifact, as the user's `GEMINI.md`
//! beside the program's own instructions; the file of its session completes the trace. Settings have no other way in that
//! works everywhere: without a home of its own it isn't run.

use std::fs::{create_dir_all, read_dir, write};
use std::io;
use std::path::{Path, PathBuf};

use eval_message::msg;
use eval_spec::Context;
use eval_spec::suite::{PermissionMode, Settings};
use eval_trace::gemini::STREAM_JSON;
use serde_json::{Value, json};

use super::skills::lay_skills;
use super::{AgentCall, AgentCli, AgentEndpoint, AgentEnvironment, AgentHome, AgentIsolation, Invocation, end_search};
use crate::anthropic_api::PROXY_VARIABLE;
use crate::executor_type::{BuildError, ExecutorKind, ExecutorType};
use crate::http::{bare, base_url, host};
use crate::mocks::gemini::{MOCKS, denying};
use crate::mocks::{MocksOfCall, stub};

pub(crate) const TYPE: ExecutorType = ExecutorType {
    name: GEMINI.name,
    summary: eval_message::key!("exec-gemini"),
    default_model: GEMINI.default_model,
    default_judge: GEMINI.default_model,
    model_prefixes: &[],
    kind: ExecutorKind::Agent,
    reports_cost: false,
    own_tokens: 8_000,
    bytes_per_token: 4,
    probe: |context| super::probe(&GEMINI, context),
    version: Some(|context| super::version(&GEMINI, context)),
    access: |context| super::access(&GEMINI, context),
    build: |b| super::build(&GEMINI, b),
    channels: |settings| GEMINI.isolation.channels(settings),
    mention: GEMINI.mention,
    attaches: GEMINI.attaches,
    mocks: || super::mocks(&GEMINI),
};

const BASE_VARIABLE: &str = "GOOGLE_GEMINI_BASE_URL";

static GEMINI: AgentCli = AgentCli {
    name: "gemini",
    default_model: "gemini-2.5-pro",
    missing: || msg!("exec-agent-missing", agent = "gemini", package = "@google/gemini-cli"),
    key: "GEMINI_API_KEY",
    tokens: &[],
    keyless: false,
    command: Some('/'),
    mention: None,
    attaches: true,
    vendor: ["https://generativelanguage.googleapis.com", "https://cloudcode-pa.googleapis.com"],
    version: &["--version"],
    format: &STREAM_JSON,
    environment: AgentEnvironment {
        prefixes: &["GEMINI_", "GOOGLE_"],
        clouds: &[],
        removed: &["GEMINI_CLI", "GEMINI_SYSTEM_MD", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"],
        quiet: &[
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
            // One process instead of a child that ignores signals.
            ("GEMINI_CLI_NO_RELAUNCH", "true"),
            ("GEMINI_TELEMETRY_ENABLED", "false"),
        ],
        derived,
    },
    // A `GEMINI.md` and settings of the project, with the servers they name, can't be switched off: the copy lacks them.
    isolation: AgentIsolation {
        cuts: &["user-settings", "project-settings", "skills", "mcp", "plugins", "auto-memory", "working-directory"],
        arguments: &["-e", "none"],
        of_project: &["project-settings", "skills", "mcp"],
        unasked: &["GEMINI.md", ".gemini", ".agents"],
    },
    home: Some(AgentHome {
        variable: "GEMINI_CLI_HOME",
        folder: "",
        credentials: &[".gemini/oauth_creds.json", ".gemini/google_accounts.json"],
        sessions,
    }),
    mocks: Some(&MOCKS),
    has_sandbox: false,
    check,
    endpoint,
    invocation,
};

/// Variables that a `.env` file must not set: where requests go and by which proxy, with which headers, and what stands in the
/// place of the program's own instructions. It leaves alone what is set, even to nothing.
const PINNED: [&str; 11] = [
    BASE_VARIABLE,
    "GOOGLE_VERTEX_BASE_URL",
    "GEMINI_CLI_CUSTOM_HEADERS",
    "GEMINI_SYSTEM_MD",
    "GEMINI_WRITE_SYSTEM_MD",
    "GEMINI_SANDBOX",
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "NODE_TLS_REJECT_UNAUTHORIZED",
];

/// The same for the server of a login, whose variable can't be empty.
const LOGIN_SERVER: &str = "CODE_ASSIST_ENDPOINT";

fn derived(context: &Context, _: &Settings) -> Vec<(&'static str, String)> {
    // Of a proxy's names, some programs take one and some the other.
    let is_given =
        |name: &str| [name, &name.to_lowercase(), &name.to_uppercase()].iter().any(|of| context.var(of).is_some());
    let own = |name: &&str| !is_given(name) || GEMINI.environment.removed.contains(name);
    let pinned = PINNED.iter().filter(|name| own(name)).map(|name| (*name, String::new()));
    let server = own(&LOGIN_SERVER).then(|| (LOGIN_SERVER, GEMINI.vendor[1].to_owned()));
    let proxy = context.var(PROXY_VARIABLE).map(|proxy| (BASE_VARIABLE, proxy.to_owned()));
    pinned.chain(server).chain(proxy).collect()
}

fn check(settings: &Settings) -> Result<(), BuildError> {
    let generation = &settings.generation;
    if !settings.strict_baseline {
        return Err(BuildError::invalid(msg!("exec-agent-strict", agent = "gemini")));
    }
    if generation.temperature.is_some() {
        return Err(BuildError::invalid(msg!("exec-agent-temperature", agent = "gemini", api = "gemini-api")));
    }
    let given = [("maxTokens", generation.max_tokens.is_some()), ("effort", settings.effort.is_some())];
    match given.into_iter().find_map(|(name, is_given)| is_given.then_some(name)) {
        Some(name) => Err(BuildError::invalid(msg!("exec-agent-setting", agent = "gemini", setting = name))),
        None => Ok(()),
    }
}

fn endpoint(context: &Context) -> Result<AgentEndpoint, BuildError> {
    let named = [PROXY_VARIABLE, BASE_VARIABLE].into_iter().find_map(|name| Some((name, context.var(name)?)));
    let Some((name, text)) = named else {
        return Ok(AgentEndpoint { provider: "google".to_owned(), base_url: None, address: String::new() });
    };
    let url = base_url(name, text)?;
    Ok(AgentEndpoint { provider: host(&url), base_url: Some(bare(&url)), address: url.into() })
}

fn invocation(agent: &AgentCall<'_>) -> io::Result<Invocation> {
    let login = if agent.has_key { "gemini-api-key" } else { "oauth-personal" };
    let mut settings = json!({
        "security": {"auth": {"selectedType": login}},
        "privacy": {"usageStatisticsEnabled": false},
        "general": {"enableAutoUpdate": false, "maxAttempts": 1},
        "skills": {"enabled": !agent.skills.is_empty() || agent.reads_project},
        // Names of files tell of artifacts.
        "context": {"includeDirectoryTree": false},
        // Files of the project's programs, which its tools read all the same.
        "advanced": {"ignoreLocalEnv": true},
    });
    end_search(agent.folder.path()?)?;
    end_variables(agent.folder.path()?)?;
    if let Some(tools) = &agent.call.allowed_tools {
        let loader = (!agent.skills.is_empty()).then_some("activate_skill");
        let core: Vec<&str> = tools.iter().map(String::as_str).chain(loader).collect();
        settings["tools"] = json!({"core": core});
    }
    if !agent.skills.is_empty() {
        // Otherwise it would ask the user, and is left out where there is none.
        settings["tools"]["allowed"] = json!(["activate_skill"]);
    }
    if let Some(turns) = agent.call.generation.max_turns {
        settings["model"] = json!({"maxSessionTurns": turns});
    }
    if let Some(mocks) = agent.mocks {
        settings["mcpServers"] = servers(mocks);
        if mocks.session.mocks().strict {
            settings["hooks"] = json!({"BeforeTool": denying(&mocks.session)});
        }
    }
    if let Some(home) = agent.home {
        let folder = home.join(".gemini");
        create_dir_all(&folder)?;
        write(folder.join("settings.json"), settings.to_string())?;
        lay_skills(agent.skills, &folder.join("skills"))?;
        if let Some(system) = agent.call.system.as_deref().filter(|system| !system.is_empty()) {
            write(folder.join("GEMINI.md"), without_imports(system))?;
        }
    }
    let approval = match agent.permissions {
        PermissionMode::Default => "default",
        PermissionMode::Edits => "auto_edit",
        PermissionMode::Bypass => "yolo",
    };
    let mut invocation =
        Invocation::new(&["-m", agent.model, "--approval-mode", approval, "--output-format", "stream-json"]);
    invocation.add(agent.isolation);
    Ok(invocation)
}

/// The text with `\` before each `@` by which a `GEMINI.md` imports a file: at the beginning of a word, outside of code. The program
/// would put the file there, of its own folder, or a comment that there is none.
pub(super) fn without_imports(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(['`', '@']) {
        if at < done {
            continue;
        }
        if let Some(length) = code_length(&text[at..]) {
            out.push_str(&text[done..at + length]);
            done = at + length;
            continue;
        }
        let begins = text[..at].chars().next_back().is_none_or(|c| [' ', '\t', '\n', '\r'].contains(&c));
        let names = text[at..]
            .strip_prefix('@')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '.' || c == '/'));
        if begins && names {
            out.push_str(&text[done..at]);
            out.push('\\');
            done = at;
        }
    }
    out + &text[done..]
}

/// The length of the code that a text begins with: backticks, and all up to as many again; of a longer run some may do.
fn code_length(text: &str) -> Option<usize> {
    let run = text.len() - text.trim_start_matches('`').len();
    (1..=run).rev().find_map(|ticks| Some(ticks + text[ticks..].find(&text[..ticks])? + ticks))
}

/// Has it find no variables above the folder of the call: it takes the first `.env` on the way up, below `.gemini` before others.
fn end_variables(folder: &Path) -> io::Result<()> {
    create_dir_all(folder.join(".gemini"))?;
    write(folder.join(".gemini/.env"), "")
}

/// The servers that mocks stand in for; nobody is there to be asked whether their tools may run.
fn servers(mocks: &MocksOfCall) -> Value {
    let of = |server: String| {
        let settings = json!({"httpUrl": mocks.desk.mcp(&server), "trust": true});
        (server, settings)
    };
    stub::servers(&mocks.session).into_iter().map(of).collect()
}

/// `.gemini/tmp/PROJECT/chats/session-….jsonl`, and those of sub-agents in a folder beside it.
fn sessions(home: &Path) -> Vec<PathBuf> {
    let below = |folder: PathBuf| read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let chats = below(home.join(".gemini/tmp")).flat_map(|project| below(project.join("chats")));
    let (folders, mut files): (Vec<_>, Vec<_>) = chats.partition(|path| path.is_dir());
    let mut sub_agents: Vec<_> = folders.into_iter().flat_map(below).collect();
    files.sort_unstable();
    sub_agents.sort_unstable();
    files.into_iter().chain(sub_agents).collect()
}
