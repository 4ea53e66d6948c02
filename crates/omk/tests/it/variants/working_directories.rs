//! Working directories of variants and samples.

use std::collections::BTreeMap;
use std::fs;

use serde_json::json;

use super::run;
use crate::fixtures::context::TestContext;

/// The directory of each cell, relative to the project, by `sample/variant`.
fn directories(context: &TestContext) -> BTreeMap<String, String> {
    let root = context.root().canonicalize().unwrap();
    let report = context.report();
    let mut found = BTreeMap::new();
    for sample in report["results"].as_array().unwrap() {
        for (name, result) in sample["variants"].as_object().unwrap() {
            let text = result["fullOutput"].as_str().unwrap().trim().to_owned();
            let relative = std::path::Path::new(&text).strip_prefix(&root).unwrap().display().to_string();
            found.insert(format!("{}/{name}", sample["sample_id"].as_str().unwrap()), relative);
        }
    }
    found
}

fn with_directories() -> TestContext {
    let context = TestContext::new();
    for name in ["a", "b", "c", "d"] {
        fs::create_dir(context.path(name)).unwrap();
        context.write(&format!("skills/v{name}.md"), name);
    }
    context.script("agent", "cat > /dev/null\npwd -P\n");
    let samples = json!([{"sample_id": "s1", "prompt": "x"}, {"sample_id": "s2", "prompt": "y", "cwd": "d"}]);
    context.write("eval-samples.json", &samples.to_string());
    context
}

fn eval_in(context: &TestContext, flags: &[&str]) -> BTreeMap<String, String> {
    let agent = context.path("agent");
    context
        .run(&[&["eval", "--executor", agent.to_str().unwrap(), "--report-only", "--no-cache"], flags].concat())
        .expect(0);
    directories(context)
}

fn expected(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(cell, directory)| ((*cell).to_owned(), (*directory).to_owned())).collect()
}

#[test]
fn working_directory_comes_from_flag_file_or_sample() {
    let context = with_directories();
    let all =
        expected(&[("s1/va", "a"), ("s1/vb", "b"), ("s1/vc", "c"), ("s2/va", "d"), ("s2/vb", "d"), ("s2/vc", "d")]);
    let variants = ["--control", "va", "--treatment", "vb,vc"];
    let flags = ["--control-cwd", "a", "--treatment-cwd", "b,c"];
    assert_eq!(eval_in(&context, &[&variants[..], &flags].concat()), all);

    let some = eval_in(&context, &[&variants[..], &["--treatment-cwd", "b"]].concat());
    assert_eq!((some["s1/va"].as_str(), some["s1/vb"].as_str(), some["s1/vc"].as_str()), ("", "b", ""));

    context.write(
        "eval.yaml",
        "control: { artifact: va, cwd: a }\ntreatments:\n  - { artifact: vb, cwd: b }\n  - { artifact: vc, cwd: c }\n",
    );
    assert_eq!(eval_in(&context, &[]), all);
    let moved = eval_in(&context, &["--control-cwd", "c", "--treatment-cwd", "a"]);
    assert_eq!((moved["s1/va"].as_str(), moved["s1/vb"].as_str(), moved["s1/vc"].as_str()), ("c", "a", "c"));
}

#[test]
fn surplus_or_missing_working_directory_is_an_error() {
    let context = with_directories();
    let run = |flags: &[&str]| run(&context, &[&["--control", "va"], flags].concat()).expect(2).stderr;
    assert!(run(&["--treatment", "vb", "--treatment-cwd", "b,c"]).contains("2 directories for 1 treatments"));
    assert!(run(&["--control-cwd", "none"]).contains("`none` is not a directory"));
    assert!(run(&["--treatment", "vb", "--treatment-cwd", "agent"]).contains("`agent` is not a directory"));
}
