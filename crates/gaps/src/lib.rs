//! Traces of agents → knowledge-gap signals.
//!
//! In comes what was asked and what an agent did: a [`Conversation`]. Out come the signals that it looked for something and
//! didn't find it, or doubts what it says: the rows of [`SIGNALS`]. A new one is a file with a detector and a row.
//!
//! This crate never asks a model, opens a file or waits. The model and its tools wrote what it reads.

mod class;
mod conversation;
mod knowledge;
mod looked_up;
mod outcome;
mod pages;
mod paths;
mod prose;
mod rules;
mod search;
mod shell;
mod signals;
mod similarity;

pub use class::SearchedPlaces;
pub use conversation::{AssistantTurn, Conversation};
pub use knowledge::{KnowledgeAccess, KnowledgeConcern, KnowledgeFiles, KnowledgeLookup};
pub use looked_up::{LookedUp, PathAccess, looked_up};
pub use outcome::SearchOutcome;
pub use pages::KnowledgePages;
pub use rules::GapPatterns;
pub use search::{SearchTool, guessed_search_tools};
#[doc(hidden)]
pub use shell::parse;
pub use signals::{GapSignal, SIGNALS, SignalDetector, gap_weight, signals};
pub use similarity::{alike, gap_id, gap_key, same_gaps};
