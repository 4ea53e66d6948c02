//! Effect sizes: worked examples and degenerate columns.

use eval_stats::*;

const D: [f64; 10] = [0.5, 1.0, -0.5, 0.0, 1.5, 2.0, 0.5, -1.0, 1.0, 0.5];

#[test]
fn dz_is_t_over_root_n() {
    let effect = cohen_dz(&D, &Resampling::default()).expect("exists");
    let interval = effect.interval.expect("exists");
    assert!((effect.estimate - 0.55 / sd(&D).expect("exists")).abs() < 1e-12);
    assert!(interval.contains(effect.estimate));
}

#[test]
fn wins_ties_and_losses() {
    let effect = probability_of_superiority(&D, &Resampling::default()).expect("exists");
    assert!((effect.estimate - 0.75).abs() < 1e-12);
    assert!(effect.interval.is_some_and(|i| i.low > 0.2 && i.high <= 1.0));
}

#[test]
fn all_wins_are_a_degenerate_point() {
    let effect = probability_of_superiority(&[1.0, 2.0, 3.0], &Resampling::default());
    let interval = effect.and_then(|e| e.interval).expect("exists");
    assert!(interval.degenerate && interval.low == 1.0);
}

#[test]
fn no_spread_has_no_dz() {
    assert_eq!(cohen_dz(&[2.0, 2.0], &Resampling::default()), None);
    assert_eq!(cohen_dz(&[2.0], &Resampling::default()), None);
}

#[test]
fn two_differences_have_an_estimate_but_no_bootstrap_interval() {
    let effect = cohen_dz(&[1.0, 2.0], &Resampling::default()).expect("exists");
    assert!(effect.estimate > 2.0 && effect.interval.is_none());
}
