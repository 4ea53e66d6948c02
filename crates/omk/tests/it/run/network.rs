//! Agents without a network: they reach their model and nothing else.
#![cfg(target_os = "linux")]

use std::io::Write;
use std::net::TcpListener;

use serde_json::json;
use testkit::{FakeApi, FakeReply, ReplyScript};

use super::installed_agents::each;
use super::sandbox::{running, tried};
use super::{answer, eval_with, says, says_better, valid};
use crate::fixtures::context::TestContext;

/// A server on this machine that greets whoever connects.
fn greeter() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        listener.incoming().flatten().for_each(|mut stream| drop(stream.write_all(b"greeting\n")));
    });
    port
}

#[test]
fn agents_without_a_network_reach_their_model_and_nothing_else() {
    let port = greeter();
    let command = format!("(exec 3<>/dev/tcp/127.0.0.1/{port} && cat <&3) 2>&1; cat /proc/net/dev");
    for agent in each(running(command)) {
        let (report, text) = tried(&agent, &["--permissions", "bypass", "--network", "none"]);
        assert!(text.contains("Connection refused") && !text.contains("greeting"), "{}: {text}", agent.name);
        let interfaces: Vec<&str> = text.lines().filter_map(|line| Some(line.split_once(':')?.0.trim())).collect();
        assert!(interfaces.contains(&"lo") && !interfaces.iter().any(|name| name.starts_with("eth")), "{text}");
        let sandbox = report["meta"]["executorRuntime"]["sandbox"]["enforced"].to_string();
        assert!(sandbox.contains("\"network\""), "{sandbox}");
        assert_eq!(super::results(&report)["s001/v2"]["outcome"], "answered");
        // The same with the network.
        let (report, text) = tried(&agent, &["--permissions", "bypass"]);
        assert!(text.contains("greeting"), "{}: {text}", agent.name);
        assert!(!report["meta"]["executorRuntime"]["sandbox"]["enforced"].to_string().contains("network"), "{report}");
    }
}

/// Our own server for mocks is on this machine, too.
#[test]
fn mocks_answer_an_agent_without_a_network() {
    let script = running("echo real".to_owned());
    let Some(agent) = each(script).into_iter().find(|agent| agent.name == "claude") else { return };
    let mocks = json!([{"tool": "Bash", "return": "of a mock"}]);
    let sample = json!([{"sample_id": "s001", "prompt": "question 1", "mocks": mocks, "assertions": says_better()}]);
    agent.context.write("eval-samples.json", &sample.to_string());
    let more = ["--network", "none", "--allowed-tools", "Bash", "--timeout", "120", "--report-only", "--no-cache"];
    agent.context.run(&eval_with("claude", &more)).expect(0);
    let report = valid(agent.context.report());
    let call = super::results(&report)["s001/v2"]["toolCalls"][0].clone();
    assert!(call["output"]["text"].as_str().unwrap().contains("of a mock"), "{call}");
}

#[test]
fn network_is_not_closed_without_the_sandbox_of_an_agent() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    let refused = |arguments: &[&str], what: &str| {
        let finished = context.run(arguments).expect(2);
        assert!(says(&finished, what), "{finished:#?}");
    };
    refused(&eval_with("./agent", &["--network", "none"]), "`./agent` is no agent");
    for off in ["--no-sandbox", "--no-strict-baseline"] {
        refused(&eval_with("claude", &["--network", "none", off]), "use `--network open`");
    }
}

#[test]
fn run_is_refused_where_no_relay_leads_to_the_model() {
    let api = FakeApi::start(ReplyScript::with(|_| FakeReply::answer(answer("better"))));
    let mut context = TestContext::with_agent();
    context.samples(1, &says_better());
    context.script("bin/claude", "[ \"$1\" = --version ] && { echo 2.1.330; exit; }\nexit 3");
    context.env("PATH", &format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap()));
    context.env("ANTHROPIC_API_KEY", "sk-ant-0123456789");
    // The proxy of the user leads to the model, which a relay of ours doesn't speak to.
    context.env("HTTPS_PROXY", "http://127.0.0.1:1");
    let finished = context.run(&eval_with("claude", &["--network", "none"])).expect(2);
    assert!(says(&finished, "the proxy of `HTTPS_PROXY`") && says(&finished, "unset `HTTPS_PROXY`"), "{finished:#?}");
    // A cloud's address isn't known.
    context.env("HTTPS_PROXY", "");
    context.env("CLAUDE_CODE_USE_BEDROCK", "1");
    let finished = context.run(&eval_with("claude", &["--network", "none"])).expect(2);
    assert!(says(&finished, "as with a cloud") && says(&finished, "unset the variables of the cloud"), "{finished:#?}");
    assert_eq!(api.count(), 0);
}
