//! The catalogues, and what the build checks of them.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "../../build/catalogue.rs"]
mod catalogue;
mod foreign;
mod plain;
mod signatures;
mod texts;
mod unused;
