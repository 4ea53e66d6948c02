//! CSV and JSON lines.

use std::path::PathBuf;

use eval_format::{PairedBy, ScoreMapping, UnknownFact};
use eval_results::{ArrangeOptions, ArrangedResults, ReadOptions, ResultsError, RowEnd, TableColumns};
use tempfile::TempDir;

use crate::tallied::{read, tallies};

/// Files of results in a scratch folder.
pub(crate) struct TestFiles {
    folder: TempDir,
    pub(crate) paths: Vec<PathBuf>,
}

impl TestFiles {
    pub(crate) fn new(files: &[(&str, &str)]) -> TestFiles {
        let folder = TempDir::new().unwrap();
        let paths = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
        let paths = paths.collect();
        TestFiles { folder, paths }
    }

    pub(crate) fn read(
        &self,
        columns: TableColumns,
        options: &ArrangeOptions,
    ) -> Result<ArrangedResults, ResultsError> {
        assert!(self.folder.path().is_dir());
        read(&self.paths, &ReadOptions { columns, ..ReadOptions::default() }, options)
    }

    pub(crate) fn arrange(&self) -> Result<ArrangedResults, ResultsError> {
        self.read(TableColumns::default(), &ArrangeOptions::default())
    }
}

pub(crate) fn csv(text: &str) -> TestFiles {
    TestFiles::new(&[("scores.csv", text)])
}

#[track_caller]
pub(crate) fn refusal(result: Result<ArrangedResults, ResultsError>) -> String {
    let error = result.unwrap_err();
    format!("{}; {}", error.message, error.help.map(|help| help.to_string()).unwrap_or_default())
}

#[test]
fn columns_with_usual_names_are_chosen_and_named_in_a_note() {
    let table = csv("Case ID,Arm,Score\nq1,a,0.5\nq1,b,1\nq2,a,0\nq2,b,0.25\n");
    let results = table.arrange().unwrap();
    assert_eq!(results.arms, ["a", "b"]);
    assert_eq!(results.cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["q1", "q2"]);
    let notes: Vec<String> = results.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["`scores.csv`: columns id = Case ID, arm = Arm, score = Score"]);
    let tallies = tallies(&results);
    assert!((tallies["a"].mean - 0.25).abs() < 1e-12 && (tallies["b"].mean - 0.625).abs() < 1e-12);
    assert_eq!(results.imported.mapping, ScoreMapping::AsIs);
    assert!(results.imported.unknown.contains(&UnknownFact::Grader));
}

#[test]
fn columns_that_are_named_win_over_usual_ones() {
    let table = csv("id,question,model,score,judge\n1,x,a,0,7\n1,x,b,0,9\n");
    let columns = TableColumns { id: Some("question".into()), score: Some("judge".into()), ..TableColumns::default() };
    let options = ArrangeOptions { scale: Some("1..10".parse().unwrap()), ..ArrangeOptions::default() };
    let results = table.read(columns, &options).unwrap();
    assert_eq!(results.cases[0].id, "x");
    let shares: Vec<f64> = results.cases[0].trials.iter().map(|trials| trials[0].share.unwrap().get()).collect();
    assert_eq!(shares, [6.0 / 9.0, 8.0 / 9.0]);
    assert_eq!(results.imported.score, "judge");
}

#[test]
fn falling_scale_means_that_less_is_better() {
    let table = csv("id,arm,score\n1,a,10\n1,b,0\n");
    let options = ArrangeOptions { scale: Some("10..0".parse().unwrap()), ..ArrangeOptions::default() };
    let results = table.read(TableColumns::default(), &options).unwrap();
    let shares: Vec<f64> = results.cases[0].trials.iter().map(|trials| trials[0].share.unwrap().get()).collect();
    assert_eq!(shares, [0.0, 1.0]);
}

#[test]
fn pass_words_are_1_or_0_and_empty_values_are_missing() {
    let table = csv("id,arm,passed\n1,a,True\n1,b,FAIL\n2,a,correct\n2,b,NaN\n3,a,\n3,b,yes\n");
    let results = table.arrange().unwrap();
    assert_eq!(results.imported.mapping, ScoreMapping::PassFail);
    let tallies = tallies(&results);
    assert_eq!((tallies["a"].scored, tallies["a"].unscored), (2, 1));
    assert_eq!((tallies["b"].scored, tallies["b"].unscored), (2, 1));
    assert!((tallies["b"].mean - 0.5).abs() < 1e-12);
}

#[test]
fn row_with_an_error_is_missing_whatever_its_score() {
    let table = csv("id,arm,score,error\n1,a,1,\n1,b,0,rate limit\n");
    let results = table.arrange().unwrap();
    assert!(results.cases[0].trials[1][0].share.is_none());
    assert_eq!(results.cases[0].trials[1][0].row.end, RowEnd::Failed("rate limit".into()));
    assert!(!results.imported.unknown.contains(&UnknownFact::Errors));
}

#[test]
fn rows_of_one_case_and_arm_are_repeats_and_numbered_ones_must_be_unique() {
    let results = csv("id,arm,score\n1,a,1\n1,a,0\n1,b,1\n1,b,1\n").arrange().unwrap();
    assert_eq!(results.planned(&results.cases[0], 0), 2);
    let twice = csv("id,arm,trial,score\n1,a,1,1\n1,a,1,0\n1,b,1,1\n").arrange();
    let refused = refusal(twice);
    assert!(refused.starts_with("`scores.csv:3`: case `1` has trial `1` of `a` twice"), "{refused}");
}

#[test]
fn two_files_are_two_arms_the_first_the_control() {
    let files = TestFiles::new(&[("before.csv", "id,score\n1,0.5\n2,1\n"), ("after.csv", "id,score\n2,0\n1,1\n")]);
    let results = files.arrange().unwrap();
    assert_eq!(results.arms, ["before", "after"]);
    assert_eq!(results.imported.paired_by, PairedBy::Id);
    assert_eq!(results.imported.files.len(), 2);
    assert_eq!(results.imported.files[0].sha256.len(), 64);
}

#[test]
fn files_of_the_same_name_are_told_apart_by_their_folders() {
    let folder = TempDir::new().unwrap();
    let paths = ["old", "new"].map(|name| {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        let path = folder.path().join(name).join("scores.csv");
        std::fs::write(&path, "id,score\n1,0.5\n").unwrap();
        path
    });
    let shown = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().display().to_string();
    let files =
        paths.iter().map(|path| eval_results::read_results(path, shown(path), &ReadOptions::default()).unwrap());
    let results = eval_results::arrange(files.collect(), &ArrangeOptions::default()).unwrap();
    assert_eq!(results.arms, ["old", "new"]);
}

#[test]
fn a_table_with_a_column_for_each_arm_is_read_by_their_names() {
    let table = csv("question,baseline,candidate\nx,0.5,1\ny,,0\n");
    let names = ["baseline", "candidate"].map(String::from);
    let columns = TableColumns { id: Some("question".into()), arms: names.to_vec(), ..TableColumns::default() };
    let options = ArrangeOptions {
        control: Some(names[0].clone()),
        treatments: vec![names[1].clone()],
        ..ArrangeOptions::default()
    };
    let results = table.read(columns, &options).unwrap();
    assert_eq!(results.arms, names);
    assert!(results.cases[1].trials[0][0].share.is_none());
}

#[test]
fn semicolons_tabs_quotes_and_a_byte_order_mark_are_read() {
    let semicolons = csv("\u{feff}id;arm;score\n\"a;b\";x;1\n\"a;b\";y;0\n").arrange().unwrap();
    assert_eq!(semicolons.cases[0].id, "a;b");
    let tabs = TestFiles::new(&[("scores.tsv", "id\tarm\tscore\nq\tx\t1\nq\ty\t0\n")]).arrange().unwrap();
    assert_eq!(tabs.arms, ["x", "y"]);
}

#[test]
fn json_lines_name_fields_inside_of_others_with_dots() {
    let lines = TestFiles::new(&[(
        "scores.jsonl",
        "{\"id\": 7, \"arm\": \"a\", \"scores\": {\"exact\": true}}\n\n{\"id\": 7, \"arm\": \"b\", \"scores\": {\"exact\": false}}\n",
    )]);
    let columns = TableColumns { score: Some("scores.exact".into()), ..TableColumns::default() };
    let results = lines.read(columns, &ArrangeOptions::default()).unwrap();
    assert_eq!(results.cases[0].id, "7");
    assert_eq!(results.imported.score, "scores.exact");
    assert_eq!(results.imported.mapping, ScoreMapping::PassFail);
}

#[test]
fn nan_from_python_is_no_score() {
    let lines = TestFiles::new(&[(
        "scores.jsonl",
        "{\"id\": \"NaN, \\\" -Infinity\", \"arm\": \"a\", \"score\": NaN}\n{\"id\": \"NaN, \\\" -Infinity\", \"arm\": \"b\", \"score\": 1}\n",
    )]);
    let results = lines.arrange().unwrap();
    assert_eq!(results.cases[0].id, "NaN, \" -Infinity", "texts stay as they are");
    assert!(results.cases[0].trials[0][0].share.is_none());
    assert!(results.cases[0].trials[1][0].share.is_some());
}

#[test]
fn half_an_emoji_is_accepted() {
    let row = |arm: &str| format!("{{\"id\": \"cut \\ud83d\", \"arm\": \"{arm}\", \"score\": 1}}\n");
    let lines = TestFiles::new(&[("scores.jsonl", &(row("a") + &row("b")))]);
    let results = lines.arrange().unwrap();
    assert_eq!(results.cases[0].id, "cut \u{fffd}");
    assert!(results.cases[0].trials[1][0].share.is_some());
}

#[test]
fn cases_without_ids_are_paired_by_prompt() {
    let results = csv("prompt,arm,score\nWhat is 2+2?,a,1\nWhat is 2+2?,b,0\n").arrange().unwrap();
    assert_eq!(results.imported.paired_by, PairedBy::Input);
    assert_eq!(results.cases[0].id, "case-001");
    assert!(results.cases.iter().all(|case| case.input.is_some()));
}

#[test]
fn errors_in_tables_name_the_line_and_the_remedy() {
    let cases = [
        ("id,arm,score\n1,a,great\n", "`scores.csv:2`: `great` in `score` is no score"),
        ("id,arm,score\n1,a,inf\n", "`scores.csv:2`: `inf` in `score` is no score"),
        ("id,arm,score\n1,a,1e999\n", "`scores.csv:2`: `1e999` in `score` is no score"),
        ("id,arm,score\n1,a,1\n1,b\n", "`scores.csv:3`: the row has 2 fields, the first one 3"),
        ("id,arm,score\n,a,1\n", "`scores.csv:2`: `id` is empty"),
        ("id,arm,score\n1,,1\n", "`scores.csv:2`: `arm`, the arm, is empty"),
        ("id,arm\n1,a\n", "`scores.csv:1`: no column has a usual name of a score"),
        ("arm,score\na,1\n", "`scores.csv:1`: no column has a usual name of a case's id or prompt"),
        ("id,arm,score\n1,a,4\n1,b,2\n", "`scores.csv:2`: `score` is 4, which is not between 0 and 1"),
        ("id,score\n1,1\n", "`scores.csv` has only one arm"),
        ("id,arm,score\n1,a,1\n2,b,1\n", "no case is in all arms, matched by their ids"),
        ("id,arm,score\n1,a,1\n1,b,1\n1,c,0\n", "there are 3 arms, and nothing says which one is the control"),
        ("id,arm,score\n", "`scores.csv` has no results"),
        ("", "`scores.csv:1`: no column has a usual name of a score"),
    ];
    for (text, expected) in cases {
        let refused = refusal(csv(text).arrange());
        assert!(refused.starts_with(expected), "{text:?}: {refused}");
    }
}

#[test]
fn missing_column_is_refused_with_a_list_of_columns() {
    let columns = TableColumns { trial: Some("run no".into()), ..TableColumns::default() };
    let refused = refusal(csv("id,arm,score\n1,a,1\n").read(columns, &ArrangeOptions::default()));
    assert_eq!(
        refused,
        "`scores.csv:1`: there is no column `run no` (`--trial-column`); the columns are `id`, `arm`, `score`"
    );
}
