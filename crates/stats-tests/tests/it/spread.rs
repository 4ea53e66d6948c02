//! Intervals of standard deviations.

use eval_stats::*;

/// Bounds that cover the true value at the nominal rate, by their definition.
#[test]
fn a_small_pilot_knows_its_spread_badly() {
    let (low, high) = sd_interval(1.0, 8, 0.95).expect("exists");
    assert!((low - 0.6612).abs() < 1e-4 && (high - 2.0353).abs() < 1e-4, "{low} {high}");
    let (low, high) = sd_interval(1.0, 100_001, 0.95).expect("exists");
    assert!((low - 0.9956).abs() < 1e-4 && (high - 1.0044).abs() < 1e-4, "{low} {high}");
}

#[test]
fn a_bound_is_one_end_of_an_interval() {
    let (low, high) = sd_interval(0.7, 12, 0.9).expect("exists");
    assert!(sd_bound(0.7, 12, 0.95).is_some_and(|b| (b - low).abs() < 1e-12));
    assert!(sd_bound(0.7, 12, 0.05).is_some_and(|b| (b - high).abs() < 1e-12));
    assert!(sd_bound(1.0, 8, 0.35).is_some_and(|b| (b - 1.1737).abs() < 1e-4));
}

#[test]
fn questions_without_an_answer() {
    for (sd, n, level) in [(1.0, 1, 0.95), (-1.0, 9, 0.95), (f64::NAN, 9, 0.95), (1.0, 9, 1.0), (1.0, 9, 0.0)] {
        assert_eq!((sd_interval(sd, n, level), sd_bound(sd, n, level)), (None, None));
    }
    assert_eq!(sd_interval(0.0, 9, 0.95), Some((0.0, 0.0)));
}

const QUANTILES: [(f64, f64, f64); 11] = [
    (0.025, 1.0, 0.0009820691171752555),
    (0.975, 1.0, 5.023886187314888),
    (0.025, 7.0, 1.689869180677355),
    (0.975, 7.0, 16.012764274629326),
    (0.025, 19.0, 8.906516481987971),
    (0.975, 19.0, 32.85232686172969),
    (0.005, 99.0, 66.51010530173737),
    (0.975, 99.0, 128.4219886438403),
    (0.025, 9999.0, 9723.73223701499),
    (0.975, 9999.0, 10278.056320256948),
    (0.025, 999999.0, 997229.0885291945),
];

/// By `scipy.stats.chi2.ppf` (SciPy 1.17.1): a bound is `sd · sqrt(df / quantile)`.
#[test]
fn bounds_rest_on_the_quantiles_of_scipy() {
    for (p, df, expected) in QUANTILES {
        let bound = sd_bound(1.0, df as usize + 1, p).expect("exists");
        let ours = df / (bound * bound);
        assert!((ours - expected).abs() <= 1e-9 * expected, "{p} {df}: {ours} for {expected}");
    }
}
