//! Gap rates over time, and what changed in the knowledge base between them.

use std::fs;

use serde_json::{Value, json};

use super::{eval, project, said, set_samples};
use crate::fixtures::context::TestContext;

#[test]
fn trend_shows_gap_rates_with_their_test_set_and_never_mixes_two() {
    let context = project();
    eval(&context);
    context.write("filled", "");
    eval(&context);
    let set = context.report()["meta"]["testSet"]["id"].as_str().unwrap().to_owned();
    set_samples(&context, &["the table", "other", "more"]);
    eval(&context);
    let trend = context.run(&["trend"]).expect(0);
    for text in [
        "knowledge gaps of `v1`",
        "commit",
        "coverage",
        "sample set",
        "samples",
        "cost",
        "50.0 %",
        "0.0 %",
        "100.0 %",
        "does not represent",
    ] {
        assert!(said(&trend).contains(text), "{text}\n{}", trend.stdout);
    }
    let document: Value = serde_json::from_str(&context.run(&["trend", "--json"]).expect(0).stdout).unwrap();
    let series = document["series"].as_array().unwrap();
    let sizes: Vec<usize> = series.iter().map(|of| of["points"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [2, 1]);
    let points = series[0]["points"].as_array().unwrap();
    let rates: Vec<&Value> = points.iter().map(|point| &point["gaps"][0]["gapRate"]).collect();
    assert_eq!(rates, [&json!(0.5), &json!(0.0)]);
    for of in points.iter().map(|point| &point["gaps"][0]) {
        assert_eq!(
            (&of["testSet"]["id"], &of["testSet"]["sampleCount"], &of["coverage"]),
            (&json!(set), &json!(2), &json!(1.0))
        );
    }
}

/// What changed in the knowledge base before each run of the first series of `omk trend`.
fn changes(context: &TestContext) -> Vec<Value> {
    let document: Value = context.run(&["trend", "--json"]).expect(0).json();
    let points = document["series"][0]["points"].as_array().unwrap();
    points.iter().map(|point| point["gaps"][0]["knowledgeChange"].clone()).collect()
}

#[test]
fn runs_before_which_the_knowledge_base_changed_are_marked() {
    let context = project();
    eval(&context);
    context.write("docs/b.md", "revenue");
    context.write("filled", "");
    eval(&context);
    fs::rename(context.path("docs/b.md"), context.path("docs/c.md")).unwrap();
    eval(&context);
    context.write("docs/a.md", "other");
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nOther text.\n");
    eval(&context);
    fs::remove_file(context.path("docs/c.md")).unwrap();
    eval(&context);
    let points = context.run(&["trend", "--json"]).expect(0).json()["series"][0]["points"].clone();
    let since = |at: usize| points[at]["id"].clone();
    let change = |at: usize, added: &[&str], changed: &[&str], removed: &[&str], artifact: bool| json!({"since": since(at), "added": added, "changed": changed, "removed": removed, "artifact": artifact});
    let expected = [
        Value::Null,
        change(0, &["docs/b.md"], &[], &[], false),
        // a file that only moved
        Value::Null,
        change(2, &[], &["docs/a.md"], &[], true),
        change(3, &[], &[], &["docs/c.md"], false),
    ];
    assert_eq!(changes(&context), expected);
    let trend = context.run(&["trend"]).expect(0);
    for text in [
        "▼",
        "1 file added (docs/b.md)",
        "1 file changed (docs/a.md); the artifact changed",
        "1 file removed (docs/c.md)",
        "before 3 runs, what agents can read had changed",
        "the knowledge base converges",
        "A rate near 0 is no finish line",
    ] {
        assert!(said(&trend).contains(text), "{text}\n{}", trend.stdout);
    }
    assert!(said(&context.run(&["trend", "--lang", "zh"])).contains("资产有变化"));
    // Other samples have no run before.
    set_samples(&context, &["the table", "other", "more"]);
    context.write("docs/d.md", "d");
    eval(&context);
    assert_eq!(changes(&context), expected);
    assert_eq!(
        context.run(&["trend", "--json"]).json()["series"][1]["points"][0]["gaps"][0].get("knowledgeChange"),
        None
    );
}

/// A blind report has the files' names, and not what stands for their contents.
#[test]
fn runs_without_hashes_of_files_tell_which_were_added_and_not_which_changed() {
    let context = project();
    eval(&context);
    context.write("docs/a.md", "other");
    context.write("docs/b.md", "b");
    eval(&context);
    for path in context.reports() {
        let mut report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        report["analysis"]["coverage"]["v1"].as_object_mut().unwrap().remove("fileHashes").unwrap();
        fs::write(&path, report.to_string()).unwrap();
    }
    let change = &changes(&context)[1];
    assert_eq!((&change["added"], &change["changed"]), (&json!(["docs/b.md"]), &Value::Null));
}
