//! Gold: people's scores compared with the judge's, and their effect on the verdict.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::labelled::{LabelledProject, gain, human, no_gain, of_output};

fn tier(report: &Value) -> &str {
    report["verdict"]["tier"].as_str().unwrap()
}

/// The keys of the reasons for the only treatment's tier.
fn reasons(report: &Value) -> Vec<&str> {
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    reasons.iter().map(|reason| reason["messageKey"]["id"].as_str().unwrap()).collect()
}

#[test]
fn gold_revokes_the_verdict_of_a_biased_judge() {
    let project = LabelledProject::new(40, no_gain, |human, treated| human + u8::from(treated));
    project.eval(&[]).expect(0);
    assert_eq!(tier(&project.context.report()), "PROGRESS", "the judge alone is believed");

    let begun = project.gold(&["init", "latest", "--samples", "20", "--annotator", "ann"]).expect(0);
    assert!(begun.stdout.contains("40 outputs to score in `gold`, 20 samples"), "{begun:?}");
    let open = project.gold(&["validate", "latest"]).expect(0);
    assert!(open.stdout.contains("20 files, 40 annotations, 0 scores, 40 still open"), "{open:?}");
    project.fill();
    let valid = project.gold(&["validate", "latest"]).expect(0);
    assert!(valid.stdout.contains("40 of 40 annotations fit the report"), "{valid:?}");

    let calls = project.api.count();
    let held = project.eval(&["--gold-dir", "gold", "--details"]).expect(1);
    assert_eq!(project.api.count(), calls, "writing gold changes no answer: all come from the cache");
    let report = project.context.report();
    let gold = &report["gold"];
    assert_eq!((tier(&report), &gold["counts"]["used"]), ("CAUTIOUS", &json!(40)));
    assert!(reasons(&report).contains(&"report-doubt-gold-interval"), "{:?}", reasons(&report));
    assert!(held.stdout.contains("people's scores don't confirm"), "{}", held.stdout);

    let difference = &gold["differences"][0];
    assert_eq!(
        (&difference["judge"], &difference["labelled"], &difference["unlabelled"]),
        (&json!(1.0), &json!(20), &json!(20))
    );
    let bound = |name: &str| difference["ci"][name].as_f64().unwrap();
    assert!(bound("low") < 0.0 && bound("high") > 0.0 && bound("high") < 0.6, "{difference}");
    // The judge adds one point to one of two outputs of each sample.
    assert_eq!(
        (&gold["overall"]["bias"]["value"], &gold["overall"]["meanAbsoluteDifference"]),
        (&json!(0.5), &json!(0.5))
    );
    assert_eq!((&gold["overall"]["n"], &gold["overall"]["samples"]), (&json!(40), &json!(20)));

    // The verdict follows from the stored numbers.
    let id = report["id"].as_str().unwrap();
    assert!(project.context.run(&["report", "verdict", id]).expect(1).stdout.contains("CAUTIOUS"));
    // A stored report gives the same numbers as the run.
    assert_eq!(project.compare(), *gold);
}

#[test]
fn gold_confirms_the_verdict_of_an_honest_judge() {
    let project = LabelledProject::honest(40, gain);
    project.eval(&["--report-only"]).expect(0);
    project.gold(&["init", "latest", "--samples", "24"]).expect(0);
    project.fill();
    let held = project.eval(&["--gold-dir", "gold", "--details"]).expect(0);
    let report = project.context.report();
    assert_eq!((tier(&report), &report["gold"]["overall"]["alpha"]["value"]), ("PROGRESS", &json!(1.0)));
    assert!(held.stdout.contains("judge and people"), "{}", held.stdout);
    assert!(report["gold"]["differences"][0]["untied"].as_u64().unwrap() >= 10);
    // The same with `goldDir` in `eval.yaml`.
    project.context.write("eval.yaml", "goldDir: gold\n");
    project.eval(&[]).expect(0);
    assert_eq!(project.context.report()["gold"], report["gold"]);
}

#[test]
fn few_labels_confirm_nothing() {
    let project = LabelledProject::honest(40, gain);
    project.eval(&[]).expect(0);
    project.gold(&["init", "latest", "--samples", "6"]).expect(0);
    project.fill();
    project.eval(&["--gold-dir", "gold"]).expect(1);
    let report = project.context.report();
    assert_eq!((tier(&report), reasons(&report).contains(&"report-doubt-gold-few")), ("CAUTIOUS", true));
}

#[test]
fn judge_that_disagrees_with_gold_is_not_sound() {
    // The judge finds a gain, but on outputs where people see none, and scores the others at random.
    let project = LabelledProject::new(40, gain, |human, treated| if treated { 9 - human.max(4) } else { 6 - human });
    project.eval(&["--report-only"]).expect(0);
    project.gold(&["init", "latest"]).expect(0);
    project.fill();
    project.eval(&["--gold-dir", "gold", "--threshold", "1"]).expect(1);
    let report = project.context.report();
    assert!(report["gold"]["overall"]["alpha"]["ci"]["low"].as_f64().unwrap() < 0.4);
    assert!(reasons(&report).contains(&"report-doubt-gold-alpha"), "{:?} {}", reasons(&report), report["gold"]);
}

#[test]
fn gold_of_changed_outputs_is_stale() {
    let project = LabelledProject::honest(24, gain);
    project.eval(&[]).expect(0);
    project.gold(&["init", "latest"]).expect(0);
    project.fill();
    project.context.write("skills/v2.md", "better, much better");
    let held = project.eval(&["--gold-dir", "gold", "--details"]).expect(1);
    let report = project.context.report();
    let counts = &report["gold"]["counts"];
    assert_eq!((&counts["used"], &counts["stale"]), (&json!(24), &json!(24)), "the control's outputs are the same");
    assert_eq!(report["gold"]["leftOut"][0]["reason"], "stale");
    assert!(held.stdout.contains("24 annotations are stale"), "{}", held.stdout);
    assert_eq!(tier(&report), "CAUTIOUS", "the current outputs of the treatment are not scored");
    project.context.write("skills/v1.md", "plainer");
    project.eval(&["--gold-dir", "gold"]).expect(1);
    let report = project.context.report();
    assert_eq!(report["gold"]["overall"]["alpha"]["why"], "too-few");
    assert!(reasons(&report).contains(&"report-doubt-gold-undefined"), "{:?}", reasons(&report));
}

#[test]
fn constant_gold_scores_have_no_agreement() {
    for (judge, people) in [(4, Some(4.0)), (4, None), (0, Some(4.0))] {
        let project = LabelledProject::new(8, gain, move |human, _| if judge == 0 { human } else { judge });
        project.eval(&["--report-only"]).expect(0);
        project.gold(&["init", "latest"]).expect(0);
        project.fill_with(|human| Some(people.unwrap_or(f64::from(human))));
        let compared = project.gold(&["compare", "latest"]).expect(0);
        assert!(compared.stdout.contains("undefined, no variance"), "{judge} {people:?}: {}", compared.stdout);
        let overall = &project.compare()["overall"];
        assert_eq!((&overall["kappa"]["value"], &overall["kappa"]["why"]), (&Value::Null, &json!("no-variance")));
        assert_eq!(overall["alpha"]["value"].is_null(), judge == 4 && people.is_some());
        project.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    }
}

#[test]
fn judge_cannot_label_its_own_gold() {
    let project = LabelledProject::new(40, no_gain, |human, treated| human + u8::from(treated));
    project.eval(&[]).expect(0);
    // The judge labels all outputs with its own scores; a person labels half of them.
    project.gold(&["init", "latest", "--annotator", "openai/Judge-1-20260101"]).expect(0);
    for path in project.files() {
        let mut file: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for entry in file["annotations"].as_array_mut().unwrap() {
            let output = entry["output"].as_str().unwrap();
            entry["scores"]["rubric"] = json!(human(project.taste, output) + u8::from(of_output(output).1));
        }
        fs::write(&path, file.to_string()).unwrap();
    }
    let alone = project.compare();
    assert_eq!((&alone["overall"]["alpha"]["value"], &alone["withoutJudges"]["n"]), (&json!(1.0), &json!(0)));
    project.eval(&["--gold-dir", "gold"]).expect(1);
    assert!(reasons(&project.context.report()).contains(&"report-doubt-gold-undefined"));

    project.gold(&["init", "latest", "--annotator", "ann", "--samples", "20"]).expect(0);
    project.fill();
    let both = project.compare();
    assert_eq!((&both["overall"]["n"], &both["withoutJudges"]["n"]), (&json!(80), &json!(40)));
    assert!(both["withoutJudges"]["alpha"]["value"].as_f64() < both["overall"]["alpha"]["value"].as_f64());
    assert_eq!(both["annotators"][1]["judge"], "openai-api:judge-1");
    assert!(both["amongAnnotators"]["value"].is_number());
    let text = project.gold(&["compare", "latest"]).expect(0).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("`openai/Judge-1-20260101` seems to be the judge `openai-api:judge-1`"), "{text}");
    project.eval(&["--gold-dir", "gold"]).expect(1);
    assert_eq!(project.context.report()["gold"]["differences"][0]["labelled"], 20, "the judge labels nothing");
}

/// Tripwires are in no mean: nobody is asked to score them, and scores of them change nothing, neither in the run nor
/// when its report is compared.
#[test]
fn tripwires_are_excluded_from_gold() {
    let project = LabelledProject::new(24, gain, |human, treated| 6 - human.max(1 + u8::from(treated)));
    let path = project.context.path("eval-samples.json");
    let counted: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut samples = counted.clone();
    for (i, sample) in samples.as_array_mut().unwrap().iter_mut().enumerate().filter(|(i, _)| i % 4 == 1) {
        sample["tripwire"] = json!(true);
        sample["sample_id"] = json!(format!("wire{i}"));
    }
    // Tripwires are scored as if they counted, with and without the hash of the output.
    project.eval(&["--report-only"]).expect(0);
    project.gold(&["init", "latest", "--annotator", "ann"]).expect(0);
    project.fill();
    let wires: Vec<PathBuf> =
        project.files().into_iter().enumerate().filter(|(i, _)| i % 4 == 1).map(|of| of.1).collect();
    for (i, file) in wires.iter().enumerate() {
        let mut value: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        value["sample_id"] = json!(format!("wire{}", 4 * i + 1));
        if i % 2 == 0 {
            for entry in value["annotations"].as_array_mut().unwrap() {
                entry.as_object_mut().unwrap().remove("outputSha256");
            }
        }
        fs::remove_file(file).unwrap();
        project.context.write(&format!("gold/wire{}.json", 4 * i + 1), &value.to_string());
    }
    fs::write(&path, samples.to_string()).unwrap();
    project.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    let held = project.context.report();
    let gold = &held["gold"];
    assert_eq!(project.compare(), *gold, "the run and its report say the same");
    assert_eq!((&gold["counts"]["used"], &gold["counts"]["tripwire"]), (&json!(36), &json!(12)));
    assert_eq!(gold["leftOut"][0]["reason"], "tripwire");
    assert_eq!((&gold["overall"]["samples"], &gold["differences"][0]["labelled"]), (&json!(18), &json!(18)));
    let text = project.gold(&["compare", "latest"]).expect(0).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("12 annotations are about tripwires"), "{text}");

    // Templates do not ask for them.
    fs::remove_dir_all(project.context.path("gold")).unwrap();
    project.gold(&["init", "latest", "--annotator", "ann"]).expect(0);
    assert_eq!(project.files().len(), 18);
    project.fill();
    // With all samples scored, the numbers equal those of the suite without tripwires.
    let numbers = |gold: &Value| ["overall", "means", "differences"].map(|part| gold[part].clone());
    let with = numbers(&project.compare());
    let without: Value =
        counted.as_array().unwrap().iter().enumerate().filter(|(i, _)| i % 4 != 1).map(|of| of.1.clone()).collect();
    fs::write(&path, without.to_string()).unwrap();
    project.eval(&["--report-only", "--gold-dir", "gold"]).expect(0);
    assert_eq!(numbers(&project.context.report()["gold"]), with);
    assert_eq!(numbers(gold), with);
}

#[test]
fn judge_is_recognized_by_every_alias_of_its_model() {
    let project = LabelledProject::honest(4, gain);
    project.eval(&["--report-only"]).expect(0);
    let executors = eval_exec::EXECUTORS.iter().map(|executor| format!("{}:judge-1", executor.name));
    let mut names: Vec<String> = executors.collect();
    names.extend(["judge-1:latest", "acme/Judge1-20260101", "ann", "judge-12", "other:judge-1"].map(str::to_owned));
    for name in &names {
        project.gold(&["init", "latest", "--annotator", name]).expect(0);
    }
    project.fill();
    let annotators = project.compare()["annotators"].clone();
    let people: Vec<&str> = (annotators.as_array().unwrap().iter())
        .filter(|of| of["judge"].is_null())
        .map(|of| of["name"].as_str().unwrap())
        .collect();
    assert_eq!(people, ["ann", "judge-12", "other:judge-1"], "{annotators}");
}

#[test]
fn report_without_judges_has_no_gold_template() {
    let project = LabelledProject::honest(2, gain);
    project.eval(&["--no-judge", "--report-only"]).expect(0);
    assert!(project.gold(&["init", "latest"]).expect(2).stderr.contains("no output that a judge scored"));
    assert!(project.gold(&["init", "none"]).expect(2).stderr.contains("no report `none`"));
    let empty = TestContext::new();
    assert!(empty.run(&["gold", "init", "latest", "--gold-dir", "g"]).expect(2).stderr.contains("there is no report"));
}
