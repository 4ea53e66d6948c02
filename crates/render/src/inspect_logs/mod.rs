//! Logs of Inspect (UK AI Security Institute), in its JSON format of version 2: a log has one task and one model, so that each
//! variant is a log, and its task is called like the variant.
//!
//! A score is a share there: 0 for one point, 1 for five. What isn't scored has no score, which Inspect counts as unscored.
//! An infrastructure failure is the sample's error; what never ran isn't in a log, tripwires aren't either, since they would
//! count in Inspect's means. Sub-agents have no place among the messages.

mod log;
mod sample;

use std::path::{Path, PathBuf};

use eval_format::skills::FileError;
use eval_format::{Report, write_whole};

use log::LogOfVariant;

/// Characters of a time or of a variant's name in a file's name, at most.
const LONGEST: usize = 60;

/// Writes the log of each variant into `folder`, and returns the files. Those of an earlier export of the same report are replaced.
///
/// # Errors
/// When a file can't be written.
pub fn write(report: &Report, folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    std::fs::create_dir_all(folder).map_err(|source| FileError::File { path: folder.to_owned(), source })?;
    let logs = report.meta.variants.iter().filter_map(|variant| LogOfVariant::of(report, variant));
    let put = |log: LogOfVariant<'_>| {
        let path = folder.join(file_name(&log));
        write_whole(&path, |file| {
            serde_json::to_writer_pretty(&mut *file, &log.document())?;
            file.write_all(b"\n")
        })?;
        Ok(path)
    };
    logs.map(put).collect()
}

/// `TIME_TASK_ID.json`: Inspect lists only files whose names begin like that.
fn file_name(log: &LogOfVariant<'_>) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '.') { c } else { '-' };
    let short = |text: &str| text.chars().take(LONGEST).map(safe).collect::<String>();
    let time = short(log.created().split(['.', 'Z']).next().unwrap_or_default());
    let task = short(log.task());
    format!("{time}-00-00_{task}_{}.json", log.id())
}
