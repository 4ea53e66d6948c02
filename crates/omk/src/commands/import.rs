//! `omk import`: the cases of another tool as a project of ours.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, Terminal, exit};
use eval_format::write_new;
use eval_load::{ImportDifference, ImportedCases, RowColumns, import_cases};
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
    let (tests, checks) = (imported.tests, imported.checks);
    terminal.say(&msg!(
        "import-tests",
        all = tests.whole + tests.partly + tests.not,
        whole = tests.whole,
        partly = tests.partly,
        not = tests.not
    ));
    terminal.say(&msg!(
        "import-checks",
        all = checks.same + checks.nearly + checks.not,
        same = checks.same,
        nearly = checks.nearly,
        not = checks.not
    ));
    list(terminal, imported.differences.iter().filter(|of| !of.is_near), || terminal.say(&msg!("import-lacking")));
    list(terminal, imported.differences.iter().filter(|of| of.is_near), || terminal.say(&msg!("import-near")));
    if checks.same + checks.nearly == 0 {
        terminal.say(&msg!("import-unscored"));
    }
    if let Some(samples) = written.first() {
        terminal.say(&msg!("import-next", path = samples));
    }
}

/// The differences, the most frequent first, below a head.
fn list<'a>(terminal: &Terminal, of: impl Iterator<Item = &'a ImportDifference>, head: impl FnOnce()) {
    let mut listed: Vec<&ImportDifference> = of.collect();
    if listed.is_empty() {
        return;
    }
    head();
    listed.sort_by_key(|of| std::cmp::Reverse(of.count));
    for of in listed {
        let line = msg!(
            "import-difference",
            count = of.count,
            what = of.what.clone(),
            place = of.place.clone(),
            why = of.why.text(terminal.lang())
        );
        terminal.say_at(1, &line);
    }
}
