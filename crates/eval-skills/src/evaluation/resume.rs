//! An interrupted evaluation, with its settings and the context it began in.

use std::path::Path;

use eval_cli::CommandError;
use eval_cli::driver::journal::{self, begun_in, refuse_masked};
use eval_message::msg;
use eval_run::Journal;
use eval_spec::Context;
use eval_spec::record::Header;

use super::ask::{Ask, KIND, Overrides};

/// The journal of the evaluation `id`, or of the last one with `latest`; its settings with `overrides` over them; and the
/// context it began in.
pub(super) fn reopen(
    context: &Context,
    id: &str,
    overrides: Overrides,
) -> Result<(Journal, Ask, Context), CommandError> {
    let ours = |header: &Header| header.settings.get("kind").is_some_and(|kind| kind == KIND);
    let unknown = |path: Option<&Path>| match path {
        Some(_) => CommandError::usage(msg!("skills-cli-not-ours", id = id), None),
        None => CommandError::usage(msg!("skills-cli-nothing-to-resume"), None),
    };
    let path = journal::find(context, id, ours, unknown)?;
    let header = Journal::read_header(&path)?;
    let stored = header.settings.get("ask").filter(|_| ours(&header)).cloned();
    let Some(Ok(ask)) = stored.map(serde_json::from_value::<Ask>) else { return Err(unknown(Some(&path))) };
    let journal = Journal::resume(&path)?;
    journal.check_lines(overrides.is_strict)?;
    let ask = overrides.over(ask);
    // A command line that contained a secret was not stored whole, and can't be run again.
    if let Some(command) = &ask.judge_executor {
        refuse_masked(command, msg!("skills-cli-secret-help"))?;
    }
    Ok((journal, ask, begun_in(context, &header)))
}
