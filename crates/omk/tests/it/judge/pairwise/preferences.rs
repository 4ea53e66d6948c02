//! From preferences to the verdict.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{FakeReply, wait_until};

use super::{JUDGE, PAIRWISE, Shown, eval, project, reasons, sample, tier};

#[test]
fn consistent_preference_is_progress_and_each_pair_is_asked_in_both_orders() {
    let (context, api) = project(24, |shown| shown.prefers("better"));
    let run = eval(&context, PAIRWISE).expect(0);
    assert!(run.stdout.contains("preference +1.00"), "{run:#?}");
    let report = context.report();
    assert_eq!(tier(&report), "PROGRESS");
    let of = &report["pairwise"]["comparisons"][0];
    assert_eq!((&of["n"], &of["wins"], &of["losses"], &of["ties"]), (&json!(24), &json!(24), &json!(0), &json!(0)));
    assert_eq!((&of["preference"]["mean"], &of["missing"]), (&json!(1.0), &json!([])));
    assert_eq!((&of["positionBias"]["share"], &of["positionBias"]["n"]), (&json!(0.5), &json!(48)));
    assert_eq!(report["pairwise"]["template"], "v3-pairwise-length");
    assert_eq!(report["pairwise"]["strengths"], Value::Null, "two variants need none");
    // No scores are made, and none counts as missing.
    let arm = &report["summary"]["v2"];
    assert_eq!(
        (&arm["plannedScores"], &arm["missingScores"], &arm["layers"]["judge"]),
        (&json!(0), &json!(0), &Value::Null)
    );
    assert_eq!(report["comparisons"][0]["excluded"], json!([]));
    // Both orders, nothing else, and no variant's name.
    assert_eq!(api.count(), 48);
    let shown: Vec<Shown> = api.requests().iter().map(Shown::of).collect();
    assert_eq!(shown.iter().filter(|shown| shown.a == "better" && shown.b == "plain").count(), 24);
    assert_eq!(shown.iter().filter(|shown| shown.a == "plain" && shown.b == "better").count(), 24);
    for shown in &shown {
        assert!(!shown.prompt.contains("v1") && !shown.prompt.contains("v2"), "{}", shown.prompt);
        assert!(shown.system.contains("Length is not a quality signal"));
    }
    let ids: std::collections::HashSet<&str> = shown.iter().map(|shown| &*shown.id).collect();
    assert_eq!(ids.len(), 48, "every request has an id of its own");
    let again = context.run(&["report", "verdict", context.report_path().to_str().unwrap()]);
    again.expect(0);
}

/// Comparisons that a judge gives only when it is asked again count as the winner's, however they are asked for: at once, by
/// `--retry-failed`, by `--regrade`, or by another run that takes all else from the cache.
#[test]
fn comparisons_that_are_asked_for_again_could_turn_a_preference() {
    let report = |unusable: u32, samples: &'static [u32], then: Option<&[&str]>| {
        let seen = Mutex::new(HashMap::<String, u32>::new());
        let (context, _api) = project(40, move |shown| {
            let number = (1..=40).find(|i| shown.prompt.contains(&format!("question {i}\n"))).unwrap();
            let is_better = number <= 34;
            let mut seen = seen.lock().unwrap();
            let times = seen.entry(format!("{number} {}", shown.a)).or_default();
            *times += 1;
            match samples.contains(&number) && *times <= unusable {
                true => FakeReply::text("no winner"),
                false => shown.prefers(if is_better { "better" } else { "plain" }),
            }
        });
        eval(&context, &[PAIRWISE, &["--report-only"]].concat());
        if let Some(then) = then {
            context.run(then).expect(0);
        }
        context.run(&["report", "verdict", "latest"]).expect(0);
        context.report()
    };
    let again = |report: &Value| report["pairwise"]["comparisons"][0]["again"].clone();
    let won: &[u32] = &[2, 5, 8, 11, 14, 17, 20, 23, 26, 29];
    let retried: &[&str] = &["eval", "--resume", "latest", "--retry-failed", "--report-only"];
    let regraded: &[&str] = &["eval", "--regrade", "latest", "--report-only"];
    let anew = [JUDGE, PAIRWISE, &["--report-only"]].concat();
    for (unusable, then) in [(1, None), (3, Some(retried)), (3, Some(regraded)), (3, Some(&anew[..]))] {
        let turned = report(unusable, won, then);
        assert_eq!(again(&turned), json!({"samples": 10, "control": 0, "treatment": 10}), "{then:?}");
        assert_eq!(tier(&turned), "CAUTIOUS", "{then:?}");
        assert!(reasons(&turned).contains(&"report-doubt-asked-again"), "{:?}", reasons(&turned));
    }
    // as many of the others
    let both = report(1, &[2, 5, 8, 11, 14, 35, 36, 37, 38, 39], None);
    assert_eq!(again(&both), json!({"samples": 10, "control": 5, "treatment": 5}));
    assert_eq!(tier(&both), "PROGRESS", "{:?}", reasons(&both));
    assert_eq!(tier(&report(0, &[], None)), "PROGRESS");
}

/// The number of the sample whose cell a line of the journal or an entry of the cache names.
fn sample_of(text: &str) -> u32 {
    text.split(r#""key":"s"#).nth(1).map_or(0, |key| key[..3].parse().unwrap())
}

/// Comparisons that the treatment lost are deleted from the cache or edited out of the journal, and given anew.
#[test]
fn comparisons_that_replace_others_could_turn_a_preference() {
    let regraded: &[&str] = &["eval", "--regrade", "latest", "--report-only"];
    let resumed: &[&str] = &["eval", "--resume", "latest", "--report-only"];
    let anew = [JUDGE, PAIRWISE, &["--report-only"]].concat();
    for (then, now) in [(&anew[..], "better"), (&anew[..], "tie"), (regraded, "better"), (resumed, "tie")] {
        let is_again = Arc::new(AtomicBool::new(false));
        let again = Arc::clone(&is_again);
        let (context, _api) = project(40, move |shown| {
            let number = (1..=40).find(|i| shown.prompt.contains(&format!("question {i}\n"))).unwrap();
            match (number > 26, again.load(Ordering::SeqCst)) {
                (true, true) => shown.prefers(now),
                (is_lost, _) => shown.prefers(if is_lost { "plain" } else { "better" }),
            }
        });
        let is_by_journal = then == resumed;
        let cache: &[&str] = if is_by_journal { &["--no-cache"] } else { &[] };
        eval(&context, &[PAIRWISE, cache, &["--report-only"]].concat()).expect(0);
        let is_chosen = |text: &str| text.contains("winner") && (27..=38).contains(&sample_of(text));
        for path in tree(&context.home().join(if is_by_journal { "journal" } else { "cache" })) {
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if is_by_journal {
                let is_pair = |line: &str| {
                    let sample = line.split(r#""sample":"s"#).nth(1).map_or(0, |id| id[..3].parse().unwrap());
                    line.starts_with(r#"{"pair""#) && (27..=38).contains(&sample)
                };
                let edited = text.lines().map(|line| match is_chosen(line) || is_pair(line) {
                    true => format!("{line} "),
                    false => line.to_owned(),
                });
                std::fs::write(&path, edited.collect::<Vec<_>>().join("\n") + "\n").unwrap();
            } else if is_chosen(&text.replace(' ', "")) {
                std::fs::remove_file(&path).unwrap();
            }
        }
        is_again.store(true, Ordering::SeqCst);
        context.run(then).expect(0);
        context.run(&["report", "verdict", "latest"]).expect(0);
        let report = context.report();
        let comparison = &report["pairwise"]["comparisons"][0];
        let [losses, redrawn] = [&comparison["losses"], &comparison["redrawn"]["samples"]];
        assert_eq!((losses, redrawn), (&json!(2), &json!(12)), "{then:?} {now}");
        assert_eq!(tier(&report), "CAUTIOUS", "{then:?} {now}");
        assert!(reasons(&report).contains(&"report-doubt-redrawn"), "{:?}", reasons(&report));
    }
}

/// Every file below a folder.
fn tree(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { tree(&path) } else { vec![path] }).collect()
}

/// Judges that are asked about everything anew may find something by themselves, as other answers may.
#[test]
fn comparisons_by_judges_that_are_asked_anew_are_another_look() {
    let requests = Mutex::new(0);
    let (context, _api) = project(24, move |shown| {
        let mut requests = requests.lock().unwrap();
        *requests += 1;
        let is_odd = shown.prompt.contains("question 7\n") && *requests > 48;
        shown.prefers(if is_odd { "plain" } else { "better" })
    });
    let looks = |flags: &[&str]| {
        eval(&context, &[PAIRWISE, flags, &["--report-only"]].concat()).expect(0);
        context.report()["meta"]["earlierComparisons"].as_u64().unwrap_or(0)
    };
    assert_eq!((looks(&[]), looks(&[]), looks(&["--no-cache"])), (0, 0, 1));
}

#[test]
fn pairwise_judging_is_selected_by_flag_or_eval_yaml() {
    let (context, api) = project(6, |shown| shown.prefers("plain"));
    context.write("eval.yaml", "judge: pairwise\n");
    eval(&context, &[]).expect(1);
    assert_eq!((tier(&context.report()), api.count()), ("REGRESS", 12));
    // The flag overrides the file, and cached questions are not asked again.
    eval(&context, PAIRWISE).expect(1);
    assert_eq!(api.count(), 12, "the cache answers");
    context.write("eval.yaml", "judge: false\n");
    eval(&context, PAIRWISE).expect(1);
    assert_eq!(context.report()["pairwise"]["comparisons"][0]["losses"], 6);
    context.write("eval.yaml", "judge: pairwise\n");
    eval(&context, &["--no-judge"]).expect(2);
    eval(&context, &["--no-judge", "--report-only"]).expect(0);
    assert_eq!(context.report()["pairwise"], Value::Null);
    context.write("eval.yaml", "judge: pairwsie\n");
    assert!(eval(&context, &[]).expect(2).stderr.contains("did you mean `pairwise`?"));
}

#[test]
fn tripwire_gets_its_own_score() {
    let (context, api) = project(8, |shown| match shown.prompt.contains("# Answer B") {
        true => shown.prefers("better"),
        false => FakeReply::text(json!({"id": shown.id, "reasoning": "poor", "score": 1}).to_string()),
    });
    let mut samples: Vec<Value> = (1..=8).map(sample).collect();
    samples[0]["tripwire"] = json!(true);
    context.write("eval-samples.json", &json!(samples).to_string());
    eval(&context, PAIRWISE);
    let report = context.report();
    assert_eq!(
        (&report["tripwires"][0]["failedAsDesigned"], &report["tripwires"][0]["missing"]),
        (&json!(1), &json!(0))
    );
    assert_eq!((&report["pairwise"]["samples"], api.count()), (&json!(7), 16), "7 pairs in both orders, 2 scores");
}

#[test]
fn three_variants_have_strengths_or_a_reason() {
    let three = ["--treatment", "v2,v3", "--judge-mode", "pairwise"];
    let run = |noisy: bool| {
        let (context, api) = project(24, move |shown| {
            let rank = |answer: &str| ["plain", "better", "best"].iter().position(|known| *known == answer).unwrap();
            let question = shown.prompt.split("question ").nth(1).unwrap();
            let number: usize = question.split_whitespace().next().unwrap().parse().unwrap();
            let (mut a, mut b) = (rank(&shown.a), rank(&shown.b));
            if noisy && number.is_multiple_of(4) {
                std::mem::swap(&mut a, &mut b);
            }
            shown.says(if a > b { "A" } else { "B" })
        });
        context.write("skills/v3.md", "ANSWER best\n");
        let flags: Vec<&str> = JUDGE.iter().copied().filter(|word| !["--treatment", "v2"].contains(word)).collect();
        let run = context.run(&[&flags[..], &three, &["--details"]].concat());
        assert_eq!(api.count(), 24 * 3 * 2);
        (context.report(), run.stdout)
    };
    let (report, text) = run(true);
    let strengths = &report["pairwise"]["strengths"];
    let order: Vec<&str> =
        strengths["variants"].as_array().unwrap().iter().map(|of| of["variant"].as_str().unwrap()).collect();
    assert_eq!(order, ["v3", "v2", "v1"], "{strengths:#}");
    assert!(text.contains("strengths (log odds): `v3` +"), "{text}");
    assert_eq!((&strengths["n"], &strengths["verdicts"]), (&json!(24), &json!(72)));

    let (report, text) = run(false);
    let strengths = &report["pairwise"]["strengths"];
    assert_eq!(strengths["variants"], json!([]));
    assert_eq!(strengths["why"]["messageKey"]["id"], "report-strengths-unbounded");
    assert!(text.contains("`v3` never lost and `v1` never won"), "{text}");
}

#[test]
fn rubric_and_pairwise_samples_can_be_mixed() {
    let (context, api) = project(0, |shown| match shown.system.contains("\"winner\"") {
        true => shown.prefers("better"),
        false => FakeReply::text(json!({"id": shown.id, "reasoning": "fine", "score": 4}).to_string()),
    });
    let mut samples: Vec<Value> = (1..=48).map(sample).collect();
    samples[..24].iter_mut().for_each(|sample| sample["judge"] = json!("pairwise"));
    context.write("eval-samples.json", &json!(samples).to_string());
    eval(&context, &[]).expect(1);
    let report = context.report();
    assert_eq!(api.count(), 24 * 2 + 24 * 2);
    assert_eq!((&report["pairwise"]["samples"], &report["pairwise"]["comparisons"][0]["n"]), (&json!(24), &json!(24)));
    let layer = &report["comparisons"][0]["layers"]["judge"];
    assert_eq!((&layer["n"], &layer["mean"]), (&json!(24), &json!(0.0)));
    assert_eq!(
        (&report["summary"]["v2"]["plannedScores"], &report["summary"]["v2"]["missingScores"]),
        (&json!(24), &json!(0))
    );
    assert_eq!(report["comparisons"][0]["excluded"], json!([]));
    // Equal scores and a preference: more than NOISE, less than PROGRESS.
    assert_eq!((tier(&report), reasons(&report)), ("CAUTIOUS", vec!["report-why-preference", "report-doubt-scores"]));

    // A sample's own judge mode overrides the default and is part of the sample's hash.
    let before = report["meta"]["sampleHashes"]["s001"].clone();
    samples[..24].iter_mut().for_each(|sample| sample["judge"] = json!("rubric"));
    context.write("eval-samples.json", &json!(samples).to_string());
    eval(&context, PAIRWISE);
    let report = context.report();
    assert_eq!(report["pairwise"]["pairs"][0]["sample_id"], "s025");
    assert_ne!(report["meta"]["sampleHashes"]["s001"], before);
}

#[test]
fn preference_for_the_control_is_regress_whatever_the_scores() {
    let (context, _api) = project(0, |shown| shown.prefers("plain"));
    let samples: Vec<Value> = (1..=24)
        .map(|i| {
            let mut sample = sample(i);
            sample["assertions"] = json!([{"type": "contains", "value": "better"}]);
            sample
        })
        .collect();
    context.write("eval-samples.json", &json!(samples).to_string());
    eval(&context, PAIRWISE).expect(1);
    let report = context.report();
    assert_eq!(report["comparisons"][0]["diff"]["mean"], 4.0);
    assert_eq!(tier(&report), "REGRESS");
}

#[test]
fn killed_run_resumes_without_asking_a_pair_twice() {
    const AT_ONCE: usize = 4;
    let asked: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let counts = Arc::clone(&asked);
    let (context, api) = project(30, move |shown| {
        *counts.lock().unwrap().entry(format!("{}{}", shown.id, shown.prompt)).or_default() += 1;
        shown.prefers("better").after(Duration::from_millis(15))
    });
    let arguments = [JUDGE, PAIRWISE, &["--concurrency", "4", "--no-cache"]].concat();
    let arguments: Vec<&str> = {
        let first = arguments.iter().position(|word| *word == "--concurrency").unwrap();
        let mut others = arguments.clone();
        others.drain(first..first + 2);
        others
    };
    let mut child = context.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("25 questions", || {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        api.count() >= 25
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let journal = std::fs::read_dir(context.home().join("journal")).unwrap().next().unwrap().unwrap().path();
    let written = std::fs::read_to_string(&journal).unwrap();
    let answered = written.lines().filter(|line| line.starts_with("{\"judgement\"")).count();
    assert!(answered > 0 && answered < 60, "{answered}");

    context.run(&["eval", "--resume", "latest"]).expect(0);
    let repeated = asked.lock().unwrap().values().filter(|count| **count > 1).count();
    assert!(repeated <= AT_ONCE, "{repeated} requests were made twice");
    assert_eq!(api.count(), 60 + repeated);
    assert!(repeated <= 60 - answered);
    let report = context.report();
    assert_eq!(report["pairwise"]["comparisons"][0]["wins"], 30);

    // Resuming a complete run asks nothing and prints the same.
    context.run(&["eval", "--resume", "latest"]).expect(0);
    assert_eq!(api.count(), 60 + repeated);
    assert_eq!(context.report()["pairwise"], report["pairwise"]);
}

#[test]
fn dry_run_counts_judge_questions() {
    let (context, api) = project(5, |shown| shown.says("tie"));
    let judges = ["--judge-models", "judge-1,judge-2", "--judge-repeat", "3", "--repeat", "2", "--dry-run"];
    let flags: Vec<&str> = JUDGE.iter().copied().filter(|word| !["--judge-model", "judge-1"].contains(word)).collect();
    let preview = context.run(&[&flags[..], &judges, PAIRWISE, &["--json"]].concat()).expect(0).json();
    assert_eq!(preview["judgeRequests"], json!({"scores": 0, "comparisons": 5 * 2 * 2 * 3 * 2}));
    let preview = context.run(&[&flags[..], &judges, &["--json"]].concat()).expect(0).json();
    assert_eq!(preview["judgeRequests"], json!({"scores": 5 * 2 * 2 * 2 * 3, "comparisons": 0}));
    assert_eq!(preview["judgeCost"], Value::Null, "the price of judge-1 is unknown");
    let text = context.run(&[&flags[..], &judges, PAIRWISE].concat()).expect(0).stdout;
    assert!(text.contains("asked 120 times"), "{text}");
    let priced = ["--judge-model", "gpt-4o-mini", "--dry-run", "--json"];
    let preview = context.run(&[&flags[..], &priced].concat()).expect(0).json();
    assert!(preview["judgeCost"]["low"].as_f64().unwrap() > 0.0, "{preview:#}");
    assert_eq!(api.count(), 0);
}

#[test]
fn single_variant_cannot_be_judged_pairwise() {
    let (context, api) = project(2, |shown| shown.says("tie"));
    let alone = ["eval", "--control", "v1", "--executor", "./agent", "--judge-mode", "pairwise"];
    let refused = context.run(&alone).expect(2);
    assert!(refused.stderr.contains("there is only one variant"), "{}", refused.stderr);
    assert_eq!(api.count(), 0);
}
