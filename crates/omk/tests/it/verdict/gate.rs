//! `--gate`: which tiers exit with 0.

use serde_json::json;

use crate::fixtures::context::{Finished, TestContext};

/// A comparison of the two skills of the project over so many samples, all of which only `v2` passes.
fn compared(samples: usize, [control, treatment]: [&str; 2], flags: &[&str]) -> (TestContext, Finished) {
    let context = TestContext::with_agent();
    context.write("skills/same.md", "the same\nANSWER better\n");
    context.samples(samples, &json!([{"type": "contains", "value": "better"}]));
    let base = ["eval", "--details", "--executor", "./agent", "--control", control, "--treatment", treatment];
    let finished = context.run(&[&base, flags].concat());
    (context, finished)
}

const GATE: [&str; 2] = ["--gate", "cautious"];

#[test]
fn cautious_passes_only_where_the_gate_is_told_so() {
    let (context, refused) = compared(10, ["v1", "v2"], &[]);
    assert!(refused.stdout.starts_with("CAUTIOUS") && refused.stdout.contains("exit code 1"), "{refused:#?}");
    refused.expect(1);
    let stored = context.report();
    assert_eq!(stored["verdict"]["inputs"]["limits"]["gate"], json!(null), "the default is not written");
    context.run(&["report", "verdict", "latest"]).expect(1);

    let passed = context.run(&["eval", "--details", "--resume", "latest", "--gate", "cautious"]).expect(0);
    let lines = |text: &str| text.lines().filter(|line| line.starts_with("  - ")).count();
    assert!(passed.stdout.contains("exit code 0: the gate lets CAUTIOUS through (`--gate cautious`)"), "{passed:#?}");
    assert!(lines(&passed.stdout) > 0, "with its reasons: {passed:#?}");
    let chinese = context.run(&["eval", "--resume", "latest", "--gate", "cautious", "--lang", "zh"]).expect(0);
    assert!(chinese.stdout.contains("门禁放行 CAUTIOUS"), "{chinese:#?}");
    let report = context.report();
    assert_eq!((&report["verdict"]["tier"], &report["verdict"]["exitCode"]), (&json!("CAUTIOUS"), &json!(0)));
    assert_eq!(report["verdict"]["perTreatment"], stored["verdict"]["perTreatment"], "the reasons are the same");
    assert_eq!(report["verdict"]["inputs"]["limits"]["gate"], "cautious");
    let again = context.run(&["report", "verdict", "latest"]).expect(0);
    assert!(again.stdout.contains("lets CAUTIOUS through"), "{again:#?}");
}

#[test]
fn gate_is_a_setting_of_eval_yaml() {
    let (context, _) = compared(10, ["v1", "v2"], &[]);
    let project = |gate: &str| {
        let text = format!("executor: ./agent\ncontrol: v1\ntreatments: [v2]\ngate: {gate}\n");
        context.write("eval.yaml", &text);
    };
    project("cautious");
    context.run(&["eval"]).expect(0);
    context.run(&["eval", "--gate", "progress"]).expect(1);
    project("progress");
    context.run(&["eval"]).expect(1);
    project("regress");
    assert!(context.run(&["eval"]).expect(2).stderr.contains("cautious"));
    context.run(&["eval", "--gate", "noise"]).expect(2);
}

#[test]
fn no_other_tier_passes() {
    for (tier, samples, variants) in
        [("REGRESS", 24, ["v2", "v1"]), ("UNDERPOWERED", 3, ["v1", "v2"]), ("NOISE", 60, ["v2", "same"])]
    {
        let (context, finished) = compared(samples, variants, &GATE);
        assert!(finished.stdout.contains("exit code 1: the gate refuses"), "{tier}: {finished:#?}");
        finished.expect(1);
        assert_eq!(context.report()["verdict"]["tier"], tier);
    }
    compared(24, ["v1", "v2"], &GATE).1.expect(0);
}
