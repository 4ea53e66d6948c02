//! From the journal to what people and programs read: store, files, terminal, exit code.

use eval_cli::Terminal;
use eval_cli::exit::{self, Failure};
use eval_exec::skill::Host;
use eval_report::skills::{
    EvaluationInputs, EvaluationSettings, EvaluationStatus, Format, SkillEvaluation, SkillResults, Written, evaluate,
    evaluation_text, meta, write,
};
use eval_run::{Ended, Journal, RunEnd};
use eval_serve::{Begun, Store, StoreError};
use eval_spec::{Context, Message, msg};

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
    pub(super) host: &'a Host,
    pub(super) end: RunEnd,
    /// Why results could not be kept in the store; then the run was ended, and the journal has them.
    pub(super) unstored: Option<StoreError>,
}

/// Makes sure that reports can be written.
pub(super) fn prepare(context: &Context, loaded: &Loaded) -> Result<(), Failure> {
    let dir = &loaded.ask.output_dir;
    let failed = |error| Failure::io(msg!("cli-cannot-write", path = context.display(dir)))(error);
    std::fs::create_dir_all(dir).map_err(failed)?;
    // Gone again at once; a directory may be there and not be ours.
    tempfile::NamedTempFile::new_in(dir).map_err(failed)?;
    Ok(())
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
    let evaluation = evaluate(inputs(context, loaded, ran), results(context, loaded, ran)?);
    let formats: Vec<Format> = loaded.ask.formats.iter().filter_map(|name| Format::of(name)).collect();
    let written = write(&evaluation, &loaded.ask.output_dir, &formats, context.lang)
        .map_err(|error| told::file(context, &error))?;
    terminal.text(&evaluation_text(&evaluation, context.lang, terminal.width, terminal.color));
    tell_files(context, terminal, &written);
    if let Some(reason) = &evaluation.incomplete_reason {
        terminal.note(&msg!("skills-cli-incomplete", why = reason));
        terminal.note(&msg!("cli-resume-with", command = format!("eval-skills eval --resume {}", evaluation.id)));
    }
    let code = code(&evaluation, &ran.end);
    Ok(Done { code: stored(context, terminal, ran, &evaluation).map_or(code, |()| exit::INVALID), evaluation })
}

/// Keeps the evaluation in the store. If that fails, says so: the reports are there all the same.
fn stored(context: &Context, terminal: &Terminal, ran: &Ran<'_>, evaluation: &SkillEvaluation) -> Option<()> {
    let failed = match &ran.unstored {
        Some(error) => Some(told::store(context, error)),
        None => ran.store.finish(evaluation).err().map(|error| told::store(context, &error)),
    };
    terminal.failure(context, &failed?);
    Some(())
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

/// Each skill's results, tasks in the benchmark's order and runs within.
fn results<'a>(context: &Context, loaded: &'a Loaded, ran: &Ran<'_>) -> Result<Vec<SkillResults<'a>>, Failure> {
    let told = |skill| SkillResults::new(skill, context.display(&skill.file), ran.host.not_enforced(skill));
    let mut results: Vec<SkillResults<'_>> = loaded.skills.iter().map(told).collect();
    let mut cells: Vec<_> = loaded.plan.cells.iter().collect();
    cells.sort_by_key(|cell| (cell.subject, cell.sample, cell.key.repeat));
    for cell in cells {
        let task = loaded.benchmark.tasks.get(cell.sample);
        if let (Some(of), Some(task), Some(record)) = (results.get_mut(cell.subject), task, ran.journal.record(cell)?) {
            of.add(task, &record, loaded.timeout(), context.lang);
        }
    }
    Ok(results)
}

fn inputs<'a>(context: &Context, loaded: &'a Loaded, ran: &Ran<'_>) -> EvaluationInputs<'a> {
    let (ask, journal) = (&loaded.ask, ran.journal);
    let incomplete =
        ran.unstored.as_ref().map(|error| error.told(&|path| context.display(path))).or_else(|| incomplete(&ran.end));
    EvaluationInputs {
        id: journal.header().id.clone(),
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: journal.header().started_at.to_string(),
        finished_at: context.now().to_string(),
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
