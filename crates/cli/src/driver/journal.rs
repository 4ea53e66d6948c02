//! Creates journals under unique ids, and finds them to resume.

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

/// Creates a journal under a unique id, even for two runs that begin in the same second.
pub(super) fn create<W: Evaluation>(work: &W) -> Result<Journal, CommandError> {
    let context = work.context();
    let JournalStart { mut settings, inputs, cwd, regrade_of, order_seed, asked_again, looks, urls } =
        work.beginning()?;
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
        order_seed,
        asked_again,
        looks,
        urls,
        outputs: context.outputs.clone(),
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

/// Masks secrets in the command lines of executors in the settings: journals are readable files.
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

/// Returns the path of the journal with this id, which may not exist; with `latest`, of the last run in the working
/// directory that is `ours`. The error `unknown` is for an id that is no file name, and for `latest` without a run.
pub fn find(
    context: &Context,
    id: &str,
    ours: impl Fn(&Header) -> bool,
    unknown: impl Fn(Option<&Path>) -> CommandError,
) -> Result<PathBuf, CommandError> {
    if id == "latest" {
        let latest =
            eval_run::latest_where(&context.home, |header| ours(header) && Path::new(&header.cwd) == context.cwd)?;
        // An unreadable journal may be the latest.
        return latest
            .ok_or_else(|| eval_run::first_unreadable(&context.home).map_or_else(|| unknown(None), Into::into));
    }
    let path = eval_run::journal_path(&context.home, id);
    // A path could lead out of the journals' directory.
    match !id.contains(['/', '\\', '\0']) && !id.starts_with('.') {
        true => Ok(path),
        false => Err(unknown(Some(&path))),
    }
}

/// Returns the context in which a run began: relative paths of its settings refer to its directory, and its log files
/// are still its own.
pub fn begun_in(context: &Context, header: &Header) -> Context {
    let outputs = [&*context.outputs, &*header.outputs].concat();
    Context { cwd: PathBuf::from(&header.cwd), outputs, ..context.clone() }
}

/// Rejects a command line whose secret was masked in the journal.
pub fn refuse_masked(command: &str, help: eval_message::Message) -> Result<(), CommandError> {
    match eval_exec::has_mask(command) {
        true => Err(CommandError::usage(msg!("cli-resume-secret", executor = command), help)),
        false => Ok(()),
    }
}

/// Derives a seed from the first hexadecimal digits of a hash of `text`: the same inputs run in the same order.
pub fn seed_of(text: &str, digits: usize) -> u64 {
    sha256_hex(text.as_bytes()).get(..digits).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}
