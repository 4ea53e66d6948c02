//! `--exit-on-fail`: when the gate opens.

use serde_json::json;
use testkit::skills;

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::{ids, skill, tasks};

#[test]
fn gate_exits_with_1_only_when_requested() {
    let context = TestContext::new();
    skill(&context, "skills/good", 4, 4);
    skill(&context, "skills/bad", 2, 4);
    context.write_json("tasks.json", &tasks(4));
    let eval = ["--skills", "skills", "--tasks", "tasks.json"];
    let report = context.evaluate(&eval, 0);
    assert_eq!(report.get("gate"), None, "no gate was requested");
    // The default is 0.7.
    let report = context.evaluate(&[&eval[..], &["--exit-on-fail"]].concat(), 1);
    assert_eq!(
        report["gate"],
        json!({"minCompletion": 0.7, "passed": false, "failing": ["bad"], "reasons": ["below"]})
    );
    // The threshold itself passes.
    let report = context.evaluate(&[&eval[..], &["--exit-on-fail", "--min-completion", "0.5"]].concat(), 0);
    assert_eq!(report["gate"]["passed"], true);
    let shown = context.run(&[&["eval"], &eval[..], &["--exit-on-fail"]].concat()).expect(1).stdout;
    assert!(shown.contains("gate refused") && shown.contains("bad"), "{shown}");
    context.run(&["run", "--tasks", "tasks.json", "--exit-on-fail"]).expect(1);
}

/// One of 21 skills has a score for only one in twenty results; the other skills must not hide it.
#[test]
fn gate_refuses_a_skill_without_scores() {
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
    // It is neither found nor selected.
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
fn gate_of_run_refuses_unusable_skills() {
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
