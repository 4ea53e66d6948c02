//! What a run leaves in omk's home is for its owner alone: prompts, answers and what agents saw.

use std::fs::OpenOptions;

use eval_spec::files::FileMode;

/// Options that open a file, and create it readable by its owner only.
pub(crate) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.file_mode(0o600);
    options
}
