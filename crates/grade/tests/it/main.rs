//! Grading through the crate's door.
#![expect(clippy::unwrap_used, reason = "a test that can't go on fails")]

mod cases;
mod custom;
mod hostile;
mod judge;
mod make;
mod oracle;
mod patterns;
mod scorers;
mod script;
mod sets;
mod shown;
mod table;
mod texts;
mod tokens;
mod tools;
mod trajectory;
