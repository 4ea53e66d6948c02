//! K1, K2, K6, K7, K8, K11: the commands, as a user types them.

use serde_json::{Value, json};
use testkit::skills;

use crate::fixtures::context::TestContext;

/// Tasks `t1`… with the inputs `{"n": 1}`…, each of which expects its number.
fn tasks(count: usize) -> Value {
    let task = |n| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"value": n}});
    (1..=count).map(task).collect()
}

/// A skill that passes the first `passes` of these tasks, gives wrong answers to the rest up to `knows`, and errors after.
fn skill(context: &TestContext, folder: &str, passes: usize, knows: usize) {
    let answer = |n| (json!({"n": n}), if n <= passes { json!(n) } else { json!("wrong") });
    let answers: Vec<(Value, Value)> = (1..=knows).map(answer).collect();
    skills::lookup(&context.path(folder), &answers);
}

/// A benchmark `b` of so many tasks.
fn benchmark(context: &TestContext, count: usize) {
    context.write_json("b.json", &json!({"id": "b", "version": "1.0.0", "tasks": tasks(count)}));
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

#[test]
fn k1_global_flags_stand_before_and_after_the_subcommand() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    context.write("other.yaml", "concurrency: 7\n");

    let after = context.run(&["find", "--json"]).expect(0).json();
    assert_eq!(context.run(&["--json", "find"]).expect(0).json(), after);
    assert_eq!(ids(&after["skills"]), ["one"]);

    for arguments in [
        ["-c", "other.yaml", "config", "get", "concurrency"],
        ["config", "--config", "other.yaml", "get", "concurrency"],
        ["config", "get", "concurrency", "-c", "other.yaml"],
    ] {
        assert_eq!(context.run(&arguments).expect(0).stdout, "7\n", "{arguments:?}");
    }

    let version = format!("eval-skills {}\n", env!("CARGO_PKG_VERSION"));
    for arguments in [&["--version"][..], &["eval", "--version"], &["--version", "eval"]] {
        assert_eq!(context.run(arguments).expect(0).stdout, version);
    }
    for arguments in [&["-h"][..], &["--help"], &["eval", "-h"], &["report", "diff", "--help"]] {
        let help = context.run(arguments).expect(0);
        assert!(help.stdout.contains("--no-color") && help.stderr.is_empty(), "{help:#?}");
        assert!(help.stdout.lines().all(|line| line.chars().count() <= 100), "{help:#?}");
    }

    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json"];
    let told = |arguments: &[&str]| context.run(arguments).expect(0).stderr.contains("one/t1 (run 1): pass");
    assert!(told(&[&["-v"][..], &eval].concat()) && told(&[&eval[..], &["--verbose"]].concat()));
    assert!(!told(&eval));
    for arguments in [[&["--no-color"][..], &eval].concat(), [&eval[..], &["--no-color"]].concat()] {
        let plain = context.run_with(&arguments, &[("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1")]).expect(0);
        assert!(!plain.stdout.contains('\u{1b}') && !plain.stderr.contains('\u{1b}'), "{plain:#?}");
    }
}

#[test]
fn k2_what_is_wrong_ends_with_2_before_anything_runs() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    let before = context.listing();
    let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json"];
    for (more, wrong) in [
        (&["--skills", "missing"][..], &["missing"][..]),
        (&["--format", "pdf"], &["pdf", "--format"]),
        (&["--format", "json", "pdf"], &["pdf"]),
        (&["--concurrency", "four"], &["four", "--concurrency"]),
        (&["--concurrency", "0"], &["--concurrency"]),
        (&["--concurrency", "-1"], &["-1"]),
        (&["--timeout", "30s"], &["30s", "--timeout"]),
        (&["--runs", "1.5"], &["1.5", "--runs"]),
        (&["--runs", "0"], &["--runs"]),
        (&["--retries", "many"], &["many", "--retries"]),
        (&["--min-completion", "80"], &["80", "--min-completion"]),
        (&["--min-completion", "1.01"], &["1.01"]),
        (&["--min-completion", "-0.1"], &["-0.1"]),
        (&["--min-completion", "NaN"], &["NaN"]),
        (&["--min-completion", "high"], &["high"]),
        (&["--evaluator", "exakt"], &["exakt", "exact"]),
        (&["--benchmark", "coding-easy"], &["--benchmark", "--tasks"]),
        (&["--no-such-flag"], &["--no-such-flag"]),
        (&["-c", "no.yaml"], &["no.yaml"]),
    ] {
        context.run(&[&eval[..], more].concat()).expect(2).says(wrong);
    }
    for arguments in [
        &["eval"][..],
        &["evil"],
        &[],
        &["report"],
        &["find", "--min-completion", "2"],
        &["find", "--adapter", "soap"],
        &["select", "--from", "nowhere"],
        &["report", "diff", "a.json", "b.json"],
        &["report", "convert", "--input", "a.json", "--format", "html"],
        &["report", "convert", "--input", "tasks.json", "--format", "html"],
        &["run", "--skills-dir", "nowhere"],
        &["trend", "--skill", "one"],
        &["eval", "--resume", "latest"],
    ] {
        let ended = context.run(arguments).expect(2);
        assert!(!ended.stderr.trim().is_empty(), "{arguments:?} says nothing");
    }
    assert_eq!(context.listing(), before, "nothing was to be written");
}

#[test]
fn k2_the_gate_ends_with_1_and_only_when_it_is_asked() {
    let context = TestContext::new();
    skill(&context, "skills/good", 4, 4);
    skill(&context, "skills/bad", 2, 4);
    context.write_json("tasks.json", &tasks(4));
    let eval = ["--skills", "skills", "--tasks", "tasks.json"];
    let report = context.evaluate(&eval, 0);
    assert_eq!(report.get("gate"), None, "nobody asked");
    // The default is 0.7.
    let report = context.evaluate(&[&eval[..], &["--exit-on-fail"]].concat(), 1);
    assert_eq!(
        report["gate"],
        json!({"minCompletion": 0.7, "passed": false, "failing": ["bad"], "reasons": ["below"]})
    );
    // At the threshold is not below it.
    let report = context.evaluate(&[&eval[..], &["--exit-on-fail", "--min-completion", "0.5"]].concat(), 0);
    assert_eq!(report["gate"]["passed"], true);
    let shown = context.run(&[&["eval"], &eval[..], &["--exit-on-fail"]].concat()).expect(1).stdout;
    assert!(shown.contains("gate refused") && shown.contains("bad"), "{shown}");
    context.run(&["run", "--tasks", "tasks.json", "--exit-on-fail"]).expect(1);
}

#[test]
fn k6_a_dry_run_checks_everything_and_writes_nothing() {
    let context = TestContext::new();
    skill(&context, "skills/one", 3, 3);
    skill(&context, "skills/two", 3, 3);
    benchmark(&context, 3);
    let before = context.listing();
    let dry = ["eval", "--skills", "skills", "--dry-run", "--benchmark"];
    let plan = context.run(&[&dry[..], &["./b.json", "--runs", "2", "--json"]].concat()).expect(0).json();
    assert_eq!((&plan["executions"], &plan["runs"], &plan["benchmark"]["tasks"]), (&json!(12), &json!(2), &json!(3)));
    assert_eq!(plan["benchmark"]["scorers"], json!({"exact_match": 3}));
    assert_eq!(ids(&plan["skills"]), ["one", "two"]);
    let shown = context.run(&[&dry[..], &["./b.json", "--runs", "2"]].concat()).expect(0).stdout;
    for words in ["2 skills × 3 tasks × 2 runs = 12 executions", "exact_match 3", "nothing was run"] {
        assert!(shown.contains(words), "no `{words}` in {shown}");
    }
    context.run(&["run", "--benchmark", "coding-easy", "--dry-run"]).expect(0);
    assert_eq!(context.listing(), before);

    let broken = |expected: Value, words: &[&str]| {
        let task = json!({"id": "t", "inputData": {}, "expectedOutput": expected});
        context.write_json("broken.json", &json!([task]));
        let before = context.listing();
        context.run(&["eval", "--skills", "skills", "--dry-run", "--tasks", "broken.json"]).expect(2).says(words);
        assert_eq!(context.listing(), before);
    };
    broken(json!({"type": "regex", "pattern": "("}), &["does not compile", "broken.json"]);
    broken(json!({"type": "schema", "schema": {"type": "strnig"}}), &["strnig"]);
    broken(json!({"type": "llm_judge", "rubric": "good"}), &["llm_judge", "--judge-executor"]);
    broken(json!({"type": "exact"}), &["value"]);
    context.write("scorer.mjs", "export default (\n");
    broken(json!({"type": "custom", "customScorerPath": "scorer.mjs"}), &["scorer.mjs"]);
    context.write_json("skills/one/adapter.config.json", &json!({"comand": "x"}));
    context.run(&[&dry[..], &["./b.json"]].concat()).expect(2).says(&["comand"]);
}

#[test]
fn k7_select_ranks_filters_and_gives_reasons() {
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

    // A list: of skills, or an earlier selection.
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

    // Latency is best when it is low, unless one says otherwise. Latencies are written into the report: known ones.
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
fn k8_reports_are_converted_and_compared() {
    let context = TestContext::new();
    benchmark(&context, 12);
    let recorded = |name: &str, passes: usize, knows: usize| {
        skill(&context, "skills/calc", passes, knows);
        context.evaluate(&["--skills", "skills/calc", "--benchmark", "./b.json"], 0);
        std::fs::copy(context.path("reports/eval-result.json"), context.path(name)).unwrap();
    };
    recorded("good.json", 12, 12);
    recorded("bad.json", 5, 11);

    for (format, sign) in [("html", "<!doctype html>"), ("markdown", "# "), ("csv", "evaluation,"), ("junit", "<?xml")]
    {
        let convert = ["report", "convert", "--input", "bad.json", "--format", format, "--output", "out/converted"];
        context.run(&convert).expect(0);
        let text = context.read("out/converted");
        assert!(text.to_lowercase().starts_with(sign) && text.contains("t12"), "{format}: {text}");
        std::fs::remove_file(context.path("out/converted")).unwrap();
    }
    context.run(&["report", "convert", "--input", "bad.json", "--format", "markdown"]).expect(0);
    assert!(context.path("bad.md").exists(), "beside the input");
    context.run(&["report", "convert", "--input", "bad.json", "--format", "pdf"]).expect(2);
    let onto = ["report", "convert", "--input", "bad.json", "--format", "csv", "--output", "bad.json"];
    context.run(&onto).expect(2);

    let diff = context.run(&["report", "diff", "good.json", "bad.json", "--json"]).expect(0).json();
    let calc = &diff["skills"][0];
    assert_eq!((&calc["completionRate"]["a"], &calc["completionRate"]["better"]), (&json!(1.0), &json!(false)));
    assert!((calc["completionRate"]["diff"].as_f64().unwrap() + 7.0 / 12.0).abs() < 1e-9, "{calc}");
    assert!((calc["errorRate"]["b"].as_f64().unwrap() - 1.0 / 12.0).abs() < 1e-9, "{calc}");
    assert_eq!(calc["errorRate"]["better"], false, "more errors are worse, though the number rose");
    let flipped: Vec<&str> =
        calc["newlyFailing"].as_array().unwrap().iter().map(|task| task["task"].as_str().unwrap()).collect();
    assert_eq!(flipped, ["t6", "t7", "t8", "t9", "t10", "t11", "t12"]);
    assert_eq!(calc["newlyPassing"], json!([]));
    // Seven of seven flips went one way: 2 · 0.5^7.
    assert!((calc["mcnemarP"].as_f64().unwrap() - 2.0 * 0.5_f64.powi(7)).abs() < 1e-9, "{calc}");
    let shown =
        context.run(&["report", "diff", "good.json", "bad.json", "--label-a", "old", "--label-b", "new"]).expect(0);
    for words in ["old", "new", "▼", "-58.3", "t12", "0.016"] {
        let text = shown.stdout.replace('−', "-");
        assert!(text.contains(words), "no `{words}` in {text}");
    }

    context.run(&["report", "diff", "good.json", "bad.json", "--fail-on-regression"]).expect(1).says(&["calc"]);
    context.run(&["report", "diff", "bad.json", "good.json", "--fail-on-regression"]).expect(0);
    context.run(&["report", "diff", "good.json", "good.json", "--fail-on-regression"]).expect(0);

    // One that was stopped says nothing of the rest, on either side, and no more does one that lacks tasks.
    let altered = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut report: Value = serde_json::from_str(&context.read("good.json")).unwrap();
        change(&mut report);
        context.write_json(name, &report);
    };
    // three that passed, and what follows of them
    let cut = |report: &mut Value| {
        let skill = &mut report["skills"][0];
        skill["taskResults"].as_array_mut().unwrap().truncate(3);
        skill["counts"]["pass"] = json!(3);
        skill["runs"][0]["counts"]["pass"] = json!(3);
        for number in skill["summary"].as_object_mut().unwrap().values_mut().filter(|value| value.is_number()) {
            if *number != json!(1.0) && *number != json!(0.0) {
                *number = Value::Null;
            }
        }
        skill["summary"]["compositeScore"] = Value::Null;
        skill["tagResults"] = json!({});
    };
    altered("stopped.json", &|report| {
        cut(report);
        report["status"] = json!("interrupted");
    });
    altered("relabelled.json", &cut);
    // all there is of a smaller benchmark
    altered("cut.json", &|report| {
        cut(report);
        report["benchmark"]["tasks"] = json!(3);
        report["skills"][0]["counts"]["total"] = json!(3);
        report["skills"][0]["runs"][0]["counts"]["total"] = json!(3);
    });
    let gate = |a: &str, b: &str, code| context.run(&["report", "diff", a, b, "--fail-on-regression"]).expect(code);
    let stopped = gate("good.json", "stopped.json", 3).says(&["stopped is incomplete"]);
    assert!(stopped.stdout.contains("- stopped is incomplete"), "{}", stopped.stdout);
    gate("stopped.json", "good.json", 3).says(&["stopped is incomplete"]);
    gate("good.json", "cut.json", 3).says(&["cut lacks 9 tasks of `calc`", "`t10`"]);
    gate("cut.json", "good.json", 0);
    gate("good.json", "relabelled.json", 2).says(&["of `calc` `status` is \"complete\""]);
    let found = context.run(&["report", "diff", "bad.json", "stopped.json", "--json"]).expect(0).json();
    assert_eq!(
        (&found["b"]["status"], &found["skills"][0]["completionRate"]["diff"]),
        (&json!("interrupted"), &json!(0.0))
    );

    // Other contents under the same id, and another benchmark.
    benchmark(&context, 11);
    recorded("changed.json", 11, 11);
    context.run(&["report", "diff", "good.json", "changed.json"]).expect(2).says(&["`b`", "--force"]);
    let other = context.read("good.json").replace("\"id\": \"b\"", "\"id\": \"c\"");
    context.write("other.json", &other);
    context.run(&["report", "diff", "good.json", "other.json"]).expect(2).says(&["`b`", "`c`", "--force"]);
    let forced = context.run(&["report", "diff", "good.json", "changed.json", "--force", "--json"]).expect(0).json();
    assert_eq!((&forced["sameBenchmark"], &forced["skills"][0]["tasks"]), (&json!(false), &json!(11)));
}

#[test]
fn k11_trend_shows_the_completion_rate_over_time() {
    let context = TestContext::new();
    benchmark(&context, 4);
    for passes in [1, 2, 4] {
        skill(&context, "skills/calc", passes, 4);
        context.evaluate(&["--skills", "skills/calc", "--benchmark", "./b.json"], 0);
    }
    let trend = context.run(&["trend", "--skill", "calc", "--benchmark", "b", "--json"]).expect(0).json();
    let points = trend["series"][0]["points"].as_array().unwrap();
    let rates: Vec<&Value> = points.iter().map(|point| &point["completionRate"]).collect();
    assert_eq!(rates, [0.25, 0.5, 1.0]);
    let changed: Vec<&Value> = points.iter().map(|point| &point["skillChanged"]).collect();
    assert_eq!(changed, [&Value::Null, &json!(true), &json!(true)]);
    let shown = context.run(&["trend", "--skill", "calc", "--benchmark", "b"]).expect(0).stdout;
    let places: Vec<Option<usize>> = ["25.0 %", "50.0 %", "100.0 %"].iter().map(|rate| shown.find(rate)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{shown}");

    // a slip is no skill without a history
    context.run(&["trend", "--skill", "clac"]).expect(2).says(&["no evaluation of `clac`", "`calc`"]);
    context.run(&["trend", "--skill", "calc", "--benchmark", "bb"]).expect(2).says(&["on `bb`", "b"]);
    let none = context.run(&["trend", "--skill", "nobody", "--json"]).expect(2).json();
    assert!(none["series"].is_null(), "{none}");
    context.run(&["trend", "--skill", "calc", "--store", "no.db"]).expect(2).says(&["no.db"]);
    assert!(!context.path("no.db").exists(), "a look creates no store");
}

/// Twenty skills that pass all would hide one of which only one result in twenty could be scored.
#[test]
fn m5_a_gate_stays_shut_for_a_skill_that_was_not_scored() {
    let context = TestContext::new();
    context.write(
        "picky.mjs",
        "export default (output) => { if (output === 'odd') throw new Error('odd'); return 1; };\n",
    );
    let task = |n| json!({"id": format!("t{n}"), "inputData": {"n": n}, "expectedOutput": {"type": "custom", "customScorerPath": "picky.mjs"}});
    context.write_json("tasks.json", &(1..=20).map(task).collect());
    for place in 0..20 {
        skill(&context, &format!("skills/good{place}"), 20, 20);
    }
    let answers: Vec<_> = (1..=20).map(|n| (json!({"n": n}), json!(if n == 1 { "fine" } else { "odd" }))).collect();
    skills::lookup(&context.path("skills/bad"), &answers);
    let eval = ["--skills", "skills", "--tasks", "tasks.json", "--exit-on-fail", "--min-completion", "0.7"];
    let report = context.evaluate(&eval, 3);
    let expected = json!({"minCompletion": 0.7, "passed": false, "failing": ["bad"], "reasons": ["uncounted"]});
    assert_eq!(report["gate"], expected);
    // nor is it found or selected
    let found = context.run(&["find", "--min-completion", "0.7", "--limit", "30", "--json"]).expect(0).json();
    assert_eq!((found["total"].clone(), ids(&found["skills"]).contains(&"bad")), (json!(20), false));
    for reports in [&["--reports", "reports/eval-result.json"][..], &[]] {
        let selected = context.run(&[&["select", "--from", "skills"], reports].concat()).expect(0).json();
        assert_eq!(selected["excluded"][0]["why"], json!({"rule": "uncounted", "uncounted": 19, "tried": 20}));
    }
    let diff = ["report", "diff", "reports/eval-result.json", "reports/eval-result.json", "--fail-on-regression"];
    context.run(&diff).expect(3).says(&["could not be counted"]);
}

#[test]
fn k7_select_takes_no_part_for_the_whole_and_says_what_changed() {
    let context = TestContext::new();
    skill(&context, "skills/a", 4, 4);
    context.write_json("tasks.json", &tasks(4));
    let mut report = context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    let select = |more: &[&str]| context.run(&[&["select", "--from", "skills"], more].concat()).expect(0);
    let whole = select(&["--reports", "reports/eval-result.json"]);
    assert!(!whole.stderr.contains("changed"), "{whole:#?}");
    assert_eq!(whole.json()["skills"][0]["stale"], false);
    // a newer one was stopped
    report["status"] = json!("interrupted");
    report["id"] = json!("20990101-000000");
    report["finishedAt"] = json!("2099-01-01T00:00:00Z");
    context.write_json("stopped.json", &report);
    let both = select(&["--reports", "reports/eval-result.json", "stopped.json"]).json();
    assert!(both["skills"][0]["report"]["evaluation"] != "20990101-000000", "{both}");
    let alone = select(&["--reports", "stopped.json"]).json();
    assert_eq!(alone["excluded"][0]["why"], json!({"rule": "incomplete", "evaluation": "20990101-000000"}));
    // the configuration's value counts when the flag wasn't given
    skill(&context, "skills/a", 3, 4);
    context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    context.write("eval-skills.config.yaml", "minCompletion: 0.8\n");
    assert_eq!(select(&[]).json()["excluded"][0]["why"]["rule"], "completionRate");
    assert_eq!(ids(&select(&["--min-completion", "0.7"]).json()["skills"]), ["a"]);
    // the files are others than those that were evaluated
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

/// A skill that works, one without its program, one without its token.
fn one_ready_of_three(context: &TestContext) {
    testkit::skills::python_calculator(&context.path("skills/works"));
    context.skill("skills/no_program", &json!({"entrypoint": "no-such-program x"}));
    context.skill("skills/no_token", &json!({"adapterType": "http", "entrypoint": "http://127.0.0.1:9/"}));
    context.write_json(
        "skills/no_token/adapter.config.json",
        &json!({"authType": "bearer", "authTokenEnvKey": "NO_SUCH_TOKEN"}),
    );
}

#[test]
fn k2_what_cannot_be_called_is_told_at_once_and_before_anything_runs() {
    let context = TestContext::new();
    one_ready_of_three(&context);
    let before = context.listing();
    for more in [&[][..], &["--dry-run"]] {
        let end = context.run(&[&["eval", "--skills", "skills"], more].concat()).expect(2);
        end.says(&["no-such-program", "skills/no_program/skill.json", "NO_SUCH_TOKEN", "skills/no_token/skill.json"]);
    }
    assert_eq!(context.listing(), before);
    // What looks at files alone calls nobody.
    context.run(&["eval", "--skills", "skills", "--benchmark", "skill-quality"]).expect(0);
}

#[test]
fn k2_run_leaves_out_with_a_warning_what_cannot_be_called() {
    let context = TestContext::new();
    one_ready_of_three(&context);
    let end = context.run(&["run", "--json", "--skills-dir", "skills", "--benchmark", "coding-easy"]).expect(0);
    let document = end.says(&["warning", "no-such-program", "NO_SUCH_TOKEN"]).json();
    let evaluated: Vec<&str> = document["evaluation"]["skills"]
        .as_array()
        .unwrap()
        .iter()
        .map(|skill| skill["skillId"].as_str().unwrap())
        .collect();
    assert_eq!(evaluated, ["works"]);
    assert_eq!(document["selection"]["excluded"].as_array().unwrap().len(), 2, "{}", document["selection"]);
}

#[test]
fn k2_output_that_is_lost_is_no_success() {
    let context = TestContext::new();
    for arguments in [&["benchmark", "list"][..], &["config", "list", "--json"], &["eval", "--help"], &["--version"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = context.command(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {said}");
        assert!(said.contains("standard output"), "{said}");
    }
}

#[test]
fn k2_a_file_that_may_not_grow_is_an_error_and_not_our_end() {
    let context = TestContext::new();
    testkit::skills::python_calculator(&context.path("skills/calc"));
    // Blocks of 512 bytes; enough to begin with, and too few for the store.
    let shell = "ulimit -f 24; exec \"$0\" eval --skills skills/calc --benchmark coding-easy --runs 3";
    let mut command = context.command(&[]);
    let program = command.get_program().to_owned();
    let environment: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = std::process::Command::new("sh");
    command.args(["-c", shell]).arg(program).current_dir(context.path(".")).env_clear();
    command.envs(environment.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(matches!(output.status.code(), Some(2 | 3)), "{:?}: {said}", output.status);
    assert!(said.contains("error"), "{said}");
}

#[test]
fn k2_what_stands_in_the_way_of_a_report_is_told_before_anything_runs() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    std::fs::create_dir_all(context.path("reports/eval-result.json")).unwrap();
    let eval = ["eval", "--skills", "skills/one", "--tasks", "tasks.json"];
    context.run(&eval).expect(2).says(&["reports/eval-result.json", "directory"]);
    assert!(!context.path("eval-skills.db").exists());
    std::fs::remove_dir(context.path("reports/eval-result.json")).unwrap();
    context.write_json("reports/eval-result.json", &json!({"kind": "eval-skills-result", "schemaVersion": 99}));
    context.run(&eval).expect(2).says(&["reports/eval-result.json", "99"]);
}

#[test]
fn k2_a_gate_of_run_never_opens_for_want_of_a_skill() {
    let context = TestContext::new();
    skill(&context, "skills/one", 1, 1);
    context.write_json("tasks.json", &tasks(1));
    let run = ["run", "--skills-dir", "skills", "--tasks", "tasks.json"];
    let gated = [&run[..], &["--exit-on-fail", "--min-completion", "0.5"]].concat();
    context.run(&gated).expect(0);
    context.write_json("skills/broken/skill.json", &json!({"id": "broken", "version": "1.0"}));
    context.run(&run).expect(0).says(&["skills/broken/skill.json"]);
    context.run(&gated).expect(2).says(&["skills/broken/skill.json"]);
    std::fs::remove_dir_all(context.path("skills/broken")).unwrap();
    context.skill("skills/gone", &json!({"entrypoint": "no-such-program"}));
    context.run(&run).expect(0).says(&["no-such-program"]);
    context.run(&gated).expect(2).says(&["no-such-program"]);
}
