//! Development only: what tests and benchmarks need instead of the outside world.
//!
//! A [`FakeApi`] serves a [`ReplyScript`] of replies on 127.0.0.1: it speaks the HTTP APIs of Anthropic and OpenAI, misbehaves
//! on request, and records its requests. A [`ScratchProject`] is a scratch directory in which a built binary runs. There are
//! [`malformed`] input files, each generated from a seed, callable [`skills`] that work, [`calls`] of executors, and the
//! external [`tools`] that some tests need, a [`browser`], an [HTTP client](http_client) for what no other sends, the rules of the formats of [`traces`], and [`sqlite`] databases that never end. Nothing here reaches another host or ships: no other crate depends on it outside of its tests.

pub mod browser;
pub mod calls;
mod fake_api;
mod finished;
pub mod http_client;
pub mod malformed;
pub mod pages;
mod project;
mod shapes;
mod site;
pub mod skills;
mod socket;
pub mod sqlite;
pub mod tools;
pub mod traces;
mod waiting;
mod web_server;

pub use fake_api::{FakeApi, Request};
pub use finished::Finished;
pub use project::{ScratchProject, files, tree};
pub use shapes::{Behaviour, FakeAnswer, FakeReply, FakeStop, ReplyScript};
pub use site::ReportSite;
pub use waiting::{before_deadline, wait_until};
pub use web_server::{WebReply, WebServer};
