//! A control from the cache beside a treatment of today: some of it is asked again, and all of it where that has moved.

use std::fs;

use serde_json::{Value, json};

use super::{eval_with, logging, starts, valid};
use crate::fixtures::context::TestContext;

const SAMPLES: usize = 30;

/// Answers of one to four words. The control's get longer by `DRIFT`, which is no part of the cache's key.
fn project() -> TestContext {
    let context = logging(
        r#"case "$a" in plain) n=$((p % 2 + 1 + ${DRIFT:-0}));; *) n=$((p % 3 + 2));; esac
out=answer; for w in one two three four; do [ $n -gt 0 ] && out="$out $w"; n=$((n - 1)); done; echo "$out""#,
    );
    let words = ["one", "two", "three", "four"].map(|word| json!({"type": "contains", "value": word}));
    context.samples(SAMPLES, &json!(words));
    context
}

fn arguments<'a>(more: &[&'a str]) -> Vec<&'a str> {
    eval_with("./agent", &[&["--threshold", "1", "--bootstrap-samples", "1000"], more].concat())
}

/// The calls of control and treatment that a run makes.
#[track_caller]
fn calls(context: &TestContext, more: &[&str], code: i32) -> [usize; 2] {
    let log = context.path("starts");
    let _ = fs::remove_file(&log);
    context.run(&arguments(more)).expect(code);
    let starts = starts(&log);
    let control = starts.iter().filter(|cell| cell.ends_with("/v1")).count();
    [control, starts.len() - control]
}

fn tier(report: &Value) -> &Value {
    &report["verdict"]["perTreatment"][0]["tier"]
}

#[track_caller]
fn recomputes(context: &TestContext) {
    let again = context.run(&["report", "verdict", "latest", "--json"]).json();
    assert_eq!(again["agrees"], true, "{again:#}");
}

#[test]
fn fifth_of_a_cached_control_is_asked_again_and_lets_progress_through() {
    let context = project();
    assert_eq!(calls(&context, &[], 0), [SAMPLES, SAMPLES]);
    assert!(context.report()["cachedControl"].is_null());
    context.write("skills/v2.md", "ANSWER best\n");
    let plan = context.run(&arguments(&["--dry-run", "--json"])).expect(0).json();
    assert_eq!((&plan["cached"], &plan["askedAgain"]), (&json!(30), &json!(6)));
    let shown = context.run(&arguments(&["--dry-run"])).expect(0).stdout;
    assert!(shown.contains("6 of these calls of the control are made again"), "{shown}");

    assert_eq!(calls(&context, &[], 0), [6, SAMPLES]);
    let report = valid(context.report());
    assert_eq!((tier(&report), &report["summary"]["v1"]["cached"]), (&json!("PROGRESS"), &json!(24)));
    let cached = &report["cachedControl"];
    assert_eq!((&cached["answers"], &cached["askedAgain"], &cached["drift"]["n"]), (&json!(30), &json!(6), &json!(6)));
    assert_eq!(cached["drift"]["mean"], 0.0);
    let shown = context.run(&["report", "export", "latest", "--format", "terminal"]).expect(0).stdout;
    assert!(shown.contains("30 answers of `v1` are from the cache"), "{shown}");
    let line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.split_once("are from the cache, given ").unwrap().1;
    let [oldest, newest] = ["oldest", "newest"].map(|of| cached[of].as_str().unwrap()[..16].replace('T', " "));
    assert!(
        line.starts_with(&format!("{oldest} to {newest}; 6 of them")),
        "neither model nor version is known: {line}"
    );
    assert!(cached["adjusted"][0]["low"].as_f64().unwrap() > 0.0, "{cached:#}");
    assert!(cached["oldest"].as_str().unwrap() <= cached["newest"].as_str().unwrap());
    recomputes(&context);
    // All answers are there: nothing is asked a third time.
    let log = context.path("starts");
    fs::remove_file(&log).unwrap();
    context.run(&["eval", "--resume", "latest"]).expect(0);
    assert_eq!(starts(&log).len(), 0);
}

#[test]
fn control_that_moved_is_asked_again_as_a_whole() {
    let mut context = project();
    assert_eq!(calls(&context, &[], 0), [SAMPLES, SAMPLES]);
    context.write("skills/v2.md", "ANSWER best\n");
    context.env("DRIFT", "2");
    // The treatment's answers are as long as the control's now: nothing is gained.
    assert_eq!(calls(&context, &[], 1), [SAMPLES, SAMPLES]);
    let report = valid(context.report());
    assert_eq!((&report["summary"]["v1"]["cached"], &report["cachedControl"]["askedAgain"]), (&json!(0), &json!(30)));
    assert_eq!(report["cachedControl"]["drift"]["mean"], 2.0);
    recomputes(&context);
    // The cache has the new answers.
    context.write("skills/v2.md", "ANSWER other\n");
    assert_eq!(calls(&context, &[], 1), [6, SAMPLES]);
    assert_eq!(context.report()["cachedControl"]["drift"]["mean"], 0.0);
}

#[test]
fn too_few_samples_for_progress_leave_the_control_as_it_is() {
    let context = project();
    context.samples(19, &json!([{"type": "contains", "value": "two"}]));
    calls(&context, &["--report-only"], 0);
    context.write("skills/v2.md", "ANSWER best\n");
    assert_eq!(calls(&context, &["--report-only"], 0), [0, 19]);
    assert_eq!(context.report()["verdict"]["inputs"]["cachedControl"]["askedAgain"], 0);
}
