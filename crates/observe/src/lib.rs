//! Measures how skills do in sessions of agents in real use.
//!
//! In: session files, line by line ([`read_session`]), cut into segments: the work on one prompt with one skill. Out: an
//! [`Observation`](eval_format::Observation) with each skill's costs, failed tool calls and failed searches ([`observe`]).
//!
//! This crate opens no file and asks no model. Its input is untrusted; texts are masked before they are stored ([`Mask`]).

mod clipped;
mod health;
mod inbox;
mod lines;
mod mask;
mod observation;
mod read;
mod recent_lines;
mod segment;
mod segmenter;

pub use inbox::{SameGroups, limited_inbox, merged_inbox};
pub use mask::Mask;
pub use observation::{NamedSession, ObservedKnowledge, observe};
pub use read::{Knowledge, SessionRead, SessionReading, SubAgentFile, read_session};
pub use segment::{Anchor, AnchoredSignal, Segment};
