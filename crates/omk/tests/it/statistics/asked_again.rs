//! Answers that are asked for again after a failure which may depend on them: who asks until an answer is good buys a gain.

use std::collections::{HashMap, HashSet};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::FakeReply;

use crate::fixtures::context::{TestContext, files};
use crate::fixtures::judged::JudgedProject;
use crate::fixtures::scores::{near, reasons, tier};

/// 40 samples: the control has three words of four, the treatment all. The first attempt at every fourth sample fails in the
/// arms whose answer begins with one of `words`, by doing `this`.
fn failing(words: &str, this: &str) -> TestContext {
    let context = TestContext::with_agent();
    context.write("skills/v1.md", "ANSWER alpha beta gamma\n");
    context.write("skills/v2.md", "ANSWER delta alpha beta gamma\n");
    let script = r#"input=$(cat)
rest=${input#*ANSWER }
answer=${rest%%\\n*}
number=${input#*question }
number=${number%%[!0-9]*}
word=${answer%% *}
mark="MARKS/asked-$word-$number"
case " WORDS " in
*" $word "*) if [ $((number % 4)) = 0 ] && [ ! -e "$mark" ]; then : > "$mark"; FAIL; fi ;;
esac
printf '%s\n' "$answer"
"#;
    // the cache asks for the files of the working directory, and not for these
    let marks = context.home().join("marks");
    std::fs::create_dir_all(&marks).unwrap();
    let script = script.replace("WORDS", words).replace("FAIL", this).replace("MARKS", marks.to_str().unwrap());
    context.script("agent", &script);
    let words = ["alpha", "beta", "gamma", "delta"];
    context.samples(40, &json!(words.map(|word| json!({"type": "contains", "value": word}))));
    context
}

const RUN: [&str; 7] = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--no-cache", "--report-only"];

/// The reports after runs whose failures were repeated: after a time limit, by `--retry-failed`, by killing it, by a second run that takes all other
/// answers from the cache, and by a third that takes all of them.
fn repeated(words: &str) -> Vec<Value> {
    let at_once = failing(words, "exec sleep 60");
    at_once.run(&[&RUN[..], &["--timeout", "1", "--concurrency", "16"]].concat()).expect(0);
    let later = failing(words, "exit 3");
    later.run(&RUN).expect(3);
    later.run(&["eval", "--resume", "latest", "--retry-failed", "--report-only"]).expect(0);
    let cached = failing(words, "exit 3");
    let run: Vec<&str> = RUN.into_iter().filter(|flag| *flag != "--no-cache").collect();
    cached.run(&run).expect(3);
    let report = |context: &TestContext| {
        let agrees = context.run(&["report", "verdict", "latest", "--json"]).expect(0).json();
        assert_eq!(agrees["agrees"], true, "{agrees:#}");
        context.report()
    };
    let again = [0; 2].map(|_| {
        cached.run(&run).expect(0);
        report(&cached)
    });
    let killed = killed(words);
    [report(&at_once), report(&later), report(&killed)].into_iter().chain(again).collect()
}

/// A run whose first attempts hang, killed until it comes to its end.
fn killed(words: &str) -> TestContext {
    let context = failing(words, "exec sleep 60");
    let mut command = context.command(&[&RUN[..], &["--concurrency", "16"]].concat());
    for _ in 0..8 {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while child.try_wait().unwrap().is_none() && began.elapsed() < Duration::from_secs(3) {
            std::thread::sleep(Duration::from_millis(50));
        }
        if child.try_wait().unwrap().is_some() {
            return context;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        command = context.command(&["eval", "--resume", "latest", "--concurrency", "16", "--report-only"]);
    }
    panic!("it never came to its end")
}

#[test]
fn answers_that_one_arm_was_asked_for_twice_could_turn_a_gain() {
    for report in repeated("delta") {
        assert_eq!(tier(&report), "CAUTIOUS");
        assert_eq!(reasons(&report, 0), ["report-why-above-all", "report-doubt-asked-again"]);
        let missing = &report["comparisons"][0]["missing"];
        assert_eq!(missing["again"], json!({"samples": 10, "control": 0, "treatment": 10}));
        // ten answers of 5 points could have been 1: each moves the mean of 1 by 4/40
        near(&missing["low"], 1.0 - 1.0 - (1.96_f64.powi(2) * 10.0 * 0.01).sqrt(), 1e-9);
        near(&missing["high"], 1.0, 1e-9);
        let failures = report["results"][3]["variants"]["v2"]["failuresBefore"].as_array().unwrap();
        assert_eq!(failures.len(), 1, "{failures:?}");
    }
}

/// A bad day hits both arms.
#[test]
fn answers_that_both_arms_were_asked_for_twice_select_nothing() {
    for report in repeated("delta alpha") {
        assert_eq!(tier(&report), "PROGRESS", "{:?}", reasons(&report, 0));
        // a kill that met both alike is no redraw at all
        let again = &report["comparisons"][0]["missing"]["again"];
        let both = json!({"samples": 10, "control": 10, "treatment": 10});
        assert!(again.is_null() || *again == both, "{again}");
    }
}

/// The ten worst answers of the treatment are recorded again until they are good, then everything is replayed.
#[test]
fn recordings_made_again_count_as_answers_asked_for_twice() {
    let context = failing("delta", "echo alpha; exit 0");
    let run: Vec<&str> = RUN.into_iter().filter(|flag| *flag != "--no-cache").collect();
    let record = [&run[..], &["--record", "recordings"]].concat();
    context.run(&record).expect(0);
    let all: Vec<Value> = serde_json::from_str(&context.read("eval-samples.json")).unwrap();
    let worst: Vec<&Value> = all.iter().skip(3).step_by(4).collect();
    context.write("worst.json", &json!(worst).to_string());
    context.run(&[&record[..], &["--samples", "worst.json"]].concat()).expect(0);
    context
        .run(&["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--report-only"])
        .expect(0);
    let report = context.report();
    assert_eq!(tier(&report), "CAUTIOUS");
    let again = &report["comparisons"][0]["missing"]["again"];
    assert_eq!(*again, json!({"samples": 10, "control": 0, "treatment": 10}));
    let first = &report["results"][3]["variants"]["v2"];
    assert_eq!(first["failuresBefore"], json!(["replaced"]));
}

/// An answer whose line in the journal is edited is asked again, and counts: a kill leaves no such line.
#[test]
fn answers_that_are_edited_out_of_the_journal_count_as_asked_for_twice() {
    let context = failing("delta", "echo alpha; exit 0");
    context.run(&RUN).expect(0);
    let journal = files(&context.home().join("journal")).pop().unwrap();
    let text = std::fs::read_to_string(&journal).unwrap();
    let mut left = 6;
    let edited = text.lines().map(|line| {
        let is_bad = line.starts_with(r#"{"execution""#) && line.contains("v2") && line.contains(r#""text":"alpha""#);
        let is_edited = is_bad && left > 0;
        left -= i32::from(is_edited);
        if is_edited { line.replace(r#""text":"alpha""#, r#""text":"alphb""#) } else { line.to_owned() }
    });
    let edited = edited.collect::<Vec<_>>().join("\n") + "\n";
    std::fs::write(&journal, edited).unwrap();
    context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    let again = &context.report()["comparisons"][0]["missing"]["again"];
    assert_eq!(again["treatment"], json!(6), "{again}");
}

/// A judge whose replies about one arm can be read only when it is asked again selects among scores as an executor does.
#[test]
fn scores_that_a_judge_was_asked_for_twice_count() {
    let report = |arms: &'static [&'static str]| {
        let seen = Mutex::new(HashSet::new());
        let project = JudgedProject::new(
            30,
            |system, prompt| format!("{system} answer to {prompt}"),
            move |case| {
                let is_meant = arms.iter().any(|arm| case.answer.contains(arm)) && case.prompt.contains("question 1");
                match is_meant && seen.lock().unwrap().insert(case.answer.clone()) {
                    true => FakeReply::text("no score"),
                    false => case.scores(if case.answer.contains("better") { 5 } else { 4 }),
                }
            },
        );
        project.run(&["--report-only"]).expect(0);
        project.context.run(&["report", "verdict", "latest"]).expect(0);
        project.context.report()
    };
    let one = report(&["better"]);
    let again = one["comparisons"][0]["missing"]["again"].clone();
    assert_eq!((tier(&one), &again["control"], &again["treatment"]), ("CAUTIOUS", &json!(0), &json!(11)));
    assert_eq!(tier(&report(&["better", "plain"])), "PROGRESS");
}

/// A judge that gives no readable reply about one arm in the first run, and scores in the second: by `--retry-failed`, by `--regrade`, and
/// by a second run that takes all else from the cache.
#[test]
fn opinions_that_are_asked_for_in_another_run_count() {
    let report = |arms: &'static [&'static str], then: &[&str]| {
        let seen = Mutex::new(HashMap::<String, u32>::new());
        let project = JudgedProject::new(
            30,
            |system, prompt| format!("{system} answer to {prompt}"),
            move |case| {
                let is_meant = arms.iter().any(|arm| case.answer.contains(arm)) && case.prompt.contains("question 1");
                let mut seen = seen.lock().unwrap();
                let times = seen.entry(case.answer.clone()).or_default();
                *times += 1;
                match is_meant && *times <= 3 {
                    true => FakeReply::text("no score"),
                    false => case.scores(if case.answer.contains("better") { 5 } else { 4 }),
                }
            },
        );
        project.run(&["--report-only"]);
        let first = project.context.report();
        assert_ne!(tier(&first), "PROGRESS");
        match then.is_empty() {
            true => project.run(&["--report-only"]),
            false => project.context.run(then),
        }
        .expect(0);
        project.context.run(&["report", "verdict", "latest"]).expect(0);
        project.context.report()
    };
    let ways: [&[&str]; 3] = [
        &["eval", "--resume", "latest", "--retry-failed", "--report-only"],
        &["eval", "--regrade", "latest", "--report-only"],
        &[],
    ];
    for then in ways {
        let one = report(&["better"], then);
        let again = one["comparisons"][0]["missing"]["again"].clone();
        assert_eq!((&again["control"], &again["treatment"]), (&json!(0), &json!(11)), "{then:?}");
        assert_eq!(tier(&one), "CAUTIOUS", "{then:?}");
        let both = report(&["better", "plain"], then);
        assert_eq!(both["comparisons"][0]["missing"]["again"]["control"], json!(11), "{then:?}");
        assert!(!reasons(&both, 0).iter().any(|id| id.contains("asked-again")), "{then:?}");
    }
}
