//! Seven servers of the Model Context Protocol that others wrote, in the sandbox, with writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use eval_spec::Failure;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::mcp::{asking, executor, plain};
use crate::world;

const LONG: std::time::Duration = std::time::Duration::from_secs(120);

/// A server that may write a folder.
struct ForeignServer {
    entrypoint: String,
    writable: Vec<PathBuf>,
    env: Vec<(&'static str, String)>,
}

impl ForeignServer {
    fn node(servers: &Path, name: &str, arguments: &str) -> ForeignServer {
        let program = servers.join(format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js"));
        ForeignServer::new(format!("node '{}' {arguments}", program.display()))
    }

    fn python(servers: &Path, program: &str, arguments: &str) -> ForeignServer {
        ForeignServer::new(format!("'{}' {arguments}", servers.join(program).display()))
    }

    fn new(entrypoint: String) -> ForeignServer {
        ForeignServer { entrypoint, writable: Vec::new(), env: Vec::new() }
    }

    fn writing(mut self, folder: &Path) -> ForeignServer {
        self.writable.push(folder.to_owned());
        self
    }

    fn with(mut self, name: &'static str, value: String) -> ForeignServer {
        self.env.push((name, value));
        self
    }

    /// The answer of a tool as text, or the error.
    async fn ask(&self, tool: &str, input: Value) -> Result<String, eval_spec::ExecError> {
        let mut skill = plain("foreign", Path::new("/"), &self.entrypoint);
        skill.config.tool = Some(tool.to_owned());
        skill.config.writable.clone_from(&self.writable);
        skill.config.env = self.env.iter().map(|(name, _)| (*name).to_owned()).collect();
        let env: Vec<(&str, &str)> = self.env.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let answer = executor(&skill, &world(&env)).unwrap().call(&asking(&input, LONG)).await?;
        let held = answer.skill.as_ref().unwrap().enforced.clone();
        assert!(!cfg!(target_os = "linux") || held.contains(&"process-group".to_owned()), "{held:?}");
        Ok(answer.text)
    }
}

/// Checks that a call of a server that may not write there fails, and not by its own fault.
async fn assert_denied(server: &ForeignServer, tool: &str, input: Value) {
    let error = server.ask(tool, input).await.unwrap_err();
    let guarded =
        error.partial.as_ref().unwrap().skill.as_ref().unwrap().enforced.contains(&"landlock-write".to_owned());
    assert!(!guarded || error.failure == Failure::Rejected, "{error}");
}

#[tokio::test]
async fn filesystem_writes_where_it_may() {
    let Some(servers) = testkit::tools::mcp_servers() else { return };
    let folder = TempDir::new().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let file = folder.join("new.txt");
    let server = ForeignServer::node(&servers, "filesystem", &folder.display().to_string());
    let input = json!({"path": file, "content": "héllo"});
    assert_denied(&server, "write_file", input.clone()).await;
    assert!(!file.exists());
    let server = server.writing(&folder);
    server.ask("write_file", input).await.unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "héllo");
    let moved = json!({"source": file, "destination": folder.join("moved.txt")});
    server.ask("move_file", moved).await.unwrap();
    assert!(server.ask("read_text_file", json!({"path": folder.join("moved.txt")})).await.unwrap().contains("héllo"));
}

#[tokio::test]
async fn memory_keeps_its_graph_where_it_may() {
    let Some(servers) = testkit::tools::mcp_servers() else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("memory.jsonl");
    let server = ForeignServer::node(&servers, "memory", "").with("MEMORY_FILE_PATH", file.display().to_string());
    let input = json!({"entities": [{"name": "omk", "entityType": "tool", "observations": ["measures"]}]});
    assert_denied(&server, "create_entities", input.clone()).await;
    let server = server.writing(folder.path());
    server.ask("create_entities", input).await.unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("measures"));
    assert!(server.ask("read_graph", json!({})).await.unwrap().contains("measures"));
}

#[tokio::test]
async fn sequential_thinking_everything_and_time_answer() {
    let Some(servers) = testkit::tools::mcp_servers() else { return };
    let thought = json!({"thought": "first", "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": false});
    let server = ForeignServer::node(&servers, "sequential-thinking", "");
    assert!(server.ask("sequentialthinking", thought).await.unwrap().contains("thoughtHistoryLength"));
    let server = ForeignServer::node(&servers, "everything", "stdio");
    assert!(server.ask("echo", json!({"message": "héllo"})).await.unwrap().contains("héllo"));
    let server = ForeignServer::python(&servers, "venv/bin/mcp-server-time", "--local-timezone UTC");
    let input = json!({"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"});
    assert!(server.ask("convert_time", input).await.unwrap().contains("21:00"));
}

#[tokio::test]
async fn git_commits_where_it_may() {
    let Some(servers) = testkit::tools::mcp_servers() else { return };
    let folder = TempDir::new().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    git(&["config", "user.name", "a"]);
    git(&["config", "user.email", "a@b.c"]);
    fs::write(folder.join("a.txt"), "x").unwrap();
    let server = ForeignServer::python(&servers, "venv/bin/mcp-server-git", "");
    let add = json!({"repo_path": folder, "files": ["a.txt"]});
    assert_denied(&server, "git_add", add.clone()).await;
    let server = server.writing(&folder);
    server.ask("git_add", add).await.unwrap();
    server.ask("git_commit", json!({"repo_path": folder, "message": "by the server"})).await.unwrap();
    assert!(git(&["log", "--format=%s"]).contains("by the server"));
}

#[tokio::test]
async fn sqlite_writes_where_it_may() {
    let Some(servers) = testkit::tools::mcp_servers() else { return };
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("data.db");
    let server = ForeignServer::python(
        &servers,
        "venv-sqlite/bin/mcp-server-sqlite",
        &format!("--db-path '{}'", file.display()),
    )
    .writing(folder.path());
    server.ask("create_table", json!({"query": "CREATE TABLE t (n INTEGER)"})).await.unwrap();
    server.ask("write_query", json!({"query": "INSERT INTO t VALUES (41), (1)"})).await.unwrap();
    assert!(server.ask("read_query", json!({"query": "SELECT sum(n) AS s FROM t"})).await.unwrap().contains("42"));
}
