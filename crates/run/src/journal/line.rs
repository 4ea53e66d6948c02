//! A line's own hash, and the lines that can't be used: an answer that is edited in the file is noticed.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::hash::short_hash;

use crate::error::RunError;

const DIGITS: usize = 16;
const BEFORE: &[u8] = br#","hash":""#;
const AFTER: &[u8] = br#""}"#;
/// Digits of a number, and the dash before them.
const NUMBER: usize = 11;

/// Adds hash and number as the last member of an object, and the line feed. Numbers count from 1 after the header, so that
/// a deleted line leaves a gap.
pub fn finish(mut object: Vec<u8>, number: u64) -> Vec<u8> {
    let number = format!("-{number:010}");
    let hash = hash_with(&object, number.as_bytes());
    object.pop();
    for part in [BEFORE, hash.as_bytes(), number.as_bytes(), AFTER, b"\n"] {
        object.extend_from_slice(part);
    }
    object
}

/// Takes hash and number off a line without its line feed; false when the hash isn't that of the line.
pub fn take_off(line: &mut Vec<u8>) -> bool {
    let Some((start, end)) = end(line) else { return false };
    let (hash, number) = end.split_at(DIGITS);
    let (hash, number) = (hash.to_vec(), number.to_vec());
    line.truncate(start);
    line.push(b'}');
    hash == hash_with(line, &number).into_bytes()
}

/// Returns the number of a line; `None` where it has none.
pub(super) fn number(line: &[u8]) -> Option<u64> {
    std::str::from_utf8(&end(line)?.1[DIGITS + 1..]).ok()?.parse().ok()
}

/// Returns the place where the hash begins, and the hash with the number.
fn end(line: &[u8]) -> Option<(usize, &[u8])> {
    const LENGTH: usize = BEFORE.len() + DIGITS + NUMBER + AFTER.len();
    let (before, end) = line.len().checked_sub(LENGTH).and_then(|start| line.split_at_checked(start))?;
    let end = end.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
    Some((before.len(), end))
}

fn hash_with(object: &[u8], number: &[u8]) -> String {
    short_hash(&[object, number].concat(), DIGITS)
}

/// A line of a journal that isn't used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The line, from 1.
    pub line: usize,
    /// What the parser said; `None` when the line is whole and was changed after it was written.
    pub why: Option<String>,
}

impl BadLine {
    pub(super) fn message(&self, path: &Path) -> Message {
        let (path, line) = (path.display().to_string(), self.line.to_string());
        match &self.why {
            Some(why) => msg!("run-journal-line-unreadable", path = path, line = line, why = why),
            None => msg!("run-journal-line-edited", path = path, line = line),
        }
    }

    pub(super) fn error(&self, path: &Path) -> RunError {
        let (path, line) = (path.to_owned(), self.line);
        match self.why.clone() {
            Some(why) => RunError::Corrupt { path, line, why },
            None => RunError::Edited { path, line },
        }
    }
}
