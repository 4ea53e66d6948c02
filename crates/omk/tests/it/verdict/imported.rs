//! `omk verdict`: results of other tools get the report, the verdict and the exit code that a run of omk has.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use eval_spec::Layer;
use serde_json::{Value, json};

use crate::fixtures::context::{Finished, TestContext};
use crate::fixtures::recorded::{RecordedProject, fact};
use crate::fixtures::scores::{gain, ground, near, number, reasons, three, tier};

/// A table of two arms, each case with what the two scored.
fn table(context: &TestContext, name: &str, cases: usize, scores: impl Fn(usize) -> [String; 2]) {
    let mut text = "id,arm,score\n".to_owned();
    for case in 0..cases {
        let [control, treatment] = scores(case);
        writeln!(text, "q{case:03},plain,{control}\nq{case:03},better,{treatment}").unwrap();
    }
    context.write(name, &text);
}

fn hundredths(of: u32) -> String {
    format!("{:.2}", f64::from(of) / 100.0)
}

fn gained(context: &TestContext, name: &str, cases: usize) {
    table(context, name, cases, |case| [ground(case), ground(case) + gain(case)].map(hundredths));
}

fn verdict(context: &TestContext, arguments: &[&str]) -> Finished {
    context.run(&[&["verdict"], arguments].concat())
}

/// A text without the line breaks that the terminal's width makes.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The stored report recomputes to itself.
#[track_caller]
fn assert_recomputes(context: &TestContext) -> Value {
    let stored = context.report();
    let code = i32::try_from(stored["verdict"]["exitCode"].as_i64().unwrap()).unwrap();
    let again = context.run(&["report", "verdict", "latest", "--json"]).expect(code).json();
    assert_eq!(again["agrees"], true, "{again:#}");
    stored
}

/// A file that a real tool wrote.
fn made(name: &str) -> String {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/tests/data").join(name);
    data.to_string_lossy().into_owned()
}

#[test]
fn scores_of_a_run_give_as_a_table_the_intervals_and_tiers_that_the_run_had() {
    let project = three(40);
    let run = project.report(1, &["--threshold", "1"]);
    let context = &project.context;
    let report = fs::read_dir(context.path("out")).unwrap().next().unwrap().unwrap().path();
    let report = report.to_str().unwrap();
    context.run(&["report", "export", report, "--format", "csv", "--output", "rows.csv"]).expect(0);
    let seed = run["meta"]["seed"].to_string();
    let flags = ["rows.csv", "--score-column", "composite", "--scale", "1..5", "--control", "v1", "--seed", &seed];
    verdict(context, &flags).expect(1);
    let read = assert_recomputes(context);
    for (of_run, of_table) in [0, 1].map(|at| (&run["comparisons"][at], &read["comparisons"][at])) {
        assert_eq!(of_run["n"], of_table["n"]);
        for part in ["/diff/mean", "/diff/ci/low", "/diff/ci/high", "/diff/pValue"] {
            near(of_table.pointer(part).unwrap(), number(of_run.pointer(part).unwrap()), 1e-9);
        }
    }
    let tiers = |of: &Value| [0, 1].map(|at| of["verdict"]["perTreatment"][at]["tier"].clone());
    assert_eq!(tiers(&run), tiers(&read));
    assert_eq!(tiers(&read), ["PROGRESS", "REGRESS"]);
    assert_eq!(read["meta"]["imported"]["mapping"], json!({"kind": "scale", "worst": 1.0, "best": 5.0}));
}

#[test]
fn a_gain_is_progress_that_says_what_it_rests_on() {
    let context = TestContext::new();
    gained(&context, "scores.csv", 60);
    let shown = verdict(&context, &["scores.csv"]).expect(0);
    for said in [
        "results of csv, from scores.csv; not in the file: who judged, models, order, seed",
        "points are 1 + 4 × `score`",
        "PROGRESS",
        "it rests on the file's own scores, `score`; it doesn't tell who judged",
    ] {
        assert!(unwrapped(&shown.stdout).contains(said), "`{said}` is not in {}", shown.stdout);
    }
    let shown = shown.says(&["columns id = id, arm = arm, score = score", "control: `plain`, the first in the files"]);
    assert!(shown.stdout.lines().count() <= 23, "{}", shown.stdout);
    let report = assert_recomputes(&context);
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-why-rests-on-file"]);
    // the mean gain of 8 hundredths on a scale of 4 points
    near(&report["comparisons"][0]["diff"]["mean"], 0.32, 1e-9);
    let results = &report["results"][0]["variants"]["plain"];
    near(&results["assertions"]["details"][0]["rating"], 0.66, 1e-12);
    assert_eq!(results["startedAt"], Value::Null);
    assert_eq!(report["meta"]["totalCostUSD"], Value::Null);
}

#[test]
fn a_loss_no_difference_and_too_few_cases_are_refused_with_their_tiers() {
    let context = TestContext::new();
    table(&context, "loss.csv", 60, |case| [ground(case) + gain(case), ground(case)].map(hundredths));
    let waver = |case: usize| ground(case) + u32::try_from(case % 3).unwrap() - 1;
    table(&context, "same.csv", 81, |case| [ground(case), waver(case)].map(hundredths));
    gained(&context, "few.csv", 5);
    for (file, expected) in [("loss.csv", "REGRESS"), ("same.csv", "NOISE"), ("few.csv", "UNDERPOWERED")] {
        verdict(&context, &[file]).expect(1);
        assert_eq!(tier(&assert_recomputes(&context)), expected, "{file}");
    }
    verdict(&context, &["loss.csv", "--report-only"]).expect(0);
    verdict(&context, &["same.csv", "--goal", "not-worse", "--margin", "0.2"]).expect(0);
}

#[test]
fn json_is_the_stored_report_and_exports_are_written_beside_it() {
    let context = TestContext::new();
    gained(&context, "scores.csv", 30);
    let exports = ["--export", "markdown=comment.md", "--export", "html=page.html", "--export", "junit=report.xml"];
    let printed = verdict(&context, &[&["scores.csv", "--json"], &exports[..]].concat());
    let stored = fs::read_to_string(context.report_path()).unwrap();
    assert_eq!(printed.stdout, stored);
    let said = "not in the file: who judged";
    for name in ["comment.md", "page.html"] {
        let text = context.read(name);
        assert!(text.contains(said), "{name}: {text}");
    }
    let refused = verdict(&context, &["scores.csv", "--export", "csv=scores.csv"]).expect(2);
    assert!(refused.stderr.contains("scores.csv"), "{}", refused.stderr);
    assert!(context.read("scores.csv").starts_with("id,arm"), "the input is left as it was");
}

#[test]
fn results_that_failed_or_lack_are_missing_and_too_many_of_them_are_no_measurement() {
    let context = TestContext::new();
    let score = |case: usize| [ground(case), ground(case) + gain(case)].map(hundredths);
    // two of sixty are empty
    table(
        &context,
        "few.csv",
        60,
        |case| if case % 30 == 0 { [score(case)[0].clone(), String::new()] } else { score(case) },
    );
    verdict(&context, &["few.csv"]);
    let report = assert_recomputes(&context);
    assert_eq!(report["comparisons"][0]["n"], 58);
    assert_eq!(report["summary"]["better"]["missingScores"], 2);
    let mut text = "id,arm,score,error\n".to_owned();
    for case in 0..60 {
        let [control, treatment] = score(case);
        let error = if case % 4 == 0 { "HTTP 500" } else { "" };
        writeln!(text, "q{case:03},plain,{control},\nq{case:03},better,{treatment},{error}").unwrap();
    }
    context.write("many.csv", &text);
    let shown = verdict(&context, &["many.csv"]).expect(3);
    assert!(shown.stdout.contains("repeat what failed"), "{}", shown.stdout);
    let report = assert_recomputes(&context);
    assert_eq!(report["verdict"]["valid"], false);
    let failed = &report["results"][0]["variants"]["better"];
    assert_eq!((&failed["error"]["failure"], &failed["error"]["detail"]), (&json!("recorded"), &json!("HTTP 500")));
}

#[test]
fn cases_that_one_file_lacks_are_missing_unless_only_pairs_are_asked_for() {
    let context = TestContext::new();
    let file = |name: &str, cases: std::ops::Range<usize>, gain: &dyn Fn(usize) -> u32| {
        let rows: String =
            cases.map(|case| format!("q{case:03},{}\n", hundredths(ground(case) + gain(case)))).collect();
        context.write(name, &format!("id,score\n{rows}"));
    };
    file("before.csv", 0..60, &|_| 0);
    file("after.csv", 5..66, &gain);
    verdict(&context, &["before.csv", "after.csv"]);
    let report = assert_recomputes(&context);
    assert_eq!((&report["comparisons"][0]["n"], report["results"].as_array().unwrap().len()), (&json!(55), 66));
    assert_eq!(report["meta"]["imported"]["unpairedCases"], 11);
    assert_eq!(report["results"][0]["variants"]["after"]["error"]["failure"], "absent");
    // half of the 11 would have to go badly for the treatment to undo the gain
    let shown = verdict(&context, &["before.csv", "after.csv", "--paired-only"]).expect(1);
    for said in ["11 cases aren't in all arms", "11 of 66 cases lack a result in one arm"] {
        assert!(unwrapped(&shown.stdout).contains(said), "{}", shown.stdout);
    }
    let paired = assert_recomputes(&context);
    assert_eq!((tier(&paired), &paired["comparisons"][0]["n"]), ("CAUTIOUS", &json!(55)));
    assert_eq!(reasons(&paired, 0), ["report-why-above", "report-doubt-left-out", "report-why-rests-on-file"]);
    for (arm, lacks) in [("before", 65), ("after", 0)] {
        assert_eq!(paired["results"][lacks]["variants"].get(arm), None);
        assert_eq!(paired["summary"][arm]["missingScores"], 0);
    }
    for part in ["/diff/mean", "/diff/ci", "/missing/low", "/missing/high", "/missing/lost/samples"] {
        assert_eq!(paired["comparisons"][0].pointer(part), report["comparisons"][0].pointer(part), "{part}");
    }
}

/// No more than a tenth of the cases are left out, and they are what failed.
#[test]
fn cases_that_are_left_out_turn_a_gain_however_few_they_are() {
    let context = TestContext::new();
    let mut text = "id,arm,score\n".to_owned();
    for case in 0..120_usize {
        writeln!(text, "q{case:03},plain,{}", u8::from(case % 10 > 0)).unwrap();
        if case % 10 != 5 {
            writeln!(text, "q{case:03},better,1").unwrap();
        }
    }
    context.write("scores.csv", &text);
    verdict(&context, &["scores.csv", "--paired-only"]).expect(1);
    let report = assert_recomputes(&context);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(report["verdict"]["inputs"]["imported"]["leftOut"], json!({"lacking": 12, "of": 120}));
    let missing = &report["comparisons"][0]["missing"];
    assert_eq!((&missing["planned"], &missing["lost"]["treatment"]), (&json!(120), &json!(12)));
    assert!(number(&missing["low"]) < 0.0, "{missing}");
}

/// The control passes where the treatment's result is left out, and fails where its own is.
#[test]
fn cases_that_are_left_out_leave_no_room_for_sameness() {
    let context = TestContext::new();
    let waver = |case: usize| ground(case) + u32::try_from(case % 3).unwrap() - 1;
    let rows = |lacking: usize| {
        let row = |case: usize| {
            let [control, treatment] = [ground(case), waver(case)].map(hundredths);
            let treated = if case < lacking { String::new() } else { format!("q{case},better,{treatment}\n") };
            format!("q{case},plain,{control}\n{treated}")
        };
        format!("id,arm,score\n{}", (0..81).map(row).collect::<String>())
    };
    context.write("same.csv", &rows(0));
    context.write("fewer.csv", &rows(8));
    for (file, expected, code) in [("same.csv", "NOISE", 0), ("fewer.csv", "UNDERPOWERED", 1)] {
        verdict(&context, &[file, "--paired-only", "--goal", "not-worse"]).expect(code);
        assert_eq!(tier(&assert_recomputes(&context)), expected, "{file}");
    }
}

#[test]
fn repeats_are_averaged_also_where_cases_have_different_numbers_of_them() {
    let context = TestContext::new();
    let mut text = "id,arm,score\n".to_owned();
    for case in 0..40_usize {
        for trial in 0..=u32::try_from(case % 3).unwrap() {
            let control = ground(case) + trial;
            writeln!(
                text,
                "q{case},plain,{}\nq{case},better,{}",
                hundredths(control),
                hundredths(control + gain(case))
            )
            .unwrap();
        }
    }
    context.write("scores.csv", &text);
    verdict(&context, &["scores.csv"]).expect(0);
    let report = assert_recomputes(&context);
    assert_eq!((&report["comparisons"][0]["n"], &report["meta"]["repeat"]), (&json!(40), &json!(3)));
    assert_eq!(report["results"][2]["variants"]["plain"]["runs"].as_array().unwrap().len(), 3);
    near(&report["comparisons"][0]["diff"]["mean"], 0.32, 1e-9);
    assert_eq!(report["summary"]["plain"]["missingScores"], 0);
}

#[test]
fn cases_that_are_dropped_where_one_arm_failed_buy_no_progress() {
    let context = TestContext::new();
    // the treatment passes as often, and its failures are not in the file
    let (mut text, mut fewer) = ("id,arm,score\n".to_owned(), "id,arm,score\n".to_owned());
    for case in 0..120_usize {
        writeln!(text, "q{case:03},plain,{}", u8::from(case % 5 < 3)).unwrap();
        writeln!(fewer, "q{case:03},plain,{}", u8::from(case % 5 < 3)).unwrap();
        if case % 5 != 0 && case % 5 != 3 {
            writeln!(text, "q{case:03},better,1").unwrap();
        }
        if case % 15 != 0 {
            writeln!(fewer, "q{case:03},better,1").unwrap();
        }
    }
    context.write("dropped.csv", &text);
    context.write("fewer.csv", &fewer);
    let shown = verdict(&context, &["dropped.csv", "--paired-only"]).expect(1);
    assert!(unwrapped(&shown.stdout).contains("48 of 120 cases lack a result in one arm"), "{}", shown.stdout);
    let report = assert_recomputes(&context);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(report["verdict"]["inputs"]["imported"]["leftOut"], json!({"lacking": 48, "of": 120}));
    verdict(&context, &["dropped.csv", "--paired-only", "--max-failure-rate", "0.51"]).expect(2).says(&["at most 0.5"]);
    verdict(&context, &["fewer.csv", "--paired-only"]).expect(0);
}

/// The worse of three numbered trials is left out of one arm: each arm's trials go from 1 to 5, and nothing differs.
#[test]
fn numbered_trials_that_are_left_out_buy_no_progress() {
    let context = TestContext::new();
    let mut text = "id,arm,trial,score\n".to_owned();
    for case in 0..40_usize {
        for trial in 0..3_usize {
            writeln!(text, "q{case},plain,{trial},{}", u8::from((case + trial) % 3 > 0)).unwrap();
            if (case + 2 * trial) % 3 > 0 {
                writeln!(text, "q{case},better,{trial},1").unwrap();
            }
        }
    }
    context.write("scores.csv", &text);
    verdict(&context, &["scores.csv"]);
    let report = assert_recomputes(&context);
    assert_ne!(tier(&report), "PROGRESS", "{:#}", report["verdict"]["perTreatment"]);
    assert_eq!(report["summary"]["better"]["missingScores"], 40);
}

/// Ten arms that score what the control does, up to chance, but for one that gains.
fn eleven_arms(score: impl Fn(usize, usize) -> u32) -> [String; 2] {
    let arms: Vec<String> = std::iter::once("plain".to_owned()).chain((1..=10).map(|arm| format!("t{arm}"))).collect();
    let scores = |case: usize| (0..arms.len()).map(|arm| hundredths(score(case, arm))).collect::<Vec<_>>();
    let mut long = "id,arm,score\n".to_owned();
    let mut wide = format!("id,{}\n", arms.join(","));
    for case in 0..60 {
        writeln!(wide, "q{case:03},{}", scores(case).join(",")).unwrap();
        for (arm, score) in arms.iter().zip(scores(case)) {
            writeln!(long, "q{case:03},{arm},{score}").unwrap();
        }
    }
    [long, wide]
}

fn waver(case: usize, arm: usize) -> u32 {
    let by = if arm == 0 { 0 } else { u32::try_from((case * 31 + arm * arm * 17) % 11).unwrap() };
    ground(case) + by - 5 * u32::from(arm > 0)
}

fn gain_of_the_third(case: usize, arm: usize) -> u32 {
    waver(case, arm) + if arm == 3 { gain(case) } else { 0 }
}

/// Who picks one of ten treatments after looking at them has the interval that it has beside the others.
#[test]
fn treatment_that_is_picked_has_the_interval_of_all_in_the_file() {
    let context = TestContext::new();
    let [long, wide] = eleven_arms(gain_of_the_third);
    context.write("long.csv", &long);
    context.write("wide.csv", &wide);
    verdict(&context, &["long.csv", "--control", "plain"]);
    let all = assert_recomputes(&context);
    assert_eq!((all["comparisons"].as_array().unwrap().len(), all["meta"]["imported"].get("family")), (10, None));
    for file in ["long.csv", "wide.csv"] {
        let shown = verdict(&context, &[file, "--control", "plain", "--treatment", "t3"]).expect(0);
        assert!(unwrapped(&shown.stdout).contains("read as one of 10 treatments in the file"), "{}", shown.stdout);
        let picked = assert_recomputes(&context);
        assert_eq!(reasons(&picked, 0), ["report-why-above", "report-why-one-of-file", "report-why-rests-on-file"]);
        assert_eq!(picked["verdict"]["inputs"]["imported"]["fileTreatments"], 10);
        let [of_all, of_picked] = [&all["comparisons"][2], &picked["comparisons"][0]];
        assert_eq!((&of_all["treatment"], &of_picked["treatment"]), (&json!("t3"), &json!("t3")));
        for part in ["/ci/low", "/ci/high", "/ci/family", "/alpha", "/pValueAdjusted", "/ciUnadjusted/low"] {
            near(of_picked["diff"].pointer(part).unwrap(), number(of_all["diff"].pointer(part).unwrap()), 1e-9);
        }
        let [ci, alone] = ["ci", "ciUnadjusted"].map(|part| &of_picked["diff"][part]);
        assert!(number(&ci["low"]) < number(&alone["low"]) && number(&ci["high"]) > number(&alone["high"]), "{ci}");
    }
    // a file with no other treatment
    let two: String = long
        .lines()
        .filter(|line| !line.contains(",t") || line.contains(",t3,"))
        .map(|line| format!("{line}\n"))
        .collect();
    context.write("two.csv", &two);
    verdict(&context, &["two.csv", "--control", "plain", "--treatment", "t3"]).expect(0);
    let alone = assert_recomputes(&context);
    assert_eq!(reasons(&alone, 0), ["report-why-above", "report-why-rests-on-file"]);
    assert_eq!(alone["verdict"]["inputs"]["imported"].get("fileTreatments"), None);
}

/// Arms that can't be read together count all the same, and so do columns beside those that are named.
#[test]
fn treatments_that_cannot_be_read_count_each_for_its_share_of_the_level() {
    let context = TestContext::new();
    let [long, wide] = eleven_arms(gain_of_the_third);
    context.write("long.csv", &long.replacen(",t7,0.", ",t7,80.", 1));
    verdict(&context, &["long.csv", "--control", "plain"]).expect(2);
    verdict(&context, &["long.csv", "--control", "plain", "--treatment", "t3"]).expect(0);
    let report = assert_recomputes(&context);
    assert_eq!(report["meta"]["imported"]["family"], json!({"treatments": 10, "alpha": 0.005}));
    let diff = &report["comparisons"][0]["diff"];
    near(&diff["alpha"], 0.005, 1e-12);
    near(&diff["pValueAdjusted"], (10.0 * number(&diff["pValue"])).min(1.0), 1e-12);
    // a column of texts, one of other numbers, and one whose numbers may be scores
    let header = wide.replacen("id,", "id,topic,seconds,weight,", 1);
    let (first, rest) = header.split_once('\n').unwrap();
    let rows: String = rest.lines().map(|line| line.replacen(',', ",math,12.5,0.5,", 1) + "\n").collect();
    context.write("wide.csv", &format!("{first}\n{rows}"));
    let shown = verdict(&context, &["wide.csv", "--control", "plain", "--treatment", "t3"]).expect(0);
    shown.says(&["the columns `t1`, `t10`, `t2`", "`weight` hold scores as well"]);
    assert_eq!(assert_recomputes(&context)["meta"]["imported"]["family"]["treatments"], 11);
}

/// A family that is removed from the stored report is missed where the verdict names it.
#[test]
fn edited_family_no_longer_gives_the_stored_interval() {
    let context = TestContext::new();
    let [long, _] = eleven_arms(gain_of_the_third);
    context.write("long.csv", &long);
    verdict(&context, &["long.csv", "--control", "plain", "--treatment", "t3"]).expect(0);
    let stored = context.report();
    let edits: [&dyn Fn(&mut Value); 3] =
        [&|of| of["alpha"] = json!(0.05), &|of| of["treatments"] = json!(1), &|of| of["pValues"] = json!([0.9])];
    for (at, edit) in edits.iter().enumerate() {
        let mut report = stored.clone();
        edit(&mut report["meta"]["imported"]["family"]);
        let file = context.write("edited/report.json", &report.to_string());
        let again = context.run(&["report", "verdict", file.to_str().unwrap(), "--json"]).expect(3).json();
        assert_eq!(again["agrees"], false, "{at}");
    }
    let again = context.run(&["report", "verdict", "latest"]).expect(0);
    assert!(unwrapped(&again.stdout).contains("how many treatments the file had"), "{}", again.stdout);
}

#[test]
fn an_arm_that_ran_once_is_compared_with_one_that_ran_thrice() {
    let context = TestContext::new();
    let mut text = "id,arm,score\n".to_owned();
    for case in 0..40_usize {
        writeln!(text, "q{case},plain,{}", hundredths(ground(case))).unwrap();
        for _ in 0..3 {
            writeln!(text, "q{case},better,{}", hundredths(ground(case) + gain(case))).unwrap();
        }
    }
    context.write("scores.csv", &text);
    verdict(&context, &["scores.csv"]).expect(0);
    let report = assert_recomputes(&context);
    assert_eq!((&report["comparisons"][0]["n"], &report["meta"]["repeat"]), (&json!(40), &json!(3)));
    assert_eq!(report["summary"]["plain"]["missingScores"], 0);
}

#[test]
fn equal_questions_count_once_though_one_row_lacks_its_question() {
    let context = TestContext::new();
    let mut text = String::new();
    for case in 0..24_usize {
        for (arm, score) in [("plain", 0), ("better", 1)] {
            let prompt = if case == 0 { "" } else { ", \"prompt\": \"What is two plus two, and why is it so?\"" };
            writeln!(text, "{{\"id\": \"x{case}\", \"arm\": \"{arm}\", \"score\": {score}{prompt}}}").unwrap();
        }
    }
    context.write("scores.jsonl", &text);
    verdict(&context, &["scores.jsonl"]).expect(1);
    let report = assert_recomputes(&context);
    assert_eq!(report["verdict"]["inputs"]["tasks"], json!({"samples": 24, "tasks": 2}));
    assert_eq!(tier(&report), "UNDERPOWERED");
}

#[test]
fn what_could_be_read_in_two_ways_is_asked_for_with_the_flag() {
    let context = TestContext::new();
    table(&context, "scores.csv", 42, |case| {
        [ground(case), ground(case) + gain(case)].map(|of| format!("{:.2}", f64::from(of) / 50.0 - 1.5))
    });
    verdict(&context, &["scores.csv"]).expect(2);
    verdict(&context, &["scores.csv", "--scale", "-1..1"]).expect(0);
    context.write("a.csv", "id,question,score\n1,x,1\n2,y,1\n");
    context.write("b.csv", "id,question,score\n1,y,1\n2,x,1\n");
    verdict(&context, &["a.csv", "b.csv"]).expect(2).says(&["--pair-by input", "b.csv:2"]);
    verdict(&context, &["a.csv", "b.csv", "--pair-by", "input"]);
    assert_eq!(context.report()["meta"]["imported"]["pairedBy"], "input");
    verdict(&context, &["a.csv", "b.csv", "--pair-by", "order"]).expect(2);
}

#[test]
fn a_scale_that_hides_every_difference_is_refused_unless_it_is_confirmed() {
    let context = TestContext::new();
    table(&context, "scores.csv", 80, |case| [ground(case) + gain(case), ground(case)].map(hundredths));
    let flags = ["scores.csv", "--goal", "not-worse", "--scale"];
    verdict(&context, &[&flags[..], &["0..1"]].concat()).expect(1);
    let refused = verdict(&context, &[&flags[..], &["-100..1"]].concat()).expect(2);
    refused.says(&["the declared scale, -100 to 1, is", "times as wide", "`--yes`"]);
    let accepted = verdict(&context, &[&flags[..], &["-100..1", "--yes"]].concat()).expect(0);
    accepted.says(&["every difference looks small"]);
    verdict(&context, &["scores.csv", "--yes"]).expect(2);
}

#[test]
fn promptfoos_repeats_give_the_verdict_that_its_table_lacks() {
    let context = TestContext::new();
    let files =
        ["control-repeat3.jsonl", "treatment-repeat3.jsonl"].map(|name| made(&format!("promptfoo-0.123.1/{name}")));
    verdict(&context, &[&files[0], &files[1]]);
    let report = assert_recomputes(&context);
    // 21 of 24 cases have answers in both files; the others ended in errors of the server
    assert_eq!((&report["comparisons"][0]["n"], &report["meta"]["repeat"]), (&json!(21), &json!(3)));
    assert_eq!(report["meta"]["imported"]["pairedBy"], "input");
    // the mean over cases of the mean of their repeats, as counted by the script beside the files
    let counted: Value =
        serde_json::from_str(&fs::read_to_string(made("promptfoo-0.123.1/expected.json")).unwrap()).unwrap();
    let cases = counted["files"]["control-repeat3.jsonl + treatment-repeat3.jsonl"]["cases"].as_object().unwrap();
    let mean = |case: &Value, arm: &str| case[arm]["scores"]["score"]["mean"].as_f64();
    let differences: Vec<f64> =
        cases.values().filter_map(|case| Some(mean(case, "treatment")? - mean(case, "control")?)).collect();
    assert_eq!(differences.len(), 21);
    #[expect(clippy::cast_precision_loss, reason = "21 cases")]
    let expected = 4.0 * differences.iter().sum::<f64>() / differences.len() as f64;
    near(&report["comparisons"][0]["diff"]["mean"], expected, 1e-5);
}

#[test]
fn wazas_skill_is_compared_with_its_baseline_case_by_case() {
    let context = TestContext::new();
    let file = made("waza-0.12.0/baseline.json");
    let shown = verdict(&context, &[&file, "--max-failure-rate", "0.3"]);
    let shown = shown.says(&["control: `baseline`", "6 results without any assertion left out, which pass unchecked"]);
    let said = unwrapped(&shown.stdout);
    assert!(said.contains("not in the file: who judged, the tool's version, order, seed, cost"), "{said}");
    let report = assert_recomputes(&context);
    assert_eq!(report["meta"]["variants"], json!(["baseline", "with_skill"]));
    assert_eq!((&report["meta"]["imported"]["tool"], &report["meta"]["sampleCount"]), (&json!("waza"), &json!(23)));
    // the mean over cases of the mean of their runs, as counted by the script beside the files
    let counted: Value = serde_json::from_str(&fs::read_to_string(made("waza-0.12.0/expected.json")).unwrap()).unwrap();
    let cases = counted["files"]["baseline.json"]["cases"].as_object().unwrap();
    let mean = |case: &Value, arm: &str| case[arm]["scores"]["weighted_score"]["mean"].as_f64();
    let differences: Vec<f64> =
        cases.values().filter_map(|case| Some(mean(case, "with_skill")? - mean(case, "baseline")?)).collect();
    // without those that have errors or no verdict in an arm throughout: c05, c07, c11, c13, c21, c23
    assert_eq!(differences.len(), 17);
    #[expect(clippy::cast_precision_loss, reason = "17 cases")]
    let expected = 4.0 * differences.iter().sum::<f64>() / differences.len() as f64;
    near(&report["comparisons"][0]["diff"]["mean"], expected, 1e-5);
}

#[test]
fn promptfoos_columns_are_compared_by_prompt_and_judges_that_failed_are_missing() {
    let context = TestContext::new();
    let file = made("promptfoo-0.123.1/ab24.jsonl");
    let refused = verdict(&context, &[&file]).expect(2);
    refused.says(&["there are 4 arms", "demo-small · treatment"]);
    verdict(&context, &[&file, "--by", "prompt"]);
    let report = assert_recomputes(&context);
    assert_eq!(report["meta"]["variants"], json!(["control", "treatment"]));
    // 23 questions that are checked, each asked of two models
    assert_eq!(
        (&report["meta"]["sampleCount"], &report["verdict"]["inputs"]["tasks"]["tasks"]),
        (&json!(46), &json!(23))
    );
    let shown = verdict(
        &context,
        &[&file, "--control", "demo-small · control", "--treatment", "demo-large · treatment", "--details"],
    );
    assert!(shown.stdout.contains("demo-large · treatment"), "{}", shown.stdout);
}

#[test]
fn a_report_of_omk_is_recomputed_and_not_taken_for_another_tools() {
    let project = RecordedProject::new(20, &["v1", "v2"], 1, &[Layer::Fact], |at| fact(ground(at.sample)));
    project.report(1, &[]);
    let report = fs::read_dir(project.context.path("out")).unwrap().next().unwrap().unwrap().path();
    let report = report.to_str().unwrap();
    let shown =
        verdict(&project.context, &[report, "--json"]).expect(1).says(&["is a report of omk: it is recomputed"]);
    assert_eq!(shown.json()["agrees"], true);
    verdict(&project.context, &[report, report]).expect(2).says(&["can't be compared with other files"]);
}

#[test]
fn texts_of_others_are_masked_and_hold_no_control_characters_on_the_terminal() {
    let mut context = TestContext::new();
    context.env("VENDOR_API_KEY", "sk-secret-0123456789");
    let rows: String = (0..8)
        .map(|case| format!("q{case}\u{1b}[2J,a\u{1b}]0;x\u{7},0.5,said sk-secret-0123456789\nq{case}\u{1b}[2J,b,0.7,<script>alert(1)</script>\n"))
        .collect();
    context.write("scores.csv", &format!("id,arm,score,answer\n{rows}"));
    let shown = verdict(&context, &["scores.csv", "--details", "--export", "html=page.html"]);
    assert!(!shown.stdout.contains('\u{1b}') && !shown.stderr.contains('\u{1b}'), "{shown:#?}");
    let stored = fs::read_to_string(context.report_path()).unwrap();
    assert!(!stored.contains("sk-secret") && stored.contains("said "), "{stored}");
    let page = context.read("page.html");
    assert!(!page.contains("<script>alert(1)") && page.contains("&#60;script&#62;alert(1)"), "the answer is escaped");
}

#[test]
fn help_names_every_format_in_both_languages() {
    let context = TestContext::new();
    for lang in ["en", "zh"] {
        let help = verdict(&context, &["--help", "--lang", lang]).expect(0).stdout;
        for format in eval_results::RESULT_FORMATS {
            assert!(help.contains(format.name), "{lang}: `{}` is not in {help}", format.name);
        }
    }
}

/// A file of results that grows is looked at once more each time; other results under the same names are another comparison.
#[test]
fn results_that_grow_are_looked_at_again() {
    let context = TestContext::new();
    let number = |name: &str| {
        let report = verdict(&context, &[name, "--report-only", "--output-dir", "out", "--json"]).json();
        1 + report["meta"]["earlierComparisons"].as_u64().unwrap_or(0)
    };
    gained(&context, "rows.csv", 24);
    assert_eq!(number("rows.csv"), 1);
    assert_eq!(number("rows.csv"), 1, "the very scores");
    gained(&context, "rows.csv", 32);
    assert_eq!(number("rows.csv"), 2);
    gained(&context, "rows.csv", 40);
    assert_eq!(number("rows.csv"), 3);
    let latest = fs::read_dir(context.path("out")).unwrap().map(|of| of.unwrap().path()).max().unwrap();
    let again = context.run(&["report", "verdict", latest.to_str().unwrap(), "--json"]).json();
    assert_eq!(again["agrees"], true, "{again:#}");
    table(&context, "rows.csv", 48, |case| [ground(case) + 1, ground(case) + 3].map(hundredths));
    assert_eq!(number("rows.csv"), 1, "another treatment and control by the same names");
}

/// A scale chosen after looking makes a loss small: the earlier report is named.
#[test]
fn a_scale_chosen_after_looking_is_named() {
    let context = TestContext::new();
    let fall = |case: usize| [0, 25, 10, 15, 5][case % 5];
    table(&context, "r.csv", 80, |case| [ground(case), ground(case) - fall(case)].map(hundredths));
    let report = |flags: &[&str]| {
        verdict(&context, &[&["r.csv", "--output-dir", "out", "--report-only", "--json"], flags].concat())
            .expect(0)
            .json()
    };
    let first = report(&[]);
    assert_eq!(tier(&first), "REGRESS");
    let wide = report(&["--scale", "0..5", "--yes", "--goal", "not-worse"]);
    assert_eq!((tier(&wide), &wide["meta"]["earlierReadings"][0]["report"]), ("UNDERPOWERED", &first["id"]));
    assert!(reasons(&wide, 0).contains(&"report-why-read-before".to_owned()), "{:?}", reasons(&wide, 0));
    let changed = &wide["verdict"]["inputs"]["treatments"][0]["earlierReading"]["changed"];
    assert_eq!(changed["--scale"], json!(["[0.0,1.0]", "[0.0,5.0]"]), "{changed}");
    assert_eq!(wide["meta"].get("earlierComparisons"), None, "the very scores of the first");
}
