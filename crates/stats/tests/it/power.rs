//! Power and sample sizes: worked examples and questions without an answer.

use eval_stats::*;

#[test]
fn power_without_a_difference_is_alpha() {
    let power = power_of_paired_t(1.0, 0.0, 12, 0.05).expect("exists");
    assert!((power - 0.05).abs() < 1e-10);
}

#[test]
fn pairs_and_difference_answer_each_other() {
    let n = pairs_needed(0.8, 0.2, 0.05, 0.8).expect("exists");
    let at = |n| minimum_detectable_difference(0.8, n, 0.05, 0.8).expect("exists");
    assert!(at(n) <= 0.2 && at(n - 1) > 0.2);
}

#[test]
fn questions_without_an_answer() {
    assert_eq!(pairs_needed(1.0, 0.0, 0.05, 0.8), None);
    assert_eq!(pairs_needed(1.0, 1e-9, 0.05, 0.8), None);
    assert_eq!(pairs_needed(f64::NAN, 1.0, 0.05, 0.8), None);
    assert_eq!(minimum_detectable_difference(1.0, 1, 0.05, 0.8), None);
    assert_eq!(minimum_detectable_difference(1.0, 9, 0.0, 0.8), None);
}

#[test]
fn absurd_error_rates_are_answered_or_refused() {
    for alpha in [5e-324, 1e-308, 1e-100, 1.0 - 1e-16] {
        let power = power_of_paired_t(1.0, 0.5, 12, alpha);
        assert!(power.is_none_or(|p| (0.0..=1.0).contains(&p)), "{alpha}");
    }
}

#[test]
fn no_spread_shows_anything() {
    assert_eq!(pairs_needed(0.0, 0.1, 0.05, 0.8), Some(2));
    assert_eq!(minimum_detectable_difference(0.0, 9, 0.05, 0.8), Some(0.0));
}
