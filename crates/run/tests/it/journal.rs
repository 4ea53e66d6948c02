//! A crash at any instant loses only what was in flight.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, OnceLock};

use eval_run::internals::{finish, take_off};
use eval_run::{Journal, RunEnding, RunError, Stop, journal_path, latest_where};
use eval_spec::record::{Executed, JOURNAL_VERSION, Record};
use eval_spec::{Failure, Outcome, Output};
use proptest::prelude::*;

use crate::kit::{Bench, Ran, Scripted, costing, failing, good, header, plan};

/// Answers, refusals, failures that pass and failures that stay, by cell.
fn mixed() -> Arc<Scripted> {
    Arc::new(Scripted::new(|seen| {
        let sample: usize = seen.call.key.sample[1..].parse().unwrap();
        match sample % 5 {
            1 => Ok(Output { outcome: Outcome::Refused, ..Output::text("no") }),
            2 if seen.attempt == 0 => failing(Failure::Server),
            3 if *seen.call.key.subject == *"v1" => failing(Failure::Crashed),
            4 => Ok(Output::text("bad\n\u{2028} 中文 \"quoted\" \0")),
            _ => good(),
        }
    }))
}

fn bench() -> Bench {
    let mut bench = Bench::with_plan(plan(10, 2, 2));
    bench.limits.concurrency = 4;
    bench.limits.retry = eval_run::Retry::infrastructure(1);
    bench
}

/// A record without its times.
fn timeless(record: &Record) -> Record {
    let mut record = record.clone();
    record.execution.started_at = jiff::Timestamp::UNIX_EPOCH;
    record.execution.finished_at = jiff::Timestamp::UNIX_EPOCH;
    // what failed before the cut is asked for again, and that is kept
    record.replaced_failures.clear();
    record
}

fn all_timeless(ran: &Ran) -> Vec<Record> {
    ran.records.iter().map(|record| timeless(record.as_ref().unwrap())).collect()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap().block_on(future)
}

/// The journal's bytes and the records of an undisturbed run.
fn undisturbed() -> &'static (Vec<u8>, Vec<Record>) {
    static RUN: OnceLock<(Vec<u8>, Vec<Record>)> = OnceLock::new();
    RUN.get_or_init(|| {
        let bench = bench();
        let ran = block_on(bench.run(&mixed()));
        (std::fs::read(bench.journal_path()).unwrap(), all_timeless(&ran))
    })
}

/// The cells whose execution stands whole in `bytes` with a final result.
fn final_in(bytes: &[u8]) -> HashMap<String, serde_json::Value> {
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let lines = bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice::<serde_json::Value>(line).unwrap())
        .filter(|line| !line["execution"]["result"]["output"].is_null())
        .map(|line| (line["execution"]["key"].as_str().unwrap().to_owned(), line["execution"].clone()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn cut_after_any_byte_and_resumed_it_equals_an_undisturbed_run(at in 0.0f64..=1.0) {
        let (bytes, records) = undisturbed();
        let cut = &bytes[..(bytes.len() as f64 * at) as usize];
        let bench = bench();
        std::fs::create_dir_all(bench.journal_path().parent().unwrap()).unwrap();
        std::fs::write(bench.journal_path(), cut).unwrap();
        let executor = mixed();
        let ran = block_on(bench.try_run(&executor));
        if !cut.contains(&b'\n') {
            let path = bench.journal_path();
            prop_assert_eq!(ran.map(|ran| ran.end), Err(RunError::NoHeader { path }));
            return Ok(());
        }
        let ran = ran.unwrap();
        let held = final_in(cut);
        let again: Vec<String> = executor.calls().into_iter().filter(|key| held.contains_key(key)).collect();
        prop_assert_eq!(again, Vec::<String>::new(), "finished cells ran again");
        prop_assert_eq!(&all_timeless(&ran), records);
        prop_assert_eq!(ran.end.ended, RunEnding::Complete);
        // What is re-used is re-used with its times.
        for record in ran.records.iter().flatten() {
            if let Some(line) = held.get(&record.execution.key.to_string()) {
                prop_assert_eq!(&serde_json::to_value(&record.execution).unwrap(), line);
            }
        }
    }

    #[test]
    fn killed_again_and_again_it_still_ends_with_the_same_records(cuts in proptest::collection::vec(0.0f64..1.0, 1..5)) {
        let (_, records) = undisturbed();
        let mut bench = bench();
        let path = bench.journal_path();
        for cut in cuts {
            bench.stop = Stop::new();
            block_on(bench.run(&mixed()));
            let bytes = std::fs::read(&path).unwrap();
            let header = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
            let keep = header + ((bytes.len() - header) as f64 * cut) as usize;
            std::fs::write(&path, &bytes[..keep]).unwrap();
        }
        let ran = block_on(bench.run(&mixed()));
        prop_assert_eq!(&all_timeless(&ran), records);
    }
}

#[tokio::test]
async fn a_failed_cell_is_tried_again_on_resume_and_an_answered_one_is_not() {
    let bench = Bench::new(4);
    let executor = Arc::new(Scripted::new(|seen| match (&*seen.call.key.sample, seen.attempt) {
        ("s2", 0) => failing(Failure::Crashed),
        _ => good(),
    }));
    assert_eq!(bench.run(&executor).await.failures().len(), 2);
    let ran = bench.run(&executor).await;
    assert_eq!((ran.answers(), executor.calls().len()), (8, 10));
    assert!(ran.records.iter().flatten().all(|record| matches!(record.execution.result, Executed::Output(_))));
    let before = |record: &Record| (record.execution.key.sample.to_string(), record.failures_before());
    let failed: Vec<_> =
        ran.records.iter().flatten().map(before).filter(|(_, failures)| !failures.is_empty()).collect();
    let crashed = ("s2".to_owned(), vec![Failure::Crashed]);
    assert_eq!(failed, [crashed.clone(), crashed], "the attempt before is kept, in both variants");
}

/// A finished run with one line of its journal changed; `nth` is the number of an execution.
async fn damaged(nth: usize, change: impl Fn(&str) -> Vec<u8>) -> (Bench, usize, String) {
    let bench = Bench::new(3);
    bench.run(&Arc::new(Scripted::new(|_| good()))).await;
    let path = bench.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<Vec<u8>> = text.lines().map(|line| line.as_bytes().to_vec()).collect();
    let executions = text.lines().enumerate().filter(|(_, line)| line.starts_with(r#"{"execution""#));
    let (at, line) = executions.clone().nth(nth).unwrap();
    lines[at] = change(line);
    std::fs::write(&path, [lines.join(&b"\n"[..]), b"\n".to_vec()].concat()).unwrap();
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    (bench, at + 1, line["execution"]["key"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn of_a_journal_with_one_bad_line_all_others_are_used_and_its_cell_is_asked_again() {
    type Change = fn(&str) -> Vec<u8>;
    let changes: [(&str, Change); 4] = [
        ("torn", |line| line.as_bytes()[..40].to_vec()),
        ("zeros, as after a power cut", |line| vec![0; line.len()]),
        ("no text", |_| vec![0xff, 0xfe]),
        ("a hash taken off", |line| format!("{}}}", line.split(",\"hash\"").next().unwrap()).into_bytes()),
    ];
    for (name, change) in changes {
        for nth in [0, 2, 5] {
            let (bench, number, key) = damaged(nth, change).await;
            let journal = Journal::read(&bench.journal_path()).unwrap();
            let named: Vec<String> = journal.bad_lines().map(|bad| bad.text(eval_message::Lang::En)).collect();
            assert_eq!(named.len(), 1, "{name}: {named:?}");
            assert!(named[0].contains(&format!("line {number} of")), "{name}: {named:?}");
            let error = journal.check_lines(true).unwrap_err();
            let line = match error {
                RunError::Corrupt { line, .. } | RunError::Edited { line, .. } => line,
                other => panic!("{name}: {other:?}"),
            };
            assert_eq!(line, number, "{name}");
            drop(journal);
            let executor = Arc::new(Scripted::new(|_| good()));
            let ran = bench.run(&executor).await;
            assert_eq!((executor.calls(), ran.answers()), (vec![key], 6), "{name}");
            let calls = executor.calls().len();
            bench.run(&executor).await;
            assert_eq!(executor.calls().len(), calls, "{name}: asked once only");
        }
    }
}

#[tokio::test]
async fn an_edited_answer_is_noticed_and_asked_again() {
    let (bench, number, key) = damaged(1, |line| {
        let edited = line.replacen("\"text\":\"", "\"text\":\"much better ", 1);
        assert_ne!(edited, line);
        edited.into_bytes()
    })
    .await;
    let path = bench.journal_path();
    assert_eq!(Journal::read(&path).unwrap().check_lines(true), Err(RunError::Edited { path, line: number }));
    let executor = Arc::new(Scripted::new(|_| good()));
    let ran = bench.run(&executor).await;
    assert_eq!(executor.calls(), vec![key]);
    let texts = ran.records.iter().flatten().map(|record| format!("{record:?}"));
    assert_eq!(texts.filter(|text| text.contains("much better")).count(), 0);
}

/// What an editor or a tool for versions does to a text file.
#[tokio::test]
async fn other_ends_of_lines_and_blank_lines_harm_no_journal() {
    let bench = Bench::new(3);
    bench.run(&Arc::new(Scripted::new(|_| good()))).await;
    let path = bench.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace('\n', "\r\n\r\n")).unwrap();
    assert_eq!(Journal::read(&path).unwrap().check_lines(true), Ok(()));
    let executor = Arc::new(Scripted::new(|_| good()));
    let ran = bench.run(&executor).await;
    assert_eq!((executor.calls().len(), ran.answers()), (0, 6));
}

#[tokio::test]
async fn a_journal_without_a_usable_line_is_refused_and_its_calls_count_as_lost() {
    let bench = Bench::new(3);
    bench.run(&Arc::new(Scripted::new(|_| costing(0.5)))).await;
    let path = bench.journal_path();
    let text = std::fs::read_to_string(&path).unwrap();
    let spoiled = |from: usize| {
        let lines = text.lines().enumerate();
        let line = |(at, line): (usize, &str)| if at < from { format!("{line}\n") } else { format!("{line}x\n") };
        std::fs::write(&path, lines.map(line).collect::<String>()).unwrap();
        Journal::read(&path).unwrap()
    };
    let journal = spoiled(1);
    assert!(matches!(journal.check_lines(false), Err(RunError::Corrupt { line: 2, .. })));
    assert_eq!(journal.lost_calls(), 6);
    let said: Vec<String> = journal.bad_lines().map(|bad| bad.text(eval_message::Lang::En)).collect();
    assert!(said.len() == 3 && said[2].contains("16 more lines"), "{said:?}");
    // The first call, its answer and its grade are whole.
    let journal = spoiled(4);
    assert_eq!((journal.check_lines(false), journal.lost_calls()), (Ok(()), 5));
    assert_eq!(journal.spent().known.0, 3.0, "each lost call for the dearest");
}

#[test]
fn journal_is_read_while_its_lines_are_written() {
    let lines: Vec<&[u8]> = undisturbed().0.split_inclusive(|byte| *byte == b'\n').collect();
    let folder = tempfile::tempdir().unwrap();
    let path = journal_path(folder.path(), "under-way");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, lines[0]).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
            for (number, line) in (1..).zip(std::iter::repeat_n(&lines[1..], 100).flatten()) {
                let mut object = line.trim_ascii_end().to_vec();
                assert!(take_off(&mut object));
                let line = finish(object, number);
                let (begin, end) = line.split_at(line.len() / 2);
                file.write_all(begin).unwrap();
                file.write_all(end).unwrap();
            }
        });
        while !writer.is_finished() {
            let journal = Journal::read(&path).unwrap();
            assert_eq!(journal.bad_lines().map(|bad| bad.to_string()).collect::<Vec<_>>(), [""; 0]);
        }
    });
}

#[test]
fn a_header_that_is_torn_or_unreadable_names_the_file() {
    let home = tempfile::tempdir().unwrap();
    let path = journal_path(home.path(), "run");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["{\"head", "{\"head\n", "", "{\"grade\":1}\n"] {
        std::fs::write(&path, text).unwrap();
        let said = Journal::resume(&path).unwrap_err().message().text(eval_message::Lang::En);
        assert!(said.contains(&path.display().to_string()), "{said}");
        assert!(!said.contains("--strict-journal"), "{said}");
        assert_eq!(eval_run::first_unreadable(home.path()), Journal::read_header(&path).err());
    }
}

#[test]
fn journal_of_another_version_is_refused_whatever_else_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    for version in [JOURNAL_VERSION - 1, JOURNAL_VERSION + 1] {
        std::fs::write(&path, format!("{{\"header\":{{\"version\":{version},\"new\":1}}}}\n{{\"unheard\":{{}}}}\n"))
            .unwrap();
        let refused = Journal::resume(&path).err().unwrap();
        assert_eq!(refused, RunError::OtherVersion { path: path.clone(), version });
        let said = refused.message().text(eval_message::Lang::En);
        for number in [version, JOURNAL_VERSION] {
            assert!(said.contains(&format!("version {number}")), "{said}");
        }
    }
}

#[test]
fn a_journal_is_never_overwritten_and_a_missing_one_is_said_to_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal_path(folder.path(), "run");
    let plan = plan(1, 2, 1);
    drop(Journal::create(&path, header(&plan)).unwrap());
    assert_eq!(Journal::create(&path, header(&plan)).err(), Some(RunError::Exists { path }));
    let missing = journal_path(folder.path(), "other");
    assert_eq!(Journal::resume(&missing).err(), Some(RunError::Missing { path: missing }));
}

#[test]
fn what_changed_since_is_said_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let before = plan(1, 2, 1);
    let journal = Journal::create(&journal_path(folder.path(), "run"), header(&before)).unwrap();
    let inputs = serde_json::json!({ "samples.json": "a", "skills/v1.md": "changed", "skills/v2.md": "new" });
    assert_eq!(journal.check(&before, &inputs), Ok(()));
    let now = plan(2, 2, 1);
    let expected =
        RunError::PlanChanged { id: "run".into(), inputs: vec!["skills/v1.md".into(), "skills/v2.md".into()] };
    assert_eq!(journal.check(&now, &inputs), Err(expected));
}

#[test]
fn the_latest_journal_is_the_one_that_began_last() {
    let home = tempfile::tempdir().unwrap();
    let cwd = header(&plan(1, 2, 1)).cwd;
    let latest = || latest_where(home.path(), |header| header.cwd == cwd);
    assert_eq!(latest(), Ok(None));
    let plan = plan(1, 2, 1);
    for (id, started_at) in
        [("b", "2026-01-02T00:00:00Z"), ("a", "2026-01-03T00:00:00Z"), ("c", "2026-01-01T00:00:00Z")]
    {
        let header = eval_spec::record::Header { started_at: started_at.parse().unwrap(), ..header(&plan) };
        drop(Journal::create(&journal_path(home.path(), id), header).unwrap());
    }
    std::fs::write(journal_path(home.path(), "torn"), "{\"head").unwrap();
    let elsewhere = eval_spec::record::Header {
        started_at: "2026-01-04T00:00:00Z".parse().unwrap(),
        cwd: "/elsewhere".to_owned(),
        ..header(&plan)
    };
    drop(Journal::create(&journal_path(home.path(), "other"), elsewhere).unwrap());
    assert_eq!(latest(), Ok(Some(journal_path(home.path(), "a"))));
    let header = Journal::read_header(&journal_path(home.path(), "a")).unwrap();
    assert_eq!(header.settings["retry"], 2);
}

#[test]
fn an_id_cannot_lead_out_of_the_folder() {
    let home = std::path::Path::new("home");
    for id in ["../../etc/passwd", "a/b", "/etc/passwd", ".."] {
        assert_eq!(journal_path(home, id).parent(), Some(home.join("journal").as_path()), "{id}");
    }
    assert_ne!(journal_path(home, "2026-基线"), journal_path(home, "2026-技能"));
}

#[tokio::test]
async fn a_journal_can_be_read_while_it_is_written() {
    let bench = Bench::new(2);
    bench.run(&Arc::new(Scripted::new(|_| good()))).await;
    let path = bench.journal_path();
    let writing = Journal::resume(&path).unwrap();
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"execution\":{\"key\":").unwrap();
    let reading = Journal::read(&path).unwrap();
    assert_eq!(reading.records(&bench.plan).filter(|(_, record)| matches!(record, Ok(Some(_)))).count(), 4);
    drop(writing);
}

#[tokio::test]
async fn the_sum_spent_counts_failed_attempts_and_not_the_cache() {
    let mut bench = Bench::with_plan(plan(2, 1, 1));
    bench.cached = true;
    bench.limits.retry = eval_run::Retry::infrastructure(1);
    let executor = Arc::new(Scripted::new(|seen| match seen.attempt {
        0 => {
            let mut error = failing(Failure::Dropped).unwrap_err();
            error.partial = Some(Box::new(crate::kit::costing(0.25).unwrap()));
            Err(error)
        }
        _ => crate::kit::costing(1.0),
    }));
    let ran = tokio::time::timeout(std::time::Duration::from_secs(30), bench.run(&executor)).await.unwrap();
    assert_eq!(ran.answers(), 2);
    assert_eq!(Journal::read(&bench.journal_path()).unwrap().spent().total().map(|usd| usd.0), Some(2.5));
    std::fs::remove_file(bench.journal_path()).unwrap();
    bench.run(&executor).await;
    assert_eq!(Journal::read(&bench.journal_path()).unwrap().spent().total().map(|usd| usd.0), Some(0.0));
}
