//! Files made to break the reader.

use eval_results::{ArrangeOptions, ReadOptions, ResultsError, RowEnd, TableColumns, read_results};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::tables::{TestFiles, refusal};
use crate::tallied::{data, read};

fn refused(name: &str, bytes: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    let refused = read_results(&path, name.to_owned(), &ReadOptions::default()).unwrap_err();
    format!("{}; {}", refused.message, refused.help.map(|help| help.to_string()).unwrap_or_default())
}

#[test]
fn truncated_deeply_nested_or_non_utf8_file_is_refused_with_its_place() {
    let cut = std::fs::read(data("promptfoo-0.123.1", "ab.json")).unwrap();
    assert!(refused("output.json", &cut[..cut.len() / 2]).starts_with("`output.json:"));
    let deep = format!("{{\"evalId\": 1, \"results\": {{\"results\": {}", "[".repeat(200_000));
    assert!(refused("output.json", deep.as_bytes()).starts_with("`output.json:1:"));
    let deep = format!("{{\"id\": {}", "[".repeat(200_000));
    assert!(refused("scores.jsonl", deep.as_bytes()).starts_with("`scores.jsonl:1`: recursion limit exceeded"));
    assert!(refused("scores.csv", b"id,arm,score\n1,a\xff,1\n").starts_with("`scores.csv:2`: the text isn't UTF-8"));
    assert!(refused("scores.jsonl", b"{\"id\": \"\xff\"}\n").starts_with("`scores.jsonl:1`: the text isn't UTF-8"));
    assert!(refused("scores.jsonl", b"[1]\n").starts_with("`scores.jsonl:1`:"));
    assert!(refused("notes.txt", b"hello").starts_with("`notes.txt` is in no format that is recognised"));
}

#[test]
fn too_large_file_is_refused_before_it_is_read() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("scores.csv");
    // a sparse file
    std::fs::File::create(&path).unwrap().set_len(3 << 30).unwrap();
    let refused = read_results(&path, "scores.csv".to_owned(), &ReadOptions::default()).unwrap_err();
    assert!(refused.message.to_string().starts_with("`scores.csv` has 3072 MB"), "{refused}");
}

#[test]
fn truncated_archive_or_one_that_unpacks_to_too_much_is_refused() {
    let log = data("inspect_ai-0.3.285", "logs-reducers/2026-11-25T23-05-49-00-00_control_XCkSS2cg6nJ8giV9HFYQRB.eval");
    let bytes = std::fs::read(log).unwrap();
    assert!(refused("log.eval", &bytes[..bytes.len() / 2]).starts_with("can't unpack `log.eval`"));
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::STORE);
    archive.start_file("header.json", stored).unwrap();
    std::io::Write::write_all(&mut archive, &vec![b' '; 65 << 20]).unwrap();
    let bomb = archive.finish().unwrap().into_inner();
    assert!(refused("log.eval", &bomb).starts_with("`header.json` in `log.eval` unpacks to more than is read"));
}

#[test]
fn truncated_xml_and_xml_with_entities_are_refused() {
    let junit = std::fs::read(data("junit-pytest-9.2.0", "control.xml")).unwrap();
    assert!(refused("tests.xml", &junit[..junit.len() / 2]).starts_with("`tests.xml:"));
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n<testsuite name=\"&b;\"><testcase name=\"x\"/></testsuite>";
    assert!(
        refused("tests.xml", bomb.as_bytes()).starts_with("`tests.xml:2`"),
        "{}",
        refused("tests.xml", bomb.as_bytes())
    );
    let deep = format!("<testsuites>{}", "<testsuite>".repeat(100_000));
    assert!(refused("tests.xml", deep.as_bytes()).contains("tests.xml"));
}

#[test]
fn a_damaged_database_is_refused() {
    let mut bytes = std::fs::read(data("promptfoo-0.123.1", "promptfoo.db")).unwrap();
    let half = bytes.len() / 2;
    bytes[100..half].fill(0xa5);
    assert!(refused("promptfoo.db", &bytes).starts_with("can't read the database `promptfoo.db`"));
    bytes.truncate(40);
    assert!(refused("promptfoo.db", &bytes).starts_with("can't read the database `promptfoo.db`"));
}

/// Returns a database with a table whose pages form a cycle.
fn endless_database(table: &str) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("promptfoo.db");
    std::fs::copy(data("promptfoo-0.123.1", "promptfoo.db"), &path).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    // without an index the whole table is read
    let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?1";
    let indexes: Vec<String> = connection
        .prepare(indexes)
        .unwrap()
        .query_map([table], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    indexes.iter().for_each(|name| connection.execute_batch(&format!("DROP INDEX \"{name}\"")).unwrap());
    let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
    let root: u32 = connection.query_row(root, [table], |row| row.get(0)).unwrap();
    connection.close().unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    testkit::sqlite::make_endless(&mut bytes, root);
    bytes
}

#[test]
fn a_database_whose_pages_lead_to_each_other_is_refused() {
    for table in ["eval_results", "evals"] {
        let refused = refused("promptfoo.db", &endless_database(table));
        assert!(refused.starts_with("stopped reading the database `promptfoo.db`"), "{table}: {refused}");
    }
}

/// The files are those of a program that was killed in the midst of a change.
#[test]
fn a_database_with_an_unfinished_change_is_refused_until_it_is_undone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("promptfoo.db");
    std::fs::copy(data("promptfoo-0.123.1", "promptfoo.db"), &path).unwrap();
    let rows = |path: &std::path::Path| {
        let results = read_results(path, "promptfoo.db".to_owned(), &ReadOptions::default())?;
        Ok::<usize, ResultsError>(results.rows.len())
    };
    let writer = rusqlite::Connection::open(&path).unwrap();
    writer.pragma_update(None, "journal_mode", "DELETE").unwrap();
    let before = rows(&path).unwrap();
    // More than its cache holds, so that a part of the change is in the file before it is committed.
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i, randomblob(4000) FROM n";
    writer
        .execute_batch(&format!(
            "PRAGMA cache_size = 2; BEGIN; DELETE FROM eval_results; CREATE TABLE filler AS {many};"
        ))
        .unwrap();
    let killed = folder.path().join("killed.db");
    std::fs::copy(&path, &killed).unwrap();
    std::fs::copy(folder.path().join("promptfoo.db-journal"), folder.path().join("killed.db-journal")).unwrap();
    let refused = rows(&killed).unwrap_err();
    let message = refused.message.to_string();
    assert!(message.contains("a change that was not finished"), "{message}");
    rusqlite::Connection::open(&killed).unwrap().query_row("PRAGMA user_version", [], |_| Ok(())).unwrap();
    rusqlite::Connection::open(&killed).unwrap().query_row("SELECT count(*) FROM evals", [], |_| Ok(())).unwrap();
    assert_eq!(rows(&killed).unwrap(), before);
}

#[test]
fn directory_and_missing_file_are_refused() {
    let folder = TempDir::new().unwrap();
    let refused = |path| read_results(path, "results".to_owned(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(refused(folder.path()), "`results` is a directory");
    assert!(refused(&folder.path().join("none")).starts_with("can't read `results`:"));
}

#[cfg(unix)]
#[test]
fn irregular_file_is_refused_before_it_is_opened() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("results.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), std::path::Path::new("/dev/zero")] {
        let refused = read_results(path, "results.jsonl".to_owned(), &ReadOptions::default()).unwrap_err();
        assert_eq!(refused.message.to_string(), "`results.jsonl` is no regular file");
        assert!(refused.help.unwrap().to_string().contains("results.jsonl"));
        assert!(!eval_results::is_own_report(path));
    }
}

/// Returns a case as waza writes it, run with and without the skill; `validations` are those of the run without.
fn waza(validations: &str) -> String {
    let task = |validations: &str| {
        format!(
            "{{\"test_id\": \"t\", \"runs\": [{{\"run_number\": 1, \"status\": \"passed\", \"validations\": {validations}}}]}}"
        )
    };
    format!(
        "{{\"eval_id\": \"r\", \"skill\": \"s\", \"eval_name\": \"e\",\n\"config\": {{\"runs_per_test\": 1, \"model_id\": \"m\", \"engine_type\": \"mock\"}},\n\"tasks\": [{}],\n\"baseline_outcome\": {{\"tasks\": [{}]}}}}",
        task("{\"a\": {\"score\": 1, \"passed\": true}}"),
        task(validations)
    )
}

#[test]
fn damaged_waza_file_is_refused_with_its_place() {
    let changed = |validations: &str| refused("results.json", waza(validations).as_bytes());
    let twice = changed("{\"a\": {\"score\": 1}, \"a\": {\"score\": 0}}");
    assert!(twice.starts_with("`results.json:4:") && twice.contains("duplicate field `a`"), "{twice}");
    let twice = changed("{\"a\": {\"score\": 1, \"score\": 0}}");
    assert!(twice.starts_with("`results.json:4:") && twice.contains("duplicate field `score`"), "{twice}");
    for score in ["-0.5", "1.5", "1e300"] {
        let outside = changed(&format!("{{\"a\": {{\"score\": {score}}}}}"));
        assert!(outside.starts_with("`results.json#/baseline_outcome/tasks/0`: `a` is "), "{outside}");
    }
    for wrong in [
        "{\"a\": {\"score\": \"1\"}}",
        "{\"a\": {\"score\": 1e999}}",
        "{\"a\": 1}",
        "[]",
        "{\"a\": {\"weight\": true}}",
    ] {
        assert!(changed(wrong).starts_with("`results.json:4:"), "{}", changed(wrong));
    }
    let no_tasks = "{\"eval_id\": 1, \"eval_name\": 1, \"config\": {\"runs_per_test\": 1, \"engine_type\": 1}}";
    let no_tasks = refused("results.json", no_tasks.as_bytes());
    assert!(no_tasks.starts_with("`results.json:1:") && no_tasks.contains("missing field `tasks`"), "{no_tasks}");
    let deep = waza("{}").replace("\"baseline_outcome\": {", &"\"baseline_outcome\": {\"tasks\": [], ".repeat(200_000));
    let deep = refused("results.json", deep.as_bytes());
    assert!(deep.starts_with("`results.json:4:"), "{}", &deep[..100]);
}

#[test]
fn incomplete_waza_runs_are_missing_and_invalid_weights_count_as_one() {
    let with = |validations: &str| {
        let results = TestFiles::new(&[("results.json", &waza(validations))]).arrange().unwrap();
        let trial = &results.cases[0].trials[0][0];
        (trial.row.end.clone(), trial.share.map(|share| share.get()))
    };
    let weighed = |first: &str, second: &str| {
        let validations =
            format!("{{\"a\": {{\"score\": 1, \"weight\": {first}}}, \"b\": {{\"score\": 0, \"weight\": {second}}}}}");
        with(&validations).1
    };
    assert_eq!(weighed("3", "1"), Some(0.75));
    for odd in ["0", "-7", "null"] {
        assert_eq!(weighed("1", odd), Some(0.5), "{odd}");
    }
    assert_eq!(weighed("1e308", "1e308"), None, "too large to add");
    let lacking = with("{\"a\": {\"weight\": 1}, \"b\": {\"score\": 1}}");
    assert_eq!(lacking, (RowEnd::Ungraded("a: no score".to_owned()), None));
    // a task without runs is a failure, not an ungraded answer
    let none = waza("{}").replace("[{\"run_number\": 1, \"status\": \"passed\", \"validations\": {}}]", "null");
    let results = TestFiles::new(&[("results.json", &none)]).arrange().unwrap();
    assert_eq!(results.cases[0].trials[0][0].row.end, RowEnd::Failed("no runs".to_owned()));
    let twice =
        waza("{\"a\": {\"score\": 1}}").replace("}]}]}}", "}, {\"run_number\": 1, \"status\": \"failed\"}]}]}}");
    assert!(
        refusal(TestFiles::new(&[("results.json", &twice)]).arrange())
            .starts_with("`results.json#/baseline_outcome/tasks/0`:")
    );
}

#[test]
fn a_view_in_place_of_a_table_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("promptfoo.db");
    let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS created_at FROM n";
    let schema = format!("CREATE VIEW evals AS {endless}; CREATE TABLE eval_results(eval_id TEXT);");
    rusqlite::Connection::open(&path).unwrap().execute_batch(&schema).unwrap();
    let refused = read_results(&path, "promptfoo.db".to_owned(), &ReadOptions::default()).unwrap_err();
    assert_eq!(refused.message.to_string(), "the database `promptfoo.db` has no table `evals`");
}

#[test]
fn a_table_whose_columns_are_computed_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("promptfoo.db");
    let huge = "printf('%.*c', 900000000, 'x')";
    let schema = format!(
        "CREATE TABLE evals(id TEXT, created_at INT, x TEXT GENERATED ALWAYS AS ({huge})); CREATE TABLE eval_results(eval_id TEXT);"
    );
    rusqlite::Connection::open(&path).unwrap().execute_batch(&schema).unwrap();
    let refused = read_results(&path, "promptfoo.db".to_owned(), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        refused.message.to_string(),
        "promptfoo.db: a column of the table `evals` is computed, and may take any time"
    );
}

#[test]
fn archive_that_declares_too_much_is_refused_before_it_is_unpacked() {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::STORE);
    let part = vec![b' '; 1_234_567];
    for name in (0..3).map(|index| format!("samples/{index}.json")).chain(["header.json".to_owned()]) {
        archive.start_file(name, stored).unwrap();
        std::io::Write::write_all(&mut archive, &part).unwrap();
    }
    let mut bomb = archive.finish().unwrap().into_inner();
    // entries claim 4 GB each, as those of a real one would have
    let (size, claimed) = (1_234_567_u32.to_le_bytes(), u32::MAX.wrapping_sub(1).to_le_bytes());
    let places: Vec<usize> = (0..bomb.len() - 4).filter(|&index| bomb[index..index + 4] == size).collect();
    places.iter().for_each(|&index| bomb[index..index + 4].copy_from_slice(&claimed));
    assert!(refused("log.eval", &bomb).starts_with("`log.eval` unpacks to"), "{}", refused("log.eval", &bomb));
}

#[test]
fn control_characters_are_accepted_and_long_texts_are_cut() {
    let long = "x".repeat(100_000);
    let text = format!("id,arm,score,answer\n\"\u{1b}[31m\",a,1,{long}\n\"\u{1b}[31m\",b,0,y\n");
    let results = TestFiles::new(&[("scores.csv", &text)]).arrange().unwrap();
    let answer = results.cases[0].trials[0][0].row.answer.clone().unwrap();
    assert!(answer.len() < 40_000 && answer.ends_with('…'));
}

#[test]
fn too_many_trials_are_refused() {
    let rows: String = (0..10_001).map(|_| "1,a,1\n").collect();
    let refused = refusal(TestFiles::new(&[("scores.csv", &format!("id,arm,score\n1,b,1\n{rows}"))]).arrange());
    assert!(refused.contains("has more than 10000 results in one arm"), "{refused}");
}

#[test]
fn too_many_arms_and_cells_are_refused() {
    let arms: String = (0..102).map(|arm| format!("1,{arm},1\n")).collect();
    let control = ArrangeOptions { control: Some("0".to_owned()), ..ArrangeOptions::default() };
    let table = TestFiles::new(&[("scores.csv", &format!("id,arm,score\n{arms}"))]);
    let refused = refusal(table.read(TableColumns::default(), &control));
    assert!(refused.starts_with("there are 102 arms to compare; at most 100 are"), "{refused}");
    // only one case is in several arms, so that nearly all results would be missing
    let rows: String = (0..50_000).map(|case| format!("{case},{},1\n", case % 90)).collect();
    let shared: String = (0..90).map(|arm| format!("shared,{arm},1\n")).collect();
    let table = TestFiles::new(&[("scores.csv", &format!("id,arm,score\n{shared}{rows}"))]);
    let refused = refusal(table.read(TableColumns::default(), &control));
    assert!(refused.contains("at most 4000000 are compared") && refused.contains("--paired-only"), "{refused}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_text_panics(text in ".{0,200}", name in prop::sample::select(vec!["a.csv", "a.jsonl", "a.json", "a.db", "a.xml", "a.eval"])) {
        let _ = TestFiles::new(&[(name, &text)]).arrange();
    }

    #[test]
    fn no_changed_byte_of_an_archive_panics(index in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let name = "logs-reducers/2026-11-25T23-05-49-00-00_control_XCkSS2cg6nJ8giV9HFYQRB.eval";
        let mut bytes = std::fs::read(data("inspect_ai-0.3.285", name)).unwrap();
        let offset = index.index(bytes.len());
        bytes[offset] = byte;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("log.eval");
        std::fs::write(&path, bytes).unwrap();
        let _ = read_results(&path, "log.eval".to_owned(), &ReadOptions::default());
    }

    #[test]
    fn no_changed_byte_of_a_real_file_panics(
        (folder, name) in prop::sample::select(vec![("promptfoo-0.123.1", "control-repeat3.jsonl"), ("waza-0.12.0", "once.json")]),
        index in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut bytes = std::fs::read(data(folder, name)).unwrap();
        let offset = index.index(bytes.len());
        bytes[offset] = byte;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let _ = read(&[path], &ReadOptions::default(), &ArrangeOptions::default());
    }
}
