//! A signal, and what finds those of one kind.

use eval_spec::gap::{SearchIntent, SignalKind};

use crate::conversation::Conversation;
use crate::prose::prose;

/// A sign that the agent wanted something and didn't find it, or doubts what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GapSignal {
    /// Its kind.
    pub kind: SignalKind,
    /// The number of the turn, within its thread; of several turns the first.
    pub turn: u32,
    /// The call of the sub-agent in which it happened.
    pub thread: Option<String>,
    /// The calls behind it.
    pub calls: Vec<String>,
    /// What was looked for, or the sentence.
    pub subject: String,
    /// Why was searched; `None` where nothing was.
    pub intent: Option<SearchIntent>,
}

/// A detector of one kind of signal.
#[derive(Clone, Copy)]
pub struct SignalDetector {
    /// The kind it finds.
    pub kind: SignalKind,
    /// Finds the signals in the order of the turns.
    pub detect: fn(&Conversation) -> Vec<GapSignal>,
}

/// A signal for each sentence of what the agent says to the user that `is_one`.
pub(super) fn of_sentences(
    kind: SignalKind,
    conversation: &Conversation,
    is_one: impl Fn(&str) -> bool,
) -> Vec<GapSignal> {
    let mut found = Vec::new();
    for turn in conversation.turns.iter().filter(|turn| turn.thread.is_none()) {
        let text = prose(&turn.text);
        found.extend(text.sentences().filter(|(own, _)| is_one(own)).map(|(_, sentence)| GapSignal {
            kind,
            turn: turn.number,
            thread: None,
            calls: Vec::new(),
            subject: sentence,
            intent: None,
        }));
    }
    found
}
