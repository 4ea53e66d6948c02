//! Lines out of chunks.

/// The longest line, in bytes. The rest of a longer one is dropped, which leaves JSON
/// that does not parse.
pub(crate) const MAX_LINE: usize = 16 << 20;

/// Cuts a stream of bytes into lines of text, whatever the borders of the chunks.
///
/// Bytes are decoded a line at a time, so a character cut by a border survives; what is not UTF-8
/// becomes U+FFFD.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    pending: Vec<u8>,
}

impl Lines {
    /// Takes `bytes`, and calls `line` with every line they complete, without its line feed.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut line: impl FnMut(&str)) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.buffer(&bytes[..end]);
            line(&String::from_utf8_lossy(&self.pending));
            self.pending.clear();
            bytes = &bytes[end + 1..];
        }
        self.buffer(bytes);
    }

    /// The last line, when it had no line feed.
    pub(crate) fn finish(self) -> Option<String> {
        (!self.pending.is_empty()).then(|| String::from_utf8_lossy(&self.pending).into_owned())
    }

    fn buffer(&mut self, bytes: &[u8]) {
        let room = MAX_LINE.saturating_sub(self.pending.len());
        self.pending.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}
