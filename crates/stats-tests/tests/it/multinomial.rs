//! Counts of colours.

use eval_stats::internals::{Coins, Multinomial, Streams};

fn many(counts: &[u32], draws: u64) -> Vec<Vec<u32>> {
    let (plan, streams) = (Multinomial::new(counts), Streams::bootstrap(3));
    (0..draws)
        .map(|i| {
            let mut out = vec![9; counts.len()];
            plan.draw(&mut Coins::new(streams.stream(i)), &mut out);
            out
        })
        .collect()
}

#[test]
fn every_draw_hands_out_every_ball() {
    for counts in [&[7][..], &[1, 1], &[1, 0, 900, 3], &[5; 33]] {
        let balls: u32 = counts.iter().sum();
        assert!(many(counts, 50).iter().all(|d| d.iter().sum::<u32>() == balls));
    }
}

/// Mean `n p`, variance `n p (1 − p)` and covariance `−n p q` of 40,000 draws, each within five standard errors.
#[test]
fn moments_are_those_of_the_multinomial() {
    let counts = [3, 50, 20, 27, 100];
    let draws = many(&counts, 40_000);
    let n = f64::from(counts.iter().sum::<u32>());
    let p = |c: usize| f64::from(counts[c]) / n;
    let moment = |f: &dyn Fn(&[u32]) -> f64| draws.iter().map(|d| f(d)).sum::<f64>() / draws.len() as f64;
    for c in 0..counts.len() {
        let variance = n * p(c) * (1.0 - p(c));
        let off = |d: &[u32]| f64::from(d[c]) - n * p(c);
        assert!(moment(&off).abs() < 5.0 * (variance / 40_000.0).sqrt());
        let ratio = moment(&|d| off(d).powi(2)) / variance;
        assert!((ratio - 1.0).abs() < 0.05, "colour {c}: {ratio}");
    }
    let cov = moment(&|d| (f64::from(d[1]) - n * p(1)) * (f64::from(d[4]) - n * p(4)));
    assert!((cov / (-n * p(1) * p(4)) - 1.0).abs() < 0.05);
}

/// Repeats the test above with enough balls for whole blocks of coins.
#[test]
fn moments_of_many_balls_are_those_of_the_multinomial() {
    let counts = [70_000, 9_000, 1_000, 20_000];
    let draws = many(&counts, 40_000);
    for (c, count) in counts.into_iter().enumerate() {
        let (expected, p) = (f64::from(count), f64::from(count) / 100_000.0);
        let variance = expected * (1.0 - p);
        let mean = |f: &dyn Fn(f64) -> f64| draws.iter().map(|d| f(f64::from(d[c]))).sum::<f64>() / 40_000.0;
        assert!((mean(&|x| x) - expected).abs() < 5.0 * (variance / 40_000.0).sqrt(), "colour {c}");
        let ratio = mean(&|x| (x - expected).powi(2)) / variance;
        assert!((ratio - 1.0).abs() < 0.05, "colour {c}: {ratio}");
    }
}

/// The whole distribution of Binomial(6, 1/3), by χ² on 7 cells (critical value at 1e-4 and 6 degrees: 27.9).
#[test]
fn a_small_binomial_has_the_right_shape() {
    let mut seen = [0.0; 7];
    for draw in many(&[2, 4], 60_000) {
        seen[draw[0] as usize] += 1.0;
    }
    let ways = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
    let expected = |k: usize| 60_000.0 * ways[k] * 2f64.powi(6 - k as i32) / 729.0;
    let chi2: f64 = (0..7).map(|k| (seen[k] - expected(k)).powi(2) / expected(k)).sum();
    assert!(chi2 < 27.9, "χ² = {chi2}");
}
