//! Agreement of raters: worked examples, and undefined values with their reasons.

use eval_stats::*;

fn rows(rows: &[&[f64]]) -> Vec<Vec<Option<f64>>> {
    rows.iter().map(|row| row.iter().map(|x| x.is_finite().then_some(*x)).collect()).collect()
}

const GAP: f64 = f64::NAN;

/// Two raters who guess 2 or 3 on one question and always give 5 to the other agree on nothing.
#[test]
fn different_levels_of_questions_are_no_agreement() {
    let guesses = [(2.0, 3.0), (3.0, 2.0), (2.0, 2.0), (3.0, 3.0), (2.0, 3.0), (3.0, 2.0), (3.0, 3.0), (2.0, 2.0)];
    let cluster = |(a, b): &(f64, f64)| vec![(7, vec![Some(*a), Some(*b)]), (9, vec![Some(5.0), Some(5.0)])];
    let clusters: Vec<_> = guesses.iter().map(cluster).collect();
    let r = Resampling { resamples: 400, ..Resampling::default() };
    let stratified = alpha_interval_stratified(&clusters, &r).expect("exists");
    let guessed: Vec<Vec<Option<f64>>> = guesses.iter().map(|(a, b)| vec![Some(*a), Some(*b)]).collect();
    let alone = krippendorff_alpha_ordinal(&guessed).expect("exists");
    assert!((stratified.alpha.value - alone.value).abs() < 1e-12, "{stratified:?} {alone:?}");
    assert_eq!(stratified.alpha.units, 16);
    let pooled: Vec<Vec<Vec<Option<f64>>>> =
        clusters.iter().map(|cluster| cluster.iter().map(|(_, row)| row.clone()).collect()).collect();
    let pooled = alpha_interval_clustered(&pooled, &r).expect("exists");
    assert!(alone.value < 0.1 && pooled.alpha.value > 0.7, "{alone:?} {pooled:?}");
    let low = stratified.interval.expect("exists").low;
    assert!(low < -0.3, "{stratified:?}");
}

/// Worked by hand: stratum 0 rates 1 1 | 2 2 | 1 2, stratum 1 rates 4 4 | 5 5.
#[test]
fn strata_are_weighted_by_their_ratings() {
    let unit = |stratum, a, b| vec![(stratum, vec![Some(a), Some(b)])];
    let units = [unit(0, 1.0, 1.0), unit(0, 2.0, 2.0), unit(0, 1.0, 2.0), unit(1, 4.0, 4.0), unit(1, 5.0, 5.0)];
    let estimate = alpha_interval_stratified(&units, &Resampling::default()).expect("exists");
    // Ranks as shares are ±1/4 in both strata. n·D_o: the one pair that is 1/2 apart, both ways: 1/2.
    // n·D_e: 1/5 · 2·9·1/4 = 9/10 and 1/3 · 2·4·1/4 = 2/3.
    assert!((estimate.alpha.value - (1.0 - 0.5 / (0.9 + 2.0 / 3.0))).abs() < 1e-12, "{estimate:?}");
}

#[test]
fn no_pair_and_no_variance_are_different_reasons() {
    let alpha = |r: &[&[f64]]| krippendorff_alpha_ordinal(&rows(r)).map(|a| a.value);
    assert_eq!(alpha(&[]), Err(Undefined::TooFew));
    assert_eq!(alpha(&[&[1.0, GAP], &[GAP, 2.0]]), Err(Undefined::TooFew));
    assert_eq!(alpha(&[&[4.0, 4.0], &[4.0, 4.0], &[1.0, GAP]]), Err(Undefined::NoVariance));
    assert_eq!(alpha(&[&[4.0, 4.0], &[2.0, 2.0]]), Ok(1.0));
    assert_eq!(krippendorff_alpha_ordinal(&[[Some(GAP), Some(1.0)]]), Err(Undefined::NotFinite));
}

#[test]
fn means_that_differ_by_rounding_are_one_value() {
    let alpha = krippendorff_alpha_ordinal(&rows(&[&[0.1 + 0.2, 0.3], &[2.0, 2.0]]));
    assert_eq!(alpha.map(|a| a.value), Ok(1.0));
}

#[test]
fn perfect_agreement_is_a_flagged_point() {
    let all: Vec<_> = (0..20).map(|i| vec![Some(f64::from(i % 5)); 2]).collect();
    let estimate = alpha_interval(&all, &Resampling::default()).expect("exists");
    assert!(estimate.interval.is_some_and(|i| i.degenerate && i.low == 1.0));
    assert_eq!((estimate.alpha.units, estimate.alpha.ratings, estimate.undefined), (20, 40, 0));
}

/// A resample misses the only deviating unit with probability (19/20)²⁰ = 0.358.
#[test]
fn one_odd_unit_gives_no_interval() {
    let mut all = vec![vec![Some(5.0); 2]; 19];
    all.push(vec![Some(1.0); 2]);
    let estimate = alpha_interval(&all, &Resampling::default()).expect("exists");
    assert_eq!((estimate.alpha.value, estimate.interval), (1.0, None));
    assert!(estimate.undefined.abs_diff(3585) < 200, "{}", estimate.undefined);
}

/// Each unit is repeated five times: the same α, and the interval stays as wide.
#[test]
fn units_of_one_sample_are_no_more_evidence() {
    let unit = |i: u32| vec![Some(f64::from(i * 7 % 5)), Some(f64::from((i * 7 + i % 3) % 5))];
    let once: Vec<_> = (0..20).map(|i| vec![unit(i)]).collect();
    let five: Vec<_> = (0..20).map(|i| vec![unit(i); 5]).collect();
    let r = Resampling::default();
    let width = |estimate: &AlphaInterval| estimate.interval.map_or(f64::NAN, |i| i.width());
    let clustered = alpha_interval_clustered(&five, &r).expect("exists");
    let single = alpha_interval_clustered(&once, &r).expect("exists");
    let naive = alpha_interval(&five.concat(), &r).expect("exists");
    assert_eq!(single, alpha_interval(&once.concat(), &r).expect("exists"));
    assert!((clustered.alpha.value - naive.alpha.value).abs() < 1e-12);
    assert!((width(&clustered) / width(&single) - 1.0).abs() < 0.1, "{clustered:?} {single:?}");
    assert!(width(&naive) < 0.6 * width(&clustered), "{naive:?}");
    let mut turned = five.clone();
    turned.reverse();
    assert_eq!(alpha_interval_clustered(&turned, &r), Ok(clustered));
}

#[test]
fn a_constant_column_correlates_with_nothing() {
    let pairs = [(3.0, 1.0), (3.0, 2.0), (3.0, 5.0)];
    assert_eq!(weighted_kappa_quadratic(&pairs), Err(Undefined::NoVariance));
    assert_eq!(pearson(&pairs), Err(Undefined::NoVariance));
    assert_eq!(pearson(&pairs[..1]), Err(Undefined::TooFew));
    assert_eq!(pearson(&[(1.0, f64::INFINITY), (2.0, 1.0)]), Err(Undefined::NotFinite));
}

#[test]
fn a_lenient_judge_has_a_positive_bias() {
    let pairs: Vec<Labelled> =
        [(1.0, 2.0), (3.0, 3.0), (4.0, 5.0)].map(|(human, judge)| Labelled { human, judge }).to_vec();
    let bias = signed_bias(&pairs, &Resampling::default()).expect("exists");
    assert!((bias.estimate - 2.0 / 3.0).abs() < 1e-15 && bias.n == 3);
    assert_eq!(signed_bias(&[], &Resampling::default()), None);
    assert_eq!(mean_absolute_difference(&[(1.0, 3.0), (2.0, 1.0)]), Some(1.5));
    assert_eq!(mean_absolute_difference(&[]), None);
}
