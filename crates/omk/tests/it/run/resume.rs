//! Interruption by a person, and `--resume`.

use std::fs;

use rustix::process::Signal;
use serde_json::json;
use testkit::wait_until;

use super::{Running, counts, finished, is_alive, journal, logging, says, says_better, starts, sum, valid, with_agent};
use crate::fixtures::context::{Finished, TestContext, files};

/// The printed resume command, as arguments.
#[track_caller]
fn resume_command(finished: &Finished) -> Vec<String> {
    let line = finished.stderr.lines().find_map(|line| line.split_once("omk eval --resume "));
    let (_, id) = line.unwrap_or_else(|| panic!("no command to resume with: {finished:#?}"));
    vec!["eval".to_owned(), "--resume".to_owned(), id.trim().to_owned()]
}

/// Runs the printed resume command.
fn resume(context: &TestContext, finished: &Finished, more: &[&str]) -> Finished {
    let command = resume_command(finished);
    context.run(&[command.iter().map(String::as_str).collect(), more.to_vec()].concat())
}

fn id_of_run(context: &TestContext) -> String {
    let path = files(&context.home().join("journal")).pop().unwrap();
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

/// A run that is interrupted after some of its cells, and its end.
fn interrupted(body: &str, samples: usize, more: &[&str]) -> (TestContext, Finished) {
    let context = logging(body);
    context.samples(samples, &says_better());
    let running = Running::start(&context, &with_agent(more));
    wait_until("a finished cell and one under way", || {
        let done = finished(&context.home()).len();
        done > 0 && starts(&context.path("starts")).len() > done
    });
    running.signal(Signal::INT);
    let end = running.finish().expect(130);
    (context, end)
}

#[test]
fn ctrl_c_finishes_running_calls_and_prints_the_resume_command() {
    let (context, end) = interrupted("sleep 0.4; echo $a", 4, &["--concurrency", "2", "--report-only"]);
    assert!(says(&end, "under way"), "{end:#?}");
    assert!(says(&end, "interrupted: "), "{end:#?}");
    let begun = starts(&context.path("starts"));
    assert!((2..8).contains(&begun.len()), "{begun:?}");
    assert_eq!(counts(begun), counts(finished(&context.home())), "started cells were finished and stored");
    assert!(context.reports().is_empty());

    resume(&context, &end, &[]).expect(0);
    assert!(counts(starts(&context.path("starts"))).values().all(|times| *times == 1));
    let report = valid(context.report());
    assert_eq!((&report["status"], sum(&report, "/outcomes/answered")), (&json!("complete"), 8));
    assert_eq!(report["id"], id_of_run(&context), "the report belongs to the run that was begun");
}

/// A run whose calls would take minutes, interrupted by `interrupt`; checks that it ends long before them.
fn ended_soon(interrupt: impl Fn(&Running)) -> (TestContext, Finished) {
    let context = logging(r#"[ -e slow ] || { echo $a; exit; }; echo $$ >> pids; sleep 300"#);
    context.samples(3, &says_better());
    context.write("slow", "");
    let running = Running::start(&context, &with_agent(&["--concurrency", "2", "--report-only"]));
    wait_until("the first call", || context.path("pids").exists());
    interrupt(&running);
    let end = running.finish().expect(130);
    let pids = fs::read_to_string(context.path("pids")).unwrap();
    wait_until("the end of every agent", || !pids.split_whitespace().any(is_alive));
    fs::remove_file(context.path("slow")).unwrap();
    (context, end)
}

#[test]
fn second_ctrl_c_ends_running_calls() {
    let (context, end) = ended_soon(|running| {
        running.signal(Signal::INT);
        running.wait_for("once more ends ");
        running.signal(Signal::INT);
    });
    resume(&context, &end, &[]).expect(0);
    assert_eq!(sum(&valid(context.report()), "/outcomes/answered"), 6);
}

/// Paid for as they are, calls that end soon are waited for.
#[test]
fn termination_signals_let_calls_under_way_finish() {
    for signal in [Signal::TERM, Signal::HUP] {
        let context = logging("sleep 1; echo $a");
        context.samples(3, &says_better());
        let running = Running::start(&context, &with_agent(&["--concurrency", "1", "--report-only"]));
        wait_until("the first call", || context.path("starts").exists());
        running.signal(signal);
        running.wait_for("one call under way has 10 s to finish");
        let end = running.finish().expect(130);
        assert!(says(&end, "1 of 6 results are kept"), "{end:#?}");
        assert_eq!(starts(&context.path("starts")).len(), 1);
        resume(&context, &end, &[]).expect(0);
        assert_eq!(starts(&context.path("starts")).len(), 6, "nothing is asked twice");
    }
}

#[test]
fn calls_that_outlive_a_termination_signal_are_ended_and_the_run_can_be_resumed() {
    let terminated = |running: &Running| running.signal(Signal::TERM);
    let hung_up_twice = |running: &Running| {
        running.signal(Signal::HUP);
        running.wait_for("once more ends ");
        running.signal(Signal::HUP);
    };
    for interrupt in [&terminated as &dyn Fn(&Running), &hung_up_twice] {
        let (context, end) = ended_soon(interrupt);
        resume(&context, &end, &[]).expect(0);
        assert_eq!(sum(&valid(context.report()), "/outcomes/answered"), 6);
    }
}

#[test]
fn ctrl_c_does_not_wait_for_a_retry() {
    let api = testkit::FakeApi::start(testkit::ReplyScript::always(
        testkit::FakeReply::error(429, "rate_limit_error", "slow down").header("retry-after", "300"),
    ));
    let mut context = TestContext::with_agent();
    context.samples(2, &says_better());
    context.env("OPENAI_BASE_URL", &format!("{}/v1", api.url));
    let running = Running::start(&context, &super::eval_with("openai-api", &["--retry", "9"]));
    running.wait_for("nothing is sent for 300.0 s");
    running.signal(Signal::INT);
    let end = running.finish().expect(130);
    assert_eq!(api.count(), 1);
    resume_command(&end);
}

#[test]
fn resuming_a_finished_run_executes_nothing_and_prints_the_same() {
    let context = logging("echo $a");
    context.samples(7, &says_better());
    let first = context.run(&with_agent(&["--json"]));
    let report = fs::read(context.reports().pop().unwrap()).unwrap();
    let again = context.run(&["eval", "--resume", &id_of_run(&context), "--json"]);
    assert_eq!((again.code, &again.stdout), (first.code, &first.stdout));
    assert_eq!(context.reports().len(), 1);
    assert_eq!(fs::read(context.reports().pop().unwrap()).unwrap(), report);
    assert_eq!(starts(&context.path("starts")).len(), 14);
}

#[test]
fn latest_is_the_run_that_started_last() {
    let (context, _) = interrupted("sleep 0.2; echo $a", 3, &["--report-only"]);
    let first = id_of_run(&context);
    // A later run, finished.
    context.write("other.json", r#"[{"sample_id": "o1", "prompt": "question 1"}]"#);
    let later = context.run(&with_agent(&["--samples", "other.json", "--report-only", "--json"])).expect(0);
    let latest = context.run(&["eval", "--resume", "latest", "--json"]).expect(0);
    assert_eq!(latest.json()["id"], later.json()["id"]);
    let by_name = context.run(&["eval", "--resume", &first, "--json"]).expect(0);
    assert_eq!((by_name.json()["id"].as_str(), sum(&by_name.json(), "/outcomes/answered")), (Some(first.as_str()), 6));
}

#[test]
fn run_resumes_from_any_directory_and_with_other_concurrency() {
    let (context, end) = interrupted("sleep 0.2; echo $a", 3, &["--report-only"]);
    fs::create_dir_all(context.path("elsewhere")).unwrap();
    let mut arguments = resume_command(&end);
    arguments.extend(["--concurrency".to_owned(), "4".to_owned(), "--output-dir".to_owned(), "out".to_owned()]);
    let mut command = context.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.current_dir(context.path("elsewhere"));
    Running::spawn(command).finish().expect(0);
    assert!(counts(starts(&context.path("starts"))).values().all(|times| *times == 1));
    assert_eq!(files(&context.path("elsewhere/out")).len(), 1, "a path of a flag belongs to where it was given");
}

#[test]
fn changed_inputs_prevent_a_resume() {
    let (context, end) = interrupted("sleep 0.1; echo $a", 3, &["--report-only", "--no-cache"]);
    let begun = starts(&context.path("starts")).len();
    let refused = |what: &str, more: &[&str]| {
        let refused = resume(&context, &end, more).expect(2);
        assert!(what.ends_with("seed") || !says(&refused, "seed"), "only what was changed is named: {refused:#?}");
        assert!(says(&refused, "the inputs changed"), "{refused:#?}");
        assert!(says(&refused, what), "`{what}` is not named: {refused:#?}");
        assert_eq!(starts(&context.path("starts")).len(), begun, "{what}");
    };
    let changed = |what: &str, file: &str, from: &str, to: &str| {
        let text = fs::read_to_string(context.path(file)).unwrap();
        assert!(text.contains(from));
        fs::write(context.path(file), text.replace(from, to)).unwrap();
        refused(what, &[]);
        fs::write(context.path(file), text).unwrap();
    };
    changed("sample `s002`", "eval-samples.json", "question 2", "question 22");
    changed("sample `s001`", "eval-samples.json", r#""value": "better""#, r#""value": "best""#);
    changed("variant `v2`", "skills/v2.md", "better", "best");
    changed("executor", "agent", "echo $a", "echo not $a");
    refused("model", &["--model", "another"]);
    refused("repeat", &["--repeat", "2"]);
    refused("began: seed", &["--seed", "5"]);
    refused("generation", &["--max-tokens", "5"]);
    refused("effort", &["--effort", "high"]);
    refused("customRuntime", &["--custom-runtime", "node"]);
    // With unchanged inputs it resumes.
    resume(&context, &end, &[]).expect(0);
}

#[test]
fn changed_working_directory_does_not_prevent_a_resume() {
    let context = logging("sleep 0.1; echo $a");
    fs::create_dir_all(context.path("work")).unwrap();
    context.write("work/data.txt", "one");
    context.script("work/agent", &fs::read_to_string(context.path("agent")).unwrap());
    context.samples(3, &says_better());
    let running =
        Running::start(&context, &with_agent(&["--control-cwd", "work", "--treatment-cwd", "work", "--report-only"]));
    wait_until("a finished cell", || !finished(&context.home()).is_empty());
    running.signal(Signal::INT);
    let end = running.finish().expect(130);
    context.write("work/data.txt", "two");
    // Agents write into their directories; that must not make finished cells unusable.
    let paid = finished(&context.home()).len();
    resume(&context, &end, &[]).expect(0);
    let log = starts(&context.path("work/starts")).len();
    assert!(paid > 0 && log <= 6, "{paid} were finished, {log} started");
}

#[test]
fn journal_is_locked_by_one_process() {
    let context = logging("sleep 0.5; echo $a");
    context.samples(4, &says_better());
    let running = Running::start(&context, &with_agent(&["--report-only"]));
    wait_until("a finished cell", || !finished(&context.home()).is_empty());
    let second = context.run(&["eval", "--resume", "latest"]).expect(2);
    assert!(says(&second, "is being written by another process"), "{second:#?}");
    running.finish().expect(0);
    assert!(counts(starts(&context.path("starts"))).values().all(|times| *times == 1));
}

#[test]
fn resume_without_a_run_is_an_error() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    for id in ["latest", "2026-01-01T00-00-00-no-such-run", "../../etc/passwd", ".", ""] {
        let refused = context.run(&["eval", "--resume", id]).expect(2);
        assert!(says(&refused, "there is no"), "`{id}`: {refused:#?}");
    }
    context.write(".home/journal/half.jsonl", r#"{"header":{"version":1,"id":"ha"#);
    let refused = context.run(&["eval", "--resume", "half"]).expect(2);
    assert!(says(&refused, "nothing had run"), "{refused:#?}");
    for version in [4, 99] {
        context.write(".home/journal/other.jsonl", &format!("{{\"header\":{{\"version\":{version}}}}}\n"));
        let refused = context.run(&["eval", "--resume", "other"]).expect(2);
        assert!(says(&refused, &format!("has version {version}, and this program reads version 5")), "{refused:#?}");
    }
}

#[test]
fn failed_cells_are_retried_on_resume() {
    let context = logging(r#"[ -e broken ] && [ "$a" = better ] && exit 1; echo $a"#);
    context.write("broken", "");
    context.samples(3, &says_better());
    context.run(&with_agent(&[])).expect(3);
    fs::remove_file(context.path("broken")).unwrap();
    let resumed = context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    let report = valid(context.report());
    assert_eq!((sum(&report, "/outcomes/answered"), sum(&report, "/outcomes/failed")), (6, 0), "{resumed:#?}");
    let starts = counts(starts(&context.path("starts")));
    assert!(starts.iter().all(|(cell, times)| *times == if cell.ends_with("v2") { 2 } else { 1 }), "{starts:?}");
    let lines = journal(&context.home());
    assert_eq!(lines.iter().filter(|line| line["execution"].is_object()).count(), 9);
}

#[test]
fn retry_failed_executes_what_failed_and_nothing_else() {
    let context = logging(r#"[ -e broken ] && [ "$p" -le 2 ] && [ "$a" = better ] && exit 1; echo $a"#);
    context.write("broken", "");
    context.samples(5, &says_better());
    context.run(&with_agent(&["--report-only"])).expect(3);
    let id = context.report()["id"].clone();
    fs::remove_file(context.path("broken")).unwrap();
    let retry = ["eval", "--resume", "latest", "--retry-failed", "--report-only"];
    let resumed = context.run(&retry).expect(0);
    assert!(says(&resumed, "asking again: 2 failed executions, 0 answers"), "{resumed:#?}");
    let begun = counts(starts(&context.path("starts")));
    let again: Vec<&str> = begun.iter().filter(|(_, times)| **times == 2).map(|(cell, _)| cell.as_str()).collect();
    assert_eq!((again, begun.len(), begun.values().sum()), (vec!["s001/v2", "s002/v2"], 10, 12));
    let report = valid(context.report());
    assert_eq!((&report["id"], sum(&report, "/outcomes/answered")), (&id, 10));
    assert_eq!(context.reports().len(), 1, "the report is written anew");

    // Nothing is left to ask.
    let resumed = context.run(&retry).expect(0);
    assert!(says(&resumed, "no result failed"), "{resumed:#?}");
    assert!(context.run(&[&retry[..], &["--lang", "zh"]].concat()).expect(0).stderr.contains("没有失败的结果"));
    assert_eq!(starts(&context.path("starts")).len(), 12);
}

#[test]
fn retry_failed_without_resume_is_an_error() {
    let context = TestContext::with_agent();
    context.samples(1, &says_better());
    let refused = context.run(&with_agent(&["--retry-failed"])).expect(2);
    assert!(says(&refused, "--resume"), "{refused:#?}");
}
