//! Stored reports, as commands name them: by file, by id, or `latest`.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal};
use eval_format::{Report, ReportError};
use eval_history::SlimReport;
use eval_message::msg;
use eval_run::{Journal, journal_path};
use eval_spec::Context;
use eval_spec::suite::Settings;

use crate::cli::{ReportsDir, StoredReport};

impl ReportsDir {
    /// The directory: `--reports-dir`, else the [usual one](usual_directory).
    pub(crate) fn path(&self, context: &Context) -> PathBuf {
        let given = self.reports_dir.as_deref();
        given.map_or_else(|| usual_directory(context), |given| context.absolute(given))
    }

    /// The file of a report that is named by its path, by its id or the beginning of one, or as `latest`.
    pub(crate) fn find(&self, terminal: &Terminal, context: &Context, report: &str) -> Result<PathBuf, CommandError> {
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
            let found = latest(context, &directory)?;
            terminal.note(&msg!("cli-latest", path = context.display(&found)));
            return Ok(found);
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
    pub(crate) fn read_slim(
        &self,
        terminal: &Terminal,
        context: &Context,
        report: &str,
    ) -> Result<SlimReport, CommandError> {
        eval_history::read_slim(&self.find(terminal, context, report)?).map_err(unreadable)
    }
}

impl StoredReport {
    pub(crate) fn find(&self, terminal: &Terminal, context: &Context) -> Result<PathBuf, CommandError> {
        self.reports.find(terminal, context, &self.report)
    }

    pub(crate) fn read(&self, terminal: &Terminal, context: &Context) -> Result<Report, CommandError> {
        read(&self.find(terminal, context)?)
    }
}

pub(crate) fn read(path: &Path) -> Result<Report, CommandError> {
    eval_history::read_revealed(path).map_err(unreadable)
}

/// The only report whose id begins so, if there is one; ids begin with the time of the run.
fn begins_with(beginning: &str, directory: &Path) -> Result<Option<PathBuf>, CommandError> {
    // An id begins with a year.
    let mut found = all(directory);
    found.retain(|path| beginning.len() >= 4 && id_of(path).starts_with(beginning));
    match found.as_slice() {
        [one] => Ok(Some(one.clone())),
        [] => Ok(None),
        several => {
            let ids = several.iter().take(5).map(|path| format!("`{}`", id_of(path))).collect::<Vec<_>>().join(", ");
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

/// Where reports are unless a directory is named: in `.omk/reports` of this directory or of the nearest above it that has
/// an `.omk`, else in the home directory.
pub(super) fn usual_directory(context: &Context) -> PathBuf {
    usual_directory_at(context, &context.cwd)
}

/// The same for another working directory.
pub(super) fn usual_directory_at(context: &Context, cwd: &Path) -> PathBuf {
    let own = cwd.ancestors().map(|above| above.join(".omk")).find(|own| own.is_dir());
    own.map_or_else(|| context.home.join("reports"), |own| own.join("reports"))
}

/// The directory for reports: `--output-dir`, else the [usual one](usual_directory).
pub(crate) fn directory(context: &Context, settings: &Settings) -> PathBuf {
    settings.output_dir.clone().unwrap_or_else(|| usual_directory(context))
}

/// The newest report in a directory. Of the reports in the home directory, those of all projects, it is the newest of this
/// one: of a run that was started in this directory, else in the nearest above it that has one, else of one whose journal
/// is gone.
fn latest(context: &Context, directory: &Path) -> Result<PathBuf, CommandError> {
    let mut reports = all(directory);
    let written = |path: &PathBuf| path.metadata().and_then(|metadata| metadata.modified()).ok();
    reports.sort_by_cached_key(|path| Reverse((written(path), path.clone())));
    let Some(newest) = reports.first().cloned() else {
        return Err(CommandError::usage(msg!("cli-gold-no-reports", dir = context.display(directory)), None));
    };
    if directory != context.home.join("reports") {
        return Ok(newest);
    }
    // the nearest directory first; after the farthest, the reports of which it isn't known
    let places: Vec<Option<PathBuf>> =
        context.cwd.ancestors().map(|above| Some(above.to_owned())).chain([None]).collect();
    let mut best: Option<(usize, PathBuf)> = None;
    for path in reports {
        let place = started_in(context, &path);
        match places.iter().position(|of_this| *of_this == place) {
            Some(0) => return Ok(path),
            Some(rank) if best.as_ref().is_none_or(|(least, _)| rank < *least) => best = Some((rank, path)),
            _ => {}
        }
    }
    best.map(|(_, path)| path).ok_or_else(|| {
        let message = msg!("cli-no-latest", dir = context.display(&context.cwd), reports = context.display(directory));
        CommandError::usage(message, msg!("cli-no-latest-help", id = id_of(&newest)))
    })
}

/// The directory that the run of the report at `path` was started in, from its journal.
pub(super) fn started_in(context: &Context, path: &Path) -> Option<PathBuf> {
    let header = Journal::read_header(&journal_path(&context.home, &id_of(path))).ok()?;
    Some(PathBuf::from(header.cwd))
}

fn id_of(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
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
