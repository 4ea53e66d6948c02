//! The store: results of evaluations in one SQLite file, and later the pages that show them.
//!
//! In come results as they arrive and evaluations when they end; out go histories and the newest numbers of each skill.
//! Several programs may use one store at the same time. This crate computes no number and prints nothing.

mod error;
mod schema;
mod store;

pub use error::StoreError;
pub use schema::STORE_VERSION;
pub use store::{Begun, CompletionRate, Store};
