//! Assertion sets, weights, layers and the composite.

use eval_spec::call::Trace;
use eval_spec::{Layer, Outcome, Output};
use serde_json::{Value, json};

use super::{Row, check, details, replies, row};
use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{RecordedProject, RecordedResult, both, ended};

#[test]
#[rustfmt::skip]
fn not_inverts_evaluated_assertions_and_a_set_counts_once() {
    let (f, b) = ("fact", "behavior");
    let yes = || json!({"type": "contains", "value": "fox"});
    let no = || json!({"type": "contains", "value": "cat"});
    let cost = |value: f64| json!({"type": "cost_max", "value": value});
    let set = |mode: &str, children: Value| json!({"type": "assert-set", "mode": mode, "children": children});
    let not = |mut written: Value| { written["not"] = json!(true); written };
    let counts = |p: u32, f: u32, u: u32| json!({"passed": p, "failed": f, "unscored": u});
    // `zh` has no cost, `plain` costs 0.25.
    let rows = [
        row("plain", f, not(yes()), false, json!({"found": true})),
        row("plain", f, not(no()), true, json!({"found": false})),
        row("plain", b, not(cost(1.0)), false, json!(0.25)),
        row("zh", b, not(cost(1.0)), None, Value::Null),
        row("plain", f, set("any", json!([no(), yes()])), true, counts(1, 1, 0)),
        row("plain", f, set("all", json!([no(), yes()])), false, counts(1, 1, 0)),
        row("plain", f, set("all", json!([not(no()), yes()])), true, counts(2, 0, 0)),
        row("plain", f, not(set("any", json!([no(), no()]))), true, counts(0, 2, 0)),
        // Mixed children count as behaviour.
        row("plain", b, set("all", json!([yes(), {"type": "min_length", "value": 1}])), true, counts(2, 0, 0)),
        row("plain", b, set("all", json!([{"type": "max_length", "value": 1}, {"type": "min_length", "value": 1}])), false, counts(1, 1, 0)),
        // Nested: not (no or (yes and cost over the limit)).
        row("plain", b, not(set("any", json!([no(), set("all", json!([yes(), cost(0.1)]))]))), true, counts(0, 2, 0)),
        // One child can settle a set; an unknown child leaves it open, inverted or not.
        row("zh", b, set("any", json!([{"type": "min_length", "value": 1}, cost(1.0)])), true, counts(1, 0, 1)),
        row("zh", b, set("all", json!([{"type": "max_length", "value": 1}, cost(1.0)])), false, counts(0, 1, 1)),
        row("zh", b, not(set("all", json!([{"type": "min_length", "value": 1}, cost(1.0)]))), None, counts(1, 0, 1)),
        row("zh", b, set("any", json!([not(cost(1.0))])), None, counts(0, 0, 1)),
    ];
    let context = TestContext::new();
    let details = details(&context, &replies(), &rows);
    // The report adds fields to children, so they are compared separately below.
    let rows: Vec<Row> = rows.into_iter().map(|mut row| { row.written.as_object_mut().unwrap().remove("children"); row }).collect();
    check(&rows, &details);
    let child = |i: usize, j: usize| (details[i]["children"][j]["type"].clone(), details[i]["children"][j]["passed"].clone());
    assert_eq!(child(4, 0), (json!("contains"), json!(false)));
    assert_eq!(child(4, 1), (json!("contains"), json!(true)));
    assert_eq!(details[6]["children"][0]["not"], json!(true));
    assert_eq!(details[10]["children"][1]["children"][1]["passed"], json!(false));
    assert_eq!(details[10]["children"][1]["layer"], json!("behavior"));
    assert_eq!(child(13, 1), (json!("cost_max"), Value::Null));
    assert_eq!(details[14]["message"], "the cost is unknown");
}

#[test]
fn assertion_set_has_its_own_weight() {
    let rows = [
        row("plain", "fact", json!({"type": "contains", "value": "fox"}), true, Value::Null),
        row(
            "plain",
            "fact",
            json!({"type": "assert-set", "mode": "all", "weight": 3, "children": [
                {"type": "contains", "value": "cat", "weight": 100}, {"type": "contains", "value": "fox", "weight": 100}]}),
            false,
            Value::Null,
        ),
    ];
    let context = TestContext::new();
    details(&context, &replies(), &rows);
    let report = context.report();
    let plain = &report["results"][0]["variants"]["v1"];
    // 1 of 1 + 3.
    assert_eq!(plain["layeredScores"]["factScore"], json!(2.0));
    assert_eq!((&plain["assertions"]["passed"], &plain["assertions"]["total"]), (&json!(1), &json!(2)));
}

#[test]
fn layers_and_composite_match_hand_computed_scores() {
    // Hundredths of fact and behaviour: 1 + 4·0.75 = 4, 1 + 4·0.5 = 3; both layers weigh the same.
    let prepared = RecordedProject::new(2, &["v1"], 1, &[Layer::Fact, Layer::Behavior], |at| match at.sample {
        0 => both(75, 50),
        _ => both(100, 0),
    });
    let report = prepared.report(1, &[]);
    let first = &report["results"][0]["variants"]["v1"];
    assert_eq!(first["layeredScores"], json!({"factScore": 4.0, "behaviorScore": 3.0, "judgeScore": null}));
    assert_eq!(first["compositeScore"], json!(3.5));
    assert_eq!(first["assertions"]["score"], json!(3.5), "all in one pot: 125 of 200");
    let second = &report["results"][1]["variants"]["v1"];
    // The agent reports one turn and no tools, so tools are known not to have been called.
    assert_eq!(second["layeredScores"], json!({"factScore": 5.0, "behaviorScore": 1.0, "judgeScore": null}));
    assert_eq!(second["compositeScore"], json!(3.0));
    let summary = &report["summary"]["v1"];
    assert_eq!(summary["avgCompositeScore"], json!(3.25));
    assert_eq!(summary["avgAssertionScore"], json!(3.25));
    assert_eq!(summary["avgLlmScore"], Value::Null);
    let layer = |name: &str| (summary["layers"][name]["mean"].clone(), summary["layers"][name]["n"].clone());
    assert_eq!(layer("fact"), (json!(4.5), json!(2)));
    assert_eq!(layer("behavior"), (json!(2.0), json!(2)));
    assert_eq!(summary["layers"]["judge"], Value::Null);
}

#[test]
fn layers_count_equally_whatever_their_weight() {
    let rows = [
        row("plain", "fact", json!({"type": "contains", "value": "fox"}), true, Value::Null),
        row("plain", "fact", json!({"type": "contains", "value": "dog"}), true, Value::Null),
        row("plain", "fact", json!({"type": "contains", "value": "cat", "weight": 2}), false, Value::Null),
        row("plain", "behavior", json!({"type": "max_length", "value": 1}), false, Value::Null),
    ];
    let context = TestContext::new();
    details(&context, &replies(), &rows);
    let report = context.report();
    let plain = &report["results"][0]["variants"]["v1"];
    // Fact 2 of 4 → 3; behaviour 0 of 1 → 1; composite 2. Pooled, it would be 2 of 5 → 2.6.
    assert_eq!(plain["layeredScores"], json!({"factScore": 3.0, "behaviorScore": 1.0, "judgeScore": null}));
    assert_eq!(plain["compositeScore"], json!(2.0));
    assert_eq!(plain["assertions"]["score"], json!(2.6));
}

#[test]
fn unscored_layer_makes_the_composite_missing() {
    let behavior_unknown = || {
        let RecordedResult::Output(output) = both(100, 0) else { unreachable!() };
        RecordedResult::Output(Box::new(Output { trace: Trace::default(), ..*output }))
    };
    let prepared = RecordedProject::new(12, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], |at| {
        match (at.variant, at.sample) {
            (1, 2) => behavior_unknown(),
            (1, 3) => ended(Outcome::Refused),
            _ => both(80, 80),
        }
    });
    let report = prepared.report(1, &[]);
    let missing = &report["results"][2]["variants"]["v2"];
    assert_eq!(missing["ok"], json!(true));
    assert_eq!(missing["layeredScores"], json!({"factScore": 5.0, "behaviorScore": null, "judgeScore": null}));
    assert_eq!(missing["compositeScore"], Value::Null, "never a mean over fewer layers");
    assert_eq!(missing["missing"][0]["what"], "composite");
    assert_eq!(missing["missing"][0]["why"], "the executor gives no trace");
    let summary = &report["summary"]["v2"];
    assert_eq!((&summary["plannedScores"], &summary["missingScores"]), (&json!(12), &json!(2)));
    assert_eq!(summary["avgCompositeScore"], json!(4.2), "a mean over the ten that have one");
    assert_eq!(report["comparisons"][0]["n"], json!(10));
}

#[test]
fn sample_without_assertions_has_null_layers_and_a_composite_of_0() {
    let context = TestContext::with_agent();
    context.samples(3, &json!([]));
    let refused = context.run(&["eval", "--control", "v1", "--executor", "./agent"]).expect(2);
    assert!(refused.stderr.contains("no sample has anything that scores its answers"), "{refused:#?}");
    assert!(refused.stderr.contains("eval-samples") && !context.home().join("journal").exists(), "{refused:#?}");
    let done = context.run(&["eval", "--control", "v1", "--executor", "./agent", "--report-only"]).expect(0);
    assert!(done.stdout.contains("unknown"), "{}", done.stdout);
    let report = context.report();
    assert_eq!(report["summary"]["v1"]["avgCompositeScore"], json!(0.0));
    assert_eq!(report["summary"]["v1"]["layers"], json!({"fact": null, "behavior": null, "judge": null}));
    assert_eq!(report["summary"]["v1"]["avgAssertionScore"], Value::Null);
    let result = &report["results"][0]["variants"]["v1"];
    assert_eq!(result["compositeScore"], json!(0.0));
    assert_eq!(result["layeredScores"], json!({"factScore": null, "behaviorScore": null, "judgeScore": null}));
}
