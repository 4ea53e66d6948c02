//! G5: what was paid for is asked once: runs that are killed, resumed, replayed, graded anew, or judged the other way.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::Reply;

use crate::fixtures::context::{TestContext, files};
use crate::fixtures::judged::{Court, JUDGE};

#[test]
fn g5_a_wrong_key_for_the_judge_ends_the_run_at_once_and_resuming_grades_the_rest() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let court = Court::judged_by(10, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => Reply::error(401, "invalid_api_key", "no"),
        false => case.scores(4),
    });
    court.run(&[]).expect(3);
    assert!(court.judge_requests() <= 2, "{}", court.judge_requests());
    let executed = court.api.count() - court.judge_requests();
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    court.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(court.api.count() - court.judge_requests(), 20, "{executed} answers were paid for before");
    for sample in 0..10 {
        assert_eq!(court.result(sample, "v1")["llmScore"], json!(4.0), "{sample}");
    }
}

#[test]
fn g5_recorded_judges_are_replayed_and_judge_calls_come_from_the_cache() {
    let court = Court::judged_by(3, |case| case.scores(4));
    court.run(&["--record", "rec", "--report-only"]).expect(0);
    let recorded = court.context.report();
    let asked = court.api.count();
    let replay = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "rec", "--report-only"];
    court.context.run(&replay).expect(0);
    assert_eq!(court.api.count(), asked, "nothing was asked");
    assert_eq!(court.context.report()["summary"]["v1"]["avgLlmScore"], recorded["summary"]["v1"]["avgLlmScore"]);

    court.run(&["--report-only"]).expect(0);
    let asked = court.api.count();
    court.run(&["--report-only"]).expect(0);
    assert_eq!(court.api.count(), asked, "answers and opinions came from the cache");
    assert_eq!(court.result(0, "v1")["llmScore"], json!(4.0));
}

/// Must show 4: killed at any instant and resumed, no request that was answered and written down is paid for again.
#[test]
fn g5_killed_while_judging_no_written_opinion_is_asked_for_again() {
    let (samples, judges, repeat) = (6, 3, 2);
    for round in 0..6 {
        let court = Court::judged_by(samples, |case| case.scores(4).after(Duration::from_millis(20)));
        let flags =
            ["eval", "--variants", "v1,v2", "--executor", "openai-api", "--model", "m", "--report-only", "--no-cache"];
        let ensemble = ["--judge-models", "judge-a,judge-b,judge-c", "--judge-repeat", "2", "--concurrency", "4"];
        let mut child = court.context.command(&[flags.as_slice(), &ensemble].concat());
        let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        // killed when a share of the opinions is written down, wherever in its work that finds it
        let journal = || files(&court.context.home().join("journal")).pop();
        let written = || journal().map_or_else(String::new, |path| fs::read_to_string(path).unwrap());
        let enough = 2 + 11 * round;
        while written().lines().filter(|line| line.starts_with("{\"judgement\":")).count() < enough {
            std::thread::sleep(Duration::from_millis(3));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let written = written();
        let lines = |kind: &str| written.lines().filter(|line| line.starts_with(&format!("{{\"{kind}\":"))).count();
        let (executed, judged) = (lines("execution"), lines("judgement"));
        // What the killed process had sent is still on its way.
        std::thread::sleep(Duration::from_millis(100));
        let before = court.api.count();
        court.context.run(&["eval", "--resume", "latest"]).expect(0);
        let all = samples * 2 + samples * 2 * judges * repeat;
        assert_eq!(
            court.api.count() - before,
            all - executed - judged,
            "round {round}: {executed} + {judged} were written"
        );
        let report = court.context.report();
        assert_eq!(report["status"], "complete");
        assert_eq!(court.result(samples - 1, "v2")["llmScore"], json!(4.0));
    }
}

#[test]
fn g5_a_stored_run_is_graded_anew_without_executing_anything() {
    let court = Court::judged_by(3, |case| case.scores(if case.prompt.contains("stricter") { 2 } else { 4 }));
    court.run(&["--report-only", "--no-cache"]).expect(0);
    let first = court.context.report();
    let id = first["id"].as_str().unwrap().to_owned();
    let answers = court.api.count() - court.judge_requests();
    // The rubric changes; the answers, and what the model was asked, stay. The model's key may be gone.
    let samples: Vec<Value> = (1..=3)
        .map(|i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "stricter"}))
        .collect();
    court.context.write("eval-samples.json", &Value::from(samples).to_string());
    court.context.run(&["eval", "--regrade", &id, "--judge-repeat", "2", "--report-only"]).expect(0);
    let second = court.context.report();
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["meta"]["regradeOf"], json!(id));
    assert_eq!(court.result(0, "v1")["llmScore"], json!(2.0));
    assert_eq!(court.api.count() - court.judge_requests(), answers, "nothing was executed");
    assert_eq!(court.judge_requests(), 6 + 12);
    assert_eq!(
        first["results"][0]["variants"]["v1"]["fullOutput"],
        second["results"][0]["variants"]["v1"]["fullOutput"]
    );
    // Regraded again with the same judges and no cache, and resumed when it is done: nothing is asked.
    court.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(court.judge_requests(), 18);

    // What was asked of the model is another thing: refused, with what to do.
    let samples = json!([{"sample_id": "s001", "prompt": "something else", "rubric": "r"}]);
    court.context.write("eval-samples.json", &samples.to_string());
    let refused = court.context.run(&["eval", "--regrade", &id]).expect(2);
    assert!(refused.stderr.contains("2 of 2 cells have no answer"), "{}", refused.stderr);
    let unknown = court.context.run(&["eval", "--regrade", "nothing"]).expect(2);
    assert!(unknown.stderr.contains("nothing"), "{}", unknown.stderr);
}

#[test]
fn g5_what_failed_stays_failed_when_a_run_is_graded_anew() {
    let mut context = TestContext::with_agent();
    context.script("agent", "read -r input\ncase \"$input\" in *\"question 2\"*) exit 3 ;; esac\necho fine\n");
    context.samples(3, &json!([{"type": "contains", "value": "fine"}]));
    context.env("PATH", &std::env::var("PATH").unwrap());
    let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--retry", "0", "--report-only"];
    context.run(&[flags.as_slice(), &["--max-failure-rate", "1"]].concat()).expect(0);
    // The program is gone, and isn't missed.
    fs::remove_file(context.path("agent")).unwrap();
    context.run(&["eval", "--regrade", "latest"]).expect(0);
    let report = context.report();
    assert_eq!(report["status"], "complete");
    assert_eq!(report["results"][1]["variants"]["v1"]["outcome"], "failed");
    assert_eq!(report["results"][0]["variants"]["v1"]["compositeScore"], json!(5.0));
    assert_eq!(report["results"][0]["variants"]["v1"]["cached"], json!(true));
}

#[test]
fn g5_what_the_length_text_does_is_measured_with_an_interval() {
    // Without the text this judge gives the longer answer two points more.
    let court = Court::new(
        6,
        |system, prompt| {
            if system == "better" { format!("{prompt} {}", "at length ".repeat(9)) } else { prompt.to_owned() }
        },
        |case| {
            let told = case.system.contains("Length is not a quality signal");
            case.scores(if !told && case.answer.contains("at length") { 5 } else { 3 })
        },
    );
    court.run(&["--report-only"]).expect(0);
    let before = court.api.count();
    // A budget can't be kept with a judge whose price nobody knows.
    let refused = court.context.run(&["debias", "length", "latest", "--budget-usd", "1"]).expect(2);
    assert!(refused.stderr.contains("judge-1"), "{}", refused.stderr);
    assert_eq!(court.api.count(), before);
    let finished = court.context.run(&["debias", "length", "latest", "--json"]).expect(0);
    assert_eq!(court.api.count() - before, 12, "judges only");
    let found = &finished.json()["lengthShift"];
    assert_eq!((&found["samples"], &found["missing"]), (&json!(6), &json!(0)));
    assert_eq!(found["shift"]["mean"], json!(-1.0), "over both variants: 0 and -2");
    assert_eq!(found["variants"][1]["without"], json!(5.0));
    assert_eq!(found["differences"][0]["shift"]["mean"], json!(-2.0));
    assert_eq!(found["differences"][0]["with"], json!(0.0));
    let report = court.context.report();
    assert_eq!(report["meta"]["judgeTemplate"], "v2-cot");
    // Said the same from the other side, and in words.
    let again = court.context.run(&["debias", "length", report["id"].as_str().unwrap()]).expect(0);
    assert!(again.stdout.contains("-2.00"), "{}", again.stdout);

    let unjudged = Court::judged_by(1, |case| case.scores(3));
    unjudged.context.write(
        "eval-samples.json",
        r#"[{"sample_id": "s", "prompt": "p", "assertions": [{"type": "contains", "value": "p"}]}]"#,
    );
    unjudged.run(&["--report-only"]).expect(0);
    let refused = unjudged.context.run(&["debias", "length", "latest"]).expect(2);
    assert!(refused.stderr.contains("is scored by judges"), "{}", refused.stderr);
}

#[test]
fn g5_the_shift_leaves_tripwires_out_and_its_intervals_hold_together() {
    // Without the text the judge adds to the longer answers, to each treatment's on other samples.
    fn added(system: &str, i: usize) -> u8 {
        let thirds = if system == "better" { i } else { i / 2 };
        if system == "plain" { 0 } else { u8::try_from(thirds % 3).unwrap() }
    }
    let court = Court::new(
        24,
        |system, prompt| format!("{prompt} {system}"),
        |case| {
            let told = case.system.contains("Length is not a quality signal");
            let words: Vec<&str> = case.answer.split(' ').collect();
            case.scores(if told { 3 } else { 3 + added(words[2], words[1].parse().unwrap()) })
        },
    );
    let path = court.context.path("eval-samples.json");
    let mut samples: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    const TRIPWIRES: [usize; 2] = [5, 8];
    for i in TRIPWIRES {
        samples[i - 1]["tripwire"] = json!(true);
    }
    fs::write(&path, samples.to_string()).unwrap();
    let hostile = "v3\u{202e}_evil_and_so_long_that_it_takes_a_line";
    court.context.write(&format!("skills/{hostile}.md"), "longer");
    let shift = |variants: &str| {
        let flags =
            ["eval", "--variants", variants, "--executor", "openai-api", "--model", "m", "--judge-model", JUDGE];
        court.context.run(&[&flags[..], &["--report-only"]].concat()).expect(0);
        let id = court.context.report()["id"].as_str().unwrap().to_owned();
        let shift = court.context.run(&["debias", "length", &id, "--json"]).expect(0).json()["lengthShift"].clone();
        (shift, court.context.run(&["debias", "length", &id]).expect(0).stdout)
    };
    let (two, _) = shift("v1,v2");
    let (three, text) = shift(&format!("v1,v2,{hostile}"));
    assert_eq!((&two["samples"], &two["missing"], &three["samples"]), (&json!(22), &json!(0), &json!(22)));
    let mean = |of: &Value, treatment: usize| of["differences"][treatment]["shift"]["mean"].as_f64().unwrap();
    for (treatment, system) in ["better", "longer"].into_iter().enumerate() {
        let counted = (1..=24).filter(|i| !TRIPWIRES.contains(i));
        let expected = -counted.map(|i| f64::from(added(system, i))).sum::<f64>() / 22.0;
        assert!((mean(&three, treatment) - expected).abs() < 1e-9, "{three}");
    }
    assert!((mean(&two, 0) - mean(&three, 0)).abs() < 1e-9);
    // The control doesn't move, so each variant's shift is its difference's; asked together, the intervals are wider.
    let width = |of: &Value| {
        let ci = &of["shift"]["ci"];
        ci["high"].as_f64().unwrap() - ci["low"].as_f64().unwrap()
    };
    let (alone, together) = ([&three["variants"][1], &three["variants"][2]], [0, 1].map(|i| &three["differences"][i]));
    assert!(together.iter().zip(&alone).all(|(together, alone)| width(together) >= width(alone)), "{three}");
    assert!(together.map(width).iter().sum::<f64>() > alone.map(width).iter().sum::<f64>() + 0.05, "{three}");
    assert_eq!(width(&two["differences"][0]), width(&two["variants"][1]));
    assert!(!text.contains('\u{202e}') && text.contains("`v3_evil_and_so_long_that_it_tak…`"), "{text:?}");
}

#[test]
fn g5_a_run_whose_judge_was_broken_is_healed_by_running_it_again() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let court = Court::judged_by(2, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => Reply::text("garbage"),
        false => case.scores(4),
    });
    court.run(&["--report-only"]);
    assert_eq!(court.result(0, "v1")["llmScore"], Value::Null);
    let (answers, asked) = (court.api.count() - court.judge_requests(), court.judge_requests());
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    // What could not be used is not kept for later; the answers are.
    court.run(&["--report-only"]).expect(0);
    assert_eq!(court.result(0, "v1")["llmScore"], json!(4.0));
    assert_eq!(court.api.count() - court.judge_requests(), answers);
    assert_eq!(court.judge_requests() - asked, 4);
    // What could be used is.
    court.run(&["--report-only"]).expect(0);
    assert_eq!(court.judge_requests() - asked, 4);
}

/// A reply in another form than was asked for is as useless as garbage, however proper.
#[test]
fn g5_a_run_whose_judge_replied_in_the_wrong_form_is_healed_by_running_it_again() {
    let broken = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    let court = Court::judged_by(2, move |case| match is_broken.load(std::sync::atomic::Ordering::SeqCst) {
        true => case.scores(4),
        false => {
            let claims = json!([{"claim": "c", "supported": true}]);
            Reply::text(json!({"id": case.id, "reasoning": "r", "claims": claims}).to_string())
        }
    });
    let samples = [1, 2].map(|i| {
        let assertions = json!([{"type": "faithfulness", "mode": "claims"}]);
        json!({"sample_id": format!("s{i}"), "prompt": format!("question {i}"), "context": "c", "assertions": assertions})
    });
    court.context.write("eval-samples.json", &json!(samples).to_string());
    let passed = || court.result(0, "v1")["assertions"]["details"][0]["passed"].clone();
    court.run(&["--report-only"]).expect(3);
    assert_eq!((passed(), court.judge_requests()), (Value::Null, 12), "three requests for each of four answers");
    broken.store(false, std::sync::atomic::Ordering::SeqCst);
    court.run(&["--report-only"]).expect(0);
    assert_eq!((passed(), court.judge_requests()), (json!(true), 16));
    court.run(&["--report-only"]).expect(0);
    assert_eq!(court.judge_requests(), 16, "what could be used is kept");
}

#[test]
fn g5_a_journal_of_the_version_before_judges_resumes() {
    let context = TestContext::with_agent();
    context.samples(2, &json!([{"type": "contains", "value": "better"}]));
    context.run(&["eval", "--variants", "v1,v2", "--executor", "./agent", "--report-only"]).expect(0);
    let report = context.report();
    // What an earlier program wrote: version 1, without the settings there are now.
    let journal = files(&context.home().join("journal")).pop().unwrap();
    let text = fs::read_to_string(&journal).unwrap();
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    header["header"]["version"] = json!(1);
    let settings = header["header"]["settings"].as_object_mut().unwrap();
    for new in ["judgeMode", "judgeModels", "judgeExecutor", "judgeRepeat", "debiasLength", "goldDir"] {
        assert!(settings.remove(new).is_some(), "{new}");
    }
    fs::write(&journal, format!("{header}\n{rest}")).unwrap();
    context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    let mut again = context.report();
    for moment in ["timestamp", "gitInfo"] {
        again["meta"][moment] = report["meta"][moment].clone();
    }
    assert_eq!(again, report);
}

/// Asked a second time after a kill, the command asks for what is missing; a third time, for nothing.
#[test]
fn g5_a_measurement_of_length_that_was_killed_goes_on_by_the_same_command() {
    let court = Court::judged_by(6, |case| case.scores(4).after(Duration::from_millis(40)));
    court.run(&["--report-only", "--no-cache"]).expect(0);
    let id = court.context.report()["id"].as_str().unwrap().to_owned();
    let measure = ["debias", "length", &id, "--json"];
    let mut child = court.context.command(&measure);
    let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let journals = || files(&court.context.home().join("journal"));
    let judged = |path: &std::path::PathBuf| {
        let written = fs::read_to_string(path).unwrap();
        written.lines().filter(|line| line.starts_with("{\"judgement\":")).count()
    };
    let begun = || journals().into_iter().find(|path| !path.ends_with(format!("{id}.jsonl")));
    while begun().as_ref().map_or(0, judged) < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let (before, written) = (court.api.count(), judged(&begun().unwrap()));
    let finished = court.context.run(&measure).expect(0).json();
    assert_eq!(court.api.count() - before, 12 - written, "{written} were written");
    assert_eq!(finished["lengthShift"]["shift"]["mean"], json!(0.0));
    assert_eq!(journals().len(), 2, "the same run went on");
    let again = court.context.run(&measure).expect(0).json();
    assert_eq!((court.api.count() - before, &again), (12 - written, &finished), "nobody is asked again");
}

/// A run that is graded anew begins by taking answers over. Killed in the middle of that, it takes over the rest.
#[test]
fn g5_killed_while_answers_are_taken_over_none_is_lost() {
    let court = Court::judged_by(4, |case| case.scores(4));
    court.run(&["--report-only", "--no-cache"]).expect(0);
    let id = court.context.report()["id"].as_str().unwrap().to_owned();
    court.context.run(&["eval", "--regrade", &id, "--report-only"]).expect(0);
    let journals = files(&court.context.home().join("journal"));
    let journal = journals.into_iter().find(|path| !path.ends_with(format!("{id}.jsonl"))).unwrap();
    let written = fs::read_to_string(&journal).unwrap();
    let kept: Vec<&str> = written.lines().take(4).collect();
    fs::write(&journal, kept.join("\n") + "\n{\"execution\":{\"cut").unwrap();
    let before = court.api.count();
    let graded = journal.file_stem().unwrap().to_str().unwrap();
    court.context.run(&["eval", "--resume", graded, "--report-only"]).expect(0);
    assert_eq!(court.api.count() - before, 8, "judges only");
    let report = court.context.report();
    assert_eq!((&report["status"], &report["summary"]["v2"]["errorCount"]), (&json!("complete"), &json!(0)));
}

/// Stopped by its budget in the middle of judging, at any concurrency, a run that goes on with more money asks for all
/// that is missing, and for nothing else.
#[test]
fn g5_opinions_that_the_budget_forbade_are_asked_for_when_there_is_more() {
    for concurrency in ["1", "8"] {
        let court = Court::judged_by(12, |case| case.scores(4));
        let price = json!({"input": 10_000.0, "output": 10_000.0});
        let prices = json!({"version": 1, "models": {"m": price, JUDGE: price}});
        fs::create_dir_all(court.context.home()).unwrap();
        fs::write(court.context.home().join("prices.json"), prices.to_string()).unwrap();
        // A call is 10 tokens in and 5 out: 15 cents.
        let flags = ["--report-only", "--no-cache", "--concurrency", concurrency, "--budget-usd", "3.6"];
        court.run(&flags).expect(3);
        // The same budget once more changes nothing.
        court.context.run(&["eval", "--resume", "latest", "--budget-usd", "3.6"]).expect(3);
        let before = court.api.count();
        assert!((20..=24).contains(&before), "{before}");
        court.context.run(&["eval", "--resume", "latest", "--budget-usd", "50", "--report-only"]).expect(0);
        assert_eq!(court.api.count(), 48, "24 answers and 24 opinions, each paid for once");
        let report = court.context.report();
        let judge = &report["judging"]["judges"][0];
        assert_eq!((&judge["scored"], &judge["missing"]), (&json!(24), &json!(0)), "{judge}");
    }
}

/// An outage of the judge leaves opinions missing; the run that goes on asks for those, and pays no other again.
#[test]
fn g5_a_judge_that_was_away_is_asked_again_when_the_run_goes_on() {
    for mode in ["rubric", "pairwise"] {
        let away = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let is_away = Arc::clone(&away);
        let court = Court::judged_by(8, move |case| {
            let number = case.prompt.split("question ").nth(1).unwrap().as_bytes()[0];
            match is_away.load(std::sync::atomic::Ordering::SeqCst) && number < b'3' {
                true => Reply::error(503, "overloaded", "away"),
                false if case.prompt.contains("# Answer B") => {
                    Reply::text(json!({"id": case.id, "reasoning": "one", "winner": "A"}).to_string())
                }
                false => case.scores(4),
            }
        });
        court.run(&["--report-only", "--no-cache", "--judge-mode", mode]);
        let before = court.api.count();
        away.store(false, std::sync::atomic::Ordering::SeqCst);
        court.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
        assert_eq!(court.api.count() - before, 4, "two samples, and two answers or two orders each ({mode})");
        let report = court.context.report();
        let judge = match mode {
            "rubric" => &report["judging"]["judges"][0],
            _ => &report["pairwise"]["judges"][0],
        };
        assert_eq!(judge["missing"], json!(0), "{judge}");
        let before = court.api.count();
        court.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
        assert_eq!(court.api.count(), before);
    }
}

/// Another rubric moves scores as well: that is no effect of the text on length.
#[test]
fn g5_what_length_does_is_not_measured_with_another_rubric() {
    let court = Court::judged_by(6, |case| case.scores(if case.prompt.contains("strictly") { 1 } else { 4 }));
    court.run(&["--report-only"]).expect(0);
    let before = court.api.count();
    let samples = fs::read_to_string(court.context.path("eval-samples.json")).unwrap();
    court.context.write("eval-samples.json", &samples.replace("names the cause", "names the cause, strictly"));
    let refused = court.context.run(&["debias", "length", "latest"]).expect(2);
    assert!(refused.stderr.contains("s001") && refused.stderr.contains("--regrade"), "{}", refused.stderr);
    assert_eq!(court.api.count(), before);
    court.context.run(&["eval", "--regrade", "latest", "--report-only"]).expect(0);
    let measured = court.context.run(&["debias", "length", "latest", "--json"]).expect(0);
    assert_eq!(measured.json()["lengthShift"]["shift"]["mean"], json!(0.0));
}

/// A judge that is down is not asked for every answer; what was not asked is asked when it is back.
#[test]
fn g5_a_judge_that_stays_away_ends_the_run_early() {
    let away = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let is_away = Arc::clone(&away);
    let court = Court::judged_by(30, move |case| match is_away.load(std::sync::atomic::Ordering::SeqCst) {
        true => Reply::error(503, "overloaded", "away"),
        false => case.scores(4),
    });
    let ended = court.run(&["--report-only", "--no-cache"]).expect(3);
    assert!(ended.stderr.contains("the run was ended"), "{}", ended.stderr);
    assert!(court.judge_requests() <= 12, "{}", court.judge_requests());
    away.store(false, std::sync::atomic::Ordering::SeqCst);
    let before = court.judge_requests();
    court.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(court.judge_requests() - before, 60);
    assert_eq!(court.api.count() - court.judge_requests(), 60, "no answer is paid for twice");
}
