//! Stratified tests against tests of one stratum.

use eval_stats::internals::{Telling, approximate, exact};
use eval_stats::*;

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

fn pair(a: u32, b: u32) -> Stratum {
    Stratum { trials_a: 1, successes_a: a, trials_b: 1, successes_b: b }
}

#[test]
fn with_one_trial_each_it_is_mcnemar_s_one_sided_test() {
    let lost = |n: usize| vec![pair(1, 0); n];
    assert!(close(fewer_successes(&lost(5)), 1.0 / 32.0));
    // P(X ≤ 1), X ~ Binomial(6, ½)
    assert!(close(fewer_successes(&[lost(5), vec![pair(0, 1)]].concat()), 7.0 / 64.0));
    assert!(close(fewer_successes(&[pair(0, 1)]), 1.0));
    // strata without a difference don't count
    assert!(close(fewer_successes(&[lost(5), vec![pair(1, 1); 50], vec![pair(0, 0); 9]].concat()), 1.0 / 32.0));
}

#[test]
fn with_one_stratum_it_is_fisher_s_test() {
    let stratum = |a, b| Stratum { trials_a: 3, successes_a: a, trials_b: 3, successes_b: b };
    assert!(close(fewer_successes(&[stratum(3, 0)]), 1.0 / 20.0));
    // scipy.stats.fisher_exact([[2, 1], [1, 2]], "greater").pvalue
    assert!(close(fewer_successes(&[stratum(2, 1)]), 0.5));
    assert!(close(fewer_successes(&[stratum(3, 0), stratum(3, 0)]), 1.0 / 400.0));
}

#[test]
fn nothing_to_tell_is_no_evidence() {
    assert!(close(fewer_successes(&[]), 1.0));
    assert!(close(fewer_successes(&[pair(1, 1), pair(0, 0), pair(2, 0)]), 1.0));
}

#[test]
fn many_trials_neither_overflow_nor_take_long() {
    let stratum = Stratum { trials_a: 1000, successes_a: 900, trials_b: 1000, successes_b: 100 };
    let p = fewer_successes(&vec![stratum; 500]);
    assert!((0.0..1e-12).contains(&p), "{p}");
}

#[test]
fn the_approximation_is_near_the_exact_sum() {
    let strata: Vec<Stratum> = (0..400)
        .map(|i| Stratum { trials_a: 4, successes_a: 2 + i % 3, trials_b: 4, successes_b: 2 + (i / 7) % 2 })
        .collect();
    let telling: Vec<Telling> = strata.iter().filter_map(Telling::new).collect();
    let observed = telling.iter().map(|stratum| u64::from(stratum.observed - stratum.lowest)).sum();
    let (exact, near) = (exact(&telling, observed), approximate(&telling, observed));
    assert!((exact - near).abs() < 0.01, "{exact} {near}");
}
