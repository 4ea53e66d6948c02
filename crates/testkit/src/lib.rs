//! Development only: what tests and benchmarks need instead of the outside world.
//!
//! In comes a [`Script`] of replies; out goes a server on 127.0.0.1 that speaks the HTTP APIs of
//! Anthropic and OpenAI, misbehaves as told, and remembers what it was asked. Beside it stand
//! [`malformed`] input files, each named by a seed, and callable [`skills`] that work. This crate never reaches another host and never
//! ships: no other crate depends on it outside of its tests.

mod fake_api;
mod finished;
pub mod malformed;
pub mod pages;
mod shapes;
pub mod skills;
mod socket;

pub use fake_api::{FakeApi, Request};
pub use finished::Finished;
pub use shapes::{Answer, Behaviour, Reply, Script, Stop};
