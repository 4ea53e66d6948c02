//! Tests of the store and the server through their public functions.
#![expect(clippy::unwrap_used, reason = "tests")]

mod export;
mod guard;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use eval_format::skills::{BenchmarkMeta, SkillEvaluation, TaskResult};
use eval_serve::{NewEvaluation, Store, StoreError};
use serde_json::{Value, json};

fn benchmark() -> Value {
    json!({
        "id": "bench", "name": "Bench", "version": "1.0.0", "domain": "general", "source": "built-in",
        "hash": "ab", "tasks": 2, "scoringMethod": "mean", "maxLatencyMs": 1000
    })
}

fn result(task: &str, run: u32) -> TaskResult {
    serde_json::from_value(json!({
        "taskId": task, "run": run, "status": "pass", "score": 1.0, "scorer": "exact_match", "input": {"q": "'; DROP TABLE"},
        "expected": null, "output": "x", "latencyMs": 5.0, "attempts": 1
    }))
    .unwrap()
}

/// Makes a finished evaluation of some skills, each with a completion rate.
fn evaluation(id: &str, finished_at: &str, skills: &[(&str, f64)]) -> SkillEvaluation {
    let skill = |(id, rate): &(&str, f64)| {
        let pass = (rate * 10.0).round();
        let counts = json!({
            "total": 10, "pass": pass as u32, "fail": 10 - pass as u32, "error": 0, "timeout": 0, "unscored": 0,
            "harnessError": 0
        });
        json!({
            "skillId": id, "skillName": id, "skillVersion": "1.0.0", "description": "", "tags": [],
            "adapterType": "http", "path": "skill.json", "skillHash": "cd", "counts": counts, "runs": [],
            "tagResults": {}, "enforced": [], "taskResults": [],
            "summary": {
                "completionRate": rate, "completionInterval": null, "partialScore": null, "errorRate": 0.0,
                "consistencyScore": null, "flipRate": null, "passHatK": null, "p50LatencyMs": null,
                "p95LatencyMs": null, "p99LatencyMs": null, "meanStartMs": null, "tokenCost": null,
                "compositeScore": null, "outputSchemaMismatches": null
            }
        })
    };
    serde_json::from_value(json!({
        "kind": "eval-skills-result", "schemaVersion": 1, "id": id, "toolVersion": "0.1.0",
        "startedAt": "2026-03-01T12:00:00Z", "finishedAt": finished_at, "status": "complete",
        "settings": {
            "concurrency": 4, "timeoutMs": 1000, "retries": 0, "transportRetries": 0, "runs": 1, "evaluator": "exact_match", "seed": 7,
            "sandbox": true
        },
        "unsound": false, "benchmark": benchmark(), "skills": skills.iter().map(skill).collect::<Vec<_>>()
    }))
    .unwrap()
}

fn begun(id: &str) -> NewEvaluation {
    let benchmark: BenchmarkMeta = serde_json::from_value(benchmark()).unwrap();
    NewEvaluation {
        id: id.to_owned(),
        started_at: "2026-03-01T12:00:00Z".to_owned(),
        benchmark,
        runs: 1,
        skills: Vec::new(),
    }
}

fn store_evaluation(store: &Store, finished: &SkillEvaluation) {
    store.begin(&begun(&finished.id)).unwrap();
    store.finish(finished).unwrap();
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new/eval-skills.db");
    (dir, path)
}

#[test]
fn results_are_there_as_they_arrive() {
    let (_dir, path) = place();
    let store = Store::open(&path).unwrap();
    store.begin(&begun("e1")).unwrap();
    store.append("adder", &result("t1", 1)).unwrap();
    let reader = Store::open_existing(&path).unwrap();
    assert_eq!(reader.results("e1").unwrap()["adder"], [result("t1", 1)]);
    store.append("adder", &result("t1", 1)).unwrap();
    store.append("adder", &result("t2", 1)).unwrap();
    assert_eq!(reader.results("e1").unwrap()["adder"].len(), 2, "the same again takes its place");
    assert!(reader.history("adder", None).unwrap().is_empty(), "it has not ended");
    store.finish(&evaluation("e1", "2026-03-01T12:00:05Z", &[("adder", 0.5)])).unwrap();
    assert_eq!(reader.history("adder", None).unwrap().len(), 1);
}

#[test]
fn newest_and_all_evaluations_are_returned() {
    let (_dir, path) = place();
    let store = Store::open(&path).unwrap();
    // e2 is later in time, but earlier as text
    store_evaluation(&store, &evaluation("e2", "2026-03-02T11:00:00-05:00", &[("adder", 0.9)]));
    store_evaluation(&store, &evaluation("e1", "2026-03-02T12:00:00Z", &[("adder", 0.5), ("other", 0.1)]));
    let mut interrupted = evaluation("e3", "2026-03-05T12:00:00Z", &[("adder", 0.0)]);
    interrupted.status = eval_format::skills::EvaluationStatus::Interrupted;
    store_evaluation(&store, &interrupted);
    let rates: Vec<_> = store.completion_rates().unwrap().into_iter().map(|rate| (rate.skill, rate.rate)).collect();
    assert_eq!(rates, [("adder".to_owned(), Some(0.9)), ("other".to_owned(), Some(0.1))]);
    let history = store.history("adder", Some("bench")).unwrap();
    let ids: Vec<_> = history.iter().map(|point| (point.evaluation.as_str(), point.is_complete)).collect();
    assert_eq!(ids, [("e1", true), ("e2", true), ("e3", false)]);
    assert!(store.history("adder", Some("elsewhere")).unwrap().is_empty());
    let newest = store.newest(&["adder".to_owned(), "nobody".to_owned()]).unwrap();
    assert_eq!(newest.len(), 1);
    assert_eq!((newest["adder"].evaluation.as_str(), newest["adder"].benchmark.id.as_str()), ("e2", "bench"));
}

#[test]
fn an_id_belongs_to_one_evaluation() {
    let (_dir, path) = place();
    let store = Store::open(&path).unwrap();
    store.begin(&begun("e1")).unwrap();
    store.begin(&begun("e1")).unwrap();
    let other = NewEvaluation { started_at: "2026-03-01T12:00:00.5Z".to_owned(), ..begun("e1") };
    assert!(matches!(store.begin(&other), Err(StoreError::Taken { .. })));
    let unknown = evaluation("e9", "2026-03-01T12:00:05Z", &[]);
    assert!(matches!(store.finish(&unknown), Err(StoreError::Unknown { .. })));
    let fresh = Store::open(&path).unwrap();
    assert!(matches!(fresh.append("a", &result("t", 1)), Err(StoreError::Unknown { .. })));
}

#[test]
fn a_store_with_endless_pages_is_rejected() {
    let (_dir, path) = place();
    let store = Store::open(&path).unwrap();
    store_evaluation(&store, &evaluation("e1", "2026-03-01T12:00:05Z", &[("adder", 0.5)]));
    drop(store);
    let connection = rusqlite::Connection::open(&path).unwrap();
    // without the index, queries read the whole table
    connection.execute_batch("DROP INDEX reports_by_skill").unwrap();
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = 'reports'";
    let root = connection.query_row(root, (), |row| row.get(0)).unwrap();
    connection.close().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    testkit::sqlite::make_endless(&mut bytes, root);
    std::fs::write(&path, bytes).unwrap();
    let refused = Store::open_existing(&path).unwrap().history("adder", None).unwrap_err();
    assert!(matches!(refused, StoreError::Endless { .. }), "{refused}");
}

#[test]
fn foreign_files_are_left_unchanged() {
    let (dir, path) = place();
    assert!(matches!(Store::open_existing(&path), Err(StoreError::Missing { .. })));
    let text = dir.path().join("notes.txt");
    std::fs::write(&text, "just some notes, long enough to be no header of a database\n".repeat(40)).unwrap();
    let before = std::fs::read(&text).unwrap();
    for opened in [Store::open(&text), Store::open_existing(&text)] {
        assert!(matches!(opened, Err(StoreError::NotAStore { .. })), "{opened:?}");
    }
    assert_eq!(std::fs::read(&text).unwrap(), before);
    let foreign = dir.path().join("foreign.db");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
    assert!(matches!(Store::open(&foreign), Err(StoreError::NotAStore { .. })));
    assert!(matches!(Store::open(dir.path()), Err(StoreError::Sqlite { .. })));
}

#[test]
fn store_of_another_version_is_rejected() {
    let (_dir, path) = place();
    drop(Store::open(&path).unwrap());
    for other in [-1, 99] {
        rusqlite::Connection::open(&path).unwrap().pragma_update(None, "user_version", other).unwrap();
        for opened in [Store::open(&path), Store::open_existing(&path)] {
            assert!(matches!(opened, Err(StoreError::OtherVersion { version, .. }) if version == other));
        }
    }
}

/// Starts this test binary as another process that runs `child`.
fn program(path: &Path, id: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["child", "--exact", "--nocapture", "--ignored"]).env("STORE", path).env("EVALUATION", id);
    command
}

#[test]
#[ignore = "run by the other tests, in a process of its own"]
#[expect(clippy::print_stdout, reason = "how it tells its parent")]
fn child() {
    let (Some(path), Ok(id)) = (std::env::var_os("STORE"), std::env::var("EVALUATION")) else { return };
    let store = Store::open(Path::new(&path)).unwrap();
    store.begin(&begun(&id)).unwrap();
    let most = std::env::var("RESULTS").map_or(u32::MAX, |most| most.parse().unwrap());
    for run in 1..=most {
        store.append("adder", &result("t", run)).unwrap();
        println!("kept {run}");
    }
    store.finish(&evaluation(&id, "2026-03-01T12:00:05Z", &[("adder", 0.5)])).unwrap();
}

#[test]
fn two_evaluations_at_once_share_a_store() {
    let (_dir, path) = place();
    let ids = ["e1", "e2", "e3"];
    let children: Vec<_> =
        ids.iter().map(|id| program(&path, id).env("RESULTS", "60").stdout(Stdio::null()).spawn().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = Store::open_existing(&path).unwrap();
    for id in ids {
        assert_eq!(store.results(id).unwrap()["adder"].len(), 60);
    }
    assert_eq!(store.history("adder", None).unwrap().len(), 3);
}

#[test]
fn a_killed_program_leaves_every_finished_result() {
    let (_dir, path) = place();
    let mut child = program(&path, "e1").stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let printed: Vec<String> = lines.map_while(Result::ok).filter(|line| line.starts_with("kept")).take(40).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(printed.len(), 40);
    let store = Store::open(&path).unwrap();
    assert!(store.results("e1").unwrap()["adder"].len() >= 40);
    let check: String = rusqlite::Connection::open(&path)
        .unwrap()
        .pragma_query_value(None, "integrity_check", |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    // the next program continues
    store.begin(&begun("e1")).unwrap();
    store.append("adder", &result("t", 1)).unwrap();
    store.finish(&evaluation("e1", "2026-03-01T12:00:05Z", &[("adder", 0.5)])).unwrap();
    assert_eq!(store.history("adder", None).unwrap().len(), 1);
}

#[test]
fn a_rate_of_too_few_results_is_none() {
    let (_dir, path) = place();
    let store = Store::open(&path).unwrap();
    let mut unsound = evaluation("e1", "2026-03-01T12:00:05Z", &[("adder", 1.0), ("other", 1.0)]);
    unsound.skills[0].counts.unscored = 1;
    store_evaluation(&store, &unsound);
    let rates: Vec<_> = store.completion_rates().unwrap().into_iter().map(|rate| (rate.skill, rate.rate)).collect();
    assert_eq!(rates, [("adder".to_owned(), None), ("other".to_owned(), Some(1.0))]);
    assert!(store.newest(&["adder".to_owned()]).unwrap()["adder"].counts.is_unsound());
    assert_eq!(store.skills().unwrap(), ["adder", "other"]);
    assert!(store.benchmarks("nobody").unwrap().is_empty());
}

/// SQLite doesn't wait when two programs switch a new database to WAL at once.
#[test]
fn programs_that_open_a_new_store_at_once_all_get_it() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..60 {
        let path = folder.path().join(format!("{round}.db"));
        let start = std::sync::Barrier::new(6);
        std::thread::scope(|scope| {
            let open = || {
                start.wait();
                Store::open(&path).map(drop)
            };
            let opened: Vec<_> = (0..6).map(|_| scope.spawn(open)).collect();
            for thread in opened {
                thread.join().unwrap().unwrap();
            }
        });
    }
}
