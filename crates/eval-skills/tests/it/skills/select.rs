//! `select` and the selection of `run`: ranking, filters, reasons.

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{evaluated, ids, skill, tasks};

#[test]
fn select_ranks_filters_and_gives_reasons() {
    let context = TestContext::new();
    // `b` and `a` are equally good, `c` is worse, `d` fails, `e` has no report.
    for (folder, passes) in [("b", 4), ("a", 4), ("c", 3), ("d", 1)] {
        skill(&context, &format!("skills/{folder}"), passes, 4);
    }
    context.write_json("tasks.json", &tasks(4));
    context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    skill(&context, "skills/e", 4, 4);
    context.write("strategy.yaml", "sortBy: completionRate\n");
    let select = ["select", "--reports", "reports/eval-result.json", "--strategy", "strategy.yaml", "--from"];
    let selected = |more: &[&str]| {
        let finished = context.run(&[&select[..], more].concat()).expect(0);
        assert!(!finished.stderr.is_empty(), "people read a table");
        finished.json()
    };

    let all = selected(&["skills"]);
    assert_eq!(ids(&all["skills"]), ["a", "b", "c", "d"], "ties break by id");
    assert_eq!((ids(&all["excluded"]), &all["excluded"][0]["why"]["rule"]), (vec!["e"], &json!("noReport")));
    let ranks: Vec<&Value> = all["skills"].as_array().unwrap().iter().map(|one| &one["rank"]).collect();
    assert_eq!(ranks, [1, 2, 3, 4]);

    let some = selected(&["skills", "--min-completion", "0.75", "--top-k", "2"]);
    assert_eq!(ids(&some["skills"]), ["a", "b"]);
    let why: Vec<&str> =
        some["excluded"].as_array().unwrap().iter().map(|one| one["why"]["rule"].as_str().unwrap()).collect();
    assert_eq!((ids(&some["excluded"]), why), (vec!["c", "d", "e"], vec!["topK", "completionRate", "noReport"]));
    assert!(some["excluded"][1]["reason"].as_str().unwrap().contains("25.0 %"), "{some}");

    // Lists of skills, and an earlier selection.
    context.write_json("list.json", &json!([{"id": "c"}, {"id": "a"}, {"id": "unknown"}]));
    let listed = selected(&["list.json"]);
    assert_eq!((ids(&listed["skills"]), ids(&listed["excluded"])), (vec!["a", "c"], vec!["unknown"]));
    let finished =
        context.run(&[&select[..], &["skills", "--top-k", "3", "--output", "chosen.json"]].concat()).expect(0);
    assert!(
        serde_json::from_str::<Value>(&finished.stdout).is_err() && finished.stdout.contains("a "),
        "{finished:#?}"
    );
    assert_eq!(ids(&selected(&["chosen.json"])["skills"]), ["a", "b", "c"]);
    context.write("list.json", "{}");
    context.run(&[&select[..], &["list.json"]].concat()).expect(2);

    // Low latency is best by default. Known latencies are written into the report.
    let mut report: Value = serde_json::from_str(&context.read("reports/eval-result.json")).unwrap();
    for (skill, latency) in report["skills"].as_array_mut().unwrap().iter_mut().zip([30.0, 20.0, 40.0, 20.0]) {
        for result in skill["taskResults"].as_array_mut().unwrap() {
            result["latencyMs"] = json!(latency);
        }
        for percentile in ["p50LatencyMs", "p95LatencyMs", "p99LatencyMs"] {
            skill["summary"][percentile] = json!(latency);
        }
        skill["summary"]["compositeScore"] = Value::Null;
        for tag in skill["tagResults"].as_object_mut().unwrap().values_mut() {
            tag["p95LatencyMs"] = json!(latency);
        }
    }
    context.write_json("reports/eval-result.json", &report);
    let by_id: Vec<&str> =
        report["skills"].as_array().unwrap().iter().map(|s| s["skillId"].as_str().unwrap()).collect();
    assert_eq!(by_id, ["a", "b", "c", "d"]);
    for (strategy, expected) in
        [("sortBy: latency\n", ["b", "d", "a", "c"]), ("sortBy: latency\norder: desc\n", ["c", "a", "b", "d"])]
    {
        context.write("strategy.yaml", strategy);
        assert_eq!(ids(&selected(&["skills"])["skills"]), expected, "{strategy}");
    }
    context
        .write("strategy.yaml", "filters: {maxLatencyP95Ms: 25, adapterTypes: [subprocess], requiredTags: [nope]}\n");
    let none = selected(&["skills"]);
    let why: Vec<&str> =
        none["excluded"].as_array().unwrap().iter().map(|one| one["why"]["rule"].as_str().unwrap()).collect();
    assert_eq!(why, ["latencyP95", "tags", "latencyP95", "tags", "noReport"]);
    context.write("strategy.yaml", "sortBy: beauty\n");
    context.run(&[&select[..], &["skills"]].concat()).expect(2).says(&["beauty"]);
}

#[test]
fn select_ignores_incomplete_reports_and_names_changed_skills() {
    let context = TestContext::new();
    skill(&context, "skills/a", 4, 4);
    context.write_json("tasks.json", &tasks(4));
    let mut report = context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    let select = |more: &[&str]| context.run(&[&["select", "--from", "skills"], more].concat()).expect(0);
    let whole = select(&["--reports", "reports/eval-result.json"]);
    assert!(!whole.stderr.contains("changed"), "{whole:#?}");
    assert_eq!(whole.json()["skills"][0]["stale"], false);
    // A newer evaluation was interrupted.
    report["status"] = json!("interrupted");
    report["id"] = json!("20990101-000000");
    report["finishedAt"] = json!("2099-01-01T00:00:00Z");
    context.write_json("stopped.json", &report);
    let both = select(&["--reports", "reports/eval-result.json", "stopped.json"]).json();
    assert!(both["skills"][0]["report"]["evaluation"] != "20990101-000000", "{both}");
    let alone = select(&["--reports", "stopped.json"]).json();
    assert_eq!(alone["excluded"][0]["why"], json!({"rule": "incomplete", "evaluation": "20990101-000000"}));
    // The configured value applies without the flag.
    skill(&context, "skills/a", 3, 4);
    context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    context.write("eval-skills.config.yaml", "minCompletion: 0.8\n");
    assert_eq!(select(&[]).json()["excluded"][0]["why"]["rule"], "completionRate");
    assert_eq!(ids(&select(&["--min-completion", "0.7"]).json()["skills"]), ["a"]);
    // The files differ from the evaluated ones.
    skill(&context, "skills/a", 4, 4);
    let stale = select(&["--min-completion", "0.7"]).says(&["the files of `a` changed since it was evaluated"]);
    assert_eq!(stale.json()["skills"][0]["stale"], true);
    let found = context.run(&["find", "--json"]).expect(0).json();
    assert_eq!(
        (&found["skills"][0]["completionRates"][0]["stale"], &found["skills"][0]["completionRate"]),
        (&json!(true), &json!(0.75))
    );
    assert!(context.run(&["find"]).expect(0).stdout.contains("75%* "));
}

/// The documented pattern `./reports/eval-result-*.json`, after evaluations on two benchmarks.
#[test]
fn select_uses_the_newest_or_the_named_benchmark() {
    let context = TestContext::new();
    let first = evaluated(&context, "one", 3, &[]);
    context.write_json(
        "other.json",
        &json!({"id": "other", "name": "Other", "version": "1.0.0", "domain": "general", "scoringMethod": "mean",
            "tasks": [{"id": "o", "inputData": {"n": 0}, "expectedOutput": {"type": "exact", "value": 0}}]}),
    );
    skills::lookup(&context.path("skills/two"), &[(json!({"n": 0}), json!(0))]);
    let second = context.evaluate(&["--skills", "skills/two", "--benchmark", "./other.json"], 0);
    let files = ["first.json", "second.json"];
    context.write_json(files[0], &first);
    context.write_json(files[1], &second);
    let own = first["benchmark"]["id"].as_str().unwrap();
    for reports in [&["--reports", files[0], files[1]][..], &[]] {
        let select = |more: &[&str]| context.run(&[&["select", "--from", "skills"], reports, more].concat());
        let newest = select(&[]).expect(0).says(&["only its reports count: 1 candidate was", "--benchmark"]).json();
        assert_eq!((&newest["skills"][0]["id"], &newest["benchmark"]["id"]), (&json!("two"), &json!("other")));
        let excluded = &newest["excluded"][0];
        assert_eq!((&excluded["id"], &excluded["why"]["rule"]), (&json!("one"), &json!("otherBenchmark")));
        let asked = select(&["--benchmark", own]).expect(0).json();
        assert_eq!((&asked["skills"][0]["id"], &asked["excluded"][0]["id"]), (&json!("one"), &json!("two")));
        select(&["--benchmark", "none"]).expect(2).says(&["`none`", "other", own]);
    }
}

#[test]
fn minimum_completion_comes_from_flag_then_strategy_then_configuration() {
    let context = TestContext::new();
    evaluated(&context, "one", 3, &[]);
    context.write("eval-skills.config.yaml", "minCompletion: 0.9\n");
    context.write("strategy.yaml", "filters: {minCompletionRate: 0.7}\n");
    let selected = |more: &[&str]| {
        let selection = context.run(&[&["select", "--from", "skills"], more].concat()).expect(0).json();
        selection["skills"].as_array().unwrap().len()
    };
    assert_eq!(selected(&[]), 0, "0.9 of the configuration");
    assert_eq!(selected(&["--strategy", "strategy.yaml"]), 1, "0.7 of the strategy");
    assert_eq!(selected(&["--strategy", "strategy.yaml", "--min-completion", "0.8"]), 0);
    context.write("silent.yaml", "sortBy: latency\n");
    assert_eq!(selected(&["--strategy", "silent.yaml"]), 0);
    let run = ["run", "--skills-dir", "skills", "--tasks", "tasks.json", "--strategy", "strategy.yaml", "--json"];
    let found = context.run(&run).expect(0).json();
    assert_eq!(found["selection"]["skills"].as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn run_does_not_overwrite_other_files_with_its_selection() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    context.write_json("reports/selected.json", &report);
    let before = context.tree();
    let run = ["run", "--skills-dir", "skills", "--tasks", "tasks.json"];
    context.run(&run).expect(2).says(&["reports/selected.json", "an eval-skills result"]);
    assert_eq!(context.tree(), before, "nothing was evaluated");
    std::fs::remove_file(context.path("reports/selected.json")).unwrap();
    context.run(&run).expect(0);
    context.run(&run).expect(0);
}

#[test]
fn directory_without_a_skill_selects_nothing_and_says_so() {
    let context = TestContext::new();
    context.write("reports/notes.md", "none");
    context.run(&["select", "--from", "reports"]).expect(2).says(&["there is no skill in `reports`", "skill.json"]);
    context.run(&["find", "--skills-dir", "reports"]).expect(0).says(&["there is no skill in `reports`"]);
}
