//! Sessions of agents in real use → how each skill does in them.
//!
//! In come session files, line by line ([`read_session`]); each is cut into segments, the work on one prompt with one skill.
//! Out comes an [`Observation`](eval_format::Observation): per skill what it cost, how often tools failed, and what was
//! looked for and not found ([`observe`]).
//!
//! This crate opens no file and asks no model. What it reads is untrusted, and what it keeps of it is masked first
//! ([`Mask`]).

mod clipped;
mod health;
mod inbox;
mod lines;
mod mask;
mod observation;
mod passed;
mod read;
mod segment;
mod segmenter;

pub use inbox::{SameGroups, limited_inbox, merged_inbox};
pub use mask::Mask;
pub use observation::{NamedSession, ObservedKnowledge, observe};
pub use read::{Knowledge, SessionRead, SessionReading, SubAgentFile, read_session};
pub use segment::{Anchor, AnchoredSignal, Segment};
