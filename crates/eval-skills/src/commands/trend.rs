//! `eval-skills trend`: a skill's completion rate over time, from the store.

use eval_cli::{CommandError, Terminal, exit};
use eval_history::skills::trend;
use eval_load as load;
use eval_message::{Message, msg};
use eval_render::skills::skill_trend_text;
use eval_serve::Store;
use eval_spec::Context;

use super::select::{show, store_path};
use crate::cli::{SkillsGlobal, SkillsTrendArgs};
use crate::told;

pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &SkillsTrendArgs,
) -> Result<u8, CommandError> {
    let path = store_path(context, global, arguments.store.as_deref())?;
    let no_store = |error| told::store(context, &error);
    let store = Store::open_existing(&path).map_err(no_store)?;
    known(&arguments.skill, &store.skills().map_err(no_store)?, |skill| {
        msg!("skills-cli-trend-no-skill", skill = skill)
    })?;
    if let Some(benchmark) = &arguments.benchmark {
        let benchmarks = store.benchmarks(&arguments.skill).map_err(no_store)?;
        let skill = &arguments.skill;
        known(benchmark, &benchmarks, |id| msg!("skills-cli-trend-no-benchmark", benchmark = id, skill = skill))?;
    }
    let history = store.history(&arguments.skill, arguments.benchmark.as_deref()).map_err(no_store)?;
    let found = trend(&arguments.skill, history);
    terminal.json(|| serde_json::to_value(&found).unwrap_or_default());
    terminal.text(&skill_trend_text(&found, show(terminal)));
    Ok(exit::OK)
}

/// A name that the store doesn't know is a slip, and no skill without a history.
fn known(name: &str, names: &[String], unknown: impl Fn(&str) -> Message) -> Result<(), CommandError> {
    if names.iter().any(|known| known == name) {
        return Ok(());
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let help = match load::closest(name, &names) {
        Some(meant) => Some(msg!("cli-usage-suggestion", suggestion = meant)),
        None if names.is_empty() => None,
        None => Some(msg!("cli-usage-valid", values = names[..names.len().min(20)].join(", "))),
    };
    Err(CommandError::usage(unknown(name), help))
}
