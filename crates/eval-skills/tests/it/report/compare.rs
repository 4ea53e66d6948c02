//! `report convert`, `report diff` and `trend`.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{benchmark, skill};

#[test]
fn reports_are_converted_and_compared() {
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
    // Each result with its own values, in the order of the report.
    context.run(&["report", "convert", "--input", "bad.json", "--format", "jsonl", "--output", "bad.jsonl"]).expect(0);
    let lines: Vec<Value> = context.read("bad.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let report: Value = serde_json::from_str(&context.read("bad.json")).unwrap();
    let results = report["skills"][0]["taskResults"].as_array().unwrap();
    assert_eq!(lines.len(), results.len());
    for (line, result) in lines.iter().zip(results) {
        for (key, of) in [("task", "taskId"), ("run", "run"), ("status", "status"), ("score", "score")] {
            assert_eq!(line[key], result[of], "{key}");
        }
        for key in ["input", "expected", "output"] {
            assert_eq!(line[key], result[key], "{key}");
        }
        assert_eq!(line["skill"], report["skills"][0]["skillId"]);
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
    // Seven of seven flips have the same direction: 2 · 0.5^7.
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

    // An interrupted report says nothing about the remaining tasks, on either side; neither does one that lacks tasks.
    let altered = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut report: Value = serde_json::from_str(&context.read("good.json")).unwrap();
        change(&mut report);
        context.write_json(name, &report);
    };
    // Keeps the first three results, which passed, and adapts the numbers.
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
    // A complete report of a smaller benchmark.
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
fn trend_shows_the_completion_rate_over_time() {
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

    // A misspelt id is an error, not a skill without a history.
    context.run(&["trend", "--skill", "clac"]).expect(2).says(&["no evaluation of `clac`", "`calc`"]);
    context.run(&["trend", "--skill", "calc", "--benchmark", "bb"]).expect(2).says(&["on `bb`", "b"]);
    let none = context.run(&["trend", "--skill", "nobody", "--json"]).expect(2).json();
    assert!(none["series"].is_null(), "{none}");
    context.run(&["trend", "--skill", "calc", "--store", "no.db"]).expect(2).says(&["no.db"]);
    assert!(!context.path("no.db").exists(), "a look creates no store");
}

/// The skill's folder doesn't tell that an installed program, or a service, is another one.
#[test]
fn programs_that_changed_or_are_not_known_are_named() {
    let context = TestContext::new();
    let service = testkit::skills::service();
    let url = format!("{}/calculate", service.url);
    testkit::skills::http_calculator(&context.path("skills/remote"), &url, &json!({}));
    testkit::skills::http_calculator(&context.path("skills/second"), &url, &json!({}));
    testkit::skills::write(&context.path("skills/local"), &json!({"entrypoint": "mytool"}), &json!({}), &[]);
    testkit::skills::write(&context.path("skills/folder"), &json!({"entrypoint": "./tool"}), &json!({}), &[]);
    let program = "cat >/dev/null\necho '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"value\":5}}'\n";
    context.script("skills/folder/tool", program);
    context.write_json(
        "tasks.json",
        &json!([{"id": "t", "inputData": {"expression": "2+3"}, "expectedOutput": {"value": 5}}]),
    );
    let path = format!("{}:{}", context.path("bin").display(), std::env::var("PATH").unwrap());
    let evaluate = |tool: &str, name: &str| {
        context.script("bin/mytool", tool);
        let eval = ["eval", "--skills", "skills", "--tasks", "tasks.json", "--json"];
        let report = context.run_with(&eval, &[("PATH", &path)]).expect(0).json();
        context.write_json(name, &report);
        report
    };
    let report = evaluate(program, "a.json");
    let programs = |skill: &Value| (skill["skillId"].as_str().unwrap().to_owned(), skill["programHash"].is_string());
    let hashes: Vec<(String, bool)> = report["skills"].as_array().unwrap().iter().map(programs).collect();
    let expected = [("folder", true), ("local", true), ("remote", false), ("second", false)];
    assert_eq!(hashes, expected.map(|(id, is_known)| (id.to_owned(), is_known)));
    evaluate(&format!("{program}# another version\n"), "b.json");

    let parts = |a: &str, b: &str| {
        let diff = context.run(&["report", "diff", a, b, "--json"]).expect(0).json();
        let skills = diff["skills"].as_array().unwrap().clone();
        let parts = |skill: &Value| json!([skill["a"], skill["sameFiles"], skill["changed"], skill["unknown"]]);
        skills.iter().map(parts).collect::<Vec<_>>()
    };
    let services = [json!(["remote", true, [], ["program"]]), json!(["second", true, [], ["program"]])];
    let local = json!(["local", false, ["program"], []]);
    assert_eq!(parts("a.json", "b.json"), [&[json!(["folder", true, [], []]), local][..], &services].concat());
    let local = json!(["local", true, [], []]);
    assert_eq!(parts("b.json", "b.json"), [&[json!(["folder", true, [], []]), local][..], &services].concat());
    let shown = context.run(&["report", "diff", "a.json", "b.json"]).expect(0);
    let shown = shown.stdout;
    assert!(shown.contains("local 1.0.0 (the same files, run by another program"), "{shown}");
    assert_eq!(shown.matches("not known").count(), 1, "{shown}");
    assert!(shown.contains("not known whether the program or service behind remote, second changed"), "{shown}");

    // A report that was written before programs were stored.
    let mut older: Value = serde_json::from_str(&context.read("a.json")).unwrap();
    older["skills"].as_array_mut().unwrap().iter_mut().for_each(|skill| drop(skill["programHash"].take()));
    context.write_json("older.json", &older);
    assert_eq!(parts("older.json", "b.json")[1], json!(["local", null, [], ["program"]]));
    assert_eq!(parts("older.json", "older.json")[1], json!(["local", true, [], ["program"]]));
}

#[test]
fn folders_of_reports_are_compared_and_files_that_changed_are_named() {
    let context = TestContext::new();
    testkit::skills::lookup(&context.path("one"), &[(json!({"n": 0}), json!("x"))]);
    context.write("one/notes.txt", "first");
    context.write("one/old.txt", "");
    context.write_json("tasks.json", &json!([{"id": "t", "inputData": {"n": 0}, "expectedOutput": {"value": "x"}}]));
    let evaluate = |folder: &str| {
        context.run(&["eval", "--skills", "one", "--tasks", "tasks.json", "--output-dir", folder]).expect(0);
    };
    evaluate("before");
    context.write("one/notes.txt", "second");
    std::fs::remove_file(context.path("one/old.txt")).unwrap();
    evaluate("after");
    let shown = context.run(&["report", "diff", "before", "after"]).expect(0).stdout;
    for words in ["its files changed", "files of one that changed: notes.txt, old.txt", "# before → after"] {
        assert!(shown.contains(words), "no `{words}` in {shown}");
    }
    assert!(!shown.contains("name it second"), "{shown}");
    let reversed = context.run(&["report", "diff", "after", "before"]).expect(0).stdout;
    assert!(reversed.contains("ended after") && reversed.contains("name it second"), "{reversed}");
    let converted =
        context.run(&["report", "convert", "--input", "after", "--format", "csv", "--output", "-"]).expect(0);
    assert!(converted.stdout.starts_with("evaluation,"), "{converted:#?}");
    context.run(&["report", "diff", "before", "one"]).expect(2).says(&["one", "directory", "eval-result"]);

    let mut unread: Value = serde_json::from_str(&context.read("after/eval-result.json")).unwrap();
    unread["skills"][0]["files"]["notes.txt"] = Value::Null;
    context.write_json("unread.json", &unread);
    let diff = context.run(&["report", "diff", "unread.json", "unread.json", "--json"]).expect(0).json();
    assert_eq!(
        (&diff["skills"][0]["changedFiles"], &diff["skills"][0]["unreadFiles"]),
        (&json!([]), &json!(["notes.txt"]))
    );
    let shown = context.run(&["report", "diff", "unread.json", "after"]).expect(0).stdout;
    assert!(shown.contains("files of one that could not be read: notes.txt"), "{shown}");
}
