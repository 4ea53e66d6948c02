//! Tests of the catalogues, and of the build script's checks.
#![expect(clippy::unwrap_used, reason = "tests")]

#[path = "../../build/catalogue.rs"]
mod catalogue;
mod foreign;
mod plain;
mod signatures;
mod texts;
mod unused;
