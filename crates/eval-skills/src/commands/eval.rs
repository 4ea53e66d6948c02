//! `eval-skills eval`.

use eval_cli::CommandError;

use crate::cli::SkillsEvalArgs;
use crate::evaluation::{Ask, Overrides, evaluate, resume};
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &SkillsEvalArgs) -> Result<u8, CommandError> {
    let driven = match &arguments.resume {
        Some(id) => resume(session, id, Overrides::new(session, &arguments.evaluation)?)?,
        None => evaluate(session, Ask::new(session, &arguments.evaluation, arguments.skills.clone())?)?,
    };
    if let Some(of) = &driven.analysis {
        session.terminal.json(|| serde_json::to_value(&of.evaluation).unwrap_or_default());
    }
    Ok(driven.code)
}
