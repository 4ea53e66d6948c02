//! Malformed reports: the commands that read them exit with their own code and name the file.

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::verdict::recompute::rich;

/// Replaces the value at a place of a real report by a number, list, text or depth that no run produces.
fn put(report: &Value, pointer: &str, raw: &str) -> String {
    let mut report = report.clone();
    *report.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = json!("@raw@");
    report.to_string().replacen("\"@raw@\"", raw, 1)
}

fn mutants(report: &Value) -> Vec<(String, String)> {
    let numbers = ["1e308", "-1", "4000000000", "18446744073709551616", "NaN", "\"NaN\""];
    let places = [
        "/meta/repeat",
        "/meta/settings/bootstrapSamples",
        "/results/0/variants/v1/compositeScore",
        "/comparisons/0/diff/mean",
    ];
    let each = places.iter().flat_map(|place| numbers.iter().map(move |raw| (*place, (*raw).to_owned())));
    let many = |item: &str| format!("[{}]", vec![item; 100_000].join(","));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let long = json!("x".repeat(1 << 20)).to_string();
    let others = [
        ("/meta/variants", many("\"v1\"")),
        ("/meta/judgeModels", many("\"a:b\"")),
        ("/verdict/reasons", deep.clone()),
        ("/results/0/variants/v1/toolCalls", deep),
        ("/results/0/sample_id", long.clone()),
        ("/meta/variants/0", long),
        ("/summary", "[]".to_owned()),
        ("/results", "{}".to_owned()),
        ("/results", "[null]".to_owned()),
        ("/meta/variants", "[]".to_owned()),
        ("/verdict", "null".to_owned()),
    ];
    let others = others.into_iter();
    let mut all: Vec<(String, String)> = each
        .chain(others)
        .map(|(place, raw)| (format!("{place} {}", raw.chars().take(20).collect::<String>()), put(report, place, &raw)))
        .collect();
    let text = report.to_string();
    all.push(("cut".to_owned(), text[..text.len() / 2].to_owned()));
    all.push(("twice".to_owned(), text.replacen("{\"analysis\":", "{\"id\":\"a\",\"id\":\"b\",\"analysis\":", 1)));
    all.push(("nothing".to_owned(), String::new()));
    all
}

#[test]
fn malformed_reports_are_refused_by_file_name_without_a_panic() {
    let (context, report) = rich(&["--ci", "t"]);
    let path = context.path("hostile.json");
    for (name, text) in mutants(&report) {
        std::fs::write(&path, text).unwrap();
        check(&context, &name, &["report", "verdict", "hostile.json"]);
    }
    // All readers refuse what one refuses; a few files are checked with each of the others.
    for (name, text) in mutants(&report).into_iter().step_by(8) {
        std::fs::write(&path, text).unwrap();
        for command in ["diff", "trend", "failures", "power"] {
            check(&context, &name, &[command, "hostile.json"]);
        }
    }
}

fn check(context: &TestContext, name: &str, arguments: &[&str]) {
    let run = context.run(arguments);
    let shown = || format!("{name}, {arguments:?}: {} {}", run.code, run.stderr.chars().take(2000).collect::<String>());
    assert!(!run.stderr.contains("panicked"), "{}", shown());
    assert!([0, 1, 2, 3].contains(&run.code), "{}", shown());
    assert!(run.code != 2 || run.stderr.contains("hostile"), "{}", shown());
}
