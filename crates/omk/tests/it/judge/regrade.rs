//! Grading stored answers again, and measuring what the instruction about length does.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::wait_until;

use crate::fixtures::context::{TestContext, files};
use crate::fixtures::judged::{JUDGE, JudgedProject};

#[test]
fn stored_run_is_regraded_without_executing_anything() {
    let project = JudgedProject::judged_by(3, |case| case.scores(if case.prompt.contains("stricter") { 2 } else { 4 }));
    project.run(&["--report-only", "--no-cache"]).expect(0);
    let first = project.context.report();
    let id = first["id"].as_str().unwrap().to_owned();
    let answers = project.api.count() - project.judge_requests();
    // The rubric changes; the answers and the model's prompts stay. The model's key may be absent.
    let samples: Vec<Value> = (1..=3)
        .map(|i| json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "rubric": "stricter"}))
        .collect();
    project.context.write("eval-samples.json", &Value::from(samples).to_string());
    project.context.run(&["eval", "--regrade", &id, "--judge-repeat", "2", "--report-only"]).expect(0);
    let second = project.context.report();
    assert_ne!(second["id"], first["id"]);
    assert_eq!(second["meta"]["regradeOf"], json!(id));
    assert_eq!(project.result(0, "v1")["llmScore"], json!(2.0));
    assert_eq!(project.api.count() - project.judge_requests(), answers, "nothing was executed");
    assert_eq!(project.judge_requests(), 6 + 12);
    assert_eq!(
        first["results"][0]["variants"]["v1"]["fullOutput"],
        second["results"][0]["variants"]["v1"]["fullOutput"]
    );
    for shown in [&["show", "s001"][..], &["report", "export", "latest", "--format", "html"]] {
        let shown = project.context.run(shown).expect(0).stdout;
        assert!(shown.contains("the run that is graded again") && !shown.contains("from the cache"), "{shown}");
    }
    // Regraded again with the same judges and no cache, and resumed when it is finished: nothing is asked.
    project.context.run(&["eval", "--resume", "latest", "--report-only"]).expect(0);
    assert_eq!(project.judge_requests(), 18);

    // A changed prompt is refused with a hint.
    let samples = json!([{"sample_id": "s001", "prompt": "something else", "rubric": "r"}]);
    project.context.write("eval-samples.json", &samples.to_string());
    let refused = project.context.run(&["eval", "--regrade", &id]).expect(2);
    assert!(refused.stderr.contains("2 of 2 cells have no answer"), "{}", refused.stderr);
    let unknown = project.context.run(&["eval", "--regrade", "nothing"]).expect(2);
    assert!(unknown.stderr.contains("nothing"), "{}", unknown.stderr);
}

#[test]
fn failed_cells_stay_failed_in_a_regrade() {
    let mut context = TestContext::with_agent();
    context.script("agent", "read -r input\ncase \"$input\" in *\"question 2\"*) exit 3 ;; esac\necho fine\n");
    context.samples(3, &json!([{"type": "contains", "value": "fine"}]));
    context.env("PATH", &std::env::var("PATH").unwrap());
    let flags = ["eval", "--variants", "v1,v2", "--executor", "./agent", "--retry", "0", "--report-only"];
    context.run(&[flags.as_slice(), &["--max-failure-rate", "1"]].concat()).expect(0);
    // The command is gone, and is not needed.
    fs::remove_file(context.path("agent")).unwrap();
    context.run(&["eval", "--regrade", "latest"]).expect(0);
    let report = context.report();
    assert_eq!(report["status"], "complete");
    assert_eq!(report["results"][1]["variants"]["v1"]["outcome"], "failed");
    assert_eq!(report["results"][0]["variants"]["v1"]["compositeScore"], json!(5.0));
    assert_eq!(report["results"][0]["variants"]["v1"]["cached"], json!(true));
}

#[test]
fn length_effect_is_measured_with_an_interval() {
    // Without the instruction about length, this judge gives two points more to the longer answer.
    let project = JudgedProject::new(
        6,
        |system, prompt| {
            if system == "better" { format!("{prompt} {}", "at length ".repeat(9)) } else { prompt.to_owned() }
        },
        |case| {
            let is_instructed = case.system.contains("Length is not a quality signal");
            case.scores(if !is_instructed && case.answer.contains("at length") { 5 } else { 3 })
        },
    );
    project.run(&["--report-only"]).expect(0);
    let before = project.api.count();
    // A budget is refused for a judge of unknown price.
    let refused = project.context.run(&["debias", "length", "latest", "--budget-usd", "1"]).expect(2);
    assert!(refused.stderr.contains("judge-1"), "{}", refused.stderr);
    assert_eq!(project.api.count(), before);
    let finished = project.context.run(&["debias", "length", "latest", "--json"]).expect(0);
    assert_eq!(project.api.count() - before, 12, "judges only");
    let found = &finished.json()["lengthShift"];
    assert_eq!((&found["samples"], &found["missing"]), (&json!(6), &json!(0)));
    assert_eq!(found["shift"]["mean"], json!(-1.0), "over both variants: 0 and -2");
    assert_eq!(found["variants"][1]["without"], json!(5.0));
    assert_eq!(found["differences"][0]["shift"]["mean"], json!(-2.0));
    assert_eq!(found["differences"][0]["with"], json!(0.0));
    let report = project.context.report();
    assert_eq!(report["meta"]["judgeTemplate"], "v2-cot");
    // The same measured from the other side, and the text of it.
    let again = project.context.run(&["debias", "length", report["id"].as_str().unwrap()]).expect(0);
    assert!(again.stdout.contains("−2.00"), "{}", again.stdout);

    let unjudged = JudgedProject::judged_by(1, |case| case.scores(3));
    unjudged.context.write(
        "eval-samples.json",
        r#"[{"sample_id": "s", "prompt": "p", "assertions": [{"type": "contains", "value": "p"}]}]"#,
    );
    unjudged.run(&["--report-only"]).expect(0);
    let refused = unjudged.context.run(&["debias", "length", "latest"]).expect(2);
    assert!(refused.stderr.contains("is scored by judges"), "{}", refused.stderr);
}

#[test]
fn length_effect_excludes_tripwires_and_its_intervals_are_simultaneous() {
    // Without the instruction, the judge adds to the longer answers, on different samples for each treatment.
    fn added(system: &str, i: usize) -> u8 {
        let thirds = if system == "better" { i } else { i / 2 };
        if system == "plain" { 0 } else { u8::try_from(thirds % 3).unwrap() }
    }
    let project = JudgedProject::new(
        24,
        |system, prompt| format!("{prompt} {system}"),
        |case| {
            let is_instructed = case.system.contains("Length is not a quality signal");
            let words: Vec<&str> = case.answer.split(' ').collect();
            case.scores(if is_instructed { 3 } else { 3 + added(words[2], words[1].parse().unwrap()) })
        },
    );
    let path = project.context.path("eval-samples.json");
    let mut samples: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    const TRIPWIRES: [usize; 2] = [5, 8];
    for i in TRIPWIRES {
        samples[i - 1]["tripwire"] = json!(true);
    }
    fs::write(&path, samples.to_string()).unwrap();
    let hostile = "v3\u{202e}_evil_and_so_long_that_it_takes_a_line";
    project.context.write(&format!("skills/{hostile}.md"), "longer");
    let shift = |variants: &str| {
        let flags =
            ["eval", "--variants", variants, "--executor", "openai-api", "--model", "m", "--judge-model", JUDGE];
        project.context.run(&[&flags[..], &["--report-only"]].concat()).expect(0);
        let id = project.context.report()["id"].as_str().unwrap().to_owned();
        let shift = project.context.run(&["debias", "length", &id, "--json"]).expect(0).json()["lengthShift"].clone();
        (shift, project.context.run(&["debias", "length", &id]).expect(0).stdout)
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
    // The control does not change, so each variant's shift is that of its difference; simultaneous intervals are
    // wider.
    let width = |of: &Value| {
        let ci = &of["shift"]["ci"];
        ci["high"].as_f64().unwrap() - ci["low"].as_f64().unwrap()
    };
    let (alone, together) = ([&three["variants"][1], &three["variants"][2]], [0, 1].map(|i| &three["differences"][i]));
    assert!(together.iter().zip(&alone).all(|(together, alone)| width(together) >= width(alone)), "{three}");
    assert!(together.map(width).iter().sum::<f64>() > alone.map(width).iter().sum::<f64>() + 0.05, "{three}");
    assert_eq!(width(&two["differences"][0]), width(&two["variants"][1]));
    assert!(!text.contains('\u{202e}') && text.contains("`v3⟦U+202E⟧_evil_and_so_long_tha"), "{text:?}");
}

/// Repeated after a kill, the command asks only for what is missing; repeated once more, for nothing.
#[test]
fn killed_length_measurement_continues_with_the_same_command() {
    let project = JudgedProject::judged_by(6, |case| case.scores(4).after(Duration::from_millis(40)));
    project.run(&["--report-only", "--no-cache"]).expect(0);
    let id = project.context.report()["id"].as_str().unwrap().to_owned();
    let measure = ["debias", "length", &id, "--json"];
    let mut child = project.context.command(&measure);
    let mut child = child.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
    let journals = || files(&project.context.home().join("journal"));
    let judged = |path: &std::path::PathBuf| {
        let written = fs::read_to_string(path).unwrap();
        written.lines().filter(|line| line.starts_with("{\"judgement\":")).count()
    };
    let begun = || journals().into_iter().find(|path| !path.ends_with(format!("{id}.jsonl")));
    wait_until("three opinions", || begun().as_ref().map_or(0, judged) >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let (before, written) = (project.api.count(), judged(&begun().unwrap()));
    let finished = project.context.run(&measure).expect(0).json();
    assert_eq!(project.api.count() - before, 12 - written, "{written} were written");
    assert_eq!(finished["lengthShift"]["shift"]["mean"], json!(0.0));
    assert_eq!(journals().len(), 2, "the same run went on");
    let again = project.context.run(&measure).expect(0).json();
    assert_eq!((project.api.count() - before, &again), (12 - written, &finished), "no question is repeated");
}

/// A regrade starts by copying answers into its journal. Killed meanwhile, it copies the rest when it is repeated.
#[test]
fn killed_regrade_loses_no_answer() {
    let project = JudgedProject::judged_by(4, |case| case.scores(4));
    project.run(&["--report-only", "--no-cache"]).expect(0);
    let id = project.context.report()["id"].as_str().unwrap().to_owned();
    project.context.run(&["eval", "--regrade", &id, "--report-only"]).expect(0);
    let journals = files(&project.context.home().join("journal"));
    let journal = journals.into_iter().find(|path| !path.ends_with(format!("{id}.jsonl"))).unwrap();
    let written = fs::read_to_string(&journal).unwrap();
    let kept: Vec<&str> = written.lines().take(4).collect();
    fs::write(&journal, kept.join("\n") + "\n{\"execution\":{\"cut").unwrap();
    let before = project.api.count();
    let graded = journal.file_stem().unwrap().to_str().unwrap();
    project.context.run(&["eval", "--resume", graded, "--report-only"]).expect(0);
    assert_eq!(project.api.count() - before, 8, "judges only");
    let report = project.context.report();
    assert_eq!((&report["status"], &report["summary"]["v2"]["errorCount"]), (&json!("complete"), &json!(0)));
}

/// Another rubric changes scores as well, which would be mistaken for an effect of the instruction.
#[test]
fn changed_rubric_prevents_the_length_measurement() {
    let project = JudgedProject::judged_by(6, |case| case.scores(if case.prompt.contains("strictly") { 1 } else { 4 }));
    project.run(&["--report-only"]).expect(0);
    let before = project.api.count();
    let samples = fs::read_to_string(project.context.path("eval-samples.json")).unwrap();
    project.context.write("eval-samples.json", &samples.replace("names the cause", "names the cause, strictly"));
    let refused = project.context.run(&["debias", "length", "latest"]).expect(2);
    assert!(refused.stderr.contains("s001") && refused.stderr.contains("--regrade"), "{}", refused.stderr);
    assert_eq!(project.api.count(), before);
    project.context.run(&["eval", "--regrade", "latest", "--report-only"]).expect(0);
    let measured = project.context.run(&["debias", "length", "latest", "--json"]).expect(0);
    assert_eq!(measured.json()["lengthShift"]["shift"]["mean"], json!(0.0));
}
