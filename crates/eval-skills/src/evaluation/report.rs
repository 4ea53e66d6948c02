//! The results of an evaluation: store, files, terminal, exit code.

use std::path::PathBuf;

use eval_analysis::skills::{EvaluationInputs, SkillResults, evaluate, meta};
use eval_callable::SkillHost;
use eval_cli::driver::{Evaluation as _, PartialRun, Ran, Reporting, WrittenFiles};
use eval_cli::{CommandError, Terminal, exit};
use eval_format::skills::{EvaluationSettings, EvaluationStatus, SkillEvaluation};
use eval_message::{Message, msg};
use eval_render::formats::{FormatSpec, format_named};
use eval_render::skills::{evaluation_text, left_as_they_are, writable, write};
use eval_run::{Journal, RunEnd, RunEnding};
use eval_serve::{NewEvaluation, Store, StoreError};
use eval_spec::record::{Executed, Record};
use eval_spec::{Cell, Context, Failure};
use jiff::Timestamp;

use super::ask::TRANSPORT_RETRIES;
use super::loaded::LoadedEvaluation;
use super::preview;
use super::work::{SkillWork, SkillsRunning};
use crate::files::store_failure;

pub(crate) struct Evaluated {
    pub(crate) evaluation: SkillEvaluation,
    store: Option<Store>,
    /// Why results could not be stored; the run was stopped then, and the journal has them.
    unstored: Option<StoreError>,
}

/// The reporting of `eval` and `run`: reports in several formats, and an entry in the store.
pub(crate) struct SkillReport<'a> {
    pub(crate) context: &'a Context,
    pub(crate) terminal: &'a Terminal,
}

impl<'w> Reporting<SkillWork<'w>> for SkillReport<'_> {
    type Analysis = Evaluated;

    /// The report has the id.
    const ANNOUNCES_ID: bool = false;

    fn partial(&self) -> PartialRun {
        PartialRun::Reported
    }

    fn resume_command(&self, id: &str) -> String {
        format!("eval-skills eval --resume {id}")
    }

    fn preview(&self, work: &SkillWork<'w>) -> Result<(), CommandError> {
        preview::show(self.context, self.terminal, &work.loaded);
        Ok(())
    }

    fn prepare(&self, work: &SkillWork<'w>) -> Result<(), CommandError> {
        prepare(work.context(), &work.loaded)
    }

    fn analyse(
        &self,
        work: &SkillWork<'w>,
        ran: &Ran<'_>,
        mut running: SkillsRunning,
    ) -> Result<Evaluated, CommandError> {
        let (context, loaded) = (work.context(), &work.loaded);
        let (store, unstored) = running.queue.end().unzip();
        let unstored = unstored.flatten();
        let (results, last) = results(context, loaded, ran.journal, &running.host)?;
        // The end of the last execution: resuming a finished evaluation doesn't change its report.
        let finished_at = last.map_or_else(|| context.now().to_string(), |last| last.to_string());
        let why = unstored.as_ref().map(|error| error.message_with_paths(&|path| context.display(path)));
        let inputs = inputs(context, loaded, ran, why);
        let mut evaluation = evaluate(EvaluationInputs { finished_at, ..inputs }, results);
        evaluation.notes.extend(loaded.part.as_ref().map(|part| part.text(context.lang)));
        Ok(Evaluated { evaluation, store, unstored })
    }

    fn write(&self, work: &SkillWork<'w>, _: &Ran<'_>, of: &Evaluated) -> WrittenFiles {
        let (context, loaded) = (work.context(), &work.loaded);
        let mut files = WrittenFiles::default();
        match write(&of.evaluation, &loaded.ask.output_dir, &formats(loaded), context.lang) {
            Ok(written) => files.paths.extend(written.into_iter().map(|one| one.path)),
            Err(error) => files.failures.push(CommandError::file(context, &error)),
        }
        let stored = match (&of.unstored, &of.store) {
            (Some(error), _) => Err(store_failure(context, error)),
            (None, Some(store)) => store.finish(&of.evaluation).map_err(|error| store_failure(context, &error)),
            (None, None) => Ok(()),
        };
        files.failures.extend(stored.err());
        files
    }

    fn show(
        &self,
        work: &SkillWork<'w>,
        _: &Ran<'_>,
        of: &Evaluated,
        files: &WrittenFiles,
    ) -> Result<(), CommandError> {
        let (context, terminal, loaded) = (work.context(), self.terminal, &work.loaded);
        terminal.text(&evaluation_text(&of.evaluation, context.lang, terminal.width, terminal.color));
        if files.paths.is_empty() {
            return Ok(());
        }
        let shown = |paths: &[PathBuf]| {
            let paths: Vec<String> = paths.iter().map(|path| context.display(path)).collect();
            paths.join(" ")
        };
        terminal.note(&msg!("skills-cli-written", paths = shown(&files.paths)));
        // An old `eval-result.json` beside new reports could be mistaken for one of them.
        let left = left_as_they_are(&loaded.ask.output_dir, &formats(loaded));
        if !left.is_empty() {
            terminal.note(&msg!("skills-cli-copies-left", paths = shown(&left)));
        }
        Ok(())
    }

    fn code(&self, _: &SkillWork<'w>, ran: &Ran<'_>, of: &Evaluated) -> u8 {
        if of.unstored.is_some() { exit::INVALID } else { code(&of.evaluation, &ran.end) }
    }

    fn incomplete(&self, of: &Evaluated) -> Option<Message> {
        let why = of.evaluation.incomplete_reason.as_ref()?;
        Some(msg!("skills-cli-incomplete", why = why))
    }
}

/// Checks that reports can be written, before anything runs.
pub(super) fn prepare(context: &Context, loaded: &LoadedEvaluation) -> Result<(), CommandError> {
    let dir = &loaded.ask.output_dir;
    let failed = |error| CommandError::io(msg!("cli-cannot-write", path = context.display(dir)))(error);
    std::fs::create_dir_all(dir).map_err(failed)?;
    // The directory may exist and not be writable; the file is removed at once.
    tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
    writable(dir, &formats(loaded)).map_err(|error| CommandError::file(context, &error))
}

fn formats(loaded: &LoadedEvaluation) -> Vec<&'static FormatSpec> {
    loaded.ask.formats.iter().filter_map(|name| format_named::<SkillEvaluation>(name)).collect()
}

/// The store's entry before the first result.
pub(super) fn begun(context: &Context, loaded: &LoadedEvaluation, journal: &Journal) -> NewEvaluation {
    let header = journal.header();
    NewEvaluation {
        id: header.id.clone(),
        started_at: header.started_at.to_string(),
        benchmark: meta(&loaded.benchmark, loaded.benchmark_source.clone()),
        runs: loaded.ask.runs,
        skills: loaded.skills.iter().map(|skill| (skill.clone(), context.display(&skill.file))).collect(),
    }
}

/// The exit code of an evaluation.
fn code(evaluation: &SkillEvaluation, end: &RunEnd) -> u8 {
    let counted: usize = evaluation.skills.iter().map(|skill| skill.counts.counted()).sum();
    match &end.ended {
        RunEnding::Interrupted => exit::INTERRUPTED,
        RunEnding::Aborted { .. } | RunEnding::JudgeFailed { .. } | RunEnding::BudgetExhausted { .. } => exit::INVALID,
        _ if evaluation.is_unsound() || counted == 0 => exit::INVALID,
        _ if evaluation.gate.as_ref().is_some_and(|gate| !gate.passed) => exit::REFUSED,
        _ => exit::OK,
    }
}

/// Each skill's results, in the benchmark's order of tasks, then by run; and the end of the last execution.
fn results<'a>(
    context: &Context,
    loaded: &'a LoadedEvaluation,
    journal: &Journal,
    host: &SkillHost,
) -> Result<(Vec<SkillResults<'a>>, Option<Timestamp>), CommandError> {
    let empty = |skill| SkillResults::new(skill, context.display(&skill.file), host.not_enforced(skill));
    let mut results: Vec<SkillResults<'_>> = loaded.skills.iter().map(empty).collect();
    let mut cells: Vec<_> = loaded.plan.cells.iter().collect();
    let mut last = None;
    cells.sort_by_key(|cell| (cell.subject, cell.sample, cell.key.repeat));
    for cell in cells {
        let task = loaded.benchmark.tasks.get(cell.sample);
        if let (Some(of), Some(task), Some(record)) = (results.get_mut(cell.subject), task, record(journal, cell)?) {
            of.add(task, &record, loaded.timeout(), context.lang);
            last = last.max(Some(record.execution.finished_at));
        }
    }
    Ok((results, last))
}

/// The record of a cell in the journal; none for an interrupted execution.
pub(super) fn record(journal: &Journal, cell: &Cell) -> Result<Option<Record>, CommandError> {
    let was_cut_off =
        |of: &Record| matches!(&of.execution.result, Executed::Failed(error) if error.failure == Failure::Interrupted);
    Ok(journal.record(cell)?.filter(|of| !was_cut_off(of)))
}

/// The inputs of the report; `unstored` is why results could not be stored.
fn inputs<'a>(
    context: &Context,
    loaded: &'a LoadedEvaluation,
    ran: &Ran<'_>,
    unstored: Option<Message>,
) -> EvaluationInputs<'a> {
    let (ask, journal) = (&loaded.ask, ran.journal);
    let incomplete = unstored.or_else(|| incomplete(&ran.end));
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
            transport_retries: ask.retries.unwrap_or(TRANSPORT_RETRIES),
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

/// Why the run is incomplete.
fn incomplete(end: &RunEnd) -> Option<Message> {
    match &end.ended {
        RunEnding::Complete | RunEnding::Decided => None,
        RunEnding::Interrupted => Some(msg!("cli-interrupted", done = end.done, total = end.total)),
        RunEnding::BudgetExhausted { why } => Some(why.message()),
        RunEnding::Aborted { error } | RunEnding::JudgeFailed { error } => Some(error.message.clone()),
    }
}
