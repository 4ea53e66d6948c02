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
    let difference = |n| minimum_detectable_difference(0.8, n, 0.05, 0.8).expect("exists");
    assert!(difference(n) <= 0.2 && difference(n - 1) > 0.2);
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

/// Counts up to the least `n ≥ 2`; from 200 on by doubling and bisection.
fn counted(is_enough: impl Fn(usize) -> bool) -> usize {
    if let Some(n) = (2..200).find(|&n| is_enough(n)) {
        return n;
    }
    let mut high = 400;
    while !is_enough(high) {
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = usize::midpoint(low, high);
        if is_enough(middle) { high = middle } else { low = middle }
    }
    high
}

#[test]
fn counts_are_those_of_their_definitions() {
    for sd in [0.01, 0.3, 0.55, 0.8, 1.3, 2.9] {
        for difference in [0.02, 0.1, 0.2, 0.37, -0.5, 1.0, 3.9] {
            for (alpha, power) in [(0.05, 0.8), (0.025, 0.8), (0.05 / 3.0, 0.8), (0.05, 0.95), (0.05, 0.3), (0.2, 0.1)]
            {
                let shows = |n| power_of_paired_t(sd, difference, n, alpha).is_some_and(|p| p >= power);
                let pairs = pairs_needed(sd, difference, alpha, power);
                assert_eq!(pairs, Some(counted(shows)), "{sd} {difference} {alpha} {power}");
            }
            let reaches = |n: usize| {
                // n values with this standard deviation
                let spread = sd * ((n - 1) as f64 / (n - n % 2) as f64).sqrt();
                let mut values: Vec<f64> = (0..n - n % 2).map(|i| if i % 2 == 0 { spread } else { -spread }).collect();
                values.resize(n, 0.0);
                t_interval(&values, 0.95).is_some_and(|i| i.width() / 2.0 <= f64::abs(difference))
            };
            if sd / f64::abs(difference) < 4.0 {
                let pairs = pairs_for_half_width(sd, f64::abs(difference), 0.95);
                assert_eq!(pairs, Some(counted(reaches)), "{sd} {difference}");
            }
        }
    }
}
