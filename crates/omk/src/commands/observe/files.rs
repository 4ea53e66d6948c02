//! The session files below some paths, or those of the agents' own for a project.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eval_format::UnreadFile;
use eval_message::msg;
use eval_spec::Context;
use eval_spec::hash::sha256_hex;
use eval_trace::sessions::{HEAD, SESSION_FORMATS, SessionFormat, session_format};
use serde_json::Value;

/// A session with the files of its sub-agents.
pub(super) struct SessionFiles {
    pub(super) path: PathBuf,
    pub(super) format: &'static SessionFormat,
    pub(super) sub_agents: Vec<PathBuf>,
}

/// What was found.
#[derive(Default)]
pub(super) struct FoundFiles {
    pub(super) sessions: Vec<SessionFiles>,
    pub(super) unread: Vec<UnreadFile>,
}

/// Where a claude keeps a project's sessions, a codex and a gemini all of theirs. Those that exist.
pub(super) fn own_folders(context: &Context) -> Vec<PathBuf> {
    let home = |variable: &str, name: &str| match context.var(variable) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(context.var("HOME").unwrap_or_default()).join(name),
    };
    let project = context.cwd.to_string_lossy();
    let claude: String = project.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let gemini = home("GEMINI_CLI_HOME", "").join(".gemini/tmp");
    let folders = [
        home("CLAUDE_CONFIG_DIR", ".claude").join("projects").join(claude),
        home("CODEX_HOME", ".codex").join("sessions"),
        gemini.join(sha256_hex(project.as_bytes())),
        gemini.join(context.cwd.file_name().unwrap_or_default()),
    ];
    folders.into_iter().filter(|folder| folder.is_dir()).collect()
}

/// The sessions below the paths, in the order of their paths. A file of no known format is an unread one where it was named, or
/// was found in a folder and ends as sessions do.
pub(super) fn find(context: &Context, paths: &[PathBuf]) -> FoundFiles {
    let mut found = FoundFiles::default();
    let mut sub_agents: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in paths {
        let is_named = path.is_file();
        let mut files = Vec::new();
        walk(context, path, &mut files, &mut found.unread);
        files.sort();
        for file in files {
            let folder = file.parent().filter(|folder| folder.ends_with("subagents") && !is_named);
            match folder.and_then(Path::parent) {
                Some(session) => sub_agents.entry(session.to_path_buf()).or_default().push(file),
                None => session(context, file, is_named, &mut found),
            }
        }
    }
    // A session `X.jsonl` has its sub-agents below `X/`.
    for session in &mut found.sessions {
        let below = sub_agents.remove(&session.path.with_extension(""));
        session.sub_agents = below.unwrap_or_else(|| sub_agents_of(context, &session.path, &mut found.unread));
    }
    for file in sub_agents.into_values().flatten() {
        session(context, file, false, &mut found);
    }
    found
}

fn session(context: &Context, path: PathBuf, is_named: bool, found: &mut FoundFiles) {
    let unread = |reason: String| UnreadFile { path: context.display(&path), reason };
    match head(&path) {
        Err(error) => found.unread.push(unread(error.to_string())),
        Ok(head) => match session_format(&path.to_string_lossy(), &head) {
            Some(format) => found.sessions.push(SessionFiles { path, format, sub_agents: Vec::new() }),
            None if is_named || ends_as_session(&path) => {
                found.unread.push(unread(msg!("observe-no-format").to_string()))
            }
            None => {}
        },
    }
}

/// Whether a file's name ends as those of sessions; what agents keep beside them doesn't count.
fn ends_as_session(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_beside = name.ends_with(".meta.json") || matches!(&*name, "README.md" | "logs.json" | "sessions-index.json");
    !is_beside && SESSION_FORMATS.iter().flat_map(|format| format.extensions).any(|end| name.ends_with(end))
}

/// The files of the sub-agents of a session that was named: a session `X.jsonl` has them in `X/subagents/`.
fn sub_agents_of(context: &Context, session: &Path, unread: &mut Vec<UnreadFile>) -> Vec<PathBuf> {
    let folder = session.with_extension("").join("subagents");
    let mut files = Vec::new();
    if folder.is_dir() {
        walk(context, &folder, &mut files, unread);
    }
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    files
}

/// The beginning of a file, up to the last whole line in [`HEAD`] bytes.
fn head(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::with_capacity(HEAD);
    File::open(path)?.take(HEAD as u64).read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').filter(|_| bytes.len() == HEAD).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..whole]).into_owned())
}

/// The files below a path; links are not followed, so that each is found once.
fn walk(context: &Context, path: &Path, files: &mut Vec<PathBuf>, unread: &mut Vec<UnreadFile>) {
    let mut fail = |error: std::io::Error| {
        unread.push(UnreadFile { path: context.display(path), reason: error.to_string() });
    };
    if !path.is_dir() {
        return match path.metadata() {
            Ok(metadata) if metadata.is_file() => files.push(path.to_path_buf()),
            Ok(_) => {}
            Err(error) => fail(error),
        };
    }
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return fail(error),
    };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(context, &entry.path(), files, unread),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

/// The call that started a sub-agent, as the file beside it tells.
pub(super) fn started_by(sub_agent: &Path) -> Option<String> {
    let beside = File::open(sub_agent.with_extension("meta.json")).ok()?;
    let told: Value = serde_json::from_reader(beside.take(1 << 20)).ok()?;
    told["toolUseId"].as_str().map(str::to_owned)
}
