//! One evaluation: request → loaded inputs → run → report.

mod ask;
mod chosen_tasks;
mod files_only;
mod loaded;
mod preview;
mod report;
mod resume;
mod store_queue;
mod temperature;
mod work;

pub(crate) use ask::{Ask, KIND, Overrides};
pub(crate) use report::Evaluated;

use eval_cli::CommandError;
use eval_cli::driver::{Driven, Start, drive};

use crate::session::Session;
use loaded::PROGRAMS;
use report::SkillReport;
use work::SkillWork;

pub(crate) fn evaluate(session: &Session<'_>, ask: Ask) -> Result<Driven<Evaluated>, CommandError> {
    let &Session { context, terminal, .. } = session;
    drive(terminal, &SkillReport { context, terminal }, || {
        let start = if ask.dry_run { Start::Preview } else { Start::New };
        Ok((SkillWork::load(context.clone(), terminal, ask)?, start))
    })
}

/// Resumes an interrupted evaluation.
pub(crate) fn resume(session: &Session<'_>, id: &str, overrides: Overrides) -> Result<Driven<Evaluated>, CommandError> {
    let &Session { context, terminal, .. } = session;
    drive(terminal, &SkillReport { context, terminal }, || {
        let (journal, ask, begun_in) = resume::reopen(context, id, overrides)?;
        let work = SkillWork::load(begun_in, terminal, ask)?;
        let inputs = work.loaded.hashes();
        journal.check(&work.loaded.plan, &inputs)?;
        journal.check_noted(PROGRAMS, &inputs)?;
        work.check_servers(&journal)?;
        Ok((work, Start::GoOn(Box::new(journal))))
    })
}
