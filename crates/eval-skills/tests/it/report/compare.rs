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
