//! Properties that hold for any input.

use eval_stats::*;
use proptest::prelude::*;

const METHODS: [IntervalMethod; 4] =
    [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca, IntervalMethod::T];

fn quick(method: IntervalMethod) -> Resampling {
    Resampling { seed: 11, resamples: 60, level: 0.95, method }
}

/// Scores on a quarter-point lattice, where shifts and doublings are exact.
fn scores(n: std::ops::Range<usize>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-16..=16).prop_map(|q| f64::from(q) / 4.0), n)
}

/// Any float, extreme ones often.
fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>(),
        -5.0..5.0,
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN,
            5e-324,
            1e-308,
        ]),
    ]
}

fn finite_or_none(i: Option<Interval>) -> bool {
    i.is_none_or(|i| i.low.is_finite() && i.high.is_finite() && i.low <= i.high)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn no_numbers_panic_or_come_out_as_nan(
        xs in prop::collection::vec(wild(), 0..25),
        ys in prop::collection::vec(wild(), 0..25),
        level in wild(),
        resamples in 0..40_u32,
        p in wild(),
    ) {
        for method in METHODS {
            for level in [level, 0.95] {
                let r = Resampling { seed: 1, resamples, level, method };
                prop_assert!(finite_or_none(mean_interval(&xs, &r)));
                for effect in [cohen_dz(&xs, &r), probability_of_superiority(&xs, &r)].into_iter().flatten() {
                    prop_assert!(effect.estimate.is_finite() && finite_or_none(effect.interval));
                }
                let statistic = Statistic { estimate: p, n: ys.len(), acceleration: level };
                prop_assert!(finite_or_none(replicate_interval(&xs, &statistic, level, method)));
                let columns: Vec<Vec<Option<f64>>> = [&xs, &ys]
                    .map(|c| c.iter().map(|x| (*x != 1.0).then_some(*x)).collect())
                    .to_vec();
                let joint = simultaneous_mean_intervals(&columns, &r);
                prop_assert!(joint.len() == 2 && joint.into_iter().all(finite_or_none));
            }
        }
        for x in [mean(&xs), sd(&xs), median(&xs), quantile(&xs, p), acceleration(&xs)].into_iter().flatten() {
            prop_assert!(x.is_finite());
        }
        if let Some(w) = welch(&xs, &ys) {
            prop_assert!(w.t.is_finite() && w.df.is_finite() && (0.0..=1.0).contains(&w.p_value));
        }
        if let Some(t) = sign_flip_test(&xs, 3) {
            prop_assert!(t.p_value > 0.0 && t.p_value <= 1.0);
        }
        prop_assert!(holm(&xs).iter().all(|p| (0.0..=1.0).contains(p)));
    }

    #[test]
    fn rates_never_panic(a in any::<u64>(), b in any::<u64>(), level in wild()) {
        for level in [level, 0.95] {
            if let Some(w) = wilson(a, b, level) {
                prop_assert!(0.0 <= w.low && w.low <= w.estimate && w.estimate <= w.high && w.high <= 1.0);
            }
        }
        prop_assert!((0.0..=1.0).contains(&mcnemar_exact(a, b)));
        prop_assert!((0.0..=1.0).contains(&mcnemar_exact(a % 100, b % 100)));
    }

    #[test]
    fn intervals_follow_shift_scale_and_ignore_order(
        (xs, shuffled) in scores(2..40).prop_flat_map(|xs| (Just(xs.clone()), Just(xs).prop_shuffle())),
        shift in -50..50_i32,
    ) {
        for method in METHODS {
            let r = quick(method);
            let plain = mean_interval(&xs, &r);
            prop_assert_eq!(plain, mean_interval(&shuffled, &r));
            let moved: Vec<f64> = xs.iter().map(|x| 2.0 * x + f64::from(shift)).collect();
            let (a, b) = (plain, mean_interval(&moved, &r));
            prop_assert_eq!(a.is_some(), b.is_some());
            if let Some((a, b)) = a.zip(b) {
                prop_assert!((2.0 * a.low + f64::from(shift) - b.low).abs() < 1e-9, "{:?} {:?}", a, b);
                prop_assert!((2.0 * a.high + f64::from(shift) - b.high).abs() < 1e-9, "{:?} {:?}", a, b);
                prop_assert_eq!(a.degenerate, b.degenerate);
            }
        }
    }

    #[test]
    fn intervals_hold_the_mean_and_percentiles_stay_in_the_range(xs in scores(2..40)) {
        let (low, high) = xs.iter().fold((9.0_f64, -9.0_f64), |(l, h), x| (l.min(*x), h.max(*x)));
        let centre = mean(&xs).expect("exists");
        let interval = |method| mean_interval(&xs, &quick(method)).expect("exists");
        let (drawn, farther) = (interval(IntervalMethod::Percentile), interval(IntervalMethod::Expanded));
        for i in [drawn, farther] {
            prop_assert!(i.low <= centre + 1e-9 && centre - 1e-9 <= i.high);
        }
        prop_assert!(drawn.low >= low - 1e-9 && drawn.high <= high + 1e-9);
        prop_assert!(farther.low <= drawn.low && farther.high >= drawn.high);
    }

    #[test]
    fn sign_flips_count_what_brute_force_counts(d in scores(1..11)) {
        let total: f64 = d.iter().sum();
        let sum = |signs: u32| -> f64 {
            d.iter().enumerate().map(|(i, x)| if signs >> i & 1 == 1 { *x } else { -x }).sum()
        };
        let patterns = 1_u32 << d.len();
        let reached = (0..patterns).filter(|&s| sum(s).abs() >= total.abs()).count();
        let ours = sign_flip_test(&d, 0).expect("exists");
        prop_assert_eq!(ours.p_value, reached as f64 / f64::from(patterns));
    }

    #[test]
    fn sign_flips_ignore_order_sign_and_unit(
        (d, shuffled) in scores(1..40).prop_flat_map(|xs| (Just(xs.clone()), Just(xs).prop_shuffle())),
        factor in prop::sample::select(vec![1e-300, 0.1, 3.0, 1e300]),
    ) {
        let plain = sign_flip_test(&d, 0).expect("exists");
        let scaled: Vec<f64> = shuffled.iter().map(|x| x * factor).collect();
        let again = sign_flip_test(&scaled, 0).expect("exists");
        prop_assert_eq!(plain, again);
        let turned: Vec<f64> = d.iter().map(|x| -x).collect();
        prop_assert_eq!(plain, sign_flip_test(&turned, 0).expect("exists"));
    }

    #[test]
    fn joint_intervals_hold_the_single_ones(
        rows in prop::collection::vec(prop::array::uniform3(prop::option::weighted(0.9, -8..=8)), 0..30),
    ) {
        let columns: Vec<Vec<Option<f64>>> = (0..3)
            .map(|c| rows.iter().map(|row| row[c].map(f64::from)).collect())
            .collect();
        for method in METHODS {
            let r = quick(method);
            for (joint, column) in simultaneous_mean_intervals(&columns, &r).iter().zip(&columns) {
                let values: Vec<f64> = column.iter().copied().flatten().collect();
                let alone = mean_interval(&values, &r);
                prop_assert_eq!(joint.is_some(), alone.is_some());
                if let Some((joint, alone)) = joint.zip(alone) {
                    prop_assert!(joint.low <= alone.low && joint.high >= alone.high);
                }
            }
        }
    }

    #[test]
    fn holm_lies_between_no_correction_and_bonferroni(p in prop::collection::vec(0.0..=1.0, 0..20)) {
        for (adjusted, raw) in holm(&p).iter().zip(&p) {
            prop_assert!(*adjusted >= *raw && *adjusted <= (raw * p.len() as f64).min(1.0).max(p.iter().copied().fold(0.0, f64::max)));
        }
    }

    #[test]
    fn superiority_turns_over_with_the_sign(d in scores(1..40)) {
        let turned: Vec<f64> = d.iter().map(|x| -x).collect();
        let estimate = |d: &[f64]| {
            let r = quick(IntervalMethod::Percentile);
            probability_of_superiority(d, &r).expect("exists").estimate
        };
        prop_assert!((estimate(&d) + estimate(&turned) - 1.0).abs() < 1e-12);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn power_questions_never_panic(sd in wild(), difference in wild(), n in any::<usize>(), alpha in wild(), power in wild()) {
        for (n, alpha, power) in [(n, 0.05, 0.8), (n % 90, alpha, power), (n % 90, 0.05, 0.8)] {
            let achieved = power_of_paired_t(sd, difference, n, alpha);
            prop_assert!(achieved.is_none_or(|p| (0.0..=1.0).contains(&p)), "{:?}", achieved);
            let least = minimum_detectable_difference(sd, n, alpha, power);
            prop_assert!(least.is_none_or(|d| d >= 0.0));
            prop_assert!(pairs_needed(sd, difference, alpha, power).is_none_or(|n| n >= 2));
        }
    }
}
