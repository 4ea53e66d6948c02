//! Unseen kinds of samples.

use eval_stats::*;
use proptest::prelude::*;

/// The risk that a verdict allows.
const UNSEEN_RISK: f64 = 0.05;
const NOTHING: SeenDifferences = SeenDifferences { n: 40, mean: 0.0, sd: 0.3, widest: 4.0 };

fn seen(n: usize, mean: f64, sd: f64) -> SeenDifferences {
    SeenDifferences { n, mean, sd, ..NOTHING }
}

#[test]
fn the_risk_is_that_of_an_independent_computation() {
    for (mean, sd, n, loss, expected) in [
        (0.3, 0.55, 30, 0.0, 0.057_554_442_7),
        (0.3, 0.3, 40, 0.0, 0.030_905_751_4),
        (0.0, 0.0, 59, 0.2, 0.048_494_525_2),
        (0.0, 0.3, 48, 0.2, 0.045_495_968_2),
        (0.1, 0.8, 100, 0.2, 0.000_654_953_7),
    ] {
        let risk = seen(n, mean, sd).unseen_risk(loss);
        assert!((risk - expected).abs() < 1e-9, "{mean} {sd} {n} {loss}: {risk}");
    }
}

/// The smallest gains that pass with 20 to 100 samples, rounded up to a hundredth.
#[test]
fn the_least_gains_that_pass() {
    let passes = |n, hundredths: u32, sd| seen(n, f64::from(hundredths) / 100.0, sd).unseen_risk(0.0) <= UNSEEN_RISK;
    for (sd, gains) in
        [(0.0, [65, 42, 31, 21, 15, 12]), (0.3, [54, 34, 25, 16, 12, 9]), (0.55, [50, 32, 24, 16, 12, 10])]
    {
        for (n, gain) in [20, 30, 40, 60, 80, 100].into_iter().zip(gains) {
            let least = (1..100).find(|gain| passes(n, *gain, sd)).expect("some gain passes");
            assert!(least == gain || least == gain + 1, "sd {sd}, {n} samples: {least} for {gain}");
        }
    }
    // ties rule out a loss of 0.2 from 59 samples on, and with some spread from 46 to 49
    let least = |sd| (1..100).find(|n| seen(*n, 0.0, sd).unseen_risk(0.2) <= UNSEEN_RISK);
    assert_eq!(least(0.0), Some(59));
    assert!([0.2, 0.3, 0.4, 0.55].into_iter().all(|sd| (46..=49).contains(&least(sd).expect("some number does"))));
}

/// Without spread, the seen kinds have exactly the seen mean: an unseen kind that loses the whole scale and makes the
/// true mean 0 has a share of `mean / (4 + mean)`, and `n` samples miss it with the chance of the formula.
#[test]
fn equal_differences_are_missed_as_often_as_a_share_says() {
    for (n, mean) in [(20_u32, 0.65_f64), (59, 0.2), (7, 1.0)] {
        let share = mean / (4.0 + mean);
        let missed = (1.0 - share).powi(n as i32);
        let risk = seen(n as usize, mean, 0.0).unseen_risk(0.0);
        assert!((risk - missed).abs() < 1e-12, "{n} {mean}: {risk} for {missed}");
    }
}

#[test]
fn without_usable_numbers_the_risk_is_one() {
    for odd in [
        SeenDifferences { n: 0, ..NOTHING },
        SeenDifferences { mean: f64::NAN, ..NOTHING },
        SeenDifferences { sd: -1.0, ..NOTHING },
        SeenDifferences { sd: f64::INFINITY, ..NOTHING },
        SeenDifferences { widest: 0.0, ..NOTHING },
        SeenDifferences { mean: -4.5, sd: 0.0, ..NOTHING },
    ] {
        assert_eq!(odd.unseen_risk(0.0), 1.0, "{odd:?}");
        assert_eq!(odd.pairs_against_unseen(UNSEEN_RISK), None, "{odd:?}");
    }
    assert_eq!(NOTHING.unseen_risk(f64::NAN), 1.0);
    assert_eq!(NOTHING.unseen_risk(4.0), 1.0);
}

#[test]
fn the_fewest_pairs_are_enough_and_one_less_is_not() {
    for sd in [0.0, 0.3, 0.55, 0.8, 1.2] {
        for mean in [0.01, 0.1, 0.2, 0.3, 0.5, 1.0, 3.0] {
            let small = seen(6, mean, sd);
            let n = small.pairs_against_unseen(UNSEEN_RISK).expect("exists");
            let risk = |n| seen(n, mean, sd).unseen_risk(0.0);
            assert!(risk(n) <= UNSEEN_RISK, "{sd} {mean}: {n}");
            assert!(n == 6 || risk(n - 1) > UNSEEN_RISK, "{sd} {mean}: {n}");
            let large = seen(n + 10, mean, sd);
            assert_eq!(large.pairs_against_unseen(UNSEEN_RISK), Some(n + 10), "{sd} {mean}");
        }
    }
    for mean in [0.0, -0.3, f64::INFINITY, 1e-12] {
        assert_eq!(seen(20, mean, 0.3).pairs_against_unseen(UNSEEN_RISK), None, "{mean}");
    }
}

proptest! {
    #[test]
    fn more_samples_more_gain_and_more_loss_make_it_smaller(
        n in 1_usize..500, mean in -3.0..3.0_f64, sd in 0.0..2.0_f64, loss in 0.0..1.0_f64, more in 0.001..0.5_f64
    ) {
        let risk = seen(n, mean, sd).unseen_risk(loss);
        prop_assert!((0.0..=1.0).contains(&risk));
        prop_assert!(seen(n, mean + more, sd).unseen_risk(loss) <= risk + 1e-12);
        prop_assert!(seen(n, mean, sd).unseen_risk(loss + more) <= risk + 1e-12);
        // a scale of another unit
        let wide = SeenDifferences { n, mean: mean / 4.0, sd: sd / 4.0, widest: 1.0 };
        prop_assert!((wide.unseen_risk(loss / 4.0) - risk).abs() < 1e-12);
    }
}
