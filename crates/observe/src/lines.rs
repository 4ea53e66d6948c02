//! Reads files of any size line by line.

use std::io::{self, BufRead};

/// Limit on a line, in bytes; the rest of a longer one is dropped, so that its record can't be parsed.
const MAX_LINE: usize = 64 << 20;

/// Calls `each` with every line and its number, from 1, without line feeds. Invalid UTF-8 becomes U+FFFD.
///
/// # Errors
/// If reading fails.
pub(crate) fn lines(mut file: impl BufRead, mut each: impl FnMut(u64, &str)) -> io::Result<()> {
    let (mut line, mut number) = (Vec::new(), 1);
    loop {
        let buffered = file.fill_buf()?;
        if buffered.is_empty() {
            if !line.is_empty() {
                each(number, &String::from_utf8_lossy(&line));
            }
            return Ok(());
        }
        let end = memchr::memchr(b'\n', buffered);
        let part = &buffered[..end.unwrap_or(buffered.len())];
        let room = MAX_LINE.saturating_sub(line.len());
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        if end.is_some() {
            each(number, &String::from_utf8_lossy(&line));
            line.clear();
            number += 1;
        }
        file.consume(used);
    }
}
