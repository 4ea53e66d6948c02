//! Stored evaluations are counted again when they are read.

use std::path::Path;

use eval_format::skills::{FileError, SkillEvaluation, read_as_stored};

use super::consistent::check;
use super::evaluate::{gate_again, with_soundness};

/// Reads an evaluation, and counts it again.
///
/// # Errors
/// When the file can't be read, is too large, is no evaluation of a version that this program understands, or holds
/// numbers that can't be or don't follow from its results.
pub fn read(path: &Path) -> Result<SkillEvaluation, FileError> {
    let (of, has_soundness) = read_as_stored(path)?;
    let reasons = of.gate.as_ref().is_some_and(|gate| !gate.reasons.is_empty());
    match check(&of, !has_soundness && !reasons) {
        // an older version's gate looked at rates alone
        Ok(()) => Ok(with_soundness(SkillEvaluation { gate: gate_again(&of), ..of })),
        Err(found) => Err(FileError::Contradiction { path: path.to_owned(), found }),
    }
}
