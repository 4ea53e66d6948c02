//! Looks at the same two artifacts that nobody planned are counted, read more strictly, and said.

use eval_spec::{Failure, Layer};
use serde_json::{Value, json};

use crate::fixtures::recorded::{CellIndex, RecordedProject, RecordedResult, fact};
use crate::fixtures::scores::{ground, near};

const QUICK: [&str; 4] = ["--output-dir", "out", "--report-only", "--json"];

/// A project of so many samples, whose treatment gains `gain` hundredths on each.
fn recorded(samples: usize, of: impl Fn(CellIndex) -> RecordedResult + 'static) -> RecordedProject {
    RecordedProject::new(samples, &["v1", "v2"], 1, &[Layer::Fact], of)
}

fn gaining(by: u32) -> impl Fn(CellIndex) -> RecordedResult {
    move |at| fact(ground(at.sample) + if at.variant == 1 { by + u32::try_from(at.sample % 3).unwrap() } else { 0 })
}

fn look(project: &RecordedProject, flags: &[&str]) -> Value {
    project.eval(&[&QUICK[..], flags].concat()).expect(0).json()
}

fn number(report: &Value) -> u64 {
    1 + report["meta"]["earlierComparisons"].as_u64().unwrap_or(0)
}

fn reason<'r>(report: &'r Value, id: &str) -> Option<&'r Value> {
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    reasons.iter().find(|of| of["messageKey"]["id"] == id).map(|of| &of["messageKey"]["args"])
}

/// Writes the sample file with the samples at these places only.
fn keep(project: &RecordedProject, whole: &str, places: std::ops::Range<usize>) {
    let all: Vec<Value> = serde_json::from_str(whole).unwrap();
    project.context.write("eval-samples.json", &json!(all[places]).to_string());
}

#[test]
fn a_set_that_grows_is_looked_at_once_more_each_time() {
    let project = recorded(48, gaining(12));
    let whole = project.context.read("eval-samples.json");
    keep(&project, &whole, 0..24);
    let first = look(&project, &[]);
    assert_eq!((number(&first), first["verdict"]["inputs"].get("looks")), (1, None));
    assert_eq!(reason(&first, "report-why-look"), None);
    keep(&project, &whole, 0..36);
    let second = look(&project, &[]);
    assert_eq!(number(&second), 2);
    let limits = &second["verdict"]["inputs"]["limits"];
    assert_eq!((&limits["alpha"], &limits["unseenRisk"]), (&json!(0.025), &json!(0.025)));
    let said = reason(&second, "report-why-look").unwrap();
    assert_eq!((&said["number"], &said["changed"], &said["risk"]), (&json!(2.0), &json!("yes"), &json!("1.25 %")));
    // who reads the very scores again takes no further look
    assert_eq!(number(&look(&project, &["--seed", "3"])), 2);
    keep(&project, &whole, 0..48);
    let third = look(&project, &[]);
    assert_eq!((number(&third), &third["verdict"]["inputs"]["looks"]["sameSamples"]), (3, &json!(1)));
    let id = third["id"].as_str().unwrap();
    let again = project.context.run(&["report", "verdict", id, "--reports-dir", "out"]).expect(0).stdout;
    assert!(again.contains("every stored number follows"), "{again}");
    // a run that is taken up again is no further look
    let resumed = project.context.run(&[&["eval", "--resume", id], &QUICK[..]].concat());
    assert_eq!(number(&resumed.expect(0).json()), 3);
}

#[test]
fn what_left_the_set_is_said_with_the_difference_it_had() {
    let project = recorded(30, |at| {
        let falls = at.variant == 1 && at.sample < 10;
        fact(if falls { ground(at.sample) - 30 } else { ground(at.sample) + u32::try_from(at.variant).unwrap() * 15 })
    });
    let whole = project.context.read("eval-samples.json");
    let first = look(&project, &[]);
    keep(&project, &whole, 10..30);
    let second = look(&project, &[]);
    let said = reason(&second, "report-why-look-without").unwrap();
    assert_eq!(said["samples"], json!(10.0));
    let of_all = first["comparisons"][0]["diff"]["mean"].as_f64().unwrap();
    let with_them = second["verdict"]["inputs"]["treatments"][0]["left"]["meanWithThem"].as_f64().unwrap();
    assert!((with_them - of_all).abs() < 1e-9, "{with_them} {of_all}");
    let text = project.eval(&["--output-dir", "out", "--report-only", "--lang", "en"]).expect(0).stdout;
    let flowing = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing.contains("10 samples of the looks before are gone or changed, with which"), "{text}");
}

/// Other answers to the same samples: each look may find something by itself, so they share the risk more strictly.
#[test]
fn the_same_samples_asked_anew_are_read_more_strictly() {
    let first = recorded(24, gaining(10));
    let reports = first.context.path("out");
    look(&first, &[]);
    let second = recorded(24, gaining(11));
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    let report = second.eval(&shared).expect(0).json();
    assert_eq!((number(&report), &report["verdict"]["inputs"]["looks"]["sameSamples"]), (2, &json!(2)));
    let limits = &report["verdict"]["inputs"]["limits"];
    assert_eq!((&limits["alpha"], &limits["unseenRisk"]), (&json!(0.0125), &json!(0.05)));
    let planned = second.eval(&["--output-dir", reports.to_str().unwrap(), "--dry-run", "--json"]).expect(0).json();
    assert_eq!(planned["earlierLooks"]["messageKey"]["args"]["number"], json!(3.0));
}

/// The scores of one treatment again say nothing of another that has new ones.
#[test]
fn an_old_report_of_one_treatment_hides_no_look_at_another() {
    let scores = |by: &'static [u32]| {
        move |at: CellIndex| fact(ground(at.sample) + by[at.variant] + u32::try_from(at.sample % 3).unwrap())
    };
    let of = |variants: &[&str], by: &'static [u32]| RecordedProject::new(24, variants, 1, &[Layer::Fact], scores(by));
    let first = of(&["v1", "v3"], &[0, 10]);
    let reports = first.context.path("out");
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    assert_eq!(number(&first.eval(&shared).expect(0).json()), 1);
    assert_eq!(number(&of(&["v1", "v2"], &[0, 11]).eval(&shared).expect(0).json()), 1);
    let both = of(&["v1", "v3", "v2"], &[0, 10, 12]).eval(&shared).expect(0).json();
    assert_eq!(number(&both), 2, "each was looked at once before");
}

/// Renaming the arms, an edit of one sample, or other files in the directory start no new count.
#[test]
fn whoever_swaps_edits_or_writes_other_files_looks_again() {
    let of = |variants: &[&str], gain: u32| RecordedProject::new(24, variants, 1, &[Layer::Fact], gaining(gain));
    let first = of(&["v1", "v2"], 10);
    let reports = first.context.path("out");
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    first.eval(&shared).expect(0);
    for i in 0..100 {
        std::fs::write(reports.join(format!("other-{i}.json")), r#"{"items": [1, 2]}"#).unwrap();
    }
    let swapped = of(&["v2", "v1"], 11).eval(&shared).expect(0).json();
    assert_eq!((number(&swapped), &swapped["meta"]["earlierLooks"][0]["sameSamples"]), (2, &json!(true)));
    let edited = of(&["v1", "v2"], 12);
    let samples = edited.context.read("eval-samples.json");
    let mut all: Vec<Value> = serde_json::from_str(&samples).unwrap();
    let checks = all[3]["assertions"].as_array_mut().unwrap();
    let again = checks[0].clone();
    checks.push(again);
    edited.context.write("eval-samples.json", &json!(all).to_string());
    let edited = edited.eval(&shared).expect(0).json();
    let first = &edited["meta"]["earlierLooks"][0];
    assert_eq!((number(&edited), &first["sameSamples"]), (3, &json!(true)), "{first}");
    assert_ne!(edited["meta"]["sampleHashes"], swapped["meta"]["sampleHashes"]);
}

/// Who drops the worst samples a few at a time drops them all.
#[test]
fn what_left_in_several_steps_is_said_together() {
    let project = recorded(40, |at| {
        let falls = at.variant == 1 && at.sample < 15;
        fact(if falls { ground(at.sample) - 30 } else { ground(at.sample) + u32::try_from(at.variant).unwrap() * 15 })
    });
    let whole = project.context.read("eval-samples.json");
    let first = look(&project, &[]);
    let of_all = first["comparisons"][0]["diff"]["mean"].as_f64().unwrap();
    for cut in [5, 10, 15] {
        keep(&project, &whole, cut..40);
        let report = look(&project, &[]);
        let said = reason(&report, "report-why-look-without").unwrap();
        assert_eq!(said["samples"], json!(f64::from(u32::try_from(cut).unwrap())));
        let left = &report["verdict"]["inputs"]["treatments"][0]["left"];
        let with_them = left["meanWithThem"].as_f64().unwrap();
        assert!((with_them - of_all).abs() < 1e-9, "{cut}: {with_them} {of_all}");
    }
}

/// What a sample counts as is part of the set: a mark after looking is no re-reading, and goes with no `--resume`.
#[test]
fn marks_after_looking_are_another_look_and_no_resume() {
    for mark in [json!({"tripwire": true}), json!({"cluster": "one"}), json!({"capability": ["reading"]})] {
        let project = recorded(40, gaining(10));
        let first = look(&project, &[]);
        let mut all: Vec<Value> = serde_json::from_str(&project.context.read("eval-samples.json")).unwrap();
        for sample in &mut all[..8] {
            for (name, value) in mark.as_object().unwrap() {
                sample[name] = value.clone();
            }
        }
        project.context.write("eval-samples.json", &json!(all).to_string());
        let id = first["id"].as_str().unwrap();
        project.context.run(&[&["eval", "--resume", id], &QUICK[..]].concat()).expect(2);
        assert_eq!(number(&look(&project, &[])), 2, "{mark}");
    }
}

/// Whoever empties the list of earlier looks in a report, and resumes the run, has it counted anew.
#[test]
fn an_edited_list_of_looks_is_counted_anew() {
    let project = recorded(48, gaining(12));
    let whole = project.context.read("eval-samples.json");
    keep(&project, &whole, 0..24);
    look(&project, &[]);
    keep(&project, &whole, 0..48);
    let second = look(&project, &[]);
    let id = second["id"].as_str().unwrap();
    let path = project.context.path(&format!("out/{id}.json"));
    let mut edited = second.clone();
    edited["meta"].as_object_mut().unwrap().retain(|name, _| !name.starts_with("earlier"));
    std::fs::write(&path, edited.to_string()).unwrap();
    let resumed = project.context.run(&[&["eval", "--resume", id], &QUICK[..]].concat()).json();
    assert_eq!(number(&resumed), 2);
}

/// Other draws from one file are looks at one set.
#[test]
fn other_draws_of_one_file_are_counted() {
    let project = recorded(100, gaining(10));
    for (at, seed) in ["1", "2", "3"].into_iter().enumerate() {
        let report = look(&project, &["--max-samples", "24", "--seed", seed]);
        assert_eq!(number(&report), 1 + at as u64, "{seed}");
    }
}

/// Five samples give no interval: nothing could be picked from such runs.
#[test]
fn a_trial_of_a_few_samples_is_no_look() {
    let project = recorded(24, gaining(10));
    let whole = project.context.read("eval-samples.json");
    keep(&project, &whole, 0..5);
    look(&project, &[]);
    keep(&project, &whole, 0..24);
    assert_eq!(number(&look(&project, &[])), 1);
}

/// A larger `--max-samples` reads a set that grew, though the file is the same.
#[test]
fn more_samples_of_one_file_are_a_set_that_grew() {
    let project = recorded(60, |at| fact(ground(at.sample) + u32::try_from(at.variant * (at.sample % 3)).unwrap() * 5));
    let first = look(&project, &["--max-samples", "30"]);
    assert_eq!(first["meta"]["notRead"].as_array().unwrap().len(), 30);
    let second = look(&project, &["--max-samples", "60"]);
    let looks = &second["verdict"]["inputs"]["looks"];
    assert_eq!((&looks["number"], &looks["sameSamples"]), (&json!(2), &json!(1)));
    assert_eq!(second["verdict"]["inputs"]["limits"]["alphaOfParts"], json!(0.025));
}

#[test]
fn a_blind_report_names_no_earlier_one() {
    let first = recorded(24, gaining(10));
    let reports = first.context.path("out");
    look(&first, &[]);
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json", "--blind"];
    let blind = recorded(24, gaining(11)).eval(&shared).expect(0).json();
    assert_eq!((number(&blind), &blind["meta"]["earlierLooks"][0]["report"]), (2, &json!("")));
}

#[test]
fn other_artifacts_and_other_samples_are_other_comparisons() {
    let project = recorded(24, gaining(10));
    look(&project, &[]);
    let samples = project.context.read("eval-samples.json");
    project.context.write("eval-samples.json", &samples.replace("question", "riddle"));
    let other = project.eval(&[&QUICK[..], &["--executor", "true"]].concat());
    assert_eq!(number(&other.json()), 1);
    project.context.write("eval-samples.json", &samples);
    let same = look(&project, &[]);
    assert_eq!(number(&same), 1, "the very scores of the first");
}

/// Recordings are found without a model: a run that was recorded is looked at again, whatever its model was called.
#[test]
fn recordings_are_looked_at_again_under_any_model() {
    let first = recorded(24, gaining(10));
    let report = look(&first, &[]);
    let path = first.context.path(&format!("out/{}.json", report["id"].as_str().unwrap()));
    let named = std::fs::read_to_string(&path).unwrap().replacen(r#""model": """#, r#""model": "gpt-4o""#, 1);
    let named = named.replacen(r#""model":"""#, r#""model":"gpt-4o""#, 1);
    assert!(named.contains("gpt-4o"));
    std::fs::write(&path, named).unwrap();
    let reports = first.context.path("out");
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    assert_eq!(number(&recorded(24, gaining(11)).eval(&shared).expect(0).json()), 2);
}

/// The artifact of the treatment is rewritten before each look: what a model reads decides, not the bytes.
#[test]
fn an_artifact_with_another_comment_is_no_other_one() {
    let project = |text: Option<&str>, gain: u32| {
        let project = RecordedProject::new(24, &["v1", "v2"], 1, &[Layer::Fact], gaining(gain));
        let text = text.map(|text| text.replace("TEXT", &project.context.read("skills/v2.md")));
        (project, text)
    };
    let (first, _) = project(None, 10);
    let reports = first.context.path("out");
    look(&first, &[]);
    let planned = ["--output-dir", reports.to_str().unwrap(), "--dry-run", "--json"];
    let alike = [
        "TEXT\n\n",
        "\u{feff}TEXT   \r\n",
        "<!-- 2 -->\nTEXT",
        "---\nversion: 1.0.1\n---\nTEXT",
        "---\nlicense: MIT\n# note\n---\n\nTEXT\n",
    ];
    for text in alike {
        let (other, text) = project(Some(text), 11);
        other.context.write("skills/v2.md", &text.unwrap());
        let planned = other.eval(&planned).expect(0).json();
        assert_eq!(planned["earlierLooks"]["messageKey"]["args"]["number"], json!(2.0), "{planned}");
    }
    for text in ["TEXT Be brief.", "---\ndescription: Answers questions.\n---\nTEXT"] {
        let (other, text) = project(Some(text), 12);
        other.context.write("skills/v2.md", &text.unwrap());
        let planned = other.eval(&planned).expect(0).json();
        assert!(planned.get("earlierLooks").is_none_or(Value::is_null), "{planned}");
    }
}

/// Whoever ends a run that goes wrong, and begins another one, has seen its numbers.
#[test]
fn a_run_that_ended_early_is_a_look_unless_its_scores_are_taken_over() {
    let ending = |gain: u32, lost: usize| {
        let of = gaining(gain);
        recorded(30, move |at| match at.variant == 1 && at.sample < lost {
            true => RecordedResult::Failed(Failure::Crashed),
            false => of(at),
        })
    };
    let first = ending(10, 8);
    let reports = first.context.path("out");
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    let broken = first.eval(&shared).json();
    assert_eq!((&broken["status"], broken["comparisons"][0]["n"].as_u64()), (&json!("incomplete"), Some(22)));
    let taken_over = ending(10, 0).eval(&shared).expect(0).json();
    assert_eq!(number(&taken_over), 1);
    let anew = ending(11, 0).eval(&shared).expect(0).json();
    assert_eq!(number(&anew), 3);
    assert_eq!(anew["meta"]["earlierLooks"][0]["endedEarly"], json!(true));
    // five pairs show nothing
    let few = ending(10, 25);
    let reports = few.context.path("out");
    few.eval(&["--output-dir", reports.to_str().unwrap(), "--report-only"]);
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    assert_eq!(number(&ending(12, 0).eval(&shared).expect(0).json()), 1);
}

/// A few samples more make a set that grew, where all other scores are the same, and one that was asked anew, where they aren't.
#[test]
fn a_set_that_grew_by_little_is_read_as_what_it_is() {
    let project = recorded(40, gaining(10));
    let whole = project.context.read("eval-samples.json");
    keep(&project, &whole, 0..38);
    look(&project, &[]);
    keep(&project, &whole, 0..40);
    let reports = project.context.path("out");
    let grown = look(&project, &[]);
    let looks = &grown["verdict"]["inputs"]["looks"];
    assert_eq!((&looks["number"], &looks["sameSamples"]), (&json!(2), &json!(1)));
    assert_eq!(grown["verdict"]["inputs"]["limits"]["alpha"], json!(0.025));
    let id = grown["id"].as_str().unwrap();
    let again = project.context.run(&["report", "verdict", id, "--reports-dir", "out"]).expect(0).stdout;
    assert!(again.contains("every stored number follows"), "{again}");
    let anew = recorded(40, gaining(11));
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    let anew = anew.eval(&shared).expect(0).json();
    let looks = &anew["verdict"]["inputs"]["looks"];
    assert_eq!((&looks["number"], &looks["sameSamples"]), (&json!(3), &json!(3)));
}

/// Whoever runs the treatment alone until it is good, and compares it afterwards, chose among its runs.
#[test]
fn runs_of_one_variant_count_where_two_of_them_are_compared() {
    let alone = |name: &str, gain: u32| {
        let of = move |at: CellIndex| fact(ground(at.sample) + gain + u32::try_from(at.sample % 3).unwrap());
        RecordedProject::new(24, &[name], 1, &[Layer::Fact], of)
    };
    let control = alone("v1", 0);
    let reports = control.context.path("out");
    let directory = reports.to_str().unwrap();
    let run = |project: &RecordedProject| {
        let flags = ["--output-dir", directory, "--report-only", "--json"];
        project.eval(&flags).expect(0).json()["id"].as_str().unwrap().to_owned()
    };
    let a = run(&control);
    let b = run(&alone("v2", 1));
    let diff = |b: &str, flags: &[&str]| {
        let base = ["diff", &a, b, "--variant", "v1:v2", "--reports-dir", directory];
        control.context.run(&[&base[..], flags].concat()).expect(0)
    };
    let once = diff(&b, &["--json"]).json();
    assert_eq!((once["uncontrolled"].as_array().unwrap().len(), once["comparisons"][0].get("otherRuns")), (1, None));
    run(&alone("v2", 2));
    let best = run(&alone("v2", 8));
    run(&alone("v3", 9));
    let chosen = diff(&best, &["--json"]).json();
    let of = &chosen["comparisons"][0];
    let (runs, ci) = (&of["otherRuns"], &of["diff"]["ci"]);
    assert_eq!((&runs["number"], runs["reports"].as_array().unwrap().len()), (&json!(3), 2));
    // 0.05 over 3² leaves out far more than 0.05
    near(&runs["ci"]["level"], 1.0 - 0.05 / 9.0, 1e-9);
    assert!(runs["ci"]["low"].as_f64() <= ci["low"].as_f64(), "{runs} {ci}");
    let text = diff(&best, &["--lang", "en"]).stdout;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("Two runs are no controlled comparison"), "{text}");
    assert!(text.contains("have 2 other runs on these samples"), "{text}");
    let inside = control.context.run(&["diff", &a, &a, "--reports-dir", directory, "--json"]).expect(0).json();
    assert!(inside.get("uncontrolled").is_none(), "{inside}");
}

/// The answers of the best of several runs of the treatment are taken over from the cache.
#[test]
fn whoever_takes_over_the_best_run_of_one_variant_chose_among_its_runs() {
    let alone = |gain: u32| {
        let of = move |at: CellIndex| fact(ground(at.sample) + gain + u32::try_from(at.sample % 3).unwrap());
        RecordedProject::new(24, &["v2"], 1, &[Layer::Fact], of)
    };
    let first = alone(2);
    let reports = first.context.path("out");
    let shared = ["--output-dir", reports.to_str().unwrap(), "--report-only", "--json"];
    first.eval(&shared).expect(0);
    alone(5).eval(&shared).expect(0);
    alone(8).eval(&shared).expect(0);
    let best = recorded(24, gaining(8)).eval(&shared).expect(0).json();
    assert_eq!((number(&best), &best["verdict"]["inputs"]["looks"]["sameSamples"]), (3, &json!(3)));
    // other answers are no choice among those
    let anew = recorded(24, gaining(9)).eval(&shared).expect(0).json();
    assert_eq!(number(&anew), 2, "the comparison before");
}
