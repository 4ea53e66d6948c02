//! Stored reports, as commands name them: by file, by id, or `latest`.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_format::{Report, ReportError};
use eval_message::msg;
use eval_spec::Context;

/// Where reports lie: `--reports-dir`, else our home's.
pub(crate) fn directory(context: &Context, given: Option<&Path>) -> PathBuf {
    given.map_or_else(|| context.home.join("reports"), |given| context.absolute(given))
}

/// A report by path, by its id in the directory of reports, or the newest there.
pub(crate) fn find(context: &Context, report: &str, given: Option<&Path>) -> Result<PathBuf, CommandError> {
    let as_path = context.absolute(Path::new(report));
    if as_path.is_file() {
        return Ok(as_path);
    }
    let directory = directory(context, given);
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

/// The only report whose id begins so: ids begin with the time of the run, and that is mostly enough.
fn begins_with(beginning: &str, directory: &Path) -> Result<Option<PathBuf>, CommandError> {
    let id = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    // shorter than a year is a slip and no name
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

/// A whole report; what can't be read of it is an input error.
pub(crate) fn read(context: &Context, report: &str, given: Option<&Path>) -> Result<Report, CommandError> {
    let path = find(context, report, given)?;
    eval_format::read(&path).map_err(unreadable)
}

/// A report comes from anywhere: one that can't be read is an input error.
pub(crate) fn unreadable(error: ReportError) -> CommandError {
    let help = matches!(error, ReportError::Damaged { .. }).then(|| msg!("cli-no-report-help"));
    CommandError::usage(error.message(), help)
}

/// The report that was written last.
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
