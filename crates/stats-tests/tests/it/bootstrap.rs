//! Resampling of positions.

use eval_stats::{Resampling, bootstrap_replicates};

#[test]
fn positions_stay_below_n() {
    let r = Resampling::default();
    let largest = bootstrap_replicates(3, &r, |ix| f64::from(*ix.iter().max().unwrap_or(&9)));
    assert_eq!(largest.len(), 10_000);
    assert!(largest.iter().all(|&m| m < 3.0));
    assert!(bootstrap_replicates(0, &r, |_| 1.0).is_empty());
}
