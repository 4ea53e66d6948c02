//! `eval-skills eval`.

use eval_cli::CommandError;
use eval_message::msg;

use crate::cli::SkillsEvalArgs;
use crate::evaluation::{Ask, Overrides, evaluate, resume};
use crate::session::Session;

pub(crate) fn run(session: &Session<'_>, arguments: &SkillsEvalArgs) -> Result<u8, CommandError> {
    // The parser would not refuse it: what a flag conflicts with counts as given.
    if arguments.strict_journal && arguments.resume.is_none() {
        let help = msg!("skills-cli-strict-journal-help");
        return Err(CommandError::usage(msg!("cli-strict-journal-alone"), help));
    }
    let driven = match &arguments.resume {
        Some(id) => {
            let overrides = Overrides::new(session, &arguments.evaluation, arguments.strict_journal)?;
            resume(session, id, overrides)?
        }
        None => evaluate(session, Ask::new(session, &arguments.evaluation, arguments.skills.clone())?)?,
    };
    if let Some(of) = &driven.analysis {
        session.terminal.json(|| serde_json::to_value(&of.evaluation).unwrap_or_default());
    }
    Ok(driven.code)
}
