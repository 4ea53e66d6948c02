//! Sign-flip tests: worked examples, and both ways to draw signs.

use eval_stats::internals::monte_carlo;
use eval_stats::*;
use statrs::distribution::{ContinuousCDF, Normal};

#[test]
fn all_wins_leave_two_patterns() {
    let test = sign_flip_test(&[1.0, 2.0, 0.5, 0.25, 1.0], 0).expect("exists");
    assert_eq!((test.p_value, test.exact, test.patterns), (2.0 / 32.0, true, 32));
}

#[test]
fn nothing_but_ties_is_no_evidence() {
    let test = sign_flip_test(&[0.0; 50], 0).expect("exists");
    assert_eq!((test.p_value, test.exact, test.patterns), (1.0, true, 1));
}

#[test]
fn zeros_dont_change_p() {
    let few = [1.0, -0.5, 2.0, 0.5, 0.5];
    let many: Vec<f64> = few.iter().copied().chain([0.0; 100]).collect();
    assert_eq!(sign_flip_test(&few, 0), sign_flip_test(&many, 0));
}

/// 0.1 + 0.2 and 0.3 are the same score difference.
#[test]
fn rounding_is_a_tie() {
    let test = sign_flip_test(&[0.1, 0.2, -0.3], 0).expect("exists");
    assert_eq!(test.p_value, 1.0);
}

#[test]
fn many_wins_reach_the_smallest_p_that_random_patterns_can_show() {
    let test = sign_flip_test(&[1.0; 60], 0).expect("exists");
    assert!(!test.exact && test.p_value == 1.0 / 100_001.0);
}

/// Both ways to draw signs come to the same p, and to that of the normal limit `z = S / sqrt(Σd²)`.
#[test]
fn signs_counted_by_magnitude_give_the_same_p() {
    let d: Vec<f64> = (0..6000).map(|i| [0.5, -0.5, 1.0, -1.0, 0.25][i % 5]).collect();
    let few = sign_flip_test(&d.iter().map(|x| x - 0.032).collect::<Vec<_>>(), 4).expect("exists");
    let spread: Vec<f64> = (0..6000).map(|i| d[i] - 0.032 + 1e-9 * i as f64 / 6000.0).collect();
    let many = sign_flip_test(&spread, 4).expect("exists");
    let z = spread.iter().sum::<f64>() / spread.iter().map(|x| x * x).sum::<f64>().sqrt();
    let normal = 2.0 * Normal::standard().cdf(-z.abs());
    assert!((0.02..0.2).contains(&normal), "{normal}");
    assert_eq!((few.patterns, many.patterns), (100_000, 33_000));
    assert!((few.p_value - normal).abs() < 0.003, "{} {normal}", few.p_value);
    assert!((many.p_value - normal).abs() < 0.006, "{} {normal}", many.p_value);
}

#[test]
fn random_patterns_come_near_the_exact_p() {
    let d: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 11) - 4.0).collect();
    let d: Vec<f64> = d.into_iter().filter(|x| *x != 0.0).collect();
    let exact = sign_flip_test(&d, 0).expect("exists");
    let total: f64 = d.iter().sum();
    let mut magnitudes = d.iter().map(|x| x.abs()).collect::<Vec<_>>();
    magnitudes.sort_by(f64::total_cmp);
    let random = monte_carlo(&magnitudes, total - 1e-9, 5);
    assert!(exact.exact && (exact.p_value - random.p_value).abs() < 0.006);
}
