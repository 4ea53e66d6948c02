//! `--holdout`: samples that check a gain.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{mean, shown, underpowered, variance};
use crate::fixtures::recorded::{CellIndex, RecordedProject, fact};
use crate::fixtures::scores::{ground, near, number, reasons, tier};

/// Whether each sample is held out, by id.
fn held_out(report: &Value) -> BTreeMap<String, bool> {
    let results = report["results"].as_array().unwrap();
    let flag = |of: &Value| of["holdout"].as_bool().unwrap_or(false);
    results.iter().map(|of| (of["sample_id"].as_str().unwrap().to_owned(), flag(of))).collect()
}

/// Which of 40 samples are held out, without any measurement.
fn parts(share: &str) -> Vec<bool> {
    let report = RecordedProject::pairs(&[(50, 60); 40]).report(0, &["--holdout", share, "--report-only"]);
    held_out(&report).into_values().collect()
}

/// 40 samples with known control scores; `gain` by sample and whether it is held out.
fn tuned(gain: impl Fn(usize, bool) -> i32) -> RecordedProject {
    let parts = parts("0.4");
    let pair = |(i, held): (usize, &bool)| (ground(i), ground(i).saturating_add_signed(gain(i, *held)));
    RecordedProject::pairs(&parts.iter().enumerate().map(pair).collect::<Vec<_>>())
}

#[test]
fn membership_depends_only_on_seed_and_id() {
    let sample = |id: &str, text: &str| json!({"sample_id": id, "prompt": text, "assertions": [{"type": "min_length", "value": 1}]});
    let report = |samples: Vec<Value>, flags: &[&str]| {
        let prepared = RecordedProject::with_samples(json!(samples), &["v1", "v2"], 1, |_| fact(50));
        held_out(&prepared.report(0, &[&["--report-only", "--holdout", "0.4"], flags].concat()))
    };
    let ids: Vec<String> = (0..30).map(|i| format!("case-{i}")).collect();
    let all = report(ids.iter().map(|id| sample(id, id)).collect(), &[]);
    let held = all.values().filter(|held| **held).count();
    assert!((4..=20).contains(&held), "{held} of 30");
    // Added, removed, edited and moved samples make another test set and thus another seed of the run, but the same
    // partition.
    let mut fewer: Vec<Value> =
        ids.iter().rev().step_by(2).map(|id| sample(id, &format!("an edited question, {id}"))).collect();
    fewer.push(sample("new", "new"));
    let other = report(fewer, &[]);
    assert!(other.iter().filter(|(id, _)| *id != "new").all(|(id, held)| all[id] == *held));
    // Only an explicit seed changes the partition.
    let seeded = report(ids.iter().map(|id| sample(id, id)).collect(), &["--seed", "1"]);
    assert_ne!(seeded, all);
}

#[test]
fn gain_missing_on_the_holdout_is_no_progress() {
    let gain = |i: usize| [10, 4, 8, 12, 6][i % 5];
    let everywhere = tuned(|i, _| gain(i));
    let report = everywhere.report(0, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(tier(&report), "PROGRESS", "{:?}", reasons(&report, 0));
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
    // Welch: the interval is centred at the gap, and its half-width is about two standard errors.
    let (low, high) = (number(&compared["gapCi"]["low"]), number(&compared["gapCi"]["high"]));
    assert!(((low + high) / 2.0 - number(&compared["gap"])).abs() < 1e-9);
    let error = (variance(&train) / train.len() as f64 + variance(&held) / held.len() as f64).sqrt();
    let reach = (high - low) / 2.0 / error;
    assert!((2.02..2.15).contains(&reach), "t with some 30 degrees of freedom, not {reach}");

    let only_train = tuned(|i, held| if held { [-1, 0, 1, 0, -2][i % 5] } else { gain(i) + 6 });
    let report = only_train.report(1, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(tier(&report), "CAUTIOUS");
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-holdout", "report-doubt-gap"]);
    assert_eq!(report["analysis"]["suggestions"][0]["type"], "tune_less");
    assert_eq!(
        report["verdict"]["inputs"]["treatments"][0]["holdout"]["gap"]["low"],
        report["holdout"]["comparisons"][0]["gapCi"]["low"]
    );
    let without = only_train.report(0, &["--threshold", "3"]);
    assert_eq!((tier(&without), &without["holdout"]), ("PROGRESS", &json!(null)), "nothing else was in the way");

    let shrinks = tuned(|i, held| if held { 2 + i32::try_from(i % 3).unwrap() } else { gain(i) + 6 });
    let report = shrinks.report(1, &["--holdout", "0.4", "--threshold", "3"]);
    assert_eq!(reasons(&report, 0), ["report-why-above", "report-doubt-gap"]);

    let [english, chinese] = shown(&only_train.context, &["eval", "--resume", "latest", "--holdout", "0.4"], 1);
    for text in ["held out: ", "on the others: ", "gap: "] {
        assert!(english.contains(text), "{text}: {english}");
    }
    assert!(chinese.contains("留出用例：") && chinese.contains("差距："), "{chinese}");
}

#[test]
fn holdout_never_improves_a_verdict() {
    // The gain is on the held-out samples only.
    let prepared = tuned(|i, held| if held { 12 + i32::try_from(i % 3).unwrap() } else { [-6, 5, 1, -4][i % 4] });
    let with = prepared.report(0, &["--holdout", "0.4", "--threshold", "3", "--report-only"]);
    let without = prepared.report(0, &["--threshold", "3", "--report-only"]);
    assert_eq!((tier(&with), reasons(&with, 0)), (tier(&without), reasons(&without, 0)));
    assert!(number(&with["holdout"]["comparisons"][0]["gapCi"]["high"]) < 0.0);
}

#[test]
fn too_small_holdout_is_reported_without_an_estimate() {
    let prepared = RecordedProject::pairs(
        &(0..24).map(|i| (ground(i), ground(i) + 5 + u32::try_from(i % 4).unwrap())).collect::<Vec<_>>(),
    );
    let report = prepared.report(1, &["--holdout", "0.001", "--threshold", "3"]);
    let of = &report["holdout"]["comparisons"][0];
    assert_eq!((&of["gap"], &of["gapCi"], &of["heldOut"]["n"]), (&json!(null), &json!(null), &json!(0)));
    assert_eq!(of["why"]["messageKey"]["id"], "report-holdout-few");
    assert_eq!(tier(&report), "CAUTIOUS", "the requested holdout is missing");
    let [english, chinese] = shown(&prepared.context, &["eval", "--resume", "latest", "--holdout", "0.001"], 1);
    assert!(english.contains("fewer than two pairs") && chinese.contains("不足两对"), "{english}{chinese}");
}

#[test]
fn holdout_survives_a_resume_and_can_be_enlarged() {
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
    assert!(before.iter().all(|(id, held)| !held || after[id]), "held-out samples stay held out");
    let graded = prepared.context.run(&["eval", "--regrade", "latest", "--json"]).expect(0).json();
    assert_eq!(held_out(&graded), before, "with the settings that the run began with");
    prepared.context.run(&["report", "verdict", first["id"].as_str().unwrap()]).expect(0);
}

#[test]
fn holdout_excludes_tripwires_and_works_in_blind_and_solo_reports() {
    let sample = |i: usize| {
        json!({"sample_id": format!("s{i:03}"), "prompt": format!("question {i}"), "tripwire": i.is_multiple_of(4),
            "assertions": [{"type": "contains", "value": "alpha", "weight": 3}, {"type": "contains", "value": "bravo"}]})
    };
    let samples: Value = (0..24).map(sample).collect();
    let result_of = |at: CellIndex| fact([37, 69, 32, 0][(at.sample * 3 + at.variant) % 4]);
    let prepared = RecordedProject::with_samples(samples.clone(), &["v1", "v2"], 1, result_of);
    let report = prepared.report(0, &["--holdout", "0.5", "--blind", "--report-only"]);
    let block = &report["holdout"];
    assert_eq!(block["train"].as_u64().unwrap() + block["heldOut"].as_u64().unwrap(), 18, "six are tripwires");
    assert!(held_out(&report).iter().all(|(id, held)| !held || id[1..].parse::<u32>().unwrap() % 4 > 0));
    assert_eq!(block["comparisons"][0]["treatment"], report["comparisons"][0]["treatment"]);
    let names: Vec<&String> = block["perVariant"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Variant A", "Variant B"]);
    assert!(!block.to_string().contains("v1") && !report["analysis"].to_string().contains("v2"));
    let solo = RecordedProject::with_samples(samples, &["v1"], 1, result_of);
    let report = solo.report(0, &["--holdout", "0.5", "--report-only"]);
    assert_eq!(report["holdout"]["comparisons"], json!([]));
    let means = &report["holdout"]["perVariant"]["v1"];
    assert_eq!(means["train"]["n"].as_u64().unwrap() + means["heldOut"]["n"].as_u64().unwrap(), 18);
    shown(&solo.context, &["eval", "--resume", "latest", "--holdout", "0.5", "--report-only"], 0);
}

#[test]
fn holdout_share_must_be_between_0_and_1() {
    let prepared = underpowered(6);
    for share in ["0", "1", "-0.1", "1.5", "NaN"] {
        let refused = prepared.eval(&["--holdout", share]).expect(2);
        assert!(refused.stderr.contains("holdout"), "{share}: {}", refused.stderr);
    }
    assert!(prepared.context.reports().is_empty());
}
