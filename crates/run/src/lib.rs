//! The engine: runs the cells of a plan and journals the result of each.
//!
//! In come a [`Plan`](eval_spec::plan::Plan), an [`Executor`](eval_spec::Executor), a
//! [`Grader`](eval_spec::Grader) and [`RunLimits`]; out go [`Event`](eval_spec::Event)s while it runs and a
//! [`Journal`] that any report can be rebuilt from, now or after a crash. Around every call are the
//! cache, the retries, the provider's limits and the budget ([`Guarded`]), for cells and judges alike.
//!
//! This crate never prints, knows no vendor and no prompt, and computes no score.

mod afterwards;
mod budget;
pub mod cache;
mod end;
mod engine;
mod error;
mod guard;
pub mod journal;
mod judging;
mod limits;
mod outage;
pub mod pairs;
pub mod plan;
mod policy;
mod prefix;
mod private;
mod retry;
mod stop;

pub use afterwards::ask_afterwards;
pub use budget::{Budget, BudgetStop};
pub use cache::Cache;
pub use end::{RunEnd, RunEnding};
pub use engine::{Again, Engine, Executors};
pub use error::RunError;
pub use eval_format::private_folder;
pub use guard::{Guard, Guarded};
pub use journal::{
    AskedAgain, AwaitedCall, BadLine, Journal, JournalCost, JournalLimits, LiveRun, RunProgress, StoredJournal,
    first_unreadable, journal_path, journals_under_way, latest_where, stored_journals,
};
pub use judging::JournaledJudge;
pub use outage::Outage;
pub use pairs::{Compare, Pairing, pairs};
pub use plan::{order, order_by_sample, plan};
pub use policy::{Retry, RunLimits};
pub use prefix::{Watch, is_decided};
pub use stop::Stop;

/// Parts that only the tests of this crate reach.
#[doc(hidden)]
pub mod internals {
    pub use crate::journal::index::{Charge, Fact, JournalIndex, LineSpan, parse};
    pub use crate::journal::line::{finish, take_off};
    pub use crate::journal::writer::Writer;
    pub use crate::limits::bucket::Bucket;
    pub use crate::limits::window::CongestionWindow;
    pub use crate::retry::Retries;
}
