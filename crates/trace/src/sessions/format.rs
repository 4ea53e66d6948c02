//! What a format of session files is.

use super::event::SessionEvent;

/// A format of sessions.
#[derive(Clone, Copy)]
pub struct SessionFormat {
    /// Its name, unique in [`SESSION_FORMATS`](super::SESSION_FORMATS).
    pub name: &'static str,
    /// The program that writes it, and the version that it was measured on; or the specification.
    pub source: &'static str,
    /// How the names of its files end.
    pub extensions: &'static [&'static str],
    /// Whether a file is of this format, by its beginning: whole lines, up to [`HEAD`] bytes where the first isn't longer.
    pub is_one: fn(&str) -> bool,
    /// A reader at the beginning of a file.
    pub reader: fn() -> Box<dyn SessionReader>,
}

/// How much of a file is looked at to tell its format, in bytes.
pub const HEAD: usize = 64 << 10;

/// What a line was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A record of a known type, or a part of one, with or without events.
    Known,
    /// A record of an unknown type.
    Unknown,
    /// Not readable, such as a torn last line.
    Unreadable,
}

impl LineKind {
    /// The kind of several of them.
    pub(super) fn worse(self, other: LineKind) -> LineKind {
        match (self, other) {
            (LineKind::Unreadable, _) | (_, LineKind::Unreadable) => LineKind::Unreadable,
            (LineKind::Unknown, _) | (_, LineKind::Unknown) => LineKind::Unknown,
            (LineKind::Known, LineKind::Known) => LineKind::Known,
        }
    }
}

/// Reads a session line by line.
pub trait SessionReader: Send {
    /// Takes the next line without its line feed, and adds the events that it ends.
    fn line(&mut self, line: &str, events: &mut Vec<SessionEvent>) -> LineKind;

    /// Adds what the end of the file ends; formats that are one record are read here. The kind is that of the file.
    fn end(&mut self, _events: &mut Vec<SessionEvent>) -> LineKind {
        LineKind::Known
    }
}
