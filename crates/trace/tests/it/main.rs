//! `eval-trace` through its door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod calls;
mod codex;
mod endings;
mod formats;
mod gemini;
mod lines;
mod recordings;
mod session_damage;
mod session_files;
mod sessions;
mod trace;
