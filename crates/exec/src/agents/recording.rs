//! Recordings of an agent's tool calls, which working copies lack: they tell what a variant's agent did.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What the first line of a recording says, in every language.
const RECORDER: &str = "`omk mocks record`";
/// The extension of the folder that holds a recording's long answers.
const ANSWERS: &str = "files";

/// The longest first line, in bytes: the names of a variant and a program stand in it.
const FIRST_LINE: u64 = 4096;

/// Whether a path is a recording, or the folder of its answers.
pub(super) fn is_recording(path: &Path) -> bool {
    let Some(extension) = path.extension() else { return false };
    if extension == "yaml" || extension == "yml" {
        return has_header(path);
    }
    extension == ANSWERS && path.is_dir() && ["yaml", "yml"].iter().any(|of| has_header(&path.with_extension(of)))
}

fn has_header(path: &Path) -> bool {
    // Opening a pipe waits for somebody who writes to it.
    if !path.is_file() {
        return false;
    }
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FIRST_LINE).read_to_end(&mut head));
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    read.is_ok() && line.starts_with(b"#") && String::from_utf8_lossy(line).contains(RECORDER)
}
