//! Item–total correlations: worked examples, and undefined values with their reasons.

use eval_stats::*;

fn item(scores: &[f64]) -> Vec<Option<f64>> {
    scores.iter().copied().map(Some).collect()
}

const RISING: [f64; 10] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 5.0];

fn item_totals(items: &[Vec<Option<f64>>]) -> Vec<Result<ItemTotal, Undefined>> {
    corrected_item_total_correlations(items, 0.95)
}

#[test]
fn an_item_against_the_others_is_below_zero() {
    let falling: Vec<f64> = RISING.iter().map(|x| 6.0 - x).collect();
    let totals = item_totals(&[item(&RISING), item(&RISING), item(&RISING), item(&falling)]);
    assert!(totals[3].is_ok_and(|i| i.correlation == -1.0 && i.rows == 10));
    assert!(totals[0].is_ok_and(|i| i.correlation == 1.0));
}

#[test]
fn a_row_that_lacks_a_hard_item_is_no_better_for_it() {
    let easy = item(&RISING.map(|x| x + 100.0));
    let mut hard = item(&RISING);
    hard[0] = None;
    let totals = item_totals(&[item(&RISING), easy, hard]);
    assert!(totals[0].is_ok_and(|i| i.correlation > 0.99), "{:?}", totals[0]);
    assert_eq!(totals[2].map(|i| i.rows), Err(Undefined::TooFew));
}

#[test]
fn questions_without_an_answer() {
    let (rising, flat) = (item(&RISING), item(&[4.0; 10]));
    assert_eq!(item_totals(&[flat.clone(), rising.clone()]), [Err(Undefined::NoVariance); 2]);
    assert_eq!(item_totals(std::slice::from_ref(&rising)), [Err(Undefined::TooFew)]);
    let broken = item_totals(&[item(&[f64::NAN; 10]), rising.clone(), rising.clone()]);
    assert!(broken[0] == Err(Undefined::NotFinite) && broken[1].is_ok_and(|i| i.correlation == 1.0));
    assert_eq!(corrected_item_total_correlations(&[rising], 1.0), [Err(Undefined::Level)]);
    assert!(item_totals(&[]).is_empty());
}
