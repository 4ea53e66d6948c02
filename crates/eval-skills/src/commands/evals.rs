//! `eval-skills evals`: a skill's `evals/evals.json`, run with and without the skill through omk's engine.

mod ask;
mod drive;
mod finish;
mod folder;
mod suite;

use eval_cli::{Failure, Terminal, exit};
use eval_spec::Context;

use self::ask::Ask;
use self::suite::EvalSuite;
use crate::cli::{EvalsArgs, Global};

/// Runs the evals of a skill, or goes on where they were interrupted.
pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &Global,
    arguments: &EvalsArgs,
) -> Result<u8, Failure> {
    if let Some(id) = &arguments.resume {
        let (journal, ask, begun_in) = drive::reopen(context, id, arguments)?;
        let suite = EvalSuite::load(&begun_in, terminal, ask, false)?;
        return drive::run(&begun_in, terminal, &suite, journal);
    }
    let mut ask = Ask::new(context, global, arguments)?;
    if arguments.dry_run {
        let suite = EvalSuite::load(context, terminal, ask, true)?;
        finish::show_plan(context, terminal, &suite);
        return Ok(exit::OK);
    }
    // Checked before there is a folder: an error leaves none behind.
    let suite = EvalSuite::load(context, terminal, ask.clone(), false)?;
    ask.folder = folder::fresh(context, &ask.folder)?;
    let suite = suite.into_folder(ask);
    let journal = drive::begin(context, &suite)?;
    drive::run(context, terminal, &suite, journal)
}
