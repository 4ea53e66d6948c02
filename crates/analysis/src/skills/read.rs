//! Stored evaluations are counted again when they are read.

use std::path::Path;

use eval_format::skills::{FileError, SkillEvaluation, StoredDocument, read_as_stored};

use super::consistent::check;
use super::report_list;

/// Reads an evaluation, or a list of reports as `eval-skills` 0.1 wrote it, and counts it again.
///
/// # Errors
/// When the file can't be read, is too large, is no evaluation of a version that this program understands, or holds
/// numbers that can't be or don't follow from its results.
pub fn read(path: &Path) -> Result<SkillEvaluation, FileError> {
    let of = match read_as_stored(path) {
        Err(other @ FileError::NotAResult { instead: StoredDocument::List, .. }) => {
            return report_list::read(path)?.ok_or(other);
        }
        other => other?,
    };
    match check(&of) {
        Ok(()) => Ok(of),
        Err(found) => Err(FileError::Contradiction { path: path.to_owned(), found }),
    }
}
