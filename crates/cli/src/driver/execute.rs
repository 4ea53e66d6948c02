//! Runs the engine with its journal, limits, signals and progress.

use std::collections::HashMap;
use std::sync::Arc;

use eval_message::msg;
use eval_run::{Again, Engine, Guard, Journal, Pairing, RunEnd, RunEnding, Stop};
use eval_spec::plan::Plan;
use eval_spec::{Cell, Event};

use super::work::{Afterwards, Evaluation, Parts, RunSetup};
use crate::ending::until_it_ends;
use crate::exit::CommandError;
use crate::signals::outlive_file_size;
use crate::terminal::Terminal;
use crate::terminal::progress::Progress;
use crate::threads;

/// Runs the cells that `journal` lacks.
pub(super) fn execute<W: Evaluation>(
    terminal: &Terminal,
    work: &W,
    journal: &Arc<Journal>,
) -> Result<(RunEnd, W::Running), CommandError> {
    let unavailable = |error| CommandError::io(msg!("cli-runtime"))(error);
    let runtime = threads::runtime().map_err(unavailable)?;
    threads::begin();
    // `work.start` writes files before the run listens to signals.
    runtime.block_on(async { outlive_file_size() }).map_err(unavailable)?;
    let nowhere = tempfile::tempdir().map_err(CommandError::temporary(work.context()))?;
    let stop = Stop::new();
    let guard = Arc::new(Guard::new(work.limits(), stop.clone(), work.seed(), work.context().clock));
    let setup = RunSetup { terminal, guard: &guard, journal, stop: &stop, nowhere: nowhere.path() };
    let (parts, running) = work.start(&setup)?;
    let Parts { executors, grader, compare, recorder } = parts;
    let runnable = work.runnable(journal)?;
    let plan = runnable.as_ref().unwrap_or_else(|| work.plan());
    let progress = Progress::new(terminal, work.cell_name(), up_to_looks(plan, &journal.header().looks));
    let pairs = work.pairs();
    let on_pair = |event: Event| progress.event(&event);
    let compare = |pair: [(Cell, String); 2]| compare(pair);
    let pairing =
        Pairing { guard: Arc::clone(&guard), journal: Arc::clone(journal), compare: &compare, on_event: &on_pair };
    let watch = || work.watch(journal);
    let at_once = |cell: &Cell| work.is_asked_again(journal, cell);
    let after = |journal: &Journal| work.asked_again_after(terminal, journal);
    let again = Again { at_once: &at_once, after: &after };
    let engine = Engine {
        executors,
        grader,
        call: &|cell| work.call(cell),
        journal: Arc::clone(journal),
        on_event: &mut |event: Event| {
            if let Event::CellFinished { record, .. } = &event {
                work.finished(&running, record);
            }
            progress.event(&event);
        },
        watch: work.may_end_early().then_some(&watch),
        again: (!journal.header().asked_again.is_empty()).then_some(again),
    };
    let run = async {
        let mut end = pairing.run(&pairs, engine.run(plan).await?).await?;
        let setup = Afterwards { guard: &guard, journal, ended: &end.ended.clone(), on_event: &on_pair };
        let (is_whole, warning) = work.afterwards(&running, &setup).await;
        if !is_whole {
            end.ended = RunEnding::Interrupted;
        }
        end.warnings.extend(warning);
        Ok(end)
    };
    let end = runtime.block_on(until_it_ends(run, &stop, &progress));
    // Background tasks end before anything is printed.
    drop(runtime);
    recorder.iter().flat_map(|recorder| recorder.notes()).for_each(|note| terminal.note(&note));
    Ok((end?, running))
}

/// Returns the number of cells that are run when each look is taken.
fn up_to_looks(plan: &Plan, looks: &[Vec<String>]) -> Vec<usize> {
    let of_look = |(look, samples): (usize, &Vec<String>)| samples.iter().map(move |id| (id.clone(), look)).collect();
    let look_of: HashMap<String, usize> = looks.iter().enumerate().flat_map::<Vec<_>, _>(of_look).collect();
    let mut cells = vec![0; looks.len()];
    for (position, cell) in plan.cells.iter().enumerate() {
        if let Some(&look) = look_of.get(&*cell.key.sample) {
            cells[look] = position + 1;
        }
    }
    cells
}
