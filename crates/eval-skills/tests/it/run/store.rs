//! The store of finished evaluations: shared by processes, and damaged.

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;

#[test]
fn concurrent_evaluations_share_one_store() {
    let context = TestContext::new();
    let answers: Vec<_> = (0..40).map(|n| (json!({"n": n}), json!(n))).collect();
    let task = |n: i64| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": n}});
    context.write_json("tasks.json", &(0..40).map(task).collect());
    let started: Vec<_> = ["one", "two", "three"]
        .into_iter()
        .map(|id| {
            let folder = format!("skills/{id}");
            skills::lookup(&context.path(&folder), &answers);
            let reports = format!("reports-{id}");
            let eval = ["eval", "--skills", &folder, "--tasks", "tasks.json", "--output-dir", &reports, "--json"];
            let mut command = context.command(&eval);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            (id, command.spawn().unwrap())
        })
        .collect();
    let mut evaluations = Vec::new();
    for (id, child) in started {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{id}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        evaluations.push(report["id"].as_str().unwrap().to_owned());
        let trend = context.run(&["trend", "--skill", id, "--json"]).expect(0).json();
        let point = &trend["series"][0]["points"][0];
        assert_eq!((&point["counted"], &point["completionRate"]), (&json!(40), &json!(1.0)), "{trend}");
        assert_eq!(point["evaluation"], report["id"]);
    }
    evaluations.sort();
    evaluations.dedup();
    assert_eq!(evaluations.len(), 3, "each has an id of its own");
}

#[test]
fn broken_store_ends_the_evaluation_without_losing_results() {
    let context = TestContext::new();
    context.skill("breaker", &json!({}));
    context.write(
        "breaker/skill.py",
        "import json, sqlite3, sys\n\
         request = json.loads(sys.stdin.readline())\n\
         if request['params']['n'] == 2:\n    \
             with sqlite3.connect('../eval-skills.db') as store:\n        \
                 store.execute('ALTER TABLE results RENAME TO gone')\n\
         print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': 'x'}))\n",
    );
    let tasks: Vec<Value> = (0..9)
        .map(|n| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": "x"}}))
        .collect();
    context.write_json("tasks.json", &json!(tasks));
    let arguments =
        ["eval", "--skills", "breaker", "--tasks", "tasks.json", "--concurrency", "1", "--no-sandbox", "--seed", "7"];
    let end = context.run(&arguments).expect(3).says(&["eval-skills.db", "no such table", "--resume"]);
    assert!(end.stdout.contains("breaker"), "{end:#?}");
    let name = context.names("reports").into_iter().find(|name| name.ends_with(".json")).unwrap();
    let report: Value = serde_json::from_str(&context.read(&format!("reports/{name}"))).unwrap();
    assert!(report["incompleteReason"].as_str().unwrap().contains("no such table"), "{report}");
    // After a repair the run resumes without repeating answered tasks.
    let mend = "import sqlite3; sqlite3.connect('eval-skills.db').execute('ALTER TABLE gone RENAME TO results')";
    let mended = std::process::Command::new("python3").args(["-c", mend]).current_dir(context.path(".")).status();
    assert!(mended.unwrap().success());
    std::fs::write(context.path("breaker/skill.py"), context.read("breaker/skill.py")).unwrap();
    let id = report["id"].as_str().unwrap();
    let resumed = context.run(&["eval", "--json", "--resume", id]).expect(0).json();
    assert_eq!(resumed["skills"][0]["counts"]["pass"], 9, "{resumed}");
    let count = "import sqlite3; print(sqlite3.connect('eval-skills.db').execute('SELECT count(*) FROM results').fetchone()[0])";
    let counted = std::process::Command::new("python3").args(["-c", count]).current_dir(context.path(".")).output();
    assert_eq!(String::from_utf8_lossy(&counted.unwrap().stdout).trim(), "9");
}
