//! Statuses, rates, latencies, intervals and tables of a report, compared with hand-computed values.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::skills;

use super::{Case, check, fail, pass};
use crate::fixtures::context::TestContext;

#[test]
fn statuses_decide_which_results_count() {
    let context = TestContext::new();
    context.write("broken.mjs", "export default () => { throw new Error('no opinion'); };\n");
    let code = "import json, sys, time
request = json.load(sys.stdin)
kind = request['params']['kind']
if kind == 'timeout': time.sleep(600)
if kind == 'error': sys.exit(1)
print(json.dumps({'jsonrpc': '2.0', 'id': request['id'], 'result': kind}))
";
    let skill = json!({"entrypoint": "python3 skill.py", "inputSchema": {"type": "object"}});
    skills::write(&context.path("skills/one"), &skill, &json!({}), &[("skill.py", code)]);
    let task = |kind: &str| {
        let expected = json!({"type": if kind == "unscored" { "custom" } else { "exact" }, "value": "pass", "customScorerPath": "broken.mjs"});
        let mut task = json!({"id": kind, "inputData": {"kind": kind}, "expectedOutput": expected});
        if kind == "timeout" {
            task["timeoutMs"] = json!(250);
        }
        task
    };
    let kinds = ["pass", "fail", "error", "timeout", "unscored"];
    context.write_json("tasks.json", &kinds.iter().map(|kind| task(kind)).collect());
    let report = context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 3);
    let of = &report["skills"][0];
    let statuses: Vec<&str> =
        of["taskResults"].as_array().unwrap().iter().map(|result| result["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, kinds);
    let summary = &of["summary"];
    assert_eq!((&summary["completionRate"], &summary["errorRate"]), (&json!(0.25), &json!(0.5)));
    assert_eq!((&summary["partialScore"], &of["taskResults"][3]["latencyMs"]), (&json!(0.25), &json!(250.0)));
    assert_eq!(of["taskResults"][4]["score"], Value::Null);
    assert!(of["taskResults"][4]["reason"].as_str().unwrap().contains("no opinion"));
    assert!(!report["notes"].as_array().unwrap().is_empty(), "uncounted results are reported");
    let shown = context.run(&["eval", "--skills", "skills", "--tasks", "tasks.json"]).expect(3).stdout;
    for words in ["unscored", "timeout", "error", "could not be counted"] {
        assert!(shown.contains(words), "no `{words}` in {shown}");
    }
}

#[test]
fn up_to_five_percent_of_results_may_be_unscored() {
    let context = TestContext::new();
    context.write("broken.mjs", "export default () => undefined;\n");
    let custom = json!({"type": "custom", "customScorerPath": "broken.mjs"});
    for (passing, code) in [(19, 0), (18, 3)] {
        let mut cases: Vec<Case> = (0..passing).map(|_| pass(json!("x"), json!({"value": "x"}))).collect();
        cases.push(Case {
            output: json!("x"),
            expected: custom.clone(),
            evaluator: None,
            status: "unscored",
            score: None,
        });
        check(&context, &cases, &[], code);
    }
}

/// Answers by kind: right, half right, an error, or right except for the first time.
const MIXED: &str = "import json, sys
asked = 0
for line in sys.stdin:
    request = json.loads(line)
    kind = request['params']['kind']
    answer = {'jsonrpc': '2.0', 'id': request['id'], 'usage': {'totalTokens': 10}}
    if kind == 'flaky': asked += 1
    if kind == 'error': answer['error'] = {'code': 1, 'message': 'always'}
    else: answer['result'] = 'one' if kind == 'half' or (kind == 'flaky' and asked == 1) else 'one two'
    print(json.dumps(answer), flush=True)
";

#[cfg(target_os = "linux")]
#[test]
fn start_of_a_persistent_process_is_not_latency() {
    let context = TestContext::new();
    let code = format!("import time; time.sleep(0.4)\n{MIXED}");
    let lines = json!({"protocol": "jsonrpc-lines"});
    skills::write(
        &context.path("skills/calc"),
        &json!({"entrypoint": "python3 skill.py"}),
        &lines,
        &[("skill.py", &code)],
    );
    let tasks: Vec<Value> = (0..4)
        .map(|n| json!({"id": format!("t{n}"), "inputData": {"kind": "pass"}, "expectedOutput": {"keywords": ["one"]}, "evaluator": {"type": "contains"}}))
        .collect();
    context.write_json("b.json", &json!({"id": "b", "version": "1.0.0", "maxLatencyMs": 60_000, "tasks": tasks}));
    let report = context.evaluate(&["--skills", "skills", "--benchmark", "./b.json"], 0);
    let skill = &report["skills"][0];
    let starts: Vec<f64> =
        skill["taskResults"].as_array().unwrap().iter().filter_map(|result| result["startMs"].as_f64()).collect();
    assert!(matches!(starts[..], [one] if one >= 400.0), "one process, and all of its start: {starts:?}");
    assert_eq!(skill["summary"]["meanStartMs"].as_f64(), Some(starts[0]));
}

#[test]
fn metrics_match_hand_computed_values() {
    let context = TestContext::new();
    let skill = json!({"entrypoint": "python3 skill.py", "inputSchema": {"type": "object"}});
    let lines = json!({"protocol": "jsonrpc-lines"});
    skills::write(&context.path("skills/mixed"), &skill, &lines, &[("skill.py", MIXED)]);
    skills::write(&context.path("skills/dead"), &json!({"entrypoint": "python3 none.py"}), &json!({}), &[("x", "")]);
    let task = |kind: &str| json!({"id": kind, "inputData": {"kind": kind}, "expectedOutput": {"keywords": ["one", "two"]}, "evaluator": {"type": "contains"}});
    let tasks: Vec<Value> = ["pass", "half", "error", "flaky"].iter().map(|kind| task(kind)).collect();
    context.write_json("b.json", &json!({"id": "b", "version": "1.0.0", "maxLatencyMs": 60_000, "tasks": tasks}));
    let report = context.evaluate(&["--skills", "skills", "--benchmark", "./b.json", "--runs", "3"], 0);
    let of = |id: &str| report["skills"].as_array().unwrap().iter().find(|one| one["skillId"] == id).unwrap().clone();
    let (mixed, dead) = (of("mixed"), of("dead"));
    let number = |key: &str| mixed["summary"][key].as_f64().unwrap();
    let is = |key: &str, expected: f64| {
        assert!((number(key) - expected).abs() < 1e-9, "{key}: {} is not {expected}", number(key))
    };

    // pass 3/3, half 0/3 with half a score, error 0/3, flaky 2/3 with half a score once.
    is("completionRate", 5.0 / 12.0);
    is("partialScore", (3.0 + 1.5 + 0.0 + 2.5) / 12.0);
    is("errorRate", 3.0 / 12.0);
    // The runs complete 1/4, 2/4, 2/4: mean 5/12, variance ((1/6)² + 2·(1/12)²) / 3 = 1/72.
    is("consistencyScore", 1.0 - (1.0_f64 / 72.0).sqrt());
    is("flipRate", 1.0 / 4.0);
    is("passHatK", 1.0 / 4.0);
    is("tokenCost", 10.0);
    let mut rates: Vec<f64> =
        mixed["runs"].as_array().unwrap().iter().map(|run| run["completionRate"].as_f64().unwrap()).collect();
    rates.sort_by(f64::total_cmp);
    assert_eq!(rates, [0.25, 0.5, 0.5]);

    // Twelve latencies: nearest rank takes the 6th, the 12th (⌈11.4⌉) and the 12th.
    let mut latencies: Vec<f64> =
        mixed["taskResults"].as_array().unwrap().iter().map(|result| result["latencyMs"].as_f64().unwrap()).collect();
    latencies.sort_by(f64::total_cmp);
    assert_eq!(latencies.len(), 12);
    is("p50LatencyMs", latencies[5]);
    is("p95LatencyMs", latencies[11]);
    is("p99LatencyMs", latencies[11]);
    is("compositeScore", 0.5 * (5.0 / 12.0) + 0.2 * (1.0 - latencies[11] / 60_000.0) + 0.3 * (1.0 - 0.25));

    assert_eq!((&dead["summary"]["completionRate"], &dead["summary"]["errorRate"]), (&json!(0.0), &json!(1.0)));
    assert_eq!(dead["summary"]["compositeScore"], 0.0, "quick to fail is no merit");
}

#[test]
fn report_has_intervals_and_everything_needed_to_rescore() {
    let context = TestContext::new();
    let exact = || json!({"type": "exact", "value": 1});
    let half = |n: i64| -> Vec<Case> {
        (0..10).map(|at| if at < n { pass(json!(1), exact()) } else { fail(json!(2), exact()) }).collect()
    };
    let interval = |report: &Value| report["skills"][0]["summary"]["completionInterval"].clone();

    let one = check(&context, &half(5), &["--seed", "7"], 0);
    // Wilson for 5 of 10: (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    let (z, n, p) = (1.959_963_984_540_054_f64, 10.0_f64, 0.5_f64);
    let (middle, width) = (p + z * z / (2.0 * n), z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt());
    let by_hand = [(middle - width) / (1.0 + z * z / n), (middle + width) / (1.0 + z * z / n)];
    let found = interval(&one);
    assert_eq!((&found["method"], &found["level"]), (&json!("wilson"), &json!(0.95)));
    assert!((found["low"].as_f64().unwrap() - by_hand[0]).abs() < 1e-6, "{found} {by_hand:?}");
    assert!((found["high"].as_f64().unwrap() - by_hand[1]).abs() < 1e-6, "{found} {by_hand:?}");

    let several = interval(&check(&context, &half(5), &["--seed", "7", "--runs", "3"], 0));
    assert_eq!(several["method"], "clustered-bootstrap");
    assert_eq!(
        several,
        interval(&check(&context, &half(5), &["--seed", "7", "--runs", "3"], 0)),
        "drawn from the seed"
    );
    // Runs of a task are no independent tasks: three runs say no more than one.
    assert!(several["high"].as_f64().unwrap() - several["low"].as_f64().unwrap() > 0.4, "{several}");
    let all = interval(&check(&context, &half(10), &["--runs", "3"], 0));
    assert_eq!((&all["method"], &all["high"]), (&json!("clustered-wilson"), &json!(1.0)));
    assert!(all["low"].as_f64().unwrap() < 0.75, "ten tasks, not thirty: {all}");

    let skill = &one["skills"][0];
    for (hash, of) in [(&skill["skillHash"], "skill"), (&one["benchmark"]["hash"], "benchmark")] {
        assert_eq!(hash.as_str().unwrap().len(), 64, "{of}");
    }
    assert_eq!((&one["toolVersion"], &one["settings"]["seed"]), (&json!(env!("CARGO_PKG_VERSION")), &json!(7)));
    let failed = &skill["taskResults"][5];
    assert_eq!((&failed["input"], &failed["expected"]), (&json!({"case": 5}), &exact()));
    assert_eq!((&failed["output"], &failed["attempts"], &failed["run"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(failed["scorer"], "exact_match");
    // The hash covers the files: one more file changes it.
    context.write("skills/one/more.txt", "more");
    let again = context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    assert_ne!(again["skills"][0]["skillHash"], skill["skillHash"]);
}

#[test]
fn results_are_grouped_by_tag() {
    let context = TestContext::new();
    skills::lookup(&context.path("skills/one"), &[(json!({"n": 1}), json!(1)), (json!({"n": 2}), json!(0))]);
    let task = |id: &str, n: i64, tags: Value| json!({"id": id, "inputData": {"n": n}, "expectedOutput": {"value": n}, "tags": tags});
    let tasks = json!([
        task("a", 1, json!(["math", "easy"])),
        task("b", 2, json!(["math"])),
        task("c", 3, json!(["text"])),
        task("d", 1, json!([]))
    ]);
    context.write_json("tasks.json", &tasks);
    let report = context.evaluate(&["--skills", "skills", "--tasks", "tasks.json"], 0);
    let tags = report["skills"][0]["tagResults"].as_object().unwrap();
    let rates: BTreeMap<&str, (&Value, &Value, &Value)> =
        tags.iter().map(|(tag, of)| (tag.as_str(), (&of["tasks"], &of["completionRate"], &of["errorRate"]))).collect();
    let (zero, half, all) = (json!(0.0), json!(0.5), json!(1.0));
    let expected =
        [("easy", (&json!(1), &all, &zero)), ("math", (&json!(2), &half, &zero)), ("text", (&json!(1), &zero, &all))];
    assert_eq!(rates, expected.into_iter().collect::<BTreeMap<_, _>>());
    let table = context.read("reports/eval-result.md");
    for tag in ["easy", "math", "text"] {
        assert!(table.lines().any(|line| line.starts_with('|') && line.contains(tag)), "no {tag} in {table}");
    }
}
