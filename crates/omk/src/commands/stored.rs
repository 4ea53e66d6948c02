//! Stored reports, as commands name them: by file, by id, or `latest`.

use std::path::{Path, PathBuf};

use eval_report::contract::Report;
use eval_spec::{Context, msg};

use crate::exit::Failure;

/// Where reports lie: `--reports-dir`, else our home's.
pub(crate) fn directory(context: &Context, given: Option<&Path>) -> PathBuf {
    given.map_or_else(|| context.home.join("reports"), |given| context.absolute(given))
}

/// A report by path, by its id in the directory of reports, or the newest there.
pub(crate) fn find(context: &Context, report: &str, given: Option<&Path>) -> Result<PathBuf, Failure> {
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
    Err(Failure::usage(
        msg!("cli-no-report", report = report, dir = context.display(&directory)),
        msg!("cli-no-report-help"),
    ))
}

/// A whole report; what can't be read of it is an input error.
pub(crate) fn read(context: &Context, report: &str, given: Option<&Path>) -> Result<Report, Failure> {
    let path = find(context, report, given)?;
    eval_report::read(&path).map_err(|error| Failure::usage(error.message(), None))
}

/// The report that was written last.
fn latest(context: &Context, directory: &Path) -> Result<PathBuf, Failure> {
    let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let newest = all(directory).into_iter().max_by_key(|path| (written(path), path.clone()));
    newest.ok_or_else(|| Failure::usage(msg!("cli-gold-no-reports", dir = context.display(directory)), None))
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
