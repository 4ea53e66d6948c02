//! The confidence sequence against an independent implementation (`tests/sequence_oracle.py`), and how often it holds the
//! mean at every look.

use eval_stats::{Look, MeanSequence, Standing, sequence_detectable, sequence_half_width, values_for_sequence};
use rayon::prelude::*;
use serde_json::Value;

use super::random::{Random, likert};

fn sequence(level: f64, at: usize, values: &[f64]) -> MeanSequence {
    let mut sequence = MeanSequence::new(level, at).expect("a level");
    values.iter().for_each(|value| sequence.push(*value));
    sequence
}

#[test]
fn bounds_are_those_of_the_paper() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../data/sequence_oracle.json")).expect("JSON");
    assert_eq!(rows.len(), 50);
    for row in &rows {
        let number = |of: &Value, key: &str| of[key].as_f64().expect("a number");
        let values: Vec<f64> = row["values"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
        let at = row["at"].as_u64().expect("a count") as usize;
        for expected in row["looks"].as_array().expect("a list") {
            let n = expected["n"].as_u64().expect("a count") as usize;
            let look = sequence(number(row, "level"), at, &values[..n]).look().expect("two values");
            let scale = look.low.abs().max(look.high.abs());
            for (ours, key) in [(look.mean, "mean"), (look.low, "low"), (look.high, "high")] {
                assert!((ours - number(expected, key)).abs() <= 1e-9 * scale, "{look:?} for {expected}");
            }
        }
    }
}

/// Of `streams` of 500 values each, the share whose mean was outside at any look from the 10th value on.
fn missed(streams: u64, level: f64, value: impl Fn(&mut Random) -> f64 + Sync, mean: f64) -> f64 {
    let is_missed = |i: &u64| {
        let mut random = Random::new(14, *i);
        let mut sequence = MeanSequence::new(level, 50).expect("a level");
        (1..=500).any(|n| {
            sequence.push(value(&mut random));
            let look = sequence.look().filter(|look| n >= 10 && !look.degenerate);
            look.is_some_and(|look| mean < look.low || look.high < mean)
        })
    };
    (0..streams).into_par_iter().filter(is_missed).count() as f64 / streams as f64
}

#[test]
fn the_mean_is_held_at_every_look_from_10_values_on() {
    // 4000 streams: three standard errors of 5 % are 1 %
    let normal = missed(4000, 0.95, Random::normal, 0.0);
    assert!((0.005..=0.06).contains(&normal), "{normal}");
    let likert_difference = |random: &mut Random| {
        let item = random.normal() * 0.6_f64.sqrt();
        let mut score = || likert(3.5 + item + random.normal() * 0.4_f64.sqrt());
        score() - score()
    };
    let of_scores = missed(4000, 0.95, likert_difference, 0.0);
    assert!(of_scores <= 0.06, "{of_scores}");
    // an ordinary 95 % interval, looked at as often, misses several times as many
    assert!(missed(1000, 0.5, Random::normal, 0.0) > 0.1);
}

#[test]
fn it_is_tightest_where_it_was_asked_to_be() {
    let width = |at: usize, n: usize| {
        let values: Vec<f64> = (0..n).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let look = sequence(0.95, at, &values).look().expect("two values");
        look.high - look.low
    };
    for n in [10, 50, 400] {
        for other in [n / 2, n * 2] {
            assert!(width(n, n) < width(other, n), "{other} is tighter at {n}");
        }
    }
}

#[test]
fn without_spread_nothing_is_decided() {
    for value in [0.0, 1.0, -0.1] {
        let look = sequence(0.95, 20, &[value; 30]).look().expect("values");
        assert_eq!((look.low, look.high, look.degenerate), (value, value, true));
        assert_eq!(look.standing(0.2), Standing::Open);
    }
    // 0.1 has no exact double: what is added up must not make a spread of it
    assert!(sequence(0.95, 20, &[0.1; 1000]).look().expect("values").degenerate);
}

#[test]
fn standings() {
    let look = |low: f64, high: f64| Look { n: 20, mean: (low + high) / 2.0, low, high, degenerate: false };
    let standing = |low, high| look(low, high).standing(0.2);
    assert_eq!(standing(0.01, 0.1), Standing::Above);
    assert_eq!(standing(-0.1, -0.01), Standing::Below);
    assert_eq!(standing(-0.2, 0.2), Standing::Inside);
    assert_eq!(standing(0.0, 0.2), Standing::Inside);
    assert_eq!(standing(0.0, 0.21), Standing::Open);
    assert_eq!(standing(-0.21, 0.0), Standing::Open);
}

#[test]
fn what_has_no_answer() {
    for level in [0.0, 1.0, -1.0, 2.0, f64::NAN] {
        assert!(MeanSequence::new(level, 10).is_none());
    }
    assert!(MeanSequence::new(0.95, 0).is_none());
    assert!(sequence(0.95, 10, &[1.0]).look().is_none());
    assert!(sequence(0.95, 10, &[1.0, f64::NAN, 2.0]).look().is_none());
    assert!(sequence(0.95, 10, &[1.0, f64::INFINITY]).look().is_none());
    assert!(sequence(0.95, 10, &[1e308, -1e308]).look().is_none());
}

/// Where `--stop-when-decided` makes a sequence tightest.
fn at(planned: usize) -> usize {
    (planned / 2).max(20)
}

#[test]
fn the_fewest_values_are_the_fewest() {
    for (sd, reach) in [(0.3, 0.2), (0.9, 0.2), (0.9, 0.5), (1.7, 0.1), (2.0, 1.0)] {
        for level in [0.95, 0.975, 1.0 - 0.05 / 6.0] {
            let half = |n| sequence_half_width(sd, n, level, at(n)).expect("a width");
            let n = values_for_sequence(sd, reach, level, 0.5, at).expect("enough");
            assert!(half(n) <= reach && half(n - 1) > reach, "{sd} {reach} {level}: {n}");
            let shown = |n| sequence_detectable(sd, n, level, 0.8, at(n)).expect("a difference");
            let m = values_for_sequence(sd, reach, level, 0.8, at).expect("enough");
            assert!(m > n && shown(m) <= reach && shown(m - 1) > reach, "{sd} {reach} {level}: {m}");
        }
    }
    // the width is that of the sequence itself: ±1 has a standard deviation of sqrt(n / (n − 1))
    let values: Vec<f64> = (0..40).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
    let look = sequence(0.95, 20, &values).look().expect("40 values");
    let half = sequence_half_width((40.0_f64 / 39.0).sqrt(), 40, 0.95, 20).expect("a width");
    assert!((look.high - half).abs() < 1e-12, "{look:?} {half}");
    for n in [0.0, -1.0, f64::NAN] {
        assert_eq!(
            (values_for_sequence(n, 0.2, 0.95, 0.8, at), values_for_sequence(1.0, n, 0.95, 0.8, at)),
            (None, None)
        );
    }
    assert_eq!(values_for_sequence(1.0, 1e-9, 0.95, 0.8, at), None);
    assert_eq!(values_for_sequence(1.0, 0.2, 1.0, 0.8, at), None);
    assert_eq!(values_for_sequence(1.0, 0.2, 0.95, 1.0, at), None);
}

#[test]
fn so_many_values_show_the_mean_with_that_power() {
    for (mean, power) in [(0.3, 0.8), (0.6, 0.8), (0.3, 0.5)] {
        let n = values_for_sequence(1.0, mean, 0.95, power, at).expect("enough");
        let is_shown = |i: &u64| {
            let mut random = Random::new(15, *i);
            let mut sequence = MeanSequence::new(0.95, at(n)).expect("a level");
            (1..=n).any(|k| {
                sequence.push(mean + random.normal());
                sequence.look().is_some_and(|look| k >= 10 && look.low > 0.0)
            })
        };
        let shown = (0..2000_u64).into_par_iter().filter(is_shown).count() as f64 / 2000.0;
        // a bound, and no wild one
        assert!(shown >= power - 0.02 && shown <= power + 0.15, "{mean} {power}: {shown} with {n}");
    }
}
