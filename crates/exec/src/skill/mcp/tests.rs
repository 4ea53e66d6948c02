//! The client against servers of all manners.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use eval_spec::call::Generation;
use eval_spec::callable::{AdapterConfig, AdapterType};
use eval_spec::context::Clock;
use eval_spec::{CellKey, Lang};
use serde_json::{Map, json};
use tempfile::TempDir;
use testkit::skills::mcp_calculator;
use tokio::io::AsyncReadExt;

use super::program::{Started, Stdin, Stdout};
use super::*;

struct Command(Vec<String>, PathBuf);

impl Program for Command {
    fn start(&self) -> BoxFuture<'_, Result<Box<dyn Started>, ExecError>> {
        Box::pin(async move {
            let mut command = tokio::process::Command::new(&self.0[0]);
            command.args(&self.0[1..]).current_dir(&self.1).kill_on_drop(true);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let tail = Arc::<Mutex<Vec<u8>>>::default();
            let (mut stderr, kept) = (child.stderr.take().unwrap(), tail.clone());
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while let Ok(n @ 1..) = stderr.read(&mut buffer).await {
                    kept.lock().unwrap().extend_from_slice(&buffer[..n]);
                }
            });
            Ok(Box::new(Running(child, tail)) as Box<dyn Started>)
        })
    }
}

struct Running(tokio::process::Child, Arc<Mutex<Vec<u8>>>);

impl Started for Running {
    fn pipes(&mut self) -> (Stdin, Stdout) {
        (Box::new(self.0.stdin.take().unwrap()), Box::new(self.0.stdout.take().unwrap()))
    }
    fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.1.lock().unwrap()).into_owned()
    }
    fn enforced(&self) -> Vec<String> {
        Vec::new()
    }
}

fn world() -> Context {
    Context {
        cwd: std::env::temp_dir(),
        home: std::env::temp_dir(),
        env: BTreeMap::new(),
        lang: Lang::En,
        stdout_is_terminal: false,
        stderr_is_terminal: false,
        clock: Clock::System,
    }
}

fn skill(folder: &Path) -> CallableSkill {
    let file: Value = serde_json::from_slice(&std::fs::read(folder.join("skill.json")).unwrap()).unwrap();
    CallableSkill {
        id: file["id"].as_str().unwrap().into(),
        name: String::new(),
        version: "1.0.0".to_owned(),
        description: String::new(),
        tags: Vec::new(),
        input_schema: None,
        output_schema: None,
        adapter: AdapterType::Mcp,
        entrypoint: file["entrypoint"].as_str().unwrap().to_owned(),
        metadata: Map::new(),
        config: AdapterConfig::default(),
        directory: folder.to_owned(),
        file: folder.join("skill.json"),
        hash: "0".into(),
    }
}

struct Peer {
    executor: Arc<dyn Executor>,
    _folder: TempDir,
}

/// The fake server in one of its modes, its tool chosen by the configuration if `tool` is given.
fn peer(mode: &str, tool: Option<&str>) -> Peer {
    let folder = TempDir::new().unwrap();
    let at = mcp_calculator(&folder.path().join("calculator"), mode);
    let mut skill = skill(&at);
    skill.config.tool = tool.map(str::to_owned);
    let words = shlex::split(&skill.entrypoint).unwrap();
    Peer { executor: of_program(&skill, Box::new(Command(words, at)), &world()), _folder: folder }
}

fn asking(input: &Value, timeout: Duration) -> Call {
    Call {
        key: CellKey { sample: "t".into(), subject: "calculator".into(), repeat: 0 },
        model: String::new(),
        effort: None,
        system: None,
        prompt: input.to_string().into(),
        cwd: None,
        cwd_fingerprint: None,
        generation: Generation::default(),
        allowed_tools: None,
        timeout,
    }
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1_500);

impl Peer {
    async fn ask(&self, input: Value, timeout: Duration) -> Result<Output, ExecError> {
        self.executor.call(&asking(&input, timeout)).await
    }

    async fn sum(&self) -> Result<Output, ExecError> {
        self.ask(json!({"expression": "2+3"}), LONG).await
    }
}

fn stderr(output: &Output) -> &str {
    &output.skill.as_ref().unwrap().stderr
}

fn partial(error: &ExecError) -> &Output {
    error.partial.as_ref().unwrap()
}

#[tokio::test]
async fn l5_a_call_answers_and_the_connection_is_kept() {
    let peer = peer("plain", None);
    let first = peer.sum().await.unwrap();
    assert_eq!((first.text.as_str(), first.outcome), ("\"5\"", Outcome::Answered));
    assert!(first.skill.as_ref().unwrap().start_ms.is_some() && first.latency_ms.is_some());
    let calls = (0..20).map(|n| peer.ask(json!({"expression": format!("{n}*2")}), LONG));
    for (n, answer) in futures::future::join_all(calls).await.into_iter().enumerate() {
        let answer = answer.unwrap();
        assert_eq!(answer.text, format!("\"{}\"", n * 2));
        assert_eq!(stderr(&answer).matches("started").count(), 1);
        assert_eq!(answer.skill.unwrap().start_ms, None);
    }
}

#[tokio::test]
async fn l5_what_a_tool_returns() {
    let answer = peer("structured", None).sum().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap()["result"], "5");
    assert_eq!(answer.skill.unwrap().tokens, Some(5));
    let answer = peer("parts", None).sum().await.unwrap();
    let parts: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(parts[0], "look");
    assert_eq!(parts[1], json!({"type": "image", "mimeType": "image/png", "bytes": 300_000}));
    assert_eq!(parts[2]["type"], "resource_link");
    assert!(answer.text.len() < 1_000);
    assert_eq!(answer.skill.unwrap().tokens, Some(9));
}

#[tokio::test]
async fn l5_which_tool() {
    assert_eq!(peer("among-many", None).sum().await.unwrap().text, "\"5\"");
    assert_eq!(peer("many", Some("tool_7")).sum().await.unwrap().text, "\"5\"");
    let error = peer("many", None).sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.detail.as_ref().unwrap().starts_with("tool_0, tool_1, "), "{error}");
    assert!(error.detail.as_ref().unwrap().ends_with('…') && error.to_string().contains("30"), "{error}");
    assert_eq!(peer("none", None).sum().await.unwrap_err().failure, Failure::Skill);
    // Endless pages are read up to a limit: here the only tool is named like the skill.
    assert_eq!(peer("endless-tools", None).sum().await.unwrap().text, "\"5\"");
}

#[tokio::test]
async fn l5_errors_of_the_tool_and_of_the_protocol_are_the_skills() {
    for (mode, words) in
        [("is-error", "the battery is empty"), ("refuses-call", "expression is missing"), ("refuses", "no licence")]
    {
        let error = peer(mode, None).sum().await.unwrap_err();
        assert_eq!((error.failure, error.detail.as_deref()), (Failure::Skill, Some(words)), "{mode}");
        assert!(stderr(partial(&error)).contains("started"), "{mode}");
    }
    let error = peer("strange", None).sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Malformed, "{error}");
    let error = peer("plain", None).ask(json!("2+3"), LONG).await.unwrap_err();
    assert_eq!(error.failure, Failure::Rejected);
}

#[tokio::test]
async fn l5_servers_of_all_ages_are_spoken_to() {
    assert_eq!(peer("old", None).sum().await.unwrap().text, "\"5\"");
    assert_eq!(peer("modern", None).sum().await.unwrap().text, "\"5\"");
}

#[tokio::test]
async fn l5_a_server_that_asks_is_refused_politely() {
    let answer = peer("curious", None).sum().await.unwrap();
    assert_eq!(answer.text, "\"5\"");
    let said = stderr(&answer);
    let line = |method: &str| said.lines().find(|line| line.starts_with(method)).unwrap().to_owned();
    assert!(line("sampling").contains("-32601"), "{said}");
    assert!(line("elicitation").contains("decline"), "{said}");
    assert!(line("roots").contains("\"id\":\"q2\""), "{said}");
}

#[tokio::test]
async fn l5_a_server_that_dies_is_started_again() {
    let dies = peer("dies", None);
    let error = dies.sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert!(stderr(partial(&error)).contains("giving up"));
    let later = peer("dies-later", None);
    for _ in 0..3 {
        match later.sum().await {
            Ok(answer) => assert_eq!(answer.text, "\"5\""),
            // Its end was not known yet.
            Err(error) => assert_eq!(error.failure, Failure::Crashed),
        }
    }
    let error = peer("dies-at-once", None).sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert!(stderr(partial(&error)).contains("no config found"));
}

#[tokio::test]
async fn l5_time_limits_hold_from_the_first_moment() {
    let error = peer("hangs-at-once", None).ask(json!({"expression": "1"}), SHORT).await.unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    assert!(stderr(partial(&error)).contains("started"), "{error:?}");
    for mode in ["hangs", "wrong-id-later"] {
        let begun = Instant::now();
        let error = peer(mode, None).ask(json!({"expression": "1"}), SHORT).await.unwrap_err();
        assert_eq!(error.failure, Failure::Timeout, "{mode}");
        assert!(begun.elapsed() < LONG, "{mode}");
    }
}

#[tokio::test]
async fn l5_a_timed_out_call_is_cancelled_and_the_server_kept_if_it_lives() {
    let peer = peer("never-once", None);
    peer.sum().await.unwrap();
    let error = peer.ask(json!({"expression": "1", "hang": true}), SHORT).await.unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    let answer = peer.sum().await.unwrap();
    assert!(stderr(&answer).contains("cancelled") && stderr(&answer).matches("started").count() == 1, "{answer:?}");
}

#[tokio::test]
async fn l5_a_hung_server_is_replaced() {
    let peer = peer("hangs-once", None);
    peer.sum().await.unwrap();
    let error = peer.ask(json!({"expression": "1", "hang": true}), SHORT).await.unwrap_err();
    assert_eq!(error.failure, Failure::Timeout);
    let answer = peer.sum().await.unwrap();
    assert_eq!((answer.text.as_str(), stderr(&answer).contains("hanging")), ("\"5\"", false));
    assert!(answer.skill.unwrap().start_ms.is_some());
}

#[tokio::test]
async fn l5_garbage_and_floods_end_in_an_error() {
    assert_eq!(peer("garbage-first", None).sum().await.unwrap().text, "\"5\"");
    assert_eq!(peer("garbage", None).sum().await.unwrap_err().failure, Failure::Crashed);
    assert_eq!(peer("wrong-id", None).sum().await.unwrap_err().failure, Failure::Malformed);
    let error = peer("long-line", None).sum().await.unwrap_err();
    assert_eq!((error.failure, error.to_string().contains("16 MiB")), (Failure::Malformed, true));
    let error = peer("asks-on-and-on", None).sum().await.unwrap_err();
    assert_eq!((error.failure, error.to_string().contains("without reading")), (Failure::Malformed, true));
}
