//! Gap signals through the crate's door.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod corpus;
