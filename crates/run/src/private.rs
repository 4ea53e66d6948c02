//! What a run leaves in omk's home is for its owner alone: prompts, answers and what agents saw.

use std::fs::{DirBuilder, OpenOptions};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Makes a folder, and those above it, that nobody else can look into. One that exists stays as it is:
/// its owner may share it on purpose.
///
/// # Errors
/// When it can't be made.
pub fn private_folder(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// How a file is opened that nobody else may read, should it be made.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}
