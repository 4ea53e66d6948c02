//! Kinds of samples that never came up.

use eval_stats::*;

#[test]
fn an_unseen_share_is_missed_as_often_as_it_says() {
    for (n, alpha) in [(10, 0.05), (59, 0.05), (72, 0.025), (1, 0.05)] {
        let share = unseen_share(n, alpha);
        assert!(((1.0 - share).powi(n as i32) - alpha).abs() < 1e-12, "{n}: {share}");
    }
    assert!((unseen_share(100, 0.05) - 0.0295).abs() < 1e-4, "the rule of three");
    assert_eq!(unseen_share(0, 0.05), 1.0);
}

#[test]
fn the_mean_moves_by_the_share_of_what_is_unseen() {
    assert_eq!(mean_with_unseen(0.5, 0.25, -2.5), -0.25);
    assert_eq!(mean_with_unseen(0.5, 0.0, -2.5), 0.5);
    assert_eq!(mean_with_unseen(0.5, 1.0, -2.5), -2.5);
}

#[test]
fn the_fewest_pairs_are_enough_and_one_less_is_not() {
    let stays = |gain, fall: f64, risk, n| mean_with_unseen(gain, unseen_share(n, risk), -fall) > 0.0;
    for gain in [0.01, 0.16, 0.2, 0.3, 0.5, 1.0, 3.0, 40.0] {
        for fall in [1e-9, 0.5, 1.0, 2.5, 3.0, 4.0] {
            for risk in [0.05, 0.10, 0.5] {
                let n = pairs_against_unseen(gain, fall, risk).expect("exists");
                assert!(stays(gain, fall, risk, n), "{gain} {fall} {risk}: {n}");
                assert!(n == 1 || !stays(gain, fall, risk, n - 1), "{gain} {fall} {risk}: {n}");
            }
        }
    }
}

/// `(1 − q) · gain = q · fall` at exactly four, two and eight samples: a mean of 0 is not above it.
#[test]
fn where_the_formula_is_a_whole_number_rounding_doesnt_decide() {
    for (gain, fall, risk, about) in
        [(1.0, 1.0, 0.0625, 4), (1.0, 1.0, 0.25, 2), (1.0, 2.0, (2.0_f64 / 3.0).powi(8), 8)]
    {
        let n = pairs_against_unseen(gain, fall, risk).expect("exists");
        assert!(n == about || n == about + 1, "{n} for {about}");
        let left = |n| mean_with_unseen(gain, unseen_share(n, risk), -fall);
        assert!(left(n) > 0.0 && left(n - 1) <= 0.0, "{n}: {} {}", left(n), left(n - 1));
    }
}

#[test]
fn the_gain_of_a_small_test_set() {
    // c̄ = 3.5 and a gain of 0.3: ln 0.1 / ln(2.5 / 2.8) = 20.3
    assert_eq!(pairs_against_unseen(0.3, 2.5, UNSEEN_RISK_OF_A_GAIN), Some(21));
    assert_eq!(pairs_against_unseen(0.3, 0.0, UNSEEN_RISK_OF_A_GAIN), Some(1));
    for (gain, fall, risk) in [
        (0.0, 2.5, 0.1),
        (-0.3, 2.5, 0.1),
        (f64::NAN, 2.5, 0.1),
        (f64::INFINITY, 2.5, 0.1),
        (0.3, f64::NAN, 0.1),
        (0.3, f64::INFINITY, 0.1),
        (0.3, 2.5, 0.0),
        (0.3, 2.5, 1.0),
        (1e-12, 2.5, 0.1),
        (1e-320, 1e300, 0.1),
    ] {
        assert_eq!(pairs_against_unseen(gain, fall, risk), None, "{gain} {fall} {risk}");
    }
}
