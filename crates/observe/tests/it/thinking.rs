//! Thinking of models: searched for marks and doubts only on request.

use eval_spec::gap::{SignalKind, SignalPlace};
use serde_json::{Value, json};

use crate::{ClaudeFile, read_with, text};

fn thinks(thought: &str) -> Value {
    json!({"type": "thinking", "thinking": thought, "signature": "s"})
}

/// Returns the signals of a session: kind, turn, place and subject.
fn signals(
    thinking: bool,
    file: &ClaudeFile,
    sub_agents: &[(&str, &str)],
) -> Vec<(SignalKind, u32, Option<SignalPlace>, String)> {
    let read = read_with(thinking, &file.text(), sub_agents);
    let all = read.segments.into_iter().flat_map(|segment| segment.signals).map(|entry| entry.signal);
    all.map(|signal| (signal.kind, signal.turn, signal.place, signal.subject)).collect()
}

#[test]
fn thinking_is_read_only_on_request_and_marked() {
    let key = format!("sk-ant-api03-{}", "a1B2".repeat(8));
    let file = ClaudeFile::new("s")
        .prompt("Who owns it?")
        .says("m1", None, &[thinks(&format!("I'm not sure whether {key} is its key.")), text("Let me look.")])
        .says("m2", None, &[thinks("[unknown] owner. I don't know the date."), text("I don't know the date.")]);
    let doubt_in_text = (SignalKind::Hedging, 2, None, "I don't know the date.".to_owned());
    assert_eq!(signals(false, &file, &[]), std::slice::from_ref(&doubt_in_text));
    let in_thinking = |kind, turn, subject: &str| (kind, turn, Some(SignalPlace::Thinking), subject.to_owned());
    let signals_with_thinking = signals(true, &file, &[]);
    let expected = [
        in_thinking(SignalKind::ExplicitMarker, 2, "[unknown] owner."),
        in_thinking(SignalKind::Hedging, 1, "I'm not sure whether [key] is its key."),
        doubt_in_text,
    ];
    assert_eq!(signals_with_thinking, expected, "what is thought and said counts once, and secrets are masked");
}

#[test]
fn thinking_of_sub_agents_is_not_read() {
    let sub_agent = ClaudeFile::new("s").says("m9", None, &[thinks("I'm not sure who owns it."), text("Done.")]).text();
    let file = ClaudeFile::new("s")
        .prompt("Who owns it?")
        .says("m1", None, &[crate::call("task", "Task", json!({"prompt": "Look"}))])
        .result("task", "Done.", false);
    assert_eq!(signals(true, &file, &[("task", &sub_agent)]), []);
}
