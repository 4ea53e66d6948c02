//! The nouns: the types that flow through everything else, and the traits that other crates implement.
//!
//! [`Suite`] → [`Plan`](plan::Plan) → [`Output`] → [`Grade`] → [`Record`](record::Record); [`Executor`] and [`Grader`];
//! diagnostics that point into files; fingerprints.
//!
//! This crate reads no file, starts no program, never waits and never prints, and decides nothing about scores.
#![warn(missing_docs, reason = "the JSON Schemas of reports are made from them")]

mod arm_part;
pub mod call;
pub mod callable;
pub mod context;
pub mod credentials;
mod delivery;
pub mod event;
pub mod files;
pub mod gap;
pub mod gold;
pub mod grade;
pub mod halves;
pub mod hash;
mod judged;
pub mod knowledge;
pub mod mock;
mod network;
pub mod page;
mod paired;
mod permissions;
pub mod plan;
pub mod record;
pub mod sample;
pub mod sandbox;
pub mod separated;
pub mod source;
pub mod suite;
pub mod surroundings;
mod trace;
pub mod types;
pub mod units;
pub mod url_server;
pub mod variant;
pub mod vendor;

pub use call::{BoxFuture, Call, CallPrice, ExecError, Executor, Failure, Identity, Outcome, Output};
pub use context::Context;
pub use event::Event;
pub use grade::{Check, CheckOutcome, Grade, Grader, Layer};
pub use judged::{Claim, HOLDS_FROM, Judged, MOST_JUDGES, Opinion};
pub use paired::{Pair, PairJudged, PairOpinion, PairReply, PairVerdict, Shown};
pub use plan::{Cell, CellKey};
pub use sample::{Assertion, JudgeMode, Sample};
pub use source::{Diagnostic, Diagnostics};
pub use suite::Suite;
pub use surroundings::Surroundings;
pub use variant::Variant;
