//! Transcripts of agents → [`Trace`](eval_spec::call::Trace), as they stream in.
//!
//! In come the bytes that an agent's command line prints, in chunks of any size, and how it ended.
//! Out comes the result of an executor's call: an [`Output`](eval_spec::Output) with the trace of tool calls,
//! or an [`ExecError`](eval_spec::ExecError) with its class and the trace until then.
//!
//! The formats are the rows of [`FORMATS`]; a new one is a file with an implementation of [`Transcript`] and a row.
//!
//! This crate never starts a process, opens a file or waits. The model and its tools wrote what it reads: no input
//! makes it panic, and it buffers no more than it was given.

mod calls;
pub mod claude;
pub mod codex;
mod ending;
mod format;
pub mod gemini;
mod lines;
mod records;
mod search;
pub mod sessions;
mod stderr;
mod sub_agents;

pub use format::{AgentExit, AgentSetup, SkippedRecords, Transcript, TranscriptFormat, TranscriptReader};
pub use stderr::without_noise;

/// All formats.
pub static FORMATS: &[TranscriptFormat] = &[claude::STREAM_JSON, codex::EXEC_JSON, gemini::STREAM_JSON];
