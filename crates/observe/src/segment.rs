//! A segment: the work on one prompt with one skill.

use std::collections::BTreeSet;
use std::sync::Arc;

use eval_format::{Attribution, ToolCounts};
use eval_gaps::{GapSignal, KnowledgeLookup};
use eval_spec::call::Usage;
use jiff::Timestamp;

/// What is kept of a segment.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// The id of its first record, the same in a copy of the session; `None` where the format has none.
    pub key: Option<String>,
    /// The id of its session, where the file tells: a file may hold several, or begin with a copy of another one.
    pub session: Option<String>,
    /// Its place in the file, from 1.
    pub number: u32,
    /// The skill; `None` without one.
    pub skill: Option<String>,
    /// Why it is counted to the skill.
    pub attribution: Option<Attribution>,
    /// A skill that was loaded for an earlier prompt, and may still be in the model's sight.
    pub carried: Option<String>,
    /// When it began.
    pub started_at: Option<Timestamp>,
    /// From the prompt to the last thing that happened, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Messages of the model, sub-agents' included.
    pub turns: u64,
    /// Its tool calls, sub-agents' included.
    pub tools: ToolCounts,
    /// Its tokens, sub-agents' included; `None` where the file tells none.
    pub usage: Option<Usage>,
    /// How long the text of the skill is, in characters; 0 where the file doesn't hold it.
    pub skill_chars: usize,
    /// Whether the user stopped the agent.
    pub is_interrupted: bool,
    /// The models that answered.
    pub models: BTreeSet<String>,
    /// What was looked for and not found.
    pub signals: Vec<AnchoredSignal>,
    /// Tools of servers that are taken for searches by their names alone.
    pub guessed_tools: BTreeSet<String>,
    /// What was looked up in the knowledge base; `None` where none was given.
    pub lookup: Option<KnowledgeLookup>,
    /// What the user wrote, where there are signals: masked, and cut when it is long.
    pub prompt: Option<String>,
}

/// A signal with the place that shows it.
#[derive(Clone, Debug)]
pub struct AnchoredSignal {
    /// The signal; its subject is masked.
    pub signal: GapSignal,
    /// The key of what was looked for ([`eval_gaps::gap_key`]), made before its text was masked; hashed where a mask hides a part.
    pub key: String,
    /// Where was searched, as [`SearchedPlaces`](eval_gaps::SearchedPlaces) has it; masked.
    pub searched: Vec<String>,
    /// Whether it is a search in or for the knowledge base; `false` where none was given.
    pub is_of_knowledge_base: bool,
    /// Where it is found.
    pub anchor: Anchor,
}

/// A place in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// The sub-agent's file; `None` for the session's own.
    pub file: Option<Arc<str>>,
    /// The line of the file, from 1.
    pub line: u64,
    /// When.
    pub at: Option<Timestamp>,
}
