//! The noncentral t distribution.

use eval_stats::internals::{NoncentralT, tail_by_simpson};

/// The trapezoidal rule at a step of 0.003, in Python.
#[test]
fn far_tails_of_few_degrees_are_right() {
    for (x, df, ncp, expected) in [
        (13.0, 3.0, 6.93, 0.167_934_990_976_447),
        (700.0, 2.0, -2.1, 8.736_651_097_878e-9),
        (4.3, 1.0, 6.93, 0.883_524_043_739_778),
    ] {
        let ours = NoncentralT::new(df).tail(x, ncp);
        assert!((ours - expected).abs() <= 1e-9 * expected, "df {df}, x {x}, ncp {ncp}: {ours} for {expected}");
    }
}

#[test]
fn both_rules_agree() {
    for df in [1.0, 2.0, 3.0, 5.0, 9.0, 23.0, 99.0, 1000.0, 99_999.0] {
        let t = NoncentralT::new(df);
        let largest = t.most_ncp.min(40.0);
        for (x, ncp) in [0.0, 0.7, 2.1, 4.3]
            .into_iter()
            .flat_map(|x| [-0.99, -0.3, 0.0, 0.1, 0.45, 0.99].map(|part| (x, part * largest)))
        {
            let (quick, slow) = (t.tail(x, ncp), tail_by_simpson(x, df, ncp));
            assert!((quick - slow).abs() < 1e-11, "df {df}, x {x}, ncp {ncp}: {quick} for {slow}");
        }
    }
}
