//! Scores read again by other settings: the chosen interval makes no verdict, and an earlier report that came to less is named.

use eval_spec::{Failure, Layer};
use serde_json::{Value, json};

use crate::fixtures::recorded::{RecordedProject, RecordedResult, fact};
use crate::fixtures::scores::{better, gain, ground, paired, reasons, three, tier};

const QUICK: [&str; 4] = ["--output-dir", "out", "--report-only", "--json"];

fn look(project: &RecordedProject, flags: &[&str]) -> Value {
    project.eval(&[&QUICK[..], flags].concat()).json()
}

/// Returns what names the earlier report: its id, its changes, and what it came to.
fn read_before(report: &Value) -> Option<[String; 3]> {
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    let said = reasons.iter().find(|reason| reason["messageKey"]["id"] == "report-why-read-before")?;
    let arg = |name: &str| said["messageKey"]["args"][name].as_str().unwrap().to_owned();
    Some([arg("report"), arg("changes"), arg("tier")])
}

/// A few large falls beside many small gains: only an interval that doesn't see the long tail lies above 0.
fn skewed() -> RecordedProject {
    paired(100, |i| (ground(i), if i % 9 == 0 && i < 99 { ground(i) - 25 } else { ground(i) + 6 }))
}

#[test]
fn a_gain_that_only_the_chosen_interval_shows_is_cautious() {
    let project = skewed();
    assert_eq!(tier(&project.report(1, &[])), "NOISE");
    for method in ["t", "percentile"] {
        let report = project.report(1, &["--ci", method]);
        assert_eq!((tier(&report), reasons(&report, 0)[1].as_str()), ("CAUTIOUS", "report-doubt-only-by-interval"));
        let default = &report["verdict"]["inputs"]["treatments"][0]["defaultInterval"];
        assert_eq!(*default, json!({"valid": true, "reached": false, "tier": "NOISE"}));
    }
    // where both show it, the choice is the user's
    let report = better(42).report(0, &["--ci", "t"]);
    assert_eq!((tier(&report), reasons(&report, 0)), ("PROGRESS", vec!["report-why-above".to_owned()]));
}

#[test]
fn no_difference_that_only_the_chosen_interval_shows_is_cautious() {
    // a long tail to the lower side that only the default interval follows
    let project = paired(80, |i| (ground(i), if i % 16 == 0 { ground(i) - 40 } else { ground(i) + 1 }));
    assert_eq!(tier(&project.report(1, &[])), "UNDERPOWERED");
    let report = project.report(1, &["--ci", "t"]);
    assert_eq!((tier(&report), reasons(&report, 0)[0].as_str()), ("CAUTIOUS", "report-doubt-only-by-interval"));
    let goal = ["--goal", "not-worse", "--margin", "0.2"];
    let report = project.report(1, &[&goal[..], &["--ci", "t"]].concat());
    assert_eq!(report["verdict"]["perTreatment"][0]["goal"]["reached"], json!(false));
}

/// Whoever looks, and reads the same scores by settings with which they come to more, has that said.
#[test]
fn an_earlier_report_that_read_the_same_scores_otherwise_is_named() {
    let cases: [(&[&str], &[&str], &str, &str); 4] = [
        (&["--threshold", "4.9"], &[], "`--threshold` 4.9 → 3.5", "CAUTIOUS"),
        (&["--trivial-diff", "0.9"], &["--seed", "7"], "`--trivial-diff` 0.9 → 0.1", "CAUTIOUS"),
        (
            &["--goal", "not-worse", "--margin", "0.01", "--threshold", "4.9"],
            &["--goal", "not-worse", "--margin", "0.3"],
            "`--margin` 0.01 → 0.3",
            "CAUTIOUS",
        ),
        (&["--max-failure-rate", "0"], &[], "`--max-failure-rate` 0.0 → 0.1", "INVALID"),
    ];
    for (first, then, change, came_to) in cases {
        let loses = came_to == "INVALID";
        let project =
            RecordedProject::new(60, &["v1", "v2"], 1, &[Layer::Fact], move |cell| match cell.sample == 3 && loses {
                true => RecordedResult::Failed(Failure::Server),
                false => fact(ground(cell.sample) + u32::from(cell.variant == 1) * (gain(cell.sample) + 5)),
            });
        let earlier = look(&project, first);
        let report = look(&project, then);
        let [id, changes, outcome] =
            read_before(&report).unwrap_or_else(|| panic!("{change}: {:?}", reasons(&report, 0)));
        assert_eq!((id.as_str(), outcome.as_str()), (earlier["id"].as_str().unwrap(), came_to));
        assert!(changes.contains(change), "{changes}");
        let again = project.context.run(&["report", "verdict", report["id"].as_str().unwrap(), "--reports-dir", "out"]);
        assert!(again.expect(0).stdout.contains("every stored number follows"));
        // the first reader is told nothing of what came later
        assert_eq!(read_before(&look(&project, first)), None);
    }
}

/// The best of several treatments is not read as the only one, without a word.
#[test]
fn treatments_that_are_left_out_are_named() {
    let project = three(42);
    let earlier = look(&project, &["--threshold", "4.9"]);
    let alone = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings"];
    let report = project.context.run(&[&alone[..], &QUICK].concat()).json();
    let [id, changes, _] = read_before(&report).unwrap();
    assert_eq!(id, earlier["id"].as_str().unwrap());
    assert!(changes.contains("`--variants` 3 → 2"), "{changes}");
}

/// `--resume` replaces the report of its run, which is an earlier reading all the same, also after a second one.
#[test]
fn a_report_that_is_read_again_names_its_own_earlier_readings() {
    let project = better(42);
    let first = look(&project, &["--threshold", "4.9"]);
    let id = first["id"].as_str().unwrap();
    for threshold in ["3.5", "3.4"] {
        let resume = ["eval", "--resume", id, "--threshold", threshold];
        let report = project.context.run(&[&resume[..], &QUICK].concat()).expect(0).json();
        assert_eq!((report["id"].as_str(), tier(&report)), (Some(id), "PROGRESS"));
        let [named, changes, outcome] = read_before(&report).unwrap();
        assert_eq!((named.as_str(), outcome.as_str()), (id, "CAUTIOUS"));
        assert_eq!(changes, format!("`--threshold` 4.9 → {threshold}"));
    }
    let other = better(42);
    let blind = ["--blind", "--output-dir", project.context.path("out").to_str().unwrap()].map(str::to_owned);
    let blind: Vec<&str> = blind.iter().map(String::as_str).collect();
    let report = other.eval(&[&["--report-only", "--json"], &blind[..]].concat()).json();
    assert_eq!(read_before(&report).unwrap()[0], "none");
}
