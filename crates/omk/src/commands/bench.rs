//! `omk bench run` and `omk bench ci`, with the flags and defaults of earlier versions.

use eval_cli::driver::drive;
use eval_cli::{CommandError, Terminal};
use eval_spec::Context;

use super::eval::{RunReport, load};
use super::project::{InputPlaces, settings};
use super::report::Style;
use crate::cli::{BenchRunArgs, Directories};

pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    arguments: &BenchRunArgs,
    style: Style,
) -> Result<u8, CommandError> {
    let driven =
        drive(terminal, &RunReport { terminal, style, exports: Vec::new(), by: None, is_brief: false }, || {
            let chosen = settings(context, arguments.written(), Directories::default(), &InputPlaces::bare(context))?;
            load(context, chosen, arguments.flags.dry_run)
        })?;
    Ok(driven.code)
}
