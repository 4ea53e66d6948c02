//! Errors of this crate, as texts.

use std::path::PathBuf;

use eval_message::{Lang, Message};
use eval_run::{BudgetStop, RunError};
use eval_spec::units::Usd;

fn errors() -> Vec<RunError> {
    let path = PathBuf::from("journal/run.jsonl");
    let why = "no space left".to_owned();
    vec![
        RunError::Missing { path: path.clone() },
        RunError::Exists { path: path.clone() },
        RunError::Locked { path: path.clone() },
        RunError::OtherVersion { path: path.clone(), version: 9 },
        RunError::NoHeader { path: path.clone() },
        RunError::BadHeader { path: path.clone(), why: why.clone() },
        RunError::Edited { path: path.clone(), line: 12 },
        RunError::Corrupt { path: path.clone(), line: 1234, why: why.clone() },
        RunError::PlanChanged { id: "run".into(), inputs: vec![] },
        RunError::PlanChanged { id: "run".into(), inputs: vec!["samples.json".into()] },
        RunError::Create { path: path.clone(), why: why.clone() },
        RunError::Open { path: path.clone(), why: why.clone() },
        RunError::Write { path, why },
    ]
}

fn budget_stops() -> Vec<Message> {
    vec![BudgetStop::Spent { spent: Usd(1.5), budget: Usd(2.0) }.message(), BudgetStop::UnknownCost.message()]
}

#[test]
fn every_error_reads_well_in_both_languages() {
    for message in errors().iter().map(RunError::message).chain(budget_stops()) {
        for lang in [Lang::En, Lang::Zh] {
            let text = message.text(lang);
            assert!(!text.contains('{') && !text.ends_with('.') && !text.ends_with('。'), "{text}");
            for value in message.args.values() {
                let eval_message::Arg::Text(value) = value else { continue };
                assert!(text.contains(value.as_str()), "`{value}` is missing in: {text}");
            }
        }
    }
    assert!(errors().iter().any(|error| error.to_string().contains("line 1234")));
}
