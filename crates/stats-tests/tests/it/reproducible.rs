//! One seed, one answer: on any number of threads, today and tomorrow, by either way of drawing.

use eval_stats::*;

/// Differences of made-up 1–5 scores: 9 levels, or all distinct when `jitter` is not 0.
fn differences(n: u32, jitter: f64) -> Vec<f64> {
    let level = |i: u32| f64::from((i * 7919 + i * i % 31) % 9) - 3.5;
    (0..n).map(|i| level(i) + jitter * f64::from(i)).collect()
}

fn all_answers() -> String {
    let r = Resampling { resamples: 500, ..Resampling::default() };
    let (few, many) = (differences(700, 0.0), differences(700, 1e-4));
    let columns: Vec<Vec<Option<f64>>> = [&few, &many].map(|c| c.iter().copied().map(Some).collect()).to_vec();
    let ratings: Vec<[Option<f64>; 2]> = (0..90).map(|i| [Some(few[i]), Some(few[i + i % 4])]).collect();
    let met = |i: usize| [(PairOutcome::First, i % 3), (PairOutcome::Second, i % 5 % 3)];
    let compared = |(outcome, first)| PairComparison { first, second: (first + 1) % 3, outcome };
    let units: Vec<[PairComparison; 2]> = (0..40).map(|i| met(i).map(compared)).collect();
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        mean_interval(&few, &r),
        mean_interval(&many, &r),
        cohen_dz(&few, &r),
        cohen_dz(&many, &r),
        simultaneous_mean_intervals(&columns, &r),
        sign_flip_test(&many, 0),
        alpha_interval(&ratings, &r).expect("exists"),
        bradley_terry(3, &units, Weighing::Comparisons, &r).expect("exists"),
    )
}

#[test]
fn any_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().expect("a pool").install(all_answers)
    };
    assert_eq!(on(1), on(3));
}

/// Counts of levels and single values are two ways to the same distribution: the bounds differ by Monte-Carlo error.
#[test]
fn both_ways_of_drawing() {
    for method in [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca] {
        let r = Resampling { method, ..Resampling::default() };
        let by_level = mean_interval(&differences(700, 0.0), &r).expect("exists");
        let by_value = mean_interval(&differences(700, 1e-9), &r).expect("exists");
        let allowed = 0.08 * by_level.width();
        assert!((by_level.low - by_value.low).abs() < allowed, "{by_level:?} {by_value:?}");
        assert!((by_level.high - by_value.high).abs() < allowed, "{by_level:?} {by_value:?}");
    }
}

#[test]
fn another_seed_another_answer() {
    let d = differences(40, 0.01);
    let low_bound = |seed| {
        let r = Resampling { seed, method: IntervalMethod::Percentile, ..Resampling::default() };
        mean_interval(&d, &r).map(|i| i.low)
    };
    assert_eq!(low_bound(5), low_bound(5));
    assert_ne!(low_bound(5), low_bound(6));
}
