//! A journal with a line that can't be used: the others are, and what it held is asked again.

use std::fs;

use super::{counts, finished, logging, says, says_better, starts, valid, with_agent};
use crate::fixtures::context::{TestContext, files};

const RESUME: [&str; 4] = ["eval", "--resume", "latest", "--report-only"];

/// A complete run without its cache, whose journal's first execution `change` has been applied to; its line's number.
fn damaged(change: impl Fn(&str) -> String) -> (TestContext, usize) {
    let context = logging("echo $a");
    context.samples(3, &says_better());
    context.run(&with_agent(&["--no-cache", "--report-only"])).expect(0);
    let path = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let at = text.lines().position(|line| line.starts_with(r#"{"execution""#)).unwrap();
    let lines: Vec<String> =
        text.lines().enumerate().map(|(i, line)| if i == at { change(line) } else { line.to_owned() }).collect();
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    (context, at + 1)
}

#[test]
fn one_bad_line_is_named_and_costs_its_own_call_only() {
    let (context, line) = damaged(|line| line[..line.len() / 2].to_owned());
    let resumed = context.run(&RESUME).expect(0);
    assert!(says(&resumed, &format!("line {line} of the journal")), "{resumed:#?}");
    let starts = counts(starts(&context.path("starts")));
    assert_eq!((starts.len(), starts.values().sum::<usize>()), (6, 7), "{starts:?}");
    assert_eq!(valid(context.report())["status"], "complete");
}

#[test]
fn an_edited_answer_is_named_and_asked_again() {
    let (context, line) = damaged(|line| {
        let edited = line.replace("plain", "better").replacen("better", "much better", 1);
        assert_ne!(edited, line);
        edited
    });
    let resumed = context.run(&RESUME).expect(0);
    assert!(says(&resumed, &format!("line {line} of the journal")), "{resumed:#?}");
    assert!(says(&resumed, "was changed after it was written"), "{resumed:#?}");
    assert_eq!(starts(&context.path("starts")).len(), 7);
    assert!(!valid(context.report()).to_string().contains("much better"));
}

/// Without a trace of it, an answer that the report has would be asked again, and the better one of two kept.
#[test]
fn a_journal_without_answers_of_its_report_is_refused() {
    let (context, _) = damaged(str::to_owned);
    let path = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let last = text.rfind(r#"{"begun""#).unwrap();
    fs::write(&path, &text[..last]).unwrap();
    let refused = context.run(&RESUME).expect(2);
    assert!(says(&refused, "lacks 1 answer that its report has"), "{refused:#?}");
    assert_eq!(starts(&context.path("starts")).len(), 6);
}

/// Neither is a run that was killed before it had a report: the lines have numbers.
#[test]
fn a_journal_with_deleted_or_emptied_lines_is_refused() {
    for empties in [false, true] {
        let (context, _) = damaged(str::to_owned);
        fs::remove_file(context.report_path()).unwrap();
        let path = files(&context.home().join("journal")).pop().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let is_of_one = |line: &str| line.contains(r#""key":"s001/v2/0""#);
        let edited = text.lines().enumerate().filter_map(|(place, line)| match place > 0 && is_of_one(line) {
            true => empties.then_some("x"),
            false => Some(line),
        });
        fs::write(&path, edited.collect::<Vec<_>>().join("\n") + "\n").unwrap();
        let refused = context.run(&RESUME).expect(2);
        assert!(says(&refused, "3 lines were deleted from the journal"), "{refused:#?}");
        assert_eq!(starts(&context.path("starts")).len(), 6);
        // a whole journal goes on
        fs::write(&path, &text).unwrap();
        context.run(&RESUME).expect(0);
        assert_eq!(starts(&context.path("starts")).len(), 6);
    }
}

/// A grade whose line lost its content is made again, however often the run is resumed: its answer is there, and counts as one that
/// was graded anew.
#[test]
fn a_grade_whose_line_is_zeroed_is_made_again() {
    let (context, _) = damaged(str::to_owned);
    let path = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let is_it = |line: &str| line.starts_with(r#"{"grade""#) && line.contains(r#""key":"s001/v2/0""#);
    let zeroed = text.lines().map(|line| if is_it(line) { "\0".repeat(line.len()) } else { line.to_owned() });
    fs::write(&path, zeroed.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    for _ in 0..3 {
        context.run(&RESUME).expect(0);
        assert_eq!(starts(&context.path("starts")).len(), 6);
        let run = valid(context.report())["results"][0]["variants"]["v2"].clone();
        assert!(run["compositeScore"].is_number());
        assert_eq!(run["failuresBefore"], serde_json::json!(["replaced"]));
    }
}

/// A begun line and its answer that both can't be read leave the name of their cell.
#[test]
fn a_cell_whose_lines_are_all_edited_counts_as_asked_for_twice() {
    let (context, _) = damaged(str::to_owned);
    let path = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let edited =
        text.lines().enumerate().map(|(place, line)| match place > 0 && line.contains(r#""key":"s001/v2/0""#) {
            true => format!("{line} "),
            false => line.to_owned(),
        });
    fs::write(&path, edited.collect::<Vec<_>>().join("\n") + "\n").unwrap();
    context.run(&RESUME).expect(0);
    let report = valid(context.report());
    assert_eq!(report["results"][0]["variants"]["v2"]["failuresBefore"], serde_json::json!(["replaced"]));
}

#[test]
fn a_strict_resume_refuses_a_bad_line_before_any_call() {
    let (context, line) = damaged(|line| line[..line.len() / 2].to_owned());
    let strict = [&RESUME[..], &["--strict-journal"]].concat();
    let refused = context.run(&strict).expect(2);
    assert!(says(&refused, &format!("line {line} of the journal")), "{refused:#?}");
    assert_eq!((starts(&context.path("starts")).len(), finished_or_bad(&context)), (6, 6));
    // mended by a resume without it, the bad line is still in the file
    context.run(&RESUME).expect(0);
    context.run(&strict).expect(2);
    // an undamaged journal passes
    let whole = logging("echo $a");
    whole.samples(2, &says_better());
    whole.run(&with_agent(&["--report-only"])).expect(0);
    whole.run(&strict).expect(0);
    let alone = whole.run(&with_agent(&["--strict-journal"])).expect(2);
    assert!(says(&alone, "--resume"), "{alone:#?}");
}

/// Executions in the journal, the damaged one included.
fn finished_or_bad(context: &TestContext) -> usize {
    let path = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| line.starts_with(r#"{"execution""#)).count()
}

#[test]
fn a_torn_header_names_its_file() {
    let (context, _) = damaged(str::to_owned);
    assert_eq!(finished(&context.home()).len(), 6);
    let path = files(&context.home().join("journal")).pop().unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..20]).unwrap();
    let id = path.file_stem().unwrap().to_str().unwrap().to_owned();
    for id in [&*id, "latest"] {
        let refused = context.run(&["eval", "--resume", id]).expect(2);
        let joined: String = refused.stderr.split_whitespace().collect();
        assert!(joined.contains(&*path.display().to_string()), "{refused:#?}");
    }
}
