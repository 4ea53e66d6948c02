//! A check without which a difference has the other sign, or none.

use eval_spec::Layer;
use serde_json::{Value, json};

use super::flat;
use crate::fixtures::judged::JudgedProject;
use crate::fixtures::recorded::{RecordedProject, assertions, fact};
use crate::fixtures::scores::tier;

fn turning(report: &Value) -> Vec<&Value> {
    let insights = report["analysis"]["insights"].as_array().unwrap();
    insights.iter().filter(|of| of["type"] == "turning_check").collect()
}

/// Of 63 and 70 hundredths, the check `alpha` has 0 and 37: without it the control passes all that is left, and the
/// treatment 33 of 63.
fn bought(samples: usize, control: u32, treatment: u32) -> RecordedProject {
    RecordedProject::new(samples, &["v1", "v2"], 1, &[Layer::Fact], move |at| {
        fact(if at.variant == 0 { control } else { treatment })
    })
}

#[test]
fn check_that_makes_a_gain_is_named_beside_the_verdict() {
    let project = bought(40, 63, 70);
    let report = project.report(0, &["--report-only"]);
    let found = turning(&report);
    let [one] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!(one["message"], "without check `contains alpha` the difference of `v2` is -1.90, not +0.28");
    assert_eq!((&one["severity"], one["sampleIds"].as_array().unwrap().len()), (&json!("warning"), 40));
    assert_ne!(tier(&report), "REGRESS", "it changes no tier");
    let path = project.context.write("report.json", &report.to_string());
    let path = path.to_str().unwrap();
    for format in ["terminal", "markdown", "html"] {
        let shown = project.context.run(&["report", "export", path, "--format", format]).expect(0).stdout;
        let shown = flat(&shown);
        assert!(shown.contains("contains alpha") && shown.contains("the difference of"), "{format}: {shown}");
    }
    let again = project.context.run(&["report", "verdict", path, "--json"]).expect(0).json();
    assert_eq!(again["agrees"], true, "{again:#}");
}

#[test]
fn check_that_makes_a_loss_is_named_too() {
    let report = bought(40, 70, 63).report(0, &["--report-only"]);
    assert_eq!(
        turning(&report)[0]["message"],
        "without check `contains alpha` the difference of `v2` is +1.90, not -0.28"
    );
}

#[test]
fn nothing_is_said_where_no_single_check_turns_the_difference() {
    assert!(turning(&bought(40, 0, 70).report(0, &["--report-only"])).is_empty(), "all checks gain");
    assert!(turning(&bought(5, 63, 70).report(0, &["--report-only"])).is_empty(), "fewer than six samples share it");
    assert!(turning(&bought(40, 70, 70).report(0, &["--report-only"])).is_empty(), "no difference");
    let one_check = |at: usize| json!({"sample_id": format!("s{at:03}"), "prompt": format!("question {at}"), "assertions": [assertions(&[Layer::Fact])[0]]});
    let alone = RecordedProject::with_samples((1..=24).map(one_check).collect(), &["v1", "v2"], 1, |at| {
        fact(if at.variant == 0 { 0 } else { 70 })
    });
    assert!(turning(&alone.report(0, &["--report-only"])).is_empty(), "without the only check nothing is left");
}

#[test]
fn dimension_that_makes_a_gain_is_named() {
    let project = JudgedProject::judged_by(12, |case| {
        let is_tone = case.prompt.contains("is kind");
        let is_better = case.answer.contains("better");
        case.scores(match (is_tone, is_better) {
            (true, true) => 5,
            (true, false) => 1,
            (false, true) => 3,
            (false, false) => 4,
        })
    });
    let sample = |at: usize| {
        let dimensions = json!({"depth": "is deep", "tone": "is kind"});
        json!({"sample_id": format!("s{at:03}"), "prompt": format!("question {at}"), "dimensions": dimensions})
    };
    project.context.write("eval-samples.json", &(1..=12).map(sample).collect::<Value>().to_string());
    project.run(&["--report-only"]).expect(0);
    let report = project.context.report();
    assert_eq!(turning(&report)[0]["message"], "without check `tone` the difference of `v2` is -1.00, not +1.50");
    let again = project.context.run(&["report", "verdict", "latest", "--json"]).expect(0).json();
    assert_eq!(again["agrees"], true, "{again:#}");
}
