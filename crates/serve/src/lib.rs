//! The store, one SQLite file with results of skills, and the report server, pages for a directory of reports.
//!
//! Input: results as they arrive, and requests. Output: histories, and pages made by `render`. Several programs may use
//! one store and one directory at the same time. This crate computes no number and prints nothing.

mod error;
pub mod http;
pub mod library;
mod schema;
mod store;

pub use error::StoreError;
pub use schema::STORE_VERSION;
pub use store::{CompletionRate, NewEvaluation, Store};
