//! The journal's index: what its lines say of cells.

use eval_message::msg;
use eval_run::internals::{Charge, Fact, JournalIndex, LineSpan, parse};
use eval_spec::call::{Cost, CostSource};
use eval_spec::record::{Executed, Execution};
use eval_spec::units::Usd;
use eval_spec::{CellKey, ExecError, Failure, Outcome, Output};
use jiff::Timestamp;
use serde_json::json;

fn key(subject: &str, repeat: u32) -> CellKey {
    CellKey { sample: "s".into(), subject: subject.into(), repeat }
}

#[test]
fn a_comparison_is_void_once_one_of_its_answers_is_given_again() {
    let mut index = JournalIndex::default();
    let answer = |subject, repeat| Fact::Execution {
        key: key(subject, repeat),
        fingerprint: 1,
        outcome: Some(Outcome::Answered),
        failure: None,
        attempts: Vec::new(),
        cached: false,
        charge: Charge::default(),
    };
    let compared =
        |repeat| Fact::Pair { sample: "s".into(), repeat, variants: ["v1".into(), "v2".into()], is_open: false };
    for repeat in [0, 1] {
        index.add(answer("v1", repeat), LineSpan::new(0, 1));
        index.add(answer("v2", repeat), LineSpan::new(0, 1));
        index.add(compared(repeat), LineSpan::new(0, 1));
    }
    let held = |index: &JournalIndex, repeat| index.pair(&"s".into(), repeat, ["v1", "v2"]).is_some();
    assert!(held(&index, 0) && held(&index, 1));
    assert!(index.pair(&"s".into(), 0, ["v2", "v1"]).is_none());
    index.add(answer("v2", 1), LineSpan::new(0, 1));
    assert!(held(&index, 0) && !held(&index, 1));
    index.add(compared(1), LineSpan::new(7, 1));
    assert_eq!(index.pair(&"s".into(), 1, ["v1", "v2"]).unwrap().offset, 7);
}

#[test]
fn a_line_counts_what_its_attempts_cost_and_took() {
    let mut paid = Output::text("half");
    paid.cost = Some(Cost { usd: Usd(0.25), source: CostSource::Reported });
    paid.latency_ms = Some(20);
    let mut dropped = ExecError::new(Failure::Dropped, msg!("run-overran", seconds = 1u32));
    dropped.partial = Some(Box::new(paid.clone()));
    let execution = Execution {
        key: CellKey { sample: "a/b".into(), subject: "v".into(), repeat: 2 },
        fingerprint: "f".to_owned(),
        started_at: Timestamp::from_millisecond(1_000).unwrap(),
        finished_at: Timestamp::from_millisecond(4_000).unwrap(),
        failed_attempts: vec![dropped],
        result: Executed::Output(Box::new(Output { cost: None, ..paid })),
        cached: false,
        given_at: None,
        earlier_failures: Vec::new(),
    };
    let line = serde_json::to_vec(&json!({"execution": execution})).unwrap();
    let written = format!("{:?}", parse(&line).unwrap());
    assert!(written.contains("usd: 0.25, assumed: 0, dearest: 0.25, unknown: 1, ms: 40"), "{written}");
}
