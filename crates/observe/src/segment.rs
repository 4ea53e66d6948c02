//! Segments of sessions.

use std::collections::BTreeSet;
use std::sync::Arc;

use eval_format::{Attribution, ToolCounts};
use eval_gaps::{GapSignal, KnowledgeLookup};
use eval_spec::call::Usage;
use jiff::Timestamp;

/// The work on one prompt with one skill.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    /// Id of the first record, equal in copies of the session; `None` if the format has no ids.
    pub key: Option<String>,
    /// Id of the session, if the file has one. A file may contain several sessions, or begin with a copy of another one.
    pub session: Option<String>,
    /// Number of the segment in the file, from 1.
    pub number: u32,
    /// Name of the skill; `None` without one.
    pub skill: Option<String>,
    /// Reason for counting the segment to the skill.
    pub attribution: Option<Attribution>,
    /// Name of a skill that was loaded for an earlier prompt, and may still be in the model's context.
    pub carried: Option<String>,
    pub started_at: Option<Timestamp>,
    /// Time from the prompt to the last event, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Number of messages of the model and its sub-agents.
    pub turns: u64,
    /// Tool calls, including those of sub-agents.
    pub tools: ToolCounts,
    /// Tokens, including those of sub-agents; `None` if the file has no counts.
    pub usage: Option<Usage>,
    /// Length of the skill's text, in characters; 0 if the file doesn't contain it.
    pub skill_chars: usize,
    /// `true` if the user stopped the agent.
    pub is_interrupted: bool,
    /// Models that answered.
    pub models: BTreeSet<String>,
    /// Signals that knowledge is missing.
    pub signals: Vec<AnchoredSignal>,
    /// Names of servers' tools that count as searches only because of their names.
    pub guessed_tools: BTreeSet<String>,
    /// Accesses to the knowledge base; `None` without one.
    pub lookup: Option<KnowledgeLookup>,
    /// Prompt of a segment with signals, masked and cut to a limit.
    pub prompt: Option<String>,
}

/// A signal with its place.
#[derive(Clone, Debug)]
pub struct AnchoredSignal {
    /// Signal with a masked subject.
    pub signal: GapSignal,
    /// Key of the unmasked subject ([`eval_gaps::gap_key`]); hashed if the mask changes it.
    pub key: String,
    /// Searched places ([`SearchedPlaces`](eval_gaps::SearchedPlaces)), masked.
    pub searched: Vec<String>,
    /// `true` for a search in or for the knowledge base.
    pub is_of_knowledge_base: bool,
    pub anchor: Anchor,
}

/// A place in a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchor {
    /// File of the sub-agent; `None` for the session's own.
    pub file: Option<Arc<str>>,
    /// Line of the file, from 1.
    pub line: u64,
    pub time: Option<Timestamp>,
}
