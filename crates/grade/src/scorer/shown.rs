//! Values and shares as the reasons of scorers show them.

use std::io;

use serde_json::Value;

use crate::excerpt::{INLINE, excerpt};

/// The beginning of a value as JSON; quotes distinguish a text from a number.
pub fn shown(value: &Value) -> String {
    let mut beginning = MessagePrefix(Vec::new());
    // Writing ends with an error where the beginning is full.
    let _ = serde_json::to_writer(&mut beginning, value);
    excerpt(&String::from_utf8_lossy(&beginning.0), INLINE)
}

/// Takes a little more than a message shows.
struct MessagePrefix(Vec<u8>);

impl io::Write for MessagePrefix {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const ROOM: usize = 8 * INLINE;
        if self.0.len() >= ROOM {
            return Err(io::Error::other("full"));
        }
        self.0.extend_from_slice(&bytes[..bytes.len().min(ROOM)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The share `part / whole`; 1 of nothing.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of parts of one task or answer")]
    match whole {
        0 => 1.0,
        whole => part as f64 / whole as f64,
    }
}
