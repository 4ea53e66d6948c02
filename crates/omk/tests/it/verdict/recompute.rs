//! `omk report verdict`: every number of a stored report follows from its results, and differences are named.

use std::fs;
use std::path::Path;

use eval_format::{Report, Tier};
use eval_spec::{Failure, Layer};
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::judged::JudgedProject;
use crate::fixtures::recorded::{RecordedProject, RecordedResult, both, ended};
use crate::fixtures::scores::three;

/// A report with everything that can be scored: rubric and dimensions, assertions of both layers, a set, judged
/// assertions of which one repeats a question, a tripwire, two repeats, two judges with two opinions each.
pub(crate) fn rich(flags: &[&str]) -> (TestContext, Value) {
    let project = JudgedProject::new(
        5,
        |system, prompt| format!("{system} answer to {prompt}"),
        |case| {
            let digit =
                case.prompt.bytes().map(usize::from).sum::<usize>() + case.request.body["model"].to_string().len();
            case.scores(u8::try_from(digit % 5).unwrap() + 1)
        },
    );
    let samples: Vec<Value> = (1..=5)
        .map(|i| {
            let asked = json!({"type": "semantic_similarity", "reference": "the cause", "threshold": 3});
            let looser = json!({"type": "semantic_similarity", "reference": "the cause", "threshold": 2, "not": true});
            let set = json!({"type": "assert-set", "mode": if i % 2 == 0 { "any" } else { "all" }, "children": [
                {"type": "contains", "value": "better"}, {"type": "contains", "value": i.to_string()}]});
            let plain = json!([{"type": "contains", "value": "better", "weight": 2.5}, {"type": "max_length", "value": 20 + i},
                {"type": "cost_max", "value": 1}, set, asked, looser]);
            let mut sample = json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "assertions": plain});
            match i % 3 {
                0 => sample["rubric"] = json!("names the cause"),
                1 => sample["dimensions"] = json!({"depth": "is deep", "tone": "is kind"}),
                _ => {}
            }
            sample["tripwire"] = json!(i == 5);
            sample
        })
        .collect();
    project.context.write("eval-samples.json", &Value::from(samples).to_string());
    let base =
        ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--repeat", "2", "--report-only"];
    let judges = ["--judge-models", "judge-1,judge-22", "--judge-repeat", "2", "--bootstrap-samples", "1000"];
    project.context.run(&[&base, judges.as_slice(), flags].concat()).expect(0);
    let report = project.context.report();
    (project.context, report)
}

/// The result of recomputing a report.
fn again(context: &TestContext, report: &Value) -> Value {
    let path = context.write("edited/report.json", &report.to_string());
    recomputed(&path)
}

fn recomputed(path: &Path) -> Value {
    serde_json::to_value(eval_history::recompute(path, env!("CARGO_PKG_VERSION")).unwrap()).unwrap()
}

fn paths(again: &Value) -> Vec<&str> {
    again["differences"].as_array().unwrap().iter().map(|one| one["path"].as_str().unwrap()).collect()
}

#[test]
fn edit_is_reported_with_its_place_and_the_expected_value() {
    let (context, report) = rich(&[]);
    let result = "/results/2/variants/v2/runs/0";
    let edits: &[(&str, Value, &str)] = &[
        ("/results/2/variants/v2/compositeScore", json!(4.9), "/results/2/variants/v2/compositeScore"),
        (
            "/results/2/variants/v2/runs/0/assertions/details/0/passed",
            json!(false),
            "/results/2/variants/v2/runs/0/compositeScore",
        ),
        (
            "/results/2/variants/v2/runs/0/judged/0/opinions/0/score",
            json!(1.0),
            "/results/2/variants/v2/runs/0/judged/0/score",
        ),
        (
            "/results/2/variants/v2/runs/0/layeredScores/factScore",
            json!(4.9),
            "/results/2/variants/v2/runs/0/layeredScores/factScore",
        ),
        ("/summary/v2/avgCompositeScore", json!(4.9), "/summary/v2/avgCompositeScore"),
        ("/comparisons/0/diff/ci/low", json!(0.5), "/comparisons/0/diff/ci/low"),
        ("/verdict/inputs/treatments/0/diff/low", json!(0.5), "/verdict/inputs/treatments/0/diff/low"),
        ("/verdict/tier", json!("PROGRESS"), "/verdict/tier"),
    ];
    assert_ne!(report.pointer(&format!("{result}/judged/0/opinions/0/score")), Some(&json!(1.0)));
    for (path, value, expected) in edits {
        let mut edited = report.clone();
        let leaf = edited.pointer_mut(path).unwrap_or_else(|| panic!("{path}"));
        if leaf == value {
            continue;
        }
        *leaf = value.clone();
        let again = again(&context, &edited);
        assert_eq!(again["agrees"], false, "{path}");
        assert!(paths(&again).contains(expected), "{path}: {:?}", paths(&again));
        let file = context.path("edited/report.json");
        let printed = context.run(&["report", "verdict", file.to_str().unwrap()]).expect(3);
        assert!(printed.stdout.contains("follows from") && printed.stderr.contains("verdict is"), "{printed:#?}");
    }
    // A single score: nothing else depends on it.
    let mut edited = report.clone();
    *edited.pointer_mut("/results/2/variants/v2/compositeScore").unwrap() = json!(4.9);
    let again = again(&context, &edited);
    assert_eq!(paths(&again), ["/results/2/variants/v2/compositeScore"]);
    let one = &again["differences"][0];
    assert_eq!(
        (&one["stored"], &one["recomputed"]),
        (&json!(4.9), &report["results"][2]["variants"]["v2"]["compositeScore"])
    );
}

#[test]
fn removed_sample_is_reported() {
    let (context, report) = rich(&[]);
    let mut edited = report.clone();
    edited["results"].as_array_mut().unwrap().remove(1);
    edited["meta"]["sampleCount"] = json!(4);
    edited["meta"]["testSet"]["sampleCount"] = json!(4);
    let outcome = again(&context, &edited);
    assert!(paths(&outcome).contains(&"/meta/sampleHashes/s002"), "{outcome:#}");
    let mut edited = report;
    edited["results"][1]["variants"].as_object_mut().unwrap().remove("v2");
    assert!(paths(&again(&context, &edited)).contains(&"/results/1/variants/v2"));
}

#[test]
fn every_kind_of_report_is_reproduced_from_its_results() {
    let odd = |at: crate::fixtures::recorded::CellIndex| match (at.sample, at.variant) {
        (1, 1) => RecordedResult::Failed(Failure::Rejected),
        (2, _) => ended(eval_spec::Outcome::Refused),
        (3, 0) => ended(eval_spec::Outcome::Truncated),
        (sample, variant) => both(u32::try_from(sample * 7 % 60 + variant * 20).unwrap(), 50),
    };
    let prepared = RecordedProject::new(30, &["v1", "v2", "v3"], 2, &[Layer::Fact, Layer::Behavior], odd);
    for flags in [&[][..], &["--blind"], &["--ci", "bca"], &["--ci", "t"], &["--max-failure-rate", "0"]] {
        let all = [flags, &["--repeat", "2", "--report-only", "--bootstrap-samples", "1000"]].concat();
        let mut arguments =
            vec!["eval", "--variants", "v1,v2,v3", "--executor", "replay", "--recordings", "recordings"];
        arguments.extend(&all);
        let _ = prepared.context.run(&arguments);
    }
    let _ = prepared.context.run(&["eval", "--control", "v1", "--executor", "replay", "--recordings", "recordings"]);
    let reports = prepared.context.reports();
    assert_eq!(reports.len(), 6);
    for path in reports {
        let again = recomputed(&path);
        assert_eq!(again["agrees"], true, "{again:#}");
        let stored: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(again["recomputed"], stored["verdict"]);
    }
    let (context, report) = rich(&["--blind"]);
    assert_eq!(again(&context, &report)["agrees"], true);
}

#[test]
fn removed_field_is_refused_or_reported() {
    let (context, report) = rich(&[]);
    for (field, code) in [
        ("/analysis/saturation", 3),
        ("/analysis/sampleQuality", 2),
        ("/comparisons/0", 3),
        ("/comparisons/0/shares", 3),
        ("/comparisons/0/equalLength", 2),
        ("/comparisons/0/diff/sd", 3),
        ("/summary/v2/avgCompositeScore", 3),
        ("/verdict/inputs/control/cached", 2),
        ("/meta/judgeCost", 3),
        ("/meta/settings/judgeRepeat", 2),
        ("/results/0/questions", 2),
    ] {
        let mut edited = report.clone();
        let (parent, name) = field.rsplit_once('/').unwrap();
        match edited.pointer_mut(parent).unwrap() {
            Value::Object(fields) => drop(fields.remove(name).unwrap_or_else(|| panic!("{field}"))),
            Value::Array(all) => drop(all.remove(name.parse().unwrap())),
            _ => panic!("{field}"),
        }
        let path = context.write("edited/report.json", &edited.to_string());
        let printed = context.run(&["report", "verdict", path.to_str().unwrap()]).expect(code);
        if code == 2 {
            assert!(printed.stderr.contains(&format!("`{name}`")), "{field}: {printed:#?}");
        }
    }
}

#[test]
fn file_that_is_no_report_is_an_input_error() {
    let (context, report) = rich(&[]);
    let version = |number: u32| {
        let mut other = report.clone();
        other["schemaVersion"] = json!(number);
        other.to_string()
    };
    let (older, newer) = (version(0), version(99));
    let mut rules = report.clone();
    rules["verdict"]["inputs"]["rules"] = json!(2);
    let mut huge = report.clone();
    huge["meta"]["repeat"] = json!(4_000_000_000_u32);
    let mut drawn = report.clone();
    drawn["meta"]["settings"]["bootstrapSamples"] = json!(4_000_000_000_u32);
    let mut unknown = report;
    unknown["meta"]["settings"]["ci"] = json!("none");
    for (name, text, says) in [
        ("older", older, "has format version 0, and this program reads version 1"),
        ("newer", newer, "has format version 99, and this program reads version 1"),
        ("rules", rules.to_string(), "by rules 2, and this program reads rules 3"),
        ("huge", huge.to_string(), "4000000000 repeats"),
        ("drawn", drawn.to_string(), "4000000000 resamples"),
        ("unknown", unknown.to_string(), "none"),
        ("cut", "{\"id\": \"x\", ".to_owned(), "cut.json"),
        ("list", "[]".to_owned(), "list.json"),
    ] {
        let file = context.write(&format!("edited/{name}.json"), &text);
        let printed = context.run(&["report", "verdict", file.to_str().unwrap()]).expect(2);
        let said = printed.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(says) || said.replace(',', "").contains(says), "{name}: {printed:#?}");
    }
}

#[test]
fn verdict_depends_only_on_its_inputs() {
    let prepared = three(42);
    let value = prepared.report(1, &[]);
    let report: Report = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(eval_verdict::verdict(&report.verdict.inputs), report.verdict);
    // The inputs equal the report's numbers.
    for (i, treatment) in report.verdict.inputs.treatments.iter().enumerate() {
        let diff = &report.comparisons[i].diff;
        let ci = diff.ci.unwrap();
        assert_eq!((treatment.diff.low, treatment.diff.high), (Some(ci.low), Some(ci.high)));
        assert_eq!((treatment.diff.n, treatment.diff.p), (report.comparisons[i].n, diff.p_value_adjusted));
        let summary = &report.summary[&treatment.arm.name];
        assert_eq!(treatment.layers.fact.unwrap().mean, summary.layers.fact.as_ref().unwrap().mean);
        assert_eq!(treatment.arm.outcomes, summary.outcomes);
    }
    // Each of them matters.
    let changed = |change: &dyn Fn(&mut eval_format::VerdictInputs)| {
        let mut inputs = report.verdict.inputs.clone();
        inputs.treatments.truncate(1);
        change(&mut inputs);
        let verdict = eval_verdict::verdict(&inputs);
        (verdict.tier, verdict.exit_code)
    };
    assert_eq!(changed(&|_| ()), (Tier::Progress, 0));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.n = 5), (Tier::Underpowered, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.n = 19), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].diff.low = Some(-0.3)), (Tier::Underpowered, 1));
    assert_eq!(changed(&|inputs| inputs.limits.threshold = 4.9), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments[0].arm.missing_scores = 5), (Tier::Cautious, 1));
    assert_eq!(changed(&|inputs| inputs.treatments.clear()), (Tier::Solo, 0));
}

#[test]
fn edited_verdict_differs_from_the_recomputed_one() {
    let context = TestContext::with_agent();
    context.samples(24, &json!([{"type": "contains", "value": "better"}]));
    context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent"]).expect(0);
    let path = context.reports().pop().unwrap();
    let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let agrees = context.run(&["report", "verdict", &id]).expect(0);
    assert!(agrees.stdout.contains("PROGRESS"), "{agrees:#?}");
    let edited = std::fs::read_to_string(&path).unwrap().replace(r#""tier": "PROGRESS""#, r#""tier": "REGRESS""#);
    let copy = context.write("edited.json", &edited);
    let printed = context.run(&["report", "verdict", copy.to_str().unwrap()]).expect(3);
    assert!(printed.stderr.contains("REGRESS") && printed.stderr.contains("PROGRESS"), "{printed:#?}");
    context.run(&["report", "verdict", "nothing"]).expect(2);
}
