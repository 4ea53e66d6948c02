//! Stored evaluations are counted again when they are read.

use std::path::Path;

use eval_format::skills::{FileError, SkillEvaluation, read_as_stored};

use super::consistent::check;

/// Reads an evaluation, and counts it again.
///
/// # Errors
/// When the file can't be read, is too large, is no evaluation of the version that this program reads, or holds numbers
/// that can't be or don't follow from its results.
pub fn read(path: &Path) -> Result<SkillEvaluation, FileError> {
    let of = read_as_stored(path)?;
    match check(&of) {
        Ok(()) => Ok(of),
        Err(found) => Err(FileError::Contradiction { path: path.to_owned(), found }),
    }
}
