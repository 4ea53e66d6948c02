//! `eval-skills report` as a server.

use std::fs;

use serde_json::json;
use testkit::{ReportSite, wait_until};

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::evaluated;

fn site(context: &TestContext, arguments: &[&str]) -> ReportSite {
    ReportSite::start(context.command(&[&["report", "--port", "0", "--json"], arguments].concat()))
}

#[test]
fn evaluations_are_listed_once_and_shown_as_pages() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    let id = report["id"].as_str().unwrap();
    let site = site(&context, &[]);
    let runs = site.json("/api/runs");
    // the copy of the newest is no other report
    assert_eq!((&runs["found"], &runs["unreadable"]), (&json!(1), &json!([])), "{runs}");
    let row = &runs["runs"][0];
    assert_eq!(
        (&row["id"], &row["artifacts"], &row["result"]["kind"]),
        (&json!(id), &json!(["one"]), &json!("skills"))
    );
    let name = row["name"].as_str().unwrap();
    assert!(site.page("/").contains(&format!("href=\"/run/{name}\"")));
    for address in [name, id] {
        assert!(site.page(&format!("/run/{address}")).contains("<bdi>one</bdi>"));
        assert_eq!(site.json(&format!("/api/run/{address}"))["id"], id);
    }
    let csv = site.page(&format!("/run/{id}/export/csv"));
    assert!(csv.lines().count() > 3, "{csv}");
    let posted = site.post(id, "application/json", r#"{"sample_id": "a", "variant": "one", "rating": 1}"#);
    assert!(posted.status == 400 && posted.text().contains("take no feedback"), "{}", posted.text());
    assert_eq!(site.interrupt(), Some(0));
}

#[test]
fn reports_of_both_programs_are_served_from_one_directory() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    fs::create_dir(context.path("mine")).unwrap();
    context.write_json("mine/a.json", &report);
    context.write_json("mine/selection.json", &json!({"kind": "eval-skills-selection"}));
    context.write("mine/b.json", "[]");
    for flag in ["--output-dir", "--reports-dir"] {
        let runs = site(&context, &[flag, "mine"]).json("/api/runs");
        assert_eq!((&runs["found"], &runs["runs"][0]["name"]), (&json!(1), &json!("a")));
        assert_eq!(runs["unreadable"].as_array().unwrap().len(), 1, "{runs}");
    }
}

#[test]
fn evaluation_under_way_is_listed() {
    let context = TestContext::new();
    context.skill("skills/slow", &json!({"entrypoint": "python3 skill.py"}));
    context.write(
        "skills/slow/skill.py",
        "import os, time\nwhile not os.path.exists('go'):\n    time.sleep(0.02)\nprint('{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": 1}')\n",
    );
    let mut eval = context
        .command(&["eval", "--skills", "skills/slow", "--no-sandbox", "--timeout", "20000"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let site = site(&context, &[]);
    wait_until("an evaluation under way", || site.json("/api/runs")["underWay"] != json!([]));
    let id = site.json("/api/runs")["underWay"][0]["id"].as_str().unwrap().to_owned();
    assert!(site.page(&format!("/run/{id}")).contains("0 executions"));
    eval.kill().unwrap();
    eval.wait().unwrap();
    wait_until("none under way", || site.json("/api/runs")["underWay"] == json!([]));
    assert!(site.page(&format!("/run/{id}")).contains(&format!("eval-skills eval --resume {id}")));
}
