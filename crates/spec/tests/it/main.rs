//! The nouns through the crate's door.
#![expect(clippy::unwrap_used, reason = "tests")]

mod address;
mod credentials;
mod decimal;
mod hash;
mod pages;
mod paired;
mod samples;
mod thoughts;
mod traces;
