//! `eval-skills run`: find → evaluate → select → report, in one go.

use std::path::{Path, PathBuf};

use eval_cli::CommandError;
use eval_format::skills::{EvaluationStatus, StoredDocument};
use eval_history::skills::{Candidate, Measured};
use eval_load as load;
use eval_message::msg;
use eval_render::skills::selection_text;
use eval_spec::callable::{CallableSkill, SkillsConfig, Sourced};
use serde_json::json;

use super::select::{self, refused, written};
use crate::cli::RunArgs;
use crate::evaluation::{Ask, Evaluated, evaluate};
use crate::files::check;
use crate::search;
use crate::session::Session;

/// The list of selected skills, beside the reports.
const SELECTED: &str = "selected.json";

pub(crate) fn run(session: &Session<'_>, arguments: &RunArgs) -> Result<u8, CommandError> {
    let &Session { context, terminal, .. } = session;
    // Before the evaluation, which may take an hour: the strategy is valid, the list can be written.
    let least = [arguments.evaluation.min_completion, session.config()?.value.min_completion.map(|given| given.value)];
    let strategy = select::strategy(session, arguments.strategy.as_deref(), least, arguments.top_k)?;
    let found = find(session, arguments)?;
    let paths = found.iter().map(|skill| skill.file.clone()).collect();
    let ask = Ask::new(session, &arguments.evaluation, paths)?;
    // Without a gate, skills that can't be called here are left out; with one they are an error, or it would pass without
    // them.
    let ask = Ask { leaves_out: !arguments.evaluation.exit_on_fail, ..ask };
    let output: PathBuf = ask.output_dir.join(SELECTED);
    check(context, &output, std::iter::empty::<&Path>(), Some(StoredDocument::Selection))?;
    let driven = evaluate(session, ask)?;
    let Some(Evaluated { evaluation, .. }) = &driven.analysis else { return Ok(driven.code) };
    // An incomplete evaluation selects no skill.
    if evaluation.status != EvaluationStatus::Complete {
        terminal.json(|| json!({"evaluation": evaluation, "selection": null}));
        terminal.note(&msg!("skills-cli-not-selected", output = context.display(&output)));
        return Ok(driven.code);
    }
    let candidates = found.iter().map(|skill| Candidate::of(skill, context.display(&skill.file))).collect();
    let measured = Measured::all(evaluation);
    let selection = eval_history::skills::select(candidates, measured, &strategy, None, context.lang)
        .map_err(|error| refused(&error))?;
    written(&output, &selection)?;
    terminal.json(|| json!({"evaluation": evaluation, "selection": selection}));
    terminal.text(&selection_text(&selection, terminal.show()));
    terminal.note(&msg!("skills-cli-written", paths = context.display(&output)));
    Ok(driven.code)
}

/// The skills of the directory that match the query; all without one.
fn find(session: &Session<'_>, arguments: &RunArgs) -> Result<Vec<CallableSkill>, CommandError> {
    let &Session { context, terminal, .. } = session;
    let flags = SkillsConfig { skills_dir: arguments.skills_dir.clone().map(Sourced::flag), ..SkillsConfig::default() };
    let settings = session.settings(flags)?;
    let skills = terminal.loaded(match arguments.evaluation.exit_on_fail {
        true => load::callable_skills(context, std::slice::from_ref(&settings.skills_dir))?,
        false => load::scan_skills(context, &settings.skills_dir)?,
    });
    let path = context.display(&settings.skills_dir);
    let found: Vec<CallableSkill> = match &arguments.query {
        None => skills,
        Some(query) => {
            let ranked = search::rank(&skills, query);
            ranked.into_iter().filter_map(|(at, _)| skills.get(at).cloned()).collect()
        }
    };
    match (found.is_empty(), &arguments.query) {
        (false, _) => Ok(found),
        (true, Some(query)) => Err(CommandError::usage(
            msg!("skills-cli-run-none-fits", query = query, path = path),
            msg!("skills-cli-run-none-fits-help"),
        )),
        (true, None) => {
            Err(CommandError::usage(msg!("skills-load-no-skill", path = path), msg!("skills-load-no-skill-help")))
        }
    }
}
