//! One evaluation: what is asked for → what is loaded → what runs → what is written.

mod ask;
mod files_only;
mod loaded;
mod preview;
mod report;
mod resume;
mod store_queue;
mod temperature;
mod work;

pub(crate) use ask::{Ask, Overrides, settings};
pub(crate) use report::Evaluated;

use eval_cli::driver::{Driven, Start, drive};
use eval_cli::{CommandError, Terminal};
use eval_spec::Context;

use report::SkillReport;
use work::SkillWork;

/// Loads what is asked for and runs it to the end.
pub(crate) fn evaluate(context: &Context, terminal: &Terminal, ask: Ask) -> Result<Driven<Evaluated>, CommandError> {
    drive(terminal, &SkillReport { context, terminal }, || {
        let start = if ask.dry_run { Start::Preview } else { Start::New };
        Ok((SkillWork::load(context.clone(), terminal, ask)?, start))
    })
}

/// Goes on with an evaluation that was interrupted.
pub(crate) fn resume(
    context: &Context,
    terminal: &Terminal,
    id: &str,
    overrides: Overrides,
) -> Result<Driven<Evaluated>, CommandError> {
    drive(terminal, &SkillReport { context, terminal }, || {
        let (journal, ask, begun_in) = resume::reopen(context, id, overrides)?;
        let work = SkillWork::load(begun_in, terminal, ask)?;
        journal.check(&work.loaded.plan, &work.loaded.hashes())?;
        Ok((work, Start::GoOn(Box::new(journal))))
    })
}
