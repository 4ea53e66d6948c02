//! `omk import`: the cases of another tool as a project of ours.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, carried_lines, exit};
use eval_format::write_new;
use eval_load::{ImportedCases, RowColumns, import_cases};
use eval_message::msg;
use eval_spec::Context;
use serde_json::json;

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
    let loaded = import_cases(context, &arguments.file, arguments.format.as_deref(), &columns)?;
    let imported = terminal.loaded(loaded);
    let output = arguments.output.as_deref().unwrap_or(Path::new("."));
    let written = write(context, &imported, output)?;
    terminal.json(|| {
        let mut document = serde_json::to_value(&imported).unwrap_or_default();
        document["files"] = json!(written);
        document
    });
    summarise(terminal, &imported, &written);
    Ok(exit::OK)
}

/// Writes every file, or none if one of them is there.
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
    let mut written = Vec::new();
    for (file, path) in imported.files.iter().zip(&paths) {
        let shown = context.display(path);
        let is_new = write_new(path, |to| to.write_all(file.text.as_bytes()))
            .map_err(|error| CommandError::io(msg!("cli-cannot-write", path = &shown))(error.source))?;
        if !is_new {
            return Err(CommandError::usage(msg!("import-exists", path = shown), msg!("import-exists-help")));
        }
        written.push(shown);
    }
    Ok(written)
}

fn summarise(terminal: &Terminal, imported: &ImportedCases, written: &[String]) {
    for path in written {
        terminal.say(&msg!("cli-init-created", path = path));
    }
    carried_lines(imported, terminal.lang()).iter().for_each(|line| terminal.text(line));
    let checks = imported.checks;
    if checks.same + checks.nearly == 0 {
        terminal.say(&msg!("import-unscored"));
    }
    if let Some(samples) = written.first() {
        terminal.say(&msg!("import-next", path = samples));
    }
}
