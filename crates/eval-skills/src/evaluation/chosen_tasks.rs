//! The tasks of a benchmark that `--tag` and `--task` choose.

use eval_cli::CommandError;
use eval_load::closest;
use eval_message::{Message, msg};
use eval_spec::callable::{Benchmark, Task};
use eval_spec::hash::{canonical_json, sha256_hex};
use serde_json::json;

use super::Ask;

/// How many names an error lists.
const LISTED: usize = 20;

/// Takes the tasks out that were not chosen; returns what to say of that, unless all were. The rest is another benchmark:
/// its hash is another one, so that it isn't compared with the whole.
///
/// # Errors
/// There is no such task or tag, or nothing is left.
pub(super) fn choose(ask: &Ask, benchmark: &mut Benchmark) -> Result<Option<Message>, CommandError> {
    let ids: Vec<&str> = benchmark.tasks.iter().map(|task| &*task.id).collect();
    for wanted in &ask.task_ids {
        known(wanted, &ids, |task| msg!("skills-cli-no-task", task = task, benchmark = &benchmark.id))?;
    }
    let mut tags: Vec<String> =
        benchmark.tasks.iter().flat_map(|task| &task.tags).map(|tag| tag.to_lowercase()).collect();
    tags.sort_unstable();
    tags.dedup();
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    for wanted in &ask.tags {
        known(&wanted.to_lowercase(), &tags, |tag| msg!("skills-cli-no-tag", tag = tag, benchmark = &benchmark.id))?;
    }
    let all = benchmark.tasks.len();
    benchmark.tasks.retain(|task| is_chosen(ask, task));
    let chosen = benchmark.tasks.len();
    if chosen == 0 {
        return Err(CommandError::usage(msg!("skills-cli-no-tasks-left"), msg!("skills-cli-no-tasks-left-help")));
    }
    if chosen == all {
        return Ok(None);
    }
    let ids: Vec<&str> = benchmark.tasks.iter().map(|task| &*task.id).collect();
    benchmark.hash = sha256_hex(canonical_json(&json!([benchmark.hash, ids])).as_bytes());
    Ok(Some(msg!("skills-cli-part", chosen = chosen, all = all, benchmark = &benchmark.id)))
}

fn is_chosen(ask: &Ask, task: &Task) -> bool {
    let has = |wanted: &String| task.tags.iter().any(|tag| tag.to_lowercase() == wanted.to_lowercase());
    ask.tags.iter().all(has) && (ask.task_ids.is_empty() || ask.task_ids.iter().any(|id| **id == *task.id))
}

fn known(name: &str, names: &[&str], unknown: impl Fn(&str) -> Message) -> Result<(), CommandError> {
    if names.contains(&name) {
        return Ok(());
    }
    let help = match closest(name, names) {
        Some(meant) => Some(msg!("cli-usage-suggestion", suggestion = meant)),
        None if names.is_empty() => None,
        None => Some(msg!("cli-usage-valid", values = names[..names.len().min(LISTED)].join(", "))),
    };
    Err(CommandError::usage(unknown(name), help))
}
