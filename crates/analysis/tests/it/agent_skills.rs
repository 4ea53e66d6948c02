//! Differences as numbers with a sign.

use eval_analysis::internals::signed;

#[test]
fn nothing_is_not_less_than_nothing() {
    assert_eq!([-0.04, 0.04, -0.0, -0.06].map(|seconds| signed(seconds, 1)), ["+0.0", "+0.0", "+0.0", "-0.1"]);
    assert_eq!((signed(-0.4, 0), signed(-0.006, 2)), ("+0".to_owned(), "-0.01".to_owned()));
}
