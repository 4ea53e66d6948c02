//! Compares random draws with the same draws in NumPy 2.4.6, SciPy 1.17.1 and krippendorff 0.9.0: one seed has one
//! answer, to 1e-9, in any program that follows the documentation. `tests/redraw_oracle.py` wrote the values.

use eval_stats::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn table<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let mut all: Value = serde_json::from_str(include_str!("../data/redraw_oracle.json")).expect("JSON");
    let rows: Vec<T> = serde_json::from_value(all[name].take()).expect("rows of this form");
    assert!(!rows.is_empty());
    rows
}

#[track_caller]
fn near(ours: Option<Interval>, [low, high]: [f64; 2]) {
    let ours = ours.expect("an interval");
    let off = (ours.low - low).abs().max((ours.high - high).abs());
    assert!(off <= 1e-9 * (high - low), "{ours:?} for {low}..{high}");
}

#[derive(Deserialize)]
struct Column {
    x: Vec<f64>,
    seed: u64,
    resamples: u32,
    expanded: [f64; 2],
    percentile: Option<[f64; 2]>,
    bca: Option<[f64; 2]>,
}

#[test]
fn intervals_of_means() {
    for row in table::<Column>("mean") {
        for (method, expected) in [
            (IntervalMethod::Expanded, Some(row.expanded)),
            (IntervalMethod::Percentile, row.percentile),
            (IntervalMethod::Bca, row.bca),
        ] {
            let r = Resampling { seed: row.seed, resamples: row.resamples, level: 0.95, method };
            near(mean_interval(&row.x, &r), expected.expect("there"));
        }
    }
}

#[test]
fn intervals_of_effect_sizes() {
    for row in table::<Column>("effect") {
        let r = Resampling { seed: row.seed, resamples: row.resamples, ..Resampling::default() };
        near(cohen_dz(&row.x, &r).expect("exists").interval, row.expanded);
    }
}

#[derive(Deserialize)]
struct Joint {
    columns: Vec<Vec<Option<f64>>>,
    seed: u64,
    resamples: u32,
    intervals: Vec<[f64; 2]>,
}

#[test]
fn intervals_that_hold_at_once() {
    for row in table::<Joint>("joint") {
        let r = Resampling { seed: row.seed, resamples: row.resamples, ..Resampling::default() };
        let ours = simultaneous_mean_intervals(&row.columns, &r);
        assert_eq!(ours.len(), row.intervals.len());
        for (ours, expected) in ours.into_iter().zip(row.intervals) {
            near(ours, expected);
        }
    }
}

#[derive(Deserialize)]
struct Agreement {
    clusters: Vec<Vec<Vec<Option<f64>>>>,
    seed: u64,
    resamples: u32,
    alpha: f64,
    expanded: [f64; 2],
    percentile: [f64; 2],
    bca: [f64; 2],
}

/// `krippendorff.alpha(level_of_measurement="ordinal")` of every resample of clusters
#[test]
fn intervals_of_agreement() {
    for row in table::<Agreement>("agreement") {
        for (method, expected) in [
            (IntervalMethod::Expanded, row.expanded),
            (IntervalMethod::Percentile, row.percentile),
            (IntervalMethod::Bca, row.bca),
        ] {
            let r = Resampling { seed: row.seed, resamples: row.resamples, level: 0.95, method };
            let ours = alpha_interval_clustered(&row.clusters, &r).expect("exists");
            assert!((ours.alpha.value - row.alpha).abs() < 1e-9);
            near(ours.interval, [expected[0], expected[1].min(1.0)]);
        }
    }
}

#[derive(Deserialize)]
struct Flips {
    d: Vec<f64>,
    seed: u64,
    p: f64,
}

#[test]
fn random_sign_flips() {
    for row in table::<Flips>("flip") {
        let ours = sign_flip_test(&row.d, row.seed).expect("exists");
        assert!(!ours.exact && (ours.p_value - row.p).abs() < 1e-12, "{ours:?} for {}", row.p);
    }
}

#[derive(Deserialize)]
struct Shuffle {
    n: u32,
    seed: u64,
    order: Vec<f64>,
}

#[test]
fn shuffles() {
    for row in table::<Shuffle>("shuffle") {
        let values: Vec<f64> = (0..row.n).rev().map(f64::from).collect();
        assert_eq!(shuffled(&values, row.seed), row.order);
    }
}
