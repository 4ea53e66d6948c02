//! The settings and inputs of a stored run.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_cli::driver::journal::{self, refuse_masked};
use eval_message::msg;
use eval_spec::Context;
use eval_spec::record::Header;
use eval_spec::suite::{Settings, Written};
use serde_json::Value;

use crate::commands::project::Trees;

/// A secret in the judge's command line is not stored: the command line must be given again.
pub(crate) fn refuse_masked_judge(flags: &Written, stored: &Settings, id: &str) -> Result<(), CommandError> {
    match &stored.judge_executor {
        Some(judge) if flags.judge_executor.is_none() => {
            refuse_masked(judge, msg!("cli-resume-judge-secret-help", id = id))
        }
        _ => Ok(()),
    }
}

pub(super) fn stored_settings(context: &Context, path: &Path, header: &Header) -> Result<Settings, CommandError> {
    serde_json::from_value(header.settings.clone()).map_err(|error| {
        CommandError::usage(msg!("cli-journal-settings", path = context.display(path), error = error.to_string()), None)
    })
}

/// The fingerprints of the working directories when the run began.
pub(crate) fn trees(header: &Header) -> Trees {
    let stored = header.inputs.get("cwd").and_then(Value::as_object);
    let known = |(path, hash): (&String, &Value)| Some((PathBuf::from(path), hash.as_str()?.into()));
    stored.into_iter().flatten().filter_map(known).collect()
}

pub(super) fn find(context: &Context, id: &str) -> Result<PathBuf, CommandError> {
    let unknown = |path: Option<&Path>| {
        let message = match path.and_then(Path::parent) {
            Some(directory) => msg!("cli-no-journal-id", id = id, dir = context.display(directory)),
            None => msg!("cli-no-journal"),
        };
        CommandError::usage(message, msg!("cli-no-journal-help"))
    };
    let path = journal::find(context, id, |_| true, unknown)?;
    if path.is_file() { Ok(path) } else { Err(unknown(Some(&path))) }
}
