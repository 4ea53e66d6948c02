//! What models think: read for marks and doubts only where that is asked for.

use eval_spec::gap::{SignalKind, SignalPlace};
use serde_json::{Value, json};

use crate::{ClaudeFile, read_with, text};

fn thinks(thought: &str) -> Value {
    json!({"type": "thinking", "thinking": thought, "signature": "s"})
}

/// The signals of a session: kind, turn, place and subject.
fn signals(
    thinking: bool,
    file: &ClaudeFile,
    sub_agents: &[(&str, &str)],
) -> Vec<(SignalKind, u32, Option<SignalPlace>, String)> {
    let read = read_with(thinking, &file.text(), sub_agents);
    let all = read.segments.into_iter().flat_map(|segment| segment.signals).map(|of| of.signal);
    all.map(|of| (of.kind, of.turn, of.place, of.subject)).collect()
}

#[test]
fn thinking_is_read_only_where_that_is_asked_for_and_shown_as_such() {
    let key = format!("sk-ant-api03-{}", "a1B2".repeat(8));
    let file = ClaudeFile::new("s")
        .prompt("Who owns it?")
        .says("m1", None, &[thinks(&format!("I'm not sure whether {key} is its key.")), text("Let me look.")])
        .says("m2", None, &[thinks("[unknown] owner. I don't know the date."), text("I don't know the date.")]);
    let said = (SignalKind::Hedging, 2, None, "I don't know the date.".to_owned());
    assert_eq!(signals(false, &file, &[]), std::slice::from_ref(&said));
    let thought = |kind, turn, subject: &str| (kind, turn, Some(SignalPlace::Thinking), subject.to_owned());
    let found = signals(true, &file, &[]);
    let expected = [
        thought(SignalKind::ExplicitMarker, 2, "[unknown] owner."),
        thought(SignalKind::Hedging, 1, "I'm not sure whether [key] is its key."),
        said,
    ];
    assert_eq!(found, expected, "what is thought and said counts once, and secrets are masked");
}

#[test]
fn thoughts_of_sub_agents_are_not_read() {
    let sub_agent = ClaudeFile::new("s").says("m9", None, &[thinks("I'm not sure who owns it."), text("Done.")]).text();
    let file = ClaudeFile::new("s")
        .prompt("Who owns it?")
        .says("m1", None, &[crate::call("task", "Task", json!({"prompt": "Look"}))])
        .result("task", "Done.", false);
    assert_eq!(signals(true, &file, &[("task", &sub_agent)]), []);
}
