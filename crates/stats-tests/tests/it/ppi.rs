//! Prediction-powered means: degenerate judges and labels.

use eval_stats::*;

const HUMAN: [f64; 6] = [1.0, 2.0, 4.0, 3.0, 5.0, 2.0];

fn pairs(human: &[f64], judge: &[f64]) -> Vec<Labelled> {
    human.iter().zip(judge).map(|(&human, &judge)| Labelled { human, judge }).collect()
}

#[track_caller]
fn is_labels_alone(judge: &[f64], unlabelled: &[f64], why: Tuning) {
    let human = &HUMAN[..judge.len()];
    let mean = ppi_mean(&pairs(human, judge), unlabelled, 0.95).expect("exists");
    assert_eq!((mean.lambda, mean.tuning), (0.0, why));
    let alone = t_interval(human, 0.95).expect("exists");
    let off = (mean.interval.low - alone.low).abs().max((mean.interval.high - alone.high).abs());
    assert!(off < 1e-12 && mean.effective_n.is_some_and(|e| (e - human.len() as f64).abs() < 1e-9), "{mean:?}");
}

#[test]
fn an_uninformative_judge_is_ignored() {
    let rest = [3.0, 4.0, 5.0, 1.0];
    is_labels_alone(&[4.0; 6], &rest, Tuning::ConstantJudge);
    is_labels_alone(&[4.0; 6], &[4.0; 9], Tuning::ConstantJudge);
    is_labels_alone(&HUMAN.map(|x| 6.0 - x), &rest, Tuning::Unrelated);
    is_labels_alone(&HUMAN, &[], Tuning::NoUnlabelled);
    is_labels_alone(&HUMAN, &[3.0], Tuning::NoUnlabelled);
    is_labels_alone(&HUMAN[..4], &rest, Tuning::FewLabels);
}

#[test]
fn constant_labels_are_a_flagged_point() {
    let mean = ppi_mean(&pairs(&[4.0; 6], &HUMAN), &[1.0, 2.0, 5.0], 0.95).expect("exists");
    assert_eq!((mean.estimate, mean.tuning), (4.0, Tuning::ConstantHuman));
    assert!(mean.interval.degenerate && mean.effective_n.is_none());
}

#[test]
fn a_constant_bias_of_the_judge_changes_nothing() {
    let (judge, rest) = ([1.5, 2.0, 3.0, 3.5, 4.5, 2.5], [1.0, 2.0, 4.0, 3.0, 2.5, 5.0, 4.0]);
    let with_bias = |bias: f64| {
        let labelled = pairs(&HUMAN, &judge.map(|f| f + bias));
        ppi_mean(&labelled, &rest.map(|f| f + bias), 0.95).expect("exists")
    };
    let (plain, biased) = (with_bias(0.0), with_bias(64.0));
    assert_eq!(plain.tuning, Tuning::Tuned);
    assert!((plain.estimate - biased.estimate).abs() < 1e-12);
    assert!((plain.interval.low - biased.interval.low).abs() < 1e-12);
}

#[test]
fn a_sample_is_labelled_or_unlabelled() {
    let human = [Some(1.0), None, Some(3.0), None];
    let judge = [Some(2.0), Some(4.0), None, None, Some(5.0)];
    let (labelled, unlabelled) = split_by_label(&human, &judge);
    assert_eq!(labelled, [Labelled { human: 1.0, judge: 2.0 }]);
    assert_eq!(unlabelled, [4.0, 5.0]);
}

#[test]
fn questions_without_an_answer() {
    let labelled = pairs(&HUMAN, &HUMAN);
    assert_eq!(ppi_mean(&labelled[..1], &[1.0, 2.0], 0.95), Err(Undefined::TooFew));
    assert_eq!(ppi_mean(&labelled, &[f64::NAN], 0.95), Err(Undefined::NotFinite));
    assert_eq!(ppi_mean(&labelled, &[1.0, 2.0], 1.0), Err(Undefined::Level));
}
