//! Enough samples, repeats and opinions (T8, T13, seed 000's variance analysis), and samples that are held out.

use std::collections::BTreeMap;
use std::fs;

use eval_report::contract::Report;
use eval_spec::{Layer, Outcome};
use serde_json::{Value, json};

use crate::fixtures::context::TestContext;
use crate::fixtures::recorded::{At, Prepared, checked, ended, fact};

/// The control's hundredths: between 66 and 85.
fn ground(sample: usize) -> u32 {
    66 + u32::try_from(sample * 7 % 20).unwrap()
}

/// Differences of −10 to +15 hundredths around some 2.
fn wide(sample: usize) -> (u32, u32) {
    let moved = [15, -10, 12, -8, 2, 9, -5];
    (ground(sample), ground(sample).saturating_add_signed(moved[sample % 7]))
}

fn underpowered(samples: usize) -> Prepared {
    Prepared::pairs(&(0..samples).map(wide).collect::<Vec<_>>())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[track_caller]
fn near(found: &Value, expected: f64, tolerance: f64) {
    let found = number(found);
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} ± {tolerance}");
}

fn reasons(report: &Value) -> Vec<String> {
    let reasons = report["verdict"]["perTreatment"][0]["reasons"].as_array().unwrap();
    reasons.iter().map(|reason| reason["messageKey"]["id"].as_str().unwrap().to_owned()).collect()
}

fn tier(report: &Value) -> &str {
    report["verdict"]["tier"].as_str().unwrap()
}

/// Han, kana and full-width forms take two.
fn columns(line: &str) -> usize {
    line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

/// Without line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a terminal of 80 columns shows, in both languages; no line is wider.
#[track_caller]
fn shown(context: &TestContext, arguments: &[&str], code: i32) -> [String; 2] {
    ["en", "zh"].map(|lang| {
        let text = context.run(&[arguments, &["--lang", lang]].concat()).expect(code).stdout;
        text.lines().for_each(|line| assert!(columns(line) <= 80, "{line}"));
        text
    })
}

// ---- T13: saturation

#[test]
fn t13_the_curve_is_that_of_student_s_interval_and_says_when_it_will_be_narrow_enough() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    assert_eq!(tier(&report), "UNDERPOWERED");
    let curve = &report["analysis"]["saturation"][0];
    assert_eq!((&curve["control"], &curve["treatment"], &curve["n"]), (&json!("v1"), &json!("v2"), &json!(24)));
    let windows = curve["windows"].as_array().unwrap();
    let sizes: Vec<u64> = windows.iter().map(|window| window["n"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [7, 9, 12, 15, 19, 24], "a quarter more each time");
    // scipy.stats.t.ppf(0.975, 23)
    let sd = number(&report["comparisons"][0]["diff"]["sd"]);
    let width = 2.0 * 2.068_657_610_419_040_6 * sd / 24_f64.sqrt();
    near(&windows[5]["width"], width, 1e-9);
    near(&windows[5]["expected"], width, 1e-9);
    near(&windows[5]["shrink"], 1.0 - width / number(&windows[4]["width"]), 1e-9);
    // the normal quantile, and a little for Student's
    let normal = (1.959_963_985 * sd / 0.1).powi(2);
    near(&curve["pairsForMinEffect"], normal, 4.0);
    assert_eq!(curve["saturated"], json!(false));
    // the order is drawn from the seed
    let other = prepared.report(1, &["--min-effect", "0.1", "--seed", "5"]);
    assert_ne!(other["analysis"]["saturation"][0]["windows"][0], windows[0]);
    assert_eq!(other["analysis"]["saturation"][0]["windows"][5]["width"], windows[5]["width"]);
}

#[test]
fn t13_the_verdict_reads_it_and_says_whether_more_samples_would_help() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    let needed = report["analysis"]["saturation"][0]["pairsForMinEffect"].as_u64().unwrap();
    let read = &report["verdict"]["inputs"]["treatments"][0]["saturation"];
    assert_eq!(*read, json!({"saturated": false, "pairsForMinEffect": needed}));
    assert_eq!(reasons(&report), ["report-why-wide", "report-why-more"]);
    // it moves no tier, whatever it says
    let whole: Report = serde_json::from_value(report).unwrap();
    for (saturated, pairs, reason) in [
        (Some(true), Some(30), "report-why-saturated"),
        (None, Some(1_000_000), "report-why-more-hopeless"),
        (None, Some(12), "report-why-more-border"),
        (Some(false), None, "report-why-wide"),
    ] {
        let mut inputs = whole.verdict.inputs.clone();
        let saturation = inputs.treatments[0].saturation.as_mut().unwrap();
        (saturation.saturated, saturation.pairs_for_min_effect) = (saturated, pairs);
        let again = eval_report::verdict(&inputs);
        assert_eq!((again.tier, again.exit_code), (whole.verdict.tier, whole.verdict.exit_code));
        assert_eq!(again.per_treatment[0].reasons.last().unwrap().message_key.id, reason);
    }
}

#[test]
fn t13_too_few_and_equal_differences_have_no_curve_but_a_reason() {
    for (prepared, reason) in
        [(underpowered(5), "report-saturation-few"), (Prepared::pairs(&[(50, 60); 24]), "report-saturation-variance")]
    {
        let output = prepared.eval(&["--json", "--report-only"]).expect(0).json();
        let curve = &output["analysis"]["saturation"][0];
        assert_eq!((&curve["windows"], &curve["saturated"]), (&json!([]), &json!(null)));
        assert_eq!(curve["why"]["messageKey"]["id"], reason);
    }
    let solo = Prepared::new(8, &["v1"], 1, &[Layer::Fact], |at| fact(ground(at.sample)));
    assert_eq!(solo.report(0, &[])["analysis"]["saturation"], json!(null), "nothing to compare");
}

// ---- T7, T8: how many samples

#[test]
fn t8_the_samples_asked_for_hold_for_the_level_that_the_verdict_reads() {
    let came = |at: At| {
        let moved = [0, 6, 1, 4][(at.sample * 3 + at.variant * 5) % 4];
        fact(ground(at.sample) + moved + u32::from(at.variant > 0))
    };
    let one = Prepared::new(24, &["v1", "v2"], 1, &[Layer::Fact], came).report(1, &["--min-effect", "0.02"]);
    let three = Prepared::new(24, &["v1", "v2", "v3", "v4"], 1, &[Layer::Fact], came);
    let three = three.report(1, &["--min-effect", "0.02"]);
    let [alone, among] = [&one, &three].map(|report| report["comparisons"][0]["power"].clone());
    near(&alone["alpha"], 0.05, 1e-12);
    let alpha = number(&among["alpha"]);
    assert!((0.05 / 3.0..0.04).contains(&alpha), "{alpha} lies between one alone and Bonferroni");
    let pairs = |power: &Value, what: &str| power[what].as_u64().unwrap();
    for what in ["pairsForMinEffect", "pairsForObserved"] {
        assert!(pairs(&among, what) > pairs(&alone, what), "{what}: {among} {alone}");
    }
    assert!(number(&among["minimumDetectable"]) > number(&alone["minimumDetectable"]));
    // (z_{1−α/2} + z_{0.8})² s²/δ², and the two or so that Student's t asks for
    let sd = number(&one["comparisons"][0]["diff"]["sd"]);
    let normal = |difference: f64| ((1.959_963_985 + 0.841_621_234) * sd / difference).powi(2);
    near(&alone["pairsForMinEffect"], normal(0.02), 4.0);
    near(&alone["pairsForObserved"], normal(number(&one["comparisons"][0]["diff"]["mean"])), 4.0);
}

#[test]
fn t8_what_is_undecided_says_how_many_samples_would_decide() {
    let prepared = underpowered(24);
    let report = prepared.report(1, &["--min-effect", "0.1"]);
    let power = &report["comparisons"][0]["power"];
    let advice = &report["analysis"]["suggestions"][0];
    assert_eq!(advice["type"], "add_samples");
    let text = advice["message"].as_str().unwrap();
    for what in ["pairsForMinEffect", "pairsForObserved"] {
        assert!(text.contains(&format!("with {}", power[what])), "{what} {} is not in: {text}", power[what]);
    }
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest"], 1);
    assert!(flat(&english).contains("more samples would help: with the spread seen so far"), "{english}");
    assert!(chinese.contains("增加用例有帮助"), "{chinese}");
}

// ---- --dry-run

fn plan(prepared: &Prepared, flags: &[&str]) -> Value {
    prepared.eval(&[&["--dry-run", "--json"], flags].concat()).expect(0).json()
}

#[test]
fn t8_a_dry_run_knows_the_spread_of_an_earlier_report_of_the_same_test_set() {
    let prepared = underpowered(24);
    assert_eq!(plan(&prepared, &[])["power"], json!(null), "there is none yet");
    let none = prepared.eval(&["--dry-run"]).expect(0);
    assert!(!none.stdout.contains("80 %") && none.stderr.is_empty(), "{none:?}");
    prepared.eval(&["--report-only"]).expect(0);
    let report = prepared.context.report();
    let power = plan(&prepared, &[])["power"].clone();
    assert_eq!((&power["report"], &power["unchangedSamples"]), (&report["id"], &json!(null)));
    let (of, seen) = (&power["treatments"][0], &report["comparisons"][0]);
    assert_eq!((&of["treatment"], &of["known"], &of["samples"]), (&json!("v2"), &json!(true), &json!(24)));
    assert_eq!((&of["sd"], &of["observed"]), (&seen["diff"]["sd"], &seen["diff"]["mean"]));
    assert_eq!(of["minimumDetectable"], seen["power"]["minimumDetectable"]);
    assert_eq!(of["neededForMinEffect"], seen["power"]["pairsForMinEffect"]);
    assert_eq!(of["neededForObserved"], seen["power"]["pairsForObserved"]);
    let arguments = ["eval", "--variants", "v1,v2", "--executor", "replay", "--recordings", "recordings", "--dry-run"];
    let [english, chinese] = shown(&prepared.context, &arguments, 0);
    assert!(english.contains("80 % power") && chinese.contains("检验功效 80 %"), "{english}{chinese}");
    // two treatments share the risk
    prepared.context.write("skills/v3.md", "another");
    let two = ["eval", "--variants", "v1,v2,v3", "--executor", "replay", "--recordings", "recordings", "--dry-run"];
    let two = prepared.context.run(&[&two[..], &["--json"]].concat()).expect(0).json();
    let treatments = two["power"]["treatments"].as_array().unwrap();
    assert_eq!((&treatments[0]["known"], &treatments[1]["known"]), (&json!(true), &json!(false)));
    near(&treatments[1]["alpha"], 0.025, 1e-12);
    assert_eq!(treatments[1]["neededForObserved"], json!(null), "nobody saw its difference");
}

#[test]
fn t8_a_dry_run_says_when_the_test_set_was_another_one() {
    let prepared = underpowered(24);
    prepared.eval(&["--report-only"]).expect(0);
    let path = prepared.context.path("eval-samples.json");
    let mut samples: Vec<Value> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    samples[0]["prompt"] = json!("another question");
    samples.pop();
    fs::write(&path, json!(samples).to_string()).unwrap();
    assert_eq!(plan(&prepared, &[])["power"]["unchangedSamples"], json!(22));
    let text = prepared.eval(&["--dry-run"]).expect(0).stdout;
    assert!(flat(&text).contains("22 of 23 samples are unchanged"), "{text}");
    // a test set with which it has little in common is another project's
    samples.truncate(23);
    samples.iter_mut().take(13).for_each(|sample| sample["prompt"] = json!("something else"));
    fs::write(&path, json!(samples).to_string()).unwrap();
    assert_eq!(plan(&prepared, &[])["power"], json!(null));
}

#[test]
fn t8_a_broken_report_costs_one_line_and_no_more() {
    let prepared = underpowered(24);
    prepared.eval(&["--report-only"]).expect(0);
    let reports = prepared.context.home().join("reports");
    let whole = fs::read(prepared.context.report_path()).unwrap();
    fs::write(reports.join("x-cut.json"), &whole[..whole.len() / 2]).unwrap();
    fs::write(reports.join("x-empty.json"), "").unwrap();
    fs::write(reports.join("x-garbage.json"), [0xff; 100]).unwrap();
    fs::write(reports.join("x-deep.json"), "[".repeat(100_000)).unwrap();
    fs::write(reports.join("other.json"), "{\"name\": \"no report\"}").unwrap();
    fs::write(reports.join("notes.txt"), "no report").unwrap();
    fs::create_dir(reports.join("directory.json")).unwrap();
    let dry = prepared.eval(&["--dry-run"]).expect(0);
    assert_eq!(dry.stderr.lines().count(), 1, "{}", dry.stderr);
    assert!(dry.stdout.contains("80 % power"), "the whole one still counts: {}", dry.stdout);
    assert_ne!(plan(&prepared, &[])["power"], json!(null));
}

// ---- --repeat

const RUNS: usize = 4;

fn hundredths(at: At) -> u32 {
    let wobble = [0, 5, 2, 9, 4, 7][(at.sample * 5 + at.variant * 3 + at.repeat as usize * 7) % 6];
    ground(at.sample) - 10 + wobble + if at.variant == 0 { 0 } else { [4, 0, 9][(at.sample + at.variant) % 3] }
}

fn repeated(variants: &[&str]) -> Prepared {
    Prepared::new(10, variants, u32::try_from(RUNS).unwrap(), &[Layer::Fact], |at| fact(hundredths(at)))
}

fn points(sample: usize, variant: usize, repeat: usize) -> f64 {
    let repeat = u32::try_from(repeat).unwrap();
    1.0 + 0.04 * f64::from(hundredths(At { sample, variant, repeat }))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

#[test]
fn repeats_show_runs_and_samples_side_by_side_and_which_of_them_decides() {
    let report = repeated(&["v1", "v2", "v3"]).report(0, &["--report-only", "--threshold", "1"]);
    let block = &report["variance"];
    for name in ["v1", "v2", "v3"] {
        let (by_run, summary) = (&block["perVariant"][name], &report["summary"][name]);
        assert_eq!(by_run["scores"].as_array().unwrap().len(), RUNS);
        assert_eq!(by_run["bySample"]["ci"], summary["ci"]);
        assert_eq!(by_run["bySample"]["mean"], summary["avgCompositeScore"]);
        assert_eq!(by_run["bySample"]["n"], json!(10));
    }
    let pairs = block["comparisons"].as_array().unwrap();
    let names: Vec<_> = pairs.iter().map(|of| (of["a"].as_str().unwrap(), of["b"].as_str().unwrap())).collect();
    assert_eq!(names, [("v1", "v2"), ("v1", "v3"), ("v2", "v3")]);
    for (of, comparison) in pairs.iter().zip(report["comparisons"].as_array().unwrap()) {
        let by_sample = &of["bySample"];
        assert_eq!(by_sample["decides"], json!(true));
        assert_eq!((&by_sample["ci"], &by_sample["mean"]), (&comparison["diff"]["ci"], &comparison["diff"]["mean"]));
        assert_eq!(by_sample["pValue"], comparison["diff"]["pValueAdjusted"]);
    }
    // two treatments: nothing is decided about them, and their interval is their own
    let between = &pairs[2]["bySample"];
    let d: Vec<f64> =
        (0..10).map(|s| (0..RUNS).map(|r| points(s, 2, r) - points(s, 1, r)).sum::<f64>() / RUNS as f64).collect();
    near(&between["mean"], mean(&d), 1e-9);
    assert_eq!((&between["decides"], &between["ci"]["family"]), (&json!(false), &json!(1)));
}

/// The textbook's one-way analysis of variance of a balanced design.
fn anova(groups: &[Vec<f64>]) -> (f64, f64) {
    let within = mean(&groups.iter().map(|group| variance(group)).collect::<Vec<_>>());
    let between = RUNS as f64 * variance(&groups.iter().map(|group| mean(group)).collect::<Vec<_>>());
    (((between - within) / RUNS as f64).max(0.0), within)
}

#[test]
fn the_shares_of_variance_are_those_of_the_analysis_of_variance() {
    let report = repeated(&["v1", "v2"]).report(0, &["--report-only", "--threshold", "1"]);
    let of_variant: Vec<Vec<f64>> = (0..10).map(|s| (0..RUNS).map(|r| points(s, 0, r)).collect()).collect();
    let of_difference: Vec<Vec<f64>> =
        (0..10).map(|s| (0..RUNS).map(|r| points(s, 1, r) - points(s, 0, r)).collect()).collect();
    for (groups, shares) in [
        (of_variant, &report["variance"]["perVariant"]["v1"]["shares"]),
        (of_difference, &report["comparisons"][0]["shares"]),
    ] {
        let (samples, repeats) = anova(&groups);
        near(&shares["samples"]["variance"], samples, 1e-9);
        near(&shares["repeats"]["variance"], repeats, 1e-9);
        near(&shares["samples"]["share"], samples / (samples + repeats), 1e-9);
        assert_eq!((&shares["n"], &shares["runsPerSample"]), (&json!(10), &json!(4.0)));
        assert_eq!(shares["opinions"]["why"]["messageKey"]["id"], "report-shares-unjudged");
        // Var = (σ²_s + σ²_r/r)/n
        let of = |n: f64, r: f64| ((samples + repeats / r) / n).sqrt();
        near(&shares["withTwice"]["samples"], of(20.0, 4.0) / of(10.0, 4.0), 1e-9);
        near(&shares["withTwice"]["repeats"], of(10.0, 8.0) / of(10.0, 4.0), 1e-9);
        assert_eq!(shares["withTwice"]["opinions"], json!(null));
    }
    // one run tells nothing of repeats
    let once = underpowered(8).report(1, &[]);
    let shares = &once["comparisons"][0]["shares"];
    assert_eq!(shares["repeats"]["why"]["messageKey"]["id"], "report-shares-one-run");
    assert_eq!((&shares["samples"]["share"], &once["variance"]), (&json!(1.0), &json!(null)));
}

#[test]
fn repeats_say_in_a_few_lines_what_more_of_each_would_do() {
    let came = |at: At| {
        let moved = [3, 9, 0, 7, 5][(at.sample + at.variant + at.repeat as usize * 2) % 5];
        fact(60 + moved + u32::try_from(at.variant).unwrap())
    };
    let prepared = Prepared::new(8, &["v1", "v2"], 3, &[Layer::Fact], came);
    let report = prepared.report(1, &["--min-effect", "0.01"]);
    assert_eq!(tier(&report), "UNDERPOWERED");
    let kinds = |of: &Value| of["type"].as_str().unwrap().to_owned();
    let kinds: Vec<String> = report["analysis"]["suggestions"].as_array().unwrap().iter().map(kinds).collect();
    assert_eq!(kinds, ["add_samples", "narrow_interval"]);
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest"], 1);
    for text in ["3 runs of each sample", "whole runs:", "over samples, which the verdict", "between repeats"] {
        assert!(flat(&english).contains(text), "{text}: {english}");
    }
    assert!(chinese.contains("每个用例运行 3 次") && chinese.contains("重复之间"), "{chinese}");
    let once = underpowered(8).eval(&["--report-only"]).expect(0).stdout;
    assert!(!once.contains("whole runs"), "{once}");
}

// ---- --holdout

/// Which samples a report holds out, by id.
fn held_out(report: &Value) -> BTreeMap<String, bool> {
    let results = report["results"].as_array().unwrap();
    let flag = |of: &Value| of["holdout"].as_bool().unwrap_or(false);
    results.iter().map(|of| (of["sample_id"].as_str().unwrap().to_owned(), flag(of))).collect()
}

/// Which of 40 samples are held out, without anything that was measured.
fn parts(share: &str) -> Vec<bool> {
    let report = Prepared::pairs(&[(50, 60); 40]).report(0, &["--holdout", share, "--report-only"]);
    held_out(&report).into_values().collect()
}

/// 40 samples, the control at its ground; `gain` by whether a sample is held out.
fn tuned(gain: impl Fn(usize, bool) -> i32) -> Prepared {
    let parts = parts("0.4");
    let pair = |(i, held): (usize, &bool)| (ground(i), ground(i).saturating_add_signed(gain(i, *held)));
    Prepared::pairs(&parts.iter().enumerate().map(pair).collect::<Vec<_>>())
}

#[test]
fn holdout_membership_follows_from_seed_and_id_alone() {
    let sample = |id: &str, text: &str| json!({"sample_id": id, "prompt": text, "assertions": [{"type": "min_length", "value": 1}]});
    let report = |samples: Vec<Value>, flags: &[&str]| {
        let prepared = Prepared::with_samples(json!(samples), &["v1", "v2"], 1, |_| fact(50));
        held_out(&prepared.report(0, &[&["--report-only", "--holdout", "0.4"], flags].concat()))
    };
    let ids: Vec<String> = (0..30).map(|i| format!("case-{i}")).collect();
    let all = report(ids.iter().map(|id| sample(id, id)).collect(), &[]);
    let held = all.values().filter(|held| **held).count();
    assert!((4..=20).contains(&held), "{held} of 30");
    // others come, go, are edited and move: another test set, so another seed of the run, and the same parts
    let mut fewer: Vec<Value> = ids.iter().rev().step_by(2).map(|id| sample(id, "an edited question")).collect();
    fewer.push(sample("new", "new"));
    let other = report(fewer, &[]);
    assert!(other.iter().filter(|(id, _)| *id != "new").all(|(id, held)| all[id] == *held));
    // only a seed that is given deals anew
    let seeded = report(ids.iter().map(|id| sample(id, id)).collect(), &["--seed", "1"]);
    assert_ne!(seeded, all);
}

#[test]
fn holdout_a_gain_that_is_not_there_on_the_held_out_samples_is_no_progress() {
    let gain = |i: usize| [10, 4, 8, 12, 6][i % 5];
    let everywhere = tuned(|i, _| gain(i));
    let report = everywhere.report(0, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(tier(&report), "PROGRESS", "{:?}", reasons(&report));
    let block = &report["holdout"];
    assert_eq!((&block["share"], &block["seed"]), (&json!(0.4), &json!(0)));
    let parts = parts("0.4");
    let of = |wanted: bool| -> Vec<f64> {
        (0..40).filter(|i| parts[*i] == wanted).map(|i| 0.04 * f64::from(gain(i))).collect()
    };
    let (train, held) = (of(false), of(true));
    let compared = &block["comparisons"][0];
    for (part, values) in [("train", &train), ("heldOut", &held)] {
        assert_eq!(compared[part]["n"], json!(values.len()));
        assert_eq!(block[part], json!(values.len()));
        near(&compared[part]["mean"], mean(values), 1e-9);
    }
    near(&compared["gap"], mean(&train) - mean(&held), 1e-9);
    // Welch: the middle is the gap, and half of it some two standard errors
    let (low, high) = (number(&compared["gapCi"]["low"]), number(&compared["gapCi"]["high"]));
    assert!(((low + high) / 2.0 - number(&compared["gap"])).abs() < 1e-9);
    let error = (variance(&train) / train.len() as f64 + variance(&held) / held.len() as f64).sqrt();
    let reach = (high - low) / 2.0 / error;
    assert!((2.02..2.15).contains(&reach), "t with some 30 degrees of freedom, not {reach}");

    let only_train = tuned(|i, held| if held { [-1, 0, 1, 0, -2][i % 5] } else { gain(i) + 6 });
    let report = only_train.report(1, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(reasons(&report), ["report-why-above", "report-doubt-holdout", "report-doubt-gap"]);
    assert_eq!(report["analysis"]["suggestions"][0]["type"], "tune_less");
    assert_eq!(
        report["verdict"]["inputs"]["treatments"][0]["holdout"]["gap"]["low"],
        report["holdout"]["comparisons"][0]["gapCi"]["low"]
    );
    let without = only_train.report(0, &["--threshold", "3"]);
    assert_eq!((tier(&without), &without["holdout"]), ("PROGRESS", &json!(null)), "nothing else was in the way");

    let shrinks = tuned(|i, held| if held { 2 + i32::try_from(i % 3).unwrap() } else { gain(i) + 6 });
    let report = shrinks.report(1, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(reasons(&report), ["report-why-above", "report-doubt-gap"]);

    let [english, chinese] = shown(&only_train.context, &["eval", "--resume", "latest", "--holdout", "0.4"], 1);
    for text in ["held out: ", "on the others: ", "gap: "] {
        assert!(english.contains(text), "{text}: {english}");
    }
    assert!(chinese.contains("留出用例：") && chinese.contains("差距："), "{chinese}");
}

#[test]
fn holdout_never_makes_a_verdict_better() {
    // the gain is on the held-out samples only
    let prepared = tuned(|i, held| if held { 12 + i32::try_from(i % 3).unwrap() } else { [-6, 5, 1, -4][i % 4] });
    let with = prepared.report(0, &["--holdout", "0.4", "--threshold", "3", "--report-only"]);
    let without = prepared.report(0, &["--threshold", "3", "--report-only"]);
    assert_eq!((tier(&with), reasons(&with)), (tier(&without), reasons(&without)));
    assert!(number(&with["holdout"]["comparisons"][0]["gapCi"]["high"]) < 0.0);
}

#[test]
fn holdout_too_few_samples_are_told_and_nothing_is_guessed() {
    let prepared = Prepared::pairs(
        &(0..24).map(|i| (ground(i), ground(i) + 5 + u32::try_from(i % 4).unwrap())).collect::<Vec<_>>(),
    );
    let report = prepared.report(1, &["--holdout", "0.001", "--threshold", "3"]);
    let of = &report["holdout"]["comparisons"][0];
    assert_eq!((&of["gap"], &of["gapCi"], &of["heldOut"]["n"]), (&json!(null), &json!(null), &json!(0)));
    assert_eq!(of["why"]["messageKey"]["id"], "report-holdout-few");
    assert_eq!(tier(&report), "CAUTIOUS", "whoever asked for a holdout has none");
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest", "--holdout", "0.001"], 1);
    assert!(english.contains("fewer than two pairs") && chinese.contains("不足两对"), "{english}{chinese}");
}

#[test]
fn holdout_is_kept_by_a_run_that_goes_on_and_can_be_asked_for_later() {
    let prepared = tuned(|i, _| [10, 4, 8, 12, 6][i % 5]);
    prepared.eval(&["--holdout", "0.4", "--report-only"]).expect(0);
    let first = prepared.context.report();
    prepared.context.run(&["eval", "--resume", "latest"]).expect(0);
    assert_eq!(prepared.context.report(), first);
    prepared.context.run(&["eval", "--resume", "latest", "--holdout", "0.6"]).expect(0);
    let later = prepared.context.report();
    assert_eq!(later["holdout"]["share"], json!(0.6));
    assert_eq!(later["meta"]["settings"]["holdout"], json!(0.6));
    let (before, after) = (held_out(&first), held_out(&later));
    assert!(before.iter().all(|(id, held)| !held || after[id]), "what was held out stays so");
    let graded = prepared.context.run(&["eval", "--regrade", "latest", "--json"]).expect(0).json();
    assert_eq!(held_out(&graded), before, "with the settings that the run began with");
    prepared.context.run(&["report", "verdict", first["id"].as_str().unwrap()]).expect(0);
}

#[test]
fn holdout_leaves_tripwires_alone_and_fits_blind_and_solo_reports() {
    let sample = |i: usize| {
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "tripwire": i.is_multiple_of(4),
            "assertions": [{"type": "contains", "value": "alpha", "weight": 3}, {"type": "contains", "value": "bravo"}]})
    };
    let samples: Value = (0..24).map(sample).collect();
    let came = |at: At| fact([37, 69, 32, 0][(at.sample * 3 + at.variant) % 4]);
    let prepared = Prepared::with_samples(samples.clone(), &["v1", "v2"], 1, came);
    let report = prepared.report(0, &["--holdout", "0.5", "--blind", "--report-only"]);
    let block = &report["holdout"];
    assert_eq!(block["train"].as_u64().unwrap() + block["heldOut"].as_u64().unwrap(), 18, "six are tripwires");
    assert!(held_out(&report).iter().all(|(id, held)| !held || id[1..].parse::<u32>().unwrap() % 4 > 0));
    assert_eq!(block["comparisons"][0]["treatment"], report["comparisons"][0]["treatment"]);
    let names: Vec<&String> = block["perVariant"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Variant A", "Variant B"]);
    assert!(!block.to_string().contains("v1") && !report["analysis"].to_string().contains("v2"));
    let solo = Prepared::with_samples(samples, &["v1"], 1, came);
    let report = solo.report(0, &["--holdout", "0.5", "--report-only"]);
    assert_eq!(report["holdout"]["comparisons"], json!([]));
    let means = &report["holdout"]["perVariant"]["v1"];
    assert_eq!(means["train"]["n"].as_u64().unwrap() + means["heldOut"]["n"].as_u64().unwrap(), 18);
    shown(&solo.context, &["eval", "--resume", "latest", "--holdout", "0.5", "--report-only"], 0);
}

#[test]
fn holdout_wants_a_share_between_0_and_1() {
    let prepared = underpowered(6);
    for share in ["0", "1", "-0.1", "1.5", "NaN"] {
        let refused = prepared.eval(&["--holdout", share]).expect(2);
        assert!(refused.stderr.contains("holdout"), "{share}: {}", refused.stderr);
    }
    assert!(prepared.context.reports().is_empty());
}

// ---- what isn't whole, and what is the same

#[test]
fn an_incomplete_run_has_the_blocks_of_what_there_is() {
    let came = |at: At| match (at.sample, at.variant) {
        (0..3, 1) => ended(Outcome::Refused),
        (3, _) => crate::fixtures::recorded::Came::Failed(eval_spec::Failure::Crashed),
        _ => fact(hundredths(at)),
    };
    let prepared = Prepared::new(12, &["v1", "v2"], 2, &[Layer::Fact], came);
    let report = prepared.report(3, &["--holdout", "0.5", "--max-failure-rate", "0.01", "--retry", "0"]);
    assert_eq!(report["status"], "incomplete");
    assert_eq!(report["comparisons"][0]["n"], json!(8));
    assert_eq!(report["comparisons"][0]["shares"]["n"], json!(8));
    assert_eq!(report["analysis"]["saturation"][0]["n"], json!(8));
    let compared = &report["holdout"]["comparisons"][0];
    assert_eq!(compared["train"]["n"].as_u64().unwrap() + compared["heldOut"]["n"].as_u64().unwrap(), 8);
    assert_eq!(report["variance"]["comparisons"][0]["bySample"]["n"], json!(8));
    let nothing = Prepared::new(4, &["v1", "v2"], 2, &[Layer::Fact], |_| ended(Outcome::Refused));
    let report = nothing.report(3, &["--holdout", "0.5"]);
    assert_eq!(report["comparisons"][0]["n"], json!(0));
    assert_eq!(report["comparisons"][0]["power"]["pairsForObserved"], json!(null));
}

#[test]
fn must_show_4_the_same_report_on_1_and_on_16_threads_is_the_same_bytes() {
    let prepared = Prepared::new(60, &["v1", "v2", "v3"], 3, &[Layer::Fact], |at| match at.sample {
        7 => ended(Outcome::Refused),
        _ => fact(hundredths(at)),
    });
    let flags = ["--holdout", "0.3", "--seed", "11", "--report-only"];
    prepared.eval(&flags).expect(0);
    let path = prepared.context.report_path();
    let on = |threads: &str| {
        fs::remove_file(&path).unwrap();
        let mut command = prepared.context.command(&["eval", "--resume", "latest"]);
        let output = command.env("RAYON_NUM_THREADS", threads).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        (fs::read(&path).unwrap(), output.stdout)
    };
    let (one, sixteen) = (on("1"), on("16"));
    assert!(one == sixteen, "the reports differ");
    checked(&path);
}
