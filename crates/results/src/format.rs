//! What a format is, and how its files are to be read.

use crate::error::ResultsError;
use crate::row::ReadResults;
use crate::source::ResultSource;

/// How to read files.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The format's name; recognised when absent.
    pub format: Option<String>,
    /// The columns of CSV and JSON lines.
    pub columns: TableColumns,
    /// What arms are to be made of.
    pub by: Option<String>,
    /// Which run of a file that holds several; the newest when absent.
    pub run: Option<String>,
}

/// A format of results.
#[derive(Debug)]
pub struct ResultFormat {
    /// Its name, as `--format` takes it.
    pub name: &'static str,
    /// The tool that writes it; `None` where any may.
    pub tool: Option<&'static str>,
    /// The files, for people.
    pub files: &'static str,
    /// Whether a file is in it, by its beginning and its name. The first format of the table that says so is taken.
    pub(crate) detect: fn(&ResultSource) -> bool,
    pub(crate) read: fn(&'static ResultFormat, &ResultSource, &ReadOptions) -> Result<ReadResults, ResultsError>,
}

/// The columns of a table by their meaning; those that are absent are looked for by usual names.
#[derive(Clone, Debug, Default)]
pub struct TableColumns {
    /// The case's id.
    pub id: Option<String>,
    /// The arm.
    pub arm: Option<String>,
    /// The score.
    pub score: Option<String>,
    /// The trial.
    pub trial: Option<String>,
    /// What failed for another reason than the answer.
    pub error: Option<String>,
    /// Columns that are arms, each with its scores: a table with one row for each case.
    pub arms: Vec<String>,
}
