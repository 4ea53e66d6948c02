//! What an agent was asked, and what it did, turn by turn.

use std::collections::BTreeMap;

use eval_spec::call::{Step, ToolCall, Trace};

use crate::rules::GapPatterns;

/// What is searched for signals: one execution of a sample, or a part of a session.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// What the user wrote.
    pub prompts: Vec<String>,
    /// The working directory; `None` where nothing tells.
    pub cwd: Option<String>,
    /// What a team says of gaps.
    pub rules: GapPatterns,
    /// The messages of the model in order, those of sub-agents after the call that started them.
    pub turns: Vec<AssistantTurn>,
}

/// One message of a model with its tool calls: those of one message are made at once.
#[derive(Clone, Debug, Default)]
pub struct AssistantTurn {
    /// From 1, within its thread.
    pub number: u32,
    /// The call of the sub-agent whose message it is; `None` in the main thread.
    pub thread: Option<String>,
    /// What it says to the user; without thinking.
    pub text: String,
    /// What it thinks, where that is to be read for marks and doubts; else empty.
    pub thinking: String,
    /// Its calls in order.
    pub calls: Vec<ToolCall>,
}

impl Conversation {
    /// What a trace tells. Its texts have no numbers: a text belongs to the turn of the call after it.
    #[must_use]
    pub fn of_trace(prompts: Vec<String>, cwd: Option<String>, trace: &Trace) -> Conversation {
        let mut conversation = Conversation { prompts, cwd, ..Conversation::default() };
        let mut latest = BTreeMap::new();
        let mut text = String::new();
        for step in &trace.steps {
            match step {
                Step::Text { text: said } => {
                    text.push_str(said);
                    text.push('\n');
                }
                Step::Tool(call) => {
                    let said = if call.parent.is_none() { std::mem::take(&mut text) } else { String::new() };
                    conversation.add(call, said, &mut latest);
                }
            }
        }
        if !text.is_empty() {
            let number = latest.get(&None).map_or(1, |&(_, number)| number + 1);
            conversation.turns.push(AssistantTurn { number, text, ..AssistantTurn::default() });
        }
        conversation
    }

    /// Adds a call to the turn that it belongs to. `latest`: the place and the number of each thread's last turn.
    fn add(&mut self, call: &ToolCall, text: String, latest: &mut BTreeMap<Option<String>, (usize, u32)>) {
        let thread = call.parent.clone();
        let last = latest.get(&thread).copied();
        let next = last.map_or(1, |(_, number)| number + 1);
        let number = call.turn.unwrap_or(next).max(last.map_or(1, |(_, number)| number));
        let same = last.filter(|&(_, last)| last == number && text.is_empty());
        let at = same.map_or_else(
            || {
                let number = if text.is_empty() { number } else { number.max(next) };
                self.turns.push(AssistantTurn { number, thread: thread.clone(), text, ..AssistantTurn::default() });
                latest.insert(thread, (self.turns.len() - 1, number));
                self.turns.len() - 1
            },
            |(at, _)| at,
        );
        self.turns[at].calls.push(call.clone());
    }
}
