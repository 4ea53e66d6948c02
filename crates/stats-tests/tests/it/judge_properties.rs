//! Properties that hold for any judges, labels, comparisons and lengths.

use eval_stats::*;
use proptest::prelude::*;

const METHODS: [IntervalMethod; 4] =
    [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca, IntervalMethod::T];

type Ratings = Vec<Vec<Option<f64>>>;

fn quick(method: IntervalMethod) -> Resampling {
    Resampling { seed: 11, resamples: 50, level: 0.9, method }
}

/// Any float, extreme ones often.
fn wild() -> impl Strategy<Value = f64> {
    let nasty = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 5e-324, 1e-308, 1e200];
    prop_oneof![any::<f64>(), -5.0..5.0, prop::sample::select(nasty.to_vec())]
}

/// Numbers of any size, all finite.
fn large_or_small() -> impl Strategy<Value = f64> {
    wild().prop_map(|x| if x.is_finite() { x } else { 3.0 })
}

/// Up to 12 units by 4 raters, scores in thirds, a fifth missing.
fn ratings() -> impl Strategy<Value = Ratings> {
    let rating = prop::option::weighted(0.8, (3..=15).prop_map(|third| f64::from(third) / 3.0));
    prop::collection::vec(prop::collection::vec(rating, 4), 0..12)
}

fn comparisons(items: usize) -> impl Strategy<Value = Vec<Vec<PairComparison>>> {
    let outcome = prop::sample::select(vec![PairOutcome::First, PairOutcome::Second, PairOutcome::Tie]);
    let comparison = (0..items, 1..items, outcome).prop_map(move |(first, by, outcome)| PairComparison {
        first,
        second: (first + by) % items,
        outcome,
    });
    prop::collection::vec(prop::collection::vec(comparison, 0..4), 0..25)
}

fn usable(i: Option<Interval>) -> bool {
    i.is_none_or(|i| i.low.is_finite() && i.high.is_finite() && i.low <= i.high)
}

/// α from its definition: coincidences of all ordered pairs, distances from sums of marginals.
fn alpha_by_pairs(ratings: &Ratings) -> Option<f64> {
    let units: Vec<Vec<f64>> =
        ratings.iter().map(|u| u.iter().copied().flatten().collect()).filter(|u: &Vec<f64>| u.len() > 1).collect();
    let mut values: Vec<f64> = units.concat();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let count = |v: f64| units.iter().flatten().filter(|x| **x == v).count() as f64;
    let distance = |a: f64, b: f64| {
        let between: f64 = values.iter().filter(|v| a.min(b) <= **v && **v <= a.max(b)).map(|v| count(*v)).sum();
        (between - (count(a) + count(b)) / 2.0).powi(2)
    };
    let pairs = |xs: &[f64]| -> f64 {
        let all = xs.iter().enumerate().flat_map(|(i, a)| xs.iter().skip(i + 1).map(move |b| (*a, *b)));
        all.map(|(a, b)| 2.0 * distance(a, b)).sum()
    };
    let everything = units.concat();
    let n = everything.len() as f64;
    let observed: f64 = units.iter().map(|u| pairs(u) / (u.len() as f64 - 1.0)).sum::<f64>() / n;
    let expected = pairs(&everything) / (n * (n - 1.0));
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn alpha_is_what_its_definition_says(ratings in ratings()) {
        let ours = krippendorff_alpha_ordinal(&ratings);
        let expected = alpha_by_pairs(&ratings);
        prop_assert_eq!(ours.is_ok(), expected.is_some());
        if let Some((ours, expected)) = ours.ok().zip(expected) {
            prop_assert!((ours.value - expected).abs() < 1e-9 && ours.value <= 1.0, "{} for {}", ours.value, expected);
        }
    }

    #[test]
    fn alpha_ignores_the_order_of_units_and_raters_and_the_spacing_of_scores(
        (ratings, units, raters) in ratings().prop_flat_map(|r| {
            let columns = Just(vec![0_usize, 1, 2, 3]).prop_shuffle();
            (Just(r.clone()), Just(r).prop_shuffle(), columns)
        }),
    ) {
        let turned: Ratings = units
            .iter()
            .map(|u| raters.iter().map(|&c| u[c].map(|x| x * x * x)).collect())
            .collect();
        for method in METHODS {
            prop_assert_eq!(alpha_interval(&ratings, &quick(method)), alpha_interval(&turned, &quick(method)));
        }
    }

    #[test]
    fn kappa_and_correlation_are_symmetric(pairs in prop::collection::vec((1..=5, 1..=5), 0..20)) {
        let there: Vec<(f64, f64)> = pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).collect();
        let back: Vec<(f64, f64)> = there.iter().map(|&(a, b)| (b, a)).collect();
        for coefficient in [weighted_kappa_quadratic, pearson] {
            match (coefficient(&there), coefficient(&back)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-12 && a.abs() <= 1.0),
                (a, b) => prop_assert_eq!(a, b),
            }
        }
        if let Some((kappa, r)) = weighted_kappa_quadratic(&there).ok().zip(pearson(&there).ok()) {
            prop_assert!(kappa.abs() <= r.abs() + 1e-12);
        }
    }

    #[test]
    fn powered_means_follow_shift_and_scale(
        human in prop::collection::vec(-16..=16, 2..30),
        rest in prop::collection::vec(-16..=16, 0..40),
        blur in -4..=4,
        bias in -50..50,
    ) {
        let labelled = |factor: f64, shift: f64, bias: f64| -> Vec<Labelled> {
            let label = |(i, h): (usize, &i32)| {
                let judge = f64::from(*h + (i as i32 * 7 + blur) % 9) / 4.0;
                Labelled { human: f64::from(*h) / 4.0 * factor + shift, judge: judge * factor + bias }
            };
            human.iter().enumerate().map(label).collect()
        };
        let judged = |factor: f64, bias: f64| -> Vec<f64> { rest.iter().map(|u| f64::from(*u) / 4.0 * factor + bias).collect() };
        let plain = ppi_mean(&labelled(1.0, 0.0, 0.0), &judged(1.0, 0.0), 0.95).expect("exists");
        let moved = ppi_mean(&labelled(2.0, 8.0, f64::from(bias)), &judged(2.0, f64::from(bias)), 0.95).expect("exists");
        prop_assert_eq!((plain.tuning, plain.df), (moved.tuning, moved.df));
        for (a, b) in [
            (plain.estimate, moved.estimate),
            (plain.interval.low, moved.interval.low),
            (plain.interval.high, moved.interval.high),
            (plain.asymptotic.0, moved.asymptotic.0),
        ] {
            prop_assert!((2.0 * a + 8.0 - b).abs() < 1e-9, "{:?} {:?}", plain, moved);
        }
        prop_assert!((0.0..=1.0).contains(&plain.lambda));
        prop_assert!(plain.interval.low <= plain.asymptotic.0 + 1e-9 && plain.asymptotic.1 <= plain.interval.high + 1e-9);
    }

    #[test]
    fn strengths_ignore_names_and_order(
        (units, shuffled, names) in comparisons(4).prop_flat_map(|c| {
            (Just(c.clone()), Just(c).prop_shuffle(), Just(vec![0_usize, 1, 2, 3]).prop_shuffle())
        }),
    ) {
        let renamed: Vec<Vec<PairComparison>> = shuffled
            .iter()
            .map(|u| u.iter().map(|c| PairComparison { first: names[c.first], second: names[c.second], ..*c }).collect())
            .collect();
        let r = quick(IntervalMethod::Expanded);
        prop_assert_eq!(bradley_terry(4, &units, Weighing::Comparisons, &r), bradley_terry(4, &shuffled, Weighing::Comparisons, &r));
        match (bradley_terry(4, &units, Weighing::Comparisons, &r), bradley_terry(4, &renamed, Weighing::Comparisons, &r)) {
            (Ok(a), Ok(b)) => {
                for s in &a.strengths {
                    let other = b.strengths[names[s.item]].log_strength;
                    prop_assert!((s.log_strength - other).abs() < 1e-9, "{:?} {:?}", a, b);
                }
                prop_assert!(a.strengths.iter().map(|s| s.log_strength).sum::<f64>().abs() < 1e-9);
            }
            (Err(NoStrengths::Unbounded { never_beaten, .. }), Err(NoStrengths::Unbounded { never_beaten: other, .. })) => {
                let mut same: Vec<usize> = never_beaten.iter().map(|&i| names[i]).collect();
                same.sort_unstable();
                prop_assert_eq!(same, other);
            }
            (a, b) => prop_assert_eq!(a.is_ok(), b.is_ok()),
        }
    }

    /// The condition of a maximum: each item is expected to win as many points as it did.
    #[test]
    fn strengths_expect_the_points_that_were_won(units in comparisons(3)) {
        let r = Resampling { resamples: 0, ..quick(IntervalMethod::Percentile) };
        if let Ok(fit) = bradley_terry(3, &units, Weighing::Comparisons, &r) {
            for item in 0..3 {
                let surplus = |c: &PairComparison| {
                    let (other, won) = match (c.first == item, c.second == item) {
                        (true, _) => (c.second, PairOutcome::First),
                        (_, true) => (c.first, PairOutcome::Second),
                        _ => return 0.0,
                    };
                    let points = f64::from(u8::from(c.outcome == won)) + 0.5 * f64::from(u8::from(c.outcome == PairOutcome::Tie));
                    let ahead = fit.strengths[item].log_strength - fit.strengths[other].log_strength;
                    points - 1.0 / (1.0 + (-ahead).exp())
                };
                prop_assert!(units.iter().flatten().map(surplus).sum::<f64>().abs() < 1e-8, "{:?}", fit);
            }
        }
    }

    #[test]
    fn no_numbers_panic_or_come_out_as_nan(
        rows in prop::collection::vec((wild(), wild(), wild()), 0..12),
        tame in prop::collection::vec((large_or_small(), large_or_small(), large_or_small()), 0..12),
        level in wild(),
        resamples in 0..30_u32,
    ) {
        for rows in [rows, tame] {
            let pairs: Vec<(f64, f64)> = rows.iter().map(|&(a, b, _)| (a, b)).collect();
            let ratings: Vec<[Option<f64>; 3]> = rows.iter().map(|&(a, b, c)| [Some(a), Some(b), (c > 0.0).then_some(c)]).collect();
            let labelled: Vec<Labelled> = pairs.iter().map(|&(human, judge)| Labelled { human, judge }).collect();
            let lengths: Vec<LengthPair> = pairs.iter().map(|&(difference, longer_by)| LengthPair { difference, longer_by }).collect();
            let rest: Vec<f64> = rows.iter().map(|r| r.2).collect();
            for value in [weighted_kappa_quadratic(&pairs).ok(), pearson(&pairs).ok(), mean_absolute_difference(&pairs)] {
                prop_assert!(value.is_none_or(f64::is_finite));
            }
            for level in [level, 0.95] {
                for method in METHODS {
                    let r = Resampling { seed: 1, resamples, level, method };
                    if let Ok(a) = alpha_interval(&ratings, &r) {
                        prop_assert!(a.alpha.value <= 1.0 && usable(a.interval) && a.undefined <= a.resamples);
                    }
                    if let Some(bias) = signed_bias(&labelled, &r) {
                        prop_assert!(bias.estimate.is_finite() && usable(bias.interval));
                    }
                }
                if let Ok(p) = ppi_mean(&labelled, &rest, level) {
                    let numbers = [p.estimate, p.lambda, p.standard_error, p.asymptotic.0, p.asymptotic.1];
                    prop_assert!(numbers.into_iter().all(f64::is_finite) && usable(Some(p.interval)), "{:?}", p);
                    prop_assert!(p.effective_n.is_none_or(f64::is_finite));
                }
                if let Ok(e) = difference_at_equal_length(&lengths, level) {
                    let numbers = [e.difference, e.slope, e.length_sd, e.mean_longer_by];
                    prop_assert!(numbers.into_iter().all(f64::is_finite) && usable(Some(e.interval)), "{:?}", e);
                    prop_assert!(usable(Some(e.slope_interval)));
                }
            }
        }
    }

    #[test]
    fn no_comparisons_panic(
        raw in prop::collection::vec((0..6_usize, 0..6_usize), 0..20),
        items in 0..8_usize,
        level in wild(),
    ) {
        let all: Vec<PairComparison> =
            raw.iter().map(|&(first, second)| PairComparison { first, second, outcome: PairOutcome::First }).collect();
        for (level, method) in [(level, IntervalMethod::T), (0.95, IntervalMethod::Bca)] {
            let r = Resampling { level, ..quick(method) };
            if let Ok(fit) = bradley_terry(items, &[&all[..], &[]], Weighing::Comparisons, &r) {
                prop_assert!(fit.strengths.iter().all(|s| s.log_strength.is_finite()));
            }
            if let Some(bias) = position_bias(&[&all[..]], level) {
                prop_assert_eq!(bias.first_wins.estimate, 1.0);
            }
        }
    }
}
