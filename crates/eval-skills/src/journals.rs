//! Journals of what this program runs: begun under ids that nobody has, and opened again to go on.

use std::path::Path;

use eval_cli::Failure;
use eval_message::msg;
use eval_run::{Journal, RunError};
use eval_spec::Context;
use eval_spec::record::{Header, JOURNAL_VERSION};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a journal is begun with.
pub(crate) struct Begin<'a, Ask> {
    /// Marks the settings of one command among those of others.
    pub(crate) kind: &'static str,
    /// What was asked for, without secrets.
    pub(crate) ask: &'a Ask,
    pub(crate) plan_hash: String,
    /// Hashes by name, to say what changed when it can't be resumed.
    pub(crate) inputs: Value,
    pub(crate) seed: u64,
}

/// A new journal under an id that no other has: two that begin in one second don't meet. `fresh` makes an id of a time, of
/// which some are taken.
pub(crate) fn begin<Ask: Serialize>(
    context: &Context,
    of: &Begin<'_, Ask>,
    fresh: impl Fn(Timestamp, &dyn Fn(&str) -> bool) -> String,
) -> Result<Journal, Failure> {
    let started_at = context.now();
    let mut header = Header {
        version: JOURNAL_VERSION,
        id: String::new(),
        started_at,
        plan_hash: of.plan_hash.clone(),
        settings: json!({"kind": of.kind, "ask": written(of.ask)?}),
        inputs: of.inputs.clone(),
        cwd: context.cwd.display().to_string(),
        regrade_of: None,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        order_seed: Some(of.seed),
    };
    loop {
        header.id = fresh(started_at, &|id| eval_run::journal_path(&context.home, id).exists());
        match Journal::create(&eval_run::journal_path(&context.home, &header.id), header.clone()) {
            // Another run took the id between our look and our writing.
            Err(RunError::Exists { .. }) => {}
            created => return Ok(created?),
        }
    }
}

/// What was asked for as it is kept: only paths that are not UTF-8 can't be.
pub(crate) fn written(ask: &impl Serialize) -> Result<Value, Failure> {
    serde_json::to_value(ask).map_err(|_| Failure::usage(msg!("skills-cli-not-utf8"), msg!("skills-cli-not-utf8-help")))
}

/// The journal of a run that goes on, what it was asked for, and the world it began in.
pub(crate) fn reopen<Ask: DeserializeOwned>(
    context: &Context,
    kind: &str,
    id: &str,
) -> Result<(Journal, Ask, Context), Failure> {
    let ours = |header: &Header| header.settings.get("kind").is_some_and(|known| known == kind);
    let path = match id {
        "latest" => {
            eval_run::latest_where(&context.home, |header| ours(header) && Path::new(&header.cwd) == context.cwd)?
                .ok_or_else(|| Failure::usage(msg!("skills-cli-nothing-to-resume"), None))?
        }
        id if id.contains(['/', '\\', '\0']) || id.starts_with('.') => {
            return Err(Failure::usage(msg!("skills-cli-not-ours", id = id), None));
        }
        id => eval_run::journal_path(&context.home, id),
    };
    let header = Journal::read_header(&path)?;
    let ask = header.settings.get("ask").filter(|_| ours(&header)).cloned().map(serde_json::from_value::<Ask>);
    let Some(Ok(ask)) = ask else {
        return Err(Failure::usage(msg!("skills-cli-not-ours", id = id), None));
    };
    let begun_in = Context { cwd: header.cwd.into(), ..context.clone() };
    Ok((Journal::resume(&path)?, ask, begun_in))
}

/// A command line that held a secret was not kept whole, and can't be run again.
pub(crate) fn refuse_masked<'a>(commands: impl IntoIterator<Item = &'a String>) -> Result<(), Failure> {
    match commands.into_iter().find(|command| eval_exec::has_mask(command)) {
        Some(masked) => {
            Err(Failure::usage(msg!("cli-resume-secret", executor = masked), msg!("skills-evals-secret-help")))
        }
        None => Ok(()),
    }
}
