//! Files of real tools with a change that none of the recorded files has.

use eval_results::{ArrangeOptions, ArrangedResults, ResultsError, RowEnd, TableColumns};
use serde_json::{Value, json};

use crate::tables::{TestFiles, refusal};
use crate::tallied::data;

const INSPECT: [&str; 2] = [
    "logs-json/2026-11-25T23-06-27-00-00_control_Z64YZAw2rx2Q2JYVqkAyeJ.json",
    "logs-json/2026-11-25T23-07-00-00-00_treatment_LwnBcyYiCdZEpLFh7NN2fr.json",
];
const DEEPEVAL: [&str; 2] = ["latest_run_full-control.json", "latest_run_full-treatment.json"];
const LM_EVAL: [&str; 2] = [
    "out/demo-small/samples_facts_control_2026-11-25T23-12-57.214847.jsonl",
    "out/demo-small/samples_facts_treatment_2026-11-25T23-12-57.214847.jsonl",
];

fn text(folder: &str, name: &str) -> String {
    std::fs::read_to_string(data(folder, name)).unwrap()
}

fn changed(folder: &str, name: &str, change: &dyn Fn(&mut Value)) -> String {
    // Python writes `NaN`, which isn't JSON
    let mut file = serde_json::from_str(&text(folder, name).replace(": NaN", ": null")).unwrap();
    change(&mut file);
    file.to_string()
}

fn read_two(files: [String; 2], options: &ArrangeOptions) -> Result<ArrangedResults, ResultsError> {
    TestFiles::new(&[("control.json", &files[0]), ("treatment.json", &files[1])]).read(TableColumns::default(), options)
}

/// Returns the scores of an arm, `None` for missing ones.
fn shares(results: &ArrangedResults, arm: usize) -> Vec<Option<f64>> {
    results.cases.iter().flat_map(|case| &case.trials[arm]).map(|trial| trial.share.map(|share| share.get())).collect()
}

#[test]
fn headline_of_an_inspect_log_may_be_one_of_several_scores_of_a_scorer() {
    let files = INSPECT.map(|name| {
        changed("inspect_ai-0.3.285", name, &|log| {
            log["results"]["headline"] = json!({"scorer": "pair", "score": "form", "metric": "accuracy"});
        })
    });
    let results = read_two(files, &ArrangeOptions::default()).unwrap();
    assert_eq!(results.imported.score, "pair.form");
    assert!(shares(&results, 0).iter().any(Option::is_some));
}

#[test]
fn inspect_sample_that_timed_out_is_missing_and_one_with_too_many_tokens_is_not() {
    let limited = |kind: &str| {
        let files = INSPECT.map(|name| {
            changed("inspect_ai-0.3.285", name, &|log| {
                log["samples"][0]["limit"] = json!({"type": kind, "limit": 60.0})
            })
        });
        read_two(files, &ArrangeOptions::default()).unwrap()
    };
    for kind in ["time", "working"] {
        let results = limited(kind);
        let end = &results.cases[0].trials[1][0].row.end;
        assert!(matches!(end, RowEnd::Failed(why) if *why == format!("{kind} limit of 60.0 s")), "{end:?}");
    }
    assert_eq!(limited("token").cases[0].trials[1][0].row.end, RowEnd::Graded);
}

#[test]
fn inspect_grade_in_letters_has_no_scale() {
    let files = INSPECT.map(|name| text("inspect_ai-0.3.285", name));
    let options = ArrangeOptions { scale: Some("0..10".parse().unwrap()), ..ArrangeOptions::default() };
    let refused = refusal(read_two(files, &options));
    assert!(refused.contains("has no scale"), "{refused}");
}

#[test]
fn unjudged_expectation_of_a_skill_makes_its_run_missing() {
    let file = changed("skill-creator-9d2f1ae", "iteration-1/benchmark.json", &|benchmark| {
        let runs = benchmark["runs"].as_array_mut().unwrap();
        let run = runs.iter_mut().find(|run| run["expectations"].as_array().is_some_and(|all| all.len() > 1)).unwrap();
        run["expectations"][0]["passed"] = Value::Null;
    });
    let count_missing = |text: &str| {
        let results = TestFiles::new(&[("benchmark.json", text)]).arrange().unwrap();
        let trials = results.cases.iter().flat_map(|case| &case.trials).flatten();
        trials
            .filter(|trial| matches!(&trial.row.end, RowEnd::Ungraded(why) if why.starts_with("not judged: ")))
            .count()
    };
    assert_eq!(count_missing(&text("skill-creator-9d2f1ae", "iteration-1/benchmark.json")), 0);
    assert_eq!(count_missing(&file), 1);
}

#[test]
fn deepeval_conversations_are_cases_by_scenario_or_user_messages() {
    let as_conversations = |by: &'static str| {
        let files = DEEPEVAL.map(|name| {
            changed("deepeval-4.3.1", name, &|run| {
                let cases = run["testCases"].as_array().unwrap().clone();
                let conversations = cases.iter().enumerate().map(|(index, case)| {
                    let mut case = case.clone();
                    let (input, answer) = (case["input"].take(), case["actualOutput"].take());
                    let turns = json!([{"role": "user", "content": input, "order": 0}, {"role": "assistant", "content": answer, "order": 1}]);
                    case["name"] = format!("conversational_test_case_{index}").into();
                    match by {
                        "scenario" => case["scenario"] = input,
                        _ => case["turns"] = turns,
                    }
                    case
                });
                run["conversationalTestCases"] = conversations.skip(10).collect();
                run["testCases"].as_array_mut().unwrap().truncate(10);
            })
        });
        read_two(files, &ArrangeOptions::default()).unwrap()
    };
    let as_cases = read_two(DEEPEVAL.map(|name| text("deepeval-4.3.1", name)), &ArrangeOptions::default()).unwrap();
    for by in ["scenario", "turns"] {
        let results = as_conversations(by);
        assert_eq!(results.cases.len(), as_cases.cases.len());
        assert_eq!([shares(&results, 0), shares(&results, 1)], [shares(&as_cases, 0), shares(&as_cases, 1)]);
    }
}

#[test]
fn equal_lm_eval_documents_are_repeats_with_the_scores_of_all_filters() {
    let files = LM_EVAL.map(|name| {
        let file = text("lm_eval-0.4.13", name);
        let mut samples: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let most = samples.iter().filter_map(|sample| sample["doc_id"].as_u64()).max().unwrap();
        let mut again: Vec<Value> = samples.iter().filter(|sample| sample["doc_id"] == 3).cloned().collect();
        again.iter_mut().for_each(|sample| sample["doc_id"] = (most + 1).into());
        samples.extend(again);
        // all documents with one filter, then all with the next
        let mut other = samples.clone();
        other.iter_mut().for_each(|sample| sample["filter"] = "other".into());
        samples.extend(other);
        samples.iter().map(|sample| format!("{sample}\n")).collect::<String>()
    });
    let first: Value = serde_json::from_str(files[0].lines().next().unwrap()).unwrap();
    let metric = first["metrics"][0].as_str().unwrap();
    let first_score = match first["filter"].as_str().unwrap() {
        "none" => metric.to_owned(),
        filter => format!("{metric},{filter}"),
    };
    let written = TestFiles::new(&[("samples_control.jsonl", &files[0]), ("samples_treatment.jsonl", &files[1])]);
    for score in [first_score, format!("{metric},other")] {
        let options = ArrangeOptions { score: Some(score), ..ArrangeOptions::default() };
        let results = written.read(TableColumns::default(), &options).unwrap();
        assert!(shares(&results, 0).iter().all(Option::is_some), "{:?}", shares(&results, 0));
        assert_eq!(results.cases.iter().filter(|case| case.trials[0].len() == 2).count(), 1);
    }
}
