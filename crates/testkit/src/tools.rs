//! External programs that some tests need.
//!
//! A test without its program is skipped on a developer's machine and fails in CI, where `.ci/run` installs all of them.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

/// The path of the first of these programs on `PATH`, or [`skip`].
pub fn tool(names: &[&str]) -> Option<PathBuf> {
    tool_in(env::var_os("PATH").unwrap_or_default(), names)
}

/// The path of the first of these programs in the directories of `path`, which has the format of `PATH`, or [`skip`].
pub fn tool_in(path: impl AsRef<OsStr>, names: &[&str]) -> Option<PathBuf> {
    let directories: Vec<PathBuf> = env::split_paths(path.as_ref()).collect();
    let candidates = names.iter().flat_map(|name| directories.iter().map(move |directory| directory.join(name)));
    let found = candidates.into_iter().find(|file| file.is_file());
    if found.is_none() {
        skip(&format!("`{}` is not on PATH", names.join("`, `")));
    }
    found
}

/// The command line of Claude Code, from `OMK_TEST_CLAUDE` or `PATH`, or [`skip`].
pub fn claude() -> Option<PathBuf> {
    named("OMK_TEST_CLAUDE").or_else(|| tool(&["claude"]))
}

/// The command line of Codex, from `OMK_TEST_CODEX` or `PATH`, or [`skip`].
pub fn codex() -> Option<PathBuf> {
    named("OMK_TEST_CODEX").or_else(|| tool(&["codex"]))
}

/// The command line of Gemini, from `OMK_TEST_GEMINI` or `PATH`, or [`skip`].
pub fn gemini() -> Option<PathBuf> {
    named("OMK_TEST_GEMINI").or_else(|| tool(&["gemini"]))
}

/// The `openai` command of OpenAI's Python package 1.109.1, from `OMK_TEST_OPENAI`, or [`skip`]: later ones have none.
pub fn openai() -> Option<PathBuf> {
    let found = named("OMK_TEST_OPENAI");
    if found.is_none() {
        skip("`OMK_TEST_OPENAI` is not set to the `openai` command of OpenAI's Python package 1.109.1");
    }
    found
}

/// The `inspect` command of `inspect_ai` from PyPI, beside its `python`, from `OMK_TEST_INSPECT`, or [`skip`].
pub fn inspect() -> Option<PathBuf> {
    let found = named("OMK_TEST_INSPECT");
    if found.is_none() {
        skip("`OMK_TEST_INSPECT` is not set to the `inspect` command of inspect_ai 0.3.285");
    }
    found
}

/// `dist/index.js` of `@modelcontextprotocol/server-everything`, from `OMK_TEST_MCP_EVERYTHING`, or [`skip`].
pub fn mcp_everything() -> Option<PathBuf> {
    let found = named("OMK_TEST_MCP_EVERYTHING");
    if found.is_none() {
        skip("`OMK_TEST_MCP_EVERYTHING` is not set to dist/index.js of @modelcontextprotocol/server-everything");
    }
    found
}

/// The folder into which `.ci/tools` installs servers that others wrote, from `OMK_TEST_MCP_SERVERS`, or [`skip`].
pub fn mcp_servers() -> Option<PathBuf> {
    let found = env::var_os("OMK_TEST_MCP_SERVERS").map(PathBuf::from);
    match &found {
        Some(folder) => assert!(folder.join("node_modules").is_dir(), "no servers in {}", folder.display()),
        None => skip("`OMK_TEST_MCP_SERVERS` is not set to the folder that `.ci/tools` fills"),
    }
    found
}

/// `axe.min.js` of `axe-core`, from `OMK_TEST_AXE`, or [`skip`].
pub fn axe() -> Option<PathBuf> {
    let found = named("OMK_TEST_AXE");
    if found.is_none() {
        skip("`OMK_TEST_AXE` is not set to axe.min.js of axe-core");
    }
    found
}

/// Prints why a test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "skipped in CI: {reason}");
    eprintln!("skipped: {reason}");
}

/// The file that a variable names.
fn named(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    assert!(path.is_file(), "`{variable}` names no file: {}", path.display());
    Some(path)
}
