//! Stored reports, as commands name them: by file, by id, or `latest`.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_format::{Report, ReportError};
use eval_history::SlimReport;
use eval_message::msg;
use eval_spec::Context;

use crate::cli::{ReportsDir, StoredReport};

impl ReportsDir {
    /// The directory: `--reports-dir`, else the one in the home directory.
    pub(crate) fn path(&self, context: &Context) -> PathBuf {
        let given = self.reports_dir.as_deref();
        given.map_or_else(|| context.home.join("reports"), |given| context.absolute(given))
    }

    /// The file of a report that is named by its path, by its id or the beginning of one, or as `latest`.
    pub(crate) fn find(&self, context: &Context, report: &str) -> Result<PathBuf, CommandError> {
        let as_path = context.absolute(Path::new(report));
        if as_path.is_file() {
            return Ok(as_path);
        }
        let directory = self.path(context);
        let named = directory.join(format!("{report}.json"));
        let is_name = !report.contains(['/', '\\']);
        if is_name && named.is_file() {
            return Ok(named);
        }
        if report == "latest" {
            return latest(context, &directory);
        }
        if is_name && let Some(path) = begins_with(report, &directory)? {
            return Ok(path);
        }
        Err(CommandError::usage(
            msg!("cli-no-report", report = report, dir = context.display(&directory)),
            msg!("cli-no-report-help"),
        ))
    }

    /// A report without its results.
    pub(crate) fn read_slim(&self, context: &Context, report: &str) -> Result<SlimReport, CommandError> {
        eval_history::read_slim(&self.find(context, report)?).map_err(unreadable)
    }
}

impl StoredReport {
    pub(crate) fn find(&self, context: &Context) -> Result<PathBuf, CommandError> {
        self.reports.find(context, &self.report)
    }

    pub(crate) fn read(&self, context: &Context) -> Result<Report, CommandError> {
        read(&self.find(context)?)
    }
}

pub(crate) fn read(path: &Path) -> Result<Report, CommandError> {
    eval_format::read(path).map_err(unreadable)
}

/// The only report whose id begins so, if there is one; ids begin with the time of the run.
fn begins_with(beginning: &str, directory: &Path) -> Result<Option<PathBuf>, CommandError> {
    let id = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // An id begins with a year.
    let mut found = all(directory);
    found.retain(|path| beginning.len() >= 4 && id(path).starts_with(beginning));
    match found.as_slice() {
        [one] => Ok(Some(one.clone())),
        [] => Ok(None),
        several => {
            let ids = several.iter().take(5).map(|path| format!("`{}`", id(path))).collect::<Vec<_>>().join(", ");
            let message = msg!("cli-several-reports", report = beginning, count = several.len());
            Err(CommandError::usage(message, msg!("cli-several-reports-help", ids = ids)))
        }
    }
}

/// A report that can't be read is an input error.
pub(crate) fn unreadable(error: ReportError) -> CommandError {
    let help = matches!(error, ReportError::Damaged { .. }).then(|| msg!("cli-no-report-help"));
    CommandError::usage(error.message(), help)
}

fn latest(context: &Context, directory: &Path) -> Result<PathBuf, CommandError> {
    let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let newest = all(directory).into_iter().max_by_key(|path| (written(path), path.clone()));
    newest.ok_or_else(|| CommandError::usage(msg!("cli-gold-no-reports", dir = context.display(directory)), None))
}

/// Every file of a directory that may be a report, by name.
pub(crate) fn all(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let hidden = |path: &PathBuf| path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "json") && !hidden(path) && path.is_file())
        .collect();
    files.sort();
    files
}
