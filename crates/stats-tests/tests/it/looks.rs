//! Interim looks planned before a run.

use eval_stats::*;

const ALPHA: f64 = 0.025;

fn equal_looks(looks: u32) -> Vec<f64> {
    let information: Vec<f64> = (1..=looks).map(|look| f64::from(look) / f64::from(looks)).collect();
    look_tails(ALPHA, &information).expect("tails")
}

/// The values come from SciPy's multivariate normal distribution (`looks_oracle.py`).
#[test]
fn tails_are_those_of_an_independent_integration() {
    for (looks, expected) in [
        (2, vec![0.001_525_323, 0.024_499_772]),
        (3, vec![0.000_103_506, 0.006_012_199, 0.023_128_126]),
        (4, vec![0.000_007_367, 0.001_522_632, 0.009_161_035, 0.022_000_034]),
        (5, vec![0.000_000_539, 0.000_393_949, 0.003_678_029, 0.011_015_971, 0.021_125_878]),
    ] {
        let tails = equal_looks(looks);
        for (tail, expected) in tails.iter().zip(&expected) {
            assert!((tail - expected).abs() < 2e-7, "{looks} looks: {tails:?}");
        }
    }
}

#[test]
fn tails_are_those_of_their_own_plan_whatever_was_asked_before() {
    let [three, half] = [vec![1.0 / 3.0, 2.0 / 3.0, 1.0], vec![0.5, 1.0]];
    let all =
        || [(ALPHA, &three), (ALPHA / 2.0, &three), (ALPHA, &half)].map(|(alpha, shares)| look_tails(alpha, shares));
    let first = all();
    assert_eq!(first, all());
    assert!(first[0] != first[1] && first[0] != first[2], "{first:?}");
}

#[test]
fn one_look_has_the_whole_risk() {
    assert!((look_tails(ALPHA, &[1.0]).expect("a tail")[0] - ALPHA).abs() < 1e-9);
    assert!((spent_risk(ALPHA, 1.0) - ALPHA).abs() < 1e-9);
}

#[test]
fn shares_that_do_not_ascend_to_one_have_no_tails() {
    for wrong in [vec![], vec![0.5], vec![0.5, 0.5, 1.0], vec![0.0, 1.0], vec![0.7, 0.5, 1.0], vec![0.5, f64::NAN, 1.0]]
    {
        assert!(look_tails(ALPHA, &wrong).is_none(), "{wrong:?}");
    }
    assert!(look_tails(0.0, &[1.0]).is_none() && look_tails(0.5, &[1.0]).is_none());
}

#[test]
fn looks_are_at_equal_distances_from_twenty_samples_on() {
    let sizes = |samples, looks| -> Vec<usize> {
        let planned = PlannedLooks::new(samples, looks, ALPHA, 0.05).expect("looks");
        planned.all().iter().map(|look| look.samples).collect()
    };
    assert_eq!(sizes(100, 5), [20, 40, 60, 80, 100]);
    assert_eq!(sizes(60, 5), [20, 24, 36, 48, 60]);
    assert_eq!(sizes(41, 5), [20, 25, 33, 41]);
    assert_eq!(sizes(14, 5), [14]);
    let risks: Vec<f64> =
        PlannedLooks::new(100, 5, ALPHA, 0.05).expect("looks").all().iter().map(|look| look.unseen_risk).collect();
    assert_eq!(risks, [0.025, 0.025, 0.025, 0.025, 0.05]);
    assert!(PlannedLooks::new(0, 5, ALPHA, 0.05).is_none() && PlannedLooks::new(50, 0, ALPHA, 0.05).is_none());
}

/// Sums of simulated normal values cross the bounds as often as the risk allows.
#[test]
fn false_alarms_over_all_looks_keep_to_alpha() {
    let sizes = [20_usize, 40, 60, 80, 100];
    let bounds: Vec<f64> = equal_looks(5).iter().map(|tail| upper_normal(*tail)).collect();
    let (runs, mut random) = (200_000, 1_u64);
    let mut next = move || {
        // SplitMix64
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut false_alarms = 0;
    for _ in 0..runs {
        let mut sum = 0.0;
        let crossed = sizes.iter().zip(&bounds).any(|(n, bound)| {
            let (a, b) = (next(), next());
            let normal = (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos();
            sum += normal * 20_f64.sqrt();
            sum / (*n as f64).sqrt() > *bound
        });
        false_alarms += u32::from(crossed);
    }
    let share = f64::from(false_alarms) / f64::from(runs);
    assert!((share - ALPHA).abs() < 0.0014, "{share}");
}

/// Upper normal quantile, by bisection of the distribution function.
fn upper_normal(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        // with so many degrees of freedom, t is normal
        if internals::t_tail(middle, 1e9) > tail { low = middle } else { high = middle }
    }
    low
}

#[test]
fn an_interval_at_a_tail_is_the_ordinary_one_at_its_level() {
    let values: Vec<f64> = (0..40).map(|i| f64::from(i * i % 17) / 8.0 - 0.7).collect();
    let r = Resampling::default();
    let at_tail = |tail| look_interval(&values, tail, &r).expect("an interval");
    let ordinary = mean_interval(&values, &Resampling { level: 0.98, ..r }).expect("an interval");
    let interval = at_tail(0.01);
    assert!(
        (interval.low - ordinary.low).abs() < 1e-12 && (interval.high - ordinary.high).abs() < 1e-12,
        "{interval:?}"
    );
    assert_eq!(interval.level, r.level);
    // farther out, no resample is read
    let few = look_interval(&values, 1e-6, &Resampling { resamples: 1, ..r }).expect("an interval");
    assert_eq!(few, at_tail(1e-6));
    assert!(few.low < interval.low && few.high > interval.high);
    let point = look_interval(&[0.5; 20], 1e-6, &r).expect("a point");
    assert!(point.degenerate && point.low == 0.5);
    assert!(look_interval(&values, 0.0, &r).is_none() && look_interval(&[1.0], 0.01, &r).is_none());
}

#[test]
fn mean_samples_are_those_of_simulated_runs() {
    let planned = PlannedLooks::new(60, 5, ALPHA, 0.05).expect("looks");
    let expected = |mean, sd| {
        let seen = SeenDifferences { n: 20, mean, sd, widest: 4.0 };
        planned.mean_samples(&seen, 0.2, 0.1).expect("a number")
    };
    // a large gain ends at the second look or the third, a difference of 0 goes on to the end
    assert!((28.0..36.0).contains(&expected(0.5, 0.55)), "{}", expected(0.5, 0.55));
    assert!((55.0..=60.0).contains(&expected(0.0, 0.55)), "{}", expected(0.0, 0.55));
    assert!((44.0..52.0).contains(&expected(0.3, 0.55)), "{}", expected(0.3, 0.55));
    assert!((expected(-0.5, 0.55) - expected(0.5, 0.55)).abs() < 1e-9);
    let single = PlannedLooks::new(60, 1, ALPHA, 0.05).expect("one look");
    let seen = SeenDifferences { n: 20, mean: 0.5, sd: 0.55, widest: 4.0 };
    assert_eq!(single.mean_samples(&seen, 0.2, 0.1), Some(60.0));
    assert_eq!(planned.mean_samples(&SeenDifferences { sd: 0.0, ..seen }, 0.2, 0.1), None);
}
