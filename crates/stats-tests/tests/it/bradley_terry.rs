//! Strengths from comparisons: worked examples, what has no strength, and why.

use eval_stats::*;

fn won(first: usize, second: usize) -> Vec<PairComparison> {
    vec![PairComparison { first, second, outcome: PairOutcome::First }]
}

fn quick() -> Resampling {
    Resampling { resamples: 400, ..Resampling::default() }
}

fn reason(items: usize, units: &[Vec<PairComparison>]) -> NoStrengths {
    bradley_terry(items, units, Weighing::Comparisons, &quick()).expect_err("no strengths")
}

#[test]
fn two_items_have_the_log_ratio_of_their_wins() {
    let units: Vec<_> = (0..12).map(|i| if i < 9 { won(0, 1) } else { won(1, 0) }).collect();
    let fit = bradley_terry(2, &units, Weighing::Comparisons, &quick()).expect("exists");
    assert!((fit.contrasts[0].log_odds + 3f64.ln()).abs() < 1e-12, "{fit:?}");
    assert!((fit.strengths[0].log_strength - 3f64.ln() / 2.0).abs() < 1e-12);
}

#[test]
fn one_loss_in_a_million_is_found() {
    let comparison = |outcome| PairComparison { first: 0, second: 1, outcome };
    let mut unit = vec![comparison(PairOutcome::First); 999_999];
    unit.push(comparison(PairOutcome::Second));
    let fit = bradley_terry(2, &[unit], Weighing::Comparisons, &quick()).expect("exists");
    assert!((fit.contrasts[0].log_odds + 999_999f64.ln()).abs() < 1e-9, "{fit:?}");
    assert_eq!((fit.resamples, fit.contrasts[0].bounds.low), (0, None));
}

#[test]
fn items_that_never_lose_are_named() {
    let units = [won(0, 1), won(1, 0), won(2, 0), won(1, 3)];
    let expected = NoStrengths::Unbounded { never_beaten: vec![2], never_winning: vec![3] };
    assert_eq!(reason(4, &units), expected);
}

#[test]
fn groups_that_never_met_are_named() {
    let units = [won(0, 2), won(2, 0), won(1, 3)];
    assert_eq!(reason(5, &units), NoStrengths::Apart(vec![vec![0, 2], vec![1, 3], vec![4]]));
    assert_eq!(reason(2, &[]), NoStrengths::Apart(vec![vec![0], vec![1]]));
}

#[test]
fn invalid_comparisons_are_rejected() {
    assert_eq!(reason(2, &[won(0, 2)]), NoStrengths::NotAComparison(won(0, 2)[0]));
    assert_eq!(reason(2, &[won(1, 1)]), NoStrengths::NotAComparison(won(1, 1)[0]));
    assert_eq!(reason(1, &[]), NoStrengths::ItemCount);
    assert_eq!(reason(usize::MAX, &[]), NoStrengths::ItemCount);
    let level = Resampling { level: f64::NAN, ..quick() };
    assert_eq!(bradley_terry(2, &[won(0, 1)], Weighing::Comparisons, &level), Err(NoStrengths::Level));
}

/// A resample misses the only loss with probability (19/20)²⁰ = 0.36: no upper bound, and a lower one all the same.
#[test]
fn one_loss_in_twenty_has_one_bound() {
    let units: Vec<_> = (0..20).map(|i| if i > 0 { won(1, 0) } else { won(0, 1) }).collect();
    let fit = bradley_terry(2, &units, Weighing::Comparisons, &quick()).expect("exists");
    let bounds = fit.contrasts[0].bounds;
    assert!(bounds.low.is_some_and(|l| l > 0.5) && bounds.high.is_none(), "{fit:?}");
    assert!(fit.unbounded.abs_diff(143) < 50, "{fit:?}");
}

/// One unit with ten comparisons won by 1, and three with one each won by 0: 3 points to 1, not 3 to 10.
#[test]
fn a_unit_with_more_comparisons_counts_no_more() {
    let units = [vec![won(1, 0)[0]; 10], won(0, 1), won(0, 1), won(0, 1)];
    let log_odds = |weighing| bradley_terry(2, &units, weighing, &quick()).expect("exists").contrasts[0].log_odds;
    assert!((log_odds(Weighing::Units) + 3f64.ln()).abs() < 1e-12);
    assert!((log_odds(Weighing::Comparisons) - (10.0_f64 / 3.0).ln()).abs() < 1e-12);
}

#[test]
fn ties_alone_are_equal_strengths() {
    let tie = vec![PairComparison { first: 0, second: 1, outcome: PairOutcome::Tie }];
    let fit = bradley_terry(2, &[tie.clone(), tie], Weighing::Comparisons, &quick()).expect("exists");
    assert_eq!((fit.contrasts[0].log_odds, fit.ties), (0.0, 2));
    let bounds = fit.contrasts[0].bounds;
    assert_eq!((bounds.low, bounds.degenerate), (Some(0.0), true));
}

#[test]
fn the_first_place_wins_too_often() {
    let mut all = [won(0, 1), won(1, 0), won(0, 1)].concat();
    all.push(PairComparison { first: 1, second: 0, outcome: PairOutcome::Second });
    all.push(PairComparison { first: 1, second: 0, outcome: PairOutcome::Tie });
    let alone: Vec<&[PairComparison]> = all.iter().map(std::slice::from_ref).collect();
    let bias = position_bias(&alone, 0.95).expect("exists");
    assert_eq!((bias.first_wins.estimate, bias.decided, bias.ties), (0.75, 4, 1));
    assert_eq!(Some(bias.first_wins), wilson(3, 4, 0.95));
    assert_eq!(position_bias(&alone[4..], 0.95), None);
    let together = position_bias(&[all], 0.95).expect("exists");
    assert_eq!(together.first_wins.estimate, 0.75);
    assert!(together.first_wins.low < 0.2, "four replies on one sample are one: {together:?}");
}
