//! promptfoo's own files, of two versions.

use eval_format::{PairedBy, ScoreMapping, UnknownFact};
use eval_results::{ArrangeOptions, ReadOptions, RowEnd, TableColumns};

use crate::tables::Written;
use crate::tallied::{ArmTally, assert_tally, expected, made, read, tallies};

const NEW: &str = "promptfoo-0.123.1";
const OLD: &str = "promptfoo-0.121.20";

fn control(name: &str) -> ArrangeOptions {
    ArrangeOptions { control: Some(name.to_owned()), ..ArrangeOptions::default() }
}

fn scored(name: &str, control: &str) -> ArrangeOptions {
    ArrangeOptions { score: Some(name.to_owned()), ..self::control(control) }
}

/// What was counted, without the one test that has no assertion: promptfoo passes it, with 1; it is no measurement.
#[expect(clippy::cast_precision_loss, reason = "a few cases")]
fn checked(of: &ArmTally, score: &str) -> ArmTally {
    let rest = ArmTally { cases: of.cases - 1, trials: of.trials - 1, ..*of };
    match score {
        "score" => {
            let mean = (of.mean * of.scored as f64 - 1.0) / (of.scored - 1) as f64;
            ArmTally { scored: of.scored - 1, mean, ..rest }
        }
        _ => rest,
    }
}

#[test]
fn a_document_has_the_means_and_missing_scores_that_a_count_of_its_own_finds() {
    for (folder, version) in [(NEW, "0.123.1"), (OLD, "0.121.20")] {
        for score in ["score", "exact", "rubric", "form"] {
            let found =
                read(&[made(folder, "ab.json")], &ReadOptions::default(), &scored(score, "demo-small · control"));
            let found = found.unwrap();
            assert_eq!(found.imported.tool_version.as_deref(), Some(version));
            for (arm, tally) in tallies(&found) {
                let (provider, prompt) = arm.split_once(" · ").unwrap();
                let counted = expected(folder, "ab.json", &format!("{prompt} / {provider}"), score);
                let counted = checked(&counted, score);
                // a test that has no such metric has no score either; the script leaves it out
                let unplanned = tally.trials - tally.errors - counted.scored - counted.unscored;
                let counted = ArmTally { unscored: counted.unscored + unplanned, ..counted };
                assert_tally(&tally, &counted);
            }
        }
    }
}

#[test]
fn lines_written_while_it_ran_are_read_as_the_document_is() {
    let found = read(&[made(NEW, "ab24.jsonl")], &ReadOptions::default(), &control("demo-small · control")).unwrap();
    assert_eq!(found.imported.tool_version, None);
    assert!(found.imported.unknown.contains(&UnknownFact::ToolVersion));
    for (arm, tally) in tallies(&found) {
        let (provider, prompt) = arm.split_once(" · ").unwrap();
        let counted = expected(NEW, "ab24.jsonl", &format!("{prompt} / {provider}"), "score");
        let counted = checked(&counted, "score");
        assert!((tally.mean - counted.mean).abs() < 2e-6, "{tally:?} {counted:?}");
        assert_eq!(tally, ArmTally { mean: tally.mean, ..counted });
    }
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("4 results without any assertion")), "{notes:?}");
}

#[test]
fn repeats_are_the_trials_of_one_case_though_the_tool_numbers_them_as_tests() {
    let files = [made(NEW, "control-repeat3.jsonl"), made(NEW, "treatment-repeat3.jsonl")];
    let found = read(&files, &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    assert_eq!(found.arms, ["control-repeat3", "treatment-repeat3"]);
    assert_eq!(found.imported.paired_by, PairedBy::Input);
    assert_eq!(found.cases.len(), 24);
    assert!(found.cases.iter().all(|case| case.trials.iter().all(|trials| trials.len() == 3)));
    let both = "control-repeat3.jsonl + treatment-repeat3.jsonl";
    for (arm, tally) in tallies(&found) {
        assert_tally(&tally, &expected(NEW, both, arm.trim_end_matches("-repeat3"), "score"));
    }
}

#[test]
fn a_database_has_its_newest_run_or_the_one_that_is_named() {
    let found = read(&[made(NEW, "promptfoo.db")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    let file = "promptfoo.db small, for the data base";
    for (arm, tally) in tallies(&found) {
        assert_tally(&tally, &expected(NEW, file, &format!("{arm} / demo-small"), "score"));
    }
    let reading = ReadOptions { run: Some("eval-none".to_owned()), ..ReadOptions::default() };
    let refused = read(&[made(NEW, "promptfoo.db")], &reading, &ArrangeOptions::default()).unwrap_err();
    assert!(refused.message.to_string().contains("has no run `eval-none`"), "{refused}");
    assert!(refused.help.unwrap().to_string().contains("`eval-JQM-"));
}

#[test]
fn arms_by_prompt_pair_each_provider_with_itself_and_count_its_cases_as_one_question() {
    let options = ArrangeOptions { by: Some("prompt".to_owned()), ..control("control") };
    let found = read(&[made(NEW, "ab.json")], &ReadOptions::default(), &options).unwrap();
    assert_eq!(found.arms, ["control", "treatment"]);
    assert_eq!(found.cases.len(), 22);
    assert!(found.cases.iter().any(|case| case.id == "c02 arithmetic · demo-large"));
    let questions: std::collections::BTreeSet<_> = found.cases.iter().map(|case| case.cluster.clone()).collect();
    assert_eq!(questions.len(), 11);
}

#[test]
fn four_columns_ask_which_one_is_the_control_and_name_them() {
    let refused = read(&[made(NEW, "ab.json")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap_err();
    assert!(refused.message.to_string().starts_with("there are 4 arms"), "{refused}");
    let help = refused.help.unwrap().to_string();
    assert!(help.contains("`demo-small · treatment`") && help.contains("`demo-large · control`"), "{help}");
}

#[test]
fn a_judge_that_failed_leaves_its_score_and_the_whole_missing_and_other_scores_as_they_are() {
    let path = [made(NEW, "ab.json")];
    let lost = |score: &str| {
        let found = read(&path, &ReadOptions::default(), &scored(score, "demo-small · control")).unwrap();
        let trials = found.cases.iter().flat_map(|case| &case.trials[0]);
        let whys = trials.filter_map(|trial| match &trial.row.end {
            RowEnd::Ungraded(why) if !why.is_empty() => Some(why.clone()),
            _ => None,
        });
        whys.collect::<Vec<String>>()
    };
    for score in ["score", "pass", "rubric"] {
        let whys = lost(score);
        assert_eq!(whys.len(), 2, "{score}: {whys:?}");
        assert!(whys.iter().all(|why| why.contains("JSON") || why.contains("500")), "{whys:?}");
    }
    let found = read(&path, &ReadOptions::default(), &scored("exact", "demo-small · control")).unwrap();
    assert_eq!(tallies(&found)["demo-small · control"].scored, 9);
}

#[test]
fn a_score_beyond_the_scale_is_refused_with_its_place_until_the_scale_is_declared() {
    let path = [made(NEW, "odd.jsonl")];
    let refused = read(&path, &ReadOptions::default(), &control("echo · control")).unwrap_err();
    assert!(refused.message.to_string().contains("which is not between 0 and 1"), "{refused}");
    assert!(refused.message.to_string().starts_with("`odd.jsonl:"), "{refused}");
    assert!(refused.help.unwrap().to_string().contains("--scale"));
    let declared = ArrangeOptions { scale: Some("0..2".parse().unwrap()), ..control("echo · control") };
    let found = read(&path, &ReadOptions::default(), &declared).unwrap();
    assert_eq!(found.imported.mapping, ScoreMapping::Scale { worst: 0.0, best: 2.0 });
    for (arm, tally) in tallies(&found) {
        let (provider, prompt) = arm.split_once(" · ").unwrap();
        let counted = expected(NEW, "odd.json", &format!("{prompt} / {provider}"), "score");
        assert!((tally.mean * 2.0 - counted.mean).abs() < 1e-6, "{arm} {tally:?} {counted:?}");
    }
    let passes = read(&path, &ReadOptions::default(), &scored("pass", "echo · control")).unwrap();
    assert_eq!(passes.imported.mapping, ScoreMapping::PassFail);
}

/// The document with its results in another order: promptfoo writes them as they finish.
fn reordered(order: impl FnOnce(&mut Vec<serde_json::Value>)) -> Written {
    let text = std::fs::read_to_string(made(NEW, "ab.json")).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = document["results"]["results"].as_array_mut().unwrap();
    order(rows);
    Written::new(&[("output.json", &document.to_string())])
}

#[test]
fn the_control_is_the_first_prompt_whichever_finished_first() {
    let mut names = Vec::new();
    for found in [reordered(|_| ()), reordered(|rows| rows.reverse()), reordered(|rows| rows.swap(0, 1))] {
        let by = ArrangeOptions { by: Some("prompt".to_owned()), ..ArrangeOptions::default() };
        let found = found.read(TableColumns::default(), &by).unwrap();
        names.push((found.arms.clone(), found.cases[0].id.clone()));
    }
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0], names[2]);
}

#[test]
fn lines_are_read_as_lines_whatever_the_files_name() {
    let text = std::fs::read_to_string(made(NEW, "ab24.jsonl")).unwrap();
    let file = Written::new(&[("ab24.json", &text)]);
    let found = file.read(TableColumns::default(), &control("demo-small · control")).unwrap();
    assert_eq!(found.cases.len(), 23);
}

#[test]
fn a_document_of_version_2_has_the_same_results_without_ids_and_tests() {
    let mut document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(made(NEW, "ab.json")).unwrap()).unwrap();
    let all = document.as_object_mut().unwrap();
    all.remove("evalId");
    all.remove("metadata");
    all["results"]["version"] = 2.into();
    for result in all["results"]["results"].as_array_mut().unwrap() {
        let fields = result.as_object_mut().unwrap();
        ["id", "promptId", "promptIdx", "testIdx", "testCase", "failureReason"].iter().for_each(|key| {
            fields.remove(*key);
        });
    }
    let text = document.to_string();
    let old = Written::new(&[("output.json", text.as_str())]);
    let options = control("demo-small · control");
    let old = tallies(&old.read(TableColumns::default(), &options).unwrap());
    let new = tallies(&read(&[made(NEW, "ab.json")], &ReadOptions::default(), &options).unwrap());
    assert_eq!(old, new);
}
