//! CSV and JSON lines.

use std::path::PathBuf;

use eval_format::{PairedBy, ScoreMapping, UnknownFact};
use eval_results::{ArrangeOptions, ArrangedResults, ReadOptions, ResultsError, RowEnd, TableColumns};
use tempfile::TempDir;

use crate::tallied::{read, tallies};

pub(crate) struct Written {
    folder: TempDir,
    pub(crate) paths: Vec<PathBuf>,
}

impl Written {
    pub(crate) fn new(files: &[(&str, &str)]) -> Written {
        let folder = TempDir::new().unwrap();
        let paths = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        });
        let paths = paths.collect();
        Written { folder, paths }
    }

    pub(crate) fn read(
        &self,
        columns: TableColumns,
        options: &ArrangeOptions,
    ) -> Result<ArrangedResults, ResultsError> {
        assert!(self.folder.path().is_dir());
        read(&self.paths, &ReadOptions { columns, ..ReadOptions::default() }, options)
    }

    pub(crate) fn plain(&self) -> Result<ArrangedResults, ResultsError> {
        self.read(TableColumns::default(), &ArrangeOptions::default())
    }
}

pub(crate) fn csv(text: &str) -> Written {
    Written::new(&[("scores.csv", text)])
}

#[track_caller]
pub(crate) fn refusal(of: Result<ArrangedResults, ResultsError>) -> String {
    let refused = of.unwrap_err();
    format!("{}; {}", refused.message, refused.help.map(|help| help.to_string()).unwrap_or_default())
}

#[test]
fn columns_with_usual_names_are_found_and_the_choice_is_told() {
    let table = csv("Case ID,Arm,Score\nq1,a,0.5\nq1,b,1\nq2,a,0\nq2,b,0.25\n");
    let found = table.plain().unwrap();
    assert_eq!(found.arms, ["a", "b"]);
    assert_eq!(found.cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["q1", "q2"]);
    let notes: Vec<String> = found.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["`scores.csv`: columns id = Case ID, arm = Arm, score = Score"]);
    let tallies = tallies(&found);
    assert!((tallies["a"].mean - 0.25).abs() < 1e-12 && (tallies["b"].mean - 0.625).abs() < 1e-12);
    assert_eq!(found.imported.mapping, ScoreMapping::AsIs);
    assert!(found.imported.unknown.contains(&UnknownFact::Grader));
}

#[test]
fn columns_that_are_named_win_over_usual_ones() {
    let table = csv("id,question,model,score,judge\n1,x,a,0,7\n1,x,b,0,9\n");
    let columns = TableColumns { id: Some("question".into()), score: Some("judge".into()), ..TableColumns::default() };
    let options = ArrangeOptions { scale: Some("1..10".parse().unwrap()), ..ArrangeOptions::default() };
    let found = table.read(columns, &options).unwrap();
    assert_eq!(found.cases[0].id, "x");
    let shares: Vec<f64> = found.cases[0].trials.iter().map(|trials| trials[0].share.unwrap().get()).collect();
    assert_eq!(shares, [6.0 / 9.0, 8.0 / 9.0]);
    assert_eq!(found.imported.score, "judge");
}

#[test]
fn a_scale_that_falls_makes_less_better() {
    let table = csv("id,arm,score\n1,a,10\n1,b,0\n");
    let options = ArrangeOptions { scale: Some("10..0".parse().unwrap()), ..ArrangeOptions::default() };
    let found = table.read(TableColumns::default(), &options).unwrap();
    let shares: Vec<f64> = found.cases[0].trials.iter().map(|trials| trials[0].share.unwrap().get()).collect();
    assert_eq!(shares, [0.0, 1.0]);
}

#[test]
fn words_of_passing_are_1_and_0_and_no_value_is_missing_never_0() {
    let table = csv("id,arm,passed\n1,a,True\n1,b,FAIL\n2,a,correct\n2,b,NaN\n3,a,\n3,b,yes\n");
    let found = table.plain().unwrap();
    assert_eq!(found.imported.mapping, ScoreMapping::PassFail);
    let tallies = tallies(&found);
    assert_eq!((tallies["a"].scored, tallies["a"].unscored), (2, 1));
    assert_eq!((tallies["b"].scored, tallies["b"].unscored), (2, 1));
    assert!((tallies["b"].mean - 0.5).abs() < 1e-12);
}

#[test]
fn a_row_with_an_error_is_missing_whatever_its_score() {
    let table = csv("id,arm,score,error\n1,a,1,\n1,b,0,rate limit\n");
    let found = table.plain().unwrap();
    assert!(found.cases[0].trials[1][0].share.is_none());
    assert_eq!(found.cases[0].trials[1][0].row.end, RowEnd::Failed("rate limit".into()));
    assert!(!found.imported.unknown.contains(&UnknownFact::Errors));
}

#[test]
fn rows_of_one_case_and_arm_are_repeats_and_numbered_ones_may_not_come_twice() {
    let found = csv("id,arm,score\n1,a,1\n1,a,0\n1,b,1\n1,b,1\n").plain().unwrap();
    assert_eq!(found.planned(&found.cases[0], 0), 2);
    let twice = csv("id,arm,trial,score\n1,a,1,1\n1,a,1,0\n1,b,1,1\n").plain();
    let refused = refusal(twice);
    assert!(refused.starts_with("`scores.csv:3`: case `1` has trial `1` of `a` twice"), "{refused}");
}

#[test]
fn two_files_are_two_arms_the_first_the_control() {
    let files = Written::new(&[("before.csv", "id,score\n1,0.5\n2,1\n"), ("after.csv", "id,score\n2,0\n1,1\n")]);
    let found = files.plain().unwrap();
    assert_eq!(found.arms, ["before", "after"]);
    assert_eq!(found.imported.paired_by, PairedBy::Id);
    assert_eq!(found.imported.files.len(), 2);
    assert_eq!(found.imported.files[0].sha256.len(), 64);
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
    let found = eval_results::arrange(files.collect(), &ArrangeOptions::default()).unwrap();
    assert_eq!(found.arms, ["old", "new"]);
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
    let found = table.read(columns, &options).unwrap();
    assert_eq!(found.arms, names);
    assert!(found.cases[1].trials[0][0].share.is_none());
}

#[test]
fn semicolons_tabs_quotes_and_a_byte_order_mark_are_read() {
    let semicolons = csv("\u{feff}id;arm;score\n\"a;b\";x;1\n\"a;b\";y;0\n").plain().unwrap();
    assert_eq!(semicolons.cases[0].id, "a;b");
    let tabs = Written::new(&[("scores.tsv", "id\tarm\tscore\nq\tx\t1\nq\ty\t0\n")]).plain().unwrap();
    assert_eq!(tabs.arms, ["x", "y"]);
}

#[test]
fn json_lines_name_fields_inside_of_others_with_dots() {
    let lines = Written::new(&[(
        "scores.jsonl",
        "{\"id\": 7, \"arm\": \"a\", \"scores\": {\"exact\": true}}\n\n{\"id\": 7, \"arm\": \"b\", \"scores\": {\"exact\": false}}\n",
    )]);
    let columns = TableColumns { score: Some("scores.exact".into()), ..TableColumns::default() };
    let found = lines.read(columns, &ArrangeOptions::default()).unwrap();
    assert_eq!(found.cases[0].id, "7");
    assert_eq!(found.imported.score, "scores.exact");
    assert_eq!(found.imported.mapping, ScoreMapping::PassFail);
}

#[test]
fn a_bare_nan_as_python_writes_it_is_no_score() {
    let lines = Written::new(&[(
        "scores.jsonl",
        "{\"id\": \"NaN, \\\" -Infinity\", \"arm\": \"a\", \"score\": NaN}\n{\"id\": \"NaN, \\\" -Infinity\", \"arm\": \"b\", \"score\": 1}\n",
    )]);
    let found = lines.plain().unwrap();
    assert_eq!(found.cases[0].id, "NaN, \" -Infinity", "texts stay as they are");
    assert!(found.cases[0].trials[0][0].share.is_none());
    assert!(found.cases[0].trials[1][0].share.is_some());
}

#[test]
fn half_an_emoji_refuses_no_file() {
    let row = |arm: &str| format!("{{\"id\": \"cut \\ud83d\", \"arm\": \"{arm}\", \"score\": 1}}\n");
    let lines = Written::new(&[("scores.jsonl", &(row("a") + &row("b")))]);
    let found = lines.plain().unwrap();
    assert_eq!(found.cases[0].id, "cut \u{fffd}");
    assert!(found.cases[0].trials[1][0].share.is_some());
}

#[test]
fn cases_without_ids_are_paired_by_what_was_asked() {
    let found = csv("prompt,arm,score\nWhat is 2+2?,a,1\nWhat is 2+2?,b,0\n").plain().unwrap();
    assert_eq!(found.imported.paired_by, PairedBy::Input);
    assert_eq!(found.cases[0].id, "case-001");
    assert!(found.cases.iter().all(|case| case.input.is_some()));
}

#[test]
fn what_is_wrong_with_a_table_is_told_with_its_line_and_the_remedy() {
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
    for (text, begins) in cases {
        let refused = refusal(csv(text).plain());
        assert!(refused.starts_with(begins), "{text:?}: {refused}");
    }
}

#[test]
fn a_column_that_is_not_there_is_refused_with_those_that_are() {
    let columns = TableColumns { trial: Some("run no".into()), ..TableColumns::default() };
    let refused = refusal(csv("id,arm,score\n1,a,1\n").read(columns, &ArrangeOptions::default()));
    assert_eq!(
        refused,
        "`scores.csv:1`: there is no column `run no` (`--trial-column`); the columns are `id`, `arm`, `score`"
    );
}
