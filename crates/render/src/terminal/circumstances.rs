//! Lines about the circumstances of agents: permissions, and files that their copies lacked.

use std::collections::BTreeMap;

use eval_format::Report;
use eval_message::plain::{clean, clip};
use eval_message::{Message, msg};
use eval_spec::suite::PermissionMode;
use eval_spec::surroundings::{UncopiedFiles, UncopiedWhy};

use super::names::NAME;

/// Lines about what the agents could do without asking, and what they didn't find.
pub(crate) fn circumstances<R>(report: &Report<R>, list: impl Fn(&[String]) -> String) -> Vec<Message> {
    let lacking = report.meta.uncopied.iter().map(|files| uncopied(files, &list));
    allowed(report, &list).into_iter().chain(lacking).collect()
}

/// What the agents could do without asking, where that is more than their default.
fn allowed<R>(report: &Report<R>, list: impl Fn(&[String]) -> String) -> Option<Message> {
    let meta = &report.meta;
    let is_sandboxed = meta.executor_runtime.sandbox.as_ref().is_some_and(|of| !of.enforced.is_empty());
    let sandbox = if is_sandboxed { "yes" } else { "no" };
    let list = list(&modes(&meta.permissions));
    (!meta.permissions.is_empty()).then(|| msg!("report-permissions", list = list, sandbox = sandbox))
}

/// How many files of a working directory the agents' copies lack, why, and the first of them.
pub(crate) fn uncopied(files: &UncopiedFiles, list: impl Fn(&[String]) -> String) -> Message {
    let why = match files.why {
        UncopiedWhy::Ignored => "ignored",
        UncopiedWhy::Unreadable => "unreadable",
    };
    let names: Vec<String> = files.first.iter().map(|path| clean(path)).collect();
    let more = files.count.saturating_sub(names.len() as u64);
    msg!(
        "report-uncopied",
        why = why,
        count = files.count,
        directory = clean(&files.directory),
        list = list(&names),
        more = more
    )
}

/// Each variant with its mode.
pub(crate) fn modes(permissions: &BTreeMap<String, PermissionMode>) -> Vec<String> {
    permissions.iter().map(|(variant, mode)| format!("{} {}", clip(variant, NAME), mode.word())).collect()
}
