//! `eval-skills select`: candidates and their evaluations → the best of them.

use std::path::{Path, PathBuf};

use eval_analysis::skills::read;
use eval_cli::{CommandError, Terminal, exit};
use eval_format::skills::{FileError, StoredDocument, read_json};
use eval_format::write_whole;
use eval_history::skills::{Candidate, Measured, SelectError, Selection, candidates_of, select};
use eval_load as load;
use eval_message::msg;
use eval_render::Show;
use eval_render::skills::selection_text;
use eval_serve::Store;
use eval_spec::Context;
use eval_spec::callable::{SkillsConfig, Strategy};

use crate::cli::{SelectArgs, SkillsGlobal};
use crate::files::{OutputTarget, check};
use crate::told;

pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &SelectArgs,
) -> Result<u8, CommandError> {
    let output = arguments.output.as_deref().map(|given| OutputTarget::of(context, terminal, given)).transpose()?;
    let file = arguments.strategy.as_deref();
    let config = crate::files::configuration(context, global.config.as_deref())?.value;
    let least = [arguments.min_completion, config.min_completion.map(|given| given.value)];
    let strategy = strategy(context, terminal, file, least, arguments.top_k)?;
    let candidates = candidates(context, terminal, &arguments.from)?;
    let reports = reports(context, global, arguments, &candidates)?;
    let selection = select(candidates, reports, &strategy, arguments.benchmark.as_deref(), context.lang)
        .map_err(|error| refused(&error))?;
    if let (Some(of), elsewhere @ 1..) = (&selection.benchmark, selection.elsewhere()) {
        terminal.warn(&msg!("skills-cli-select-elsewhere", benchmark = &of.id, count = elsewhere));
    }
    selection.stale().for_each(|skill| terminal.warn(&msg!("skills-cli-select-stale", skill = skill)));
    let document = || serde_json::to_value(&selection).unwrap_or_default();
    match &output {
        Some(OutputTarget::File(path)) => {
            let inputs = inputs(context, global, arguments)?;
            check(context, path, inputs.iter().map(PathBuf::as_path), Some(StoredDocument::Selection))?;
            written(path, &selection)?;
            terminal.json(document);
            terminal.text(&selection_text(&selection, show(terminal)));
            terminal.note(&msg!("skills-cli-written", paths = context.display(path)));
        }
        // the list is the output, with or without `--json`; people read the table beside it
        Some(OutputTarget::Stdout) | None => {
            terminal.bytes(format!("{:#}\n", document()).as_bytes());
            terminal.error_line(&selection_text(&selection, Show { color: false, ..show(terminal) }));
        }
    }
    Ok(exit::OK)
}

/// How texts are laid out.
pub(crate) fn show(terminal: &Terminal) -> Show {
    Show { lang: terminal.lang(), width: terminal.width, color: terminal.color, exit_code: false }
}

/// The strategy's file, and what was asked for above it. The lowest completion rate is the flag's, then the file's,
/// then the configuration's.
pub(crate) fn strategy(
    context: &Context,
    terminal: &Terminal,
    file: Option<&Path>,
    [flag, config]: [Option<f64>; 2],
    top_k: Option<u32>,
) -> Result<Strategy, CommandError> {
    let mut strategy = match file {
        None => Strategy::default(),
        Some(file) => {
            let loaded = load::strategy(context, file)?;
            terminal.diagnostics(&loaded.warnings);
            loaded.value
        }
    };
    let least = &mut strategy.filters.min_completion_rate;
    *least = flag.or(*least).or(config);
    if let Some(kept) = top_k {
        strategy.top_k = Some(kept as usize);
    }
    Ok(strategy)
}

/// The skills of a directory, or of a JSON list.
fn candidates(context: &Context, terminal: &Terminal, from: &Path) -> Result<Vec<Candidate>, CommandError> {
    let path = context.absolute(from);
    if path.is_dir() {
        let loaded = load::scan_skills(context, &path)?;
        terminal.diagnostics(&loaded.warnings);
        return Ok(loaded.value.iter().map(|skill| Candidate::of(skill, context.display(&skill.file))).collect());
    }
    if !path.exists() {
        return Err(CommandError::usage(msg!("skills-report-no-such-file", path = context.display(&path)), None));
    }
    let document = read_json(&path).map_err(|error| told::file(context, &error))?;
    candidates_of(&document).map_err(|error| refused(&error))
}

/// The reports that are named, else the newest ones of the store.
fn reports(
    context: &Context,
    global: &SkillsGlobal,
    arguments: &SelectArgs,
    candidates: &[Candidate],
) -> Result<Vec<(String, Measured)>, CommandError> {
    if arguments.reports.is_empty() {
        let path = store_path(context, global, arguments.store.as_deref())?;
        let ids: Vec<String> = candidates.iter().map(|of| of.id.clone()).collect();
        let no_store = |error| told::store(context, &error);
        let store = Store::open_existing(&path).map_err(no_store)?;
        return store.newest_on_each_benchmark(&ids).map_err(no_store);
    }
    let mut all = Vec::new();
    for path in &arguments.reports {
        let evaluation = read(&context.absolute(path)).map_err(|error| told::file(context, &error))?;
        all.extend(Measured::all(&evaluation));
    }
    Ok(all)
}

/// What is read besides the skills.
fn inputs(context: &Context, global: &SkillsGlobal, arguments: &SelectArgs) -> Result<Vec<PathBuf>, CommandError> {
    let store = store_path(context, global, arguments.store.as_deref())?;
    let named = arguments.reports.iter().chain(&arguments.strategy).chain(&global.config).chain([&arguments.from]);
    Ok(named.map(|path| context.absolute(path)).chain([store, context.cwd.join(load::PROJECT_CONFIG)]).collect())
}

/// Where the store is: the flag, the configuration, the default.
pub(crate) fn store_path(
    context: &Context,
    global: &SkillsGlobal,
    given: Option<&Path>,
) -> Result<PathBuf, CommandError> {
    let flags = SkillsConfig::default();
    let (settings, _) = crate::evaluation::settings(context, global, flags)?;
    Ok(given.map_or_else(|| context.absolute(&settings.store), |given| context.absolute(given)))
}

pub(crate) fn refused(error: &SelectError) -> CommandError {
    CommandError::usage(error.message(), error.help())
}

pub(crate) fn written(path: &Path, selection: &Selection) -> Result<(), CommandError> {
    let text = format!("{:#}\n", serde_json::to_value(selection).unwrap_or_default());
    write_whole(path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| CommandError::usage(FileError::from(error).message(), None))
}
