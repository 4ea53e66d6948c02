//! Skills that are tools of servers that speak the Model Context Protocol.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eval_callable::{SkillHost, SkillSetup, build};
use eval_exec::BuildError;
use eval_spec::callable::{AdapterConfig, AdapterType, Auth, AuthKind, CallableSkill};
use eval_spec::{BoxFuture, Call, Context, ExecError, Executor, Failure, Identity, Outcome, Output};
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use testkit::skills::{API_KEY, TOKEN, mcp_calculator, mcp_service};

use crate::world;

/// A skill with this id, directory and entrypoint.
pub(crate) fn plain(id: &str, directory: &Path, entrypoint: &str) -> CallableSkill {
    CallableSkill {
        id: id.into(),
        name: id.to_owned(),
        version: "1.0.0".to_owned(),
        description: String::new(),
        tags: Vec::new(),
        input_schema: None,
        output_schema: None,
        adapter: AdapterType::Mcp,
        entrypoint: entrypoint.to_owned(),
        metadata: Map::new(),
        config: AdapterConfig::default(),
        directory: directory.to_owned(),
        file: directory.join("skill.json"),
        hash: "0".into(),
    }
}

/// The skill of a folder that testkit wrote.
fn skill(folder: &Path) -> CallableSkill {
    let file: Value = serde_json::from_slice(&std::fs::read(folder.join("skill.json")).unwrap()).unwrap();
    plain(file["id"].as_str().unwrap(), folder, file["entrypoint"].as_str().unwrap())
}

/// An executor and the folder in which its programs may write.
struct Housed {
    inner: Arc<dyn Executor>,
    _scratch: TempDir,
}

impl Executor for Housed {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn call<'a>(&'a self, call: &'a Call) -> BoxFuture<'a, Result<Output, ExecError>> {
        self.inner.call(call)
    }
}

/// Its programs run in the sandbox, without a watchdog.
pub(crate) fn executor(skill: &CallableSkill, context: &Context) -> Result<Arc<dyn Executor>, BuildError> {
    let scratch = TempDir::new().unwrap();
    let host = SkillHost::start(scratch.path(), Some(true), None).unwrap();
    let inner = build(skill, &Arc::new(host), &SkillSetup { context, langchain: None, custom: None })?;
    Ok(Arc::new(Housed { inner, _scratch: scratch }))
}

pub(crate) fn asking(input: &Value, timeout: Duration) -> Call {
    Call { timeout, ..crate::call(&input.to_string()) }
}

struct Peer {
    executor: Arc<dyn Executor>,
    _folder: TempDir,
}

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(1_500);

impl Peer {
    /// The fake server in one of its modes.
    fn new(mode: &str) -> Peer {
        Peer::with(mode, |_| {})
    }

    /// The same, its `adapter.config.json` changed.
    fn with(mode: &str, change: impl FnOnce(&mut AdapterConfig)) -> Peer {
        let folder = TempDir::new().unwrap();
        let at = mcp_calculator(&folder.path().join("calculator"), mode);
        let mut skill = skill(&at);
        change(&mut skill.config);
        Peer { executor: executor(&skill, &world(&[])).unwrap(), _folder: folder }
    }

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
async fn a_call_answers_and_the_connection_is_kept() {
    let peer = Peer::new("plain");
    let first = peer.sum().await.unwrap();
    assert_eq!((first.text.as_str(), first.outcome), ("\"5\"", Outcome::Answered));
    let run = first.skill.as_ref().unwrap();
    assert!(run.start_ms.is_some() && first.latency_ms.is_some());
    assert!(run.enforced.iter().any(|guard| guard == "process-group"), "{run:?}");
    let calls = (0..20).map(|n| peer.ask(json!({"expression": format!("{n}*2")}), LONG));
    for (n, answer) in futures::future::join_all(calls).await.into_iter().enumerate() {
        let answer = answer.unwrap();
        assert_eq!(answer.text, format!("\"{}\"", n * 2));
        assert_eq!(stderr(&answer).matches("started").count(), 1);
        assert_eq!(answer.skill.unwrap().start_ms, None);
    }
}

#[tokio::test]
async fn what_a_tool_returns() {
    let answer = Peer::new("structured").sum().await.unwrap();
    assert_eq!(serde_json::from_str::<Value>(&answer.text).unwrap()["result"], "5");
    assert_eq!(answer.skill.unwrap().tokens, Some(5));
    let answer = Peer::new("parts").sum().await.unwrap();
    let parts: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(parts[0], "look");
    assert_eq!(parts[1], json!({"type": "image", "mimeType": "image/png", "bytes": 300_000}));
    assert_eq!(parts[2]["type"], "resource_link");
    assert!(answer.text.len() < 1_000);
    assert_eq!(answer.skill.unwrap().tokens, Some(9));
}

#[tokio::test]
async fn which_tool() {
    assert_eq!(Peer::new("among-many").sum().await.unwrap().text, "\"5\"");
    assert_eq!(Peer::with("many", |config| config.tool = Some("tool_7".to_owned())).sum().await.unwrap().text, "\"5\"");
    let error = Peer::new("many").sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.detail.as_ref().unwrap().starts_with("tool_0, tool_1, "), "{error}");
    assert!(error.detail.as_ref().unwrap().ends_with('…') && error.to_string().contains("30"), "{error}");
    assert_eq!(Peer::new("none").sum().await.unwrap_err().failure, Failure::Skill);
    // Endless pages are read up to a limit: here the only tool is named like the skill.
    assert_eq!(Peer::new("endless-tools").sum().await.unwrap().text, "\"5\"");
}

#[tokio::test]
async fn errors_of_the_tool_and_of_the_protocol_are_the_skills() {
    for (mode, words) in
        [("is-error", "the battery is empty"), ("refuses-call", "expression is missing"), ("refuses", "no licence")]
    {
        let error = Peer::new(mode).sum().await.unwrap_err();
        assert_eq!((error.failure, error.detail.as_deref()), (Failure::Skill, Some(words)), "{mode}");
        assert!(stderr(partial(&error)).contains("started"), "{mode}");
    }
    let error = Peer::new("strange").sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Malformed, "{error}");
    let error = Peer::new("plain").ask(json!("2+3"), LONG).await.unwrap_err();
    assert_eq!(error.failure, Failure::Rejected);
}

#[cfg(unix)]
#[tokio::test]
async fn a_server_that_cannot_be_started_or_falls_over_is_the_skills_fault_and_says_why() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let server = folder.path().join("server");
    let ask = async |script: &str| {
        std::fs::write(&server, script).unwrap();
        std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
        let executor = executor(&plain("x", folder.path(), "./server"), &world(&[])).unwrap();
        executor.call(&asking(&json!({}), LONG)).await.unwrap_err()
    };
    let error = ask("#!/nonexistent\n").await;
    assert_eq!(error.failure, Failure::Crashed, "{error}");
    let error = ask("#!/bin/sh\necho 'no module named x' >&2; exit 1\n").await;
    assert_eq!((error.failure, error.detail.as_deref()), (Failure::Crashed, Some("no module named x")), "{error}");
}

#[tokio::test]
async fn servers_of_all_ages_are_spoken_to() {
    assert_eq!(Peer::new("old").sum().await.unwrap().text, "\"5\"");
    assert_eq!(Peer::new("modern").sum().await.unwrap().text, "\"5\"");
}

#[tokio::test]
async fn a_server_that_asks_is_refused_politely() {
    let answer = Peer::new("curious").sum().await.unwrap();
    assert_eq!(answer.text, "\"5\"");
    let said = stderr(&answer);
    let line = |method: &str| said.lines().find(|line| line.starts_with(method)).unwrap().to_owned();
    assert!(line("sampling").contains("-32601"), "{said}");
    assert!(line("elicitation").contains("decline"), "{said}");
    assert!(line("roots").contains("\"id\":\"q2\""), "{said}");
}

#[tokio::test]
async fn a_server_that_dies_is_started_again() {
    let dies = Peer::new("dies");
    let error = dies.sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert!(stderr(partial(&error)).contains("giving up"));
    let later = Peer::new("dies-later");
    for _ in 0..3 {
        match later.sum().await {
            Ok(answer) => assert_eq!(answer.text, "\"5\""),
            // Its end was not known yet.
            Err(error) => assert_eq!(error.failure, Failure::Crashed),
        }
    }
    let error = Peer::new("dies-at-once").sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Crashed);
    assert!(stderr(partial(&error)).contains("no config found"));
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn server_that_fills_its_folder_is_ended_by_the_limit() {
    let peer = Peer::with("fills", |config| config.limits.scratch_mb = Some(8));
    let error = peer.sum().await.unwrap_err();
    assert_eq!(error.failure, Failure::Skill);
    assert!(error.to_string().contains("more than 8 MiB"), "{error}");
}

#[tokio::test]
async fn time_limits_hold_from_the_first_moment() {
    // However slow this machine is: with time enough the server comes to say something, and then hangs.
    for seconds in [1, 4, 16, 64] {
        let limit = Duration::from_secs(seconds);
        let error = Peer::new("hangs-at-once").ask(json!({"expression": "1"}), limit).await.unwrap_err();
        assert_eq!(error.failure, Failure::Timeout);
        if stderr(partial(&error)).contains("started") {
            break;
        }
        assert!(seconds < 64, "{error:?}");
    }
    for mode in ["hangs", "wrong-id-later"] {
        let begun = Instant::now();
        let error = Peer::new(mode).ask(json!({"expression": "1"}), SHORT).await.unwrap_err();
        assert_eq!(error.failure, Failure::Timeout, "{mode}");
        assert!(begun.elapsed() < LONG, "{mode}");
    }
}

#[tokio::test]
async fn a_server_that_let_a_call_time_out_is_replaced_whether_it_still_answers_or_not() {
    for mode in ["hangs-once", "never-once"] {
        let peer = Peer::new(mode);
        peer.sum().await.unwrap();
        let error = peer.ask(json!({"expression": "1", "hang": true}), SHORT).await.unwrap_err();
        assert_eq!(error.failure, Failure::Timeout);
        let answer = peer.sum().await.unwrap();
        assert_eq!((answer.text.as_str(), stderr(&answer).matches("started").count()), ("\"5\"", 1), "{mode}");
        assert!(!stderr(&answer).contains("hanging") && !stderr(&answer).contains("no answer"), "{answer:?}");
        assert!(answer.skill.unwrap().start_ms.is_some());
    }
}

#[tokio::test]
async fn garbage_and_floods_end_in_an_error() {
    assert_eq!(Peer::new("garbage-first").sum().await.unwrap().text, "\"5\"");
    assert_eq!(Peer::new("garbage").sum().await.unwrap_err().failure, Failure::Crashed);
    assert_eq!(Peer::new("wrong-id").sum().await.unwrap_err().failure, Failure::Malformed);
    let error = Peer::new("long-line").sum().await.unwrap_err();
    assert_eq!((error.failure, error.to_string().contains("16 MiB")), (Failure::Malformed, true));
    let error = Peer::new("text-id").sum().await.unwrap_err();
    assert_eq!((error.failure, error.to_string().contains("a text as the id")), (Failure::Malformed, true));
    let error = Peer::new("asks-on-and-on").sum().await.unwrap_err();
    assert_eq!((error.failure, error.to_string().contains("without reading")), (Failure::Malformed, true));
}

#[tokio::test]
async fn an_answer_that_is_written_oddly_is_read_or_named_at_once() {
    for (mode, text) in [("error-null", "5"), ("batch", "5"), ("half", "5 \u{fffd}"), ("log", "5")] {
        let answer = Peer::new(mode).sum().await.unwrap_or_else(|error| panic!("{mode}: {error}"));
        assert_eq!(answer.text, json!(text).to_string(), "{mode}");
    }
    for (mode, words) in
        [("lines", "\"jsonrpc\": \"2.0\""), ("nan", "expected value at line 1 column"), ("nothing", "outcome")]
    {
        let error = Peer::new(mode).sum().await.unwrap_err();
        assert_eq!(error.failure, Failure::Malformed, "{mode}: {error}");
        assert!(error.to_string().contains("can't be read") && error.to_string().contains(words), "{mode}: {error}");
    }
}

/// The executor of a skill at a path of the fake service.
fn remote(service: &testkit::FakeApi, path: &str, auth: Option<Auth>) -> Arc<dyn Executor> {
    let mut skill = plain("calculator", Path::new("/"), &format!("{}{path}", service.url));
    skill.config.auth = auth.into_iter().collect();
    executor(&skill, &world(&[("MCP_TOKEN", TOKEN), ("MCP_KEY", API_KEY)])).unwrap()
}

fn auth(kind: AuthKind, variable: &str) -> Option<Auth> {
    Some(Auth { kind, token_env_key: variable.to_owned() })
}

#[tokio::test]
async fn event_that_is_written_oddly_is_read_or_named_at_once() {
    let service = mcp_service();
    let sum = asking(&json!({"expression": "2+3"}), LONG);
    for (path, text) in [("/odd/null", "5"), ("/odd/batch", "5"), ("/odd/half", "5 \u{fffd}")] {
        let answer = remote(&service, path, None).call(&sum).await.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(answer.text, json!(text).to_string(), "{path}");
    }
    for (path, words) in [("/odd/nan", "expected value at line 1 column"), ("/odd/nothing", "outcome")] {
        let error = remote(&service, path, None).call(&sum).await.unwrap_err();
        assert_eq!(error.failure, Failure::Malformed, "{path}: {error}");
        assert!(error.to_string().contains("can't be read") && error.to_string().contains(words), "{path}: {error}");
    }
}

#[tokio::test]
async fn body_that_is_written_oddly_is_read_or_named_at_once() {
    let service = mcp_service();
    let sum = asking(&json!({"expression": "2+3"}), LONG);
    for (name, text) in
        [("null", "5"), ("batch", "5"), ("many", "5"), ("lines", "5"), ("half", "5 \u{fffd}"), ("first", "5")]
    {
        let answer = remote(&service, &format!("/body/{name}"), None).call(&sum).await;
        let answer = answer.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(answer.text, json!(text).to_string(), "{name}");
    }
    for (name, words) in [("nan", "expected value at line 1 column"), ("nothing", "outcome")] {
        let error = remote(&service, &format!("/body/{name}"), None).call(&sum).await.unwrap_err();
        assert_eq!(error.failure, Failure::Malformed, "{name}: {error}");
        assert!(error.to_string().contains("can't be read") && error.to_string().contains(words), "{name}: {error}");
    }
}

#[tokio::test]
async fn over_http_with_bearer_and_api_key() {
    let service = mcp_service();
    let api_key = || AuthKind::ApiKey { header: "X-API-Key".to_owned() };
    let sum = asking(&json!({"expression": "2+3"}), LONG);
    for (path, auth) in
        [("/mcp", None), ("/bearer", auth(AuthKind::Bearer, "MCP_TOKEN")), ("/api-key", auth(api_key(), "MCP_KEY"))]
    {
        let executor = remote(&service, path, auth);
        for _ in 0..3 {
            let output = executor.call(&sum).await.unwrap();
            assert_eq!(output.text, "\"5\"", "{path}");
            let server = output.skill.unwrap().server.unwrap();
            assert_eq!((server.name.as_str(), server.version.as_str()), ("fake", "1"), "{path}");
        }
    }
    let connected = service.requests().iter().filter(|request| request.body["method"] == "initialize").count();
    assert_eq!(connected, 3);
    let error = remote(&service, "/bearer", None).call(&sum).await.unwrap_err();
    assert_eq!((error.failure, error.status), (Failure::Skill, Some(401)));
    let mut unset = plain("calculator", Path::new("/"), "https://localhost/mcp");
    unset.config.auth = auth(AuthKind::Bearer, "NOT_SET").into_iter().collect();
    assert!(executor(&unset, &world(&[])).err().unwrap().to_string().contains("`NOT_SET`"));
}

#[tokio::test]
async fn a_relative_entrypoint_is_resolved_against_the_base_url() {
    let service = mcp_service();
    let mut skill = plain("calculator", Path::new("/"), "mcp");
    skill.config.base_url = Some(format!("{}/", service.url));
    let answer = executor(&skill, &world(&[])).unwrap().call(&asking(&json!({"expression": "2*3"}), LONG)).await;
    assert_eq!(answer.unwrap().text, "\"6\"");
    skill.config.base_url = Some("ftp://example".to_owned());
    assert!(executor(&skill, &world(&[])).is_err());
}

#[tokio::test]
async fn what_goes_wrong_over_http_is_told_apart() {
    let service = mcp_service();
    let sum = asking(&json!({"expression": "2+3"}), LONG);
    for (path, failure, status) in [
        ("/busy", Failure::RateLimited, Some(429)),
        ("/broken", Failure::Skill, Some(500)),
        ("/outage", Failure::Server, Some(503)),
        ("/moved", Failure::Skill, Some(307)),
        ("/nowhere", Failure::Skill, Some(404)),
        ("/garbage", Failure::Malformed, None),
        ("/huge", Failure::Malformed, None),
        ("/drop", Failure::Dropped, None),
        ("/refuses", Failure::Skill, None),
    ] {
        let error = remote(&service, path, None).call(&sum).await.unwrap_err();
        assert_eq!((error.failure, error.status), (failure, status), "{path}: {error:?}");
    }
    let busy = remote(&service, "/busy", None).call(&sum).await.unwrap_err();
    assert_eq!(busy.retry_after_ms, Some(2_000));
    let silent = remote(&service, "/silent", None).call(&asking(&json!({"expression": "1"}), SHORT)).await;
    assert_eq!(silent.unwrap_err().failure, Failure::Timeout);
    let nobody = executor(&plain("calculator", Path::new("/"), "http://127.0.0.1:9/mcp"), &world(&[])).unwrap();
    assert_eq!(nobody.call(&sum).await.unwrap_err().failure, Failure::Unreachable);
}
