//! MCP skills with an independent server: `@modelcontextprotocol/server-everything`, over both transports.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use eval_spec::{Executor, Failure};
use serde_json::{Value, json};

use crate::mcp::{asking, executor, plain};
use crate::world;

const LONG: Duration = Duration::from_secs(120);
const SHORT: Duration = Duration::from_secs(2);

/// The skill that a tool of the server at `entrypoint` is.
fn tool(entrypoint: &str, name: &str) -> Arc<dyn Executor> {
    let mut skill = plain("everything", Path::new("/"), entrypoint);
    skill.config.tool = Some(name.to_owned());
    executor(&skill, &world(&[])).unwrap()
}

async fn ask(tool: &dyn Executor, input: Value) -> Value {
    let answer = tool.call(&asking(&input, LONG)).await.unwrap();
    serde_json::from_str(&answer.text).unwrap()
}

async fn everything(entrypoint: &str) {
    let echo = tool(entrypoint, "echo");
    let echoes = (0..8).map(|n| ask(&*echo, json!({"message": format!("héllo {n}")})));
    for (n, answer) in futures::future::join_all(echoes).await.into_iter().enumerate() {
        assert_eq!(answer, format!("Echo: héllo {n}"));
    }
    // Its complaint about the arguments comes as the tool's own error.
    let error = echo.call(&asking(&json!({}), LONG)).await.unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.detail.unwrap().contains("message"));

    let weather = ask(&*tool(entrypoint, "get-structured-content"), json!({"location": "Chicago"})).await;
    assert_eq!(weather, json!({"temperature": 36, "conditions": "Light rain / drizzle", "humidity": 82}));
    let picture = ask(&*tool(entrypoint, "get-tiny-image"), json!({})).await;
    assert_eq!((&picture[1]["type"], &picture[1]["mimeType"]), (&json!("image"), &json!("image/png")));

    let slow = tool(entrypoint, "trigger-long-running-operation");
    let done = ask(&*slow, json!({"duration": 0.02, "steps": 2})).await;
    assert!(done.as_str().unwrap().contains("completed"), "{done}");
    let error = slow.call(&asking(&json!({"duration": 600, "steps": 2}), SHORT)).await.unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    let again = slow.call(&asking(&json!({"duration": 0.02, "steps": 2}), LONG)).await.unwrap();
    assert!(again.text.contains("completed"));

    let unknown = tool(entrypoint, "no-such-tool").call(&asking(&json!({}), LONG)).await.unwrap_err();
    assert_eq!(unknown.failure, Failure::Skill, "{unknown}");
    // It has many tools, and none is named like the skill.
    let skill = plain("everything", Path::new("/"), entrypoint);
    let error = executor(&skill, &world(&[])).unwrap().call(&asking(&json!({}), LONG)).await.unwrap_err();
    assert!(error.detail.unwrap().contains("echo, get-annotated-message"));
}

#[tokio::test]
async fn the_everything_server_over_stdio() {
    let Some(program) = testkit::tools::mcp_everything() else { return };
    everything(&format!("node {} stdio", shlex_quoted(&program))).await;
}

#[tokio::test]
async fn the_everything_server_over_streamable_http() {
    let Some(program) = testkit::tools::mcp_everything() else { return };
    let (_server, port) = listening(&program);
    everything(&format!("http://127.0.0.1:{port}/mcp")).await;
}

fn shlex_quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

/// Killed when it is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Loads a program. Its SDK takes the global `crypto` for granted, which Node 18 lacks.
const LOAD: &str = "globalThis.crypto ??= require('node:crypto').webcrypto; import(process.argv[1])";

/// The server on a port of its own. It can't pick one itself, so another process may take it in between.
fn listening(program: &Path) -> (Server, u16) {
    for _ in 0..10 {
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut command = Command::new("node");
        command.args(["-e", LOAD]).arg(program).arg("streamableHttp").env("PORT", port.to_string());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut server = Server(child);
        let mut stderr = BufReader::new(server.0.stderr.take().unwrap());
        let mut line = String::new();
        while stderr.read_line(&mut line).unwrap() > 0 && !line.contains("listening") {}
        if line.contains("listening") {
            std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
            return (server, port);
        }
    }
    panic!("no port is to be had");
}
