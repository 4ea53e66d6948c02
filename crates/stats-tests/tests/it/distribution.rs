//! Quantiles, and the search for the least sufficient count.

use std::cell::Cell;

use eval_stats::internals::{fewest, fewest_near, t_tail, where_reached};

/// Largest count that is tried.
const MOST: usize = 1_000_000_000;

/// Halves the range and does nothing else.
fn halved(target: f64, mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..90 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < target { low = middle } else { high = middle }
    }
    low + (high - low) / 2.0
}

#[test]
fn quantiles_are_those_of_halving_with_fewer_calls() {
    for df in [1.0, 2.0, 5.0, 19.0, 23.5, 99.0, 5000.0] {
        for tail in [0.5, 0.3, 0.05, 0.025, 0.025 / 3.0, 1e-4, 1e-9] {
            let calls = Cell::new(0_u32);
            let beyond = |x: f64| {
                calls.set(calls.get() + 1);
                -t_tail(x, df)
            };
            let high = (0..60).map(|i| 2f64.powi(i)).find(|&x| t_tail(x, df) <= tail).expect("exists");
            let plain = halved(-tail, 0.0, high, beyond);
            let by_halving = calls.replace(0);
            let quick = where_reached(-tail, 0.0, high, beyond);
            // to rounding: the distribution function doesn't rise in its last digits
            assert!((quick - plain).abs() <= 4e-15 * plain, "df {df}, tail {tail}: {quick} for {plain}");
            let most = if tail < 0.001 { by_halving } else { by_halving * 2 / 3 };
            assert!(calls.get() <= most, "df {df}, tail {tail}: {} for {by_halving}", calls.get());
        }
    }
}

#[test]
fn a_target_out_of_reach_gives_the_nearer_end() {
    let steps = |x: f64| if x < 0.3 { 0.0 } else { 1.0 };
    for (target, f) in [(2.0, &steps as &dyn Fn(f64) -> f64), (-1.0, &steps), (0.5, &steps), (0.5, &|_| f64::NAN)] {
        assert_eq!(where_reached(target, 0.0, 1.0, f), halved(target, 0.0, 1.0, f), "{target}");
    }
}

#[test]
fn a_guess_changes_no_count() {
    for least in (2..70).chain([999, 1000, 4097, MOST - 1, MOST, MOST + 1]) {
        let is_enough = |n: usize| Some(n >= least);
        let plain = fewest(is_enough);
        assert_eq!(plain, Some(least).filter(|n| *n <= MOST));
        for guess in [f64::NAN, -3.0, 0.0, 2.0, 2.5, 17.0, 63.0, 1000.0, 1e9, 1e30, f64::INFINITY] {
            assert_eq!(fewest_near(guess, is_enough), plain, "{least} from {guess}");
        }
    }
    assert_eq!(fewest_near(5.0, |_| None), None);
}
