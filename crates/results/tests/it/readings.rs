//! Ambiguous files, where one reading gives a wrong verdict: they are read correctly, or refused with the option to give.

use std::fmt::Write as _;

use eval_format::PairedBy;
use eval_results::{ArrangeOptions, ArrangedResults, ControlChoice, ReadOptions, ResultsError, RowEnd, TableColumns};

use crate::tables::{TestFiles, csv, refusal};
use crate::tallied::read;

fn lines(text: &str) -> TestFiles {
    TestFiles::new(&[("scores.jsonl", text)])
}

fn shares(results: &ArrangedResults, case: usize) -> Vec<f64> {
    results.cases[case]
        .trials
        .iter()
        .flatten()
        .filter_map(|trial| trial.share)
        .map(|share| (share.get() * 1e9).round() / 1e9)
        .collect()
}

#[test]
fn a_quote_that_is_never_closed_or_goes_on_is_refused_where_it_opens() {
    let refused = |text: &str| refusal(csv(text).arrange());
    let open = "id,arm,score,note\n1,a,1,\"two\nlines\"\n1,b,0,\"x\n2,a,1,\n2,b,1,\n";
    assert!(
        refused(open).starts_with("`scores.csv:4`: the quote that opens here is never closed"),
        "{}",
        refused(open)
    );
    // the quote of a later row closes it, and the rows between would be lost
    let closed = "id,arm,score,note\n1,a,1,\"x\n1,b,0,\n2,a,1,\n2,b,1,\"y\"\n";
    assert!(refused(closed).starts_with("`scores.csv:2`: "), "{}", refused(closed));
    assert!(refused(closed).contains("twice"), "{}", refused(closed));
    let escaped = "id,arm,score,note\n1,a,1,\"a \\\"b\\\" c\"\n";
    assert!(refused(escaped).starts_with("`scores.csv:2`: "), "{}", refused(escaped));
    let fine = "id,arm,score,note\n1,a,1,\"x \"\"y\"\", z\"\n1,b,0,5\" disk\r\n";
    assert_eq!(csv(fine).arrange().unwrap().cases.len(), 1);
}

#[test]
fn a_field_that_only_late_lines_have_is_read() {
    let mut text = String::new();
    for case in 0..150 {
        let error = if case >= 120 { ", \"error\": \"HTTP 429\"" } else { "" };
        writeln!(text, "{{\"id\": {case}, \"arm\": \"a\", \"score\": 1}}").unwrap();
        writeln!(text, "{{\"id\": {case}, \"arm\": \"b\", \"score\": 0{error}}}").unwrap();
    }
    let results = lines(&text).arrange().unwrap();
    let failed = results.cases.iter().filter(|case| matches!(case.trials[1][0].row.end, RowEnd::Failed(_)));
    assert_eq!(failed.count(), 30);
}

#[test]
fn every_usual_column_of_errors_counts() {
    let results = csv("id,arm,score,error,exception\n1,a,1,,\n1,b,0,,timed out\n").arrange().unwrap();
    assert_eq!(results.cases[0].trials[1][0].row.end, RowEnd::Failed("timed out".into()));
}

#[test]
fn one_id_with_two_prompts_is_refused_until_pairing_is_chosen() {
    let before: String =
        (0..6).map(|index| format!("{{\"index\": {index}, \"question\": \"q{index}\", \"score\": 1}}\n")).collect();
    // two rows were dropped and the rest numbered again
    let after: String = (0..4)
        .map(|index| format!("{{\"index\": {index}, \"question\": \"q{}\", \"score\": 0}}\n", index + 2))
        .collect();
    let files = TestFiles::new(&[("before.jsonl", &before), ("after.jsonl", &after)]);
    let refused = refusal(files.arrange());
    assert!(refused.starts_with("`after.jsonl:1`: case `0` asks something else than at `before.jsonl:1`"), "{refused}");
    assert!(refused.contains("--pair-by input") && refused.contains("--pair-by id"), "{refused}");
    let paired = |by| {
        let options = ArrangeOptions { pair_by: Some(by), ..ArrangeOptions::default() };
        files.read(TableColumns::default(), &options).unwrap()
    };
    let by_input = paired(PairedBy::Input);
    assert_eq!((by_input.cases.len(), by_input.imported.unpaired_cases), (6, 2));
    assert_eq!(paired(PairedBy::Id).imported.unpaired_cases, 2);
    let spaces = "{\"id\": 1, \"arm\": \"a\", \"prompt\": \"x  y\", \"score\": 1}\n{\"id\": 1, \"arm\": \"b\", \"prompt\": \"x y \", \"score\": 1}\n";
    assert_eq!(lines(spaces).arrange().unwrap().cases.len(), 1, "white space asks nothing else");
}

#[test]
fn pairing_by_an_absent_key_is_refused() {
    let options = |by| ArrangeOptions { pair_by: Some(by), ..ArrangeOptions::default() };
    let without_input = csv("id,arm,score\n1,a,1\n1,b,1\n");
    let refused = refusal(without_input.read(TableColumns::default(), &options(PairedBy::Input)));
    assert!(refused.starts_with("`scores.csv:2`: "), "{refused}");
    let without_id = csv("prompt,arm,score\n1,a,1\n1,b,1\n");
    let refused = refusal(without_id.read(TableColumns::default(), &options(PairedBy::Id)));
    assert!(refused.starts_with("`scores.csv:2`: "), "{refused}");
}

#[test]
fn arms_in_changing_order_have_no_default_control() {
    let mixed = "id,arm,score\n1,x,1\n1,y,0\n2,y,1\n2,x,0\n";
    let refused = refusal(csv(mixed).arrange());
    assert!(refused.starts_with("nothing says which arm is the control") && refused.contains("--control"), "{refused}");
    let blocks = "id,arm,score\n1,y,1\n2,y,1\n1,x,1\n2,x,0\n";
    assert_eq!(csv(blocks).arrange().unwrap().choice.control, "y");
}

#[test]
fn arm_without_the_treatment_is_the_control_in_any_order() {
    for [on, off] in [["1", "0"], ["True", "False"], ["yes", "no"], ["1.0", "0.0"], ["skill", "none"]] {
        let results = csv(&format!("id,treatment,score\n1,{on},1\n1,{off},0\n")).arrange().unwrap();
        assert_eq!((results.choice.control.as_str(), results.choice.by), (off, ControlChoice::ByName));
    }
    let both = refusal(csv("id,arm,score\n1,baseline,1\n1,old,0\n").arrange());
    assert!(both.starts_with("nothing says which arm is the control"), "{both}");
}

#[test]
fn versions_in_falling_order_have_no_default_control() {
    for [first, second] in [["v2", "v1"], ["v10", "v9"], ["gpt-4", "gpt-3.5"]] {
        let refused = refusal(csv(&format!("id,version,score\n1,{first},1\n1,{second},0\n")).arrange());
        assert!(refused.starts_with("nothing says which arm is the control"), "{refused}");
        let rising = csv(&format!("id,version,score\n1,{second},1\n1,{first},0\n")).arrange().unwrap();
        assert_eq!(rising.choice.control, second);
    }
    // files are in the order in which the user named them
    let files = TestFiles::new(&[("v2.csv", "id,score\n1,1\n"), ("v1.csv", "id,score\n1,0\n")]);
    assert_eq!(files.arrange().unwrap().choice.control, "v2");
}

#[test]
fn files_that_share_arms_are_refused_until_by_is_given() {
    let rows = |good: u8| format!("id,system,score\n1,alpha,{good}\n1,beta,1\n2,alpha,{good}\n2,beta,0\n");
    let files = TestFiles::new(&[("mon.csv", &rows(1)), ("fri.csv", &rows(0))]);
    let refused = refusal(files.arrange());
    assert!(refused.starts_with("the files have arms in common: `alpha`, `beta`"), "{refused}");
    assert!(refused.contains("--by file") && refused.contains("--by system"), "{refused}");
    let by = |by: &str| {
        let options = ArrangeOptions { by: Some(by.into()), ..ArrangeOptions::default() };
        files.read(TableColumns::default(), &options).unwrap()
    };
    assert_eq!((by("file").arms, by("file").cases.len()), (vec!["mon".to_owned(), "fri".to_owned()], 4));
    assert_eq!((by("system").arms, by("system").cases.len()), (vec!["alpha".to_owned(), "beta".to_owned()], 2));
    // one row of another model makes no arm, and a model that only one file has doesn't split cases
    let stray = TestFiles::new(&[
        ("before.csv", "id,model,score\n1,new,1\n2,old,0\n3,old,1\n"),
        ("after.csv", "id,model,score\n1,new,1\n2,new,0\n3,new,1\n"),
    ]);
    assert!(refusal(stray.arrange()).contains("--by file"));
    let options = ArrangeOptions { by: Some("file".into()), ..ArrangeOptions::default() };
    let results = stray.read(TableColumns::default(), &options).unwrap();
    assert_eq!((results.arms, results.cases.len()), (vec!["before".to_owned(), "after".to_owned()], 3));
}

#[test]
fn score_with_the_name_of_a_loss_needs_a_declared_scale() {
    let read = |name: &str, scale: Option<&str>| {
        let columns = TableColumns { score: Some(name.into()), ..TableColumns::default() };
        let options = ArrangeOptions { scale: scale.map(|scale| scale.parse().unwrap()), ..ArrangeOptions::default() };
        csv(&format!("id,arm,{name}\n1,a,0\n1,b,1\n")).read(columns, &options)
    };
    for name in ["wer", "Error Rate", "val_loss", "perplexity", "toxicity", "latency_ms", "hallucinated"] {
        let refused = refusal(read(name, None));
        assert!(refused.starts_with(&format!("`{name}` may be a score of which less is better")), "{refused}");
        assert!(refused.contains("--scale 1..0") && refused.contains("--scale 0..1"), "{refused}");
        assert_eq!(shares(&read(name, Some("1..0")).unwrap(), 0), [1.0, 0.0]);
        assert_eq!(shares(&read(name, Some("0..1")).unwrap(), 0), [0.0, 1.0]);
    }
    assert_eq!(shares(&read("power", None).unwrap(), 0), [0.0, 1.0]);
    let passes = csv("id,arm,failed\n1,a,True\n1,b,False\n");
    let columns = || TableColumns { score: Some("failed".into()), ..TableColumns::default() };
    assert!(refusal(passes.read(columns(), &ArrangeOptions::default())).contains("--scale 1..0"));
    let options = ArrangeOptions { scale: Some("1..0".parse().unwrap()), ..ArrangeOptions::default() };
    assert_eq!(shares(&passes.read(columns(), &options).unwrap(), 0), [0.0, 1.0]);
}

#[test]
fn metric_where_less_is_better_by_the_tool_needs_a_falling_scale() {
    let sample = |index: u32, score: f64| {
        format!(
            "{{\"doc_id\": {index}, \"doc\": {{\"question\": \"q{index}\"}}, \"resps\": [], \"filtered_resps\": [], \"metrics\": [\"mine\"], \"doc_hash\": \"{index}\", \"mine\": {score}}}\n"
        )
    };
    let folder = tempfile::TempDir::new().unwrap();
    let paths = [("a", 0.2), ("b", 0.6)].map(|(arm, score)| {
        std::fs::create_dir(folder.path().join(arm)).unwrap();
        let results = format!("{{\"model_name\": \"{arm}\", \"higher_is_better\": {{\"t\": {{\"mine\": false}}}}}}");
        std::fs::write(folder.path().join(arm).join("results_2026-01-01T00-00-00.json"), results).unwrap();
        let path = folder.path().join(arm).join("samples_t_2026-01-01T00-00-00.jsonl");
        std::fs::write(&path, sample(0, score) + &sample(1, score)).unwrap();
        path
    });
    let scaled = |scale: Option<&str>| {
        let options = ArrangeOptions { scale: scale.map(|scale| scale.parse().unwrap()), ..ArrangeOptions::default() };
        read(&paths, &ReadOptions::default(), &options)
    };
    let refused = refusal(scaled(None));
    assert!(refused.starts_with("less is better of `mine`") && refused.contains("--scale 1..0"), "{refused}");
    assert!(refusal(scaled(Some("0..1"))).starts_with("less is better of `mine`"));
    assert_eq!(shares(&scaled(Some("1..0")).unwrap(), 0), [0.8, 0.4]);
}

#[test]
fn deepeval_thresholds_show_where_less_is_better() {
    let run = |name: &str, score: f64| {
        let cases: Vec<String> = (0..3)
            .map(|index| {
                format!(
                    "{{\"name\": \"test_case_{index}\", \"input\": \"q{index}\", \"success\": {0}, \"metricsData\": [{{\"name\": \"Mine\", \"threshold\": 0.5, \"success\": {0}, \"score\": {score}}}, {{\"name\": \"Other\", \"threshold\": 0.5, \"success\": {1}, \"score\": {score}}}]}}",
                    score <= 0.5,
                    score >= 0.5
                )
            })
            .collect();
        format!("{{\"identifier\": \"{name}\", \"testCases\": [{}]}}", cases.join(", "))
    };
    let files = TestFiles::new(&[("a.json", &run("a", 0.2)), ("b.json", &run("b", 0.8))]);
    let scored = |score: &str, scale: Option<&str>| {
        let options = ArrangeOptions {
            score: Some(score.into()),
            scale: scale.map(|scale| scale.parse().unwrap()),
            ..ArrangeOptions::default()
        };
        files.read(TableColumns::default(), &options)
    };
    assert!(refusal(scored("Mine", None)).starts_with("less is better of `Mine`"));
    assert_eq!(shares(&scored("Mine", Some("1..0")).unwrap(), 0), [0.8, 0.2]);
    assert_eq!(shares(&scored("Other", None).unwrap(), 0), [0.2, 0.8]);
}

#[test]
fn files_on_different_scales_are_refused() {
    let file = |scores: [&str; 3]| format!("id,score\n1,{}\n2,{}\n3,{}\n", scores[0], scores[1], scores[2]);
    let scaled = |control: [&str; 3], treatment: [&str; 3], scale: &str| {
        let files = TestFiles::new(&[("before.csv", &file(control)), ("after.csv", &file(treatment))]);
        let options = ArrangeOptions { scale: Some(scale.parse().unwrap()), ..ArrangeOptions::default() };
        files.read(TableColumns::default(), &options)
    };
    for (control, treatment, scale) in [
        (["0.7", "0.9", "0.8"], ["70", "90", "80"], "0..100"),
        (["70", "90", "80"], ["0.7", "1", "0"], "0..100"),
        (["3", "5", "4"], ["6", "9", "7"], "1..10"),
        (["3", "5", "4"], ["6", "9", "7"], "10..1"),
    ] {
        let refused = refusal(scaled(control, treatment, scale));
        assert!(refused.contains("are on different scales"), "{refused}");
    }
    // an arm that always fails, or is only worse, is on the same scale
    for (control, treatment, scale) in [
        (["0", "0", "0"], ["70", "90", "80"], "0..100"),
        (["3", "4", "4"], ["6", "9", "7"], "1..10"),
        (["1", "5", "6"], ["6", "9", "7"], "1..10"),
        (["-1", "0", "0.5"], ["0", "1", "0.2"], "-1..1"),
    ] {
        assert!(scaled(control, treatment, scale).is_ok(), "{control:?} {treatment:?}");
    }
}

#[test]
fn error_value_that_means_none_is_no_error() {
    for (none, some) in
        [("false", "true"), ("0", "500"), ("[]", "[\"x\"]"), ("{}", "{\"code\": 1}"), ("\"False\"", "\"timeout\"")]
    {
        let row =
            |arm: &str, error: &str| format!("{{\"id\": 1, \"arm\": \"{arm}\", \"score\": 1, \"error\": {error}}}\n");
        let results = lines(&(row("a", none) + &row("b", some))).arrange().unwrap();
        assert_eq!(results.cases[0].trials[0][0].row.end, RowEnd::Graded, "{none}");
        assert!(matches!(results.cases[0].trials[1][0].row.end, RowEnd::Failed(_)), "{some}");
    }
    let table = csv("id,arm,score,error\n1,a,0,False\n1,b,1,0\n").arrange().unwrap();
    assert_eq!(shares(&table, 0), [0.0, 1.0]);
}

#[test]
fn an_arm_or_a_case_may_be_called_none() {
    let results = csv("id,arm,score\nNA,none,1\nNA,skill,0\nnull,none,1\nnull,skill,1\n").arrange().unwrap();
    assert_eq!((results.arms, results.cases.len()), (vec!["none".to_owned(), "skill".to_owned()], 2));
    assert!(refusal(csv("id,arm,score\n1,nan,1\n1,b,1\n").arrange()).contains("`arm`, the arm, is empty"));
}

#[test]
fn nan_and_infinity_are_accepted_in_all_formats_but_are_no_scores() {
    let lm = "{\"doc_id\": 0, \"doc\": {\"question\": \"q\"}, \"resps\": [], \"filtered_resps\": [], \"metrics\": [\"acc\", \"norm\"], \"acc\": NaN, \"norm\": 1}\n";
    let evals = "{\"spec\": {\"completion_fns\": [\"m\"], \"base_eval\": \"e\"}}\n{\"sample_id\": \"e.0\", \"type\": \"metrics\", \"data\": {\"score\": -Infinity}}\n";
    let deep = "{\"testCases\": [{\"input\": \"q\", \"success\": false, \"metricsData\": [{\"name\": \"M\", \"success\": false, \"score\": NaN}]}]}";
    let skills = "{\"runs\": [{\"eval_id\": 1, \"configuration\": \"a\", \"run_number\": 1, \"result\": {\"pass_rate\": NaN, \"total\": 2}}]}";
    let plugin = "{\"schemaVersion\": 1, \"claudeVersion\": \"2\", \"suite\": {}, \"cases\": [{\"name\": \"c\", \"arms\": {\"with\": [{\"score\": NaN}]}}]}";
    let waza = "{\"eval_id\": \"r\", \"eval_name\": \"e\", \"config\": {\"runs_per_test\": 1, \"engine_type\": \"mock\"}, \"tasks\": [{\"test_id\": \"t\", \"runs\": [{\"status\": \"failed\", \"validations\": {\"a\": {\"score\": NaN}}}]}]}";
    let prompts =
        "{\"promptIdx\": 0, \"testIdx\": 0, \"vars\": {}, \"score\": NaN, \"testCase\": {\"assert\": [{}]}}\n";
    for (name, text) in [
        ("samples_t.jsonl", lm),
        ("record.jsonl", evals),
        ("test_run_1.json", deep),
        ("benchmark.json", skills),
        ("aggregate-result.json", plugin),
        ("results.json", waza),
        ("output.jsonl", prompts),
    ] {
        let file = TestFiles::new(&[(name, text)]);
        let read = eval_results::read_results(&file.paths[0], name.to_owned(), &ReadOptions::default());
        let rows = read.unwrap_or_else(|error| panic!("{name}: {error}")).rows;
        let scores: Vec<&str> = rows.iter().flat_map(|row| &row.scores).map(|score| &*score.name).collect();
        assert_eq!(scores, if name == "samples_t.jsonl" { vec!["norm"] } else { vec![] }, "{name}");
    }
}

#[test]
fn duplicate_column_is_refused_if_it_is_read() {
    let refused = refusal(csv("id,arm,score,score\n1,a,0,1\n1,b,1,0\n").arrange());
    assert!(refused.starts_with("`scores.csv:1`: two columns are called `score`"), "{refused}");
    assert!(csv("id,arm,score,x,x\n1,a,0,1,1\n1,b,1,0,0\n").arrange().is_ok());
}

#[test]
fn generated_case_ids_are_unique() {
    let test = |test_index: u32, prompt: u32, description: &str| {
        format!(
            "{{\"promptIdx\": {prompt}, \"testIdx\": {test_index}, \"prompt\": {{\"label\": \"p{prompt}\"}}, \"vars\": {{\"q\": {test_index}}}, \"score\": 1, \"success\": true, \"testCase\": {{{description}\"assert\": [{{}}]}}}}\n"
        )
    };
    let named = "\"description\": \"case-001\", ";
    let text: String = [0, 1].map(|prompt| test(0, prompt, "") + &test(1, prompt, named)).concat();
    let results = TestFiles::new(&[("output.jsonl", &text)]).arrange().unwrap();
    let ids: std::collections::BTreeSet<&str> = results.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!((ids.len(), ids.contains("case-001")), (2, true));
}

#[test]
fn arm_that_ran_once_lacks_no_repeats() {
    let rows: String =
        (0..4).map(|case| format!("{case},once,1\n{case},thrice,1\n{case},thrice,0\n{case},thrice,1\n")).collect();
    let results = csv(&format!("id,arm,score\n{rows}")).arrange().unwrap();
    assert_eq!([0, 1].map(|arm| results.planned(&results.cases[0], arm)), [1, 3]);
}

/// A trial number of one case was planned for all cases, so that a case without it has lost a trial.
#[test]
fn numbered_trials_that_a_case_lacks_were_planned() {
    let rows: String = (0..4)
        .flat_map(|case| [0, 1, 2].map(|trial| (case, trial)))
        .flat_map(|(case, trial)| {
            let treatment = (trial != case % 3).then(|| format!("{case},b,{trial},1\n"));
            [Some(format!("{case},a,{trial},0\n")), treatment]
        })
        .flatten()
        .collect();
    let results = csv(&format!("id,arm,trial,score\n{rows}")).arrange().unwrap();
    assert_eq!([0, 1].map(|arm| results.planned(&results.cases[0], arm)), [3, 3]);
    assert_eq!(results.cases[0].trials[1].len(), 2);
}

/// Labels that never recur are ids of results; one odd label doesn't make ids of the others.
#[test]
fn trial_labels_are_numbers_if_they_recur() {
    let planned = |rows: String| {
        let results = csv(&format!("id,arm,trial,score\n{rows}")).arrange().unwrap();
        [0, 1].map(|arm| results.planned(&results.cases[0], arm))
    };
    let named = |name: fn(usize, usize) -> String| -> String {
        let rows = |case: usize| format!("{case},a,{},0\n{case},b,{},1\n", name(case, case % 3), name(case, case % 3));
        (0..6).map(rows).collect()
    };
    assert_eq!(planned(named(|_, trial| trial.to_string())), [3, 3]);
    assert_eq!(planned(named(|_, trial| format!("r{trial}"))), [3, 3]);
    assert_eq!(planned(named(|case, _| case.to_string())), [1, 1]);
    assert_eq!(planned(named(|_, trial| trial.to_string()) + "6,a,x,0\n6,b,x,1\n7,a,,0\n7,b,,1\n"), [4, 4]);
}

#[test]
fn numbered_tests_are_repeats_although_one_is_missing() {
    let suite = |drop: &dyn Fn(u32, u32) -> bool| {
        let tests = (0..8).flat_map(|case| (0..3).map(move |trial| (case, trial)));
        let tests = tests.filter(|(case, trial)| !drop(*case, *trial));
        let tests: String =
            tests.map(|(case, trial)| format!("<testcase classname=\"t\" name=\"test[c{case}-{trial}]\"/>")).collect();
        format!("<testsuite name=\"s\">{tests}</testsuite>")
    };
    let whole = suite(&|_, _| false);
    let incomplete = suite(&|case, trial| case == 7 && trial == 2);
    let results = TestFiles::new(&[("control.xml", &whole), ("treatment.xml", &incomplete)]).arrange().unwrap();
    assert_eq!((results.cases.len(), results.imported.unpaired_cases), (8, 0));
    assert_eq!((results.cases[7].trials[0].len(), results.cases[7].trials[1].len()), (3, 2));
    // numbers that differ from test to test are parameters, not repeats
    let others = suite(&|case, trial| trial != case % 3);
    assert_eq!(
        TestFiles::new(&[("control.xml", &others), ("treatment.xml", &others)]).arrange().unwrap().cases.len(),
        8
    );
    let halves = suite(&|case, trial| (case < 4) == (trial == 2));
    assert_eq!(
        TestFiles::new(&[("control.xml", &halves), ("treatment.xml", &halves)]).arrange().unwrap().cases.len(),
        12
    );
}

#[test]
fn ids_may_be_integers_of_any_length() {
    let mut text = String::new();
    for case in 0..30 {
        for (arm, score) in [("control", 0), ("treatment", 1)] {
            let id = format!("3402823669209384634633746074317682110{case:02}");
            writeln!(text, "{{\"id\": {id}, \"arm\": \"{arm}\", \"score\": {score}.5e-1, \"input\": [{id}]}}").unwrap();
        }
    }
    let results = lines(&text).arrange().unwrap();
    assert_eq!(results.cases.len(), 30);
    assert_eq!(results.cases[7].id, "340282366920938463463374607431768211007");
}

#[test]
fn arm_that_ran_once_shares_cases_with_one_that_ran_several_times() {
    let file = |trials: &dyn Fn(usize) -> Vec<usize>| {
        let mut text = "<testsuite name=\"s\">".to_owned();
        for case in 0..5 {
            for trial in trials(case) {
                write!(text, "<testcase classname=\"t\" name=\"test[case{case}-{trial}]\"/>").unwrap();
            }
        }
        text + "</testsuite>"
    };
    let three = file(&|_| vec![0, 1, 2]);
    for other in [file(&|_| vec![0]), file(&|case| if case == 1 { vec![2] } else { vec![0, 1, 2] })] {
        let results = TestFiles::new(&[("control.xml", &three), ("treatment.xml", &other)]).arrange().unwrap();
        assert_eq!((results.cases.len(), results.imported.unpaired_cases), (5, 0));
        assert!(results.cases.iter().all(|case| case.trials.iter().all(|trials| !trials.is_empty())));
    }
}

#[test]
fn models_that_all_arms_have_split_cases() {
    let rows = |arms: &[&str]| {
        let mut text = String::new();
        for (arm, model, case, trial) in
            arms.iter().flat_map(|arm| (0..16).map(move |n| (arm, ["gpt", "claude"][n % 2], n / 4, n / 2 % 2)))
        {
            let score = usize::from(*arm == "p2" || model == "gpt");
            let row = format!("\"id\": {case}, \"arm\": \"{arm}\", \"model\": \"{model}\", \"trial\": {trial}");
            writeln!(text, "{{{row}, \"score\": {score}}}").unwrap();
        }
        text
    };
    let by = |by: &str| ArrangeOptions { by: Some(by.into()), ..ArrangeOptions::default() };
    let one_file = TestFiles::new(&[("scores.jsonl", &rows(&["p1", "p2"]))]);
    let results = one_file.read(TableColumns::default(), &by("arm")).unwrap();
    assert_eq!((results.arms.as_slice(), results.cases.len()), (&["p1".to_owned(), "p2".to_owned()][..], 8));
    assert!(results.cases.iter().flat_map(|case| &case.trials).all(|trials| trials.len() == 2));
    let two_files = TestFiles::new(&[("p1.jsonl", &rows(&["p1"])), ("p2.jsonl", &rows(&["p2"]))]);
    assert_eq!(two_files.read(TableColumns::default(), &by("arm")).unwrap().cases.len(), 8);
    let models = one_file.read(TableColumns::default(), &by("model")).unwrap();
    assert_eq!((models.arms.len(), models.cases.len()), (2, 8));
    // each arm with a model of its own
    let one_model_each = csv("id,arm,model,score\n1,a,gpt,1\n1,b,claude,0\n").arrange().unwrap();
    assert_eq!(one_model_each.arms, ["a", "b"]);
}

fn with(options: ArrangeOptions, files: &[(&str, &str)]) -> Result<ArrangedResults, ResultsError> {
    TestFiles::new(files).read(TableColumns::default(), &options)
}

fn suite(cases: &[String]) -> String {
    format!("<testsuite name=\"s\">{}</testsuite>", cases.concat())
}

#[test]
fn failed_teardown_is_part_of_its_test_and_repeats_stay_repeats() {
    let test = |case: u32, trial: u32| format!("<testcase classname=\"t\" name=\"test[c{case}-{trial}]\"/>");
    let whole: Vec<String> = (0..36).map(|index| test(index / 3, index % 3)).collect();
    let teardown = "<testcase classname=\"t\" name=\"test[c11-2]\"><error message=\"failed on teardown with &quot;x&quot;\"/></testcase>";
    let torn: Vec<String> = whole.iter().cloned().chain([teardown.to_owned()]).collect();
    let again: Vec<String> = whole.iter().cloned().chain([test(0, 0)]).collect();
    let against = |other: &[String]| {
        TestFiles::new(&[("control.xml", &suite(&whole)), ("treatment.xml", &suite(other))]).arrange().unwrap()
    };
    let results = against(&torn);
    assert_eq!((results.cases.len(), results.cases[11].trials[1].len()), (12, 3));
    assert!(matches!(&results.cases[11].trials[1][2].row.end, RowEnd::Failed(why) if why.contains("teardown")));
    assert_eq!(results.cases[11].trials[1][2].share, None);
    let results = against(&again);
    assert_eq!((results.cases.len(), results.cases[0].trials[1].len()), (12, 4));
}

#[test]
fn tests_that_differ_only_in_a_number_are_cases_with_pairing_by_id() {
    let tests: Vec<String> =
        (1..=40).map(|n| format!("<testcase classname=\"t\" name=\"test_qa[case-{n}]\"/>")).collect();
    let (control, treatment) = (suite(&tests), suite(&tests));
    let files = [("control.xml", control.as_str()), ("treatment.xml", treatment.as_str())];
    let results = TestFiles::new(&files).arrange().unwrap();
    assert_eq!(results.cases.len(), 1);
    assert!(results.notes.iter().any(|note| note.to_string().contains("`--pair-by id`")));
    let by_id = ArrangeOptions { pair_by: Some(PairedBy::Id), ..ArrangeOptions::default() };
    let results = with(by_id, &files).unwrap();
    assert_eq!((results.cases.len(), results.cases[6].id.as_str()), (40, "t::test_qa[case-7]"));
}

#[test]
fn tests_that_did_not_run_are_left_out() {
    let test = |name: &str, status: &str| format!("<testcase classname=\"t\" name=\"{name}\" status=\"{status}\"/>");
    let tests = [test("a", "run"), test("DISABLED_b", "notrun"), test("c", "disabled")];
    let results =
        TestFiles::new(&[("control.xml", &suite(&tests)), ("treatment.xml", &suite(&tests))]).arrange().unwrap();
    assert_eq!(results.cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["t::a"]);
    assert!(results.notes.iter().all(|note| note.to_string().contains("2 tests")), "{:?}", results.notes);
}

#[test]
fn arms_of_one_file_on_different_scales_are_refused() {
    let table = |control: [&str; 3], treatment: [&str; 3]| {
        let row = |arm: &str, index: usize, score: &str| format!("{index},{arm},{score}\n");
        let rows = (0..3).flat_map(|index| [row("base", index, control[index]), row("new", index, treatment[index])]);
        "id,arm,score\n".to_owned() + &rows.collect::<String>()
    };
    let scaled = |control, treatment, scale: &str| {
        let options = ArrangeOptions { scale: Some(scale.parse().unwrap()), ..ArrangeOptions::default() };
        with(options, &[("scores.csv", &table(control, treatment))])
    };
    let refused = refusal(scaled(["0.5", "0.79", "0.6"], ["50", "79", "60"], "0..100"));
    assert!(refused.starts_with("`base` and `new` are on different scales"), "{refused}");
    for (control, treatment, scale) in [
        (["0", "1", "0"], ["6", "9", "7"], "0..10"),
        (["3", "5", "4"], ["6", "9", "7"], "1..10"),
        (["0.5", "1.5", "0.6"], ["50", "79", "60"], "0..100"),
    ] {
        assert!(scaled(control, treatment, scale).is_ok(), "{control:?} {treatment:?}");
    }
}

#[test]
fn cases_that_one_model_or_the_other_answered_are_one_case() {
    let table = |model: &dyn Fn(usize, usize) -> usize| {
        let mut text = "id,arm,model,score\n".to_owned();
        for (case, arm) in (0..20).flat_map(|case| [(case, 0), (case, 1)]) {
            writeln!(text, "{case},{},m{},1", ["base", "new"][arm], model(case, arm)).unwrap();
        }
        csv(&text).arrange().unwrap()
    };
    // one model per case, alternating, and without a pattern
    for results in [
        table(&|case, _| case % 2),
        table(&|case, arm| (case + arm) % 2),
        table(&|case, arm| case * 7 / 3 % (2 - arm % 2)),
    ] {
        assert_eq!((results.arms.len(), results.cases.len(), results.imported.unpaired_cases), (2, 20, 0));
    }
    let results = table(&|case, arm| (case + arm) % 2);
    assert_eq!(results.imported.models["base"], results.imported.models["new"]);
}

#[test]
fn scale_ten_times_wider_than_the_scores_is_refused() {
    let table = |scores: [&str; 3]| {
        let row = |index: usize, score: &str| format!("{index},base,{score}\n{index},new,{score}\n");
        "id,arm,score\n".to_owned() + &(0..3).map(|index| row(index, scores[index])).collect::<String>()
    };
    let scaled = |scores, scale: &str, accepts_wide_scale: bool| {
        let scale = Some(scale.parse().unwrap());
        let options = ArrangeOptions { scale, accepts_wide_scale, ..ArrangeOptions::default() };
        with(options, &[("scores.csv", &table(scores))])
    };
    let refused = refusal(scaled(["0.25", "0.5", "0.75"], "0..100", false));
    for part in ["within 0.25 to 0.75", "0 to 100", "200 times as wide", "`--yes`"] {
        assert!(refused.contains(part), "`{part}` is not in {refused}");
    }
    let accepted = scaled(["0.25", "0.5", "0.75"], "0..100", true).unwrap();
    assert!(accepted.notes.iter().any(|note| note.to_string().contains("200 times as wide")), "{:?}", accepted.notes);
    for (scores, scale) in
        [(["3", "4", "3.5"], "1..11"), (["0.8", "0.9", "0.85"], "1..0"), (["-1", "1", "0"], "10..-10")]
    {
        assert!(scaled(scores, scale, false).is_err(), "{scores:?} {scale}");
    }
    for (scores, scale) in [(["3", "4.1", "3.5"], "1..11"), (["5", "5", "5"], "1..5"), (["0", "11", "3"], "0..100")] {
        let results = scaled(scores, scale, false).unwrap();
        assert!(results.notes.iter().all(|note| !note.to_string().contains("wide")), "{scores:?} {scale}");
    }
}

fn suites(failure: &str, names: [&str; 2]) -> String {
    let [a, b] = names;
    format!(
        "<testsuites><testsuite name=\"{a}\"><testcase classname=\"parse\" name=\"works\"/>\
         <testcase classname=\"parse\" name=\"one\"/></testsuite>\
         <testsuite name=\"{b}\"><testcase classname=\"parse\" name=\"works\">{failure}</testcase>\
         <testcase classname=\"parse\" name=\"two\"/></testsuite></testsuites>"
    )
}

#[test]
fn tests_of_one_name_in_several_suites_are_separate_cases_or_repeats() {
    let failure = "<failure message=\"m\">m</failure>";
    let read =
        |x: String, y: String| TestFiles::new(&[("x.xml", x.as_str()), ("y.xml", y.as_str())]).arrange().unwrap();
    let results = read(suites("", ["a.test.ts", "b.test.ts"]), suites(failure, ["a.test.ts", "b.test.ts"]));
    let ids: Vec<&str> = results.cases.iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids, ["a.test.ts::parse::works", "parse::one", "b.test.ts::parse::works", "parse::two"]);
    assert!(results.notes.iter().any(|note| note.to_string().contains("case of its own")), "{:?}", results.notes);
    // suites whose names differ between files can't be paired; suites with the same tests are repeats
    let timed = read(suites("", ["a 10:00", "b 10:00"]), suites(failure, ["a 11:00", "b 11:00"]));
    let same = |failure: &str| suites(failure, ["run 1", "run 2"]).replace("name=\"two\"", "name=\"one\"");
    for results in [timed, read(same(""), same(failure))] {
        let works = results.cases.iter().position(|case| case.id == "parse::works").unwrap();
        assert_eq!(shares(&results, works), [1.0, 1.0, 1.0, 0.0]);
        assert!(
            results.notes.iter().any(|note| note.to_string().contains("repeats of one case")),
            "{:?}",
            results.notes
        );
    }
}

#[test]
fn log_without_samples_or_scores_is_refused_with_its_reason() {
    let log = |status: &str, more: &str| {
        let text = format!(
            "{{\"version\": 2, \"status\": \"{status}\", \"eval\": {{\"task\": \"t\", \"task_id\": \"i\", \"model\": \"m\"}}{more}}}"
        );
        refusal(TestFiles::new(&[("a.json", text.as_str()), ("b.json", text.as_str())]).arrange())
    };
    let error = log("error", ", \"error\": {\"message\": \"RuntimeError('no key')\", \"traceback\": \"\"}");
    assert!(error.contains("no key"), "{error}");
    let left_out = log("success", ", \"results\": {\"total_samples\": 6}");
    assert!(left_out.contains("6 samples") && left_out.contains("--no-log-samples"), "{left_out}");
    let cancelled = log("cancelled", ", \"samples\": []");
    assert!(cancelled.contains("`cancelled`"), "{cancelled}");
    let unscored = log("success", ", \"samples\": [{\"id\": 1, \"epoch\": 1, \"scores\": {}}]");
    assert!(unscored.contains("no result has a score"), "{unscored}");
}

#[test]
fn logs_with_failed_samples_only_are_accepted() {
    let log = |model: &str| {
        format!(
            "{{\"version\": 2, \"status\": \"success\", \"eval\": {{\"task\": \"t\", \"task_id\": \"i\", \"model\": \"{model}\"}}, \
             \"samples\": [{{\"id\": 1, \"epoch\": 1, \"scores\": {{}}, \"error\": {{\"message\": \"RuntimeError('sandbox')\"}}}}]}}"
        )
    };
    let results = TestFiles::new(&[("a.json", log("a").as_str()), ("b.json", log("b").as_str())]).arrange().unwrap();
    let ends = results.cases[0].trials.iter().flatten().map(|trial| &trial.row.end);
    assert!(ends.clone().count() == 2 && ends.clone().all(|end| matches!(end, RowEnd::Failed(_))));
}
