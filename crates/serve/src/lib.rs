//! Results served: the store, one SQLite file with results of skills, and the report server, pages over a directory of
//! reports for this machine.
//!
//! In come results as they arrive, and requests; out go histories, and pages that `render` makes. Several programs may use
//! one store and one directory at the same time. This crate computes no number and prints nothing.

mod error;
pub mod http;
pub mod library;
mod schema;
mod store;

pub use error::StoreError;
pub use schema::STORE_VERSION;
pub use store::{Begun, CompletionRate, Store};
