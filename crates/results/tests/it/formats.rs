//! Files written by real tools: their means and missing scores equal those of a separate count.

use eval_format::PairedBy;
use eval_results::ControlChoice::ByName;
use eval_results::{ArrangeOptions, ReadOptions, RowEnd, ScoreValue, read_results};

use crate::tallied::{ArmTally, assert_tally, data, expected, read, tallies};

fn scored(score: &str) -> ArrangeOptions {
    ArrangeOptions { score: Some(score.to_owned()), ..ArrangeOptions::default() }
}

const INSPECT: &str = "inspect_ai-0.3.285";
const JUNIT: &str = "junit-pytest-9.2.0";
const DEEPEVAL: &str = "deepeval-4.3.1";
const LM_EVAL: &str = "lm_eval-0.4.13";
const SKILLS: &str = "skill-creator-9d2f1ae";
const PLUGIN: &str = "claude-plugin-eval-2.1.332";
const EVALS: &str = "openai-evals-3.0.1.post1";
const WAZA: &str = "waza-0.12.0";

const EVAL_LOGS: [&str; 2] = [
    "logs-eval/2026-11-25T23-01-09-00-00_control_ceNbxPuEcRMrbBSbbRpK4T.eval",
    "logs-eval/2026-11-25T23-01-59-00-00_treatment_jAaGPR3H4ovDdve2A9bhbA.eval",
];
const JSON_LOGS: [&str; 2] = [
    "logs-json/2026-11-25T23-06-27-00-00_control_Z64YZAw2rx2Q2JYVqkAyeJ.json",
    "logs-json/2026-11-25T23-07-00-00-00_treatment_LwnBcyYiCdZEpLFh7NN2fr.json",
];

#[test]
fn inspect_logs_are_read_from_archives_and_json_with_epochs_as_trials() {
    for (folder, files, cases, epochs) in [("logs-eval", EVAL_LOGS, 24, 3), ("logs-json", JSON_LOGS, 4, 2)] {
        let paths = files.map(|file| data(INSPECT, file));
        // by default the headline score is read
        for (score, named) in [
            ("includes", None),
            ("match", Some("match")),
            ("pair.form", Some("pair.form")),
            ("model_graded_qa", Some("model_graded_qa")),
        ] {
            let options = ArrangeOptions { score: named.map(str::to_owned), ..ArrangeOptions::default() };
            let results = read(&paths, &ReadOptions::default(), &options).unwrap();
            assert_eq!(results.arms, ["control", "treatment"]);
            assert_eq!((results.cases.len(), results.planned(&results.cases[0], 0)), (cases, epochs));
            assert_eq!(results.imported.paired_by, PairedBy::Id);
            assert_eq!(results.imported.tool_version.as_deref(), Some("0.3.285"));
            assert_eq!(results.imported.score, score);
            for (arm, tally) in tallies(&results) {
                assert_tally(&tally, &expected(INSPECT, folder, &arm, score));
            }
        }
    }
}

#[test]
fn unreadable_grade_of_inspect_is_missing_with_its_reason() {
    let paths = EVAL_LOGS.map(|file| data(INSPECT, file));
    let results = read(&paths, &ReadOptions::default(), &scored("model_graded_qa")).unwrap();
    let reasons = results.cases.iter().flat_map(|case| &case.trials[0]).filter_map(|trial| match &trial.row.end {
        RowEnd::Ungraded(why) => Some(why.as_str()),
        _ => None,
    });
    let reasons: Vec<&str> = reasons.collect();
    assert_eq!(reasons.len(), 6);
    assert!(reasons.iter().all(|why| why.starts_with("Grade not found in model output")), "{reasons:?}");
}

#[test]
fn stopped_log_gets_a_note_and_killed_one_is_refused() {
    let stopped = data(INSPECT, "logs-stopped/2026-11-25T23-04-59-00-00_control_HUrmGiHwiT5FKBSDtJ4an5.eval");
    let read = read_results(&stopped, "stopped.eval".to_owned(), &ReadOptions::default()).unwrap();
    assert_eq!(read.rows.len(), 4);
    let notes: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("ended with the status `error`"), "{notes:?}");
    let killed = data(INSPECT, "logs-stopped-KILL/2026-11-25T23-13-00-00-00_control_Y49WEidzdoPXiMW7yaux2G.eval");
    let refused = read_results(&killed, "killed.eval".to_owned(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        refused == "`killed.eval` is a log that was never finished" || refused.starts_with("can't unpack"),
        "{refused}"
    );
}

#[test]
fn junit_errors_are_missing_failures_fail_and_numbered_tests_are_repeats() {
    for (suffix, trials) in [("", 1), ("-repeat3", 3)] {
        let paths = ["control", "treatment"].map(|arm| data(JUNIT, &format!("{arm}{suffix}.xml")));
        let results = read(&paths, &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
        let files = format!("control{suffix}.xml + treatment{suffix}.xml");
        let text = std::fs::read_to_string(data(JUNIT, "expected.json")).unwrap();
        let counted: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (arm, tally) in tallies(&results) {
            let counted = &counted["files"][&files]["arms"][arm.trim_end_matches(suffix)];
            let count = |name: &str| usize::try_from(counted[name].as_u64().unwrap()).unwrap();
            assert_eq!((tally.errors, tally.scored), (count("errors"), count("passes") + count("failures")));
            #[expect(clippy::cast_precision_loss, reason = "a few tests")]
            let mean = count("passes") as f64 / tally.scored as f64;
            assert!((tally.mean - mean).abs() < 1e-9);
        }
        assert!(results.cases.iter().any(|case| results.planned(case, 0) == trials), "{}", results.cases.len());
        // a property is a score as well
        let results = read(&paths, &ReadOptions::default(), &scored("score")).unwrap();
        for (arm, tally) in tallies(&results) {
            let counted = expected(JUNIT, &files, arm.trim_end_matches(suffix), "score");
            assert!(
                (tally.mean - counted.mean).abs() < 1e-6 && tally.scored == counted.scored,
                "{tally:?} {counted:?}"
            );
        }
    }
}

#[test]
fn promptfoo_junit_has_its_columns_as_suites() {
    let path = data("promptfoo-0.123.1", "ab.junit.xml");
    let by = || Some("suite".to_owned());
    let options =
        ArrangeOptions { by: by(), control: Some("[demo-small] prompt 2".to_owned()), ..ArrangeOptions::default() };
    let results = read(&[path], &ReadOptions { by: by(), ..ReadOptions::default() }, &options).unwrap();
    assert_eq!((results.arms.len(), results.cases.len()), (4, 12));
    let tally = &tallies(&results)["[demo-small] prompt 2"];
    let counted = expected("promptfoo-0.123.1", "ab.json", "control / demo-small", "score");
    assert_eq!((tally.cases, tally.errors), (counted.cases, counted.errors));
}

#[test]
fn deepeval_cases_are_paired_by_input_and_failed_metrics_are_missing() {
    let paths = ["control", "treatment"].map(|arm| data(DEEPEVAL, &format!("latest_run_full-{arm}.json")));
    for score in ["Contains", "Correctness [GEval]"] {
        let results = read(&paths, &ReadOptions::default(), &scored(score)).unwrap();
        assert_eq!(results.imported.paired_by, PairedBy::Input);
        for (arm, tally) in tallies(&results) {
            let name = ["control", "treatment"].into_iter().find(|name| arm.contains(name)).unwrap();
            assert_tally(&tally, &expected(DEEPEVAL, "latest_run_full-*.json", name, score));
        }
        // DeepEval calls no model, so a case whose call failed isn't there
        assert_eq!(results.imported.unpaired_cases, 1);
    }
    let stored =
        read_results(&data(DEEPEVAL, "results-sqlite/deepeval.db"), "deepeval.db".to_owned(), &ReadOptions::default());
    assert_eq!(stored.unwrap().rows.len(), 44);
}

#[test]
fn lm_eval_samples_pair_documents_and_have_a_score_for_each_filter() {
    let time = "2026-11-25T23-12-57.214847";
    let file = |task: &str| data(LM_EVAL, &format!("out/demo-small/samples_{task}_{time}.jsonl"));
    let results =
        read(&[file("facts_control"), file("facts_treatment")], &ReadOptions::default(), &scored("right")).unwrap();
    assert_eq!(results.arms, ["facts_control", "facts_treatment"]);
    assert_eq!(results.imported.tool_version.as_deref(), Some("0.4.13"));
    for (arm, tally) in tallies(&results) {
        let arm = format!("{} / demo-small", arm.trim_start_matches("facts_"));
        assert_tally(&tally, &expected(LM_EVAL, "samples_facts_*", &arm, "right"));
    }
    for score in ["exact_match,first", "exact_match,maj3"] {
        let paths = [file("facts_em_control"), file("facts_em_treatment")];
        let results = read(&paths, &ReadOptions::default(), &scored(score)).unwrap();
        assert_eq!(results.cases.len(), 20);
        for (arm, tally) in tallies(&results) {
            let arm = format!("{} / demo-small", arm.trim_start_matches("facts_em_"));
            assert_tally(&tally, &expected(LM_EVAL, "samples_facts_em_*", &arm, score));
        }
    }
    let two = [file("facts_control"), file("facts_treatment")];
    let refused = read(&two, &ReadOptions::default(), &ArrangeOptions::default()).unwrap_err();
    assert!(refused.help.unwrap().to_string().contains("`length`, `right`"), "no score is the tool's own");
}

#[test]
fn skill_benchmark_is_read_by_its_expectations_and_shows_missing_runs() {
    let results =
        read(&[data(SKILLS, "iteration-1/benchmark.json")], &ReadOptions::default(), &ArrangeOptions::default())
            .unwrap();
    assert_eq!(results.arms, ["without_skill", "with_skill"]);
    let tallies = tallies(&results);
    for (arm, tally) in &tallies {
        let counted = expected(SKILLS, "iteration-1/benchmark.json", arm, "pass_rate");
        assert_eq!((tally.cases, tally.trials, tally.scored), (counted.cases, counted.trials, counted.scored));
        // the file's rates are rounded to hundredths, and 0 for three runs without a summary whose expectations passed
        assert!(tally.mean >= counted.mean - 0.005, "{arm} {tally:?} {counted:?}");
    }
    assert_eq!(results.imported.unpaired_cases, 1, "a case whose runs died in one arm only");
}

/// Unpacks the folder of graded runs.
fn graded_runs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for line in std::fs::read_to_string(data(SKILLS, "runs.jsonl")).unwrap().lines() {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(path) = entry["folder"].as_str() {
            std::fs::create_dir_all(folder.path().join(path).join("outputs")).unwrap();
        }
        if let Some(path) = entry["file"].as_str() {
            std::fs::write(folder.path().join(path), entry["text"].as_str().unwrap()).unwrap();
        }
    }
    folder
}

#[test]
fn ungraded_runs_in_a_folder_are_missing() {
    let folder = graded_runs();
    let read_folder =
        |name: &str| read(&[folder.path().join(name)], &ReadOptions::default(), &ArrangeOptions::default());
    let results = read_folder("iteration-1").unwrap();
    assert_eq!(results.arms, ["without_skill", "with_skill"]);
    for (arm, tally) in tallies(&results) {
        let file = "iteration-1/ (grading.json files)";
        let counted = expected(SKILLS, file, &arm, "pass_rate");
        assert_eq!((tally.cases, tally.trials, tally.errors), (counted.cases, counted.trials, counted.errors), "{arm}");
        assert_eq!((tally.scored, tally.unscored), (counted.scored, counted.trials - counted.errors - counted.scored));
        assert!((tally.mean - counted.mean).abs() < 1e-6, "{arm}: {tally:?} {counted:?}");
    }
    // the parent folder can be given if it has only one iteration
    assert_eq!(tallies(&read_folder(".").unwrap()), tallies(&results));
    std::fs::create_dir_all(folder.path().join("iteration-2/eval-1/with_skill/run-1")).unwrap();
    let refused = read_folder(".").unwrap_err().to_string();
    assert!(refused.contains("iteration-1") && refused.contains("iteration-2"), "{refused}");
    // a folder without gradings is no folder of runs
    let refused = read_folder("iteration-2").unwrap_err();
    assert!(refused.to_string().contains("directory") && refused.help.is_some(), "{refused}");
    // an invalid or too long grading is a missing result, not an error
    let run = folder.path().join("iteration-2/eval-1/with_skill/run-1/grading.json");
    std::fs::write(&run, r#"{"expectations": [{"text": "a", "passed": true}, {"text": "b", "passed": false}]}"#)
        .unwrap();
    let other = folder.path().join("iteration-2/eval-1/without_skill/run-1");
    std::fs::create_dir_all(&other).unwrap();
    for text in ["[".repeat(200_000), "{\"expectations\": 7}".to_owned(), " ".repeat(5 << 20), String::new()] {
        std::fs::write(other.join("grading.json"), text).unwrap();
        let results = read_folder("iteration-2").unwrap();
        let tallies = tallies(&results);
        assert_eq!((tallies["with_skill"].scored, tallies["with_skill"].mean), (1, 0.5));
        assert_eq!((tallies["without_skill"].unscored, tallies["without_skill"].scored), (1, 0));
    }
}

#[test]
fn deepeval_file_of_the_latest_run_contains_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["control", "treatment"].map(|arm| {
        let run = std::fs::read_to_string(data(DEEPEVAL, &format!("latest_run_full-{arm}.json"))).unwrap();
        let path = folder.path().join(format!("{arm}.json"));
        std::fs::write(&path, format!("{{\"testRunData\": {run}, \"testRunLink\": null}}")).unwrap();
        path
    });
    let results = read(&paths, &ReadOptions::default(), &scored("Contains")).unwrap();
    for (arm, tally) in tallies(&results) {
        let name = if arm.contains("control") { "control" } else { "treatment" };
        assert_tally(&tally, &expected(DEEPEVAL, "latest_run_full-*.json", name, "Contains"));
    }
}

#[test]
fn single_run_may_be_in_the_folder_of_its_configuration() {
    let folder = graded_runs();
    let root = folder.path().join("iteration-1");
    let read_runs = || read(std::slice::from_ref(&root), &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    let before = tallies(&read_runs());
    // the first run of one eval moves up, its other runs are deleted
    let mut evals: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    evals.retain(|path| path.join("with_skill/run-1/grading.json").is_file());
    evals.sort();
    for arm in ["with_skill", "without_skill"] {
        let arm = evals[0].join(arm);
        let grading = std::fs::read(arm.join("run-1/grading.json")).unwrap();
        for run in std::fs::read_dir(&arm).unwrap().map(|entry| entry.unwrap().path()) {
            std::fs::remove_dir_all(run).unwrap();
        }
        std::fs::write(arm.join("grading.json"), grading).unwrap();
    }
    let after = tallies(&read_runs());
    assert_eq!(after["with_skill"].cases, before["with_skill"].cases);
    // a note names a grading next to numbered runs
    std::fs::write(evals[1].join("with_skill/grading.json"), "{}").unwrap();
    assert!(read_runs().notes.iter().any(|note| note.to_string().contains("with_skill/grading.json")));
}

#[test]
fn plugin_evaluation_has_arms_repeats_and_failed_judges() {
    let file = "out-with-without/aggregate-result.json";
    for score in ["score", "judged", "value"] {
        let results = read(&[data(PLUGIN, file)], &ReadOptions::default(), &scored(score)).unwrap();
        assert_eq!(results.arms, ["without", "with"]);
        assert_eq!(results.imported.tool_version.as_deref(), Some("2.1.332"));
        for (arm, tally) in tallies(&results) {
            let counted = expected(PLUGIN, file, &arm, score);
            // two answers that were longer than they may be are errors to the script; here they are the plugin's doing
            assert_eq!(tally.errors + 2, counted.errors, "{arm}");
            assert!(
                (tally.mean - counted.mean).abs() < 1e-5 && tally.scored == counted.scored,
                "{tally:?} {counted:?}"
            );
        }
    }
    let one_arm = read(&[data(PLUGIN, "out-one-arm/aggregate-result.json")], &ReadOptions::default(), &scored("score"));
    assert!(one_arm.unwrap_err().message.to_string().contains("has only one arm"));
}

#[test]
fn openais_records_are_paired_by_what_was_asked_and_choices_that_are_invalid_are_missing() {
    for (files, score) in [(["control", "treatment"], "accuracy"), (["judged-control", "judged-treatment"], "score")] {
        let paths = files.map(|file| data(EVALS, &format!("{file}.jsonl")));
        let results = read(&paths, &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
        assert_eq!((results.imported.paired_by, results.imported.score.as_str()), (PairedBy::Input, score));
        assert_eq!(results.imported.unpaired_cases, 0);
        let both = format!("{}.jsonl + {}.jsonl", files[0], files[1]);
        for (arm, tally) in tallies(&results) {
            let name = ["control", "treatment"].into_iter().find(|name| arm.ends_with(name)).unwrap();
            let counted = expected(EVALS, &both, name, score);
            // the script takes answers like `[error HTTP 500]` for errors; the tool knows none, and scores them 0
            let counted = ArmTally {
                scored: counted.scored + counted.errors,
                #[expect(clippy::cast_precision_loss, reason = "a few samples")]
                mean: counted.mean * counted.scored as f64 / (counted.scored + counted.errors) as f64,
                errors: 0,
                ..counted
            };
            assert!((tally.mean - counted.mean).abs() < 1e-5, "{tally:?} {counted:?}");
            assert_eq!(tally, ArmTally { mean: tally.mean, ..counted });
        }
    }
}

#[test]
fn waza_results_have_skill_and_baseline_with_the_scores_of_graders() {
    for file in ["baseline.json", "once.json", "retried.json"] {
        for score in ["weighted_score", "score", "pass", "value", "short", "form"] {
            let results = read(&[data(WAZA, file)], &ReadOptions::default(), &scored(score)).unwrap();
            assert_eq!(
                (&results.arms[..], results.choice.by),
                (&["baseline", "with_skill"].map(str::to_owned)[..], ByName)
            );
            assert_eq!((results.imported.paired_by, results.imported.unpaired_cases), (PairedBy::Id, 0));
            for (arm, tally) in tallies(&results) {
                assert_tally(&tally, &expected(WAZA, file, &arm, score));
            }
        }
        let results = read(&[data(WAZA, file)], &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
        assert_eq!((results.imported.score.as_str(), results.imported.tool_version), ("weighted_score", None));
        // a grader that only some cases have
        let results = read(&[data(WAZA, file)], &ReadOptions::default(), &scored("judged")).unwrap();
        for (arm, tally) in tallies(&results) {
            let counted = expected(WAZA, file, &arm, "judged");
            assert!(
                tally.scored == counted.scored && (tally.mean - counted.mean).abs() < 2e-6,
                "{tally:?} {counted:?}"
            );
        }
    }
}

#[test]
fn waza_files_of_two_models_are_two_arms() {
    let paths = ["small", "large"].map(|size| data(WAZA, &format!("models_demo-{size}.json")));
    let results = read(&paths, &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    assert_eq!(results.arms, ["demo-small", "demo-large"]);
    assert!(results.imported.by_model);
    for (arm, tally) in tallies(&results) {
        assert_tally(
            &tally,
            &expected(WAZA, "models_demo-small.json + models_demo-large.json", &arm, "weighted_score"),
        );
    }
    // a model is compared with itself only
    let both = [data(WAZA, "baseline.json"), data(WAZA, "models_demo-large.json")];
    let by =
        ArrangeOptions { by: Some("arm".to_owned()), control: Some("run".to_owned()), ..ArrangeOptions::default() };
    let refused = read(&both, &ReadOptions::default(), &by).unwrap_err().to_string();
    assert!(refused.starts_with("no case is in all arms"), "{refused}");
}

#[test]
fn waza_means_are_equal_for_cases_without_missing_runs() {
    let file = data(WAZA, "baseline.json");
    let written: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    for (score, field) in [("weighted_score", "avg_weighted_score"), ("score", "avg_score"), ("pass", "pass_rate")] {
        let results = read(std::slice::from_ref(&file), &ReadOptions::default(), &scored(score)).unwrap();
        let mut compared = 0;
        for (arm, pass) in [&written["baseline_outcome"], &written].into_iter().enumerate() {
            for task in pass["tasks"].as_array().unwrap() {
                let Some(case) = results.cases.iter().find(|case| *case.id == *task["test_id"].as_str().unwrap())
                else {
                    continue;
                };
                let shares: Option<Vec<f64>> = case.trials[arm].iter().map(|trial| Some(trial.share?.get())).collect();
                let Some(shares) = shares else { continue };
                assert_eq!(shares.len(), 3);
                let mean = shares.iter().sum::<f64>() / 3.0;
                assert!((mean - task["stats"][field].as_f64().unwrap()).abs() < 1e-9, "{} {score}", case.id);
                compared += 1;
            }
        }
        // of 24 cases, one has no graders; three failed or were not graded in both arms, one in one, and two have no verdict
        assert_eq!(compared, 2 * (24 - 1 - 3 - 2) - 1);
    }
}

#[test]
fn waza_errors_and_judges_without_a_verdict_are_missing_and_ungraded_cases_left_out() {
    let results = read(&[data(WAZA, "baseline.json")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    let end = |case: &str, arm: usize| {
        let case = results.cases.iter().find(|candidate| candidate.id == case).unwrap();
        let ends: Vec<&RowEnd> = case.trials[arm].iter().map(|trial| &trial.row.end).collect();
        assert!(ends.len() == 3 && ends.iter().all(|end| *end == ends[0]), "{ends:?}");
        ends[0].clone()
    };
    for arm in [0, 1] {
        // one error with scores of graders, and one without
        assert_eq!(end("c13", arm), RowEnd::Failed("HTTP 429: rate limit reached".to_owned()));
        assert_eq!(end("c05", arm), RowEnd::Failed("HTTP 500: backend exploded".to_owned()));
        let RowEnd::Ungraded(why) = end("c11", arm) else { panic!("{:?}", end("c11", arm)) };
        assert!(why.ends_with("HTTP 500: judge backend exploded"), "{why}");
        for case in ["c07", "c23"] {
            let RowEnd::Ungraded(why) = end(case, arm) else { panic!("{:?}", end(case, arm)) };
            assert!(why.starts_with("judged: no verdict"), "{why}");
        }
    }
    // waza's own table says that it improved from 0 % to 100 %
    assert_eq!(
        (end("c21", 0), end("c21", 1)),
        (RowEnd::Graded, RowEnd::Failed("HTTP 500: backend exploded".to_owned()))
    );
    assert!(results.cases.iter().all(|case| case.id != "c18"));
    let notes =
        |results: &eval_results::ArrangedResults| results.notes.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(notes(&results), ["`baseline.json`: 6 results without any assertion left out, which pass unchecked"]);
    let results = read(&[data(WAZA, "retried.json")], &ReadOptions::default(), &ArrangeOptions::default()).unwrap();
    assert!(
        notes(&results)[0].starts_with("`retried.json`: 13 of 28 runs failed and were run again, up to 3 attempts"),
        "{:?}",
        notes(&results)
    );
    let case = results.cases.iter().find(|case| case.id == "c01").unwrap();
    assert_eq!(case.input.as_deref(), Some("What is 17 + 26?"));
    assert_eq!(case.trials[1][0].row.answer.as_deref(), Some("The answer is 53."));
}

#[test]
fn waza_junit_has_errors_as_failures() {
    let file =
        read_results(&data(WAZA, "baseline.junit.xml"), "baseline.junit.xml".to_owned(), &ReadOptions::default());
    let rows = file.unwrap().rows;
    let passed = rows.iter().filter(|row| row.scores[0].value == ScoreValue::Passed(true)).count();
    assert!(rows.iter().all(|row| row.end == RowEnd::Graded));
    assert_eq!((rows.len(), passed), (24, 10), "14 failures, of which 4 are errors");
}
