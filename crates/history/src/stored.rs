//! Reports in files, each with the verdict that follows from its own numbers.

use std::path::Path;

use eval_format::{Analysis, BlindFile, Report, ReportError};
use eval_verdict::checked;

/// Reads a report, results and all.
///
/// # Errors
/// When the file can't be read, or is no report that this program understands.
pub fn read(path: &Path) -> Result<Report, ReportError> {
    eval_format::read(path).map(checked)
}

/// As [`read`], with the variants' own names where a blind report's are revealed.
///
/// # Errors
/// As [`read`]; or when the file beside it can't be read.
pub fn read_revealed(path: &Path) -> Result<Report, ReportError> {
    let report = read(path)?;
    let Some(names) = BlindFile::fitting(path, &report)?.and_then(|of| of.revealed_names()) else {
        return Ok(report);
    };
    let (analysis, results) = report.take_results();
    let results = results.into_iter().map(|of| names.of_result(of)).collect();
    Ok(names.of_analysis(analysis).with_results(results))
}

/// Reads a report and drops its results.
///
/// # Errors
/// As [`read`].
pub fn read_analysis(path: &Path) -> Result<Analysis, ReportError> {
    eval_format::read_analysis(path).map(checked)
}
