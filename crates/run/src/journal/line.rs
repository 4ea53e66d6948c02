//! A line's own hash, and the lines that can't be used: an answer that is edited in the file is noticed.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::hash::short_hash;

use crate::error::RunError;

/// From this version of the journal on, every line after the header ends with its hash.
const HASHED_SINCE: u32 = 3;
/// From this version on, a line says that a call has left.
const BEGUN_SINCE: u32 = 4;

const DIGITS: usize = 16;
const BEFORE: &[u8] = br#","hash":""#;
const AFTER: &[u8] = br#""}"#;
const LENGTH: usize = BEFORE.len() + DIGITS + AFTER.len();

/// What the lines of a journal carry, by its version. A journal keeps to what it began with, so that the program that
/// began it can go on with it.
#[derive(Clone, Copy, Debug)]
pub struct LineMarks {
    /// Whether each ends with its hash: the last member of its object, over the object without it.
    is_hashed: bool,
    /// Whether there is one for each call that leaves.
    pub(super) has_begun: bool,
}

impl LineMarks {
    /// Those of a header.
    pub const NONE: LineMarks = LineMarks { is_hashed: false, has_begun: false };

    pub fn of(version: u32) -> LineMarks {
        LineMarks { is_hashed: version >= HASHED_SINCE, has_begun: version >= BEGUN_SINCE }
    }

    /// Adds its hash to an object, and the line feed.
    pub fn finish(self, mut object: Vec<u8>) -> Vec<u8> {
        if self.is_hashed {
            let hash = short_hash(&object, DIGITS);
            object.pop();
            object.extend_from_slice(BEFORE);
            object.extend_from_slice(hash.as_bytes());
            object.extend_from_slice(AFTER);
        }
        object.push(b'\n');
        object
    }

    /// Takes the hash off a line without its line feed; false when it isn't that of the line.
    pub fn take_off(self, line: &mut Vec<u8>) -> bool {
        if !self.is_hashed {
            return true;
        }
        let Some((_, end)) = line.len().checked_sub(LENGTH).and_then(|at| line.split_at_checked(at)) else {
            return false;
        };
        let hash = end.strip_prefix(BEFORE).and_then(|end| end.strip_suffix(AFTER)).map(<[u8]>::to_vec);
        let Some(hash) = hash else { return false };
        line.truncate(line.len() - LENGTH);
        line.push(b'}');
        hash == short_hash(line, DIGITS).into_bytes()
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
