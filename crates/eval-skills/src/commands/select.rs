//! `eval-skills select`: candidates and their evaluations → the best of them.

use std::path::{Path, PathBuf};

use eval_cli::{CommandError, exit};
use eval_format::skills::{FileError, StoredDocument, read_json};
use eval_format::write_whole;
use eval_history::skills::{Candidate, Measured, SelectError, Selection, candidates_of, select};
use eval_load as load;
use eval_message::msg;
use eval_render::Show;
use eval_render::skills::selection_text;
use eval_spec::callable::Strategy;

use crate::cli::SelectArgs;
use crate::files::{OutputTarget, check, report, store_failure};
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &SelectArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let output = arguments.output.as_deref().map(|given| OutputTarget::of(context, terminal, given)).transpose()?;
    let file = arguments.strategy.as_deref();
    let config = session.config()?.value;
    let least = [arguments.min_completion, config.min_completion.map(|given| given.value)];
    let strategy = strategy(session, file, least, arguments.top_k)?;
    let candidates = candidates(session, &arguments.from)?;
    let reports = reports(session, arguments, &candidates)?;
    let selection = select(candidates, reports, &strategy, arguments.benchmark.as_deref(), context.lang)
        .map_err(|error| refused(&error))?;
    if let (Some(of), elsewhere @ 1..) = (&selection.benchmark, selection.elsewhere()) {
        terminal.warn(&msg!("skills-cli-select-elsewhere", benchmark = &of.id, count = elsewhere));
    }
    selection.stale().for_each(|skill| terminal.warn(&msg!("skills-cli-select-stale", skill = skill)));
    let document = || serde_json::to_value(&selection).unwrap_or_default();
    match &output {
        Some(OutputTarget::File(path)) => {
            let inputs = inputs(session, arguments)?;
            check(context, path, inputs.iter().map(PathBuf::as_path), Some(StoredDocument::Selection))?;
            written(path, &selection)?;
            terminal.json(document);
            terminal.text(&selection_text(&selection, terminal.show()));
            terminal.note(&msg!("skills-cli-written", paths = context.display(path)));
        }
        // The list is the output, with or without `--json`; the table goes to standard error.
        Some(OutputTarget::Stdout) | None => {
            terminal.bytes(format!("{:#}\n", document()).as_bytes());
            terminal.error_line(&selection_text(&selection, Show { color: false, ..terminal.show() }));
        }
    }
    Ok(exit::OK)
}

/// The strategy of a file with the flags above it. The lowest completion rate is the flag's, then the file's, then the
/// configuration's.
pub(crate) fn strategy(
    session: &Session<'_>,
    file: Option<&Path>,
    [flag, config]: [Option<f64>; 2],
    top_k: Option<u32>,
) -> Result<Strategy, CommandError> {
    let mut strategy = match file {
        None => Strategy::default(),
        Some(file) => session.terminal.loaded(load::strategy(session.context, file)?),
    };
    let least = &mut strategy.filters.min_completion_rate;
    *least = flag.or(*least).or(config);
    if let Some(top_k) = top_k {
        strategy.top_k = Some(top_k as usize);
    }
    Ok(strategy)
}

/// The skills of a directory, or of a JSON list.
fn candidates(session: &Session<'_>, from: &Path) -> Result<Vec<Candidate>, CommandError> {
    let &Session { context, terminal, .. } = session;
    let path = context.absolute(from);
    if path.is_dir() {
        let skills = terminal.loaded(load::scan_skills(context, &path)?);
        return Ok(skills.iter().map(|skill| Candidate::of(skill, context.display(&skill.file))).collect());
    }
    if !path.exists() {
        return Err(CommandError::usage(msg!("skills-report-no-such-file", path = context.display(&path)), None));
    }
    let document = read_json(&path).map_err(|error| CommandError::file(context, &error))?;
    candidates_of(&document).map_err(|error| refused(&error))
}

fn reports(
    session: &Session<'_>,
    arguments: &SelectArgs,
    candidates: &[Candidate],
) -> Result<Vec<(String, Measured)>, CommandError> {
    if arguments.reports.is_empty() {
        let ids: Vec<String> = candidates.iter().map(|of| of.id.clone()).collect();
        let newest = session.store(arguments.store.as_deref())?.newest_on_each_benchmark(&ids);
        return newest.map_err(|error| store_failure(session.context, &error));
    }
    let mut all = Vec::new();
    for path in &arguments.reports {
        let evaluation = report(session.context, path)?;
        all.extend(Measured::all(&evaluation));
    }
    Ok(all)
}

/// The files that are read besides the skills, which the output must not replace.
fn inputs(session: &Session<'_>, arguments: &SelectArgs) -> Result<Vec<PathBuf>, CommandError> {
    let &Session { context, global, .. } = session;
    let store = session.store_path(arguments.store.as_deref())?;
    let named = arguments.reports.iter().chain(&arguments.strategy).chain(&global.config).chain([&arguments.from]);
    Ok(named.map(|path| context.absolute(path)).chain([store, context.cwd.join(load::PROJECT_CONFIG)]).collect())
}

pub(crate) fn refused(error: &SelectError) -> CommandError {
    CommandError::usage(error.message(), error.help())
}

pub(crate) fn written(path: &Path, selection: &Selection) -> Result<(), CommandError> {
    let text = format!("{:#}\n", serde_json::to_value(selection).unwrap_or_default());
    write_whole(path, |file| file.write_all(text.as_bytes()))
        .map_err(|error| CommandError::usage(FileError::from(error).message(), None))
}
