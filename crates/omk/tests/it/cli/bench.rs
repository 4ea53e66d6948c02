//! `omk bench`: aliases with the flags and defaults of the first version.

use serde_json::{Value, json};

use crate::cli::{AGENT, project};
use crate::fixtures::context::{TestContext, files, tree};

#[test]
fn bench_run_prints_only_the_report() {
    let context = project(8);
    context.write("eval.yaml", "control: nobody\nexecutor: nothing\n");
    let run = context.run(&["bench", "run", "--executor", "./agent"]).expect(0);
    let saved = std::fs::read_to_string(&context.reports()[0]).unwrap();
    assert_eq!(run.json(), serde_json::from_str::<Value>(&saved).unwrap());
    assert_eq!(run.json()["meta"]["variants"], json!(["v1", "v2"]), "the default of `--variants`");
    assert_eq!(run.json()["summary"]["v1"]["avgCompositeScore"], json!(3.0));
    assert_eq!(run.json()["summary"]["v2"]["avgCompositeScore"], json!(5.0));
    assert!(run.stderr.contains(context.reports()[0].file_name().unwrap().to_str().unwrap()), "{run:?}");
}

#[test]
fn bench_run_without_a_report_prints_the_errors_as_json() {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    let failed = context.run(&["bench", "run", "--executor", "./nobody"]).expect(2);
    assert_eq!(failed.json()["diagnostics"][0]["severity"], "error", "{failed:?}");
    assert!(failed.stderr.contains("nobody"), "{failed:?}");
}

#[test]
fn bench_run_accepts_the_original_flags_and_defaults() {
    let context = project(2);
    let plan = context.run(&["bench", "run", "--dry-run", "--json"]).expect(0).json();
    let expected =
        [("executor", json!("claude")), ("model", json!("sonnet")), ("concurrency", json!(1)), ("repeat", json!(1))];
    for (name, value) in expected {
        assert_eq!(plan[name], value, "{name} of {plan:#}");
    }
    context.write("s.json", &std::fs::read_to_string(context.path("eval-samples.json")).unwrap());
    context.write("other/a.md", "ANSWER plain\n");
    let all = "bench run --samples s.json --skill-dir other --variants a --model m --judge-model haiku --output-dir out \
               --no-judge --blind --concurrency 2 --repeat 2 --executor ./agent";
    let report = context.run(&all.split_whitespace().collect::<Vec<_>>()).expect(0).json();
    assert_eq!(report["meta"]["model"], "m");
    assert_eq!(report["meta"]["taskCount"], 4);
    assert_eq!(report["meta"]["variants"], json!(["Variant A"]));
    assert_eq!(files(&context.path("out")).len(), 2, "the report, and the names behind its labels");
}

#[test]
fn first_variant_is_the_control() {
    let context = project(2);
    context.write("skills/v3.md", "ANSWER better too\n");
    let report = context.run(&["bench", "run", "--variants", "v3,v1,v2", "--executor", "./agent"]).expect(0).json();
    let pairs: Vec<_> =
        report["comparisons"].as_array().unwrap().iter().map(|c| (&c["control"], &c["treatment"])).collect();
    assert_eq!(pairs, [(&json!("v3"), &json!("v1")), (&json!("v3"), &json!("v2"))]);
}

#[test]
fn bench_ci_compares_every_variant_with_the_threshold() {
    let context = project(4);
    // v1 has 3.00, v2 has 5.00, and the default threshold is 3.5.
    for (threshold, code) in [(None, 1), (Some("3"), 0), (Some("3.01"), 1), (Some("1"), 0)] {
        let flags = threshold.map(|value| vec!["--threshold", value]).unwrap_or_default();
        let run = context.run(&[&["bench", "ci", "--variants", "v1,v2"], &AGENT[..], &flags].concat()).expect(code);
        assert_eq!(run.stdout.contains("`v1` is below the threshold"), code == 1, "{run:?}");
        assert!(!run.stdout.contains("`v2` is below"), "{run:?}");
    }
    context.run(&["bench", "ci", "--variants", "v2", "--executor", "./agent"]).expect(0);
    context.run(&["bench", "ci", "--variants", "v2", "--executor", "false", "--retry", "0"]).expect(3);
}

#[test]
fn bench_init_equals_init() {
    let (a, b) = (TestContext::new(), TestContext::new());
    let (bench, init) = (a.run(&["bench", "init", "p"]).expect(0), b.run(&["init", "p"]).expect(0));
    assert_eq!(bench.stdout, init.stdout);
    assert_eq!(tree(&a.path("p")), tree(&b.path("p")));
}
