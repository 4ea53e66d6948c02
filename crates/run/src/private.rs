//! What a run leaves in omk's home is for its owner alone: prompts, answers and what agents saw.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

/// Options that open a file, and create it readable by its owner only.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}
