//! Runs that may end early, held-out samples and preferences, in the commands that read stored reports.

use std::path::PathBuf;

use eval_analysis::{compare_gold, gold_items};
use eval_format::{Method, Report};
use eval_history::{
    Diff, PowerQuestion, SlimReport, SpreadOf, Wanted, diff, diff_inside, power_of_given, power_of_pilot,
    read_failures, read_slim, trend,
};
use eval_message::Lang;
use eval_render::{Show, diff_text, failures_text, power_text, trend_text};
use eval_spec::Suite;
use eval_spec::gold::{Annotation, Gold};
use eval_stats::{Resampling, look_interval};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::world::{At, World, facts};

const CHECKS: usize = 20;

/// Better on every sample by 4 to 6 fifths of a point, so that it is decided after 20 of 60 samples; `more` on top.
fn early(also: &[usize], more: impl Fn(At) -> usize) -> World {
    let mut world = World::new(60, &["v1", "v2"], 1, |at| {
        let gain = if at.variant == 1 { 4 + at.sample % 3 } else { 0 };
        facts(8 + at.sample * 7 % 3 + gain - more(at).min(8), CHECKS)
    });
    world.suite.settings.looks = 5;
    let cells = world.plan.cells.iter().zip(&mut world.records);
    cells.filter(|(cell, _)| cell.sample >= 20 && !also.contains(&cell.sample)).for_each(|(_, record)| *record = None);
    world
}

fn slim(report: &Value) -> SlimReport {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), report.to_string()).unwrap();
    read_slim(file.path()).unwrap()
}

fn value(world: &World, id: &str) -> Value {
    let mut value = world.value();
    value["id"] = json!(id);
    value["meta"]["sampleHashes"] = world
        .suite
        .samples
        .iter()
        .map(|sample| (sample.id.clone(), json!(sample.id)))
        .collect::<serde_json::Map<_, _>>()
        .into();
    value
}

fn compared(a: &Value, b: &Value) -> Diff {
    diff(&slim(a), &slim(b), &[], false).unwrap()
}

fn narrow(texts: &[String]) {
    for line in texts.iter().flat_map(|text| text.lines()) {
        assert!(line.width() <= 80, "{line}");
    }
}

fn show(lang: Lang) -> Show {
    Show { lang, width: 80, color: false, exit_code: false }
}

#[test]
fn gold_rests_on_no_sample_that_was_only_under_way() {
    let mut report: Report = early(&[24], |_| 0).report();
    assert_eq!(report.stopping.as_ref().unwrap().beyond, ["s025"]);
    let judged = json!([{"dimension": null, "score": 4.0, "lang": "en", "opinions": []}]);
    for variant in report.results.iter_mut().flat_map(|sample| sample.variants.values_mut()) {
        variant.judged = serde_json::from_value(judged.clone()).unwrap();
    }
    let items = gold_items(&report);
    assert!(items.iter().all(|item| item.sample_id != "s025") && items.iter().any(|item| item.sample_id == "s020"));
    let scored = |sample: &str| Annotation {
        sample_id: sample.to_owned(),
        annotator: "ann".to_owned(),
        variant: Some("v1".to_owned()),
        scores: vec![("rubric".to_owned(), 4.0)],
        ..Annotation::default()
    };
    // under way, and never asked about: no number may tell them apart
    let gold = Gold { files: 3, annotations: ["s001", "s025", "s026"].map(scored).to_vec(), ..Gold::default() };
    let found = compare_gold(&report, &gold, None).unwrap();
    assert_eq!((found.counts.used, found.counts.not_needed, found.overall.n), (1, 2, 1));
    assert!(found.warnings.iter().any(|of| of.message_key.id == "report-gold-not-needed"));
}

#[test]
fn failures_rest_on_no_sample_that_was_only_under_way_or_is_held_out() {
    let read = |world: &World| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), world.json()).unwrap();
        read_failures(file.path()).unwrap().clusters(None)
    };
    let (alone, crowded) = (read(&early(&[], |_| 0)), read(&early(&[22, 24], |_| 0)));
    assert_eq!((crowded.beyond, crowded.failed, crowded.results), (4, alone.failed, alone.results));
    assert_eq!((alone.not_run, crowded.not_needed), (0, alone.not_needed - 4));
    assert_eq!(crowded.clusters, alone.clusters);
    assert!(failures_text(&crowded, show(Lang::En)).contains("4 results that were only under way"));
    let mut held = early(&[], |_| 0);
    held.suite.settings.holdout = Some(0.3);
    let report = held.report();
    let out: Vec<&str> = report.results.iter().filter(|of| of.holdout).map(|of| of.sample_id.as_str()).collect();
    let found = read(&held);
    assert!(!out.is_empty() && found.held_out == 2 * out.len() as u64, "{}", found.held_out);
    let named = serde_json::to_string(&found).unwrap();
    assert!(out.iter().all(|id| !named.contains(&format!("\"{id}\""))), "{named}");
}

#[test]
fn a_run_that_ended_early_is_held_against_another_at_the_tail_of_its_look() {
    let (a, b) =
        (value(&early(&[22], |_| 0), "a"), value(&early(&[], |at| (at.variant * (at.sample % 3 + 2)) % 9), "b"));
    // what was under way makes it no other test set
    let found = compared(&a, &b);
    assert_eq!((found.beyond.len(), found.caution.as_ref().unwrap().message_key.id.as_ref()), (1, "report-diff-looks"));
    let v2 = &found.comparisons[1];
    let ci = v2.diff.ci.unwrap();
    assert_eq!((ci.method, ci.family, v2.diff.p_value_adjusted, v2.crossed.p_value), (Method::Repeated, 2, None, None));
    let differences: Vec<f64> = v2.samples.iter().map(|of| of.diff).collect();
    let tail = a["stopping"]["looks"][0]["tail"].as_f64().unwrap() / 2.0;
    let look = look_interval(&differences, tail, &Resampling { seed: 7, ..Resampling::default() }).unwrap();
    assert!((ci.low - look.low).abs() < 1e-9 && (ci.high - look.high).abs() < 1e-9, "{ci:?} {look:?}");
    // a gate can be evaluated: v2 fell
    let b_read = slim(&b);
    assert_eq!((found.regressed(&b_read), found.unmeasured(&b_read).len()), (vec!["v2"], 0));
    assert_eq!(compared(&a, &a).regressed(&slim(&a)), Vec::<&str>::new());
    // inside of it the interval is the verdict's own
    let inside = diff_inside(&slim(&a), &[]).unwrap();
    assert_eq!(json!(inside.comparisons[0].diff.ci), a["comparisons"][0]["diff"]["ci"]);
    narrow(&[Lang::En, Lang::Zh].map(|lang| diff_text(&found, show(lang))));
}

#[test]
fn two_early_runs_in_two_orders_have_no_interval() {
    let a = value(&early(&[], |_| 0), "a");
    let mut b = value(&early(&[], |at| at.variant), "b");
    b["stopping"]["order"].as_array_mut().unwrap().reverse();
    let found = compared(&a, &b);
    assert!(found.has_no_intervals() && found.comparisons.iter().all(|of| of.diff.ci.is_none()));
    assert!(found.regressed(&slim(&b)).is_empty());
    // one that went to its end takes every sample, in any order
    b.as_object_mut().unwrap().remove("stopping");
    assert!(!compared(&a, &b).has_no_intervals());
}

#[test]
fn a_run_with_looks_must_plan_for_a_few_more_and_runs_fewer() {
    let question = |looks| PowerQuestion { effects: vec![0.2, 0.5], n: None, power: 0.8, alpha: 0.05, looks };
    let given = |looks| power_of_given(1.0, 0.5, &question(looks)).spreads.swap_remove(0).needed;
    let (fixed, looks) = (given(None), given(Some(5)));
    assert_eq!(fixed[0].n, Some(eval_stats::pairs_needed(1.0, 0.2, 0.05, 0.8).unwrap() as u64));
    assert!(fixed[0].mean_samples.is_none());
    // the last of five looks has a risk of 0.0211 to each side
    assert_eq!(looks[0].n, Some(eval_stats::pairs_needed(1.0, 0.2, 2.0 * 0.021_128, 0.8).unwrap() as u64));
    let (n, mean) = (looks[1].n.unwrap() as f64, looks[1].mean_samples.unwrap());
    assert!(mean < n && mean > n / 2.0, "{mean} of {n}");
    // as the pilot ran
    let pilot = power_of_pilot(&slim(&value(&early(&[], |_| 0), "a")), &question(None)).unwrap();
    assert_eq!(pilot.looks, Some(5));
    let text = power_text(&pilot, show(Lang::En));
    assert!(text.contains("with 5 looks") && text.contains("run on average"), "{text}");
}

fn holding_out() -> World {
    let mut world =
        World::new(40, &["v1", "v2"], 1, |at| facts((at.sample * (at.variant * 4 + 3)) % (CHECKS + 1), CHECKS));
    world.suite.settings.holdout = Some(0.4);
    world
}

#[test]
fn what_became_of_held_out_samples_is_told_to_nobody_who_tunes() {
    let report = holding_out().report();
    let out: Vec<&str> = report.results.iter().filter(|of| of.holdout).map(|of| of.sample_id.as_str()).collect();
    assert!(out.len() > 8, "{out:?}");
    let moved = &report.comparisons[0].moved;
    let named = moved.better.iter().chain(&moved.worse).map(|of| of.sample_id.as_str());
    let checked = report.comparisons[0].checks.iter().map(|of| of.check.sample_id.as_str());
    let named: Vec<&str> = named.chain(checked).collect();
    assert!(named.len() > 10 && named.iter().all(|id| !out.contains(id)), "{named:?}");
    let told = serde_json::to_string(&report.analysis.suggestions).unwrap();
    assert!(out.iter().all(|id| !told.contains(&format!("\"{id}\""))), "{told}");
    // a comparison of reports marks them, and names them in no list
    let stored = value(&holding_out(), "a");
    let found = diff_inside(&slim(&stored), &[]).unwrap();
    let of = &found.comparisons[0];
    assert_eq!((found.held_out.len(), of.samples.iter().filter(|of| of.held_out).count()), (out.len(), out.len()));
    assert!(of.crossed.held_out_up + of.crossed.held_out_down > 0);
    let text = diff_text(&found, show(Lang::En));
    assert!(out.iter().all(|id| !text.contains(id)) && text.contains("held-out samples count"), "{text}");
}

/// A report with nothing but preferences, `of` each sample and repeat.
fn preferring(id: &str, of: impl Fn(usize, usize) -> f64) -> Value {
    let world = World::new(30, &["v1", "v2"], 2, |_| crate::world::Came::To(Vec::new()));
    let mut value = value(&world, id);
    let pair = |sample: usize, repeat: usize| {
        json!({"sample_id": format!("s{:03}", sample + 1), "repeat": repeat, "earlier": "v1", "later": "v2",
            "preference": of(sample, repeat), "questions": []})
    };
    let pairs: Vec<Value> = (0..30).flat_map(|sample| [0, 1].map(|repeat| pair(sample, repeat))).collect();
    let means: Vec<f64> = (0..30).map(|sample| (of(sample, 0) + of(sample, 1)) / 2.0).collect();
    let mean = means.iter().sum::<f64>() / 30.0;
    value["pairwise"] = json!({"template": "t", "promptHash": "0", "samples": 30, "pairs": pairs, "comparisons": [{
        "control": "v1", "treatment": "v2", "planned": 60, "n": 30, "wins": 0, "losses": 0, "ties": 0, "inconsistent": 0,
        "positionBias": null, "missing": [],
        "preference": {"n": 30, "mean": mean, "sd": null, "ci": null, "pValue": null, "pValueAdjusted": null,
            "exact": null, "effect": null}}]});
    value
}

/// Mostly won, not twice alike.
fn mostly(sample: usize, repeat: usize) -> f64 {
    [1.0, 1.0, 0.0, 1.0, -1.0, 0.5][(sample + repeat) % 6]
}

#[test]
fn preferences_of_two_runs_are_compared_sample_by_sample() {
    let (a, b) = (preferring("a", mostly), preferring("b", |sample, repeat| mostly(sample, repeat) - 0.5));
    let found = compared(&a, &b);
    let [of] = found.preferences.as_slice() else { panic!("{:?}", found.preferences) };
    assert_eq!((of.diff.n, of.diff.mean, of.same_control), (30, Some(-0.5), Some(true)));
    assert!((of.a.as_ref().unwrap().preference.unwrap() - of.b.preference.unwrap() - 0.5).abs() < 1e-12);
    // every sample fell by as much: the gate reads it
    let b_read = slim(&b);
    assert_eq!((found.regressed(&b_read), found.unmeasured(&b_read).len()), (vec!["v2"], 0));
    assert!(compared(&a, &a).regressed(&slim(&a)).is_empty());
    for lang in [Lang::En, Lang::Zh] {
        let text = diff_text(&found, show(lang));
        assert!(text.contains("−0.50"), "{text}");
        narrow(&[text]);
    }
    // a sample that is only compared has no score to lack
    assert!(found.comparisons.iter().all(|of| of.excluded.is_empty()));
    // another control may have moved it
    let mut other = b.clone();
    other["meta"]["skillHashes"]["v1"] = json!("ffffffffffff");
    let found = compared(&a, &other);
    assert_eq!((found.regressed(&slim(&other)).len(), found.unmeasured(&slim(&other))), (0, vec!["v1", "v2"]));
}

#[test]
fn preferences_of_one_run_have_intervals_per_sample_and_a_number_of_samples() {
    let report = slim(&preferring("a", mostly));
    let found = diff_inside(&report, &[]).unwrap();
    let means: Vec<f64> = (0..30).map(|sample| (mostly(sample, 0) + mostly(sample, 1)) / 2.0).collect();
    let of = &found.preferences[0];
    let resampling =
        eval_stats::Resampling { seed: report.meta.seed, resamples: 1000, ..eval_stats::Resampling::default() };
    let resampling = eval_stats::Resampling { resamples: report.meta.settings.bootstrap_samples, ..resampling };
    let interval = eval_stats::mean_interval(&means, &resampling).unwrap();
    let ci = of.diff.ci.unwrap();
    assert!((ci.low - interval.low).abs() < 1e-9 && of.diff.n == 30, "{ci:?} {interval:?}");
    assert!(diff_text(&found, show(Lang::En)).contains("of the wins"));
    let question = PowerQuestion { effects: Vec::new(), n: None, power: 0.8, alpha: 0.05, looks: None };
    let answer = power_of_pilot(&report, &question).unwrap();
    let [spread] = answer.spreads.as_slice() else { panic!("{answer:?}") };
    let sd = eval_stats::sd(&means).unwrap();
    assert_eq!((spread.of, spread.pairs), (SpreadOf::Preferences, Some(30)));
    let at_a_fifth = spread.needed.iter().find(|of| of.effect == 0.2).unwrap();
    assert_eq!(at_a_fifth.n, eval_stats::pairs_needed(sd, 0.2, 0.05, 0.8).map(|n| n as u64));
    for lang in [Lang::En, Lang::Zh] {
        narrow(&[power_text(&answer, show(lang)), diff_text(&found, show(lang))]);
    }
}

#[test]
fn preferences_have_a_trend() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str, time: &str, of: &dyn Fn(usize, usize) -> f64| -> PathBuf {
        let mut report = preferring(name, of);
        report["meta"]["timestamp"] = json!(time);
        let path = directory.path().join(format!("{name}.json"));
        std::fs::write(&path, report.to_string()).unwrap();
        path
    };
    let half = |sample: usize, repeat: usize| mostly(sample, repeat) / 2.0;
    let files = [file("a", "2026-01-01T00:00:00Z", &mostly), file("b", "2026-01-02T00:00:00Z", &half)];
    let found = trend(&files, &Wanted::default(), |path| path.display().to_string()).unwrap();
    let means: Vec<Option<f64>> = found.series[0]
        .points
        .iter()
        .map(|point| point.differences[0].preference.as_ref().and_then(|of| of.mean))
        .collect();
    assert!((means[0].unwrap() - 2.0 * means[1].unwrap()).abs() < 1e-9, "{means:?}");
    for lang in [Lang::En, Lang::Zh] {
        let text = trend_text(&found, show(lang));
        assert!(text.contains("+0.42") && text.contains("+0.21"), "{text}");
        narrow(&[text]);
    }
}

/// The plan of a run with looks tells how many samples it runs on average.
#[test]
fn a_plan_expects_what_its_intervals_will_show() {
    let directory = tempfile::tempdir().unwrap();
    let mut world =
        World::new(30, &["v1", "v2"], 1, |at| facts((at.sample * (at.variant * 4 + 3)) % (CHECKS + 1), CHECKS));
    let stored = value(&world, "a");
    std::fs::write(directory.path().join("a.json"), stored.to_string()).unwrap();
    let hashes = world.suite.samples.iter().map(|sample| (sample.id.clone(), sample.id.clone())).collect();
    let expected = |suite: &Suite| {
        let (power, _) = eval_history::planned_power(
            directory.path(),
            suite,
            stored["meta"]["testSet"]["id"].as_str().unwrap(),
            &hashes,
        );
        power.unwrap().treatments.swap_remove(0)
    };
    let fixed = expected(&world.suite);
    // One that is larger than any report is named; texts of artifacts before the results are none too many.
    let large = directory.path().join("large.json");
    std::fs::File::create(&large).unwrap().set_len(eval_spec::files::LARGEST_REPORT + 1).unwrap();
    let (_, broken) = eval_history::planned_power(directory.path(), &world.suite, "", &hashes);
    assert_eq!(broken.as_ref(), Some(&large));
    let texts = stored.to_string().replacen("\"meta\":", &format!("\"meta\":{}", " ".repeat(33 << 20)), 1);
    std::fs::write(&large, texts).unwrap();
    assert_eq!(eval_history::planned_power(directory.path(), &world.suite, "", &hashes).1, None);
    std::fs::remove_file(&large).unwrap();
    world.suite.settings.looks = 5;
    let early = expected(&world.suite);
    let mean = early.mean_samples.unwrap();
    assert!(fixed.mean_samples.is_none() && (20.0..=30.0).contains(&mean), "{early:?}");
    assert!(early.minimum_detectable > fixed.minimum_detectable, "{early:?} {fixed:?}");
    assert!(early.needed_for_min_effect > fixed.needed_for_min_effect, "{early:?} {fixed:?}");
}
