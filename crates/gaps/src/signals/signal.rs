//! A signal, and what finds those of one kind.

use eval_spec::gap::{GapClass, SearchIntent, SignalKind, SignalPlace};

use crate::class::SearchedPlaces;
use crate::conversation::Conversation;
use crate::prose::Prose;

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
    /// The sentence with those before and after it; empty where nothing was said.
    pub context: String,
    /// Why was searched; `None` where nothing was.
    pub intent: Option<SearchIntent>,
    /// What the search is for.
    pub class: GapClass,
    /// Where was searched.
    pub searched: SearchedPlaces,
    /// Where it stands, if not in what the agent says or does.
    pub place: Option<SignalPlace>,
}

/// A detector of one kind of signal.
#[derive(Clone, Copy)]
pub struct SignalDetector {
    /// The kind it finds.
    pub kind: SignalKind,
    /// Finds the signals in the order of the turns.
    pub detect: fn(&Conversation) -> Vec<GapSignal>,
}

/// The parts of a sentence between semicolons that ask nothing: a question to the user is no statement.
pub(super) fn parts(sentence: &str) -> impl Iterator<Item = &str> {
    let parts = sentence.split([';', '\u{ff1b}']).map(str::trim);
    parts.filter(|part| !part.ends_with(['?', '\u{ff1f}']))
}

/// A signal for each sentence that `is_one`, of what the agent says to the user, and of what it thinks where that is there: what it
/// says itself counts once.
pub(super) fn of_sentences(
    kind: SignalKind,
    conversation: &Conversation,
    is_one: impl Fn(&str) -> bool,
) -> Vec<GapSignal> {
    let mut found: Vec<GapSignal> = Vec::new();
    for turn in conversation.turns.iter().filter(|turn| turn.thread.is_none()) {
        let said = found.len();
        for (text, place) in [(&turn.text, None), (&turn.thinking, Some(SignalPlace::Thinking))] {
            let text = Prose::of(text);
            let all: Vec<(String, String)> = text.sentences().collect();
            let near = |at: usize| {
                let near = &all[at.saturating_sub(1)..all.len().min(at + 2)];
                near.iter().map(|(shown, _)| shown.as_str()).collect::<Vec<_>>().join(" ")
            };
            for (at, (sentence, _)) in all.iter().enumerate().filter(|(_, (_, plain))| is_one(plain)) {
                if place.is_some() && found[said..].iter().any(|of| of.subject == *sentence) {
                    continue;
                }
                found.push(GapSignal {
                    kind,
                    turn: turn.number,
                    thread: None,
                    calls: Vec::new(),
                    subject: sentence.clone(),
                    context: near(at),
                    intent: None,
                    class: GapClass::Knowledge,
                    searched: SearchedPlaces::default(),
                    place,
                });
            }
        }
    }
    found
}
