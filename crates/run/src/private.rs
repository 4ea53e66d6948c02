//! What a run leaves in omk's home is for its owner alone: prompts, answers and what agents saw.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;

/// How a file is opened that nobody else may read, should it be made.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}
