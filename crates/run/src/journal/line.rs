//! A line's own hash, and the lines that can't be used: an answer that is edited in the file is noticed.

use std::path::Path;

use eval_message::{Message, msg};
use eval_spec::hash::short_hash;

use crate::error::RunError;

/// From this version of the journal on, every line after the header ends with its hash.
const HASHED_SINCE: u32 = 3;

const DIGITS: usize = 16;
const BEFORE: &[u8] = br#","hash":""#;
const AFTER: &[u8] = br#""}"#;
const LENGTH: usize = BEFORE.len() + DIGITS + AFTER.len();

/// Whether the lines of a journal carry their hash. A journal keeps to what it began with, so that the program that
/// began it can go on with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineHash {
    /// The last member of the line's object, over the object without it.
    Last,
    /// A journal of an earlier version.
    Missing,
}

impl LineHash {
    pub(super) fn of(version: u32) -> LineHash {
        if version >= HASHED_SINCE { LineHash::Last } else { LineHash::Missing }
    }

    /// Adds its hash to an object, and the line feed.
    pub(super) fn finish(self, mut object: Vec<u8>) -> Vec<u8> {
        if self == LineHash::Last {
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
    pub(super) fn take_off(self, line: &mut Vec<u8>) -> bool {
        if self == LineHash::Missing {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_comes_off_as_it_went_on_and_notices_every_changed_byte() {
        let object = br#"{"grade":{"key":"a/b/0"}}"#.to_vec();
        let mut line = LineHash::Last.finish(object.clone());
        assert_eq!(line.pop(), Some(b'\n'));
        assert!(serde_json::from_slice::<serde_json::Value>(&line).is_ok());
        for at in 0..line.len() {
            let mut edited = line.clone();
            edited[at] ^= 1;
            assert!(!LineHash::Last.take_off(&mut edited), "{at}");
        }
        assert!(LineHash::Last.take_off(&mut line));
        assert_eq!(line, object);
        for short in [&b""[..], b"{}", &object] {
            assert!(!LineHash::Last.take_off(&mut short.to_vec()));
        }
        assert!(LineHash::Missing.take_off(&mut line));
        assert_eq!(LineHash::Missing.finish(object.clone()), [&object[..], b"\n"].concat());
    }
}
