//! A treatment that must not be worse: what opens the gate, and what keeps it shut.

use eval_spec::{Failure, Layer};
use serde_json::{Value, json};

use crate::cli;
use crate::fixtures::recorded::{CellIndex, RecordedProject, RecordedResult, assertions, both, fact};
use crate::fixtures::scores::{ground, tier};

const NOT_WORSE: [&str; 2] = ["--goal", "not-worse"];

/// A control that scores `ground`, and a treatment that scores `change` hundredths of a layer more or less.
fn changed(samples: usize, change: impl Fn(usize) -> i32 + 'static) -> RecordedProject {
    RecordedProject::new(samples, &["v1", "v2"], 1, &[Layer::Fact], move |at| scored(at, &change))
}

fn scored(at: CellIndex, change: impl Fn(usize) -> i32) -> RecordedResult {
    fact(ground(at.sample).saturating_add_signed(if at.variant == 1 { change(at.sample) } else { 0 }))
}

/// Up and down by 0.04 points.
fn waver(sample: usize) -> i32 {
    i32::try_from(sample % 3).unwrap() - 1
}

/// The report of a run that asks for no more than not to be worse; recomputed, it is the same.
#[track_caller]
fn run(project: &RecordedProject, code: i32, flags: &[&str]) -> Value {
    let report = project.report(code, &[&NOT_WORSE, flags].concat());
    let path = std::fs::read_dir(project.context.path("out")).unwrap().next().unwrap().unwrap().path();
    let again = project.context.run(&["report", "verdict", path.to_str().unwrap(), "--json"]).expect(code).json();
    assert_eq!(again["agrees"], true, "{again:#}");
    assert_eq!(report["verdict"]["perTreatment"][0]["goal"]["reached"], code == 0, "{:#}", report["verdict"]);
    report
}

/// The gate stays shut, for this reason.
#[track_caller]
fn refused(project: &RecordedProject, reason: &str, flags: &[&str]) {
    let report = run(project, 1, flags);
    let reasons = report["verdict"]["perTreatment"][0]["goal"]["reasons"].as_array().unwrap();
    let named = reasons.iter().any(|of| of["messageKey"]["id"] == reason);
    assert!(named, "{reason} is not among {reasons:#?}");
}

#[test]
fn the_same_at_less_cost_passes_where_the_goal_is_not_to_be_worse() {
    let same = changed(66, waver);
    let report = run(&same, 0, &[]);
    assert_eq!(tier(&report), "NOISE");
    assert_eq!(report["verdict"]["inputs"]["limits"]["margin"], 0.2);
    assert_eq!(report["analysis"]["suggestions"][0]["messageKey"]["id"], "report-next-not-worse");
    assert_eq!(tier(&same.report(1, &[])), "NOISE", "without the goal nothing is gained");
}

#[test]
fn a_small_sure_loss_within_the_margin_is_a_loss_that_passes() {
    // 0.12 points lower on average
    let lower = changed(150, |sample| waver(sample) - 3);
    assert_eq!(tier(&run(&lower, 0, &[])), "REGRESS");
    refused(&lower, "report-doubt-margin", &["--margin", "0.05"]);
}

#[test]
fn what_could_hide_a_loss_keeps_the_gate_shut() {
    // the interval is narrow, and a kind of sample that none of 24 shows could lose more
    refused(&changed(24, waver), "report-doubt-unseen-difference", &[]);
    refused(&changed(12, waver), "report-doubt-pairs", &[]);
    refused(&changed(66, |sample| waver(sample) - 8), "report-doubt-margin", &[]);
    let lost =
        RecordedProject::new(66, &["v1", "v2"], 1, &[Layer::Fact], |at| match at.variant == 1 && at.sample < 6 {
            true => RecordedResult::Failed(Failure::Timeout),
            false => scored(at, waver),
        });
    refused(&lost, "report-doubt-lost", &[]);
}

#[test]
fn a_part_that_fell_keeps_the_gate_shut() {
    let layers = RecordedProject::new(66, &["v1", "v2"], 1, &[Layer::Fact, Layer::Behavior], |at| match at.variant {
        0 => both(80, 80),
        _ => both(84 + u32::try_from(at.sample % 2).unwrap(), 76 - u32::try_from(at.sample % 2).unwrap()),
    });
    refused(&layers, "report-doubt-layer-fell", &[]);
    let sample = |i: usize| {
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": assertions(&[Layer::Fact]),
            "capability": [if i <= 4 { "refund" } else { "other" }]})
    };
    let capability = RecordedProject::with_samples((1..=90).map(sample).collect(), &["v1", "v2"], 1, |at| {
        scored(at, |sample| if sample < 4 { -30 } else { 2 + waver(sample) })
    });
    refused(&capability, "report-doubt-capability-collapsed", &[]);
}

#[test]
fn settings_that_contradict_the_goal_are_refused() {
    let project = changed(8, waver);
    for (flags, named) in [
        (&["--margin", "0.3"][..], "--goal not-worse"),
        (&["--goal", "not-worse", "--gate", "cautious"], "--gate"),
        (&["--goal", "not-worse", "--stop-when-decided"], "--looks"),
        (&["--goal", "not-worse", "--margin", "7"], "--margin"),
    ] {
        let said = project.eval(flags).expect(2).stderr;
        assert!(said.contains(named), "{flags:?}: {said}");
    }
}

#[test]
fn margin_of_more_than_a_point_gets_a_word_before_the_run() {
    let project = cli::project(4);
    let said = |margin: &str, flags: &[&str]| {
        let base = ["eval", "--executor", "./agent", "--variants", "v1,v2", "--report-only", "--goal", "not-worse"];
        let done = project.run(&[&base, ["--margin", margin].as_slice(), flags].concat()).expect(0);
        done.stderr.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let word = "warning: `--margin 1.5`: not worse by more than 1.5 points lets nearly everything through";
    assert!(said("1.5", &["--dry-run"]).contains(word), "{}", said("1.5", &["--dry-run"]));
    assert!(said("1.5", &[]).contains(word));
    assert!(said("1.5", &["--dry-run", "--lang", "zh"]).contains("几乎什么都能通过"));
    assert!(!said("1", &["--dry-run"]).contains("lets nearly everything through"));
    project.write("rows.csv", "id,a,b\n1,1,1\n2,0,1\n");
    let results = ["verdict", "rows.csv", "--control", "a", "--goal", "not-worse", "--margin", "1.5"];
    let stderr = project.run(&results).stderr;
    assert!(stderr.split_whitespace().collect::<Vec<_>>().join(" ").contains(word), "{stderr}");
}

/// A goal has a sentence of its own beside the tier: both are about one treatment.
#[test]
fn treatments_with_a_goal_are_counted_once() {
    let names = ["v1", "v2", "v3", "v4"];
    let project = RecordedProject::new(24, &names, 1, &[Layer::Fact], |at| fact(ground(at.sample)));
    let text = project.eval(&["--goal", "not-worse", "--report-only", "--lang", "en", "--export", "github=comment.md"]);
    text.expect(0);
    let text = project.context.read("comment.md");
    for name in &names[1..] {
        assert!(text.contains(&format!("`{name}`")), "{text}");
    }
    assert!(!text.contains("more treatment"), "{text}");
}
