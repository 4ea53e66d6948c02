//! A control from the cache is asked again in part, beside the treatment: its answers may be days old, and the model may
//! have changed since. Where the part shows that it has, or can't show that a gain is none of the model's, the rest is asked
//! again as well.

use std::collections::HashMap;

use eval_analysis::draw_again;
use eval_cli::CommandError;
use eval_history::{GivenAnswer, RunAnswers, RunCell, RunPair, TakenOver};
use eval_run::cache::{CacheKey, CachedCall, observations};
use eval_run::{Cache, Journal, RunError};
use eval_spec::plan::Plan;
use eval_spec::record::{EarlierLook, Executed, Execution, Record};
use eval_spec::{Cell, CellKey, Context, Failure};

use super::project::Project;
use crate::commands::project::purpose::is_replay;

/// The control among the subjects.
const CONTROL: usize = 0;

/// The samples whose control is asked again beside the treatment, sorted: drawn from those whose control the cache answers
/// and whose treatment it doesn't.
pub(super) fn samples(context: &Context, project: &Project, plan: &Plan) -> Result<Vec<String>, CommandError> {
    let settings = &project.suite.settings;
    // With nothing to let through, or without a fixed number of samples, an old control is left as it is.
    if settings.aa || settings.planned_looks().is_some() || project.suite.variants.len() < 2 {
        return Ok(Vec::new());
    }
    let Some(hits) = hits(context, project, plan)? else { return Ok(Vec::new()) };
    let mut has = vec![(false, false); project.suite.samples.len()];
    for (cell, hit) in plan.cells.iter().zip(hits) {
        let (cached_control, new_treatment) = &mut has[cell.sample];
        match cell.subject {
            CONTROL => *cached_control |= hit,
            _ => *new_treatment |= !hit,
        }
    }
    let drawn = draw_again(&project.suite, project.alike(), |sample| has[sample] == (true, true), project.seed);
    let mut names: Vec<String> = drawn.into_iter().map(|sample| project.suite.samples[sample].id.clone()).collect();
    names.sort_unstable();
    Ok(names)
}

/// Which cells the cache would answer; `None` when it is off.
pub(super) fn hits(context: &Context, project: &Project, plan: &Plan) -> Result<Option<Vec<bool>>, CommandError> {
    in_cache(context, project, plan, |call| call.output.is_some())
}

/// The answers that the cache would give; none when it is off, or can't be read.
pub(super) fn cached_answers(context: &Context, project: &Project, plan: &Plan) -> Vec<Option<GivenAnswer>> {
    let given = |call: CachedCall| call.output.map(|(output, ended)| GivenAnswer::new(&output.text, ended, true, None));
    in_cache(context, project, plan, given).ok().flatten().unwrap_or_default()
}

/// Returns what `read` makes of the cache's entry for each cell; `None` when it is off.
fn in_cache<T: Clone + Default>(
    context: &Context,
    project: &Project,
    plan: &Plan,
    read: impl Fn(CachedCall) -> T,
) -> Result<Option<Vec<T>>, CommandError> {
    let settings = &project.suite.settings;
    let directory = context.home.join("cache");
    if !settings.cache || is_replay(settings) || settings.record.is_some() {
        return Ok(None);
    }
    if !directory.is_dir() {
        return Ok(Some(vec![T::default(); plan.cells.len()]));
    }
    let cache = Cache::open(&directory)?;
    let identity = project.executor.identity();
    let entry = |(cell, observation)| {
        let key = CacheKey::of(&project.call(cell), identity, observation);
        read(cache.get(&key.fingerprint))
    };
    Ok(Some(plan.cells.iter().zip(observations(plan)).map(entry).collect()))
}

/// Whether a cell is of the control of a sample that is asked again.
pub(super) fn is_checked(journal: &Journal, cell: &Cell) -> bool {
    let samples = &journal.header().asked_again;
    cell.subject == CONTROL && samples.binary_search_by(|name| (**name).cmp(&*cell.key.sample)).is_ok()
}

/// The rest of a control from the cache, if it is to be asked again: places in the plan.
pub(super) fn rest(
    plan: &Plan,
    journal: &Journal,
    asks_all: impl FnOnce() -> Result<bool, RunError>,
) -> Result<Vec<usize>, RunError> {
    let is_rest = |cell: &Cell| cell.subject == CONTROL && !is_checked(journal, cell);
    let cells = || plan.cells.iter().enumerate().filter(|(_, cell)| is_rest(cell));
    let left: Vec<usize> = cells().filter(|(_, cell)| journal.is_cached(cell)).map(|(at, _)| at).collect();
    // What was decided before an interruption stays decided.
    let is_decided = cells().any(|(_, cell)| journal.has_replaced(cell));
    match !left.is_empty() && (is_decided || asks_all()?) {
        true => Ok(left),
        false => Ok(Vec::new()),
    }
}

/// The looks with the runs of a variant alone, or beside another control, that were there to choose from when answers of another
/// such run were taken over.
pub(super) fn with_choices(looks: Vec<EarlierLook>, taken: &[TakenOver]) -> Vec<EarlierLook> {
    let is_taken =
        |report: &str, place: usize| taken.iter().any(|taken| taken.report == report && taken.variant == place);
    let alone: Vec<String> = looks.iter().filter(|look| look.alone).map(|look| look.report.clone()).collect();
    let is_chosen = |place: usize| alone.iter().any(|report| is_taken(report, place));
    let counted = looks.into_iter().map(|mut look| {
        if look.alone {
            look.treatments.retain(|place, _| !is_taken(&look.report, *place));
            if look.treatments.keys().any(|place| is_chosen(*place)) {
                look.treatments.retain(|place, _| is_chosen(*place));
                look.alone = false;
            }
        }
        look
    });
    counted.filter(|look| !look.treatments.is_empty()).collect()
}

/// The reports from whose runs a run took answers over, or will take them from the cache. A control that is asked again beside the
/// treatment, though the cache has it, was replaced by ourselves.
pub(super) fn taken_over(context: &Context, project: &Project, plan: &Plan, journal: &Journal) -> Vec<TakenOver> {
    if project.suite.settings.aa {
        return Vec::new();
    }
    let given = |cell: &Cell| {
        let Record { execution, grade, .. } = journal.record(cell).ok()??;
        let Execution { result, cached, given_at, finished_at, .. } = execution;
        let ended = given_at.unwrap_or(finished_at);
        match result {
            Executed::Output(output) => Some(GivenAnswer::new(&output.text, ended, cached, grade.as_ref())),
            Executed::Failed(_) => None,
        }
    };
    let is_whole = journal.is_answered(plan);
    if is_whole && !plan.cells.iter().any(|cell| journal.is_cached(cell)) {
        return Vec::new();
    }
    let awaited = if is_whole { Vec::new() } else { cached_answers(context, project, plan) };
    let awaited = awaited.into_iter().chain(std::iter::repeat_with(|| None));
    let answers = plan.cells.iter().zip(awaited).filter(|(cell, _)| !journal.has_replaced(cell));
    let answers = answers.filter_map(|(cell, cached)| Some((run_cell(cell), given(cell).or(cached)?))).collect();
    let pair = |[earlier, later]: [&Cell; 2]| {
        let subjects = [&*earlier.key.subject, &*later.key.subject];
        let pair = journal.pair(&earlier.key.sample, earlier.key.repeat, subjects).ok()??;
        let CellKey { sample, repeat, .. } = &earlier.key;
        let variants = [earlier.subject, later.subject];
        Some((RunPair { sample: sample.to_string(), repeat: *repeat, variants }, pair))
    };
    let pairs = project.pairs(plan).into_iter().filter_map(pair).collect();
    let prompts = journal.has_cached_judgements().then(|| project.judge_prompts());
    project.taken_over(context, plan, &journal.header().id, &RunAnswers { answers, pairs, prompts })
}

/// Returns the cells, by their places in the plan, that were asked anew although an earlier report has another answer, or a failure,
/// while other answers were taken over; and that first end.
pub(super) fn redrawn(plan: &Plan, taken: Vec<TakenOver>) -> HashMap<usize, Failure> {
    let replaced: HashMap<RunCell, Failure> = taken.into_iter().flat_map(|taken| taken.replaced).collect();
    let cells = plan.cells.iter().enumerate();
    cells.filter_map(|(place, cell)| Some((place, *replaced.get(&run_cell(cell))?))).collect()
}

fn run_cell(cell: &Cell) -> RunCell {
    (cell.subject, cell.key.sample.to_string(), cell.key.repeat)
}
