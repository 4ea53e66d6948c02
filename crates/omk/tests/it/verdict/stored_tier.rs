//! A stored verdict that doesn't follow from the report's own numbers is replaced wherever the report is read.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::RecordedProject;
use crate::report::server::site;

/// A report of 24 samples on which `v2` is worse, with PROGRESS and exit code 0 written into its file.
fn edited() -> (TestContext, Value) {
    let prepared = RecordedProject::pairs(&(0..24).map(|at| (80 + at % 3, 40 + at % 5)).collect::<Vec<_>>());
    let mut report = prepared.report(1, &[]);
    assert_eq!(report["verdict"]["tier"], "REGRESS");
    report["verdict"]["tier"] = json!("PROGRESS");
    report["verdict"]["perTreatment"][0]["tier"] = json!("PROGRESS");
    report["verdict"]["exitCode"] = json!(0);
    let context = prepared.context;
    context.write("edited/report.json", &report.to_string());
    (context, report)
}

const SAID: &str = "the stored verdict is PROGRESS, but the report's own numbers say REGRESS";

#[test]
fn edited_tier_is_replaced_on_every_surface() {
    let (context, _) = edited();
    let report = "edited/report.json";
    for arguments in [
        ["report", "export", report, "--format", "terminal"].as_slice(),
        &["report", "export", report, "--format", "markdown"],
        &["report", "export", report, "--format", "github"],
        &["report", "export", report, "--format", "html"],
        &["report", "export", report, "--format", "gitlab"],
        &["diff", report, report],
        &["trend", "--reports-dir", "edited"],
    ] {
        let shown = context.run(arguments).expect(0).stdout;
        let text = shown.split_whitespace().collect::<Vec<_>>().join(" ").replace("&#39;", "'").replace("&#x27;", "'");
        assert!(text.contains(SAID), "{arguments:?}: {shown}");
        assert!(!text.contains("PROGRESS `v2`") && !text.contains("**PROGRESS**"), "{arguments:?}: {shown}");
    }
    let junit = context.run(&["report", "export", report, "--format", "junit"]).expect(0).stdout;
    assert!(
        junit.contains("name=\"tier\" value=\"REGRESS\"") && junit.contains("name=\"exitCode\" value=\"1\""),
        "{junit}"
    );
    assert!(junit.contains(SAID) || junit.contains("report&apos;s own numbers"), "{junit}");
    let json = context.run(&["report", "export", report, "--format", "json"]).expect(0).json();
    assert_eq!(json["verdict"]["replaced"], json!({"tier": "PROGRESS", "valid": true, "exitCode": 0}));
    assert_eq!((&json["verdict"]["tier"], &json["verdict"]["exitCode"]), (&json!("REGRESS"), &json!(1)));
    let chinese = context.run(&["report", "export", report, "--format", "terminal", "--lang", "zh"]).expect(0).stdout;
    assert!(chinese.contains("所存的判定为 PROGRESS"), "{chinese}");
}

#[test]
fn report_that_follows_says_nothing_of_it() {
    let prepared = RecordedProject::pairs(&(0..24).map(|at| (80 + at % 3, 40 + at % 5)).collect::<Vec<_>>());
    let report = prepared.report(1, &[]);
    assert_eq!(report["verdict"]["replaced"], Value::Null);
    let path = prepared.context.write("reports/report.json", &report.to_string());
    let path = path.to_str().unwrap();
    let shown = prepared.context.run(&["report", "export", path, "--format", "terminal"]).expect(0).stdout;
    assert!(!shown.contains("stored verdict"), "{shown}");
}

#[test]
fn each_part_of_a_stored_verdict_is_compared() {
    let (context, mut report) = edited();
    report["verdict"]["tier"] = json!("REGRESS");
    report["verdict"]["exitCode"] = json!(1);
    let shown = |report: &Value| {
        let path = context.write("edited/other.json", &report.to_string());
        let shown = context.run(&["report", "export", path.to_str().unwrap(), "--format", "terminal"]).expect(0).stdout;
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(shown(&report).contains("the stored tier of `v2` is PROGRESS, but the report's own numbers say REGRESS"));
    report["verdict"]["perTreatment"][0]["tier"] = json!("REGRESS");
    assert!(!shown(&report).contains("own numbers"));
    report["verdict"]["exitCode"] = json!(0);
    assert!(shown(&report).contains("the stored exit code is 0, but the report's own numbers say 1"));
    report["verdict"]["exitCode"] = json!(1);
    report["verdict"]["valid"] = json!(false);
    assert!(shown(&report).contains("the stored verdict is INVALID, but the report's own numbers say REGRESS"));
}

#[test]
fn gate_reads_the_validity_that_follows() {
    let (context, mut report) = edited();
    report["verdict"]["inputs"]["control"]["outcomes"]["failed"] = json!(24);
    report["verdict"]["inputs"]["control"]["missingScores"] = json!(24);
    let path = context.write("edited/invalid.json", &report.to_string());
    let gate = ["diff", path.to_str().unwrap(), "--fail-on-regress"];
    assert!(context.run(&gate).expect(3).stderr.contains("no valid measurement"));
}

#[test]
fn server_lists_and_shows_the_tier_that_follows() {
    let (context, _) = edited();
    let site = site(&context, &["--reports-dir", "edited"]);
    let list = site.page("/");
    assert!(list.contains("REGRESS") && !list.contains("PROGRESS</"), "{list}");
    let run = site.page("/run/report").replace("&#39;", "'").replace("&#x27;", "'");
    assert!(run.contains(SAID), "{run}");
}
