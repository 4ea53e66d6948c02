//! Exchanging control and treatment mirrors every number to the last bit.

use crate::random::Random;
use eval_stats::*;

const METHODS: [IntervalMethod; 4] =
    [IntervalMethod::Expanded, IntervalMethod::Percentile, IntervalMethod::Bca, IntervalMethod::T];

const LEVELS: [f64; 3] = [0.9, 0.95, 0.999];

/// Columns of five kinds: Likert differences, averages of repeats, normal and skewed values, and ones that are symmetric up to
/// rounding.
fn column(number: u64) -> Vec<f64> {
    let mut random = Random::new(20, number);
    let n = 2 + (number * 7 % 60) as usize;
    let mut value = || random.normal();
    match number % 5 {
        0 => (0..n).map(|_| (1.5 * value()).round()).collect(),
        1 => (0..n).map(|_| (value() * 3.0).round() / 3.0).collect(),
        2 => (0..n).map(|_| 0.3 + value()).collect(),
        3 => (0..n).map(|_| 0.5 - value().exp()).collect(),
        _ => {
            let half: Vec<f64> = (0..n.div_ceil(2)).map(|_| value()).collect();
            half.iter().flat_map(|x| [0.1 + x, 0.1 - x]).collect()
        }
    }
}

fn turned(d: &[f64]) -> Vec<f64> {
    d.iter().map(|x| -x).collect()
}

fn bits(x: f64) -> u64 {
    (x + 0.0).to_bits() // −0 is 0
}

#[track_caller]
fn mirrors(a: Option<Interval>, b: Option<Interval>) {
    assert_eq!(a.is_some(), b.is_some(), "{a:?} {b:?}");
    let Some((a, b)) = a.zip(b) else { return };
    assert_eq!((bits(a.low), bits(a.high)), (bits(-b.high), bits(-b.low)), "{a:?} {b:?}");
    assert_eq!((a.degenerate, a.level, a.method), (b.degenerate, b.level, b.method));
}

fn settings(number: u64, method: IntervalMethod) -> impl Iterator<Item = Resampling> {
    LEVELS.into_iter().map(move |level| Resampling { seed: number, resamples: 300, level, method })
}

#[test]
fn intervals_of_means() {
    for number in 0..200 {
        let d = column(number);
        for r in METHODS.into_iter().flat_map(|method| settings(number, method)) {
            mirrors(mean_interval(&d, &r), mean_interval(&turned(&d), &r));
        }
    }
}

#[test]
fn a_column_that_is_its_own_image_has_a_centred_interval() {
    let d = [2.3, 1.1, 0.7, 0.2, -0.2, -0.7, -1.1, -2.3, 0.0];
    for method in METHODS {
        let i = mean_interval(&d, &Resampling { method, ..Resampling::default() }).expect("exists");
        assert_eq!(i.low, -i.high);
    }
}

#[test]
fn effect_sizes() {
    for number in 0..200 {
        let d = column(number);
        // inverting the noncentral t distribution takes long
        let methods = if number < 30 { &METHODS[..] } else { &METHODS[..3] };
        for r in methods.iter().flat_map(|method| settings(number, *method)) {
            let (a, b) = (cohen_dz(&d, &r), cohen_dz(&turned(&d), &r));
            assert_eq!(a.map(|e| bits(e.estimate)), b.map(|e| bits(-e.estimate)));
            mirrors(a.and_then(|e| e.interval), b.and_then(|e| e.interval));
        }
    }
}

/// `1 − p` is rounded, so these agree up to the last digit.
#[test]
fn probabilities_of_superiority() {
    for number in 0..200 {
        let d = column(number);
        for r in METHODS.into_iter().flat_map(|method| settings(number, method)) {
            let (a, b) = (probability_of_superiority(&d, &r), probability_of_superiority(&turned(&d), &r));
            let (a, b) = a.zip(b).expect("both exist");
            assert!((a.estimate + b.estimate - 1.0).abs() < 1e-15);
            assert_eq!(a.interval.is_some(), b.interval.is_some());
            if let Some((i, j)) = a.interval.zip(b.interval) {
                assert!((i.low + j.high - 1.0).abs() < 1e-14 && (i.high + j.low - 1.0).abs() < 1e-14, "{i:?} {j:?}");
            }
        }
    }
}

/// Asserts that several columns mirror. Every sixth row of each column is missing, a different one per column.
#[track_caller]
fn joint_mirrors(columns: &[Vec<f64>], r: &Resampling) {
    let gaps = |sign: f64| -> Vec<Vec<Option<f64>>> {
        let is_present = |c: usize, i: usize| (i + c) % 6 != 5;
        let cells = |c: usize| columns[c].iter().enumerate().map(move |(i, x)| is_present(c, i).then_some(sign * x));
        (0..columns.len()).map(|c| cells(c).collect()).collect()
    };
    let (a, b) = (simultaneous_means(&gaps(1.0), r), simultaneous_means(&gaps(-1.0), r));
    assert_eq!(a.alpha.map(f64::to_bits), b.alpha.map(f64::to_bits));
    for (a, b) in a.intervals.into_iter().zip(b.intervals) {
        mirrors(a, b);
    }
}

#[test]
fn intervals_that_hold_at_once() {
    for number in 0..100 {
        let columns: Vec<Vec<f64>> = (0..2 + number % 3).map(|k| column(number + 5 * k)).collect();
        for r in METHODS.into_iter().flat_map(|method| settings(number, method)) {
            joint_mirrors(&columns, &r);
        }
    }
}

/// Each column equals its mirror image, but the rows together don't.
#[test]
fn rows_decide_where_no_column_does() {
    let first = [-1.0, 0.0, 1.0, -1.0, 0.0, 1.0, 2.0, -2.0, 0.5, -0.5];
    let second = [0.0, 1.0, -1.0, 0.0, 1.0, -1.0, 0.3, -0.3, 2.0, -2.0];
    let columns = |sign: f64| [first, second].map(|c| c.map(|x| Some(sign * x)));
    for method in METHODS {
        let r = Resampling { resamples: 300, method, ..Resampling::default() };
        let (a, b) = (simultaneous_means(&columns(1.0), &r), simultaneous_means(&columns(-1.0), &r));
        assert_eq!(a.alpha.map(f64::to_bits), b.alpha.map(f64::to_bits));
        a.intervals.into_iter().zip(b.intervals).for_each(|(a, b)| mirrors(a, b));
    }
}

#[test]
fn sign_flips() {
    for number in 0..200 {
        let d = column(number);
        let (a, b) = (sign_flip_test(&d, number), sign_flip_test(&turned(&d), number));
        assert_eq!(a, b);
        let backwards: Vec<f64> = d.into_iter().rev().collect();
        assert_eq!(a, sign_flip_test(&backwards, number));
    }
    let many: Vec<f64> = (0..3000).map(|i| [0.5, -1.0, 1.0, 1.0 / 3.0][i % 4]).collect();
    assert_eq!(sign_flip_test(&many, 1), sign_flip_test(&turned(&many), 1));
}

#[test]
fn statistics_without_draws() {
    for number in 0..200 {
        let (d, e) = (column(number), column(number + 1));
        let pairs = [mean(&d).zip(mean(&turned(&d))), welch(&d, &e).map(|w| w.t).zip(welch(&e, &d).map(|w| w.t))];
        for (a, b) in pairs.into_iter().flatten() {
            assert_eq!(bits(a), bits(-b));
        }
        assert_eq!(sd(&d), sd(&turned(&d)));
        mirrors(welch_interval(&d, &e, 0.95), welch_interval(&e, &d, 0.95));
        assert_eq!(welch(&d, &e).map(|w| w.p_value), welch(&e, &d).map(|w| w.p_value));
        mirrors(at_equal_length(&d, 1.0), at_equal_length(&d, -1.0));
    }
}

fn at_equal_length(d: &[f64], sign: f64) -> Option<Interval> {
    let pair =
        |(i, x): (usize, &f64)| LengthPair { difference: sign * x, longer_by: sign * ((i * 37 % 11) as f64 - 4.3) };
    let pairs: Vec<LengthPair> = d.iter().enumerate().map(pair).collect();
    difference_at_equal_length(&pairs, 0.95).ok().map(|e| e.interval)
}
