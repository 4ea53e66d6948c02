//! Circumstances of agents: permissions, and files that their copies lacked.

use std::collections::BTreeMap;

use eval_format::Report;
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::suite::PermissionMode;
use eval_spec::surroundings::{UncopiedFiles, UncopiedWhy};

use super::text::NAME;

/// Returns lines about what the agents could do without asking, and what they didn't find.
pub(crate) fn circumstances<R>(report: &Report<R>) -> Vec<Message> {
    let meta = &report.meta;
    let is_sandboxed = meta.executor_runtime.sandbox.as_ref().is_some_and(|sandbox| !sandbox.enforced.is_empty());
    let sandbox = if is_sandboxed { "yes" } else { "no" };
    let allowed = (!meta.permissions.is_empty())
        .then(|| msg!("report-permissions", list = modes(&meta.permissions), sandbox = sandbox));
    allowed.into_iter().chain(meta.uncopied.iter().map(uncopied)).collect()
}

/// Returns how many files of a working directory the agents' copies lack, why, and the first of them.
pub(crate) fn uncopied(files: &UncopiedFiles) -> Message {
    let why = match files.why {
        UncopiedWhy::Ignored => "ignored",
        UncopiedWhy::Unreadable => "unreadable",
    };
    let names: Vec<String> = files.first.iter().map(|path| clean(path)).collect();
    let more = files.count.saturating_sub(names.len() as u64);
    let directory = clean(&files.directory);
    msg!("report-uncopied", why = why, count = files.count, directory = directory, list = names, more = more)
}

pub(crate) fn modes(permissions: &BTreeMap<String, PermissionMode>) -> Vec<String> {
    permissions.iter().map(|(variant, mode)| format!("{} {}", clip(variant, NAME), mode.word())).collect()
}
