//! Many comparisons on one test set are counted, and said.

use eval_spec::Layer;
use serde_json::Value;

use crate::fixtures::recorded::{RecordedProject, fact};
use crate::fixtures::scores::ground;

fn compared(project: &RecordedProject, flags: &[&str]) -> Value {
    project.eval(&[&["--output-dir", "out", "--report-only", "--json"], flags].concat()).expect(0).json()
}

fn said(report: &Value) -> Option<&Value> {
    let insights = report["analysis"]["insights"].as_array().unwrap();
    insights.iter().find(|of| of["messageKey"]["id"] == "report-insight-many-comparisons")
}

#[test]
fn the_fifth_comparison_on_a_test_set_is_said_to_be_one() {
    let project = RecordedProject::new(8, &["v1", "v2"], 1, &[Layer::Fact], |at| fact(ground(at.sample)));
    for earlier in 0..4 {
        let report = compared(&project, &["--seed", &earlier.to_string()]);
        assert_eq!(report["meta"]["earlierComparisons"].as_u64().unwrap_or(0), earlier);
        assert_eq!(said(&report), None);
    }
    let report = compared(&project, &[]);
    assert_eq!(report["meta"]["earlierComparisons"], 4);
    let values = &said(&report).expect("the fifth")["messageKey"]["args"];
    assert_eq!((&values["number"], &values["share"]), (&Value::from(5.0), &Value::from("11.9 %")));
    // a run that is taken up again is no further comparison
    let id = report["id"].as_str().unwrap();
    let again = project.context.run(&["eval", "--resume", id, "--output-dir", "out", "--report-only", "--json"]);
    assert_eq!(again.expect(0).json()["meta"]["earlierComparisons"], 4);
    // nor is one on other samples
    project.context.write("eval-samples.yaml", "- { sample_id: s001, prompt: another }\n");
    let other = project.eval(&["--output-dir", "out", "--executor", "true", "--report-only", "--json"]);
    assert_eq!(other.json()["meta"]["earlierComparisons"], Value::Null);
}
