//! From the journal to what people and programs read: store, files, terminal, exit code.

use eval_analysis::skills::{EvaluationInputs, SkillResults, evaluate, meta};
use eval_callable::SkillHost;
use eval_cli::{Failure, Terminal, exit};
use eval_format::skills::{EvaluationSettings, EvaluationStatus, SkillEvaluation};
use eval_message::{Message, msg};
use eval_render::skills::{Written, evaluation_text, left_as_they_are, writable, write};
use eval_run::{Ended, Journal, RunEnd};
use eval_serve::{Begun, Store, StoreError};
use eval_spec::callable::ReportFormat as Format;
use eval_spec::record::{Executed, Record};
use eval_spec::{Cell, Context, Failure as Cause};
use jiff::Timestamp;

use super::ask::TRANSPORT_RETRIES;
use super::loaded::Loaded;
use crate::told;

/// An evaluation that has ended.
pub(crate) struct Done {
    pub(crate) evaluation: SkillEvaluation,
    /// What the evaluation says about the exit code.
    pub(crate) code: u8,
}

/// What is left of an evaluation's run.
pub(super) struct Ran<'a> {
    pub(super) journal: &'a Journal,
    pub(super) store: &'a Store,
    pub(super) host: &'a SkillHost,
    pub(super) end: RunEnd,
    /// Why results could not be kept in the store; then the run was ended, and the journal has them.
    pub(super) unstored: Option<StoreError>,
}

/// Makes sure that reports can be written, before anything runs: what was run and can't be written down would be lost.
pub(super) fn prepare(context: &Context, loaded: &Loaded) -> Result<(), Failure> {
    let dir = &loaded.ask.output_dir;
    let failed = |error| Failure::io(msg!("cli-cannot-write", path = context.display(dir)))(error);
    std::fs::create_dir_all(dir).map_err(failed)?;
    // Gone again at once; a directory may be there and not be ours.
    tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
    writable(dir, &formats(loaded)).map_err(|error| told::file(context, &error))
}

fn formats(loaded: &Loaded) -> Vec<Format> {
    loaded.ask.formats.iter().filter_map(|name| Format::of(name)).collect()
}

/// What the store is told before the first result.
pub(super) fn begun(context: &Context, loaded: &Loaded, journal: &Journal) -> Begun {
    let header = journal.header();
    Begun {
        id: header.id.clone(),
        started_at: header.started_at.to_string(),
        benchmark: meta(&loaded.benchmark, loaded.benchmark_source.clone()),
        runs: loaded.ask.runs,
        skills: loaded.skills.iter().map(|skill| (skill.clone(), context.display(&skill.file))).collect(),
    }
}

/// Makes the report of everything that the journal holds, writes it, and shows it.
pub(super) fn report(context: &Context, terminal: &Terminal, loaded: &Loaded, ran: &Ran<'_>) -> Result<Done, Failure> {
    for warning in &ran.end.warnings {
        terminal.warn(warning);
    }
    let (results, last) = results(context, loaded, ran)?;
    // When the last of it was run: to look at what was finished before changes nothing.
    let finished_at = last.map_or_else(|| context.now().to_string(), |last| last.to_string());
    let evaluation = evaluate(EvaluationInputs { finished_at, ..inputs(context, loaded, ran) }, results);
    terminal.text(&evaluation_text(&evaluation, context.lang, terminal.width, terminal.color));
    let kept = [written(context, terminal, loaded, &evaluation), stored(context, ran, &evaluation)];
    let mut code = code(&evaluation, &ran.end);
    let mut can_go_on = evaluation.incomplete_reason.is_some();
    for failure in kept.into_iter().filter_map(Result::err) {
        // Not as the document of `--json`: that is the evaluation, which is whole.
        if let Failure::Usage { message, help } = &failure {
            terminal.error(message, help.as_ref());
        }
        code = if code == exit::INTERRUPTED && ran.unstored.is_none() { code } else { exit::INVALID };
        can_go_on = true;
    }
    if let Some(reason) = &evaluation.incomplete_reason {
        terminal.note(&msg!("skills-cli-incomplete", why = reason));
    }
    if can_go_on {
        terminal.note(&msg!("cli-resume-with", command = format!("eval-skills eval --resume {}", evaluation.id)));
    }
    Ok(Done { evaluation, code })
}

fn written(
    context: &Context,
    terminal: &Terminal,
    loaded: &Loaded,
    evaluation: &SkillEvaluation,
) -> Result<(), Failure> {
    let formats = formats(loaded);
    let written = write(evaluation, &loaded.ask.output_dir, &formats, context.lang)
        .map_err(|error| told::file(context, &error))?;
    tell_files(context, terminal, &written);
    // Beside new reports an old `eval-result.json` looks like theirs.
    let left = left_as_they_are(&loaded.ask.output_dir, &formats);
    if !left.is_empty() {
        let paths: Vec<String> = left.iter().map(|path| context.display(path)).collect();
        terminal.note(&msg!("skills-cli-copies-left", paths = paths.join(" ")));
    }
    Ok(())
}

fn stored(context: &Context, ran: &Ran<'_>, evaluation: &SkillEvaluation) -> Result<(), Failure> {
    match &ran.unstored {
        Some(error) => Err(told::store(context, error)),
        None => ran.store.finish(evaluation).map_err(|error| told::store(context, &error)),
    }
}

fn tell_files(context: &Context, terminal: &Terminal, written: &[Written]) {
    let paths: Vec<String> = written.iter().map(|one| context.display(&one.path)).collect();
    if !paths.is_empty() {
        terminal.note(&msg!("skills-cli-written", paths = paths.join(" ")));
    }
}

/// K2.
fn code(evaluation: &SkillEvaluation, end: &RunEnd) -> u8 {
    let counted: usize = evaluation.skills.iter().map(|skill| skill.counts.counted()).sum();
    match &end.ended {
        Ended::Interrupted => exit::INTERRUPTED,
        Ended::Aborted { .. } | Ended::BudgetExhausted { .. } => exit::INVALID,
        _ if evaluation.is_unsound() || counted == 0 => exit::INVALID,
        _ if evaluation.gate.as_ref().is_some_and(|gate| !gate.passed) => exit::REFUSED,
        _ => exit::OK,
    }
}

/// Each skill's results, tasks in the benchmark's order and runs within; and when the last of them was there.
fn results<'a>(
    context: &Context,
    loaded: &'a Loaded,
    ran: &Ran<'_>,
) -> Result<(Vec<SkillResults<'a>>, Option<Timestamp>), Failure> {
    let told = |skill| SkillResults::new(skill, context.display(&skill.file), ran.host.not_enforced(skill));
    let mut results: Vec<SkillResults<'_>> = loaded.skills.iter().map(told).collect();
    let mut cells: Vec<_> = loaded.plan.cells.iter().collect();
    let mut last = None;
    cells.sort_by_key(|cell| (cell.subject, cell.sample, cell.key.repeat));
    for cell in cells {
        let task = loaded.benchmark.tasks.get(cell.sample);
        if let (Some(of), Some(task), Some(record)) = (results.get_mut(cell.subject), task, record(ran.journal, cell)?)
        {
            of.add(task, &record, loaded.timeout(), context.lang);
            last = last.max(Some(record.execution.finished_at));
        }
    }
    Ok((results, last))
}

/// What the journal holds of a cell. One that a stop cut off was not run.
pub(super) fn record(journal: &Journal, cell: &Cell) -> Result<Option<Record>, Failure> {
    let was_cut_off =
        |of: &Record| matches!(&of.execution.result, Executed::Failed(error) if error.failure == Cause::Interrupted);
    Ok(journal.record(cell)?.filter(|of| !was_cut_off(of)))
}

fn inputs<'a>(context: &Context, loaded: &'a Loaded, ran: &Ran<'_>) -> EvaluationInputs<'a> {
    let (ask, journal) = (&loaded.ask, ran.journal);
    let incomplete =
        ran.unstored.as_ref().map(|error| error.told(&|path| context.display(path))).or_else(|| incomplete(&ran.end));
    EvaluationInputs {
        id: journal.header().id.clone(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: journal.header().started_at.to_string(),
        finished_at: String::new(),
        status: match incomplete {
            None => EvaluationStatus::Complete,
            Some(_) => EvaluationStatus::Interrupted,
        },
        incomplete_reason: incomplete.map(|why| why.text(context.lang)),
        settings: EvaluationSettings {
            concurrency: ask.concurrency,
            timeout_ms: ask.timeout_ms,
            retries: ask.retries.unwrap_or(0),
            transport_retries: Some(ask.retries.unwrap_or(TRANSPORT_RETRIES)),
            runs: ask.runs,
            evaluator: ask.evaluator,
            seed: loaded.seed,
            sandbox: ask.sandbox,
            judge: loaded.judge_label().map(str::to_owned),
        },
        benchmark: &loaded.benchmark,
        benchmark_source: loaded.benchmark_source.clone(),
        min_completion: ask.gate,
        lang: context.lang,
    }
}

/// Why not everything was run.
fn incomplete(end: &RunEnd) -> Option<Message> {
    match &end.ended {
        Ended::Complete | Ended::Decided => None,
        Ended::Interrupted => Some(msg!("cli-interrupted", done = end.done, total = end.total)),
        Ended::BudgetExhausted { why } => Some(why.message()),
        Ended::Aborted { error } => Some(error.message.clone()),
    }
}
