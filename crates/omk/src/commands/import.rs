//! `omk import`: the cases of another tool as a project of ours.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, carried_lines, exit};
use eval_format::write_new;
use eval_load::{CheckProbe, ImportedCases, RowColumns, import_cases};
use eval_message::msg;
use eval_spec::Context;
use serde_json::json;

use super::init::shlex_quote;
use crate::cli::ImportArgs;

pub(crate) fn run(context: &Context, terminal: &Terminal, arguments: &ImportArgs) -> Result<u8, CommandError> {
    let columns = RowColumns {
        prompt: arguments.prompt_column.clone(),
        expected: arguments.expected_column.clone(),
        id: arguments.id_column.clone(),
        context: arguments.context_column.clone(),
        check: arguments.check.clone(),
        ..RowColumns::default()
    };
    let types = eval_grade::type_specs();
    let probe = CheckProbe { types: &types, function: eval_grade::parse_function };
    let loaded = import_cases(context, &arguments.file, arguments.format.as_deref(), &columns, probe)?;
    let imported = terminal.loaded(loaded);
    let output = arguments.output.as_deref().unwrap_or(Path::new("."));
    let written = write(context, &imported, output)?;
    terminal.json(|| {
        let mut document = serde_json::to_value(&imported).unwrap_or_default();
        document["files"] = json!(written);
        document
    });
    summarise(terminal, &imported, &written, output);
    Ok(exit::OK)
}

/// Writes every file in their order, or none if one of them is there.
fn write(context: &Context, imported: &ImportedCases, output: &Path) -> Result<Vec<String>, CommandError> {
    let root = context.absolute(output);
    let paths: Vec<PathBuf> = imported.files.iter().map(|file| root.join(&file.name)).collect();
    let is_there = |path: &&PathBuf| path.symlink_metadata().is_ok();
    if let Some(there) = paths.iter().find(is_there) {
        return Err(CommandError::usage(
            msg!("import-exists", path = context.display(there)),
            msg!("import-exists-help"),
        ));
    }
    let mut undo = HalfProject::default();
    for (file, path) in imported.files.iter().zip(&paths) {
        let shown = context.display(path);
        undo.folders.extend(path.ancestors().skip(1).take_while(|of| !of.exists()).map(Path::to_owned));
        let is_new = write_new(path, |to| to.write_all(file.text.as_bytes()))
            .map_err(|error| CommandError::io(msg!("cli-cannot-write", path = &shown))(error.source))?;
        if !is_new {
            return Err(CommandError::usage(msg!("import-exists", path = shown), msg!("import-exists-help")));
        }
        undo.files.push(path.clone());
    }
    undo.folders.clear();
    Ok(std::mem::take(&mut undo.files).iter().map(|path| context.display(path)).collect())
}

/// What was made so far, and goes when it is dropped: half a project would stand in the way of the next import.
#[derive(Default)]
struct HalfProject {
    files: Vec<PathBuf>,
    /// The inner ones before those that hold them.
    folders: Vec<PathBuf>,
}

impl Drop for HalfProject {
    fn drop(&mut self) {
        for path in &self.files {
            _ = std::fs::remove_file(path);
        }
        // One that has something else in it stays.
        self.folders.sort_unstable_by_key(|path| std::cmp::Reverse(path.components().count()));
        for path in &self.folders {
            _ = std::fs::remove_dir(path);
        }
    }
}

fn summarise(terminal: &Terminal, imported: &ImportedCases, written: &[String], output: &Path) {
    for path in written {
        terminal.say(&msg!("cli-init-created", path = path));
    }
    carried_lines(imported, terminal.lang()).iter().for_each(|line| terminal.text(line));
    // The settings name the samples and what is compared; they are read from the working directory.
    let enter = match output == Path::new(".") {
        true => String::new(),
        false => format!("cd {} && ", shlex_quote(&output.display().to_string())),
    };
    terminal.say(&msg!("import-next", command = format!("{enter}omk eval --dry-run")));
}
