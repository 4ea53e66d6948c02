//! `omk report export` and `omk eval --export`: a report in the formats that other programs and people read.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use eval_cli::output::{check_not_input, is_inside, is_same};
use eval_cli::{CommandError, Terminal, exit};
use eval_format::skills::FileError;
use eval_format::{Report, write_bounded};
use eval_message::{Message, msg};
use eval_render::Show;
use eval_render::formats::{FormatSpec, format_named, formats_of};
use eval_spec::Context;
use eval_spec::suite::Settings;

use super::stored::read;
use super::work::ProjectWork;
use super::{agent_skills, inspect_logs};
use crate::cli::ExportArgs;

/// A format that is a folder of files.
struct FolderFormat {
    name: &'static str,
    about: fn() -> Message,
    export: fn(&Context, &Terminal, &Path, Option<&Path>) -> Result<u8, CommandError>,
}

const FOLDERS: &[FolderFormat] = &[
    FolderFormat { name: agent_skills::FORMAT, about: agent_skills::about, export: agent_skills::export },
    FolderFormat { name: inspect_logs::FORMAT, about: inspect_logs::about, export: inspect_logs::export },
];

/// Writes a stored report in a format, or lists the formats.
pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &ExportArgs) -> Result<u8, CommandError> {
    let (Some(report), Some(name), false) = (&arguments.report, &arguments.format, arguments.list) else {
        list(terminal);
        return Ok(exit::OK);
    };
    if let Some(folder) = FOLDERS.iter().find(|folder| folder.name == name) {
        let stored = arguments.reports.find(terminal, context, report)?;
        return (folder.export)(context, terminal, &stored, arguments.output.as_deref());
    }
    let format = named(name)?;
    let path = arguments.reports.find(terminal, context, report)?;
    match arguments.output.as_deref().filter(|output| *output != Path::new("-")) {
        None => print(terminal, format, &path)?,
        Some(output) => put(context, terminal, Export { format, path: context.absolute(output) }, &path)?,
    }
    Ok(exit::OK)
}

/// Writes the report at `stored` to standard output; with `--json`, only as JSON.
fn print(terminal: &Terminal, format: &FormatSpec, stored: &Path) -> Result<(), CommandError> {
    if terminal.is_json() && format.name != "json" {
        return Err(CommandError::usage(msg!("cli-export-two-documents"), None));
    }
    let mut text = Vec::new();
    let failed = CommandError::io(msg!("cli-export-failed", format = format.name));
    format.render(&read(stored)?, Show::file(terminal.lang()), &mut text).map_err(failed)?;
    terminal.bytes(&text);
    Ok(())
}

/// Writes the report at `stored` to a file, which must not be the report itself, nor what it is about.
fn put(context: &Context, terminal: &Terminal, export: Export, stored: &Path) -> Result<(), CommandError> {
    let shown = context.display(&export.path);
    export.check(context)?;
    let report = read(stored)?;
    let meta = &report.meta;
    let origins = meta.artifacts.iter().flatten().filter_map(|(_, artifact)| artifact.origin.as_deref());
    let named = origins.chain([meta.test_set.path.as_str()]).map(|path| context.absolute(Path::new(path)));
    let inputs: Vec<PathBuf> = named.chain([stored.to_owned()]).collect();
    export.check_overwritten(context, inputs.iter().map(PathBuf::as_path))?;
    export.write(context, terminal, &report).map_err(|why| CommandError::usage(why, None))?;
    terminal.json(|| serde_json::json!({ "format": export.format.name, "path": &shown }));
    terminal.say(&msg!("cli-export-written", path = shown));
    Ok(())
}

fn list(terminal: &Terminal) {
    let lang = terminal.lang();
    let formats = || formats_of::<Report>();
    terminal.json(|| {
        let one = |of: &FormatSpec| {
            serde_json::json!({ "name": of.name, "extension": of.extension, "about": (of.about)().text(lang) })
        };
        let files = formats().map(one);
        let folder = |of: &FolderFormat| {
            serde_json::json!({ "name": of.name, "extension": null, "about": (of.about)().text(lang) })
        };
        files.chain(FOLDERS.iter().map(folder)).collect()
    });
    let mut rows: Vec<[String; 3]> =
        formats().map(|of| [of.name.to_owned(), format!(".{}", of.extension), (of.about)().text(lang)]).collect();
    rows.extend(FOLDERS.iter().map(|of| [of.name.to_owned(), "/".to_owned(), (of.about)().text(lang)]));
    terminal.text(&eval_render::terminal::columns(&rows).join("\n"));
}

fn named(name: &str) -> Result<&'static FormatSpec, CommandError> {
    format_named::<Report>(name).ok_or_else(|| {
        let known: Vec<String> = formats_of::<Report>().map(|format| format!("`{}`", format.name)).collect();
        CommandError::usage(msg!("cli-export-unknown", format = name, known = known.join(", ")), None)
    })
}

/// A file that a report goes to, in a format.
#[derive(Debug)]
pub(crate) struct Export {
    format: &'static FormatSpec,
    pub(crate) path: PathBuf,
}

impl Export {
    /// What `--export FORMAT=FILE` asks for, checked before anything runs: each format is known, each file can be written,
    /// and no two are the same.
    pub(crate) fn all(context: &Context, given: &[String]) -> Result<Vec<Export>, CommandError> {
        let mut exports: Vec<Export> = Vec::new();
        for one in given {
            let export = Export::of(context, one)?;
            if exports.iter().any(|other| other.path == export.path || is_same(&other.path, &export.path)) {
                return Err(CommandError::usage(msg!("cli-export-twice", path = context.display(&export.path)), None));
            }
            exports.push(export);
        }
        Ok(exports)
    }

    fn of(context: &Context, given: &str) -> Result<Export, CommandError> {
        let shape = || CommandError::usage(msg!("cli-export-shape", given = given), msg!("cli-export-shape-help"));
        let (name, path) = given.split_once('=').filter(|(_, path)| !matches!(*path, "" | "-")).ok_or_else(shape)?;
        let export = Export { format: named(name)?, path: context.absolute(Path::new(path)) };
        export.check(context)?;
        Ok(export)
    }

    /// Checks that the file can be written, as far as that can be checked before the report exists.
    fn check(&self, context: &Context) -> Result<(), CommandError> {
        let failed = CommandError::io(msg!("cli-cannot-write", path = context.display(&self.path)));
        let directory = self.path.parent().unwrap_or(Path::new("."));
        let tried = match (self.path.is_dir(), self.path.exists() && !self.path.is_file()) {
            (true, _) => Err(ErrorKind::IsADirectory.into()),
            // A device, for example, is written in place.
            (_, true) => Ok(()),
            _ => std::fs::create_dir_all(directory).and_then(|()| tempfile::tempfile_in(directory)).map(drop),
        };
        tried.map_err(failed)
    }

    /// Refuses to write over a file of `inputs` (or in a directory of them), and over what omk stores: journals, the
    /// cache, reports.
    fn check_overwritten<'p>(
        &self,
        context: &Context,
        inputs: impl IntoIterator<Item = &'p Path>,
    ) -> Result<(), CommandError> {
        check_not_input(context, &self.path, inputs)?;
        let is_report = || {
            // A copy under another name is the user's own.
            let stored = self.path.is_file().then(|| eval_history::read_slim(&self.path).ok()).flatten();
            stored.is_some_and(|report| self.path.file_stem().is_some_and(|name| name == report.id.as_str()))
        };
        if is_inside(&self.path, &context.home) || is_report() {
            let path = context.display(&self.path);
            return Err(CommandError::usage(msg!("cli-export-stored", path = path), None));
        }
        Ok(())
    }

    fn write(&self, context: &Context, terminal: &Terminal, report: &Report) -> Result<(), Message> {
        let show = Show::file(terminal.lang());
        let written =
            write_bounded(&self.path, self.format.most_bytes(), |file| self.format.render(report, show, file));
        written.map_err(|error| FileError::from(error).told(&|path| context.display(path)))
    }
}

/// Refuses to write over what the run reads, and over what omk stores.
pub(crate) fn check_overwritten(exports: &[Export], work: &ProjectWork) -> Result<(), CommandError> {
    let context = &work.context;
    let Settings { gold_dir, recordings, record, .. } = &work.project.suite.settings;
    let folders = [gold_dir, recordings, record].into_iter().flatten().cloned();
    let inputs: Vec<PathBuf> = work.project.files_read(context).chain(folders).collect();
    exports.iter().try_for_each(|export| export.check_overwritten(context, inputs.iter().map(PathBuf::as_path)))
}

/// Refuses to write over `inputs`, and over what omk stores.
pub(crate) fn check_inputs(context: &Context, exports: &[Export], inputs: &[PathBuf]) -> Result<(), CommandError> {
    exports.iter().try_for_each(|export| export.check_overwritten(context, inputs.iter().map(PathBuf::as_path)))
}

/// Writes a stored report to each of the files, and returns the failures of those that can't be written.
pub(crate) fn write_all(
    context: &Context,
    terminal: &Terminal,
    exports: &[Export],
    stored: &Path,
) -> Vec<CommandError> {
    if exports.is_empty() {
        return Vec::new();
    }
    let report = match read(stored) {
        Ok(report) => report,
        Err(failure) => return vec![failure],
    };
    let mut failures = Vec::new();
    for export in exports {
        match export.write(context, terminal, &report) {
            Ok(()) => terminal.note(&msg!("cli-export-written", path = context.display(&export.path))),
            Err(why) => failures.push(CommandError::usage(why, None)),
        }
    }
    failures
}
