//! Reports that are compared, converted and selected by (K7, K8): whatever was done to them, and wherever they lie.

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;

/// A skill that knows `knows` of the tasks of `tasks.json`, evaluated into `reports/eval-result.json`.
fn evaluated(context: &TestContext, skill: &str, knows: usize, more: &[&str]) -> Value {
    let answers: Vec<(Value, Value)> = (0..knows).map(|n| (json!({"n": n}), json!(n))).collect();
    skills::lookup(&context.path(&format!("skills/{skill}")), &answers);
    let tasks: Vec<Value> =
        (0..4).map(|n| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": n}})).collect();
    context.write_json("tasks.json", &json!(tasks));
    let one = format!("skills/{skill}");
    context.evaluate(&[&["--skills", &one, "--tasks", "tasks.json"], more].concat(), 0)
}

#[test]
fn k8_an_edited_report_is_refused_by_every_command_that_reads_one() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    context.write_json("good.json", &report);
    let edited = |change: &dyn Fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        context.write_json("r.json", &report);
    };
    let commands: [&[&str]; 3] = [
        &["report", "convert", "--input", "r.json", "--format", "html", "--output", "-"],
        &["report", "diff", "good.json", "r.json"],
        &["select", "--from", "skills", "--reports", "r.json"],
    ];
    edited(&|_| ());
    commands.iter().for_each(|command| drop(context.run(command).expect(0)));
    let refused = |says: &str| {
        for command in commands {
            context.run(command).expect(2).says(&["`r.json`", says, "hint: "]);
        }
    };
    edited(&|report| {
        for status in ["pass", "fail", "error"] {
            report["skills"][0]["counts"][status] = json!(u64::MAX);
        }
    });
    refused("of `one` `counts.error` is 1.8446744073709552e19, and its task results come to 1");
    edited(&|report| report["skills"][0]["summary"]["completionRate"] = json!(1e300));
    refused("of `one` `summary.completionRate` is 1e300, and its task results come to 0.75");
    edited(&|report| report["schemaVersion"] = json!(99));
    refused("is of format 99");
}

#[test]
fn k8_what_a_file_is_instead_is_said_in_chinese() {
    let context = TestContext::new();
    context.write("list.json", "[]");
    let chinese = |arguments: &[&str]| context.run_with(arguments, &[("OMK_LANG", "zh")]).expect(2);
    chinese(&["report", "convert", "--input", "list.json", "--format", "html"]).says(&["它是JSON 列表"]);
    context.write("skill.json", "7");
    chinese(&["select", "--from", "skill.json", "--reports", "list.json"]).says(&["无法读取候选列表：它不是技能数组"]);
}

#[test]
fn k8_sides_of_the_same_name_are_told_apart() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    for name in ["old/eval-result.json", "new/eval-result.json", "eval-result.json", "v2.json"] {
        context.write_json(name, &report);
    }
    let title = |more: &[&str]| {
        let shown = context.run(&[&["report", "diff"], more].concat()).expect(0).stdout;
        shown.lines().next().unwrap().to_owned()
    };
    assert_eq!(title(&["old/eval-result.json", "v2.json"]), "# eval-result → v2");
    assert_eq!(title(&["old/eval-result.json", "new/eval-result.json"]), "# old/eval-result → new/eval-result");
    let labelled = title(&["old/eval-result.json", "new/eval-result.json", "--label-a", "before"]);
    assert_eq!(labelled, "# before → eval-result");
    let mut other = report.clone();
    other["id"] = json!("20990101-000000");
    context.write_json("x/old/eval-result.json", &other);
    let ids = title(&["old/eval-result.json", "x/old/eval-result.json"]);
    assert_eq!(ids, format!("# eval-result {} → eval-result 20990101-000000", report["id"].as_str().unwrap()));
}

/// The seed's own `./reports/eval-result-*.json`, after evaluations on two benchmarks.
#[test]
fn k7_reports_of_several_benchmarks_select_by_the_newest_or_by_the_one_asked_for() {
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
fn k7_the_lowest_completion_rate_is_the_flag_s_then_the_strategy_s_then_the_configuration_s() {
    let context = TestContext::new();
    evaluated(&context, "one", 3, &[]);
    context.write("eval-skills.config.yaml", "minCompletion: 0.9\n");
    context.write("strategy.yaml", "filters: {minCompletionRate: 0.7}\n");
    let kept = |more: &[&str]| {
        let selection = context.run(&[&["select", "--from", "skills"], more].concat()).expect(0).json();
        selection["skills"].as_array().unwrap().len()
    };
    assert_eq!(kept(&[]), 0, "0.9 of the configuration");
    assert_eq!(kept(&["--strategy", "strategy.yaml"]), 1, "0.7 of the strategy");
    assert_eq!(kept(&["--strategy", "strategy.yaml", "--min-completion", "0.8"]), 0);
    context.write("silent.yaml", "sortBy: latency\n");
    assert_eq!(kept(&["--strategy", "silent.yaml"]), 0);
    let run = ["run", "--skills-dir", "skills", "--tasks", "tasks.json", "--strategy", "strategy.yaml", "--json"];
    let found = context.run(&run).expect(0).json();
    assert_eq!(found["selection"]["skills"].as_array().unwrap().len(), 1, "{found}");
}

#[test]
fn k7_run_writes_its_selection_over_nothing_of_another_kind() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    context.write_json("reports/selected.json", &report);
    let before = context.listing();
    let run = ["run", "--skills-dir", "skills", "--tasks", "tasks.json"];
    context.run(&run).expect(2).says(&["reports/selected.json", "an eval-skills result"]);
    assert_eq!(context.listing(), before, "nothing was evaluated");
    std::fs::remove_file(context.path("reports/selected.json")).unwrap();
    context.run(&run).expect(0);
    context.run(&run).expect(0);
}

#[test]
fn k6_a_dry_run_shows_how_often_a_connection_is_tried_again() {
    let context = TestContext::new();
    evaluated(&context, "one", 3, &[]);
    let dry = |more: &[&str]| {
        context.run(&[&["eval", "--skills", "skills", "--tasks", "tasks.json", "--dry-run"], more].concat()).expect(0)
    };
    assert_eq!(dry(&["--json"]).json()["transportRetries"], 2);
    assert_eq!(dry(&["--json", "--retries", "1"]).json()["transportRetries"], 1);
    assert!(dry(&[]).stdout.contains("0 retries (2 where the connection fails), sandbox"));
    assert!(dry(&["--retries", "1"]).stdout.contains("1 retry, sandbox"));
}
