//! Journals: created under ids that no other run has, and found again to go on.

use std::path::{Path, PathBuf};

use eval_exec::masked;
use eval_message::msg;
use eval_run::{Journal, RunError};
use eval_spec::Context;
use eval_spec::hash::sha256_hex;
use eval_spec::record::{Header, JOURNAL_VERSION};
use serde_json::Value;

use super::work::{Evaluation, JournalStart};
use crate::exit::CommandError;

/// A new journal under an id that no other run has: two runs that begin in one second don't meet.
pub(super) fn create<W: Evaluation>(work: &W) -> Result<Journal, CommandError> {
    let context = work.context();
    let JournalStart { mut settings, inputs, cwd, regrade_of, order_seed } = work.beginning()?;
    mask_secrets(context, &mut settings);
    let mut header = Header {
        version: JOURNAL_VERSION,
        id: String::new(),
        started_at: context.now(),
        plan_hash: work.plan().hash.clone(),
        settings,
        inputs,
        cwd,
        regrade_of,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        order_seed: Some(order_seed),
    };
    loop {
        header.id = work.fresh_id(header.started_at, &|id| eval_run::journal_path(&context.home, id).exists());
        match Journal::create(&eval_run::journal_path(&context.home, &header.id), header.clone()) {
            // Another run took the id after it was found free.
            Err(RunError::Exists { .. }) => {}
            created => return Ok(created?),
        }
    }
}

/// Masks keys in the command lines of executors, wherever settings name one: a journal is a file like any other.
fn mask_secrets(context: &Context, settings: &mut Value) {
    let Value::Object(fields) = settings else { return };
    for (name, value) in fields {
        match value {
            Value::String(command) if matches!(name.as_str(), "executor" | "judgeExecutor") => {
                *command = masked(context, command);
            }
            nested => mask_secrets(context, nested),
        }
    }
}

/// The path of the journal of this id, there or not; with `latest`, of the run that began last in the working directory,
/// of those that are `ours`.
///
/// # Errors
/// `unknown`, of an id that is no file name, or of `latest` where no run began.
pub fn find(
    context: &Context,
    id: &str,
    ours: impl Fn(&Header) -> bool,
    unknown: impl Fn(Option<&Path>) -> CommandError,
) -> Result<PathBuf, CommandError> {
    if id == "latest" {
        let latest =
            eval_run::latest_where(&context.home, |header| ours(header) && Path::new(&header.cwd) == context.cwd)?;
        return latest.ok_or_else(|| unknown(None));
    }
    let path = eval_run::journal_path(&context.home, id);
    // A file name and not a way out of the journals' directory.
    match !id.contains(['/', '\\', '\0']) && !id.starts_with('.') {
        true => Ok(path),
        false => Err(unknown(Some(&path))),
    }
}

/// The surroundings that a run began in: what its settings name relative to a directory is looked for there.
#[must_use]
pub fn begun_in(context: &Context, header: &Header) -> Context {
    Context { cwd: PathBuf::from(&header.cwd), ..context.clone() }
}

/// A command line whose key was masked when it was written down can't be run again.
///
/// # Errors
/// It was.
pub fn refuse_masked(command: &str, help: eval_message::Message) -> Result<(), CommandError> {
    match eval_exec::has_mask(command) {
        true => Err(CommandError::usage(msg!("cli-resume-secret", executor = command), help)),
        false => Ok(()),
    }
}

/// A seed made of what is evaluated, of so many hexadecimal digits of its hash: the same inputs run in the same order.
#[must_use]
pub fn seed_of(text: &str, digits: usize) -> u64 {
    sha256_hex(text.as_bytes()).get(..digits).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}
