//! Weights of the checks of samples.

use eval_analysis::internals::WEIGHTS;

#[test]
fn all_checks_together_take_a_hundred() {
    assert!((WEIGHTS.iter().map(|(_, weight)| weight).sum::<f64>() - 100.0).abs() < 1e-9);
}
