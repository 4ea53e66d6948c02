//! The same kind of search that fails again and again.

use eval_gaps::{AssistantTurn, Conversation, SIGNALS};
use eval_spec::call::{ToolCall, ToolOutput, ToolStatus};
use eval_spec::gap::SignalKind;
use serde_json::json;

const PATTERNS: [&str; 6] = ["revenue", "customers", "invoice", "tariff", "discount", "ledger"];

/// The calls of each repeated failure, by their places. `g` is a Grep that finds nothing, `G` one that does, `r` a Read of a missing
/// file, `c` a Grep that was cancelled; each word is a turn.
fn found(turns: &str) -> Vec<Vec<usize>> {
    let mut place = 0;
    let mut call = |kind: char| {
        let (name, input) = match kind {
            'r' => ("Read", json!({"file_path": format!("docs/{}.md", PATTERNS[place])})),
            _ => ("Grep", json!({"pattern": PATTERNS[place]})),
        };
        let (text, status) = match kind {
            'G' => ("docs/a.md:1:text", ToolStatus::Ok),
            'r' => ("File does not exist.", ToolStatus::Failed),
            'c' => ("Cancelled: parallel tool call errored", ToolStatus::NotRun),
            _ => ("No matches found", ToolStatus::Ok),
        };
        place += 1;
        ToolCall {
            id: (place - 1).to_string(),
            name: name.to_owned(),
            input,
            output: Some(ToolOutput {
                text: text.to_owned(),
                is_error: status == ToolStatus::Failed,
                note: None,
                exit_code: None,
            }),
            status: Some(status),
            ..ToolCall::default()
        }
    };
    let turn = |(number, kinds): (u32, &str)| AssistantTurn {
        number,
        calls: kinds.chars().filter(|kind| *kind != '-').map(&mut call).collect(),
        ..AssistantTurn::default()
    };
    let turns = (1..).zip(turns.split(' ')).map(turn).collect();
    let conversation = Conversation { prompts: vec!["Where?".to_owned()], turns, ..Conversation::default() };
    let detector = SIGNALS.iter().find(|detector| detector.kind == SignalKind::RepeatedFailure).unwrap();
    let places = |calls: &Vec<String>| calls.iter().map(|id| id.parse().unwrap()).collect();
    (detector.detect)(&conversation).iter().map(|signal| places(&signal.calls)).collect()
}

#[test]
fn three_failures_of_one_kind_within_three_turns_are_one_signal() {
    for (turns, expected) in [
        ("g g g", &[&[0, 1, 2][..]][..]),
        ("ggg", &[&[0, 1, 2]]),
        ("gg - g", &[&[0, 1, 2]]),
        ("g g g g g", &[&[0, 1, 2, 3, 4]]),
        ("r r r", &[&[0, 1, 2]]),
        // too few, or too far apart
        ("g g", &[]),
        ("g - g - g", &[]),
        ("g g - g", &[]),
        // not all of one kind, and not all failed
        ("g g r", &[]),
        ("r g r", &[]),
        ("g G g g", &[]),
        // what was not run is neither
        ("g c g g", &[]),
        ("g gcg", &[&[0, 1, 3]]),
    ] {
        assert_eq!(found(turns), expected, "{turns}");
    }
}
