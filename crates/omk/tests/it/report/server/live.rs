//! A run under way.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};
use testkit::http_client::connect;
use testkit::wait_until;

use super::site;
use crate::fixtures::context::TestContext;

/// A project whose agent waits for the file `go` once it has answered two calls.
pub(super) fn waiting() -> TestContext {
    waiting_after(3, 2)
}

/// The same with so many samples, after so many calls.
fn waiting_after(samples: usize, calls: usize) -> TestContext {
    let context = TestContext::new();
    context.write("skills/v1.md", "ANSWER plain\n");
    context.write("skills/v2.md", "ANSWER better\n");
    context.script(
        "agent",
        &format!(
            "cat >/dev/null\necho x >> starts\nif [ $(wc -l < starts) -gt {calls} ]; then while [ ! -e go ]; do sleep 0.05; done; fi\necho better\n"
        ),
    );
    context.samples(samples, &json!([{"type": "contains", "value": "better"}]));
    context
}

#[test]
fn run_under_way_shows_progress_and_no_verdict_and_then_its_report() {
    let context = waiting();
    let arguments = [
        "eval",
        "--variants",
        "v1,v2",
        "--executor",
        "./agent",
        "--report-only",
        "--budget-usd",
        "2",
        "--allow-unknown-cost",
    ];
    let mut eval = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let site = site(&context, &[]);
    let under_way = || site.json("/api/runs")["underWay"].clone();
    wait_until("two executions ended", || under_way()[0]["finished"] == 2);
    let run = under_way()[0].clone();
    assert_eq!(run["planned"], 6);
    let id = run["id"].as_str().unwrap();
    assert!(site.page("/").contains("2 of 6 executions"));
    wait_until("the next call has left", || site.page(&format!("/run/{id}")).contains("/v1/0"));
    let page = site.page(&format!("/run/{id}"));
    for part in ["2 of 6 executions", "none failed", "$2", "reload", "/v1/0", "<progress"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let tiers = ["PROGRESS", "CAUTIOUS", "NOISE", "UNDERPOWERED", "REGRESS"];
    assert!(!tiers.iter().any(|tier| page.contains(tier)), "{page}");

    let mut stream = connect(site.port);
    let head = format!("GET /run/{id}/events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", site.port);
    stream.write_all(head.as_bytes()).unwrap();
    let mut events = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(events.next().unwrap().contains("200"));
    let mut next = |kind: &str| -> Value {
        let name = format!("event: {kind}");
        assert!(events.any(|line| line == name), "no {kind}");
        serde_json::from_str(events.next().unwrap().strip_prefix("data: ").unwrap()).unwrap()
    };
    let progress = next("progress");
    assert_eq!((&progress["finished"], &progress["fields"]["live-progress"]), (&json!(2), &json!("2 of 6 executions")));
    context.write("go", "");
    next("end");
    assert!(eval.wait().unwrap().success());
    assert_eq!(site.json("/api/runs")["underWay"], json!([]));
    assert_eq!(site.json(&format!("/api/run/{id}"))["id"], id);
}

/// It tells which look is under way, and never what was seen.
#[test]
fn run_that_may_end_early_shows_its_looks_and_no_interval() {
    for (flags, calls) in [(&["--stop-when-decided"][..], 9), (&[], 9)] {
        let context = waiting_after(24, calls);
        let fixed = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only", "--concurrency", "1"];
        let arguments = [&fixed[..], flags].concat();
        let mut eval = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let site = site(&context, &[]);
        wait_until("nine executions ended", || site.json("/api/runs")["underWay"][0]["finished"] == calls);
        let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
        let page = site.page(&format!("/run/{id}"));
        // the ninth execution is half of a sample
        let looks = "look 1 of 2 under way: 4 of at most 24 samples are finished, in an order drawn before the run";
        assert_eq!(
            (page.contains(looks), page.contains("live-looks")),
            (!flags.is_empty(), !flags.is_empty()),
            "{page}"
        );
        let main = page.split("<main").nth(1).unwrap();
        let hidden =
            ["PROGRESS", "CAUTIOUS", "NOISE", "UNDERPOWERED", "REGRESS", "interval", "points", " to +", "<svg"];
        assert!(!hidden.iter().any(|part| main.contains(part)), "{page}");
        let chinese = site.page(&format!("/run/{id}?lang=zh"));
        assert_eq!(chinese.contains("第 1 次查看（共 2 次）"), !flags.is_empty(), "{chinese}");
        context.write("go", "");
        assert!(eval.wait().unwrap().success());
    }
}

#[test]
fn run_that_was_killed_says_how_to_go_on() {
    let context = waiting();
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let mut eval = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let site = site(&context, &[]);
    wait_until("two executions ended", || site.json("/api/runs")["underWay"][0]["finished"] == 2);
    let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
    eval.kill().unwrap();
    eval.wait().unwrap();
    context.write("go", "");
    wait_until("it is no longer under way", || site.json("/api/runs")["underWay"] == json!([]));
    let page = site.page(&format!("/run/{id}"));
    assert!(page.contains(&format!("omk eval --resume {id}")) && !page.contains("data-events=\""), "{page}");
}

/// Each of them takes a connection and looks at the journal once a second.
#[test]
fn hundreds_of_listeners_keep_nobody_out() {
    let context = waiting();
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];
    let mut eval = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let site = site(&context, &[]);
    wait_until("two executions ended", || site.json("/api/runs")["underWay"][0]["finished"] == 2);
    let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
    let head = format!("GET /run/{id}/events HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", site.port);
    let listen = || {
        let mut stream = connect(site.port);
        let _ = stream.write_all(head.as_bytes());
        stream
    };
    let streams: Vec<_> = (0..400).map(|_| listen()).collect();
    for _ in 0..20 {
        assert_eq!(site.get(&format!("/run/{id}")).status, 200);
    }
    drop(streams);
    // their places are free again once the server sees that nobody reads
    wait_until("news", || BufReader::new(listen()).lines().next().unwrap().is_ok_and(|line| line.contains("200")));
    context.write("go", "");
    assert!(eval.wait().unwrap().success());
    assert_eq!(site.interrupt(), Some(0));
}
