//! `eval-skills trend`: a skill's completion rate over time, from the store.

use eval_cli::{CommandError, exit};
use eval_history::skills::trend;
use eval_load as load;
use eval_message::{Message, msg};
use eval_render::skills::skill_trend_text;

use crate::cli::SkillsTrendArgs;
use crate::files::store_failure;
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &SkillsTrendArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    let store = session.store(arguments.store.as_deref())?;
    let no_store = |error| store_failure(context, &error);
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
    terminal.text(&skill_trend_text(&found, terminal.show()));
    Ok(exit::OK)
}

/// Refuses a name that the store doesn't know, which is most likely a typing error.
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
