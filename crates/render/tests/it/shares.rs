//! Where the spread comes from when judges have several opinions.

use eval_spec::{Check, CheckOutcome, Layer};

use crate::judging::judged;
use crate::world::{At, World};

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64]) -> f64 {
    let centre = mean(values);
    values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64
}

fn close(found: Option<f64>, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-9, "{found:?} is not {expected}");
}

/// An opinion of a judge that wavers, 1–5.
fn wavering(at: At, judge: usize, repeat: u32) -> f64 {
    let base = [2, 3, 3, 4][(at.sample + at.variant) % 4];
    let wave = [0, 1, 0, -1, 0][(at.sample * 3 + at.variant * 2 + judge + repeat as usize * 2) % 5];
    f64::from(base + wave)
}

#[test]
fn a_judge_s_repeated_opinions_show_its_share() {
    let world = judged(12, &["x:j"], 3, |at, judge, repeat| Some(wavering(at, judge, repeat)));
    let shares = world.analyse().comparisons[0].shares.clone().unwrap();
    let groups: Vec<Vec<f64>> = (0..12)
        .map(|sample| {
            let at = |variant| At { sample, variant, repeat: 0 };
            (0..3).map(|r| wavering(at(1), 0, r) - wavering(at(0), 0, r)).collect()
        })
        .collect();
    let within = mean(&groups.iter().map(|g| variance(g)).collect::<Vec<_>>());
    let between = variance(&groups.iter().map(|g| mean(g)).collect::<Vec<_>>()) - within / 3.0;
    assert!(between > 0.0 && within > 0.0);
    close(shares.opinions.variance, within);
    close(shares.samples.variance, between);
    close(shares.opinions.share, within / (within + between));
    assert_eq!((shares.runs_per_sample, shares.opinions_per_run), (Some(1.0), Some(3.0)));
    assert_eq!(shares.repeats.why.unwrap().message_key.id, "report-shares-one-run");
    // Var = (σ²_s + σ²_o/o)/n
    close(shares.with_twice.opinions, ((between + within / 6.0) / (between + within / 3.0)).sqrt());
    assert_eq!(shares.with_twice.repeats, None);
}

#[test]
fn a_judge_s_wavering_counts_as_much_as_its_layer_does() {
    let score = |at: At, judge: usize, repeat: u32| Some(wavering(at, judge, repeat));
    let alone = judged(12, &["x:j"], 3, score);
    let mut beside = judged(12, &["x:j"], 3, score);
    for sample in 0..12 {
        for variant in 0..2 {
            add_fact(&mut beside, At { sample, variant, repeat: 0 });
        }
    }
    let variance = |world: &World| world.analyse().comparisons[0].shares.clone().unwrap().opinions.variance;
    close(variance(&beside), variance(&alone).unwrap() / 4.0);
}

/// A fact layer that everybody passes.
fn add_fact(world: &mut World, at: At) {
    let judged = world.record(at).grade.as_ref().unwrap().checks[0].clone();
    let fact = Check {
        kind: "contains".to_owned(),
        layer: Layer::Fact,
        outcome: CheckOutcome::Passed,
        judged: None,
        ..judged
    };
    world.record(at).grade.as_mut().unwrap().checks.push(fact);
}

#[test]
fn one_judge_s_severity_is_no_wavering() {
    // the second judge sees half a point more in every treatment's answer, and nothing else
    let severe = |at: At, judge: usize| f64::from([2, 3, 3, 4][at.sample % 4]) + 0.5 * (judge * at.variant) as f64;
    let world = judged(12, &["x:a", "x:b"], 1, |at, judge, _| Some(severe(at, judge)));
    let shares = world.analyse().comparisons[0].shares.clone().unwrap();
    assert_eq!(shares.opinions.why.unwrap().message_key.id, "report-undefined-variance", "nothing else varies");
    let wavers = |at: At, judge: usize| {
        severe(at, judge) + f64::from(u8::from((at.sample + judge).is_multiple_of(3) && at.variant == 1))
    };
    let world = judged(12, &["x:a", "x:b"], 1, |at, judge, _| Some(wavers(at, judge)));
    let shares = world.analyse().comparisons[0].shares.clone().unwrap();
    let d = |sample, judge| {
        let at = |variant| At { sample, variant, repeat: 0 };
        wavers(at(1), judge) - wavers(at(0), judge)
    };
    // twice the variance of one opinion is the variance of the difference of two, whatever its mean
    let apart: Vec<f64> = (0..12).map(|sample| d(sample, 0) - d(sample, 1)).collect();
    close(shares.opinions.variance, variance(&apart) / 2.0);
}

#[test]
fn one_opinion_each_tells_nothing_of_the_judge() {
    let world = judged(12, &["x:j"], 1, |at, judge, repeat| Some(wavering(at, judge, repeat)));
    let shares = world.analyse().comparisons[0].shares.clone().unwrap();
    assert_eq!(shares.opinions.why.unwrap().message_key.id, "report-shares-one-opinion");
    assert_eq!((shares.samples.share, shares.opinions_per_run), (Some(1.0), Some(1.0)));
}
