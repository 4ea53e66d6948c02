//! Results of other tools, read through the crate's door.
#![expect(clippy::unwrap_used, reason = "a test that can't set itself up should stop")]

mod arms;
mod changed;
mod formats;
mod hostile;
mod promptfoo;
mod readings;
mod tables;
mod tallied;
