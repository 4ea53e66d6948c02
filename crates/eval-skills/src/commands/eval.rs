//! `eval-skills eval`.

use eval_cli::{CommandError, Terminal};
use eval_spec::Context;

use crate::cli::{SkillsEvalArgs, SkillsGlobal};
use crate::evaluation::{Ask, Overrides, evaluate, resume};

/// Evaluates skills, or goes on where an evaluation was interrupted.
pub(crate) fn run(
    context: &Context,
    terminal: &Terminal,
    global: &SkillsGlobal,
    arguments: &SkillsEvalArgs,
) -> Result<u8, CommandError> {
    let driven = match &arguments.resume {
        Some(id) => {
            let overrides = Overrides::new(context, global, &arguments.evaluation)?;
            resume(context, terminal, id, overrides)?
        }
        None => {
            let ask = Ask::new(context, global, &arguments.evaluation, arguments.skills.clone())?;
            evaluate(context, terminal, ask)?
        }
    };
    if let Some(of) = &driven.analysis {
        terminal.json(|| serde_json::to_value(&of.evaluation).unwrap_or_default());
    }
    Ok(driven.code)
}
