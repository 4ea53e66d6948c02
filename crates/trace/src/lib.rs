//! Transcripts of agents → [`Trace`](eval_spec::call::Trace), as they stream in.
//!
//! In come the bytes that an agent's command line prints, in chunks of any size, and how it ended.
//! Out comes what an executor returns: an [`Output`](eval_spec::Output) with the trace of tool calls,
//! or an [`ExecError`](eval_spec::ExecError) with its class and what was seen until then.
//!
//! This crate never starts a process, reads a file or waits. What it reads was written by a model
//! and by the tools it called: nothing in it makes it panic, and it keeps no more than it was given.

pub mod claude;
mod lines;

pub use lines::{Lines, MAX_LINE};
