//! The table of formats; each format has its own file.

mod agent_skills;
mod claude_plugin;
mod database;
mod deepeval;
mod graded_runs;
mod inspect;
mod jsonl;
mod junit;
mod lm_eval;
mod openai_evals;
mod promptfoo;
mod separated;
mod table;
mod waza;

use std::path::Path;

pub(crate) use self::junit::{merge_numbered_tests, qualify_by_suite};
pub(crate) use self::table::split_by_model;

use eval_message::msg;

use crate::error::ResultsError;
use crate::format::{ReadOptions, ResultFormat};
use crate::row::ReadResults;
use crate::source::ResultSource;

/// All formats, the most specific first: detection takes the first that matches.
pub static RESULT_FORMATS: &[ResultFormat] = &[
    deepeval::FORMAT,
    promptfoo::FORMAT,
    inspect::FORMAT,
    lm_eval::FORMAT,
    openai_evals::FORMAT,
    claude_plugin::FORMAT,
    waza::FORMAT,
    agent_skills::FORMAT,
    junit::FORMAT,
    jsonl::FORMAT,
    separated::FORMAT,
];

/// Reads a file, or a folder of graded runs. Messages call it `shown`.
///
/// # Errors
/// If the file can't be read, its format is unknown, or its contents don't fit the format.
pub fn read_results(path: &Path, shown: String, options: &ReadOptions) -> Result<ReadResults, ResultsError> {
    if path.is_dir() {
        let format = RESULT_FORMATS.iter().find(|format| format.name == agent_skills::FORMAT.name);
        if let Some(read) = format.map(|format| graded_runs::read(format, path, &shown, options)).transpose()?.flatten()
        {
            return Ok(read);
        }
    }
    let source = ResultSource::open(path, shown)?;
    let format = match &options.format {
        Some(name) => RESULT_FORMATS.iter().find(|format| format.name == name),
        None => RESULT_FORMATS.iter().find(|format| (format.detect)(&source)),
    };
    let Some(format) = format else {
        let names = RESULT_FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
        return Err(ResultsError::new(msg!("results-unknown-format", file = &source.shown))
            .help(msg!("results-unknown-format-help", formats = names)));
    };
    let read = (format.read)(format, &source, options)?;
    if read.rows.is_empty() {
        return Err(ResultsError::new(msg!("results-empty", file = &source.shown, format = format.name)));
    }
    Ok(read)
}

/// Returns whether a file begins like a report of this program.
#[must_use]
pub fn is_own_report(path: &Path) -> bool {
    ResultSource::open(path, String::new()).is_ok_and(|source| source.is_object_with(&["schemaVersion", "cliVersion"]))
}
