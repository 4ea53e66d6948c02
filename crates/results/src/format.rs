//! The description of a format, and the options for reading its files.

use crate::error::ResultsError;
use crate::row::ReadResults;
use crate::source::ResultSource;

#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Name of the format; detected if absent.
    pub format: Option<String>,
    /// Columns of CSV and JSON lines.
    pub columns: TableColumns,
    /// Dimension that the arms are made of.
    pub by: Option<String>,
    /// Id of the run to read from a file with several; the newest if absent.
    pub run: Option<String>,
}

#[derive(Debug)]
pub struct ResultFormat {
    /// Name for `--format`.
    pub name: &'static str,
    /// Tool that writes the format; `None` if any tool may.
    pub tool: Option<&'static str>,
    /// Usual file names, for people.
    pub files: &'static str,
    /// Recognises a file by its beginning and name; the first format of the table that matches is taken.
    pub(crate) detect: fn(&ResultSource) -> bool,
    pub(crate) read: fn(&'static ResultFormat, &ResultSource, &ReadOptions) -> Result<ReadResults, ResultsError>,
}

/// Column names by meaning; absent ones are guessed from usual names.
#[derive(Clone, Debug, Default)]
pub struct TableColumns {
    /// Column of case ids.
    pub id: Option<String>,
    pub arm: Option<String>,
    pub score: Option<String>,
    pub trial: Option<String>,
    /// Column of failures whose cause isn't the answer.
    pub error: Option<String>,
    /// Columns of scores, one for each arm: a table with one row for each case.
    pub arms: Vec<String>,
}
