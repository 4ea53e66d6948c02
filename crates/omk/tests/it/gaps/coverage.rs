//! Which files of the knowledge base agents accessed, in report and summary.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};
use crate::run::claude::stand_in;
use crate::run::{eval_with, pages, valid};

/// An agent that reads a part of one file, finds lines of another, and lists a third.
fn agent() -> String {
    let call = |name: &str, input: Value, output: &str| json!({"name": name, "input": input, "output": output});
    let calls = [
        call("Read", json!({"file_path": "docs/a.md", "offset": 3, "limit": 4}), "text"),
        call("Read", json!({"file_path": "./docs/a.md", "offset": 7, "limit": 2}), "text"),
        call("Grep", json!({"pattern": "x"}), "docs/sub/b.md:12:x"),
        call("Bash", json!({"command": "ls docs"}), "a.md\nc.md\nsub"),
    ];
    let looked = json!({"output": "two", "toolCalls": calls});
    let knew = json!({"output": "two", "toolCalls": [call("Edit", json!({"file_path": "docs/d.md"}), "done")]});
    format!("if grep -q look; then printf '%s' '{looked}'; else printf '%s' '{knew}'; fi\n")
}

fn context(prompts: [&str; 2]) -> TestContext {
    let context = TestContext::new();
    context.script("agent", &agent());
    context.write("skills/v1/SKILL.md", "---\nname: v1\ndescription: d\n---\nText.\n");
    for name in ["docs/a.md", "docs/sub/b.md", "docs/c.md", "docs/d.md", "docs/.hidden.md"] {
        context.write(name, name);
    }
    let sample = |id: &str, prompt: &str| json!({"sample_id": id, "prompt": prompt, "assertions": [{"type": "contains", "value": "two"}]});
    context.write("eval-samples.json", &json!([sample("s1", prompts[0]), sample("s2", prompts[1])]).to_string());
    context
}

fn eval(context: &TestContext, flags: &[&str]) -> Finished {
    let fixed = ["eval", "--executor", "./agent", "--control", "v1", "--no-cache", "--no-judge", "--details"];
    context.run(&[&fixed[..], flags].concat())
}

fn coverage(context: &TestContext) -> Value {
    valid(context.report())["analysis"]["coverage"].clone()
}

fn said(run: &Finished) -> String {
    run.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn files_that_were_read_or_hit_are_covered_and_the_others_are_named() {
    let context = context(["look", "know"]);
    let run = eval(&context, &["--kb", "docs"]);
    let of = &coverage(&context)["v1"];
    let counts = ["coverage", "accessed", "total", "samples", "lookedUp"].map(|key| of[key].clone());
    assert_eq!(counts, [json!(0.5), json!(2), json!(4), json!(2), json!(1)]);
    assert_eq!(of["uncovered"], json!(["docs/c.md", "docs/d.md"]), "listing isn't reading, nor is editing");
    let access = |how: &str, lines: Value| json!({"how": how, "sampleId": "s1", "lines": lines});
    let expected = json!([
        {"path": "docs/a.md", "accesses": [access("read", json!([{"first": 3, "last": 8}])), {"how": "list", "sampleId": "s1"}]},
        {"path": "docs/c.md", "accesses": [{"how": "list", "sampleId": "s1"}]},
        {"path": "docs/sub/b.md", "accesses": [access("match", json!([{"first": 12, "last": 12}]))]}
    ]);
    assert_eq!(of["files"], expected);
    // the beginning of `printf 'docs/a.md' | sha256sum`
    assert_eq!(
        (&of["fileHashes"]["docs/a.md"], of["fileHashes"].as_object().unwrap().len()),
        (&json!("5231f8a11b65"), 4)
    );
    let report = context.report();
    assert_eq!(of["testSet"], report["meta"]["testSet"]);
    let set = report["meta"]["testSet"]["id"].as_str().unwrap();
    for text in [
        "2 of 4 files of the knowledge base were accessed (50.0 %)",
        set,
        "docs/a.md: read by s1:3-8",
        "docs/sub/b.md: lines found by searches of s1:12",
        "docs/c.md: seen in lists by s1",
        "accessed by no sample: docs/c.md, docs/d.md",
        "does not represent the knowledge base's absolute completeness",
    ] {
        assert!(said(&run).contains(text), "{text}\n{}", run.stdout);
    }
    for page in pages(&context) {
        let section = page.split("Coverage of the knowledge base").nth(1).expect(&page);
        for text in [
            "2 of 4 files of the knowledge base were accessed (50.0 %)",
            set,
            "docs/a.md: read by s1:3-8",
            "accessed by no sample: docs/c.md, docs/d.md",
            "does not represent the knowledge base's absolute completeness",
        ] {
            assert!(section.contains(text), "{text}\n{section}");
        }
    }
    context.run(&["report", "verdict", "latest"]).expect(0);
}

#[test]
fn samples_that_look_up_nothing_have_no_coverage() {
    let context = context(["know", "know"]);
    let run = eval(&context, &["--kb", "docs"]);
    assert_eq!(coverage(&context)["v1"]["coverage"], Value::Null);
    assert!(said(&run).contains("nothing was looked up"), "{}", run.stdout);
}

#[test]
fn knowledge_base_is_the_flag_then_the_file_then_what_the_project_declares() {
    let context = context(["look", "know"]);
    let uncovered = || coverage(&context)["v1"]["uncovered"].clone();
    eval(&context, &[]);
    assert_eq!(coverage(&context), Value::Null, "nothing is declared");
    context.write(".claude/knowledge/terms.md", "terms");
    eval(&context, &[]);
    assert_eq!(uncovered(), json!([".claude/knowledge/terms.md"]));
    context.write("eval.yaml", "kb: [docs/a.md, docs/c.md]\n");
    eval(&context, &[]);
    assert_eq!(uncovered(), json!(["docs/c.md"]));
    eval(&context, &["--kb", "docs/d.md"]);
    assert_eq!(uncovered(), json!(["docs/d.md"]));
}

#[test]
fn knowledge_base_that_is_not_there_is_refused_before_anything_runs() {
    let context = context(["look", "know"]);
    let refused = eval(&context, &["--kb", "nowhere"]).expect(2);
    assert!(refused.stderr.contains("`nowhere`") && refused.stderr.contains("--kb"), "{}", refused.stderr);
    fs::create_dir(context.path("empty")).unwrap();
    let refused = eval(&context, &["--kb", "empty"]).expect(2);
    assert!(refused.stderr.contains("`empty` has no file"), "{}", refused.stderr);
    assert!(context.reports().is_empty());
}

/// A recorded agent in a copy of the project, whose paths are those of the copy.
#[test]
fn agents_in_copies_cover_the_files_of_the_project_and_of_their_skill() {
    let folder = [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures/claude-2.1.330/success.stream-json.stdout"];
    let recording: PathBuf = folder.iter().collect();
    let paths = "s#/home/dev/demo-project/docs/missing#/somewhere/skills/tables/references/missing#g; s#/home/dev/demo-project#'\"$PWD\"'#g";
    let context = stand_in(&format!("cat > /dev/null; sed '{paths}' '{}'", recording.display()));
    context.samples(1, &json!([{"type": "contains", "value": "42"}]));
    context.write("docs/rules.md", "rules");
    context.write("docs/other.md", "other");
    for name in ["v1", "v2"] {
        let skill = format!("---\nname: tables\ndescription: Tables of {name}.\n---\n{name}\n");
        context.write(&format!("skills/{name}/SKILL.md"), &skill);
        context.write(&format!("skills/{name}/references/schema.md"), name);
        fs::remove_file(context.path(&format!("skills/{name}.md"))).unwrap();
    }
    context.write("eval.yaml", "delivery: skill\nkb: docs\n");
    context.run(&eval_with("claude", &["--no-sandbox", "--retry", "0", "--report-only", "--no-cache"]));
    let of = &coverage(&context)["v2"];
    assert_eq!(of["uncovered"], json!(["docs/other.md", "tables/references/schema.md"]), "{of:#}");
    assert_eq!(of["files"][0]["accesses"][0]["how"], "read", "{of:#}");
}

#[test]
fn file_of_the_working_directory_that_the_user_named_is_no_failed_search() {
    let folder = [env!("CARGO_MANIFEST_DIR"), "../trace/tests/fixtures/claude-2.1.330/success.stream-json.stdout"];
    let recording: PathBuf = folder.iter().collect();
    let paths = "s#/home/dev/demo-project/docs/missing.md#'\"$PWD\"'/missing.md#g";
    let context = stand_in(&format!("cat > /dev/null; sed '{paths}' '{}'", recording.display()));
    let missed = |prompt: &str| {
        let sample =
            json!([{"sample_id": "s1", "prompt": prompt, "assertions": [{"type": "contains", "value": "42"}]}]);
        context.write("eval-samples.json", &sample.to_string());
        context.run(&eval_with("claude", &["--no-sandbox", "--retry", "0", "--report-only", "--no-cache"]));
        valid(context.report())["analysis"]["gap"]["v1"]["inventory"].to_string().contains("missing.md")
    };
    assert!(missed("What is the answer?"));
    assert!(!missed("Read missing.md and answer."));
}

#[test]
fn search_in_the_knowledge_base_is_for_a_fact_whatever_its_words() {
    let context = context(["look", "know"]);
    let call = |name: &str, path: &str| json!({"name": "Grep", "input": {"pattern": format!("fn {name}"), "path": path}, "output": "No matches found"});
    let searched = json!({"output": "two", "toolCalls": [call("charge", "docs/sub"), call("refund", "src")]});
    context.script("agent", &format!("printf '%s' '{searched}'\n"));
    eval(&context, &["--kb", "docs"]);
    let report = valid(context.report());
    let classes = report["analysis"]["gap"]["v1"]["inventory"].as_array().unwrap().iter();
    let classes: Vec<Value> = classes.filter(|of| of["sampleId"] == "s1").map(|of| of["class"].clone()).collect();
    assert_eq!(classes, [Value::Null, json!("code")], "{report:#}");
}
