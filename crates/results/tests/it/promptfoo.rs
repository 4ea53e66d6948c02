//! Files written by two versions of promptfoo.

use eval_format::{PairedBy, ScoreMapping, UnknownFact};
use eval_results::{ArrangeOptions, ReadOptions, RowEnd, TableColumns};

use crate::tables::TestFiles;
use crate::tallied::{ArmTally, assert_tally, data, expected, read, tallies};

const NEW: &str = "promptfoo-0.123.1";
const OLD: &str = "promptfoo-0.121.20";

fn control(name: &str) -> ArrangeOptions {
    ArrangeOptions { control: Some(name.to_owned()), ..ArrangeOptions::default() }
}

fn scored(name: &str, control: &str) -> ArrangeOptions {
    ArrangeOptions { score: Some(name.to_owned()), ..self::control(control) }
}

/// Removes the one test without assertions from the counts: promptfoo passes it with 1, but it measures nothing.
#[expect(clippy::cast_precision_loss, reason = "a few cases")]
fn without_unchecked(counted: &ArmTally, score: &str) -> ArmTally {
    let rest = ArmTally { cases: counted.cases - 1, trials: counted.trials - 1, ..*counted };
    match score {
        "score" => {
            let mean = (counted.mean * counted.scored as f64 - 1.0) / (counted.scored - 1) as f64;
            ArmTally { scored: counted.scored - 1, mean, ..rest }
        }
        _ => rest,
    }
}

#[test]
fn document_has_the_means_and_missing_scores_of_a_separate_count() {
    for (folder, version) in [(NEW, "0.123.1"), (OLD, "0.121.20")] {
        for score in ["score", "exact", "rubric", "form"] {
            let results =
                read(&[data(folder, "ab.json")], &ReadOptions::default(), &scored(score, "demo-small · control"));
            let results = results.unwrap();
            assert_eq!(results.imported.tool_version.as_deref(), Some(version));
            for (arm, tally) in tallies(&results) {
                let (provider, prompt) = arm.split_once(" · ").unwrap();
                let counted = expected(folder, "ab.json", &format!("{prompt} / {provider}"), score);
                let counted = without_unchecked(&counted, score);
                // a test without this metric has no score; the script leaves it out
                let unplanned = tally.trials - tally.errors - counted.scored - counted.unscored;
                let counted = ArmTally { unscored: counted.unscored + unplanned, ..counted };
                assert_tally(&tally, &counted);
            }
        }
    }
}

#[test]
fn json_lines_are_read_like_the_document() {
    let results = read(&[data(NEW, "ab24.jsonl")], &ReadOptions::default(), &control("demo-small · control")).unwrap();
    assert_eq!(results.imported.tool_version, None);
    assert!(results.imported.unknown.contains(&UnknownFact::ToolVersion));
    for (arm, tally) in tallies(&results) {
        let (provider, prompt) = arm.split_once(" · ").unwrap();
        let counted = expected(NEW, "ab24.jsonl", &format!("{prompt} / {provider}"), "score");
        let counted = without_unchecked(&counted, "score");
        assert!((tally.mean - counted.mean).abs() < 2e-6, "{tally:?} {counted:?}");
        assert_eq!(tally, ArmTally { mean: tally.mean, ..counted });
    }
    let notes: Vec<String> = results.notes.iter().map(ToString::to_string).collect();
    assert!(notes.iter().any(|note| note.contains("4 results without any assertion")), "{notes:?}");
}

#[test]
fn repeats_are_trials_of_one_case_although_the_tool_numbers_them_as_tests() {
    let files = [data(NEW, "control-repeat3.jsonl"), data(NEW, "treatment-repeat3.jsonl")];
    let results = read(&files, &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    assert_eq!(results.arms, ["control-repeat3", "treatment-repeat3"]);
    assert_eq!(results.imported.paired_by, PairedBy::Input);
    assert_eq!(results.cases.len(), 24);
    assert!(results.cases.iter().all(|case| case.trials.iter().all(|trials| trials.len() == 3)));
    let both = "control-repeat3.jsonl + treatment-repeat3.jsonl";
    for (arm, tally) in tallies(&results) {
        assert_tally(&tally, &expected(NEW, both, arm.trim_end_matches("-repeat3"), "score"));
    }
}

#[test]
fn newest_run_of_a_database_is_read_unless_one_is_named() {
    let results = read(&[data(NEW, "promptfoo.db")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    let file = "promptfoo.db small, for the data base";
    for (arm, tally) in tallies(&results) {
        assert_tally(&tally, &expected(NEW, file, &format!("{arm} / demo-small"), "score"));
    }
    let reading = ReadOptions { run: Some("eval-none".to_owned()), ..ReadOptions::default() };
    let refused = read(&[data(NEW, "promptfoo.db")], &reading, &ArrangeOptions::default()).unwrap_err();
    assert!(refused.message.to_string().contains("has no run `eval-none`"), "{refused}");
    assert!(refused.help.unwrap().to_string().contains("`eval-JQM-"));
}

#[test]
fn arms_by_prompt_pair_each_provider_with_itself_and_count_its_cases_as_one_question() {
    let options = ArrangeOptions { by: Some("prompt".to_owned()), ..control("control") };
    let results = read(&[data(NEW, "ab.json")], &ReadOptions::default(), &options).unwrap();
    assert_eq!(results.arms, ["control", "treatment"]);
    assert_eq!(results.cases.len(), 22);
    assert!(results.cases.iter().any(|case| case.id == "c02 arithmetic · demo-large"));
    let questions: std::collections::BTreeSet<_> = results.cases.iter().map(|case| case.cluster.clone()).collect();
    assert_eq!(questions.len(), 11);
}

#[test]
fn four_arms_without_a_control_are_refused_with_their_names() {
    let refused = read(&[data(NEW, "ab.json")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap_err();
    assert!(refused.message.to_string().starts_with("there are 4 arms"), "{refused}");
    let help = refused.help.unwrap().to_string();
    assert!(help.contains("`demo-small · treatment`") && help.contains("`demo-large · control`"), "{help}");
}

#[test]
fn failed_judge_makes_its_own_and_the_overall_score_missing_but_no_others() {
    let path = [data(NEW, "ab.json")];
    let missing_reasons = |score: &str| {
        let results = read(&path, &ReadOptions::default(), &scored(score, "demo-small · control")).unwrap();
        let trials = results.cases.iter().flat_map(|case| &case.trials[0]);
        let reasons = trials.filter_map(|trial| match &trial.row.end {
            RowEnd::Ungraded(why) if !why.is_empty() => Some(why.clone()),
            _ => None,
        });
        reasons.collect::<Vec<String>>()
    };
    for score in ["score", "pass", "rubric"] {
        let reasons = missing_reasons(score);
        assert_eq!(reasons.len(), 2, "{score}: {reasons:?}");
        assert!(reasons.iter().all(|why| why.contains("JSON") || why.contains("500")), "{reasons:?}");
    }
    let results = read(&path, &ReadOptions::default(), &scored("exact", "demo-small · control")).unwrap();
    assert_eq!(tallies(&results)["demo-small · control"].scored, 9);
}

#[test]
fn score_beyond_the_scale_is_refused_with_its_place_until_a_scale_is_declared() {
    let path = [data(NEW, "odd.jsonl")];
    let refused = read(&path, &ReadOptions::default(), &control("echo · control")).unwrap_err();
    assert!(refused.message.to_string().contains("which is not between 0 and 1"), "{refused}");
    assert!(refused.message.to_string().starts_with("`odd.jsonl:"), "{refused}");
    assert!(refused.help.unwrap().to_string().contains("--scale"));
    let declared = ArrangeOptions { scale: Some("0..2".parse().unwrap()), ..control("echo · control") };
    let results = read(&path, &ReadOptions::default(), &declared).unwrap();
    assert_eq!(results.imported.mapping, ScoreMapping::Scale { worst: 0.0, best: 2.0 });
    for (arm, tally) in tallies(&results) {
        let (provider, prompt) = arm.split_once(" · ").unwrap();
        let counted = expected(NEW, "odd.json", &format!("{prompt} / {provider}"), "score");
        assert!((tally.mean * 2.0 - counted.mean).abs() < 1e-6, "{arm} {tally:?} {counted:?}");
    }
    let passes = read(&path, &ReadOptions::default(), &scored("pass", "echo · control")).unwrap();
    assert_eq!(passes.imported.mapping, ScoreMapping::PassFail);
}

/// Returns the document with its results in another order: promptfoo writes them as they finish.
fn reordered(order: impl FnOnce(&mut Vec<serde_json::Value>)) -> TestFiles {
    let text = std::fs::read_to_string(data(NEW, "ab.json")).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = document["results"]["results"].as_array_mut().unwrap();
    order(rows);
    TestFiles::new(&[("output.json", &document.to_string())])
}

#[test]
fn control_is_the_first_prompt_whichever_finished_first() {
    let mut names = Vec::new();
    for results in [reordered(|_| ()), reordered(|rows| rows.reverse()), reordered(|rows| rows.swap(0, 1))] {
        let by = ArrangeOptions { by: Some("prompt".to_owned()), ..ArrangeOptions::default() };
        let results = results.read(TableColumns::default(), &by).unwrap();
        names.push((results.arms.clone(), results.cases[0].id.clone()));
    }
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0], names[2]);
}

#[test]
fn json_lines_are_recognised_under_any_name() {
    let text = std::fs::read_to_string(data(NEW, "ab24.jsonl")).unwrap();
    let file = TestFiles::new(&[("ab24.json", &text)]);
    let results = file.read(TableColumns::default(), &control("demo-small · control")).unwrap();
    assert_eq!(results.cases.len(), 23);
}

#[test]
fn document_of_version_2_has_the_same_results_without_ids_and_tests() {
    let mut document: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data(NEW, "ab.json")).unwrap()).unwrap();
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
    let old = TestFiles::new(&[("output.json", text.as_str())]);
    let options = control("demo-small · control");
    let old = tallies(&old.read(TableColumns::default(), &options).unwrap());
    let new = tallies(&read(&[data(NEW, "ab.json")], &ReadOptions::default(), &options).unwrap());
    assert_eq!(old, new);
}
