//! External programs that some tests need.
//!
//! A test without its program is skipped on a developer's machine and fails in CI, where `.ci/run` installs all of them.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;

/// Returns the first of these programs on `PATH`, or [skips](skip) the test.
pub fn tool(names: &[&str]) -> Option<PathBuf> {
    tool_in(env::var_os("PATH").unwrap_or_default(), names)
}

/// Returns the first of these programs in the directories of `path`, which has the format of `PATH`, or [skips](skip)
/// the test.
pub fn tool_in(path: impl AsRef<OsStr>, names: &[&str]) -> Option<PathBuf> {
    let directories: Vec<PathBuf> = env::split_paths(path.as_ref()).collect();
    let candidates = names.iter().flat_map(|name| directories.iter().map(move |directory| directory.join(name)));
    let program = candidates.into_iter().find(|file| file.is_file());
    if program.is_none() {
        skip(&format!("`{}` is not on PATH", names.join("`, `")));
    }
    program
}

/// Returns Claude Code, from `OMK_TEST_CLAUDE` or `PATH`, or [skips](skip) the test.
pub fn claude() -> Option<PathBuf> {
    named("OMK_TEST_CLAUDE").or_else(|| tool(&["claude"]))
}

/// Returns Codex, from `OMK_TEST_CODEX` or `PATH`, or [skips](skip) the test.
pub fn codex() -> Option<PathBuf> {
    named("OMK_TEST_CODEX").or_else(|| tool(&["codex"]))
}

/// Returns Gemini, from `OMK_TEST_GEMINI` or `PATH`, or [skips](skip) the test.
pub fn gemini() -> Option<PathBuf> {
    named("OMK_TEST_GEMINI").or_else(|| tool(&["gemini"]))
}

/// Returns the `openai` command of OpenAI's Python package 1.109.1, or [skips](skip) the test; later versions have
/// none.
pub fn openai() -> Option<PathBuf> {
    named_or_skip("OMK_TEST_OPENAI", "the `openai` command of OpenAI's Python package 1.109.1")
}

/// Returns the `inspect` command of `inspect_ai`, next to its `python`, or [skips](skip) the test.
pub fn inspect() -> Option<PathBuf> {
    named_or_skip("OMK_TEST_INSPECT", "the `inspect` command of inspect_ai 0.3.285")
}

/// Returns `dist/index.js` of `@modelcontextprotocol/server-everything`, or [skips](skip) the test.
pub fn mcp_everything() -> Option<PathBuf> {
    named_or_skip("OMK_TEST_MCP_EVERYTHING", "dist/index.js of @modelcontextprotocol/server-everything")
}

/// Returns the folder into which `.ci/tools` installs third-party servers, from `OMK_TEST_MCP_SERVERS`, or
/// [skips](skip) the test.
pub fn mcp_servers() -> Option<PathBuf> {
    let folder = env::var_os("OMK_TEST_MCP_SERVERS").map(PathBuf::from);
    match &folder {
        Some(folder) => assert!(folder.join("node_modules").is_dir(), "no servers in {}", folder.display()),
        None => skip("`OMK_TEST_MCP_SERVERS` is not set to the folder that `.ci/tools` fills"),
    }
    folder
}

/// Returns `axe.min.js` of `axe-core`, or [skips](skip) the test.
pub fn axe() -> Option<PathBuf> {
    named_or_skip("OMK_TEST_AXE", "axe.min.js of axe-core")
}

/// Prints why a test is skipped.
#[expect(clippy::print_stderr, reason = "a skipped test has to say so")]
pub fn skip(reason: &str) {
    assert!(env::var_os("CI").is_none(), "skipped in CI: {reason}");
    eprintln!("skipped: {reason}");
}

/// Returns the file named by a variable, or skips the test.
fn named_or_skip(variable: &str, what: &str) -> Option<PathBuf> {
    let path = named(variable);
    if path.is_none() {
        skip(&format!("`{variable}` is not set to {what}"));
    }
    path
}

/// Returns the file named by a variable.
fn named(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env::var_os(variable)?);
    assert!(path.is_file(), "`{variable}` names no file: {}", path.display());
    Some(path)
}
