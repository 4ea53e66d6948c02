//! The gate of `bench ci`.

use eval_format::{IncompleteReason, OutcomeCounts, VerdictInputs};
use eval_message::Message;
use eval_verdict::threshold_gate;

use crate::made::{diff, inputs, treatment};

#[test]
fn the_threshold_gate_of_bench_ci() {
    let mut two = inputs(vec![treatment("t", diff(40, -0.5, -0.8, -0.2))]);
    assert_eq!(threshold_gate(&two).exit_code, 0, "it asks for every variant's composite and nothing else");
    two.treatments[0].arm.mean = Some(3.49);
    let gate = threshold_gate(&two);
    assert_eq!((gate.exit_code, gate.below), (1, vec![("t".to_owned(), Some(3.49))]));
    two.treatments[0].arm.mean = None;
    assert_eq!(threshold_gate(&two).below, [("t".to_owned(), None)]);
    assert!(threshold_gate(&two).unmeasured.is_empty(), "`below` says that there is no score");
    two.control.outcomes = OutcomeCounts { failed: 40, ..OutcomeCounts::default() };
    assert_eq!(threshold_gate(&two).exit_code, 3);
    two.incomplete_reason = Some(IncompleteReason::Interrupted);
    assert_eq!(threshold_gate(&two).exit_code, 130);
}

#[test]
fn the_threshold_gate_does_not_pass_a_mean_over_the_few_that_could_be_scored() {
    let gate = |change: fn(&mut VerdictInputs)| {
        let mut two = inputs(vec![treatment("t", diff(40, 0.0, -0.1, 0.1))]);
        change(&mut two);
        let gate = threshold_gate(&two);
        let why: Vec<_> = gate.unmeasured.iter().map(|why| Message::from(why).to_string()).collect();
        (gate.exit_code, gate.below.len(), why)
    };
    assert_eq!(gate(|i| i.control.missing_scores = 4), (0, 0, Vec::new()), "10 % may be missing");
    let refused = gate(|i| {
        i.control.missing_scores = 32;
        i.treatments[0].arm.missing_scores = 32;
    });
    assert_eq!((refused.0, refused.1, refused.2.len()), (1, 0, 2), "they are not low");
    assert_eq!(refused.2[0], "`control` has no score for 32 of 40 executions; at most 10 % may be missing");
    let unscored = gate(|i| i.treatments[0].arm.unscored_share.fact = Some(0.11));
    assert_eq!((unscored.0, unscored.2.len()), (1, 1));
}
