//! Runs with judges that are killed, resumed or repeated: no stored opinion is requested again.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{FakeReply, wait_until};

use crate::fixtures::context::files;
use crate::fixtures::judged::{JUDGE, JudgedProject};

#[test]
fn wrong_judge_key_ends_the_run_and_resuming_grades_the_rest() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let project = JudgedProject::judged_by(10, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => FakeReply::error(401, "invalid_api_key", "no"),
        false => case.scores(4),
    });
    project.run(&[]).expect(3);
    assert!(project.judge_requests() <= 2, "{}", project.judge_requests());
    let executed = project.api.count() - project.judge_requests();
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    project.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(project.api.count() - project.judge_requests(), 20, "{executed} answers were paid for before");
    for sample in 0..10 {
        assert_eq!(project.result(sample, "v1")["llmScore"], json!(4.0), "{sample}");
    }
}

#[test]
fn judge_calls_are_replayed_and_cached() {
    let project = JudgedProject::judged_by(3, |case| case.scores(4));
    project.run(&["--record", "rec", "--report-only"]).expect(0);
    let recorded = project.context.report();
    let asked = project.api.count();
    let replay = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "rec", "--report-only"];
    project.context.run(&replay).expect(0);
    assert_eq!(project.api.count(), asked, "nothing was asked");
    assert_eq!(project.context.report()["summary"]["v1"]["avgLlmScore"], recorded["summary"]["v1"]["avgLlmScore"]);

    project.run(&["--report-only"]).expect(0);
    let asked = project.api.count();
    project.run(&["--report-only"]).expect(0);
    assert_eq!(project.api.count(), asked, "answers and opinions came from the cache");
    assert_eq!(project.result(0, "v1")["llmScore"], json!(4.0));
}

/// Killed at any instant and resumed, no answered and stored request is repeated.
#[test]
fn killed_run_requests_no_stored_opinion_again() {
    let (samples, judges, repeat) = (6, 3, 2);
    for round in 0..6 {
        let project = JudgedProject::judged_by(samples, |case| case.scores(4).after(Duration::from_millis(20)));
        let flags =
            ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only", "--no-cache"];
        let ensemble = ["--judge-models", "judge-a,judge-b,judge-c", "--judge-repeat", "2", "--concurrency", "4"];
        let mut child = project.context.command(&[flags.as_slice(), &ensemble].concat());
        let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        // Each kill comes when a share of the opinions is stored, whatever else is in progress.
        let journal = || files(&project.context.home().join("journal")).pop();
        let written = || journal().map_or_else(String::new, |path| fs::read_to_string(path).unwrap());
        let enough = 2 + 11 * round;
        wait_until("enough opinions", || {
            written().lines().filter(|line| line.starts_with("{\"judgement\":")).count() >= enough
        });
        child.kill().unwrap();
        child.wait().unwrap();
        let written = written();
        let lines = |kind: &str| written.lines().filter(|line| line.starts_with(&format!("{{\"{kind}\":"))).count();
        let (executed, judged) = (lines("execution"), lines("judgement"));
        // Requests that the killed process sent may still arrive.
        std::thread::sleep(Duration::from_millis(100));
        let before = project.api.count();
        project.context.run(&["eval", "--resume", "latest"]).expect(0);
        let all = samples * 2 + samples * 2 * judges * repeat;
        assert_eq!(
            project.api.count() - before,
            all - executed - judged,
            "round {round}: {executed} + {judged} were written"
        );
        let report = project.context.report();
        assert_eq!(report["status"], "complete");
        assert_eq!(project.result(samples - 1, "v2")["llmScore"], json!(4.0));
    }
}

#[test]
fn rerun_replaces_unusable_opinions() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let project = JudgedProject::judged_by(2, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => FakeReply::text("garbage"),
        false => case.scores(4),
    });
    project.run(&["--report-only"]);
    assert_eq!(project.result(0, "v1")["llmScore"], Value::Null);
    let (answers, asked) = (project.api.count() - project.judge_requests(), project.judge_requests());
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    // Unusable opinions are not stored; answers are.
    project.run(&["--report-only"]).expect(0);
    assert_eq!(project.result(0, "v1")["llmScore"], json!(4.0));
    assert_eq!(project.api.count() - project.judge_requests(), answers);
    assert_eq!(project.judge_requests() - asked, 4);
    // Usable opinions are stored.
    project.run(&["--report-only"]).expect(0);
    assert_eq!(project.judge_requests() - asked, 4);
}

/// A reply of another format is as unusable as garbage, however well-formed.
#[test]
fn rerun_replaces_opinions_in_the_wrong_format() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let project = JudgedProject::judged_by(2, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => case.scores(4),
        false => {
            let claims = json!([{"claim": "c", "supported": true}]);
            FakeReply::text(json!({"id": case.id, "reasoning": "r", "claims": claims}).to_string())
        }
    });
    let samples = [1, 2].map(|i| {
        let assertions = json!([{"type": "faithfulness", "mode": "claims"}]);
        json!({"sample_id": format!("s{i}"), "prompt": format!("question {i}"), "context": "c", "assertions": assertions})
    });
    project.context.write("eval-samples.json", &json!(samples).to_string());
    let passed = || project.result(0, "v1")["assertions"]["details"][0]["passed"].clone();
    project.run(&["--report-only"]).expect(3);
    assert_eq!((passed(), project.judge_requests()), (Value::Null, 12), "three requests for each of four answers");
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    project.run(&["--report-only"]).expect(0);
    assert_eq!((passed(), project.judge_requests()), (json!(true), 16));
    project.run(&["--report-only"]).expect(0);
    assert_eq!(project.judge_requests(), 16, "usable opinions are stored");
}

/// A run stopped by its budget in the middle of judging, at any concurrency, asks for everything missing and nothing
/// else once the budget is larger.
#[test]
fn opinions_over_budget_are_requested_after_the_budget_grows() {
    for concurrency in ["1", "8"] {
        let project = JudgedProject::judged_by(12, |case| case.scores(4));
        let price = json!({"input": 10_000.0, "output": 10_000.0});
        let prices = json!({"version": 1, "models": {"m": price, JUDGE: price}});
        fs::create_dir_all(project.context.home()).unwrap();
        fs::write(project.context.home().join("prices.json"), prices.to_string()).unwrap();
        // A call is 10 tokens in and 5 out: 15 cents.
        let flags = ["--report-only", "--no-cache", "--concurrency", concurrency, "--budget-usd", "3.6"];
        project.run(&flags).expect(3);
        // The same budget again changes nothing.
        project.context.run(&["eval", "--resume", "latest", "--budget-usd", "3.6"]).expect(3);
        let before = project.api.count();
        assert!((20..=24).contains(&before), "{before}");
        project.context.run(&["eval", "--resume", "latest", "--budget-usd", "50", "--report-only"]).expect(0);
        assert_eq!(project.api.count(), 48, "24 answers and 24 opinions, each paid for once");
        let report = project.context.report();
        let judge = &report["judging"]["judges"][0];
        assert_eq!((&judge["scored"], &judge["missing"]), (&json!(24), &json!(0)), "{judge}");
    }
}

/// An outage of the judge leaves opinions missing; resuming asks for those and for no other.
#[test]
fn unavailable_judge_is_asked_again_on_resume() {
    for mode in ["rubric", "pairwise"] {
        let away = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let is_away = Arc::clone(&away);
        let project = JudgedProject::judged_by(8, move |case| {
            let number = case.prompt.split("question ").nth(1).unwrap().as_bytes()[0];
            match is_away.load(std::sync::atomic::Ordering::SeqCst) && number < b'3' {
                true => FakeReply::error(503, "overloaded", "away"),
                false if case.prompt.contains("# Answer B") => {
                    FakeReply::text(json!({"id": case.id, "reasoning": "one", "winner": "A"}).to_string())
                }
                false => case.scores(4),
            }
        });
        project.run(&["--report-only", "--no-cache", "--judge-mode", mode]);
        let before = project.api.count();
        away.store(false, std::sync::atomic::Ordering::SeqCst);
        project.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
        assert_eq!(project.api.count() - before, 4, "two samples, and two answers or two orders each ({mode})");
        let report = project.context.report();
        let judge = match mode {
            "rubric" => &report["judging"]["judges"][0],
            _ => &report["pairwise"]["judges"][0],
        };
        assert_eq!(judge["missing"], json!(0), "{judge}");
        let before = project.api.count();
        project.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
        assert_eq!(project.api.count(), before);
    }
}

/// A judge that is down is not asked about every answer; resuming asks the rest.
#[test]
fn permanently_unavailable_judge_ends_the_run_early() {
    let away = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_away = Arc::clone(&away);
    let project = JudgedProject::judged_by(30, move |case| match is_away.load(std::sync::atomic::Ordering::SeqCst) {
        true => FakeReply::error(503, "overloaded", "away"),
        false => case.scores(4),
    });
    let ended = project.run(&["--report-only", "--no-cache"]).expect(3);
    assert!(ended.stderr.contains("the run was ended"), "{}", ended.stderr);
    assert!(project.judge_requests() <= 12, "{}", project.judge_requests());
    away.store(false, std::sync::atomic::Ordering::SeqCst);
    let before = project.judge_requests();
    project.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(project.judge_requests() - before, 60);
    assert_eq!(project.api.count() - project.judge_requests(), 60, "no answer is paid for twice");
}

/// A judge whose reply is unusable was asked, so a plain resume doesn't ask it again; `--retry-failed` does.
#[test]
fn retry_failed_requests_unusable_opinions_again() {
    for mode in ["rubric", "pairwise"] {
        let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let is_broken = Arc::clone(&broken);
        let project = JudgedProject::judged_by(8, move |case| {
            let number = case.prompt.split("question ").nth(1).unwrap().as_bytes()[0];
            match is_broken.load(std::sync::atomic::Ordering::SeqCst) && number < b'3' {
                true => FakeReply::text("garbage"),
                false if case.prompt.contains("# Answer B") => {
                    FakeReply::text(json!({"id": case.id, "reasoning": "one", "winner": "A"}).to_string())
                }
                false => case.scores(4),
            }
        });
        project.run(&["--report-only", "--no-cache", "--judge-mode", mode]);
        broken.store(false, std::sync::atomic::Ordering::SeqCst);
        let asked = |flags: &[&str]| {
            let before = (project.api.count(), project.judge_requests());
            let resumed = project.context.run(&[&["eval", "--resume", "latest", "--report-only"], flags].concat());
            let (all, judges) = (project.api.count() - before.0, project.judge_requests() - before.1);
            assert_eq!(all, judges, "only judges are asked ({mode})");
            (judges, resumed)
        };
        assert_eq!(asked(&[]).0, 0, "{mode}");
        let (requests, resumed) = asked(&["--retry-failed"]);
        assert_eq!(requests, 4, "two samples, and two answers or two orders each ({mode}): {resumed:#?}");
        let what = if mode == "rubric" { "4 answers and 0 pairs" } else { "0 answers and 2 pairs" };
        assert!(resumed.stderr.contains(what), "{resumed:#?}");
        let report = project.context.report();
        let judge = match mode {
            "rubric" => &report["judging"]["judges"][0],
            _ => &report["pairwise"]["judges"][0],
        };
        assert_eq!(judge["missing"], json!(0), "{judge}");
        assert_eq!(asked(&["--retry-failed"]).0, 0, "{mode}");
    }
}
