//! Stand-ins for the outside world, for tests and benchmarks only.
//!
//! A [`FakeApi`] serves a [`ReplyScript`] on 127.0.0.1: it speaks the HTTP APIs of model vendors, misbehaves on
//! request, and records its requests. A [`ScratchProject`] is a scratch directory in which a built binary runs. Further
//! modules have [`malformed`] input files generated from seeds, working callable [`skills`], [`calls`] of executors,
//! external [`tools`], a [`browser`], a raw [HTTP client](http_client), checks of the formats of [`traces`], and
//! endless [`sqlite`] databases. Nothing here reaches another host or ships: other crates use it in tests only.

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
