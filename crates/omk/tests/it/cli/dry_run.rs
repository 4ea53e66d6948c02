//! `--dry-run` leaves no trace.

use serde_json::json;

use crate::cli::{AGENT, eval, project};
use crate::fixtures::context::tree;

#[test]
fn dry_run_writes_nothing() {
    let context = project(4);
    let quiet = |flags: &[&str]| {
        let before = tree(context.root());
        let commands: [&[&str]; 3] = [&["eval"], &["bench", "run"], &["bench", "ci"]];
        for command in commands {
            let run =
                context.run(&[command, &["--variants", "v1,v2", "--dry-run"], &AGENT[..], flags].concat()).expect(0);
            assert!(run.stdout.contains("8 calls"), "{run:?}");
        }
        assert!(tree(context.root()) == before, "{flags:?} changed something");
    };
    quiet(&[]);
    quiet(&["--record", "rec", "--output-dir", "out"]);
    assert!(!context.home().exists());
    // Now the home has a journal, a cache and reports.
    eval(&context, &["--report-only"]).expect(0);
    quiet(&[]);
}

#[test]
fn samples_with_a_judge_are_those_that_no_judge_leaves_out() {
    let context = project(1);
    context.sample_each([
        json!([{"type": "contains", "value": "x"}]),
        json!([{"type": "contains", "value": "x"}, {"type": "semantic_similarity", "reference": "y"}]),
    ]);
    let plan = |flags: &[&str]| {
        let run = ["eval", "--variants", "v1,v2", "--dry-run", "--json"];
        context.run(&[&run[..], &AGENT, flags].concat()).expect(0).json()
    };
    assert_eq!(plan(&["--judge-executor", "./agent"])["judgedSamples"], 1);
    assert_eq!(plan(&["--no-judge"])["judgedSamples"], 0);
}
