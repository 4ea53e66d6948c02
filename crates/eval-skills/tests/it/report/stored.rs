//! Validation of stored reports by the commands that read them.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::numbered::evaluated;

#[test]
fn edited_report_is_refused_by_every_reading_command() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    context.write_json("good.json", &report);
    let edited = |change: &dyn Fn(&mut Value)| {
        let mut report = report.clone();
        change(&mut report);
        context.write_json("r.json", &report);
    };
    let commands: [&[&str]; 3] = [
        &["report", "convert", "--input", "r.json", "--format", "html", "--output", "-"],
        &["report", "diff", "good.json", "r.json"],
        &["select", "--from", "skills", "--reports", "r.json"],
    ];
    edited(&|_| ());
    commands.iter().for_each(|command| drop(context.run(command).expect(0)));
    let refused = |says: &str| {
        for command in commands {
            context.run(command).expect(2).says(&["`r.json`", says, "hint: "]);
        }
    };
    edited(&|report| {
        for status in ["pass", "fail", "error"] {
            report["skills"][0]["counts"][status] = json!(u64::MAX);
        }
    });
    refused("of `one` `counts.error` is 1.8446744073709552e19, and its task results come to 1");
    edited(&|report| report["skills"][0]["summary"]["completionRate"] = json!(1e300));
    refused("of `one` `summary.completionRate` is 1e300, and its task results come to 0.75");
    edited(&|report| report["schemaVersion"] = json!(99));
    refused("has format version 99");
}

#[test]
fn error_about_another_kind_of_file_is_translated() {
    let context = TestContext::new();
    context.write("list.json", "[]");
    let chinese = |arguments: &[&str]| context.run_with(arguments, &[("OMK_LANG", "zh")]).expect(2);
    chinese(&["report", "convert", "--input", "list.json", "--format", "html"]).says(&["它是JSON 列表"]);
    context.write("skill.json", "7");
    chinese(&["select", "--from", "skill.json", "--reports", "list.json"]).says(&["无法读取候选列表：它不是技能数组"]);
}

#[test]
fn sides_with_the_same_name_are_distinguished() {
    let context = TestContext::new();
    let report = evaluated(&context, "one", 3, &[]);
    for name in ["old/eval-result.json", "new/eval-result.json", "eval-result.json", "v2.json"] {
        context.write_json(name, &report);
    }
    let title = |more: &[&str]| {
        let shown = context.run(&[&["report", "diff"], more].concat()).expect(0).stdout;
        shown.lines().next().unwrap().to_owned()
    };
    assert_eq!(title(&["old/eval-result.json", "v2.json"]), "# eval-result → v2");
    assert_eq!(title(&["old/eval-result.json", "new/eval-result.json"]), "# old/eval-result → new/eval-result");
    let labelled = title(&["old/eval-result.json", "new/eval-result.json", "--label-a", "before"]);
    assert_eq!(labelled, "# before → eval-result");
    let mut other = report.clone();
    other["id"] = json!("20990101-000000");
    context.write_json("x/old/eval-result.json", &other);
    let ids = title(&["old/eval-result.json", "x/old/eval-result.json"]);
    assert_eq!(ids, format!("# eval-result {} → eval-result 20990101-000000", report["id"].as_str().unwrap()));
}
