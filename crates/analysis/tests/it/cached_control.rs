//! The drift of a control from the cache.

use eval_analysis::internals::without_drift;
use eval_format::Ci;
use eval_format::Method;

fn ci(low: f64, high: f64) -> Ci {
    Ci { low, high, level: 0.95, method: Method::T, degenerate: false, family: 1 }
}

/// Zou and Donner's formula by hand: 0.5 − 0.1 ± √(0.3² + 0.4²).
#[test]
fn intervals_are_joined_as_published() {
    let (mean, low, high) = without_drift((0.5, ci(0.2, 0.8)), (0.1, ci(-0.3, 0.5)), 1.0);
    assert_eq!((mean, low, high), (0.4, -0.1, 0.9));
}

/// A control of which half is from the cache has drifted by half.
#[test]
fn only_the_cached_share_has_drifted() {
    let (mean, low, _) = without_drift((0.5, ci(0.2, 0.8)), (0.2, ci(-0.6, 1.0)), 0.5);
    assert_eq!((mean, low), (0.4, -0.1));
}
