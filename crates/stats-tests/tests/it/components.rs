//! Variance components: worked examples and degenerate designs.

use eval_stats::*;

type Scores = Vec<Vec<Vec<f64>>>;

#[test]
fn a_level_that_cannot_be_separated_is_none_and_part_of_the_level_above() {
    let one_of_each: Scores = [1.0, 2.0, 4.0].map(|x| vec![vec![x]]).to_vec();
    let all = variance_components(&one_of_each).expect("exists");
    assert_eq!((all.repeats, all.opinions), (None, None));
    assert!((all.samples.variance - 7.0 / 3.0).abs() < 1e-12 && all.samples.share == 1.0);

    let one_run: Scores = vec![vec![vec![1.0, 2.0]], vec![vec![4.0, 5.0]]];
    let judged = variance_components(&one_run).expect("exists");
    assert!(judged.repeats.is_none() && judged.opinions.is_some_and(|o| (o.variance - 0.5).abs() < 1e-12));

    let one_opinion: Scores = vec![vec![vec![1.0], vec![2.0]], vec![vec![4.0], vec![5.0]]];
    let repeated = variance_components(&one_opinion).expect("exists");
    assert!(repeated.opinions.is_none() && repeated.repeats == judged.opinions);
    assert_eq!(repeated.samples, judged.samples);
}

#[test]
fn samples_more_alike_than_their_repeats_are_flagged() {
    let alike: Scores = vec![vec![vec![1.0], vec![5.0]], vec![vec![5.0], vec![1.0]], vec![vec![2.0], vec![4.0]]];
    let components = variance_components(&alike).expect("exists");
    assert!(components.samples.held_at_zero && components.samples.variance == 0.0);
    assert_eq!(components.repeats.map(|r| (r.share, r.held_at_zero)), Some((1.0, false)));
}

#[test]
fn missing_scores_and_empty_runs_dont_count() {
    let gaps = [
        vec![vec![Some(1.0), None], vec![], vec![Some(2.0), Some(3.0)]],
        vec![vec![None]],
        vec![vec![Some(5.0)], vec![Some(4.0), Some(4.0)]],
    ];
    let bare: Scores = vec![vec![vec![1.0], vec![2.0, 3.0]], vec![vec![5.0], vec![4.0, 4.0]]];
    assert_eq!(variance_components(&gaps), variance_components(&bare));
}

#[test]
fn undefined_components() {
    let components = |scores: &Scores| variance_components(scores);
    assert_eq!(components(&vec![]), Err(Undefined::TooFew));
    assert_eq!(components(&vec![vec![vec![1.0, 2.0]]]), Err(Undefined::TooFew));
    assert_eq!(components(&vec![vec![vec![3.0]], vec![vec![3.0]]]), Err(Undefined::NoVariance));
    assert_eq!(components(&vec![vec![vec![f64::NAN]], vec![vec![3.0]]]), Err(Undefined::NotFinite));
    assert_eq!(components(&vec![vec![vec![1e200]], vec![vec![3.0]]]), Err(Undefined::NotFinite));
}
