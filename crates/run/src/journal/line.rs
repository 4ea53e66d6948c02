//! A line's own hash, and the lines that can't be used: an answer that is edited in the file is noticed.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::hash::short_hash;

use crate::error::RunError;

/// From this version of the journal on, every line after the header ends with its hash.
const HASHED_SINCE: u32 = 3;
/// From this version on, a line says that a call has left.
const BEGUN_SINCE: u32 = 4;
/// From this version on, a line's hash is followed by its number, from 1 after the header, so that a deleted line leaves a gap.
const NUMBERED_SINCE: u32 = 5;

const DIGITS: usize = 16;
const BEFORE: &[u8] = br#","hash":""#;
const AFTER: &[u8] = br#""}"#;
/// Digits of a number, and the dash before them.
const NUMBER: usize = 11;

/// What the lines of a journal carry, by its version. A journal keeps to what it began with, so that the program that
/// began it can go on with it.
#[derive(Clone, Copy, Debug)]
pub struct LineMarks {
    /// Whether each ends with its hash: the last member of its object, over the object without it.
    is_hashed: bool,
    /// True if its number follows, which is hashed as well.
    is_numbered: bool,
    /// Whether there is one for each call that leaves.
    pub(super) has_begun: bool,
}

impl LineMarks {
    /// Those of a header.
    pub const NONE: LineMarks = LineMarks { is_hashed: false, is_numbered: false, has_begun: false };

    pub fn of(version: u32) -> LineMarks {
        LineMarks {
            is_hashed: version >= HASHED_SINCE,
            is_numbered: version >= NUMBERED_SINCE,
            has_begun: version >= BEGUN_SINCE,
        }
    }

    /// Returns true if lines have numbers.
    pub fn is_numbered(self) -> bool {
        self.is_numbered
    }

    /// Adds its hash and its number to an object, and the line feed.
    pub fn finish(self, mut object: Vec<u8>, number: u64) -> Vec<u8> {
        if self.is_hashed {
            let number = if self.is_numbered { format!("-{number:010}") } else { String::new() };
            let hash = hash_with(&object, number.as_bytes());
            object.pop();
            for part in [BEFORE, hash.as_bytes(), number.as_bytes(), AFTER] {
                object.extend_from_slice(part);
            }
        }
        object.push(b'\n');
        object
    }

    /// Takes hash and number off a line without its line feed; false when the hash isn't that of the line.
    pub fn take_off(self, line: &mut Vec<u8>) -> bool {
        if !self.is_hashed {
            return true;
        }
        let Some((start, end)) = self.end(line) else { return false };
        let (hash, number) = end.split_at(DIGITS);
        let (hash, number) = (hash.to_vec(), number.to_vec());
        line.truncate(start);
        line.push(b'}');
        hash == hash_with(line, &number).into_bytes()
    }

    /// The number of a line; `None` where it has none.
    pub fn number(self, line: &[u8]) -> Option<u64> {
        let (_, end) = self.end(line).filter(|_| self.is_numbered)?;
        std::str::from_utf8(&end[DIGITS + 1..]).ok()?.parse().ok()
    }

    /// Returns the place where the hash begins, and the hash with the number.
    fn end(self, line: &[u8]) -> Option<(usize, &[u8])> {
        let length = BEFORE.len() + DIGITS + if self.is_numbered { NUMBER } else { 0 } + AFTER.len();
        let (before, end) = line.len().checked_sub(length).and_then(|start| line.split_at_checked(start))?;
        let end = end.strip_prefix(BEFORE)?.strip_suffix(AFTER)?;
        Some((before.len(), end))
    }
}

fn hash_with(object: &[u8], number: &[u8]) -> String {
    match number {
        [] => short_hash(object, DIGITS),
        number => short_hash(&[object, number].concat(), DIGITS),
    }
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
