//! Answers that are asked for again after a failure which may depend on them: who asks until an answer is good buys a gain.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
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

/// The entries of the cache for every fourth sample in these variants.
fn cached_fourths(context: &TestContext, variants: &[&str]) -> Vec<PathBuf> {
    cached(context, |number, variant, _| number.is_multiple_of(4) && variants.contains(&variant))
}

/// The entries of the cache that are meant by the number of the sample, the variant and their text.
fn cached(context: &TestContext, is_meant: impl Fn(u32, &str, &str) -> bool) -> Vec<PathBuf> {
    let folders = |path: PathBuf| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let versions = folders(context.home().join("cache")).filter(|path| path.is_dir());
    let entries = versions.flat_map(folders).filter(|path| path.is_dir()).flat_map(folders);
    let is_it = |path: &PathBuf| {
        let entry: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let key: Vec<&str> = entry["key"].as_str().unwrap().split('/').collect();
        let number = key[0].trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().unwrap();
        is_meant(number, key[1], entry["output"]["text"].as_str().unwrap_or_default())
    };
    entries.filter(is_it).collect()
}

/// The control's good answers are deleted from the cache until they are bad: a worse control is a gain, too.
#[test]
fn answers_of_the_control_that_are_replaced_by_worse_ones_could_undo_a_gain() {
    let context = failing("alpha", "echo gamma; exit 0");
    context.write("skills/v1.md", "ANSWER alpha beta gamma delta\n");
    let mark = |number: u32| context.home().join(format!("marks/asked-alpha-{number}"));
    let fourths = || (4..=40).step_by(4);
    fourths().for_each(|number| std::fs::write(mark(number), "").unwrap());
    context.run(&CACHED_RUN).expect(0);
    assert_ne!(tier(&context.report()), "PROGRESS");
    fourths().for_each(|number| std::fs::remove_file(mark(number)).unwrap());
    cached_fourths(&context, &["v1"]).iter().for_each(|path| std::fs::remove_file(path).unwrap());
    context.run(&CACHED_RUN).expect(0);
    let report = context.report();
    assert_eq!(tier(&report), "CAUTIOUS", "{:?}", reasons(&report, 0));
    assert!(reasons(&report, 0).iter().any(|id| id == "report-doubt-redrawn"));
    let missing = &report["comparisons"][0]["missing"];
    assert_eq!(missing["redrawn"], json!({"samples": 10, "control": 10, "treatment": 0}));
    // ten answers of 2 points could have been 5, or 1: each moves the mean of 0.75 by 3/40 or by 1/40
    let diff = &report["comparisons"][0]["diff"];
    let [mean, low, high] =
        [&diff["mean"], &diff["ci"]["low"], &diff["ci"]["high"]].map(|value| value.as_f64().unwrap());
    let square = 1.96_f64.powi(2) * 10.0 / 1600.0;
    near(&missing["low"], mean - 0.75 - ((mean - low).powi(2) + 9.0 * square).sqrt(), 1e-6);
    near(&missing["high"], mean + 0.25 + ((high - mean).powi(2) + square).sqrt(), 1e-6);
}

/// A run with planned looks that knows of replaced answers goes on where its report would be undecided.
#[test]
fn looks_allow_for_answers_that_replace_others() {
    let context = failing("delta", "echo gamma; exit 0");
    context.run(&CACHED_RUN).expect(0);
    cached_fourths(&context, &["v2"]).iter().for_each(|path| std::fs::remove_file(path).unwrap());
    context.run(&[&CACHED_RUN[..], &["--looks", "2", "--max-samples", "40"]].concat()).expect(0);
    let report = context.report();
    assert_eq!(report["stopping"]["looks"][0]["treatments"][0]["decided"], Value::Null, "{:#}", report["stopping"]);
    assert_eq!(report["stopping"]["looked"], json!(40), "{:#}", report["stopping"]);
    assert_eq!(report["comparisons"][0]["missing"]["redrawn"]["treatment"], json!(10));
}

const CACHED_RUN: [&str; 6] = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"];

/// The worst answers are deleted from the cache, and asked anew at once or by a run of their samples alone; a third run takes all of
/// them from the cache.
#[test]
fn answers_that_are_deleted_from_the_cache_count_as_asked_for_twice() {
    for (words, variants, counts) in [
        ("delta", &["v2"][..], json!({"samples": 10, "control": 0, "treatment": 10})),
        ("delta alpha", &["v1", "v2"], json!({"samples": 10, "control": 10, "treatment": 10})),
    ] {
        for is_apart in [false, true] {
            let context = failing(words, "echo gamma; exit 0");
            context.run(&CACHED_RUN).expect(0);
            let entries = cached_fourths(&context, variants);
            assert_eq!(entries.len(), 10 * variants.len());
            entries.iter().for_each(|path| std::fs::remove_file(path).unwrap());
            if is_apart {
                let all: Vec<Value> = serde_json::from_str(&context.read("eval-samples.json")).unwrap();
                let worst: Vec<&Value> = all.iter().skip(3).step_by(4).collect();
                // a file more beside the agent would be another question
                let [file, reports] = ["worst.json", "elsewhere"].map(|name| context.home().join(name));
                std::fs::write(&file, json!(worst).to_string()).unwrap();
                let apart = ["--samples", file.to_str().unwrap(), "--output-dir", reports.to_str().unwrap()];
                context.run(&[&CACHED_RUN[..], &apart].concat()).expect(0);
            }
            for _ in 0..2 {
                context.run(&CACHED_RUN).expect(0);
                let report = context.report();
                assert_eq!(tier(&report), "CAUTIOUS", "{words} {is_apart}");
                assert!(reasons(&report, 0).iter().any(|id| id == "report-doubt-redrawn"), "{:?}", reasons(&report, 0));
                let missing = &report["comparisons"][0]["missing"];
                assert_eq!((&missing["again"], &missing["redrawn"]), (&counts, &counts));
                let agrees = context.run(&["report", "verdict", "latest", "--json"]).expect(0).json();
                assert_eq!(agrees["agrees"], true, "{agrees:#}");
            }
        }
    }
}

/// A cache that is deleted as a whole is another look at the set, and an answer that comes back as it was selects nothing.
#[test]
fn a_deleted_cache_is_a_look_and_equal_answers_select_nothing() {
    let anew = failing("delta", "echo gamma; exit 0");
    anew.run(&CACHED_RUN).expect(0);
    std::fs::remove_dir_all(anew.home().join("cache")).unwrap();
    anew.run(&CACHED_RUN).expect(0);
    let alike = failing("", "exit 1");
    alike.run(&CACHED_RUN).expect(0);
    cached_fourths(&alike, &["v2"]).iter().for_each(|path| std::fs::remove_file(path).unwrap());
    alike.run(&CACHED_RUN).expect(0);
    for (context, looks) in [(anew, 1), (alike, 0)] {
        let report = context.report();
        assert_eq!(tier(&report), "PROGRESS", "{:?}", reasons(&report, 0));
        assert_eq!(report["comparisons"][0]["missing"], Value::Null);
        assert_eq!(report["meta"]["earlierComparisons"].as_u64().unwrap_or(0), looks);
    }
}

/// First failures stay known when the answers are graded anew.
#[test]
fn answers_that_failed_first_count_in_a_regraded_run() {
    let context = failing("delta", "exit 3");
    context.run(&RUN).expect(3);
    context.run(&["eval", "--resume", "latest", "--retry-failed", "--report-only"]).expect(0);
    context.run(&["eval", "--regrade", "latest", "--report-only"]).expect(0);
    let report = context.report();
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(report["comparisons"][0]["missing"]["again"]["treatment"], json!(10));
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

/// Low scores of one arm are deleted from the cache, and judges asked for others, by a run or by `--regrade`.
#[test]
fn scores_that_judges_are_asked_for_anew_count_as_replaced() {
    for then in [&["eval", "--regrade", "latest", "--report-only"][..], &[]] {
        let is_again = Arc::new(AtomicBool::new(false));
        let again = Arc::clone(&is_again);
        let project = JudgedProject::new(
            30,
            |system, prompt| format!("{system} answer to {prompt}"),
            move |case| {
                let is_low = case.prompt.contains("question 1") && !again.load(Ordering::SeqCst);
                match case.answer.contains("better") {
                    true => case.scores(if is_low { 1 } else { 5 }),
                    false => case.scores(4),
                }
            },
        );
        project.run(&["--report-only"]).expect(0);
        let entries = cached(&project.context, |number, variant, text| {
            (number == 1 || (10..20).contains(&number)) && variant == "v2" && text.contains("reasoning")
        });
        assert_eq!(entries.len(), 11);
        entries.iter().for_each(|path| std::fs::remove_file(path).unwrap());
        is_again.store(true, Ordering::SeqCst);
        match then.is_empty() {
            true => project.run(&["--report-only"]),
            false => project.context.run(then),
        }
        .expect(0);
        project.context.run(&["report", "verdict", "latest"]).expect(0);
        let report = project.context.report();
        let redrawn = &report["comparisons"][0]["missing"]["redrawn"];
        assert_eq!(*redrawn, json!({"samples": 11, "control": 0, "treatment": 11}), "{then:?}");
        assert_eq!(tier(&report), "CAUTIOUS", "{then:?}");
    }
}

/// Whoever runs the treatment alone, or beside another control, until it is good, and compares the best, chose among its runs: also
/// with planned looks, and with one sample more.
#[test]
fn whoever_takes_the_answers_of_the_best_run_over_chose_among_its_runs() {
    let looks = ["--looks", "2", "--max-samples", "40"];
    let alone = ["eval", "--variants", "v2", "--executor", "./agent", "--report-only"];
    let with_other = ["eval", "--variants", "v3,v2", "--executor", "./agent", "--report-only"];
    for (first, flags, grows) in
        [(&alone, &looks[..], false), (&alone, &[], true), (&with_other, &[], false), (&with_other, &looks, true)]
    {
        for is_chosen in [true, false] {
            let context = failing("delta", "echo gamma; exit 0");
            context.write("skills/v3.md", "ANSWER beta\n");
            let whole = context.read("eval-samples.json");
            if grows {
                let all: Vec<Value> = serde_json::from_str(&whole).unwrap();
                context.write("eval-samples.json", &json!(all[..39]).to_string());
            }
            context.run(first).expect(0);
            if is_chosen {
                std::fs::remove_dir_all(context.home().join("cache")).unwrap();
            }
            context.run(first).expect(0);
            context.write("eval-samples.json", &whole);
            context.run(&[&CACHED_RUN[..], flags].concat()).expect(0);
            let report = context.report();
            let looks = report["verdict"]["inputs"]["looks"]["number"].as_u64().unwrap_or(1);
            assert_eq!(looks, if is_chosen { 2 } else { 1 }, "{first:?} {flags:?} {grows} {is_chosen}");
            context.run(&["report", "verdict", "latest"]).expect(0);
        }
    }
}
