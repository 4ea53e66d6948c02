//! One evaluation: what is asked for → what is loaded → what runs → what is written.

mod ask;
mod drive;
mod files_only;
mod finish;
mod keeping;
mod loaded;
mod preview;
mod temperature;

pub(crate) use ask::{Ask, Overrides, settings};
pub(crate) use finish::Done;

use eval_cli::{Failure, Terminal};
use eval_spec::Context;
use loaded::Loaded;

/// Loads what is asked for and runs it to the end. `None` when only the plan was to be shown.
pub(crate) fn evaluate(context: &Context, terminal: &Terminal, ask: Ask) -> Result<Option<Done>, Failure> {
    let loaded = Loaded::load(context, terminal, ask)?;
    if loaded.ask.dry_run {
        preview::show(context, terminal, &loaded);
        return Ok(None);
    }
    finish::prepare(context, &loaded)?;
    let journal = drive::begin(context, &loaded)?;
    drive::run(context, terminal, &loaded, journal).map(Some)
}

/// Goes on with an evaluation that was interrupted.
pub(crate) fn resume(context: &Context, terminal: &Terminal, id: &str, overrides: Overrides) -> Result<Done, Failure> {
    let (journal, ask, begun_in) = drive::reopen(context, id, overrides)?;
    let loaded = Loaded::load(&begun_in, terminal, ask)?;
    journal.check(&loaded.plan, &loaded.hashes())?;
    finish::prepare(&begun_in, &loaded)?;
    drive::run(&begun_in, terminal, &loaded, journal)
}
